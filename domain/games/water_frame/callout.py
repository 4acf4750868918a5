"""The call-out of the sale: the order in which players take goods from the demand (WF-4.16.5 to WF-4.16.12).

It works step by step, because a player who has sold his whole production is asked at each call. Nothing here knows
the board: `CallOut` is its state between two steps, and the stalls are computed at each step.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Seat

IMPORTER: None = None  # among those called


class Stall(Frozen):
    """A player with a factory of the good on sale. extra: his extra shifts could make one more good to be sold.

    The quality is that of the factory and its marker together.
    """

    seat: Seat
    appeal: int
    quality: int
    unsold: int  # goods of this production
    stored: int
    extra: bool
    stopped: bool

    @property
    def chooses(self) -> bool:
        """True if a call asks the player, instead of forcing a sale or skipping (WF-4.16.7 to 4.16.10)."""
        return not self.unsold and not self.stopped and (self.stored > 0 or self.extra)

    @property
    def has_goods(self) -> bool:
        """True if the player can still sell: a produced good, a stored one, or one of extra shifts."""
        return not self.stopped and (self.unsold > 0 or self.stored > 0 or self.extra)


Order = list[tuple[int, tuple[Seat | None, ...]]]  # (appeal, seats) of each group


class CallOut(msgspec.Struct):
    """Progress of the call-out. Players called on a space take in groups, mostly of one."""

    demand: int = 0  # goods still in demand
    token: int = 0  # the space that is called
    done: int = 0  # groups of this space that have had their turn
    asked: Seat | None = None  # the seat that decides what to sell, or to stop
    extra: list[Seat] = []  # seats of the current group that sell a good of extra shifts
    stored: list[Seat] = []  # seats of the current group that sell a stored good


class Takers(Frozen):
    """Each of these takes a good at the same time. spare: goods that come from the supply (WF-4.16.12)."""

    token: int
    produced: tuple[Seat, ...]
    extra: tuple[Seat, ...]
    stored: tuple[Seat, ...]
    importer: bool
    demand: int  # left
    spare: int


def begin_call_out(demand: int, stalls: Sequence[Stall], importer: int) -> CallOut:
    """Return a call-out with the token on the most advanced indicator, the importer's included (WF-4.16.5)."""
    return CallOut(demand, max([importer, *(stall.appeal for stall in stalls)]))


def goes_on(at: CallOut, stalls: Sequence[Stall], order: Order, sells_on: bool) -> Takers | None:
    """Return the next goods taken, or None if a player must decide or the call-out is over; updates `at`.

    stalls: in player order. order: as `groups` has it. sells_on: the importer continues when no player can or will sell
    any more (WF-6.49).
    """
    while at.token > 0 and at.demand > 0:
        called = [group for appeal, group in order if appeal >= at.token]
        if at.done == len(called):
            at.token -= 1
            at.done = 0
            continue
        if called[at.done] == (IMPORTER,):
            if not sells_on and not any(comes(at, stall, called) for stall in stalls):
                break
            return serve_group(at, (), True)
        members = [stall for stall in stalls if stall.seat in called[at.done]]
        undecided = [member for member in members if member.seat not in at.extra and member.seat not in at.stored]
        at.asked = next((member.seat for member in undecided if member.chooses), None)
        if at.asked is not None:
            return None
        sellers = tuple(member.seat for member in undecided if member.unsold and not member.stopped)
        if sellers or at.extra or at.stored:
            return serve_group(at, sellers, False)
        at.done += 1
    return None


def groups(stalls: Sequence[Stall], importer: int) -> Order:
    """Return the groups of called players, with their appeal, in the order in which they take.

    The order is the same for a whole call-out. Equal players take at the same time (WF-4.16.11). A space calls those of
    at least its own appeal.
    """
    comers: list[tuple[tuple[int, int, int], Seat | None]] = [
        ((-stall.appeal, 0, -stall.quality), stall.seat) for stall in stalls
    ]
    comers.append(((-importer, 1, 0), IMPORTER))
    comers.sort(key=itemgetter(0))
    return [(-place[0], tuple([seat for _, seat in equal])) for place, equal in groupby(comers, key=itemgetter(0))]


def comes(at: CallOut, stall: Stall, called: Sequence[tuple[Seat | None, ...]]) -> bool:
    """Check if a player with goods is still to be called, on this space or below it."""
    later = any(stall.seat in group for group in called[at.done :])
    return stall.has_goods and stall.appeal > 0 and (at.token > 1 or later)


def serve_group(at: CallOut, sellers: tuple[Seat, ...], importer: bool) -> Takers:
    """Give the running group its goods; the supply fills what the demand lacks (WF-4.16.12)."""
    wanted = len(sellers) + len(at.extra) + len(at.stored) + importer
    spare = max(0, wanted - at.demand)
    at.demand -= wanted - spare
    taken = Takers(at.token, sellers, tuple(at.extra), tuple(at.stored), importer, at.demand, spare)
    at.done += 1
    at.extra, at.stored = [], []
    return taken
