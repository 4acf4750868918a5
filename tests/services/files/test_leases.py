"""A game that one device records alone: taken once, handed back exactly, and nothing lost where it was ended."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any
from uuid import UUID

import msgspec
import pytest

from daybook.domain.commands import Abandon, Close, Decide, EndLease, NameUmpire, Note, TakeBack
from daybook.domain.kernel import events
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import LeaseEnded
from daybook.domain.kernel.terms import TABLE
from daybook.domain.writing import apply
from daybook.services import written
from daybook.services.clock import later_time, now
from daybook.services.disputes import forks, umpires
from daybook.services.files import leases, recordfile
from daybook.services.files.audit import audit
from daybook.services.files.import_export import RecordsDivergeError, export_game, import_file
from daybook.services.files.leases import HandBackResult, Lease, RulesDisagreeError, UnknownLeaseError
from daybook.services.files.recordfile import BadFileError
from daybook.services.files.verify import verify_game
from daybook.services.following import projections
from daybook.services.permissions import access
from daybook.services.permissions.sights import holds_sealed
from daybook.services.play import transcript
from daybook.services.play.repetition import MovedOnError
from daybook.services.play.replay import legal_decisions
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.held_leases import HeldLease, end_lease, store_lease
from daybook.services.written import new_written
from tests.bench.request import profile_calls
from tests.played import key, open_seats, play, write
from tests.refusals import refused_for

pytestmark = pytest.mark.sqlite_suffices

ANNA = "scorekeeper@anna"


@pytest.fixture
def phone(tmp_path: Path, empty_data: Path) -> Iterator[Daybook]:
    """Another daybook: the one of a device."""
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "phone"))))
    yield opened
    opened.close()


def take_game(book: Daybook, phone: Daybook, game_id: UUID) -> Lease:
    """The game as Anna's phone has it, which can hand it back."""
    lease = leases.take_lease(book, game_id, "phone", by=ANNA, key=key())
    import_file(phone, export_game(book, game_id), leased=True)
    store_lease(
        phone, HeldLease(game_id, lease.step, leases.hand_back_key(book, lease, "link"), "anna", lease.at), "Anna"
    )
    return leases.lease_of_key(book, leases.hand_back_key(book, lease, "link"))


def lines(phone: Daybook, game_id: UUID, after: int, limit: int | None = None) -> bytes:
    return b"\n".join(entry.line for entry in phone.log.entries(game_id)[after + 1 :][:limit])


def test_a_game_is_taken_played_elsewhere_and_handed_back(book, phone, open_table):
    id = open_table()
    play(book, id, 4, by=ANNA)
    lease = take_game(book, phone, id)
    play(phone, id, 7, by=ANNA)
    back = leases.hand_back(book, lease, lines(phone, id, lease.step))
    assert back == HandBackResult(12, phone.games.get(id).seal)
    leases.end_lease(book, lease, "2100-01-01T00:00:00Z")
    game = book.games.get(id)
    ended = game.entries[-1].event
    assert isinstance(ended, LeaseEnded)
    assert (ended.lease, ended.revoked) == (5, False)
    assert ended.clock_ahead_seconds > 60, "how wrong the clock of the device is"
    assert [step for step in range(len(game.entries)) if game.is_by_device(step)] == [*range(6, 13)]
    assert verify_game(book, id).intact
    assert audit(game).clean
    play(book, id, 1, by=ANNA)
    assert book.games.get(id).step == 14


def test_nobody_else_writes_while_a_device_has_the_game(book, phone, open_table):
    id = open_table()
    lease = take_game(book, phone, id)
    at = book.games.get(id).step
    with refused_for("leased"):
        write(book, id, Decide(TABLE, {"type": "drawn", "card": "R2"}), by="seat:0")
    for command in (Note(0, "here"), TakeBack(0), Close()):
        with pytest.raises(Refused):
            write(book, id, command)
    with refused_for("leased"):
        leases.take_lease(book, id, "tablet", by="scorekeeper@ben", key=key())
    play(phone, id, 2, by=ANNA)
    with pytest.raises(BadFileError, match="since step 1 the game is recorded on a device"):
        import_file(book, export_game(phone, id))
    assert book.games.get(id).step == at == lease.step


def test_the_same_request_is_the_same_lease(book, open_table):
    id, asked = open_table(), key()
    first = leases.take_lease(book, id, "phone", by=ANNA, key=asked)
    assert leases.take_lease(book, id, "phone", by=ANNA, key=asked) == first
    assert book.games.get(id).step == 1


def test_a_lease_that_has_ended_is_not_taken_again(book, open_table):
    """A device that never heard the answer asks with the key of a week ago: it would record for nothing."""
    id, asked = open_table(), key()
    leases.take_lease(book, id, "phone", by=ANNA, key=asked)
    leases.end_here(book, id, "the phone is asleep", by=ANNA, key=key())
    play(book, id, 2, by=ANNA)
    with pytest.raises(MovedOnError):
        leases.take_lease(book, id, "phone", by=ANNA, key=asked)
    assert book.games.get(id).lease is None
    assert leases.take_lease(book, id, "phone", by=ANNA, key=key()).ended is None


def test_of_two_devices_at_once_one_gets_the_game(book, open_table):
    id = open_table()
    got: list[Any] = []
    together = threading.Barrier(4)

    def take() -> None:
        together.wait()
        try:
            got.append(leases.take_lease(book, id, "phone", by=ANNA, key=key()).step)
        except Refused as no:
            got.append(no.reason.key)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got, key=str) == [1, "leased", "leased", "leased"]


def test_interrupted_upload_resumes_and_repeats_change_nothing(book, phone, open_table):
    id = open_table()
    lease = take_game(book, phone, id)
    play(phone, id, 6, by=ANNA)
    assert leases.hand_back(book, lease, lines(phone, id, lease.step, limit=2)).step == 3
    assert leases.hand_back(book, lease, lines(phone, id, lease.step, limit=4)).step == 5, "the first two are there"
    assert leases.hand_back(book, lease, lines(phone, id, lease.step)).step == 7
    assert leases.hand_back(book, lease, lines(phone, id, lease.step)).step == 7
    with pytest.raises(RecordsDivergeError):
        leases.hand_back(book, lease, phone.log.entries(id)[-1].line.replace(b'"step":7', b'"step":9'))
    assert book.games.get(id).step == 7
    assert msgspec.structs.replace(leases.end_lease(book, lease, ""), repeated=True) == leases.end_lease(
        book, lease, ""
    )
    assert book.games.get(id).seal != phone.games.get(id).seal


def test_hand_back_costs_what_is_new_in_a_long_record_too(book, phone, open_table):
    """A device sends a hundred lines at a time, and waits eight seconds for each."""
    costs = list[int]()
    for rounds in (1, 15):
        id = open_table()
        for _ in range(rounds):
            play(book, id, 6, by=ANNA)
            write(book, id, TakeBack(0, why="mistyped"), by=ANNA)
        lease = take_game(book, phone, id)
        play(phone, id, 12, by=ANNA)
        leases.hand_back(book, lease, lines(phone, id, lease.step, limit=2))
        with profile_calls() as calls:
            leases.hand_back(book, lease, lines(phone, id, lease.step + 2))
        costs.append(calls.count)
        assert verify_game(book, id).intact and audit(book.games.get(id)).clean
    assert costs[1] < 2 * costs[0], costs


def test_a_device_goes_back_to_before_it_took_the_game(book, phone, open_table):
    """Its boards from before are compared with ours."""
    id = open_table()
    play(book, id, 6, by=ANNA)
    lease = take_game(book, phone, id)
    write(phone, id, TakeBack(3, why="mistyped"), by=ANNA)
    write(phone, id, Note(0, "again"), by=ANNA)
    play(phone, id, 2, by=ANNA)
    with pytest.raises(BadFileError, match="they do not lead back to the board of step 2"):
        leases.hand_back(book, lease, forge_line(phone, id, lease.step + 1, to_step=2))
    assert leases.hand_back(book, lease, lines(phone, id, lease.step)).findings == ()
    assert book.games.get(id).document == phone.games.get(id).document


def test_note_under_any_key_does_not_block_the_hand_back(book, phone, open_table):
    """Any seat may write notes before the game is taken."""
    id = open_table()
    write(book, id, Note(0, "here first"), by="seat:1", key="return-2")
    lease = take_game(book, phone, id)
    assert lease.step == 2
    play(phone, id, 3, by=ANNA)
    leases.hand_back(book, lease, lines(phone, id, lease.step))
    assert not leases.end_lease(book, lease, "").repeated
    assert leases.end_lease(book, lease, "").repeated
    assert book.games.get(id).lease is None


def test_a_device_whose_clock_is_days_ahead_hands_nothing_back(book, phone, open_table, monkeypatch):
    id = open_table()
    lease = take_game(book, phone, id)
    monkeypatch.setattr(written, "now", lambda: later_time(now(), days=3))
    play(phone, id, 2, by=ANNA)
    with pytest.raises(BadFileError, match=r"step 2: .* is later than tomorrow"):
        leases.hand_back(book, lease, lines(phone, id, lease.step))
    assert book.games.get(id).step == lease.step
    assert leases.keep_as_what_if(book, lease, lines(phone, id, lease.step), "Away").moves, "nothing is lost"


def test_device_makes_no_record_larger_than_the_import_limit(book, phone, open_table, monkeypatch):
    id = open_table()
    lease = take_game(book, phone, id)
    play(phone, id, 3, by=ANNA)
    monkeypatch.setattr(leases, "SIZE_LIMIT", phone.games.get(id).size - 1)
    with pytest.raises(BadFileError, match=r"a record has at most .* bytes"):
        leases.hand_back(book, lease, lines(phone, id, lease.step))
    assert book.games.get(id).step == lease.step
    assert leases.hand_back(book, lease, lines(phone, id, lease.step, 2)).step == lease.step + 2


def forge_line(phone: Daybook, game_id: UUID, step: int, **fields: Any) -> bytes:
    """Return a device's newest line, forged and sealed again."""
    game = phone.games.get(game_id)
    event: Any = msgspec.structs.replace(game.entries[step].event, **fields)
    return events.write_entry(game_id, event, game.entries[step - 1].seal).line


def test_disagreement_is_shown_and_accepted_on_confirmation(book, phone, open_table):
    id = open_table()
    lease = take_game(book, phone, id)
    play(phone, id, 1, by=ANNA)
    forged = forge_line(phone, id, 2, columns={name: [99] * 3 for name in phone.games.get(id).opening.columns})
    with pytest.raises(RulesDisagreeError) as no:
        leases.hand_back(book, lease, forged)
    assert [finding.step for finding in no.value.findings] == [2]
    assert book.games.get(id).step == lease.step
    assert [item.step for item in leases.hand_back(book, lease, forged, accept=True).findings] == [2]
    assert book.games.get(id).step == 2
    assert leases.hand_back(book, lease, forged).findings == (), "what was taken over is not shown again"


@pytest.mark.parametrize("by", ["seat:1", "umpire:0", "scorekeeper@ben", "scorekeeper@"])
def test_a_device_speaks_for_nobody_else(book, phone, open_table, by):
    id = open_table()
    lease = take_game(book, phone, id)
    play(phone, id, 1, by=ANNA)
    with pytest.raises(BadFileError, match="not written by the device that took the game"):
        leases.hand_back(book, lease, forge_line(phone, id, 2, by=by))
    assert book.games.get(id).step == lease.step


@pytest.mark.parametrize("accept", [False, True])
def test_a_device_ends_and_takes_no_lease_within_its_lines(book, phone, open_table, accept):
    """Else a game that it may hand back for one evening would be its own for ever."""
    id = open_table()
    lease = take_game(book, phone, id)
    play(phone, id, 1, by=ANNA)
    write(phone, id, EndLease(lease.step), by=ANNA)
    with pytest.raises(BadFileError, match="a device takes and ends no lease"):
        leases.hand_back(book, lease, lines(phone, id, lease.step), accept=accept)
    leases.take_lease(phone, id, "phone", by=ANNA, key=key())
    with pytest.raises(BadFileError, match="a device takes and ends no lease"):
        leases.hand_back(book, lease, lines(phone, id, lease.step), accept=accept)
    leases.end_here(book, id, "lost", by=ANNA, key=key())
    with pytest.raises(BadFileError, match="a device takes and ends no lease"):
        leases.keep_as_what_if(book, lease, lines(phone, id, lease.step), "what if")


def test_a_device_names_nobody_an_umpire_by_an_id(book, phone, open_table):
    id = open_table()
    book.kept.keep_person("ben", "Ben")
    lease = take_game(book, phone, id)
    write(phone, id, NameUmpire("", 0), by=ANNA)
    umpires.name_umpire(phone, id, "Ursula", by=ANNA, key=key())
    assert leases.hand_back(book, lease, lines(phone, id, lease.step)).step == lease.step + 2
    umpires.name_umpire(phone, id, person="ben", by=ANNA, key=key())
    with pytest.raises(BadFileError, match="names an umpire differently"):
        leases.hand_back(book, lease, lines(phone, id, lease.step))


def test_a_lease_that_was_ended_here_leaves_both_lines(book, phone, open_table):
    id = open_table()
    play(book, id, 3, by=ANNA)
    lease = take_game(book, phone, id)
    play(phone, id, 4, by=ANNA)
    write(phone, id, TakeBack(6, why="mistyped"), by=ANNA)
    play(phone, id, 1, by=ANNA)
    with refused_for("why_missing"):
        leases.end_here(book, id, " ", by="scorekeeper@ben", key=key())
    leases.end_here(book, id, "the phone is lost", by="scorekeeper@ben", key=key())
    play(book, id, 2, by="scorekeeper@ben")
    before = book.games.get(id).seal
    given = lines(phone, id, lease.step)
    with pytest.raises(RecordsDivergeError):
        leases.hand_back(book, lease, given)
    with pytest.raises(Refused):
        leases.end_lease(book, lease, "")
    fork = leases.keep_as_what_if(book, lease, given, "from the phone")
    assert leases.keep_as_what_if(book, lease, given, "from the phone") == fork, "once"
    assert forks.forks_of_owner(book, id, "link") == [fork]
    phones = phone.games.get(id)
    stands = [phones.entries[step].event for step in phones.line() if step > lease.step]
    assert [move.decision for move in fork.moves] == [event.decision for event in stands]  # type: ignore[union-attr]
    assert forks.fold_fork(book, fork).game.document == phones.document
    assert book.games.get(id).seal == before, "the record is as it was"


def test_lease_ended_without_further_steps_is_still_over(book, phone, open_table):
    id = open_table()
    lease = take_game(book, phone, id)
    leases.end_here(book, id, "the network is back", by=ANNA, key=key())
    play(phone, id, 1, by=ANNA)
    with pytest.raises(RecordsDivergeError):
        leases.hand_back(book, lease, lines(phone, id, lease.step))
    with pytest.raises(Refused, match="no device is recording"):
        leases.end_here(book, id, "again", by=ANNA, key=key())


def test_who_handed_back_records_no_more(book, phone, open_table):
    id = open_table()
    lease = take_game(book, phone, id)
    play(phone, id, 1, by=ANNA)
    leases.hand_back(book, lease, lines(phone, id, lease.step))
    leases.end_lease(book, lease, "")
    end_lease(phone, id)
    with refused_for("handed_back"):
        write(phone, id, Decide(TABLE, {"type": "drawn", "card": "R2"}), by=ANNA)
    again = take_game(book, phone, id)
    play(phone, id, 1, by=ANNA)
    assert leases.hand_back(book, again, lines(phone, id, again.step)).step == again.step + 1


def test_a_key_is_of_one_lease_of_one_service(book, phone, open_table):
    id = open_table()
    lease = leases.take_lease(book, id, "phone", by=ANNA, key=key())
    given = leases.hand_back_key(book, lease, "link")
    assert leases.lease_of_key(book, given) == msgspec.structs.replace(lease, owner="link")
    for wrong in ("", given[:-1], f"x{given}", access.key_of(book, access.make_grant(book, id, "scorekeeper")), "ü"):
        with pytest.raises(UnknownLeaseError):
            leases.lease_of_key(book, wrong)
    assert access.read_key(book, given) is None, "and it is no link"


def test_a_game_that_was_given_up_cannot_be_taken(book, open_table):
    id = open_table()
    write(book, id, Abandon("late"), by=ANNA)
    with refused_for("game_closed"):
        leases.take_lease(book, id, "phone", by=ANNA, key=key())


def test_game_with_sealed_offers_is_taken_once_they_are_revealed(book):
    id = open_seats(book, ruleset_id="london_markets", title="Friday")
    for _ in range(400):
        game = book.games.get(id)
        if holds_sealed(game):
            break
        seat, decision = next(
            (seat, decision)
            for seat in game.ruleset.course.to_act(game.board)
            for decision in legal_decisions(game, None, seat)
        )
        write(book, id, Decide(seat, decision), at=game.step, by=ANNA)
    assert holds_sealed(book.games.get(id))
    with refused_for("sealed"):
        leases.take_lease(book, id, "phone", by=ANNA, key=key())


def test_a_clock_that_is_years_late_takes_nothing_away(book, phone, open_table):
    id, at = open_table(), "2023-01-01T00:00:00.000Z"
    lease = take_game(book, phone, id)
    for _ in range(3):
        game = phone.games.get(id)
        seat = game.ruleset.course.to_act(game.board)[0]
        entries, board = apply(game, Decide(seat, legal_decisions(game, None, seat)[0]), new_written(ANNA, key(), at))
        phone.games.append(game, entries, board)
    assert leases.hand_back(book, lease, lines(phone, id, lease.step)).findings == ()
    leases.end_lease(book, lease, at)
    ended = book.games.get(id).entries[-1].event
    assert isinstance(ended, LeaseEnded) and abs(ended.clock_ahead_seconds) > 3 * 24 * 3600
    play(book, id, 1, by=ANNA)
    assert verify_game(book, id).intact
    assert projections.rebuild_read_models(book) == {}, "no game is left out"


@pytest.mark.parametrize("clock", ["", "yesterday", "2026-11-23", "9" * 400, "2026-11-23T20:00:00"])
def test_a_clock_that_says_no_time_is_no_hindrance(book, phone, open_table, clock):
    id = open_table()
    lease = take_game(book, phone, id)
    leases.end_lease(book, lease, clock)
    ended = book.games.get(id).entries[-1].event
    assert isinstance(ended, LeaseEnded) and ended.clock_ahead_seconds == 0


def test_a_record_with_leases_goes_through_every_kind_of_file(book, phone, open_table):
    id = open_table()
    lease = take_game(book, phone, id)
    play(phone, id, 2, by=ANNA)
    leases.hand_back(book, lease, lines(phone, id, lease.step))
    leases.end_lease(book, lease, "")
    second = leases.take_lease(book, id, "tablet", by=ANNA, key=key())
    leases.end_here(book, id, "it stayed at home", by=ANNA, key=key())
    full = recordfile.read_record_file(io.BytesIO(export_game(book, id)), "2026-11-23T20:00:00.000Z")
    bare = b"".join(recordfile.bare_file(full.header, full.game.entries))
    again = recordfile.read_record_file(io.BytesIO(bare), "2026-11-23T20:00:00.000Z").game
    assert (
        again.leases
        == full.game.leases
        == book.games.get(id).leases
        == [(lease.step, second.step - 1), (second.step, second.step + 1)]
    )
    told = "\n".join(transcript.write_transcript(full.game, "Tuesday", ["Anna", "Ben", "Cleo"]))
    assert "lease taken: " in told and "lease ended: " in told
