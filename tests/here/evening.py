"""Runs in the Python for browsers: opens games by the pages' forms, records the first to its end, and looks at each."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode
from uuid import UUID

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import plain
from daybook.services.play.practice import Dealer
from daybook.web.here.bridge import Device

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
BASE = "/here/app"
asked = json.loads(argument)  # noqa: F821  # of device.js: {"games": {name: most decisions or null}, "seed": ...}
device = Device(Path("/device"), "http://127.0.0.1:8000", BASE)
device.open()


def ask(method: str, path: str, fields: dict[str, object] | None = None) -> tuple[int, dict[str, str], str]:
    body = urlencode(fields).encode() if fields else b""
    status, headers, content = device.answer(method, BASE + path, FORM if fields else {}, body)
    return status, dict(headers), content.decode(errors="replace")


class OpeningForm(HTMLParser):
    """The fields of the form for a new game, as they stand."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, object] = {}
        self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        name = has.get("name") or ""
        if tag == "input" and name and (has.get("type") not in ("radio", "checkbox") or "checked" in has):
            self.fields[name] = has.get("value") or ""
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select and ("selected" in has or self.select not in self.fields):
            self.fields[self.select] = has.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.select = ""


def open_game(game: str) -> UUID:
    status, _, page = ask("GET", f"/new?game={game}")
    assert status == 200, page
    form = OpeningForm()
    form.feed(page[page.index("<main") : page.index("</main>")])
    for name in form.fields:
        if name.startswith("name."):
            form.fields[name] = ""
    few = max(2, RULESETS[game].seats[0])  # a small table: its evening is shorter, and a browser's Python slow
    names = {f"name.{place}": name for place, name in enumerate(("Anna", "Ben", "Cleo")[:few])}
    status, headers, page = ask("POST", "/new", form.fields | names | {"title": "An evening", "game": game})
    assert status == 303, page
    found = re.search(r"games/([0-9a-f-]{36})", headers["Location"])
    assert found
    return UUID(found[1])


def record_evening(ruleset: str, limit: int | None) -> dict[str, object]:
    id = open_game(ruleset)
    token = re.search(r'name="csrf" value="([^"]+)"', ask("GET", f"/games/{id}/record")[2])
    assert token
    dealer = Dealer(asked["seed"])
    while (game := device.book.games.get(id)).step != limit:
        chosen = dealer.next_decision(game.ruleset, game.board)
        if chosen is None:
            break
        (seat, decision), step = chosen, game.step
        status, _, page = ask(
            "POST",
            f"/games/{id}/record",
            {
                "csrf": token[1],
                "seat": seat,
                "at": step,
                "key": f"step-{step}",
                "decision": json.dumps(plain(decision)),
            },
        )
        assert status == 303, page
    pages = {
        page: ask("GET", f"/games/{id}{page}")[0]
        for page in (
            "",
            "/record",
            "/score",
            "/moments",
            "/replay.json",
            "/about",
            "/count",
            "/correct?step=3",
            "/audit",
            "/what-if",
            "/links",
        )
    }
    headers, record = device.answer("GET", f"{BASE}/games/{id}/export", {})[1:]
    Path(f"/data/{ruleset}.daybook").write_bytes(record)
    korean = device.answer("GET", f"{BASE}/games/{id}/record", {"Accept-Language": "ko"})[2].decode()
    return {
        "id": str(id),
        "steps": game.step,
        "over": game.ruleset.scoring.outcome(game.board) is not None,
        "pages": pages,
        "korean": 'lang="ko"' in korean,
        "saved": dict(headers)["Content-Disposition"],
    }


games = {ruleset: record_evening(ruleset, most) for ruleset, most in asked["games"].items()}
pages = {page: ask("GET", page)[0] for page in ("/", "/device", "/device.json", "/help", "/check", "/elsewhere")}
device.close()
again = Device(Path("/device"), "http://127.0.0.1:8000", BASE)  # as after a reload
again.open()
for told in games.values():
    told["kept"] = again.book.games.get(UUID(str(told["id"]))).step
print(json.dumps({"games": games, "pages": pages}))
