"""Runs in the Python for browsers: opens a game by the pages' forms and records it to its end, then looks at it."""

from __future__ import annotations

import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode
from uuid import UUID

from daybook.domain.kernel.board import plain
from daybook.services.play.practice import Dealer
from daybook.web.here.bridge import Device

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
BASE = "/here/app"
asked = json.loads(argument)  # noqa: F821  # of device.js: {"game": ..., "seed": ..., "limit": ...}
device = Device(Path("/device"), "http://127.0.0.1:8000", BASE)
took: list[float] = []


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


def opened() -> UUID:
    status, _, page = ask("GET", f"/new?game={asked['game']}")
    assert status == 200, page
    form = OpeningForm()
    form.feed(page[page.index("<main"):page.index("</main>")])
    for name in form.fields:
        if name.startswith("name."):
            form.fields[name] = ""
    names = {f"name.{place}": name for place, name in enumerate(("Anna", "Ben", "Cleo"))}
    status, headers, page = ask("POST", "/new", form.fields | names | {"title": "An evening", "game": asked["game"]})
    assert status == 303, page
    found = re.search(r"games/([0-9a-f-]{36})", headers["Location"])
    assert found
    return UUID(found[1])


id = opened()
csrf = re.search(r'name="csrf" value="([^"]+)"', ask("GET", f"/games/{id}/record")[2])[1]  # type: ignore[index]
dealer = Dealer(asked["seed"])
while (game := device.book.games.get(id)).step < asked["limit"]:
    chosen = dealer.next(game.ruleset, game.board)
    if chosen is None:
        break
    seat, decision = chosen
    began = time.perf_counter()
    status, _, page = ask("POST", f"/games/{id}/record", {
        "csrf": csrf, "seat": seat, "at": game.step, "key": f"step-{game.step}",
        "decision": json.dumps(plain(decision))})
    took.append(time.perf_counter() - began)
    assert status == 303, page
over = game.ruleset.scoring.outcome(game.board) is not None
pages = {page: ask("GET", f"/games/{id}{page}")[0] for page in (
    "", "/record", "/score", "/replay.json", "/about", "/count", "/correct?step=3", "/audit", "/what-if", "/links")}
pages |= {page: ask("GET", page)[0] for page in ("/", "/device", "/device.json", "/help", "/check", "/elsewhere")}
status, headers, _ = ask("GET", f"/games/{id}/export")
record = device.answer("GET", f"{BASE}/games/{id}/export", {})[2]
Path("/data/evening.daybook").write_bytes(record)
korean = device.answer("GET", f"{BASE}/games/{id}/record", {"Accept-Language": "ko"})[2].decode()
device.close()
again = Device(Path("/device"), "http://127.0.0.1:8000", BASE)  # as after a reload
print(json.dumps({
    "steps": game.step, "over": over, "pages": pages, "korean": 'lang="ko"' in korean, "export": headers,
    "kept": again.book.games.get(id).step, "median_ms": sorted(took)[len(took) // 2] * 1000}))
