"""Causes of figures: in games with `FigureWords`, effects add up to each step's change, for every viewer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import Document, fold, plain
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.services.play.replay import iter_steps, opening_document
from daybook.web import words
from daybook.web.words.figure_words import FigureWords
from tests.played import open_seats, play

pytestmark = pytest.mark.sqlite_suffices

EXPLAINED = [name for name in sorted(RULESETS) if words.GAMES[name].figures is not None]


def iter_places(path: str, part: Any) -> Iterator[str]:
    yield path
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in inside:
        yield from iter_places(f"{path}/{key}", value)


def figures_of(game: Game, figures: FigureWords, document: Document) -> dict[str, int]:
    """Return every figure of a board with its number."""
    table = game.table
    columns = [f"/columns/{name}/{seat}" for name in game.ruleset.ledger.columns for seat in range(table.seats)]
    numbers = {
        place: figures.number_at(document, table, place.split("/")[1:])
        for place in (*iter_places("", document), *figures.derived(table), *columns)
    }
    return {place: number for place, number in numbers.items() if number is not None}


def is_by_type_of_unseen(place: str) -> bool:
    """Check if a figure counts cards of a type among those that lie face down; no page shows it."""
    return place.startswith("/deck/") or "/unseen/" in place


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("hands", ["open", "hidden"])
@pytest.mark.parametrize("ruleset", EXPLAINED)
def test_effects_add_up_to_every_figure(book, ruleset, hands, seed):
    names = ("Anna", "Ben", "Cleo")
    id = open_seats(book, names, ruleset_id=ruleset, options={"hands": hands}, public=True)
    play(book, id, seed=seed, close=False)
    game = book.games.get(id)
    sights: tuple[Sight, ...] = (EVERYTHING, None, 1)
    for sight in sights:
        check_game(game, sight, names)


def check_game(game: Game, sight: Sight, names: tuple[str, ...]) -> None:
    figures, table = words.GAMES[game.ruleset.id].figures, game.table
    assert figures is not None
    document = plain(opening_document(game, sight))
    earlier: list[Any] = []
    for step in iter_steps(game, sight):
        before = plain(document)
        if step.step:
            fold(document, step.changes)
        effects = game.ruleset.typed_effects(step.effects)
        numbers, now = figures_of(game, figures, before), figures_of(game, figures, document)
        for place in numbers.keys() & now.keys():
            keys = place.split("/")[1:]
            uncovers = any(isinstance(effect, figures.uncovers) for effect in effects)
            if is_by_type_of_unseen(place) or (uncovers and "/hand/" in place):
                continue
            said = 0
            for on in figures.effects_on(table, plain(before), effects, earlier, keys):
                sentence = words.effect_sentence(game.ruleset.id, step, step.effects[on.at], names)
                rows = figures.says(on, sentence, table, keys, names)
                assert sum(n for _, n in rows) == on.by and all(text for text, _ in rows), (step.step, place)
                assert words.rule_sentence(game.ruleset.id, on.effect.rule), on.effect.rule
                said += on.by
            assert said == now[place] - numbers[place], (sight, step.step, place, step.effects)
        earlier += effects


def test_columns_are_figures_of_the_board(book):
    for ruleset in EXPLAINED:
        id = open_seats(book, ("Anna", "Ben", "Cleo"), ruleset_id=ruleset, public=True)
        play(book, id, seed=5)
        game, figures = book.games.get(id), words.GAMES[ruleset].figures
        document = game.document_at(len(game.entries) - 1)
        seats: list[Seat] = list(range(3))
        for column, values in game.figures_at(len(game.entries) - 1)[0].items():
            keys = [["columns", column, str(seat)] for seat in seats]
            assert [figures.number_at(document, game.table, key) for key in keys] == list(values), column
