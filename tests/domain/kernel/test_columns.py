"""Ledgers and charts are public, so no column or mark of a game may show a hidden thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.invariants import rows_from
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import KEEPER
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.store.printed_sheets import printed_sheet

STEPS = 160
LONGEST = 1500  # a whole game of any kind


def hands(ruleset: str) -> list[dict[str, Any]]:
    asked = "hands" in RULESETS[ruleset].types.options.__struct_fields__
    return [{"hands": way} for way in ("open", "hidden")] if asked else [{}]


TABLES = [(id, options) for id in RULESETS for options in hands(id)]


def opened_game(ruleset: str, seats: int, seed: int, options: dict[str, Any]) -> Game:
    rules, sheet = RULESETS[ruleset], printed_sheet(ruleset)
    seated = [PracticeSeat(f"Player {n}", colour, f"p{n}") for n, colour in enumerate(rules.colours(sheet)[:seats])]
    return open_practice_game(UUID(int=seed), rules, sheet, seated, options, Written("", "practice", "0"))


def decisions_played(game: Game, seed: int, steps: int) -> Iterator[DecisionRecorded]:
    for entry in play_out(game, Dealer(seed), lambda step: Written("", "practice", str(step)), steps):
        if isinstance(entry.event, DecisionRecorded):
            yield entry.event


@pytest.mark.parametrize(("ruleset", "options"), TABLES)
def test_columns_and_marks_say_the_same_on_every_viewers_board(ruleset, options):
    rules = RULESETS[ruleset]
    game = opened_game(ruleset, rules.seats[0], 7, options)
    viewers = [None, *range(rules.seats[0]), *([KEEPER] if rules.secrecy.seals else [])]
    assert tuple(rules.figures(game.board)) == rules.ledger.columns
    for event in decisions_played(game, 7, STEPS):
        for viewer in viewers:
            seen = rules.secrecy.redact_board(game.board, viewer)
            assert rules.figures(seen) == rules.figures(game.board), (event.step, viewer)
            assert rules.course.marks(seen) == rules.course.marks(game.board), (event.step, viewer)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("ruleset", "options"), TABLES)
def test_rows_kept_over_a_step_equal_those_computed_again(ruleset, options, seed):
    rules = RULESETS[ruleset]
    for seats in {rules.seats[0], rules.seats[-1]}:
        game = opened_game(ruleset, seats, seed + 1, options)
        figures = rules.figures(game.board)
        for event in decisions_played(game, seed, LONGEST):
            figures = rules.updated_figures(figures, game.board, event.changes)
            assert figures == rules.figures(game.board), event.step


@pytest.mark.parametrize(
    ("path", "seats"),
    [
        ("/wood/1", (1,)),
        ("/wood/0/oak", (0,)),
        ("/wood", (0, 1, 2)),
        ("", (0, 1, 2)),
        ("/birds/1/left", (0, 1, 2)),
        ("/birds/1", (0, 1, 2)),
        ("/birds/1/right", ()),
        ("/trees", ()),
    ],
)
def test_a_change_touches_the_rows_it_lies_in_or_around(path, seats):
    assert rows_from(("/wood/*",), ("/birds/*/left",), 3, path) == seats
