"""WF-4.1.2, ACG-4.1.4: a written file may say what the record carries out by itself; it is noted and not done twice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any
from uuid import UUID

import msgspec
import pytest

from daybook.domain.commands import command_of
from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import DecisionRecorded, NoteAdded
from daybook.domain.kernel.record import Game
from daybook.services.files import recordfile
from daybook.services.files.import_export import import_file
from daybook.services.files.recordfile import BareLine, RefusedLineError
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.store.printed_sheets import printed_sheet
from tests.services.fixture_files import NAMES, read_fixture, written_at

pytestmark = pytest.mark.sqlite_suffices

SAYS = {  # effect -> the decision that would have led to it
    "water_frame": {"action_closed": {"type": "done"}},
    "arkwright_card": {
        "action_ended": {"type": "end_action"},
        "price_fixed": {"type": "confirm_price"},
        "market_measured": {"type": "begin_sale"},
        "cost_paid": {"type": "end_production"},
    },
}
PRODUCTION = ("ACG-4.13.4", "ACG-4.13.16")  # costs are paid in an extra production too, which nothing confirms


@cache
def game(ruleset: str, seats: int, seed: int) -> Game:
    rules, sheet = RULESETS[ruleset], printed_sheet(ruleset)
    seated = [
        PracticeSeat(name, colour, f"person-{name}") for name, colour in zip(NAMES, rules.colours(sheet), strict=False)
    ]
    one = open_practice_game(UUID(int=seed), rules, sheet, seated[:seats], {}, written_at(0))
    for _ in play_out(one, Dealer(seed), written_at):
        pass
    return one


def whole_log(game: Game) -> Iterator[tuple[dict[str, Any], bool]]:
    """Every line that a player might write in full, whether or not the record carried it out by itself."""
    says = SAYS[game.ruleset.id]
    for entry in game.entries[1:]:
        event = entry.event
        if not isinstance(event, DecisionRecorded):
            yield msgspec.json.decode(recordfile.encode_line(BareLine(command_of(event)))), False
            continue
        yield {"seat": event.seat, "decision": event.decision}, False
        own = event.decision
        for effect in event.effects:
            said = says.get(effect["type"])
            if said is None or (effect["type"] == "cost_paid" and effect["rule"] not in PRODUCTION):
                continue
            if (effect["seat"], said) == (event.seat, own):
                own = {}  # it was said: the next one of the kind is by itself
                continue
            yield {"seat": effect["seat"], "decision": said}, True


def file_of(game: Game, lines: list[dict[str, Any]]) -> bytes:
    header = recordfile.build_bare_header(
        recordfile.build_header(game, "Written whole", NAMES[: len(game.opening.seats)])
    )
    return recordfile.header_line(header) + b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


@pytest.mark.parametrize(
    ("ruleset", "seats", "seed"),
    [("water_frame", 2, 1), ("water_frame", 4, 2), ("arkwright_card", 2, 1), ("arkwright_card", 1, 2)],
)
def test_a_log_that_leaves_nothing_out_is_the_same_game(ruleset, seats, seed):
    one = game(ruleset, seats, seed)
    lines = list(whole_log(one))
    again = read_fixture(file_of(one, [line for line, _ in lines])).game
    notes = [entry.step for entry in again.entries if isinstance(entry.event, NoteAdded)]
    assert len(notes) == sum(itself for _, itself in lines) > 5
    assert len(again.entries) == len(lines) + 1, "lines and steps are counted alike"
    assert again.document == one.document and again.status == one.status == "closed"
    assert [e.event.decision for e in again.entries if isinstance(e.event, DecisionRecorded)] == [
        e.event.decision for e in one.entries if isinstance(e.event, DecisionRecorded)
    ]


def first_by_itself(ruleset: str) -> list[dict[str, Any]]:
    """The lines of a log up to the first that the record carried out by itself, and is not allowed afterwards."""
    one, lines = game(ruleset, 2, 1), list(whole_log(game(ruleset, 2, 1)))
    for last, (line, itself) in enumerate(lines):
        if itself:
            said = [before for before, _ in lines[:last]]
            record = read_fixture(file_of(one, [before for before, itself in lines[:last] if not itself]))
            if not any(
                d
                for d in record.game.ruleset.legal(record.game.board, line["seat"])
                if msgspec.to_builtins(d) == line["decision"]
            ):
                return [*said, line]
    raise AssertionError("none")


@pytest.mark.parametrize("ruleset", SAYS)
def test_once_is_noted_and_twice_is_refused(ruleset):
    lines = first_by_itself(ruleset)
    one = game(ruleset, 2, 1)
    noted = read_fixture(file_of(one, lines)).game
    note = noted.entries[-1].event
    assert isinstance(note, NoteAdded) and note.about_step < noted.step
    assert f"step {note.about_step} had carried it out" in note.text
    with pytest.raises(RefusedLineError) as no:
        read_fixture(file_of(one, [*lines, lines[-1]]))
    assert no.value.line == len(lines) + 2
    with pytest.raises(RefusedLineError):
        read_fixture(file_of(one, [*lines[:1], lines[-1]]))


def test_a_longer_file_continues_the_one_that_is_here(book):
    one = game("water_frame", 2, 1)
    lines = [line for line, _ in whole_log(one)]
    half = len(lines) // 2
    id = import_file(book, file_of(one, lines[:half]))
    assert import_file(book, file_of(one, lines)) == id
    assert book.games.get(id).document == one.document
