"""Writing a game down: nothing lost, nothing doubled, nothing rewritten."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from daybook.domain import commands, entries
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.decisions import NotADecisionError
from daybook.domain.kernel.events import (
    BoardAdjusted,
    DecisionRecorded,
    DecisionsTakenBack,
    Entry,
    GameClosed,
    SeatTaken,
)
from daybook.domain.kernel.opening import opening_entry
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Board, IllegalDecision
from daybook.services.files.verify import SealCheck, verify_game
from daybook.services.names import BadNameError
from daybook.services.play import recording
from daybook.services.play.recording import BadKeyError, NewGame, OtherGameError, SeatedPerson, open_game
from daybook.services.play.replay import legal_decisions
from daybook.services.play.writing import Conflict, Receipt
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import Games, UnknownGameError, UnknownRulesetError
from daybook.services.store.log import LogBusyError
from daybook.services.written import new_written
from tests.domain.sawmill import SAWMILL, SHEET, Chop, Drawn
from tests.played import key, play, write
from tests.refusals import refused_for

pytestmark = pytest.mark.sqlite_suffices


def next_decision(book: Daybook, game_id: UUID) -> tuple[int, dict[str, Any]]:
    """The first seat that may decide, and the first thing it may do."""
    game = book.games.get(game_id)
    seat = game.ruleset.course.to_act(game.board)[0]
    return seat, legal_decisions(book.games.get(game_id), None, seat)[0]


def test_each_decision_is_one_step_with_a_seal(book, open_table):
    id = open_table()
    assert play(book, id, 5) == 5
    game = book.games.get(id)
    assert [entry.step for entry in game.entries] == [0, 1, 2, 3, 4, 5]
    assert verify_game(book, id) == SealCheck(game.step + 1, game.seal)


def test_what_is_written_is_what_another_process_reads(book, open_table):
    id = open_table()
    play(book, id, 9)
    fresh = Games(book.log).get(id)
    assert fresh.document == book.games.get(id).document
    assert fresh.seal == book.games.get(id).seal


def test_the_same_key_answers_the_same_step(book, open_table):
    id = open_table()
    seat, decision = next_decision(book, id)
    first = write(book, id, commands.Decide(seat, decision), at=0, key="phone-1")
    again = write(book, id, commands.Decide(seat, decision), at=0, key="phone-1")
    assert (again.step, again.seal, again.repeated) == (first.step, first.seal, True)
    assert book.games.get(id).step == 1


def test_second_recorder_gets_a_conflict_with_newer_entries(book, open_table):
    id = open_table()
    seat, decision = next_decision(book, id)
    write(book, id, commands.Decide(seat, decision), at=0)
    with pytest.raises(Conflict) as conflict:
        write(book, id, commands.Decide(seat, decision), at=0, by="seat:1")
    assert conflict.value.step == 1
    (meanwhile,) = conflict.value.meanwhile
    assert book.games.get(id).writers[meanwhile.step] == "scorekeeper"
    assert book.games.get(id).step == 1


def test_a_note_written_meanwhile_is_no_conflict(book, open_table):
    id = open_table()
    seat, decision = next_decision(book, id)
    write(book, id, commands.Note(0, "we play in the kitchen"), by="seat:1")
    assert write(book, id, commands.Decide(seat, decision), at=0).step == 2


def test_eight_recorders_of_one_decision_write_it_once(book, open_table):
    id = open_table()
    seat, decision = next_decision(book, id)
    answers: list[Receipt | Conflict] = []

    def send(key: str) -> None:
        try:
            answers.append(write(book, id, commands.Decide(seat, decision), at=0, key=key))
        except Conflict as conflict:
            answers.append(conflict)

    threads = [threading.Thread(target=send, args=(f"key-{number % 4}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    written = [answer for answer in answers if isinstance(answer, Receipt)]
    assert len(answers) == 8
    assert {receipt.step for receipt in written} == {1}
    first = [receipt for receipt in written if not receipt.repeated]
    assert 1 <= len(first) <= 2, "two of one key within a millisecond are the same byte for byte"
    assert len(book.log.lines(id)) == 2


def test_a_refused_decision_names_its_rule_and_changes_nothing(book, open_table):
    id = open_table()
    before = book.log.lines(id)
    with pytest.raises(IllegalDecision) as refused:
        write(book, id, commands.Decide(0, {"type": "run"}), at=0)
    assert refused.value.rule.startswith("MP-")
    assert book.log.lines(id) == before


@pytest.mark.parametrize(
    "decision",
    [
        {},
        {"type": "fly"},
        {"type": "run", "colour": "red"},
        {"type": "buy_stock"},
        {"type": "buy_stock", "colour": 7},
        {"type": "buy_stock", "colour": None},
        {"type": ["run"]},
    ],
)
def test_what_is_no_decision_is_refused(book, open_table, decision):
    id = open_table()
    with pytest.raises(NotADecisionError):
        write(book, id, commands.Decide(0, decision), at=0)
    assert book.games.get(id).step == 0


@pytest.mark.parametrize("seat", [-2, 3, 99, 2**52])
def test_an_unknown_seat_is_refused(book, open_table, seat):
    with pytest.raises(NotADecisionError):
        write(book, open_table(), commands.Decide(seat, {"type": "run"}), at=0)


@pytest.mark.parametrize("at", [-1, 1, 10**30])
def test_a_step_the_record_does_not_have_is_refused(book, open_table, at):
    id = open_table()
    seat, decision = next_decision(book, id)
    with refused_for("unknown_step"):
        write(book, id, commands.Decide(seat, decision), at=at)


@pytest.mark.parametrize("bad", ["", " ", "a b", "x" * 65, "é", "a\n"])
def test_a_malformed_key_is_refused(book, open_table, bad):
    id = open_table()
    with pytest.raises(BadKeyError):
        write(book, id, commands.Note(0, "hello"), key=bad)
    assert book.games.get(id).step == 0


def test_unknown_games_are_said_to_be_unknown(book):
    with pytest.raises(UnknownGameError):
        write(book, uuid4(), commands.Decide(0, {"type": "run"}), at=0)
    with pytest.raises(UnknownRulesetError):
        open_game(book, NewGame(ruleset_id="chess", title="x", players=[], options={}), key=key())


# --- correcting ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cause", ["table", "mistyped", "ruling"])
def test_taking_back_ends_a_line_and_numbers_go_on(book, open_table, cause):
    id = open_table()
    play(book, id, 4)
    at_2 = book.games.get(id).document_at(2)
    receipt = write(book, id, commands.TakeBack(2, cause, "we misread it"), at=4)
    game = book.games.get(id)
    event = game.entries[5].event
    assert receipt.step == 5
    assert isinstance(event, DecisionsTakenBack) and (event.to_step, event.cause) == (2, cause)
    assert game.document == at_2
    assert game.line() == [0, 1, 2]
    assert game.struck_steps() == {3: 5, 4: 5}
    assert play(book, id, 1) == 6
    assert book.games.get(id).line() == [0, 1, 2, 6]


def test_a_take_back_can_be_taken_back(book, open_table):
    id = open_table()
    play(book, id, 4)
    document = book.games.get(id).document
    write(book, id, commands.TakeBack(1, "table", "wait"), at=4)
    write(book, id, commands.TakeBack(4, "mistyped", "no, it stands"), at=5)
    game = book.games.get(id)
    assert game.document == document
    assert game.line() == [0, 1, 2, 3, 4]
    assert game.struck_steps() == {}


def test_taking_back_across_another_seat_says_why(book, open_table):
    id = open_table()
    while len(commands.seats_since(book.games.get(id), 0) - {TABLE}) < 2:
        play(book, id, 1)
    step = book.games.get(id).step
    with refused_for("why_missing"):
        write(book, id, commands.TakeBack(0, "table", " "), at=step)
    assert write(book, id, commands.TakeBack(0, "table", "all agree"), at=step, by="seat:0").step == step + 1


def test_nothing_to_take_back_is_refused(book, open_table):
    id = open_table()
    with refused_for("nothing_to_take_back"):
        write(book, id, commands.TakeBack(0, "table", ""), at=0)


def test_an_adjustment_changes_a_cause_and_what_follows_from_it(book, open_table):
    id = open_table()
    play(book, id, 8)
    score = book.games.get(id).figures_at(8)[0]["score"][1]
    write(
        book,
        id,
        commands.Adjust(
            {"/players/1/money": book.games.get(id).document["players"][1]["money"] + 7}, "a coin under the box"
        ),
        at=8,
    )
    game = book.games.get(id)
    event = game.entries[9].event
    assert isinstance(event, BoardAdjusted) and list(event.changes) == ["/players/1/money"]
    assert game.figures_at(9)[0]["score"][1] == score + 7


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"/turn": 9}, "not_a_cause"),
        ({"/players/9/money": 1}, "not_a_cause"),
        ({"/players/x/money": 1}, "not_a_cause"),
        ({"nowhere": 1}, "not_a_cause"),
        ({"/players/0/money": "lots"}, "wrong_type"),
        ({"/players/0/money": 1.25}, "not_whole"),
        ({"/players/0/money": 1.5}, "wrong_type"),
        ({"/players/0/money": None}, "wrong_type"),
        ({"/players/0/factory": ["R7"]}, "wrong_type"),
        ({"/players/0/factory": ["?"]}, "unknown_name"),
        ({}, "nothing_adjusted"),
    ],
)
def test_an_adjustment_of_anything_else_is_refused(book, open_table, values, reason):
    id = open_table()
    with refused_for(reason):
        write(book, id, commands.Adjust(values, "a slip", "table"), at=0)
    assert book.games.get(id).step == 0


def test_an_adjustment_that_breaks_an_invariant_names_its_rule(book, open_table):
    id = open_table()
    with pytest.raises(Refused) as refused:
        write(book, id, commands.Adjust({"/players/0/certificates/red": 9}, "?", "table"), at=0)
    assert refused.value.rule == "MP-7.2"


# --- opening and closing ---------------------------------------------------------------------------------------------


TUESDAY = NewGame("making_profit", "Tuesday", [SeatedPerson("Anna", "red"), SeatedPerson("Ben", "blue")], {})


class Busy(Games):
    """Games of a log in which others write for too long."""

    def append(self, game: Game | None, entries: Sequence[Entry], board: Board | None = None) -> Game:
        raise LogBusyError


def test_interrupted_opening_keeps_names_of_those_in_the_record(book):
    once = key()
    with pytest.raises(LogBusyError):
        open_game(dataclasses.replace(book, games=Busy(book.log)), TUESDAY, key=once)
    game = book.games.get(open_game(book, TUESDAY, key=once).record)
    seated = [seat.person for seat in game.opening.seats]
    assert book.kept.names(seated) == dict(zip(seated, ("Anna", "Ben"), strict=True))


def test_opening_twice_with_one_key_opens_one_game(book):
    once = key()
    first, again = open_game(book, TUESDAY, key=once), open_game(book, TUESDAY, key=once)
    assert (again.record, again.seal, again.repeated) == (first.record, first.seal, True)
    with pytest.raises(OtherGameError):
        open_game(book, msgspec.structs.replace(TUESDAY, title="Wednesday"), key=once)


@pytest.mark.parametrize(
    ("title", "names", "field"),
    [
        ("", "Anna Ben", "title"),
        ("  ", "Anna Ben", "title"),
        ("x" * 121, "Anna Ben", "title"),
        ("a\x00b", "Anna Ben", "title"),
        ("Tuesday", f"Anna {'y' * 61}", "players.1.name"),
    ],
)
def test_a_name_that_cannot_be_shown_is_refused(book, title, names, field):
    players = [SeatedPerson(name, colour) for name, colour in zip(names.split(), ("red", "blue"), strict=True)]
    with pytest.raises(BadNameError) as bad:
        open_game(book, NewGame(ruleset_id="making_profit", title=title, players=players, options={}), key=key())
    assert bad.value.field == field


def test_names_are_kept_beside_the_record_and_not_in_it(book, open_table):
    id = open_table("Robert'); Ben Cleo", title="<script>alert(1)</script>")
    kept = book.kept.game(id)
    assert kept is not None and kept.names == ("Robert');", "Ben", "Cleo")
    assert b"Robert" not in b"".join(book.log.lines(id))
    assert b"script" not in b"".join(book.log.lines(id))


def test_running_game_is_abandoned_and_reopened_but_not_closed(book, open_table):
    id = open_table()
    with refused_for("not_over"):
        write(book, id, commands.Close())
    write(book, id, commands.Abandon("the last tram"))
    seat, decision = next_decision(book, id)
    with refused_for("game_closed"):
        write(book, id, commands.Decide(seat, decision), at=1)
    write(book, id, commands.Reopen("we met again"))
    assert write(book, id, commands.Decide(seat, decision), at=2).step == 3


def test_a_game_that_is_over_is_closed_with_totals_and_ranks(book, open_table):
    id = open_table("Anna Ben", hands="hidden")
    while (game := book.games.get(id)).ruleset.scoring.outcome(game.board) is None:
        seat = game.ruleset.course.to_act(game.board)[0]
        write(
            book,
            id,
            commands.Decide(
                seat,
                {"type": "end_turn"} if game.document["start"] is not None else legal_decisions(game, None, seat)[0],
            ),
            at=game.step,
        )
    assert [d for seat in (TABLE, 0, 1) for d in legal_decisions(book.games.get(id), None, seat)] == []
    write(book, id, commands.Close())
    game = book.games.get(id)
    assert game.status == "closed"
    event = game.entries[-1].event
    assert isinstance(event, GameClosed) and event.ranks == [1, 1]


def test_undo_goes_back_one_decision_or_one_turn(book, open_table):
    id = open_table(hands="hidden")
    game = book.games.get(id)
    while sum(game.figures_at(step)[1].get("turn") == 3 for step in game.line()) < 2:
        play(book, id, 1)
        game = book.games.get(id)
    assert recording.undo_step(game) == game.line()[-2]
    back = recording.undo_turn(game)
    assert back is not None and game.figures_at(back)[1]["turn"] == 3
    assert game.figures_at(game.parents[back])[1]["turn"] == 2
    assert {recording.before_turn(game, step) for step in game.line_since(back)} == {back}, "whichever step is wrong"
    assert recording.before_turn(game, back) == recording.before_turn(game, game.parents[back])


def test_the_set_up_is_no_turn_and_is_undone_step_by_step(book, open_table):
    id = open_table(hands="open")
    assert (recording.undo_step(book.games.get(id)), recording.undo_turn(book.games.get(id))) == (None, None)
    while not (game := book.games.get(id)).figures_at(game.step)[1]["turn"]:
        play(book, id, 1)
        game = book.games.get(id)
        assert (recording.undo_step(game), recording.undo_turn(game)) == (game.step - 1, None)
    assert game.step > 2, "several decisions were set-up"
    dealt = game.step
    play(book, id, 1)
    assert recording.undo_turn(book.games.get(id)) == dealt, "the first turn ends where the set-up did"


def test_first_turn_without_set_up_is_undone_to_the_opening():
    course = dataclasses.replace(SAWMILL.course, marks=lambda board: {"year": 1, "turn": board.turn + 1})
    rules = dataclasses.replace(SAWMILL, course=course)
    game, table = Game(UUID(int=1), rules), rules.table(["oak", "elm"], {}, SHEET)
    game.apply(
        opening_entry(
            game.id,
            rules,
            table,
            [SeatTaken("p1", "oak"), SeatTaken("p2", "elm")],
            {},
            {},
            "table",
            "live",
            new_written("p1", "k0"),
        )
    )
    for number, (seat, decision) in enumerate([(TABLE, Drawn(2)), (0, Chop(2))]):
        game.apply(*entries.decide(game, seat, decision, new_written("p1", f"k{number + 1}")))
        assert recording.undo_turn(game) == 0


def test_a_preview_for_a_seat_tells_nothing_of_other_hands(book, open_table):
    id = open_table()
    play(book, id, 9)
    while next_decision(book, id)[0] == TABLE:
        play(book, id, 1)
    game = book.games.get(id)
    seat, _ = next_decision(book, id)
    other = (seat + 1) % 3
    for offered in legal_decisions(book.games.get(id), None, seat):
        seen = recording.preview_decision(book.games.get(id), seat, offered, seat)
        told = {path for path in seen.changes if path.startswith(f"/players/{other}/hand/")}
        assert told <= {f"/players/{other}/hand/?"}
    assert book.games.get(id).step == game.step


def test_a_preview_writes_nothing_and_says_what_recording_does(book, open_table):
    id = open_table()
    play(book, id, 6)
    seat, decision = next_decision(book, id)
    seen = recording.preview_decision(book.games.get(id), seat, decision)
    assert book.games.get(id).step == 6
    write(book, id, commands.Decide(seat, decision), at=6)
    game = book.games.get(id)
    event = game.entries[7].event
    assert isinstance(event, DecisionRecorded)
    assert (seen.effects, seen.changes, seen.columns) == (event.effects, event.changes, game.figures_at(7).columns)
