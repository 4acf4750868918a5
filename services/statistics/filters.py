"""Questions about figures, and the selection of the games that they count."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from daybook.domain.kernel.frozen import Frozen

Split = Literal[
    "seat",
    "seats",
    "person",
    "won",
    "place",
    "colour",
    "year",
    "month",
    "ruleset",
    "value",
    "what",
    "number",
    "location",
    "weekday",
    "hour",
    "variant",
    "expansion",
    "role",
    "started",
    "new",
]
Counts = Literal["no", "yes", "only"]


class Filter(Frozen):
    """Selection of the games that count."""

    ruleset: str = ""  # empty: all
    without_rulesets: tuple[str, ...] = ()  # but not these
    games: frozenset[UUID] | None = None  # only these
    club: UUID | None = None  # only plays of this club
    season: str | None = None  # of this season of the club; None: all
    readable: frozenset[UUID] | None = None  # only public games and these; None: all
    people: tuple[str, ...] = ()  # only games of these ids, which belong to one person
    seats: int = 0  # only this number of players; solo games count only with 1
    practice: Counts = "no"
    typed: Counts = "no"  # typed results, which have places, wins and scores only (`services.statistics.typed_results`)
    cooperative: Counts = "yes"  # plays of a club against the game, in which no one expects a win
    scored: bool = False  # only seats with a score
    as_played: bool = True  # include games with illegal moves that stood
    provisional: bool = True  # include results that an open claim may change
    against_rules: bool = False  # include records that the rules disagree with
    since: str = ""  # when the game was played, or opened if that is unknown, as in records
    until: str = ""  # exclusive
    same: dict[str, str] = {}  # merged id -> the id that it is counted for
    sat: dict[UUID, tuple[str, ...]] = {}  # players by seat, where they differ from the record's
    zone: str = "UTC"  # of months, years and weekdays
    shows_days_only: bool = False  # the viewer may not see the places and hours of the club's evenings

    def counted_id(self, person: str) -> str:
        """Return the id under which a person counts: after merges, the one that stayed."""
        return self.same.get(person, person)

    def ids_of(self, person: str) -> list[str]:
        """Return all ids that are counted for a person."""
        return [person, *(merged for merged, into in self.same.items() if into == person)]


class Question(Frozen):
    """Measure, split by up to two properties, of filtered games."""

    measure: str
    splits: tuple[Split, ...] = ()
    filter: Filter = Filter()
