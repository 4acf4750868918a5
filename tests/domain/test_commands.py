"""Every command: one union, one function, written and read back."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from daybook.domain import commands
from daybook.domain.kernel.decisions import NotADecisionError
from daybook.domain.kernel.events import OF_WRITING
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.domain.writing import COMES_TO, apply
from tests.refusals import refused_for
from tests.services.fixture_files import FIXTURES, read_fixture, written_at


def begun_game() -> Game:
    game = read_fixture((FIXTURES / "by-hand.daybook").read_bytes()).game
    fresh = Game(game.id, game.ruleset)
    for entry in game.entries[:4]:
        fresh.apply(entry)
    return fresh


def content(event: Any) -> dict[str, Any]:
    """Return the content of an entry without author and time."""
    return {name: value for name, value in msgspec.to_builtins(event).items() if name not in OF_WRITING}


@pytest.mark.parametrize("file", ["by-hand", "corrections"])
def test_every_entry_is_the_command_it_came_from(file):
    """Each recorded entry, taken back to its command and applied again, is the entry it was."""
    recorded = read_fixture((FIXTURES / f"{file}.daybook").read_bytes()).game
    game = Game(recorded.id, recorded.ruleset)
    game.apply(recorded.entries[0])
    for entry in recorded.entries[1:]:
        (again,), board = apply(game, commands.command_of(entry.event), written_at(entry.step))
        assert content(again.event) == content(entry.event)
        game.apply(again, board)
    assert game.document == recorded.document


def test_every_command_has_a_word_of_its_own():
    words = [kind.__struct_config__.tag for kind in get_args(commands.Command)]
    assert len(words) == len(set(words)) == 26
    assert set(get_args(commands.Line)) <= set(get_args(commands.Command))


def test_nothing_is_written_into_the_game_that_is_asked():
    game = begun_game()
    before, document = game.step, msgspec.to_builtins(game.document)
    apply(game, commands.Note(1, "well begun"), written_at(9))
    assert (game.step, game.document) == (before, document)


def test_several_entries_have_own_keys_and_the_last_the_writers():
    game, secrets = begun_game(), iter("abc")
    turn = commands.DecideTurn(1, [{"type": "develop", "card": "R2"}, {"type": "run"}])
    entries, _ = apply(game, turn, written_at(9), lambda: next(secrets))
    assert [entry.step for entry in entries] == [4, 5]
    assert entries[1].event.key == written_at(9).key != entries[0].event.key
    assert [entry.event.nonce for entry in entries] == ["a", written_at(9).nonce]
    for entry in entries:
        game.apply(entry)  # the seals follow one another


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (commands.Decide(0, {"type": "pray"}), "'pray' is not a decision of Making Profit"),
        (
            commands.Decide(0, {"type": "develop", "cart": "R1"}),
            "develop: it has no field 'cart'; it has: card, factory",
        ),
        (commands.Decide(7, {"type": "run"}), "there is no seat 7"),
        (commands.RecordAsPlayed(-2, {"type": "run"}), "there is no seat -2"),
        (commands.DecideTurn(0, []), "0 decisions: send 1 to 60 at once"),
        (
            commands.AddEntry({"type": "claim_raised", "about_step": 1, "statement": "x", "colour": "red"}),
            "entry: there is no field 'colour'",
        ),
        (
            commands.AddEntry({"type": "claim_raised", "about_step": 1, "statement": "x", "key": "mine"}),
            "entry: there is no field 'key'",
        ),
        (
            commands.AddEntry({"type": "note_added", "about_step": 1, "text": "x"}),
            "only an entry of a claim, of a device’s recording, of an accepted count, of the day of play, or",
        ),
        (commands.AddEntry({"about_step": 1}), "entry: the field 'type' is missing"),
    ],
)
def test_what_is_none_is_named(command, message):
    with pytest.raises((NotADecisionError, commands.NotAnEntryError)) as wrong:
        apply(begun_game(), command, written_at(9))
    assert message in str(wrong.value)


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (commands.TakeBack(9), "unknown_step"),
        (commands.Adjust({"/turn": 3}, "x"), "not_a_cause"),
        (commands.Note(1, " "), "text_missing"),
        (commands.Count({}), "nothing_counted"),
        (commands.Close(), "not_over"),
        (commands.Abandon(""), "why_missing"),
        (commands.Reopen("x"), "not_closed"),
        (commands.Decide(1, {"type": "develop", "card": "R2"}, answers_step=9), "unknown_step"),
        (commands.RaiseClaim(1, ""), "text_missing"),
        (commands.AddEntry({"type": "claim_closed", "claim": 1}), "unknown_claim"),
    ],
)
def test_a_refusal_names_its_reason(command, key):
    with refused_for(key):
        apply(begun_game(), command, written_at(9))


def test_turn_names_its_impossible_decision():
    turn = commands.DecideTurn(1, [{"type": "develop", "card": "R2"}, {"type": "start_player_drawn", "seat": TABLE}])
    with pytest.raises(commands.NotInTurnError) as no:
        apply(begun_game(), turn, written_at(9))
    assert (no.value.place, no.value.rule[:2]) == (2, "MP")


def test_every_command_has_its_line_in_the_table():
    assert set(COMES_TO) == set(get_args(commands.Command))
