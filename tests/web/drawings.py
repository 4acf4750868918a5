"""What the tests of a heavy game's drawing share: a game walked through step by step, and what a page is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from domain.board import Document, fold
from domain.record import Game, Written
from services import replay
from services.access import EVERYTHING
from web.boards import Drawn, Mark, Picture, marks

SMALLEST = 14  # px of a letter
TOO_SMALL = """smallest => {
  const found = [], walk = document.createTreeWalker(document.querySelector(".board"), NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const text = walk.currentNode, element = text.parentElement
    if (!text.data.trim() || element.closest(".aloud, title, .seat, symbol, .stands")) continue
    if (!element.getClientRects().length) continue
    const scale = element.closest("svg") ? element.getScreenCTM().a : 1
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
  return [e.dataset.part ?? e.textContent, box.x, box.y + scrollY, box.width].join(" ")
})"""


def written(step: int) -> Written:
    return Written(f"2026-11-20T{step // 60:02}:{step % 60:02}:00.000Z", "practice", f"step-{step}")


def boards(game: Game) -> Iterator[tuple[replay.StepShown, Document]]:
    """Every step with the board after it."""
    document: Document = msgspec.json.decode(msgspec.json.encode(game.opening.board), type=dict)
    for step in replay.steps(game, EVERYTHING):
        fold(document, step.changes)
        yield step, document


def changes(drawing: Picture, game: Game, effect: str) -> tuple[dict[str, Any], dict[str, Drawn], dict[str, Mark]]:
    """The first step with an effect of a kind: the effect, the drawing after it, and what it marks."""
    before: dict[str, Drawn] = {}
    for step, document in boards(game):
        found = next((one for one in step.effects if one["type"] == effect), None)
        now = drawing.whole(document)
        if found:
            return found, now, marks(before, now)
        before = now
    raise LookupError(effect)


def differs_from_afresh(drawing: Picture, game: Game) -> list[tuple[int, str]]:
    """Steps and parts that, drawn again where a step touched them, are not those of the whole board drawn afresh."""
    lying: dict[str, Drawn] = {}
    found = []
    for step, document in boards(game):
        touched = drawing.touched(step.changes) if lying else set(drawing.parts)
        lying |= {part: drawing.draw(part, document) for part in touched}
        afresh = drawing.whole(document)
        found += [(step.step, part) for part in afresh if lying[part].html != afresh[part].html]
    return found


def figures(drawings: dict[str, Drawn]) -> dict[str, str]:
    return {at: holds for one in drawings.values() for at, holds in one.places.items()}


def aloud(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())
