"""The record, on a game that was written down once and for all.

`format_3.jsonl` is a record of that game. It is never made again: if a test
here fails, records that people have kept would be read differently, or their receipts would no longer be true.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import UUID

import pytest

from daybook.domain import entries
from daybook.domain.commands import Abandon, Adjust, Close, Note, Reopen, TakeBack
from daybook.domain.kernel.chronicle import InvalidLineError, Written, body_of, seal_line
from daybook.domain.kernel.events import Entry, SeatTaken, read_line, stored_entries
from daybook.domain.kernel.opening import opening_entry
from daybook.domain.kernel.record import Game, documents_after
from daybook.domain.kernel.terms import TABLE
from tests.changed_rules import with_kind
from tests.domain.sawmill import SAWMILL, SHEET, Chop, Drawn
from tests.refusals import refused_for

LINES = (Path(__file__).parent / "format_3.jsonl").read_bytes().splitlines()
ID = UUID("4e0f3b58-6c1d-4f0e-9a51-2f7c3d8b9e10")
RECEIPT = "38dd4a828f35dc00c82e6662ede579151568ec47c284a43307fe24f158c4ca25"
MEANT = [  # what happened, the wood of both seats, the trees left, the step whose board lies there, the status
    ("game_opened", [0, 0], 5, 0, "running"),
    ("decision_recorded", [0, 0], 5, 1, "running"),
    ("decision_recorded", [2, 0], 3, 2, "running"),
    ("decisions_taken_back", [0, 0], 5, 1, "running"),
    ("decision_recorded", [1, 0], 4, 4, "running"),
    ("note_added", [1, 0], 4, 4, "running"),
    ("board_adjusted", [0, 1], 4, 6, "running"),
    ("game_abandoned", [0, 1], 4, 6, "abandoned"),
    ("game_reopened", [0, 1], 4, 6, "running"),
    ("decision_recorded", [0, 1], 4, 9, "running"),
    ("decision_recorded", [0, 3], 2, 10, "running"),
    ("decision_recorded", [0, 3], 2, 11, "running"),
    ("decision_recorded", [2, 3], 0, 12, "running"),
    ("game_closed", [2, 3], 0, 12, "closed"),
]


def old_record() -> Game:
    game = Game(ID, SAWMILL)
    for version, line in enumerate(LINES, 1):
        game.apply(read_line(ID, version, line))
    return game


def written_at(step: int) -> Written:
    return Written(f"2026-01-02T03:04:{step:02}.000Z", "scorekeeper", f"k{step}")


def recorded_again() -> Iterator[Entry]:
    """The same game, recorded by today's code."""
    game = Game(ID, SAWMILL)
    seats = [SeatTaken("p1", "oak"), SeatTaken("p2", "elm")]
    table = SAWMILL.table(["oak", "elm"], {"long": True}, SHEET)

    def take(entry: Entry) -> Entry:
        game.apply(entry)
        return entry

    def now() -> Written:
        return written_at(game.step + 1)

    yield take(opening_entry(ID, SAWMILL, table, seats, {"long": True}, {}, "practice", "notes", now()))
    yield take(entries.decide(game, TABLE, Drawn(2), now())[0])
    yield take(entries.decide(game, 0, Chop(2), now())[0])
    yield take(entries.take_back(game, TakeBack(1, "mistyped", "it was one tree"), now()))
    yield take(entries.decide(game, 0, Chop(1), now())[0])
    yield take(entries.note(game, Note(4, '"Zwei" – né?'), now()))
    yield take(entries.adjust(game, Adjust({"/wood": [0, 1]}, "it was Elm who chopped", "ruling"), now()))
    yield take(entries.abandon(game, Abandon("the rain"), now()))
    yield take(entries.reopen(game, Reopen("the sun"), now()))
    for seat, decision in ((TABLE, Drawn(1)), (1, Chop(2)), (TABLE, Drawn(1)), (0, Chop(2))):
        yield take(entries.decide(game, seat, decision, now())[0])
    yield take(entries.close(game, Close(), now()))


def test_an_old_record_means_what_it_meant():
    game, meant = Game(ID, SAWMILL), []
    for version, line in enumerate(LINES, 1):
        game.apply(read_line(ID, version, line))
        document = game.document
        meant.append((game.entries[-1].topic, list(document["wood"]), document["trees"], game.heads[-1], game.status))
    assert meant == MEANT


def test_every_old_line_is_written_today_as_it_was_then():
    for entry in old_record().entries:
        assert entry.line.startswith(body_of(entry.event)[:-1])
    assert [entry.line for entry in recorded_again()] == LINES


def test_a_receipt_that_was_handed_out_stays_true():
    seal = ""
    for entry in old_record().entries:
        seal = seal_line(body_of(entry.event), seal)[1]
    assert seal == RECEIPT


def test_who_when_and_why_are_read_as_they_were_written():
    game = old_record()
    assert [(e.event.at, by, e.event.key) for e, by in zip(game.entries, game.writers, strict=True)] == [
        (w.at, w.by, w.key) for w in map(written_at, range(len(LINES)))
    ]
    back, note, slip, left, again = (game.entries[step].event for step in (3, 5, 6, 7, 8))
    assert (back.to_step, back.cause, back.why) == (1, "mistyped", "it was one tree")
    assert (note.about_step, note.text) == (4, '"Zwei" – né?')
    assert (slip.cause, slip.why, slip.changes) == (
        "ruling",
        "it was Elm who chopped",
        {"/wood/0": [1, 0], "/wood/1": [0, 1]},
    )
    assert (left.why, again.why) == ("the rain", "the sun")
    assert (game.entries[-1].event.totals, game.entries[-1].event.ranks) == ([0, 0], [2, 1])


def test_forward_and_backward_lead_to_the_same_boards():
    game = old_record()
    for entry, document in documents_after(game.entries):
        assert game.document_at(entry.step) == document


def stored_record(*changed: tuple[int, bytes, bytes]) -> list[Entry]:
    """The old record as a log gives it, some of its lines altered: step, what stands there, what takes its place."""
    lines = [*LINES]
    for step, old, new in changed:
        assert old in lines[step]
        lines[step] = lines[step].replace(old, new)
    return stored_entries(ID, 1, lines)


def test_what_was_stored_folds_as_what_was_read():
    game, read = Game(ID, SAWMILL), old_record()
    for entry in stored_record():
        game.apply(entry)
    assert (game.document, game.heads, game.parents, game.keys, game.status, game.seal) == (
        read.document,
        read.heads,
        read.parents,
        read.keys,
        read.status,
        read.seal,
    )
    assert [entry.event for entry in game.entries] == [entry.event for entry in read.entries]
    assert list(documents_after(stored_record())) == list(documents_after(read.entries))


@pytest.mark.parametrize(
    "altered",
    [
        (3, b'"step":3', b'"step":4'),
        (3, b'"type":"decisions_taken_back"', b'"type":"decisions_forgotten"'),
        (3, b'"changes":{', b'"exchanges":{'),
        (3, b'"changes":{', b'"changes":['),
        (3, b'"key":"k3"', b'"key":3'),
        (3, b'"key":"k3",', b""),
    ],
)
def test_a_stored_line_that_cannot_be_folded_is_told(altered):
    game = Game(ID, SAWMILL)
    with pytest.raises(InvalidLineError):
        for entry in stored_record(altered):
            game.apply(entry)
    if b"key" not in altered[1]:  # which is not asked for where only the board is
        with pytest.raises(InvalidLineError):
            list(documents_after(stored_record(altered)))


@pytest.mark.parametrize(
    "altered",
    [
        (3, b'"to_step":1', b'"to_step":"one"'),
        (3, b'"columns":{', b'"columns":"",":{'),
        (3, b',"seal":"', b',"sale":"'),
    ],
)
def test_stored_line_that_is_no_event_is_reported_to_its_reader(altered):
    with pytest.raises(InvalidLineError):
        _ = stored_record(altered)[3].event


def test_what_the_game_was_after_each_step():
    game = old_record()
    assert [game.status_at(step) for step in range(game.step + 1)] == [status for *_, status in MEANT]


def test_a_step_that_was_taken_back_keeps_its_number():
    game = old_record()
    assert game.struck_steps() == {2: 3}
    assert game.line() == [0, 1, 4, 6, 9, 10, 11, 12]
    assert game.line(2) == [0, 1, 2]
    assert game.take_backs == [3]
    assert game.side_steps == [5]


@pytest.mark.parametrize("seed", range(8))
def test_take_back_strikes_out_the_difference_of_two_lines(seed):
    """Also from a line that was left to one that stands, and back to a step that was struck."""
    random, game = Random(seed), old_record()
    game.apply(entries.reopen(game, Reopen("once more"), written_at(game.step + 1)))
    while game.step < 40:
        to = random.randrange(game.step)
        if game.heads[to] != game.heads[-1]:
            game.apply(entries.take_back(game, TakeBack(to), written_at(game.step + 1)))
        else:
            game.apply(entries.note(game, Note(to, "tea"), written_at(game.step + 1)))
    stands, struck = set(game.line()), {}
    for step in range(game.step + 1):
        for base in range(game.step + 1):
            assert game.line_since(base, step) == [value for value in game.line(step) if value not in game.line(base)]
        if game.entries[step].topic == "decisions_taken_back":
            gone = set(game.line(step - 1)) - set(game.line(step)) - stands
            struck.update(dict.fromkeys(gone, step))
    assert game.struck_steps() == struck
    assert [*game.line_back()] == game.line()[::-1]


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (lambda game: entries.abandon(game, Abandon(" "), written_at(2)), "why_missing"),
        (lambda game: entries.adjust(game, Adjust({"/wood": [0, 0]}, " "), written_at(2)), "why_missing"),
        (lambda game: entries.adjust(game, Adjust({"/trees": 4}, "a slip"), written_at(2)), "not_a_cause"),
        (lambda game: entries.adjust(game, Adjust({"/wood": [1, 0]}, "a slip"), written_at(2)), "trees"),
        (lambda game: entries.take_back(game, TakeBack(1), written_at(2)), "nothing_to_take_back"),
        (lambda game: entries.take_back(game, TakeBack(2), written_at(2)), "unknown_step"),
        (lambda game: entries.note(game, Note(9, "hello"), written_at(2)), "unknown_step"),
        (lambda game: entries.note(game, Note(1, " "), written_at(2)), "text_missing"),
        (lambda game: entries.close(game, Close(), written_at(2)), "not_over"),
        (lambda game: entries.reopen(game, Reopen("again"), written_at(2)), "not_closed"),
    ],
)
def test_what_the_record_does_not_take(command, key):  # type: ignore[no-untyped-def]
    game = Game(ID, SAWMILL)
    for version, line in enumerate(LINES[:2], 1):
        game.apply(read_line(ID, version, line))
    with refused_for(key):
        command(game)
    assert game.step == 1


@pytest.mark.parametrize(("last", "to"), [(3, 1), (5, 4), (8, 6)])
def test_nothing_is_taken_back_to_the_current_board(last, to):
    """After a take-back to step 1, a note after step 4, and step 6 with the game abandoned and reopened."""
    game = Game(ID, SAWMILL)
    for version, line in enumerate(LINES[: last + 1], 1):
        game.apply(read_line(ID, version, line))
    with refused_for("nothing_to_take_back"):
        entries.take_back(game, TakeBack(to), written_at(last + 1))
    assert entries.take_back(game, TakeBack(to - 1), written_at(last + 1)).step == last + 1


@pytest.mark.parametrize(("last", "to"), [(3, 3), (5, 5), (8, 7), (8, 8)])
def test_nothing_is_taken_back_to_entries_without_a_new_board(last, to):
    """The take-back itself, the note, the end of the game and its reopening have none."""
    game = Game(ID, SAWMILL)
    for version, line in enumerate(LINES[: last + 1], 1):
        game.apply(read_line(ID, version, line))
    with refused_for("nothing_to_take_back"):
        entries.take_back(game, TakeBack(to), written_at(last + 1))


def test_no_entry_is_about_itself_or_what_is_still_to_come():
    game = old_record()
    for about in (game.step + 1, game.step + 2, -1):
        with refused_for("unknown_step"):
            entries.note(game, Note(about, "see there"), written_at(14))
    assert entries.note(game, Note(game.step, "see there"), written_at(14)).event.about_step == game.step  # type: ignore[union-attr]


def test_what_the_rules_have_against_a_decision_is_said_once():
    """A check in two tables of one decision runs twice."""
    drawn = SAWMILL.kinds[Drawn].checks
    twice = with_kind(SAWMILL, Chop, checks=(*drawn, *SAWMILL.kinds[Chop].checks, *drawn))
    game = Game(ID, twice)
    for version, line in enumerate(LINES[:3], 1):
        game.apply(read_line(ID, version, line))
    assert [(said.rule, str(said.reason)) for said in game.objections(0, Chop(4))] == [
        ("SM-2", "seat 0 is not to act"),
        ("SM-5", "the forest holds 3 trees"),
    ]


def test_a_closed_game_takes_notes_alone():
    game = old_record()
    for command in (
        lambda: entries.decide(game, TABLE, Drawn(1), written_at(14)),
        lambda: entries.take_back(game, TakeBack(1), written_at(14)),
        lambda: entries.adjust(game, Adjust({"/wood": [3, 2]}, "a slip"), written_at(14)),
        lambda: entries.close(game, Close(), written_at(14)),
        lambda: entries.abandon(game, Abandon("too late"), written_at(14)),
    ):
        with refused_for("game_closed"):
            command()
    assert entries.note(game, Note(0, "well played"), written_at(14)).step == 14
