"""Everything that any interface accepts can be exported, checked and imported: one limit for numbers and texts."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from uuid import UUID

import pytest

from daybook.domain import commands, writing
from daybook.domain.kernel.chronicle import NUMBER_LIMIT, Refused
from daybook.domain.kernel.decisions import NotADecisionError
from daybook.domain.league.club_commands import FoundLeague, GivePenalty
from daybook.services.disputes import as_played
from daybook.services.files.import_export import export_game, import_file
from daybook.services.files.recordfile import BadFileError, read_record_file
from daybook.services.league import clubs
from daybook.services.people import accounts
from daybook.services.play import recording
from daybook.services.play.replay import legal_decisions
from daybook.services.store.daybook import Daybook
from tests.played import key, open_table_of, play, play_game, write
from tests.refusals import refused_for
from tests.services.fixture_files import FIXTURES, NOW, bare_file_of, reseal_line

pytestmark = pytest.mark.sqlite_suffices

TOO_LARGE = (NUMBER_LIMIT, -NUMBER_LIMIT, 2**63 - 1, 2**63, 2**64, 10**30, 10**5000)
MONEY = "/players/0/money"


@pytest.fixture
def game(book: Daybook) -> UUID:
    id = open_table_of(book)
    play(book, id, 20)
    return id


def goes_round(book: Daybook, elsewhere: Daybook, game_id: UUID) -> None:
    """The record is exported, checked and taken in somewhere else, as it is and as a bare file."""
    content = export_game(book, game_id)
    assert read_record_file(io.BytesIO(content), NOW).game.document == book.games.get(game_id).document
    assert import_file(elsewhere, content) == game_id
    assert read_record_file(io.BytesIO(bare_file_of(book.games.get(game_id))), NOW).game.document == (
        book.games.get(game_id).document
    )


Door = Callable[[UUID, int], commands.Command]
DOORS: dict[str, Door] = {
    "count": lambda claim, number: commands.Count({MONEY: number}),
    "adjust": lambda claim, number: commands.Adjust({MONEY: number}, "so"),
    "as_played": lambda claim, number: commands.RecordAsPlayed(0, {"type": "run"}, {MONEY: number}, "so"),
    "decision": lambda claim, number: commands.Decide(0, {"type": "buy_stock", "colour": number}),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_number_that_no_record_holds_is_refused_by_every_door(book, elsewhere, game, door):
    at = book.games.get(game).step
    for number in TOO_LARGE:
        with pytest.raises((Refused, NotADecisionError)):
            write(book, game, DOORS[door](game, number))
        assert book.games.get(game).step == at
    goes_round(book, elsewhere, game)


def test_a_proposal_and_a_preview_refuse_it_too(book, game):
    claim = write(book, game, commands.RaiseClaim(3, "look")).step
    for number in TOO_LARGE:
        proposal = commands.ProposeRuling(claim, "adjusted", values={MONEY: number})
        with pytest.raises(Refused):
            write(book, game, proposal)
        with pytest.raises(NotADecisionError):
            recording.preview_decision(book.games.get(game), 0, {"type": "buy_stock", "colour": number})
        with pytest.raises(Refused):
            as_played.preview_as_played(book, game, 0, {"type": "run"}, {MONEY: number})


def test_record_at_its_size_limit_is_refused_before_writing(book, elsewhere, game, monkeypatch):
    note = commands.Note(0, "so long")
    monkeypatch.setattr(writing, "ENTRIES_LIMIT", len(book.games.get(game).entries) + writing.FOR_THE_END + 2)
    for _ in range(2):
        write(book, game, note)
    with refused_for("record_full"):
        write(book, game, note)
    write(book, game, commands.Abandon("it ends here"))
    goes_round(book, elsewhere, game)
    monkeypatch.undo()
    monkeypatch.setattr(writing, "SIZE_LIMIT", book.games.get(game).size + 50)
    with refused_for("record_large"):
        write(book, game, note)


@pytest.mark.parametrize("number", [NUMBER_LIMIT - 1, 10**15, 1 - NUMBER_LIMIT])
def test_the_largest_that_is_taken_goes_round(book, elsewhere, game, number):
    write(book, game, commands.Count({MONEY: number}, "so much"))
    goes_round(book, elsewhere, game)


def test_what_rules_work_out_of_it_is_held_to_the_same(book, elsewhere, game):
    """Money at the limit, and a decision by which there would be more: it is refused, and the game goes on."""
    for less in (1, 30, 300, 3000):  # what is worked out of money alone has to have room
        rich = {f"/players/{seat}/money": NUMBER_LIMIT - less for seat in range(3)}
        with suppress(Refused):
            write(book, game, commands.RecordAsPlayed(0, {"type": "run"}, rich, "a bank", rules_applied=False))
            break
    for _ in range(40):
        folded = book.games.get(game)
        seat = next(iter(folded.ruleset.course.to_act(folded.board)), None)
        if seat is None:
            break
        for decision in legal_decisions(folded, None, seat):
            try:
                write(book, game, commands.Decide(seat, decision), at=folded.step)
                break
            except Refused as no:
                assert no.reason.key == "too_large"
        else:
            break
    goes_round(book, elsewhere, game)


@pytest.mark.parametrize(
    "command",
    [
        commands.Note(3, "a\0b"),
        commands.Abandon("a\0b"),
        commands.Count({MONEY: 3}, "a\0b"),
        commands.RaiseClaim(3, "a\0b"),
        commands.Adjust({MONEY: 3}, "a\0b"),
    ],
)
def test_a_text_that_no_record_holds_is_refused_by_every_door(book, game, command):
    with pytest.raises(Refused):
        write(book, game, command)


def test_a_club_is_held_to_the_same(book):
    olga = accounts.make_account(book, "Olga", sign_in="olga", password="a bag of red certificates")
    club = clubs.found_club(book, "The Mill", olga, by=olga, key=key()).record
    clubs.write(book, club, FoundLeague("Winter", ["making_profit"]), by=olga, key=key())
    for number in TOO_LARGE:
        with pytest.raises(Refused):
            clubs.write(book, club, GivePenalty("1", olga, number, "late"), by=olga, key=key())


def test_a_file_is_held_to_the_same(book, elsewhere, game):
    content = reseal_line(export_game(book, game), 4, effects=[{"type": "drawn", "seat": 2**60}])
    with pytest.raises(BadFileError, match="too large"):
        import_file(elsewhere, content)


@pytest.mark.parametrize(
    ("line", "parts", "message"),
    [
        (-1, {"ranks": [4, 1, 1]}, "ranks: 4 is not a place among 3"),
        (-1, {"ranks": [1, 2, 0]}, "ranks: 0 is not a place among 3"),
        (-1, {"ranks": [1, 2**31, 3]}, "ranks: 2147483648 is not a place among 3"),
        (2, {"revision": 2**31}, "revision: 2147483648 is none"),
        (2, {"marks": {"turn": 2**31}}, "marks: turn is not 2147483648"),
        (3, {"marks": {"turn": -(2**31)}}, "marks: turn is not -2147483648"),
    ],
)
def test_what_no_game_comes_to_is_no_part_of_one(book, line, parts, message):
    """The rows of lists, standings and ratings would not hold it, for all others too."""
    content = export_game(book, play_game(book, 3))
    at = content.count(b"\n") if line < 0 else line
    with pytest.raises(BadFileError) as bad:
        read_record_file(io.BytesIO(reseal_line(content, at, **parts)), NOW)
    assert message in str(bad.value)


def test_alone_one_is_placed_among_those_whom_nobody_plays():
    """ACG-6.6.1, ACG-6.6.2: behind both automas the player is third; there are no other players."""
    content = (FIXTURES / "alone-and-second.daybook").read_bytes()
    last = content.count(b"\n")
    for rank in (2, 3):
        read_record_file(io.BytesIO(reseal_line(content, last, ranks=[rank])), NOW)
    for rank in (0, 4):
        with pytest.raises(BadFileError, match=rf"ranks: {rank} is not a place among 3 \(ACG-6.6.1\)"):
            read_record_file(io.BytesIO(reseal_line(content, last, ranks=[rank])), NOW)
