"""Leases: a game that one device records alone for an evening without network, and hands back.

Both ends of a lease are entries of the record, so that it can be taken once and nobody writes past it: whatever is
written here meanwhile would take the place of what the device writes. The device hands back the lines it wrote; they
go on exactly where the lease stands, or the record has moved on and they are kept as a what-if.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from uuid import UUID

import msgspec

from daybook.domain.commands import EndLease, TakeLease
from daybook.domain.kernel import events
from daybook.domain.kernel.chronicle import SIZE_LIMIT, Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import because
from daybook.services.clock import now
from daybook.services.disputes import forks
from daybook.services.disputes.forks import Fork
from daybook.services.files import recordfile
from daybook.services.files.audit import Finding, as_kept, findings
from daybook.services.files.import_export import RecordsDiverge, refuse_damaged
from daybook.services.files.recordfile import BadFile
from daybook.services.people import access
from daybook.services.play import recording
from daybook.services.play.repetition import own_key
from daybook.services.play.writing import Conflict, Receipt
from daybook.services.store import disagreements, secret
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import fold_game
from daybook.services.store.log import AlreadyWritten


class Lease(Frozen):
    """A lease as the record has it. by: who took it; ended: the step; None: it holds; owner: the id of their grant,
    where its key was brought.
    """

    game: UUID
    step: int
    device: events.DeviceKind
    by: str
    at: str
    ended: int | None = None
    broken: bool = False
    owner: str = ""


class HandedBack(Frozen):
    """Where the record is after some lines were handed back. findings: where the rules disagree with those."""

    step: int
    seal: str
    findings: tuple[Finding, ...] = ()


class Disagreed(Exception):
    """The rules disagree with what the device wrote, and nothing was taken over: look at the findings, and hand it
    back again as it is if the table wants it so.
    """

    def __init__(self, found: tuple[Finding, ...]) -> None:
        super().__init__(f"the rules disagree at {len(found)} of these steps: nothing was taken over")
        self.findings = found


class NotALease(LookupError):
    """The key is of no lease: hand the game back from the device that took it."""


# --- in the service --------------------------------------------------------------------------------------------------


def take(book: Daybook, game_id: UUID, device: events.DeviceKind, *, by: str, key: str) -> Lease:
    """Begin a lease; the same key again answers the same one, while it holds: a device that slept when its lease was
    ended would record for nothing. Not while offers lie sealed: the device would hold them.

    Raises Refused, Conflict, UnknownGame, BadKey, KeyUsed.
    """
    game = book.games.get(game_id)
    if key not in game.keys and access.holds_sealed(game):
        raise Refused(because("sealed", "offers are still sealed: take the game after they are revealed"))
    receipt = recording.write(book, game_id, TakeLease(device), at=game.step, by=by, key=key)
    game = book.games.get(game_id)
    lease = _lease_at(game, receipt.step)
    if lease.ended is not None:
        raise Conflict("game", game, game.entries[receipt.step + 1 :])
    return lease


def end_here(book: Daybook, game_id: UUID, why: str, *, by: str, key: str) -> Receipt:
    """Record in the service again, without what the device wrote since. Raises Refused, UnknownGame, BadKey."""
    game = book.games.get(game_id)
    lease = game.leases[-1][0] if game.leases else -1
    return recording.write(book, game_id, EndLease(lease, broken=True, why=why), by=by, key=key)


def lease_now(game: Game) -> Lease | None:
    """The lease that holds."""
    return None if game.lease is None else _lease_at(game, game.lease)


def _lease_at(game: Game, step: int) -> Lease:
    event = game.entries[step].event
    if not isinstance(event, events.LeaseTaken):
        raise NotALease
    ended = next(end for taken, end in game.leases if taken == step)
    broken = ended is not None and bool(getattr(game.entries[ended].event, "broken", False))
    return Lease(game.id, step, event.device, game.writers[step], event.at, ended, broken)


def key_of(book: Daybook, lease: Lease, grant_id: str) -> str:
    """What hands the game back: whoever has it may go on with the record from the lease on."""
    return secret.sign(secret.secret_of(book), "lease", f"{lease.game.hex}.{lease.step}.{grant_id}")


def lease_of_key(book: Daybook, key: str) -> Lease:
    """Lease that a key hands back. Raises NotALease, UnknownGame."""
    signed = secret.signed_value(secret.secret_of(book), "lease", key)
    if signed is None:
        raise NotALease
    try:
        game, step, owner = signed.split(".", 2)
        return msgspec.structs.replace(_lease_at(book.games.get(UUID(game)), int(step)), owner=owner)
    except (ValueError, IndexError) as wrong:
        raise NotALease from wrong


# --- handing back ----------------------------------------------------------------------------------------------------


def hand_back(book: Daybook, lease: Lease, lines: bytes, *, accept: bool = False) -> HandedBack:
    """Take over what a device wrote: lines of its record, from any step on that is here already or the next one.

    Seals, types and the rules are checked before anything is kept; what is here already changes nothing, so that an
    upload that broke off goes on. accept: also where the rules disagree.
    Raises RecordsDiverge, Disagreed, BadFile, RefusedLine; nothing was written then.
    """
    while True:
        stored = book.games.get(lease.game)
        game = _read_on(stored, lines)
        if game.step > stored.step and stored.lease != lease.step:
            raise RecordsDiverge(lease.game, stored.step + 1)
        _check_written(book, game, lease, stored.step + 1)
        recordfile.refuse_future(game, stored.step + 1, now())
        if game.size > SIZE_LIMIT:  # a device writes no more by itself
            raise BadFile(game.step + 2, "a record has at most {limit} bytes", limit=SIZE_LIMIT)
        found = tuple(findings(game, stored))
        if found and not accept:
            raise Disagreed(found)
        try:
            if game.step > stored.step:
                refuse_damaged(book, game.id, stored.step + 3)
                disagreements.keep(book.kept, game, as_kept(found, stored.step + 1))
                book.log.append(*game.entries[stored.step + 1 :])
        except AlreadyWritten:
            continue
        return HandedBack(game.step, game.seal, found)


def end(book: Daybook, lease: Lease, clock: str) -> Receipt:
    """The device has handed back all it wrote; asked again, it is answered alike. clock: the time it has.

    Raises Refused.
    """
    game = book.games.get(lease.game)
    now_here = _lease_at(game, lease.step)
    if now_here.ended is not None and not now_here.broken:
        return Receipt(game.id, now_here.ended, game.entries[now_here.ended].seal, repeated=True)
    return recording.write(
        book, lease.game, EndLease(lease.step, clock=_seconds_ahead(clock)), by=lease.by, key=own_key()
    )


def _seconds_ahead(clock: str) -> int:
    """By how much a device's clock is ahead of ours; 0 where what it says is no time."""
    try:
        return round((datetime.fromisoformat(clock) - datetime.fromisoformat(now())).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return 0


def keep_as_what_if(book: Daybook, lease: Lease, lines: bytes, title: str) -> Fork:
    """What a device wrote after its lease was ended here, as a line beside the record that can be proposed.

    The same lines again are the same what-if. Raises BadFile, RefusedLine, Refused.
    """
    stored = book.games.get(lease.game)
    before = fold_game(lease.game, stored.entries[: lease.step + 1])
    game = _read_on(before, lines)
    _check_written(book, game, lease, lease.step + 1)
    if access.holds_sealed(game):
        raise Refused(because("sealed", "offers are still sealed: hand it back after they are revealed"))
    mark = hashlib.sha256(game.seal.encode()).hexdigest()[:16]
    return forks.make(
        book,
        lease.game,
        _left_at(game, lease.step),
        owner=lease.owner,
        title=title,
        moves=_moves_since(game, lease.step),
        id=f"lease-{lease.step}-{mark}",
    )


def _left_at(game: Game, lease: int) -> int:
    """The step at which what stands of a device's line leaves what stood when it was taken."""
    return max(set(game.line()) & set(game.line(lease)))


def _moves_since(game: Game, lease: int) -> list[events.Move]:
    """The decisions of a device's line that stand."""
    since = [game.entries[step].event for step in game.line_since(lease)]
    return [
        events.Move(event.seat, event.decision)
        for event in since
        if isinstance(event, events.DecisionRecorded) and not isinstance(event, events.DecisionAsPlayed)
    ]


def _read_on(stored: Game, lines: bytes) -> Game:
    """The game with the lines of a device behind those that are here. Raises BadFile, RecordsDiverge."""
    given = [line for line in lines.split(b"\n") if line]
    if not given:
        raise BadFile(1, "it is empty")
    first = recordfile.decode_line(1, given[0], _Placed).step
    if not 0 <= first <= stored.step + 1:
        raise RecordsDiverge(stored.id, stored.step + 1)
    for place, line in enumerate(given, first):
        if place <= stored.step and stored.entries[place].line != line:
            raise RecordsDiverge(stored.id, place)
    return recordfile.read_on(stored, given[stored.step + 1 - first :])


class _Placed(msgspec.Struct):
    """What is read of a line to know its place."""

    step: int


def _check_written(book: Daybook, game: Game, lease: Lease, first: int) -> None:
    """A device writes as who took the lease, and within this one alone: nobody is made to have said what it says, or
    named as an umpire by an id that was read somewhere. Raises BadFile.
    """
    seats = {seat.person for seat in game.opening.seats}
    for step, by in enumerate(game.writers[first:], first):
        if by not in (access.place_of(lease.by), lease.by):
            raise BadFile(step + 2, "it was not written by the device that took the game")
        event = game.entries[step].event
        if isinstance(event, events.LeaseTaken | events.LeaseEnded):
            raise BadFile(step + 2, "a device takes and ends no lease within what it records")
        if isinstance(event, events.UmpireNamed) and event.person not in seats and book.kept.names([event.person]):
            raise BadFile(step + 2, "it names somebody as an umpire who is known here by another word")
