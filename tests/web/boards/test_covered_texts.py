"""No text of a page tells covered figures: every page of random hidden games is opened for every viewer (LM-6.22)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from daybook.domain.commands import Adjust, RaiseClaim
from daybook.services.store.daybook import Daybook
from tests.web.conftest import Opened, Visitor, open_table

TOTALS = (73131, 74242, 75353)  # nothing else on any page is so much
TYPED = ("", "t", "use", "counted", "money", "offer", "end")
VIEWERS = (("scorekeeper", None), ("seat", 1), ("reader", None))
AMOUNT = re.compile(r"(?<![\w.-])\d{5}(?![\w.-])")  # not in keys of forms
MOST_PAGES = 60  # of one viewer at one step
BINARY = ("/picture", ".png", "/export", "/file", "/photos", "/backup")
PUBLIC = ("/api/", "/transcript", "/export")  # the record and the API tell it as it is


def opened_at_random(book: Daybook, app, seed: int) -> Opened:
    """A game at a random moment; everyone has an amount that cannot be mistaken for another."""
    random = Random(seed)
    game = open_table(book, app, public=True, ruleset_id="london_markets", hands=random.choice(["hidden", "open"]))
    first_round = random.choice([2, 3, 6])
    game.play(lambda played: played.board.round >= first_round, seed=seed)
    game.write(Adjust(dict.fromkeys(paths(), 30000), "counted again", "table"))
    game.write(Adjust(dict(zip(paths(), TOTALS, strict=True)), "counted again", "table"))
    game.play(30 + random.randrange(40), seed=seed)  # so that going back by a turn does not undo the adjustment
    game.write(RaiseClaim(game.step - 1, "not so"))
    game.update_list()
    return game


def paths() -> list[str]:
    return [f"/players/{seat}/money" for seat in range(3)]


def totals(game: Opened) -> dict[int, set[str]]:
    """Every amount that each seat has had since the adjustment."""
    found: dict[int, set[str]] = {seat: set() for seat in range(3)}
    for step in range(game.step + 1):
        columns, _ = game.game.figures_at(step)
        for seat, had in found.items():
            had.update(str(columns[name][seat]) for name in ("money", "score") if columns[name][seat] > 70000)
    return found


def pages(somebody: Visitor, game: Opened) -> Iterator[tuple[str, str]]:
    """Open what the links of the game's pages lead to, nearest first, and what the typed line answers."""
    queue = [f"{game.path}/record", f"{game.path}/type", game.path, f"{game.path}/score", f"{game.path}/count"]
    seen = set(queue)
    while queue and len(seen) <= 4 * MOST_PAGES:
        address = queue.pop(0)
        answer = somebody.get(address)
        assert answer.status < 500, address
        yield address, answer.html
        if len(seen) > MOST_PAGES or not address.startswith(f"{game.path}/record"):
            continue
        for _, href in answer.links:
            href = f"{game.path}/record{href}" if href.startswith("?") else href
            if href.startswith(game.path) and href not in seen and not any(part in href for part in BINARY + PUBLIC):
                seen.add(href)
                queue.append(href)
    for text in TYPED:
        answer = somebody.post(f"{game.path}/type", text=text)
        yield f"type {text}", answer.html


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (22, 23))])
def test_no_text_tells_a_viewer_the_money_of_others(book, app, seed):
    game = opened_at_random(book, app, seed)
    had = totals(game)
    opened = 0
    for role, own in VIEWERS:
        somebody = game.visitor(role, own)
        for address, html in pages(somebody, game):
            read = set(AMOUNT.findall(html))
            told = {seat for seat, amounts in had.items() if seat != own and read & amounts}
            assert told == set(), (role, own, address)
            opened += 1
    assert opened > 60
