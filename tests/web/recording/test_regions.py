"""Live pages: what a page shows after it fetched only the changed regions is what a new page shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from shutil import copytree
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from daybook.domain.commands import Decide, Note, TakeBack
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.tags import tag_of
from daybook.services.disputes.claims import raise_claim
from daybook.services.permissions import access
from daybook.services.play import redaction, replay
from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import begin, create_app
from daybook.web.replay import reveals, settlements
from daybook.web.request.regions import RenderedParts
from tests.played import key, open_seats, write
from tests.web.conftest import Opened

pytestmark = [pytest.mark.sqlite_suffices, pytest.mark.slow]

STEPS = 20
SHARING_STEPS, MAX_STEPS_BEFORE = 16, 80
CACHED = (redaction.board_and_document, redaction.redacted_board, replay._redact_step, replay._digest_steps)
CACHED += (settlements.newest_stretches, settlements._beginning_at, settlements._possible_starts)
CACHED += (reveals._possible_moments,)
REGION = re.compile(r"<!--region (\S+) (\S+?)( same)?-->(.*?)<!--/region-->", re.DOTALL)
OWN = re.compile(r'name="(csrf|key)" value="[^"]*"')  # each answer has its own


class Viewer:
    """A page of a game in a browser, which fetches what has changed."""

    def __init__(self, app: Flask, fresh: Flask, path: str, grants: list[str]) -> None:
        self.path = path
        self.clients = [client_with(app, grants), client_with(fresh, grants)]
        self.fresh = fresh
        self.page = self._read(self.clients[0])
        self.fetched = 0

    def renew(self) -> None:
        shown = " ".join(f"{name}.{digest}" for name, digest, _, _ in REGION.findall(self.page))
        answer = self._read(self.clients[0], {"X-Regions": shown})
        self.fetched = len(answer)
        assert shown.split() == [f"{match[1]}.{match[2]}" for match in REGION.finditer(self.page)]
        known = {match[1]: match[0] for match in REGION.finditer(self.page)}
        self.page = REGION.sub(lambda match: known[match[1]] if match[3] else match[0], answer)

    def reload(self) -> str:
        """Return a page that shares nothing that was rendered before."""
        forget_parts(self.fresh)
        return self._read(self.clients[1])

    def _read(self, client: FlaskClient, headers: dict[str, str] | None = None) -> str:
        answer = client.get(self.path, headers=headers)
        assert answer.status_code == 200
        return answer.get_data(as_text=True)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, empty_data: Path) -> Iterator[Flask]:
    """Another application, whose rendered parts are forgotten before each request."""
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path_factory.mktemp("fresh") / "data"))))
    yield create_app(opened)
    opened.close()


def client_with(app: Flask, grants: list[str], **kept: object) -> FlaskClient:
    client = app.test_client()
    with client.session_transaction() as cookie:
        cookie.update(kept, grants=grants)
    return client


def forget_parts(fresh: Flask) -> None:
    """Drop everything that viewers share."""
    fresh.extensions["rendered_parts"] = RenderedParts()
    for cached in CACHED:
        cached.cache.clear()


def content_of(page: str) -> str:
    """Return the content of a page, without hashes and without what each answer has of its own."""
    content = page[page.index('<main id="main"') :].partition(">")[2].partition("</main>")[0]
    return OWN.sub(r'name="\1"', REGION.sub(r"<!--\1-->\4", content)).strip()


@pytest.mark.parametrize("ruleset_id", RULESETS)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.drill)])
def test_regions_applied_give_page_fetched(book: Daybook, app, fresh, ruleset_id, seed):
    random = Random(seed)
    begin(fresh, book)
    game_id = open_seats(book, ruleset_id=ruleset_id, public=True)
    viewers = viewers_of(book, app, fresh, game_id, random)
    dealer = Dealer(seed)
    for _ in range(STEPS):
        write_something(book, game_id, dealer, random)
        for viewer in random.sample(viewers, 2):
            viewer.renew()
            assert content_of(viewer.page) == content_of(viewer.reload())


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_shared_parts_equal_parts_made_for_viewer(book: Daybook, app, fresh, ruleset_id):
    random = Random(ruleset_id)
    begin(fresh, book)
    game_id = open_seats(book, ruleset_id=ruleset_id, public=True)
    grants = access.make_first_grants(book, game_id)
    keeper, *seats = (grant.id for grant in grants if not grant.only_reads)
    umpire = access.make_grant(book, game_id, "umpire", umpire=1).id
    holders = [[keeper], [umpire], [keeper, seats[0]], seats[:2], [seats[1], umpire], *([seat] for seat in seats)]
    clients = [
        [client_with(each, held, shows_veiled=unveiled, language=language) for each in (app, fresh)]
        for held in holders
        for unveiled in (False, True)
        for language in ("en", "ko")
    ]
    dealer = Dealer(1)
    for _ in range(random.randrange(MAX_STEPS_BEFORE)):
        write_something(book, game_id, dealer, random)
    for _ in range(SHARING_STEPS):
        write_something(book, game_id, dealer, random)
        path = random.choice(paths_of(book, game_id))
        *before, (client, forgetful) = random.sample(clients, 4)
        for other, _ in before:
            other.get(path)
        shared = parts_of(client.get(path).get_data(as_text=True))
        forget_parts(fresh)
        assert shared == parts_of(forgetful.get(path).get_data(as_text=True))


def paths_of(book: Daybook, game_id: UUID) -> list[str]:
    """Return addresses of the record page: as it is, of earlier turns, and in the middle of a choice."""
    game, page = book.games.get(game_id), f"/games/{game_id}/record"
    legal = [
        decision for seat in game.ruleset.waits_for(game.board) for decision in game.ruleset.legal(game.board, seat)
    ]
    kinds = sorted({tag_of(type(decision)) for decision in legal})
    return [page, page, f"{page}?before={game.step // 2}", *(f"{page}?kind={kind}" for kind in kinds[:2])]


def parts_of(page: str) -> dict[str, str]:
    """Return the regions of a page by name, without what each answer has of its own."""
    found = {name: OWN.sub(r'name="\1"', html) for name, _, _, html in REGION.findall(page)}
    assert "last" in found, page
    return found


def viewers_of(book: Daybook, app: Flask, fresh: Flask, game_id: UUID, random: Random) -> list[Viewer]:
    grants = access.make_first_grants(book, game_id)
    umpire = access.make_grant(book, game_id, "umpire", umpire=1)
    seats = [grant.id for grant in grants if grant.role == "seat"]
    holders = [[grant.id] for grant in (*grants, umpire) if not grant.only_reads]
    holders += [random.sample(seats, 2), [seats[0], umpire.id]]  # two seats on one phone
    holders += [[seats[0]]]  # a second phone with the same view
    claim = raise_claim(book, game_id, 0, "That was not so.", by="scorekeeper", key=key())
    paths = [f"/games/{game_id}/record", f"/games/{game_id}/claims/{claim.step}"]
    return [Viewer(app, fresh, path, held) for held in holders for path in paths]


def write_something(book: Daybook, game_id: UUID, dealer: Dealer, random: Random) -> None:
    """Record a decision, or sometimes a note, a claim or a step back."""
    game, kind = book.games.get(game_id), random.random()
    chosen = dealer.next_decision(game.ruleset, game.board)
    if kind < 0.06 and game.step:
        write(book, game_id, Note(game.heads[-1], f"Note {kind}"))
    elif kind < 0.09 and game.step:
        raise_claim(book, game_id, game.heads[-1], "That was not so.", by="scorekeeper", key=key())
    elif (kind < 0.15 or chosen is None) and game.heads[-1]:
        write(book, game_id, TakeBack(game.parents[game.heads[-1]], "mistyped"), at=game.step)
    elif chosen is not None:
        write(book, game_id, Decide(chosen[0], plain(chosen[1])), at=game.step)


# --- in a browser -----------------------------------------------------------------------------------------------------

CONTENT = """() => {
  const desk = document.getElementById("desk").cloneNode(true);
  for (const field of desk.querySelectorAll("[name=csrf], [name=key]")) field.removeAttribute("value");
  const comments = document.createTreeWalker(desk, NodeFilter.SHOW_COMMENT);
  while (comments.nextNode()) comments.currentNode.data = comments.currentNode.data.split(" ").slice(0, 2).join(" ");
  for (const details of desk.querySelectorAll("details")) details.removeAttribute("open");
  desk.removeAttribute("class");
  desk.querySelector(".fresh")?.classList.remove("fresh");
  return desk.outerHTML.replace(/\\s+/g, " ");
}"""


def test_page_keeps_what_viewer_typed_and_opened(page: Page, site, open_game: Callable[..., Opened]):
    game = open_game(("Anna", "Ben", "Cleo"))
    game.play(12)
    game.enter(page, site)
    page.get_by_text("Fix…").click()
    note = page.get_by_label("A note on step")
    note.fill("Ben was asked")
    note.evaluate("(field) => field.setSelectionRange(3, 3)")
    line = page.locator(".turn-line").nth(1)
    says = line.locator("summary").text_content() or ""
    line.locator("summary").evaluate("(summary) => summary.click()")
    for _ in range(2):
        game.play(1, seed=game.step)
        expect(page.locator("#desk")).to_have_attribute("data-at", str(game.step))
    expect(note).to_have_value("Ben was asked")
    expect(note).to_be_focused()
    assert note.evaluate("(field) => field.selectionStart") == 3
    expect(page.locator(".turn-line[open] > summary")).to_have_text(says)
    note.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".newest")).to_contain_text("Ben was asked")
    expect(note).to_have_value("")


def test_page_after_steps_of_others_is_page_fetched(page: Page, site, open_game: Callable[..., Opened]):
    game = open_game(("Anna", "Ben", "Cleo"))
    game.play(8)
    game.enter(page, site, "seat", 1)
    for _ in range(12):
        game.play(1, seed=game.step)
        expect(page.locator("#desk")).to_have_attribute("data-at", str(game.step))
    shown = page.evaluate(CONTENT)
    page.reload()
    expect(page.locator("#desk")).to_have_attribute("data-at", str(game.step))
    assert page.evaluate(CONTENT) == shown
