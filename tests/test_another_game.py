"""A third-party game: once installed, it has every page, the API and the documentation.

The package is tests/pebbles, which docs/new-game.md explains. It is installed as a stranger would, served by `daybook
serve`, and asked over HTTP: as it is, and as a second game without the part that has its words.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Iterator
from html import unescape
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener
from uuid import uuid4

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from daybook.domain.games import RULESETS
from tests.servers import PATIENCE_SECONDS, free_port, wait_until

ROOT = Path(__file__).resolve().parent.parent
PEBBLES = ROOT / "tests" / "pebbles"
GUIDE = ROOT / "docs" / "new-game.md"
FILES = ("pyproject.toml", "pebbles/sheet.toml", "pebbles/__init__.py", "pebbles/pages.py")
MARKUP = "<x-mark>"  # stands in everything that the package says, and nowhere on a page as it is
NAMES = ("Anna", "Ben", "Cleo")
MOVES = (3, 2, 3, 2, 3, 2, 3, 2, 1)  # Cleo takes the last one
LIKE_ONE = 2  # pages of one kind that are looked at


# --- installed and served --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that serves the game, the same without words, and its own; and knows of one that is broken."""
    folder = tmp_path_factory.mktemp("site")
    source, installed = Path(shutil.copytree(PEBBLES, folder / "source")), folder / "installed"
    rules, pages = source / "pebbles/__init__.py", source / "pebbles/pages.py"
    rules.write_text(rules.read_text().replace('title="', f'title="{MARKUP}'))
    pages.write_text(re.sub(r'(: |says\(\w+, )"', rf'\1"{MARKUP}', pages.read_text()))
    how = "-q --no-deps --no-index --no-build-isolation --disable-pip-version-check --target"
    run(sys.executable, "-m", "pip", "install", *how.split(), str(installed), str(source))
    write_korean(installed / "pebbles" / "translations")
    (installed / "wordless").mkdir()
    for file in (rules, rules.with_name("sheet.toml")):
        renamed = file.read_text().replace('id="pebbles"', 'id="wordless"').replace('"PB', '"PW')
        (installed / "wordless" / file.name).write_text(renamed)
    describe(installed, "wordless", "1.0", "[daybook.games]\nwordless = wordless:GAME\n")
    (installed / "broken_mill.py").write_text("import a_library_that_is_not_there\n")
    games = "[daybook.games]\nmill = broken_mill:GAME\n[daybook.games.web]\nmill = broken_mill:PAGES\n"
    describe(installed, "broken-mill", "0.3", games)
    served = Service(installed, folder / "data")
    serving = subprocess.Popen(
        [
            *(sys.executable, "-m", "daybook", "serve", "--no-examples"),
            *("--port", str(served.port), "--data", str(served.data)),
        ],
        cwd=folder,
        env=served.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: Site(served, "pebbles").answers(), "the service")
        yield served
    finally:
        serving.terminate()
        assert serving.wait(PATIENCE_SECONDS) == 0


@pytest.fixture(scope="module", params=["its words", "no words"])
def site(request: pytest.FixtureRequest, service: Service) -> Site:
    """One of the two games, which brings its words or brings none, and was played."""
    site = Site(service, "pebbles" if request.param == "its words" else "wordless")
    site.play()
    return site


def describe(folder: Path, name: str, version: str, entry_points: str) -> None:
    """Write the files that pip writes beside a package."""
    described = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (described / "entry_points.txt").write_text(entry_points)


def write_korean(folder: Path) -> None:
    """Texts of the package in Korean, one of which the house has, too; and one in a language that the house has not."""
    for language, texts in (
        (
            "ko",
            {
                f"{MARKUP}{{seat}} takes {{pebbles}} and leaves {{left}}": "{seat} {pebbles}개, {left}개 남음",
                "Score sheet": "남의 말",
            },
        ),
        ("de", {"Score sheet": "Wertung"}),
    ):
        catalogue = Catalog(locale=language)
        for text, translated in texts.items():
            catalogue.add(text, translated)
        file = folder / language / "LC_MESSAGES" / "messages.mo"
        file.parent.mkdir(parents=True)
        with file.open("wb") as written:
            write_mo(written, catalogue)


class Answer:
    """An answer. text: of a page, its words without tags and without MARKUP."""

    def __init__(self, status: int, kind: str, body: str) -> None:
        self.status, self.kind, self.body = status, kind, body

    @property
    def text(self) -> str:
        shown = unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<(script|style)\b.*?</\1>", " ", self.body, flags=re.S)))
        return " ".join(shown.replace(MARKUP, "").split())


class Service:
    """The service, and what a process of its installation has to know."""

    def __init__(self, installed: Path, data: Path) -> None:
        self.port = free_port()
        self.data = data
        self.environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(installed), str(ROOT)]),
            "DAYBOOK_WORKERS": "1",
            "DAYBOOK_WIN_CHANCES_SECONDS_PER_DAY": "off",
        }


class Site:
    """One game as a person with a browser sees it, with their cookies."""

    def __init__(self, service: Service, game: str) -> None:
        self.service = service
        self.game = game
        self.has_words = game == "pebbles"
        self.prefix = "PB" if self.has_words else "PW"
        self.browser = build_opener(HTTPCookieProcessor())
        self.over = self.running = self.key = ""

    def ask(self, path: str, body: bytes | None = None, language: str = "en", **headers: str) -> Answer:
        asked = Request(f"http://127.0.0.1:{self.service.port}{path}", body, {"Accept-Language": language, **headers})
        try:
            answer: HTTPResponse | HTTPError = self.browser.open(asked, timeout=PATIENCE_SECONDS)
        except HTTPError as refused:
            answer = refused
        with answer:
            kind = answer.headers["Content-Type"] or ""
            return Answer(answer.status or 0, kind, answer.read().decode(errors="replace"))

    def answers(self) -> bool:
        try:
            return self.ask("/").status == 200
        except OSError:
            return False

    def api(self, path: str, key: str = "", **sent: Any) -> Any:
        """Return the API's answer; send a POST if there is a body."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        if sent:
            headers |= {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
        answer = self.ask(f"/api/v1{path}", json.dumps(sent).encode() if sent else None, **headers)
        assert answer.status in (200, 201), answer.body
        return json.loads(answer.body)

    def play(self) -> None:
        """One game to its end, and one that runs; the browser has the scorekeeper's link of both."""
        self.over, key = self.open_game(f"{self.game} to the end", MOVES)
        self.api(f"/games/{self.over}/close", key, at=len(MOVES))
        self.running, self.key = self.open_game("Not yet", MOVES[:3])

    def open_game(self, title: str, moves: tuple[int, ...]) -> tuple[str, str]:
        """A game with these moves, its id and the scorekeeper's key."""
        colours = ("red", "blue", "green")
        opened = self.api(
            "/games",
            ruleset=self.game,
            title=title,
            public=True,
            players=[{"name": name, "colour": colour} for name, colour in zip(NAMES, colours, strict=True)],
        )
        game: str = opened["game"]
        key: str = next(link["key"] for link in opened["links"] if link["role"] == "scorekeeper")
        for at, n in enumerate(moves):
            self.api(f"/games/{game}/decisions", key, seat=at % 3, decision={"type": "take", "pebbles": n}, at=at)
        self.send("/join", key=key)
        return game, key

    def send(self, path: str, **fields: str) -> Answer:
        [token, *_] = re.findall(r'name="csrf" value="([^"]+)"', self.ask("/join").body)
        return self.ask(path, urlencode({"csrf": token, **fields}).encode())


def run(*command: str, **more: Any) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, **more).stdout


# --- each of them for nothing ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_record_page_offers_what_is_legal_and_writes_it_down(site):
    game, key = site.open_game("At the table", (2,))
    page = site.ask(f"/games/{game}/record")
    assert page.status == 200
    assert ("Take pebbles: pebbles" if site.has_words else "take: pebbles") in page.text
    for n, offered in ((1, True), (2, False), (3, True)):  # 2 were taken just before
        assert (f"d.pebbles={n}" in page.body) == offered
    asked = urlencode({"seat": 1, "kind": "take", "d.pebbles": 3})
    form = site.ask(f"/games/{game}/record?{asked}").body
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    written = site.send(f"/games/{game}/record", **{name: unescape(value) for name, value in fields.items()})
    assert written.status == 200 and site.api(f"/games/{game}/position", key)["step"] == 2


@pytest.mark.slow
def test_end_of_a_round_shows_its_gains_in_the_ledger(site):
    page = site.ask(f"/games/{site.running}/record")
    card = page.text[page.text.index("Round 1 is over") : page.text.index("Hide this")]
    assert re.search("Pebbles.*\\+3 3.*\\+2 2.*\\+3 3", card)


@pytest.mark.slow
def test_replay_shows_the_board_and_tells_steps_with_rules(site):
    page = site.ask(f"/games/{site.over}")
    assert page.status == 200 and 'data-at="/heap"' in page.body
    told = "Anna takes 3 and leaves 18" if site.has_words else "Anna: taken, pebbles 3, left 18"
    assert told in page.text and f"{site.prefix}-2.1" in page.text


@pytest.mark.slow
def test_the_ledger_and_the_charts_show_its_column(site):
    page = site.ask(f"/games/{site.over}/figures")
    assert page.status == 200 and "<svg" in page.body
    assert ("Pebbles" if site.has_words else "pebbles") in page.text
    [heading, *_, last] = site.ask(f"/games/{site.over}/figures.csv").body.splitlines()
    assert "pebbles" in heading.lower() and len(last.split(",")) == len(heading.split(","))


@pytest.mark.slow
def test_the_score_sheet_has_its_lines_and_who_won(site):
    page = site.ask(f"/games/{site.over}/score")
    assert page.status == 200 and f"{site.prefix}-3.1" in page.text
    assert ("the last pebble" if site.has_words else "Last") in page.text
    wait_until(lambda: site.api(f"/games/{site.over}/scores")["sheets"], "the game is scored")
    sheets = site.api(f"/games/{site.over}/scores")["sheets"]
    assert [score["total"] for score in sheets[-1]["scores"]] == [8, 7, 9]
    assert sheets[-1]["ranks"] == [2, 3, 1]


@pytest.mark.slow
def test_links_have_a_picture_and_lists_the_figures(site):
    """Its board has no small drawing."""
    picture = site.ask(f"/games/{site.over}/steps/4.png")
    assert (picture.status, picture.kind) == (200, "image/png")
    assert site.ask(f"/games/{site.over}/board.svg").status == 404
    wait_until(lambda: f"{site.game} to the end" in site.ask("/").text, "the game is listed")
    page = site.ask("/").body
    assert 'class="mini"' in page and f"{site.over}/board.svg" not in page


@pytest.mark.slow
def test_a_closed_game_is_counted(site):
    wait_until(lambda: "1 game" in site.ask(f"/statistics/{site.game}").text, "the game is counted")
    assert site.ask(f"/statistics/{site.game}/ask?measure=score&split=person").status == 200


@pytest.mark.slow
def test_the_api_knows_the_game_its_decisions_and_its_sheet(site):
    assert site.game in [value["id"] for value in site.api("/rulesets")["rulesets"]]
    legal = site.api(f"/games/{site.running}/legal?seat=0", site.key)
    assert legal["decisions"] == [{"type": "take", "pebbles": 1}, {"type": "take", "pebbles": 2}]
    described = site.api("/openapi.json")["components"]["schemas"]
    assert described[f"{site.prefix}.Decision"] == {"$ref": f"#/components/schemas/{site.prefix}.Take"}
    assert described[f"{site.prefix}.Take"]["properties"]["pebbles"]["type"] == "integer"
    refused = site.ask(
        f"/api/v1/games/{site.running}/decisions",
        json.dumps({"seat": 0, "decision": {"type": "take", "pebbles": 3}, "at": 3}).encode(),
        **{"Authorization": f"Bearer {site.key}", "Content-Type": "application/json", "Idempotency-Key": uuid4().hex},
    )
    assert (refused.status, json.loads(refused.body)["error"]["rule"]) == (422, f"{site.prefix}-2.2")


@pytest.mark.slow
def test_the_component_sheet_shows_each_number_with_its_source(site):
    page = site.ask(f"/sheets/{site.game}")
    assert page.status == 200 and "<td>21</td>" in page.body and "the card was lost" in page.body


@pytest.mark.slow
def test_record_documentation_has_decisions_effects_and_board(service):
    written = run(
        sys.executable,
        "-c",
        "from tests.documentation import documented_games as all, "
        "documented_measures as counted; print(all(), counted())",
        env=service.environment,
    )
    for game in ("pebbles", "wordless"):
        assert f"`{game}`, revision 1 of the rules, for 2 to 4 seats." in written
    assert "| `take` |" in written and "| `taken` |" in written


@pytest.mark.slow
def test_record_is_checked_with_the_game_and_refused_without(site, tmp_path):
    file = tmp_path / "heap.daybook"
    file.write_text(site.ask(f"/games/{site.over}/export").body)
    assert "9 decisions, all agree with today's rules" in run(
        sys.executable, "-m", "daybook", "check", str(file), env=site.service.environment, cwd=tmp_path
    )
    without = subprocess.run(
        [sys.executable, "-m", "daybook", "check", str(file)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert without.returncode == 2 and site.game in without.stderr and "Traceback" not in without.stderr


@pytest.mark.slow
def test_korean_uses_our_texts_and_those_of_the_package(site):
    page = site.ask(f"/games/{site.over}", language="ko")
    assert 'lang="ko"' in page.body and "게임" in page.text
    assert ("Anna 3개, 18개 남음" if site.has_words else "taken, pebbles 3, left 18") in page.text
    assert "남의 말" not in site.ask(f"/games/{site.over}/score", language="ko").text
    assert "Wertung" not in site.ask(f"/games/{site.over}/score", language="de").text


@pytest.mark.slow
def test_unloadable_game_is_named_and_the_others_go_on(service):
    doctor = subprocess.run(
        [sys.executable, "-m", "daybook", "doctor", "--data", str(service.data)],
        capture_output=True,
        text=True,
        env=service.environment,
    )
    assert "the game 'mill' of the package broken-mill 0.3 cannot be loaded" in doctor.stdout
    assert "a_library_that_is_not_there" in doctor.stdout and "Traceback" not in doctor.stderr
    site = Site(service, "mill")
    assert site.ask("/new?game=mill").status == 404
    there = sorted(value["id"] for value in site.api("/rulesets")["rulesets"])
    assert there == sorted([*RULESETS, "pebbles", "wordless"])


# --- every page ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_page_answers_and_package_texts_are_escaped(site):
    """Follow every kind of link of every page as the scorekeeper: in the package's language, and without words in
    English."""
    language = "ko" if site.has_words else "en"
    others = "|".join({*RULESETS, "pebbles", "wordless"} - {site.game, "score_sheet"})
    of_another = re.compile(f"[/=]({others})")
    todo = deque(
        [
            "/",
            f"/new?game={site.game}",
            f"/practice?game={site.game}",
            f"/statistics/{site.game}",
            f"/sheets/{site.game}",
            "/help",
            f"/games/{site.over}",
            f"/games/{site.running}",
            f"/games/{site.running}/record",
        ]
    )
    seen: dict[str, Answer] = {}
    like: Counter[str] = Counter()
    while todo:
        path = todo.popleft()
        kind = re.sub(r"=[^&]*", "=", re.sub(r"[0-9a-f-]{36}|(?<=/)\d+", "#", path))
        if path in seen or like[kind] >= LIKE_ONE or of_another.search(path):
            continue
        like[kind] += 1
        page = seen[path] = site.ask(path, language=language)
        if "html" in page.kind:
            links = (unescape(link) for link in re.findall(r'<a [^>]*href="([^"#]+)', page.body))
            todo.extend(urljoin(path, link) for link in links if not link.startswith(("http", "//", "mailto:")))
    assert len(seen) > 50
    assert {path: page.status for path, page in seen.items() if page.status >= 500} == {}
    pages = {path: page.body for path, page in seen.items() if "html" in page.kind}
    assert [path for path, body in pages.items() if MARKUP in body] == []
    assert sum("&lt;x-mark&gt;" in body for body in pages.values()) > 10


# --- how it is written -----------------------------------------------------------------------------------------------


def test_the_game_is_small():
    assert sum(len((PEBBLES / file).read_text().splitlines()) for file in FILES) <= 200


def test_the_guide_has_the_whole_of_it_in_its_order():
    blocks: dict[str, list[str]] = {}
    for file, block in re.findall(r"<!-- (\S+) -->\n```\w+\n(.*?)```", GUIDE.read_text(), re.S):
        blocks.setdefault(file, []).extend(line for line in block.splitlines() if line)
    assert tuple(blocks) == FILES
    for file, lines in blocks.items():
        assert lines == [line for line in (PEBBLES / file).read_text().splitlines() if line], file
