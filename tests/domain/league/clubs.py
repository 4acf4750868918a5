"""A club to test on: what happens in it, said as events without their place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from daybook.domain.kernel.chronicle import Written
from daybook.domain.league.club import Club, fold_club, founding_entry
from daybook.domain.league.club_events import AnyEvent
from daybook.domain.league.event_checks import checked_entry
from daybook.domain.league.results import Placed

ID = UUID("6f1d1f6e-3f0a-4a6e-9a51-2f7c3d8b9e10")
Said = tuple[type[AnyEvent], dict[str, Any]]  # an event without its place


def entry(event: type[AnyEvent], **fields: Any) -> Said:
    return event, fields


def at(step: int) -> str:
    """The minute of a step, on the evening of the tests."""
    return f"2026-01-02T{step // 60 + 10:02}:{step % 60:02}:00.000Z"


def founded_club(founder: str = "olga") -> Club:
    return fold_club(ID, [founding_entry(ID, "The Mill", founder, Written(at(0), founder, "k0"))])


def event(club: Club, event: Said, by: str = "olga") -> AnyEvent:
    step = club.step + 1
    return event[0](**club.next(Written(at(step), by, f"k{step}")), **event[1])


def after(club: Club, happened: Iterable[Said]) -> Club:
    for value in happened:
        club = club.then(checked_entry(club, event(club, value)))
    return club


def places(*people: str) -> tuple[Placed, ...]:
    """Their places in this order, in the seats of this order."""
    return tuple(Placed(person, seat, seat + 1) for seat, person in enumerate(people))
