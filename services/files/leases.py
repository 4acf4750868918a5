"""Leases: only one device records a game, during an evening without network, and hands it back.

Both ends of a lease are entries of the record, so it can be taken only once and nothing else is written meanwhile. The
device hands back its lines; they continue exactly at the lease, or, if the record has moved on, are kept as a what-if.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from uuid import UUID

import msgspec

from daybook.domain.commands import EndLease, TakeLease
from daybook.domain.kernel import events
from daybook.domain.kernel.chronicle import SIZE_LIMIT, Refused, place_of
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import because
from daybook.services.clock import now
from daybook.services.disputes import forks
from daybook.services.disputes.forks import Fork
from daybook.services.files import recordfile
from daybook.services.files.audit import Finding, encode_findings, iter_findings
from daybook.services.files.import_export import RecordsDivergeError, refuse_damaged
from daybook.services.files.recordfile import BadFileError
from daybook.services.permissions.sights import holds_sealed
from daybook.services.play import recording
from daybook.services.play.repetition import new_key
from daybook.services.play.writing import Conflict, Receipt
from daybook.services.store import disagreements, secret
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import fold_game
from daybook.services.store.log import AlreadyWrittenError


class Lease(Frozen):
    """A lease as the record has it.

    Args:
        by: the writer that took it.
        ended: the step of its end; None while it holds.
        owner: id of the grant, if its key was sent.
    """

    game: UUID
    step: int
    device: events.DeviceKind
    by: str
    at: str
    ended: int | None = None
    broken: bool = False
    owner: str = ""


class HandBackResult(Frozen):
    """State of the record after lines were handed back.

    Args:
        findings: disagreements of the rules with these lines.
    """

    step: int
    seal: str
    findings: tuple[Finding, ...] = ()


class RulesDisagreeError(Exception):
    """The rules disagree with the device's lines, and nothing was imported; check, or hand back with `accept`."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__(f"the rules disagree at {len(findings)} of these steps: nothing was taken over")
        self.findings = findings


class UnknownLeaseError(LookupError):
    """The key belongs to no lease; hand the game back from the device that took it."""


# --- in the service --------------------------------------------------------------------------------------------------


def take_lease(book: Daybook, game_id: UUID, device: events.DeviceKind, *, by: str, key: str) -> Lease:
    """Begin a lease. The same key returns the same lease while it holds.

    A lease that has ended is refused, since the device would record in vain; so are games with sealed decisions, which
    the device would store.

    Raises Refused, Conflict, UnknownGameError, BadKeyError, KeyUsedError.
    """
    game = book.games.get(game_id)
    if key not in game.keys and holds_sealed(game):
        raise Refused(because("sealed", "offers are still sealed: take the game after they are revealed"))
    receipt = recording.append_command(book, game_id, TakeLease(device), at=game.step, by=by, key=key)
    game = book.games.get(game_id)
    lease = _lease_at(game, receipt.step)
    if lease.ended is not None:
        raise Conflict("game", game, game.entries[receipt.step + 1 :])
    return lease


def end_here(book: Daybook, game_id: UUID, why: str, *, by: str, key: str) -> Receipt:
    """Record in the service again, without what the device wrote since. Raises Refused, UnknownGameError, BadKeyError."""
    game = book.games.get(game_id)
    lease = game.leases[-1][0] if game.leases else -1
    return recording.append_command(book, game_id, EndLease(lease, revoked=True, why=why), by=by, key=key)


def current_lease(game: Game) -> Lease | None:
    """Return the lease that holds, if any."""
    return None if game.lease is None else _lease_at(game, game.lease)


def _lease_at(game: Game, step: int) -> Lease:
    event = game.entries[step].event
    if not isinstance(event, events.LeaseTaken):
        raise UnknownLeaseError
    ended = next(end for taken, end in game.leases if taken == step)
    broken = ended is not None and bool(getattr(game.entries[ended].event, "revoked", False))
    return Lease(game.id, step, event.device, game.writers[step], event.at, ended, broken)


def hand_back_key(book: Daybook, lease: Lease, grant_id: str) -> str:
    """Return the key for handing the game back; its holder may continue the record from the lease on."""
    return secret.sign(secret.secret_of(book), "lease", f"{lease.game.hex}.{lease.step}.{grant_id}")


def lease_of_key(book: Daybook, key: str) -> Lease:
    """Lease that a key hands back. Raises NotALease, UnknownGameError."""
    signed = secret.signed_value(secret.secret_of(book), "lease", key)
    if signed is None:
        raise UnknownLeaseError
    try:
        game, step, owner = signed.split(".", 2)
        return msgspec.structs.replace(_lease_at(book.games.get(UUID(game)), int(step)), owner=owner)
    except (ValueError, IndexError) as wrong:
        raise UnknownLeaseError from wrong


# --- handing back ----------------------------------------------------------------------------------------------------


def hand_back(book: Daybook, lease: Lease, lines: bytes, *, accept: bool = False) -> HandBackResult:
    """Import the lines that a device wrote, from any step that is stored here or the next one.

    Seals, types and rules are checked before anything is stored. Lines that are stored already change nothing, so an
    interrupted upload can be repeated.

    Args:
        accept: import lines even if the rules disagree.

    Raises RecordsDivergeError, RulesDisagreeError, BadFileError, RefusedLineError; nothing is written then.
    """
    while True:
        stored = book.games.get(lease.game)
        game = _append_lines(stored, lines)
        if game.step > stored.step and stored.lease != lease.step:
            raise RecordsDivergeError(lease.game, stored.step + 1)
        _check_writer(book, game, lease, stored.step + 1)
        recordfile.refuse_future(game, stored.step + 1, now())
        if game.size > SIZE_LIMIT:  # a device writes no more by itself
            raise BadFileError(game.step + 2, "a record has at most {limit} bytes", limit=SIZE_LIMIT)
        found = tuple(iter_findings(game, stored))
        if found and not accept:
            raise RulesDisagreeError(found)
        try:
            if game.step > stored.step:
                refuse_damaged(book, game.id, stored.step + 3)
                disagreements.store(book.kept, game, encode_findings(found, stored.step + 1))
                book.log.append(*game.entries[stored.step + 1 :])
        except AlreadyWrittenError:
            continue
        return HandBackResult(game.step, game.seal, found)


def end_lease(book: Daybook, lease: Lease, clock: str) -> Receipt:
    """End a lease after the device has handed everything back; repeated calls return the same receipt.

    Args:
        clock: the device's time.

    Raises Refused.
    """
    game = book.games.get(lease.game)
    now_here = _lease_at(game, lease.step)
    if now_here.ended is not None and not now_here.broken:
        return Receipt(game.id, now_here.ended, game.entries[now_here.ended].seal, repeated=True)
    return recording.append_command(
        book, lease.game, EndLease(lease.step, clock_ahead_seconds=_seconds_ahead(clock)), by=lease.by, key=new_key()
    )


def _seconds_ahead(clock: str) -> int:
    """Return how far a device's clock is ahead of ours; 0 for an invalid time."""
    try:
        return round((datetime.fromisoformat(clock) - datetime.fromisoformat(now())).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return 0


def keep_as_what_if(book: Daybook, lease: Lease, lines: bytes, title: str) -> Fork:
    """Store a device's lines after its lease was ended here as a what-if that can be proposed.

    The same lines give the same what-if. Raises BadFileError, RefusedLineError, Refused.
    """
    stored = book.games.get(lease.game)
    before = fold_game(lease.game, stored.entries[: lease.step + 1])
    game = _append_lines(before, lines)
    _check_writer(book, game, lease, lease.step + 1)
    if holds_sealed(game):
        raise Refused(because("sealed", "offers are still sealed: hand it back after they are revealed"))
    mark = hashlib.sha256(game.seal.encode()).hexdigest()[:16]
    return forks.create_fork(
        book,
        lease.game,
        _common_step(game, lease.step),
        owner=lease.owner,
        title=title,
        moves=_moves_since(game, lease.step),
        fork_id=f"lease-{lease.step}-{mark}",
    )


def _common_step(game: Game, lease: int) -> int:
    """Return the last step that the device's line shares with the line at the lease."""
    return max(set(game.line()) & set(game.line(lease)))


def _moves_since(game: Game, lease: int) -> list[events.Move]:
    """Return the standing decisions of a device's line."""
    since = [game.entries[step].event for step in game.line_since(lease)]
    return [
        events.Move(event.seat, event.decision)
        for event in since
        if isinstance(event, events.DecisionRecorded) and not isinstance(event, events.DecisionAsPlayed)
    ]


def _append_lines(stored: Game, lines: bytes) -> Game:
    """Return the game with a device's lines appended. Raises BadFileError, RecordsDivergeError."""
    given = [line for line in lines.split(b"\n") if line]
    if not given:
        raise BadFileError(1, "it is empty")
    first = recordfile.decode_line(1, given[0], _LineStep).step
    if not 0 <= first <= stored.step + 1:
        raise RecordsDivergeError(stored.id, stored.step + 1)
    for place, line in enumerate(given, first):
        if place <= stored.step and stored.entries[place].line != line:
            raise RecordsDivergeError(stored.id, place)
    return recordfile.extend_game(stored, given[stored.step + 1 - first :])


class _LineStep(msgspec.Struct):
    """Step of a line."""

    step: int


def _check_writer(book: Daybook, game: Game, lease: Lease, first: int) -> None:
    """Check that lines were written by the lease's holder, inside this lease. Raises BadFileError.

    A device must not write statements in other people's names or name an umpire by a guessed id.
    """
    seats = {seat.person for seat in game.opening.seats}
    for step, by in enumerate(game.writers[first:], first):
        if by not in (place_of(lease.by), lease.by):
            raise BadFileError(step + 2, "it was not written by the device that took the game")
        event = game.entries[step].event
        if isinstance(event, events.LeaseTaken | events.LeaseEnded):
            raise BadFileError(step + 2, "a device takes and ends no lease within what it records")
        if isinstance(event, events.UmpireNamed) and event.person not in seats and book.kept.names([event.person]):
            raise BadFileError(step + 2, "it names an umpire differently than this Daybook does")
