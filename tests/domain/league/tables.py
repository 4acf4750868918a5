"""Results written down in few words, for tests of standings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from daybook.domain.league.results import Placed, Result
from daybook.domain.league.seasons import Entrant, Format, Penalty
from daybook.domain.league.standings import StandingRow, Standings, compute_standings


def result(number: int, places: str, **more: Any) -> Result:
    """Parse a table's places, the first place first, "A B=C D".

    A score follows a colon, "A:50 B:40"; "!" marks a person who dropped out.
    """
    placed: list[Placed] = []
    for group in places.split():
        place = len(placed) + 1
        for word in group.split("="):
            person, _, score = word.rstrip("!").partition(":")
            placed.append(Placed(person, len(placed), place, int(score) if score else None, word.endswith("!")))
    at = f"2026-01-{number:02}T20:00:00.000Z"
    table: dict[str, Any] = {
        "id": f"r{number}",
        "ruleset": "sawmill",
        "at": at,
        "placed": tuple(placed),
        "round": number,
    }
    return Result(**(table | more))


def ranking(people: str, tables: Sequence[str | Result], season_format: Format | None = None, **more: Any) -> Standings:
    results = [table if isinstance(table, Result) else result(n, table) for n, table in enumerate(tables, 1)]
    entrants = [Entrant(person) for person in people]
    return compute_standings(season_format or Format(), entrants, results, **more)


def places(standings: Standings) -> str:
    """Format places, with shared places joined: "A B=C D"."""
    rows = [row for group in standings.groups for row in group.rows]
    return " ".join("=".join(row.person for row in shared) for _, shared in groupby(rows, lambda row: row.place))


def penalty(person: str, points: int, why: str = "late") -> Penalty:
    return Penalty(1, "2026-01-02T20:00:00.000Z", person, points, why)


def row_of(standings: Standings, person: str) -> StandingRow:
    row = standings.row(person)
    assert row is not None
    return row


def why(standings: Standings, person: str) -> list[str]:
    """Return the equal criteria and the one that decided."""
    reason = row_of(standings, person).why
    assert reason is not None
    return [str(value) for value in (*reason.passed, reason.decided) if value is not None]
