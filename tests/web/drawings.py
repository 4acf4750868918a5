"""Shared checks of a heavy game's drawing: a game step by step, and questions to its page."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import count
from typing import Any
from uuid import UUID

import msgspec
from playwright.sync_api import Browser, Locator, Page, expect

from daybook.domain.kernel.board import Document, fold
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import Ruleset
from daybook.services.permissions import access
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.services.play import recording, replay
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.store.daybook import Daybook
from daybook.services.store.sheets import printed_sheet
from daybook.web.boards import DrawnPart, Mark, Picture, find_marks
from tests.axe import BUT_COLOURS, examine_page, in_both_lights
from tests.browsing import errors_of, open_replay, scrub_to, wait_for_step
from tests.played import play

NAMES = ("Anna", "Ben", "Cleo", "Dora")
EXPERT = dict.fromkeys(  # every variant of The Card Game
    ("restrictions", "choose_factories", "no_ships", "random_supply", "start_shares", "extra_actions"), True
)

SMALLEST = 11  # px of a letter
SAMPLE = 4  # steps of a game from one board whose figures are compared to the next
STEPS = 4  # that go by at a width
TOO_SMALL = """smallest => {
  const found = [], walk = document.createTreeWalker(document.querySelector(".board"), NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const text = walk.currentNode, element = text.parentElement
    if (!text.data.trim() || element.closest(".aloud, title, .seat, symbol, .stands")) continue
    if (!element.getClientRects().length) continue
    const scale = element.closest("svg") ? element.getScreenCTM().a : element.currentCSSZoom
    if (parseFloat(getComputedStyle(element).fontSize) * scale < smallest - .1) found.push(text.data)
  }
  return found
}"""
BEYOND = """() => {
  const board = document.querySelector(".board").getBoundingClientRect()
  return [...document.querySelectorAll(".board *")].filter(element => {
    if (element.closest(".aloud, .symbols, .delta")) return false
    const box = element.getBoundingClientRect()
    return box.width && (box.right > board.right + 1 || box.left < board.left - 1)
  }).map(element => element.outerHTML.slice(0, 120))
}"""
PLACES = """() => [...document.querySelectorAll(".board .part, .area h3")].filter(e => e.checkVisibility()).map(e => {
  const box = e.getBoundingClientRect()
  return `${e.dataset.part ?? e.textContent}|${[box.x, box.y + scrollY, box.width].map(Math.round).join(" ")}`
})"""


def written_at(step: int) -> Written:
    return Written(f"2026-11-20T{step // 60:02}:{step % 60:02}:00.000Z", "practice", f"step-{step}")


def played_out(rules: Ruleset[Any], seed: int, colours: Sequence[str], options: dict[str, Any]) -> Game:
    """A practice game to its end."""
    seated = [
        PracticeSeat(name, colour, str(UUID(int=seat)))
        for seat, (name, colour) in enumerate(zip(NAMES, colours, strict=False))
    ]
    game = open_practice_game(UUID(int=seed), rules, printed_sheet(rules.id), seated, options, written_at(0))
    list(play_out(game, Dealer(seed), written_at))
    return game


def open_public_game(
    book: Daybook, rules: Ruleset[Any], colours: Sequence[str], options: dict[str, Any], steps: int, seed: int = 1
) -> UUID:
    """A public game, played some way; its id."""
    players = [recording.SeatedPerson(name, colour) for name, colour in zip(NAMES, colours, strict=False)]
    id = recording.open_game(
        book,
        recording.NewGame(ruleset_id=rules.id, title="Friday", players=players, options=options, public=True),
        key=secrets.token_hex(8),
    ).record
    access.make_grant(book, id, "scorekeeper")
    play(book, id, steps, seed=seed)
    return id


def opening_board(game: Game, sight: Sight = EVERYTHING) -> Document:
    """The board that a viewer sees before the first step."""
    board = game.opening.board
    seen = board if sight == EVERYTHING else replay.redact_board(game, board, sight).document()
    document: Document = msgspec.json.decode(msgspec.json.encode(seen), type=dict)
    return document


def boards(game: Game, sight: Sight = EVERYTHING) -> Iterator[tuple[replay.StepShown, Document]]:
    """Yield every step with the board that a viewer sees after it."""
    document = opening_board(game, sight)
    for step in replay.iter_steps(game, sight):
        fold(document, step.changes)
        yield step, document


def changes(drawing: Picture, game: Game, effect: str) -> tuple[dict[str, Any], dict[str, DrawnPart], dict[str, Mark]]:
    """The first step with an effect of a kind: the effect, the drawing after it, and what it marks."""
    before: dict[str, DrawnPart] = {}
    for step, document in boards(game):
        found = next((item for item in step.effects if item["type"] == effect), None)
        now = drawing.draw_all(document)
        if found:
            return found, now, find_marks(before, now)
        before = now
    raise LookupError(effect)


def figures(drawings: dict[str, DrawnPart]) -> dict[str, str]:
    return {at: holds for value in drawings.values() for at, holds in holds_of(value).items()}


def holds_of(part: DrawnPart) -> dict[str, str]:
    """Return the contents of the drawing's places."""
    return {at: place.holds for at, place in part.places.items()}


def aloud(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


# --- what every drawing keeps to --------------------------------------------------------------------------------------


def is_registered_as_it_stands(html: str, drawings: dict[str, DrawnPart]) -> None:
    """A place stands once, and the registry has it as the page has."""
    standing = [(unescape(at), kind.split()[0]) for kind, at in re.findall(r'class="([^"]*)" data-at="([^"]+)"', html)]
    registered = [(at, place.kind) for value in drawings.values() for at, place in value.places.items()]
    assert standing == registered and html.count("data-at=") == len(standing)
    assert len(standing) == len(dict(standing)), "a place stands once"


def are_told_in_words(html: str) -> None:
    """Every picture has words, or is skipped by screen readers."""
    hidden = 0
    for tag in re.findall(r"<[^>]*>", re.sub(r"<svg[^>]*/>", "", html)):
        if hidden:
            hidden += not tag.startswith("</") and not tag.endswith("/>") and not tag.startswith("<br")
            hidden -= tag.startswith("</")
        elif 'aria-hidden="true"' in tag or 'role="img"' in tag:
            assert "aria-hidden" in tag or 'aria-label="' in tag, tag
            hidden = not tag.endswith("/>")
        else:
            assert not tag.startswith("<svg"), tag


# --- on the page -----------------------------------------------------------------------------------------------------


def areas_in_turn(page: Page, width: int) -> Iterator[None]:
    """Yield each area by its tab on a phone, elsewhere all of them at once."""
    shown: list[Locator] = page.locator(".tabs label").all() if width < 800 else [page.locator(".board")]
    for tab in shown:
        if width < 800:
            tab.click()
        yield


def fits_and_lies_still(browser: Browser, address: str, widths: Sequence[int], step: int) -> None:
    """The table fits pages of these widths, and what lies there stays in its place while steps go by, others at each."""
    page = browser.new_context(viewport={"width": widths[0], "height": 844}, reduced_motion="reduce").new_page()
    errors = errors_of(page)
    open_replay(page, f"{address}?step={step}")
    for begin, width in zip(count(step, STEPS), widths, strict=False):
        page.set_viewport_size({"width": width, "height": 844})
        scrub_to(page, begin)
        _fits_and_lies_still(page, width, begin)
    assert errors == []
    page.context.close()


def _fits_and_lies_still(page: Page, width: int, step: int) -> None:
    for _ in areas_in_turn(page, width):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(TOO_SMALL, SMALLEST) == [], width
        assert page.evaluate(BEYOND) == [], width
    if width < 800:
        page.locator(".tabs label").first.click()
    page.evaluate("document.activeElement.blur()")  # or arrows would go from tab to tab
    lying: dict[str, str] = {}  # where a part lay when it was first in view
    for at in range(step, step + STEPS):
        wait_for_step(page, at)
        for place in page.evaluate(PLACES):
            name, _, box = place.partition("|")
            assert lying.setdefault(name, box) == box, (name, width)
        page.keyboard.press("ArrowRight")


def shows_one_area_at_a_time(browser: Browser, address: str, areas: int) -> None:
    """A phone shows one area, at first the mat of the acting player; a desktop all, and every player in brief: with
    scripts and without."""
    for scripts in (True, False):
        _shows_one_area_at_a_time(browser, address, scripts, areas)


def _shows_one_area_at_a_time(browser: Browser, address: str, scripts: bool, areas: int) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=scripts)
    page = context.new_page()
    page.goto(address)
    found = page.locator(".area")
    assert found.count() == areas
    assert [area.is_visible() for area in found.all()].count(True) == 1
    page.locator('[for="see-2"]').click()
    expect(page.locator(".area.of-2")).to_be_visible()
    assert [area.is_visible() for area in found.all()].count(True) == 1
    page.set_viewport_size({"width": 1280, "height": 900})
    for area in found.all():
        expect(area).to_be_visible()
    expect(page.locator(".tabs .of-seats")).to_be_visible()
    context.close()


def follows_what_changes(browser: Browser, address: str) -> None:
    """The open area of a phone is one that the step changed, if there is any."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page = context.new_page()
    open_replay(page, address)
    opened = set()
    for _ in range(20):
        page.locator('[data-go="forward"]:visible').click()
        touched = page.evaluate(
            "[...new Set([...document.querySelectorAll('[data-area] .changed')].map("
            "one => one.closest('[data-area]').dataset.area))]"
        )
        chosen = page.evaluate("document.querySelector('.see:checked').dataset.see")
        assert not touched or chosen in touched
        opened.add(chosen)
    assert len(opened) > 1
    context.close()


def has_no_fault(page: Page, address: str, widths: Sequence[int]) -> None:
    """The wide page shows every area, in both lights; a phone one of them at a time, all of the same elements."""
    page.emulate_media(reduced_motion="reduce")
    first, *others = widths
    page.set_viewport_size({"width": first, "height": 900})
    open_replay(page, address)
    board = examine_page(page, ".board") if first < 800 else in_both_lights(page, ".board")
    assert board.faults == [], (first, board.faults)
    assert board.kept >= {"color-contrast", "svg-img-alt"}
    for width in others:
        page.set_viewport_size({"width": width, "height": 900})
        board = examine_page(page, ".board", BUT_COLOURS)
        assert board.faults == [], (width, board.faults)
        assert "svg-img-alt" in board.kept
