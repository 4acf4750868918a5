"""A publishable component sheet can be played to the end, with its board drawn and every player's score.

The sheets are those Daybook comes with, some numbers of each changed by chance: to nothing, to much more, by one; lists
shorter, longer and in another order; where a sheet takes further rows, with one of them. Those that the check or a trial game bars are
left aside.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.sheet import NAME, Sheet, at_first, faults, overridden
from daybook.domain.kernel.terms import Board
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.play.practice import MAX_GAME_STEPS, Dealer
from daybook.services.play.sheet_trials import examine_and_try
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sheets import ways_of_playing
from daybook.web.boards import Picture, Scene

SHEETS = 2  # of each game
DRAWN_EACH = 60  # steps
ADDING = 0.6  # of the sheets that take further rows
NAMES = ("Anna", "Bo", "Chiara", "Dan", "Elif", "Fred")


def change_value(chance: random.Random, value: Any, words: list[str]) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return chance.choice((0, 1, 2, value + 1, max(0, value - 1), value * 2, chance.randrange(40), 1000, 10**6))
        case str():
            return chance.choice(words)
        case dict():
            key = chance.choice(sorted(value))
            return {**value, key: change_value(chance, value[key], words)}
        case list():
            place = chance.randrange(len(value) + 1)
            part = value[place : place + 1]
            return chance.choice(
                (
                    [],
                    value[:place] + value[place + 1 :],
                    value + part,
                    chance.sample(value, len(value)),
                    value[:place] + [change_value(chance, item, words) for item in part] + value[place + 1 :],
                )
            )
    raise AssertionError(value)


def mutate_sheet(rules: Ruleset[Any], sheet: Sheet, seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    words = sorted(
        {
            word
            for value in sheet.values().values()
            for word in ([value] if isinstance(value, str) else value if isinstance(value, list) else ())
            if isinstance(word, str)
        }
    )
    replaced = {
        path: change_value(chance, sheet[path], words)
        for path in chance.sample(sorted(sheet.numbers), chance.choice((1, 1, 1, 2, 3)))
    }
    return replaced | add_row(chance, sheet, words) if sheet.additions and chance.random() < ADDING else replaced


def add_row(chance: random.Random, sheet: Sheet, words: list[str]) -> dict[str, Any]:
    """A row that a group adds, some of its columns as they are at first."""
    table = chance.choice(sorted(sheet.additions))
    addition = sheet.additions[table]
    key = chance.choice(addition.keys or ("corn_riots",))
    name = {} if addition.keys else {f"{table}.{key}.{NAME}": "Corn Riots"}
    columns = [column for column in addition.row if column != NAME]
    return name | {
        f"{table}.{key}.{column}": change_value(chance, at_first(sheet, table, key)[column], words)
        for column in chance.sample(columns, chance.randint(1, len(columns)))
    }


def publishable(rules: Ruleset[Any]) -> Iterator[tuple[int, dict[str, Any], Sheet]]:
    """Return the seeds of valid sheets, with their changes."""
    base = printed_sheet(rules.id)
    for seed in count():
        overrides = mutate_sheet(rules, base, seed)
        if any(faults(base, overrides)):
            continue
        sheet = overridden(base, overrides)
        if not any(finding.barred for finding in examine_and_try(rules, sheet)):
            yield seed, overrides, sheet


def play(rules: Ruleset[Any], sheet: Sheet, seats: int, options: dict[str, Any], seed: int) -> Iterator[Board]:
    """The boards of a game of the practice dealer, the last one over."""
    dealer = Dealer(seed)
    board = rules.opening_board(rules.table(rules.colours(sheet)[:seats], options, sheet))
    for _ in range(MAX_GAME_STEPS):
        yield board
        chosen = dealer.next_decision(rules, board)
        if chosen is None:
            return
        board, _ = rules.step(board, *chosen)
    raise AssertionError("the game does not end")


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)
def test_what_can_be_published_is_played_to_its_end(rules, app):
    ways = ways_of_playing(rules)
    with app.test_request_context():
        for seed, overrides, sheet in islice(publishable(rules), SHEETS):
            chance = random.Random(seed)
            seats, options = chance.choice(rules.seats), chance.choice(ways)
            try:
                goes_well(rules, sheet, seats, options, seed)
            except Exception as wrong:
                raise AssertionError(f"{overrides}, {seats} players, {options}: {wrong!r}") from wrong


def goes_well(rules: Ruleset[Any], sheet: Sheet, seats: int, options: dict[str, Any], seed: int) -> None:
    board, picture = None, None
    for step, board in enumerate(play(rules, sheet, seats, options, seed)):
        if step % DRAWN_EACH == 0:
            picture = picture or Picture(Scene(rules.id, board.table, NAMES[:seats], EVERYTHING, "en"))
            ask_and_draw(rules, picture, board)
    assert board is not None and picture is not None
    ask_and_draw(rules, picture, board)
    outcome = rules.scoring.outcome(board)
    assert outcome is not None and len(outcome.ranks) == seats and min(outcome.ranks) >= 1


def ask_and_draw(rules: Ruleset[Any], picture: Picture, board: Board) -> None:
    """Everything that people ask of a board on the way; each part of it is drawn as it lies."""
    rules.ask_all(board)
    assert not [part for part, drawn in picture.draw_all(board.document()).items() if "undrawn" in drawn.html]
