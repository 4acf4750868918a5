"""Splits by facts of a club's plays: where, when and with what they were played, and each player's part in them.

The facts are in `club_play` and `club_play_person`. A question with such a split joins them to the seats that count, by
`counted_table`. Expressions are the same on SQLite and PostgreSQL. Recorded games have a weekday only.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.services.days import offset_changes
from daybook.services.statistics.table import Heading

DAY_END = "T10:00:00.000Z"  # of a moment that stands for its day (`daybook.domain.kernel.times.moment_of_play`)
MINUTES_PER_DAY = 1_440


class PlaySplit(Frozen):
    """Split by a fact of a club's plays. known: the condition that a play has the fact."""

    heading: Heading
    expression: str
    known: str
    of_player: bool = False
    private: bool = False  # hidden from viewers who may not see the club's evenings


def _has_player_who(mark: str) -> str:
    return (
        "EXISTS (SELECT 1 FROM club_play_person r "
        f'WHERE r.club = p.club AND r.season = p.season AND r."table" = p."table" AND r.{mark})'
    )


SPLITS = {  # in the order in which they are offered
    split.heading.key: split
    for split in (
        PlaySplit(Heading("location", "Where", "title"), "p.place", "p.place <> ''", private=True),
        PlaySplit(Heading("weekday", "Weekday", "weekday"), "", "1 = 1"),
        PlaySplit(Heading("hour", "Hour", "hour"), "SUBSTR(p.hour, 1, 2)", "p.hour <> ''", private=True),
        PlaySplit(Heading("variant", "Board", "title"), "p.variant", "p.variant <> ''"),
        PlaySplit(Heading("expansion", "Expansion", "title"), "p.expansions", "p.expansions <> '[]'"),
        PlaySplit(Heading("role", "Role", "title"), "q.role", "q.role <> ''", of_player=True),
        PlaySplit(
            Heading("started", "Starting player", "started"),
            "CASE WHEN q.started THEN 1 ELSE 0 END",
            _has_player_who("started"),
            of_player=True,
        ),
        PlaySplit(
            Heading("new", "First play of a game", "new"),
            "CASE WHEN q.new THEN 1 ELSE 0 END",
            _has_player_who("new"),
            of_player=True,
        ),
    )
}
INTEGERS = frozenset({"weekday", "started", "new"})
OF_PLAYERS = frozenset(key for key, split in SPLITS.items() if split.of_player)


def offered(club: UUID | None, shows_days_only: bool) -> tuple[str, ...]:
    """Return the splits that a viewer of a club may use; none outside clubs."""
    if club is None:
        return ()
    return tuple(key for key, split in SPLITS.items() if not (split.private and shows_days_only))


def seats_with_plays(
    splits: Iterable[str], club: UUID | None, of_season: bool, few_seats: bool = False
) -> tuple[str, str]:
    """Build the tables to read seats `s` from, and the conditions that join them.

    SQLite reads tables in this order: the plays of the club first, or with `few_seats` the seats.
    """
    wanted = SPLITS.keys() & set(splits)
    if not wanted or club is None:
        return "seat_summary s", ""
    plays = "counted_table t CROSS JOIN club_play p"
    tables = f"seat_summary s CROSS JOIN {plays}" if few_seats else f"{plays} CROSS JOIN seat_summary s"
    joined = f' AND t.club = \'{club.hex}\' AND p.club = t.club AND p.season = t.season AND p."table" = t."table"'
    joined += " AND s.game = t.game" + (" AND t.season = :season" if of_season else "")
    if wanted & OF_PLAYERS:
        tables += " CROSS JOIN club_play_person q"
        joined += ' AND q.club = p.club AND q.season = p.season AND q."table" = p."table" AND q.person = s.person'
        joined += " AND q.place IS NOT NULL"  # the player's facts are here, not in a record
    return tables, joined


def known_condition(splits: Iterable[str]) -> str:
    """Build the condition that plays have the facts to split by."""
    return "".join(f" AND {SPLITS[split].known}" for split in splits if split in SPLITS)


def expression(split: str, zone: str) -> str:
    """Build the expression for a fact; an expansion's is the JSON list of all expansions of the play."""
    return _weekday(zone) if split == "weekday" else SPLITS[split].expression


def expansions_of(value: str) -> list[str]:
    return msgspec.json.decode(value, type=list[str])


def has_expansion(parameter: str) -> str:
    """Build the condition that a play has an expansion. The parameter is its name as JSON."""
    return f"REPLACE(p.expansions, :{parameter}, '') <> p.expansions"


def json_of(expansion: str) -> str:
    return msgspec.json.encode(expansion).decode()


@cache
def _weekday(zone: str) -> str:
    """Build the expression for the weekday of a play: 0 is Monday. A record's moment is moved to the time zone."""
    of_day, of_moment = _julian_day("p.day"), _julian_day("s.at")
    hours, minutes = (f"CAST(SUBSTR(s.at, {at}, 2) AS INTEGER)" for at in (12, 15))
    of_week = (
        f"({of_moment}) % 7 * {MINUTES_PER_DAY} + {hours} * 60 + {minutes} + {_offset(zone)}"  # small on PostgreSQL
    )
    moved = f"(7 * {MINUTES_PER_DAY} + {of_week}) / {MINUTES_PER_DAY}"
    return (
        f"CASE WHEN p.day <> '' THEN ({of_day}) % 7 WHEN SUBSTR(s.at, 11) = '{DAY_END}' THEN ({of_moment}) % 7 "
        f"ELSE ({moved}) % 7 END"
    )


def _julian_day(text: str) -> str:
    """Build the expression for the Julian day number of a date, which is 0 modulo 7 on Mondays."""
    year, month, day = (f"CAST(SUBSTR({text}, {at}, {n}) AS INTEGER)" for at, n in ((1, 4), (6, 2), (9, 2)))
    late = f"(({month} - 14) / 12)"  # -1 in January and February
    return (
        f"(1461 * ({year} + 4800 + {late})) / 4 + (367 * ({month} - 2 - 12 * {late})) / 12 "
        f"- (3 * (({year} + 4900 + {late}) / 100)) / 4 + {day} - 32075"
    )


def _offset(zone: str) -> str:
    """Build the expression for the minutes by which a zone is ahead of UTC: a binary search among its changes."""
    changes: tuple[tuple[str, Any], ...] = offset_changes(zone)

    def among(first: int, last: int) -> str:
        if last - first == 1:
            return f"({changes[first][1]})"
        middle = (first + last) // 2
        return f"CASE WHEN s.at < '{changes[middle][0]}' THEN {among(first, middle)} ELSE {among(middle, last)} END"

    return f"({among(0, len(changes))})"
