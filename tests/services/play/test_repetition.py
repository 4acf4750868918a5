"""The same key, the same answer: every command sent again is answered with where it stands, and another is refused."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4, uuid5

import msgspec
import pytest

from daybook.domain import commands
from daybook.domain.commands import Resolution
from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Written, key_within
from daybook.domain.kernel.events import SeatTaken
from daybook.domain.kernel.opening import opening_entry
from daybook.domain.writing import apply
from daybook.services.clock import now
from daybook.services.disputes import umpires
from daybook.services.disputes.corrections import compute_correction_plan
from daybook.services.files.import_export import export_game
from daybook.services.files.recordfile import read_record_file
from daybook.services.play.recording import (
    GAME_ID_NAMESPACE,
    KeyUsedError,
    NewGame,
    OtherGameError,
    SeatedPerson,
    open_game,
    rename_game,
)
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.written import new_written
from tests.played import write

HANDS = {"hands": "hidden"}


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Daybook]:
    book = open_daybook(Settings(data=tmp_path / "data"), create=True)
    yield book
    book.close()


TUESDAY = NewGame("making_profit", "Tuesday", [SeatedPerson("Anna", "red"), SeatedPerson("Ben", "blue")], HANDS)


def open_asked(book: Daybook, key: str = "", by: str = "scorekeeper", **asked: Any) -> UUID:
    return open_game(book, msgspec.structs.replace(TUESDAY, **asked), by=by, key=key or uuid4().hex).record


def twice(book: Daybook, game_id: UUID, command: commands.Command, *others: commands.Command) -> int:
    """Sends a command, sends it again, and then others under its key; the step it wrote last."""
    key = uuid4().hex
    once = write(book, game_id, command, key=key)
    newest = book.games.get(game_id).step
    again = write(book, game_id, command, key=key)
    assert (once.repeated, again.repeated) == (False, True)
    assert (again.step, again.seal) == (once.step, once.seal)
    for other in others:
        with pytest.raises(KeyUsedError, match=f"step {once.step}"):
            write(book, game_id, other, key=key)
    assert book.games.get(game_id).step == newest
    return once.step


def test_every_resent_command_is_answered_and_others_refused(book):
    id, money = open_asked(book), "/players/0/money"
    run, develop = {"type": "run"}, {"type": "develop", "card": "M2"}
    begun = {"type": "start_player_drawn", "seat": 1}
    twice(
        book,
        id,
        commands.Decide(-1, begun),
        commands.Decide(-1, {**begun, "seat": 0}),
        commands.Decide(-1, begun, answers_step=0),
        commands.Close(),
    )
    twice(
        book,
        id,
        commands.DecideTurn(1, [develop, run]),
        commands.DecideTurn(1, [run]),
        commands.DecideTurn(1, [develop]),
        commands.Decide(1, run),
    )
    twice(
        book,
        id,
        commands.RecordAsPlayed(1, run, {}, "nobody looked", False),
        commands.RecordAsPlayed(1, run, {}, "so", False),
        commands.RecordAsPlayed(1, run, {money: 3}, "nobody looked", False),
        commands.RecordAsPlayed(0, run, {}, "nobody looked", False),
        commands.Decide(1, run),
    )
    twice(
        book,
        id,
        commands.TakeBack(3, "table", "no"),
        commands.TakeBack(2, "table", "no"),
        commands.TakeBack(3, "ruling", "no"),
        commands.TakeBack(3, "table", "yes"),
        commands.TakeBack(3, "table", "no", answers_step=1),
    )
    twice(
        book,
        id,
        commands.Adjust({money: 5}, "slip"),
        commands.Adjust({money: 6}, "slip"),
        commands.Adjust({money: 5}, "slip", "mistyped"),
        commands.Adjust({"/players/1/money": 5}, "slip"),
        commands.Adjust({money: 5}, "a slip"),
    )
    twice(book, id, commands.Note(3, " fine "), commands.Note(2, "fine"), commands.Note(3, "good"))
    count = twice(
        book,
        id,
        commands.Count({money: 9}, "now"),
        commands.Count({money: 8}, "now"),
        commands.Count({money: 9}, "then"),
    )
    twice(
        book,
        id,
        commands.AcceptCount(count, "so be it"),
        commands.AcceptCount(count, "no"),
        commands.Note(count, "so be it"),
    )
    twice(
        book,
        id,
        commands.AdjustToCount(count, "", None),
        commands.AdjustToCount(count, "because"),
        commands.AdjustToCount(count, "", ["/x"]),
    )
    twice(
        book,
        id,
        commands.AddEntry({"type": "claim_raised", "about_step": 1, "statement": "x"}),
        commands.AddEntry({"type": "claim_raised", "about_step": 2, "statement": "x"}),
        commands.RaiseClaim(1, "y"),
    )
    instead = {2: Resolution()}
    digest = compute_correction_plan(book, id, instead).digest
    twice(
        book,
        id,
        commands.Correct(instead, "never happened", digest),
        commands.Correct(instead, "so", digest),
        commands.Correct({3: Resolution()}, "never happened", digest),
    )
    twice(book, id, commands.Abandon("the cat"), commands.Abandon("the dog"), commands.Close())
    twice(book, id, commands.Reopen("asleep"), commands.Reopen("awake"), commands.Abandon("asleep"))


def test_every_command_of_a_dispute_as_well(book):
    id, money = open_asked(book), "/players/0/money"
    write(book, id, commands.Decide(-1, {"type": "start_player_drawn", "seat": 1}), key="first")
    twice(book, id, commands.NameUmpire(seat=0), commands.NameUmpire(seat=1), commands.NameUmpire("uli"))
    twice(book, id, commands.NameUmpire("uli"), commands.NameUmpire("kim"))

    def claim() -> int:
        return twice(
            book,
            id,
            commands.RaiseClaim(1, "wrong", "MP-4", "because", 0),
            commands.RaiseClaim(0, "wrong", "MP-4", "because", 0),
            commands.RaiseClaim(1, "wrong", "MP-4", "so", 0),
            commands.RaiseClaim(1, "wrong", "MP-5", "because", 0),
            commands.RaiseClaim(1, "wrong", "MP-4", "because", 0, ["0" * 64]),
        )

    one = claim()
    proposal = twice(
        book,
        id,
        commands.ProposeRuling(one, "adjusted", None, [], {money: 4}, "fair"),
        commands.ProposeRuling(one, "adjusted", None, [], {money: 4}, "fairer"),
        commands.ProposeRuling(one, "play_on"),
    )
    twice(book, id, commands.ConsentToRuling(one, proposal, 0), commands.ConsentToRuling(one, proposal, 1))
    twice(
        book,
        id,
        commands.ConsentToRuling(one, proposal, 1),
        commands.ConsentToRuling(one, proposal, 0),
        commands.CloseClaim(one),
    )
    two = claim()
    twice(
        book,
        id,
        commands.RuleOnClaim(two, "adjusted", "so", 0, 48, values={money: 7}),
        commands.RuleOnClaim(two, "adjusted", "so", 0, 48, values={money: 8}),
        commands.RuleOnClaim(two, "play_on", "so", 0, 48),
        commands.RuleOnClaim(two, "adjusted", "so", 1, 48, values={money: 7}),
    )
    twice(
        book,
        id,
        commands.AppealRuling(two, 1, "no", 0),
        commands.AppealRuling(two, 1, "never", 0),
        commands.AppealRuling(two, 1, "no"),
    )
    twice(
        book,
        id,
        commands.RuleOnClaim(two, "adjusted", "still", 1, 48, values={money: 9}, appealed_changes="undone"),
        commands.RuleOnClaim(two, "adjusted", "still", 1, 48, values={money: 9}, appealed_changes="kept"),
        commands.RuleOnClaim(two, "adjusted", "still", 1, 48, values={money: 6}, appealed_changes="undone"),
    )
    three = claim()
    twice(
        book,
        id,
        commands.WithdrawClaim(three, "forget it"),
        commands.WithdrawClaim(three, "no"),
        commands.CloseClaim(three, "forget it"),
    )
    four = claim()
    write(book, id, commands.RuleOnClaim(four, "play_on", "so", 0, 0))
    twice(
        book,
        id,
        commands.CloseClaim(four),
        commands.CloseClaim(four, "done"),
        commands.CloseClaim(three),
        commands.WithdrawClaim(four),
    )


def test_umpire_named_again_is_the_same_person(book):
    id = open_asked(book)
    once = umpires.name_umpire(book, id, "Uli", by="scorekeeper", key="an-umpire")
    again = umpires.name_umpire(book, id, "Uli", by="scorekeeper", key="an-umpire")
    assert (again.step, again.repeated) == (once.step, True)
    with pytest.raises(KeyUsedError):
        umpires.name_umpire(book, id, "Kim", by="scorekeeper", key="an-umpire")
    assert [umpire.name for umpire in umpires.umpires_of_game(book, book.games.get(id), None)] == ["Uli"]


# --- opening ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "second",
    [
        {"title": "Wednesday"},
        {"players": [SeatedPerson("Anna", "red"), SeatedPerson("Kim", "blue")]},
        {"players": [SeatedPerson("Anna", "red"), SeatedPerson("Ben", "green")]},
        {"players": [SeatedPerson("Anna", "red", "somebody"), SeatedPerson("Ben", "blue")]},
        {"options": {"hands": "open"}},
        {"kind": "practice"},
        {"recorded": "memory"},
        {"public": True},
        {"by": "scorekeeper@somebody"},
        {
            "ruleset_id": "london_markets",
            "options": {},
            "players": [SeatedPerson("Anna", "red"), SeatedPerson("Ben", "blue"), SeatedPerson("Cleo", "green")],
        },
    ],
    ids=str,
)
def test_a_key_opens_one_game_whatever_differs_in_what_is_asked(book, second):
    key = "a-key-nobody-can-guess"
    id = open_asked(book, key)
    assert open_asked(book, key) == id
    with pytest.raises(OtherGameError) as no:
        open_asked(book, key, **second)
    assert no.value.game == id
    assert [kept.id for kept in book.kept.games()] == [id]
    rename_game(book, id, "The long evening", ["A.", "B."])
    assert open_asked(book, key) == id, "what is renamed later is no part of the request"


def test_game_opened_with_an_earlier_id_is_answered_as_before(book):
    key, rules = "a-key-nobody-can-guess", RULESETS["making_profit"]
    id = uuid5(GAME_ID_NAMESPACE, f"{key} making_profit Tuesday {['Anna', 'Ben']}")
    table = rules.table(["red", "blue"], HANDS, printed_sheet("making_profit"))
    book.log.append(
        opening_entry(
            id,
            rules,
            table,
            [SeatTaken("a", "red"), SeatTaken("b", "blue")],
            HANDS,
            {},
            "table",
            "live",
            Written("2026-11-01T10:00:00.000Z", "scorekeeper", key),
        )
    )
    assert open_asked(book, key) == id
    with pytest.raises(OtherGameError):
        open_asked(book, key, players=[SeatedPerson("Anna", "red"), SeatedPerson("Ben", "green")])
    with pytest.raises(OtherGameError):
        open_asked(book, key, options={"hands": "open"})


def test_what_an_opening_holds_cannot_be_tried_out(book, tmp_path):
    """Titles and names are in no part of a record, and its secret cannot be made without the service's."""
    key = "a-key-nobody-can-guess"
    id = open_asked(book, key)
    elsewhere = open_daybook(Settings(data=tmp_path / "other"), create=True)
    again = open_asked(elsewhere, key)
    here, there = book.games.get(id).opening, elsewhere.games.get(again).opening
    elsewhere.close()
    assert id == again and here.seats == there.seats
    assert here.nonce != there.nonce and len(here.nonce) == 22


# --- keys that others use before -------------------------------------------------------------------------------------


def test_no_client_can_predict_keys_of_other_entries(book):
    """A turn is several entries. A key that was used before would stand twice in the record, which is no record then."""
    id = open_asked(book)
    write(book, id, commands.Decide(-1, {"type": "start_player_drawn", "seat": 1}), key="first")
    for place in (1, 2):
        foretold = key_within(Written("", "", "a-turn"), place)
        write(book, id, commands.Note(1, f"here first {place}"), by="seat:0", key=foretold)
    write(
        book,
        id,
        commands.DecideTurn(1, [{"type": "develop", "card": "M2"}, {"type": "run"}]),
        by="seat:1",
        key="a-turn",
    )
    keys = [entry.event.key for entry in book.games.get(id).entries]
    assert len(keys) == len({*keys}) == 6
    assert len(keys[-2]) == 22 and keys[-1] == "a-turn", "128 bits, in no more letters than they take"
    assert read_record_file(BytesIO(export_game(book, id)), now()).game.seal == book.games.get(id).seal


def test_entry_from_before_marks_is_answered_as_a_used_key(book):
    id = open_asked(book)
    game, drawn = book.games.get(id), commands.Decide(-1, {"type": "start_player_drawn", "seat": 1})
    entries, board = apply(game, drawn, new_written("scorekeeper", "a-key"))
    book.games.append(game, entries, board)
    with pytest.raises(KeyUsedError, match="step 1"):
        write(book, id, drawn, key="a-key")
    assert book.games.get(id).step == 1


def test_the_same_said_in_two_games_has_two_marks(book):
    """An entry may contain a covered thing, and its seal is public: the mark is a secret of this entry alone."""
    nonces = set()
    for id in (open_asked(book), open_asked(book)):
        write(book, id, commands.Decide(-1, {"type": "start_player_drawn", "seat": 1}), key="a-key")
        nonces.add(book.games.get(id).entries[1].event.nonce)
    assert len(nonces) == 2 and all(len(nonce) == 22 for nonce in nonces)
