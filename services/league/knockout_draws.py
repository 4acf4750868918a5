"""Draw the next round of a knock-out from the results of the rounds before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from daybook.domain.kernel.terms import Reason, because
from daybook.domain.league.club import Club, Season
from daybook.domain.league.results import Result
from daybook.domain.league.schedule import Before, Schedule, number_fixtures
from daybook.domain.league.seasons import Bye, Entrant, Fixture, Format
from daybook.domain.league.standings import Standings, credit_substitutes
from daybook.services.league import results
from daybook.services.league.knockout import KnockoutRound, PlayedTable, draw_next_round
from daybook.services.league.schedule_search import CannotDrawError
from daybook.services.store.daybook import Daybook


def draw_round(
    book: Daybook,
    club: Club,
    season: Season,
    playing: Sequence[Entrant],
    standings: Standings,
    seed: int,
    before: Before,
    first_table: int,
) -> Schedule:
    """Draw the next round. Raises CannotDrawError for a tie at the cut, or if no round is left."""
    played = list_finished_tables(season.format, club, season, results.season_results(book, club, season.id), standings)
    seeds = [entrant.person for entrant in playing]
    ordered = [person for person in standings.order if person in {*seeds}] if played else seeds
    number = max((table.round for table in played), default=0) + 1
    drawn = draw_next_round(
        season.format,
        ordered,
        played,
        Counter(bye.person for bye in before.byes),
        find_groups_before(club, season),
        Random(seed),
    )
    if not isinstance(drawn, KnockoutRound):
        raise CannotDrawError(drawn)
    fixtures = number_fixtures([Fixture("", number, table) for table in drawn.tables], first_table)
    return Schedule((number,), tuple(fixtures), tuple(Bye(person, number) for person in drawn.resting), seed, 0)


def find_groups_before(club: Club, season: Season) -> dict[str, tuple[int, int]]:
    """Return the division and group of each player in the qualifying season."""
    source = club.seasons.get(season.qualifying_season)
    if source is None or not source.format.divisions:
        return {}
    return {entrant.person: (entrant.division, entrant.group) for entrant in club.entrants(source)}


def list_finished_tables(
    season_format: Format, club: Club, season: Season, ended: Sequence[Result], standings: Standings
) -> list[PlayedTable]:
    """Return the tables with a result, each with its ranked players. Raises CannotDrawError for a tie at the cut."""
    places = {row.person: row.place for group in standings.groups for row in group.rows}
    found = []
    last = max((result.round for result in ended), default=0)
    for result in ended:
        scored = credit_substitutes(season_format, result)
        ranked = sorted(scored.placed, key=lambda player: (player.place, places.get(player.person, 0)))
        reason = _tie_at_cut(season_format, [(player.person, player.place) for player in ranked], places)
        if reason is not None and result.round == last:
            raise CannotDrawError(reason)
        lost = tuple(seat.person for seat in scored.absences if seat.person not in scored.people)
        found.append(PlayedTable(result.round, tuple(player.person for player in ranked), lost))
    found += [
        PlayedTable(table.round, (), club.names_at(table))
        for table in season.tables.values()
        if table.is_forfeited and not table.voided
    ]
    return found


def _tie_at_cut(season_format: Format, ranked: Sequence[tuple[str, int]], places: dict[str, int]) -> Reason | None:
    if len(ranked) <= season_format.advance_per_table:
        return None
    (first, place), (second, next_place) = ranked[
        season_format.advance_per_table - 1 : season_format.advance_per_table + 1
    ]
    if place != next_place or places.get(first) != places.get(second):
        return None
    return because(
        "tie_at_cut",
        "{person} and {other} are tied for the last place that advances: a lot decides",
        person=first,
        other=second,
    )


__all__ = ["draw_round", "find_groups_before", "list_finished_tables"]
