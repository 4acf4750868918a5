"""A season as plain tables: standings, results, schedule, people and meetings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.results import Result
from daybook.domain.league.standings import StandingRow, Standings
from daybook.services.csv_files import Cell
from daybook.services.statistics.plain_tables import LEFT_OUT, ExportTable

Names = Mapping[str, str]

MAX_PEOPLE_IN_MEETINGS = 60  # of a group; the table has a cell for each pair

# --- the tables of a season ------------------------------------------------------------------------------------------


def table_facts(club: Club, season: Season, at: str | None = None, step: int | None = None) -> dict[str, Any]:
    """Return the facts of a season for its tables.

    at, step: as of when, and the club's newest step then; None: now.
    """
    league = club.leagues[season.league].name if season.league else ""
    return {
        "club": club.name,
        "league": league,
        "season": season.name,
        "as_of": at,
        "step": club.step if step is None else step,
    }


def standings_table(
    club: Club, season: Season, standings: Standings, names: Names, at: str | None = None, step: int | None = None
) -> ExportTable:
    """One line for each person; every tie-break is a column of its own. at, step: as in `table_facts`.

    games_left_out: of this person's games those that do not count because the rules disagree with their records.
    """
    columns = (
        *("division", "group", "place", "person", "name", "games", *standings.chain),
        *("withdrew", "move", "why", LEFT_OUT, "handicap", "team"),
    )
    return ExportTable(
        "standings",
        columns,
        tuple(
            (
                group.division,
                group.group,
                row.place,
                row.person,
                _name_or_nothing(row.person, names),
                row.games_played,
                *(row.columns[code] for code in standings.chain),
                row.withdrawn,
                row.move or None,
                _place_reason(row, names),
                row.games_left_out,
                row.handicap,
                club.team_of(season, row.person) or None,
            )
            for group in standings.groups
            for row in group.rows
        ),
        table_facts(club, season, at, step),
    )


def _place_reason(row: StandingRow, names: Names) -> str | None:
    """Return the reason of a place in English, for programs."""
    if row.why is None:
        return None
    reasons = [*row.why.passed, *([row.why.decided] if row.why.decided else [])]
    named = [
        msgspec.structs.replace(
            reason,
            figures={
                key: _name_or_nothing(str(value), names) if key in ("person", "other", "third") else value
                for key, value in reason.figures.items()
            },
        )
        for reason in [row.why.reason, *reasons]
    ]
    first, *others = [str(reason) for reason in named]
    return f"{first}: {', '.join(others)}" if others else first


def results_table(
    club: Club, season: Season, results: Sequence[Result], names: Names, may_read: Callable[[UUID], bool]
) -> ExportTable:
    """Return a line for each player of each table with a result; unreadable games show only the result."""
    columns = (
        "table",
        "round",
        "division",
        "group",
        "ended",
        "ruleset",
        "source",
        "marks",
        "game",
        "seat",
        "person",
        "name",
        "place",
        "score",
        "dropped",
        "plays_for",
        "outcome",
    )
    return ExportTable(
        "results",
        columns,
        tuple(
            (
                result.table,
                result.round,
                result.division,
                result.group,
                result.at,
                result.ruleset,
                result.source,
                " ".join(result.marks),
                _readable_record(result, may_read),
                None if player.seat is None else player.seat + 1,
                player.person,
                _name_or_nothing(player.person, names),
                player.place,
                result.score_of(player),
                player.dropped,
                result.member_of(player.person) or None,
                "automa" if player.person in result.automas else "played",
            )
            for result in results
            for player in sorted(result.placed, key=lambda player: player.place)
        )
        + tuple(
            (
                *(result.table, result.round, result.division, result.group, result.at, result.ruleset),
                *(result.source, " ".join(result.marks), _readable_record(result, may_read), None),
                *(seat.person, _name_or_nothing(seat.person, names), None, None, False, None),
                "forfeit" if seat.forfeit else "substituted",
            )
            for result in results
            for seat in result.absences
        ),
        table_facts(club, season),
    )


def _readable_record(result: Result, may_read: Callable[[UUID], bool]) -> str | None:
    """Return the record behind a result, if the viewer may read it."""
    return result.game if result.game and may_read(UUID(result.game)) else None


def schedule_table(club: Club, season: Season, names: Names) -> ExportTable:
    """One line for each seat of each planned table, and one for each bye."""
    columns = (
        *("round", "division", "group", "table", "when", "where"),
        *("seat", "person", "name", "plays_for", "outcome", "game"),
    )
    return ExportTable(
        "schedule",
        columns,
        (
            *_seat_rows(club, season, names),
            *(
                (
                    bye.round,
                    bye.division,
                    bye.group,
                    None,
                    None,
                    None,
                    None,
                    club.person(bye.person),
                    _name_or_nothing(club.person(bye.person), names),
                    None,
                    "bye",
                    None,
                )
                for bye in season.byes
            ),
            *(
                (
                    *(miss.round, *_group_of(club, season, miss.person), miss.table or None, None, None, None),
                    *(miss.person, _name_or_nothing(miss.person, names), None, miss.outcome, None),
                )
                for miss in club.missed_rounds(season)
            ),
        ),
        table_facts(club, season),
    )


def _seat_rows(club: Club, season: Season, names: Names) -> Iterator[tuple[Cell, ...]]:
    for table in tables_in_order(season):
        members = {seat.replacement: seat.person for seat in club.stand_ins(table) if seat.is_substitute}
        for seat, person in enumerate(club.seats(table), 1):
            yield (
                table.round,
                table.division,
                table.group,
                table.id,
                table.when or None,
                table.place or None,
                seat,
                person,
                _name_or_nothing(person, names),
                members.get(person),
                "automa" if person in club.anonymous_ids else None,
                table.ruleset or table.planned_game or None,
            )


def _group_of(club: Club, season: Season, person: str) -> tuple[int, int]:
    player = club.player(season, person)
    return (player.division, player.group) if player else (1, 1)


def people_table(club: Club, season: Season, names: Names) -> ExportTable:
    withdrawn = club.withdrawn_people(season)
    return ExportTable(
        "people",
        ("division", "group", "person", "name", "withdrew"),
        tuple(
            (
                entrant.division,
                entrant.group,
                entrant.person,
                _name_or_nothing(entrant.person, names),
                entrant.person in withdrawn,
            )
            for entrant in sorted(club.entrants(season), key=lambda entrant: (entrant.division, entrant.group))
        ),
        table_facts(club, season),
    )


def tables_in_order(season: Season) -> list[SeasonTable]:
    """Return the tables of a season by round, then in the order in which they were added."""
    return sorted(
        season.tables.values(), key=lambda table: (table.round, table.division, table.group, _number(table.id))
    )


def _number(table_id: str) -> tuple[int, str]:
    """Return a sort key that puts numbered tables first."""
    return (int(table_id), "") if table_id.isdecimal() else (10**9, table_id)


def _name_or_nothing(person: str, names: Names) -> str:
    return names.get(person, "")


# --- meetings --------------------------------------------------------------------------------------------------------


class Meetings(Frozen):
    """The number of meetings of each pair, and of each person in each seat.

    people: in the order of rows and columns.
    """

    people: tuple[str, ...]
    met: dict[str, dict[str, int]]
    seats: dict[str, tuple[int, ...]]

    @property
    def most_meetings(self) -> int:
        """Largest number of meetings of two people."""
        return max((n for row in self.met.values() for n in row.values()), default=0)


def count_meetings(people: Iterable[str], tables: Iterable[Sequence[str]]) -> Meetings:
    """Count meetings of people, and their seats."""
    order, seated = tuple(people), [*tables]
    met = {person: {other: 0 for other in order if other != person} for person in order}
    sat = {person: [0] * max(map(len, seated), default=0) for person in order}
    for table in seated:
        for seat, person in enumerate(table):
            if person in sat:
                sat[person][seat] += 1
        for person, other in permutations(table, 2):
            if other in met.get(person, ()):
                met[person][other] += 1
    return Meetings(order, met, {person: tuple(seats) for person, seats in sat.items()})
