"""Choices of people: the occasions that each person is sent, by method. Without a choice, the usual ones are sent."""

from __future__ import annotations

import json
from collections.abc import Iterable

import sqlalchemy as sa

from daybook.services.messages.occasions import CHOSEN_BY_PEOPLE, Occasion, PersonalMethod
from daybook.services.store.database import upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_message_choice

USUAL: frozenset[Occasion] = frozenset(
    {
        *("evening_planned", "evening_changed", "evening_tomorrow", "evening_called_off", "place_free", "tables_drawn"),
        *("round_drawn", "round_ends", "table_postponed", "substitute_named"),
        *("result_to_confirm", "claim", "claim_ruled", "webhook_off"),
    }
)


def chosen_by(book: Daybook, person: str, method: PersonalMethod) -> frozenset[Occasion]:
    """Return the occasions that a person wants by a method."""
    query = sa.select(kept_message_choice.c.occasions).where(
        kept_message_choice.c.person == person, kept_message_choice.c.method == method
    )
    stored = book.kept.engine.value(query)
    if stored is None:
        return USUAL
    names = json.loads(stored)
    return frozenset(occasion for occasion in CHOSEN_BY_PEOPLE if occasion in names)


def choose(book: Daybook, person: str, method: PersonalMethod, occasions: Iterable[Occasion]) -> None:
    """Store the occasions that a person wants by a method; none: nothing is sent."""
    row = {"person": person, "method": method, "occasions": json.dumps(sorted(occasions))}
    with book.kept.engine.begin() as c:
        upsert(c, kept_message_choice, [row], ["person", "method"])
