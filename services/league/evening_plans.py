"""A club's evenings as people look at them: which are to come, which one is today, and what was played on one."""

from __future__ import annotations

from collections.abc import Iterator

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Evening, Season, SeasonTable
from daybook.domain.league.club_events import EveningTable, GameEntered
from daybook.domain.league.results import Result
from daybook.services import days
from daybook.services.clock import later_time, now
from daybook.services.league import clubs, results
from daybook.services.store.daybook import Daybook

HOURS_PAST = 6  # an evening whose given end has passed may go on for so long, on its day
HOURS_AHEAD = 6  # an evening may begin after midnight: so long before it, a day earlier, is of that evening too


class Played(Frozen):
    """A table of an evening. result: None while it is played."""

    season: Season
    table: SeasonTable
    result: Result | None


def coming(club: Club) -> list[Evening]:
    """Return the evenings that are not over, the next first, including those that were called off."""
    at = now()
    return sorted((evening for evening in club.evenings.values() if evening.ends > at), key=_by_time)


def over(club: Club) -> list[Evening]:
    """Return the evenings that are over, the newest first, without those that were called off."""
    at = now()
    held = (evening for evening in club.evenings.values() if evening.ends <= at and not evening.called_off)
    return sorted(held, key=_by_time, reverse=True)


def _by_time(evening: Evening) -> tuple[str, int]:
    return evening.when, int(evening.id)


def today_for(book: Daybook, person: str) -> tuple[Club, Evening] | None:
    """Return the evening of today, or of shortly before midnight, in a club of a person.

    Of several, the first to which the person comes. One that ended lately still counts if no other does.
    """
    today = [
        (club, evening)
        for club in clubs.clubs_of(book, person)
        if not club.removed
        for evening in _evenings_of_today(club)
    ]

    def order(entry: tuple[Club, Evening]) -> tuple[bool, bool, tuple[str, int]]:
        club, evening = entry
        return evening.ends <= now(), club.person(person) not in club.coming(evening), _by_time(evening)

    return min(today, key=order, default=None)


def _evenings_of_today(club: Club) -> Iterator[Evening]:
    """Yield the evenings of today that are not over, and the one that a game of this moment still belongs to."""
    at, soon = now(), later_time(now(), hours=HOURS_AHEAD)
    for evening in coming(club):
        begins = days.first_moment(days.day_of(evening.when, club.zone), club.zone)
        if not evening.called_off and (evening.when <= soon or begins <= at):
            yield evening
    late = _evening_of(club, at)
    if late is not None and late.ends <= at < later_time(late.ends, hours=HOURS_PAST):
        yield late


def played(book: Daybook, club: Club, evening: Evening) -> list[Played]:
    """Return the games of an evening in the order in which they ended, then those that go on."""
    day = days.day_of(evening.when, club.zone)
    first = min(days.first_moment(day, club.zone), later_time(evening.when, hours=-HOURS_AHEAD))
    last = max(days.last_moment(day, club.zone), evening.ends)
    near = (entry for entry in _tables_at(book, club) if any(first <= at <= last for at in entry[0]))
    found = [entry for entry in near if _evening_of(club, *entry[0]) is evening]
    return [shown for _, shown in sorted(found, key=lambda entry: (entry[1].result is None, entry[0][0]))]


def _tables_at(book: Daybook, club: Club) -> Iterator[tuple[tuple[str, ...], Played]]:
    """Yield every table with its game, and when it ended and was entered: some end after the evening."""
    ended = {result.id: result for result in results.club_results(book, club)}
    for season in club.all_seasons():
        for table in season.tables.values():
            result = ended.get(table.result_id)
            if result is not None and result.was_played:
                entered = _entered_at(club, table)
                was_live = entered and entered <= result.at  # not an older record that was entered later
                yield (result.at, entered) if was_live else (result.at,), Played(season, table, result)
            elif table.game:
                yield (club.entries[table.steps[-1]].event.at,), Played(season, table, None)


def opened_table(club: Club, evening: Evening, planned: EveningTable) -> SeasonTable | None:
    """Return the table that was opened or entered from a plan: the same game and people, after tables were set."""
    entered = (
        table
        for table in club.beside.tables.values()
        if table.steps[0] > evening.tables_since
        and table.ruleset == planned.game
        and not table.voided
        and sorted(club.seats(table)) == sorted(planned.people)
    )
    return next(entered, None)


def recorded(club: Club, evening: Evening) -> list[tuple[Season, SeasonTable]]:
    """Return the tables with a game that was entered on an evening, in that order."""
    found = []
    for season in club.all_seasons():
        for table in season.tables.values():
            if table.game and (at := _entered_at(club, table)) and _evening_of(club, at) is evening:
                found.append((at, season, table))
    return [(season, table) for _, season, table in sorted(found, key=lambda entry: entry[0])]


def _entered_at(club: Club, table: SeasonTable) -> str:
    """Return the time at which a table's game was entered."""
    entered = (club.entries[step].event for step in reversed(table.steps))
    return next((event.at for event in entered if isinstance(event, GameEntered) and event.game == table.game), "")


def _evening_of(club: Club, *times: str) -> Evening | None:
    """Return the evening of a game: the last that began before it, else the first of its day or soon after midnight.

    Args:
        times: when the game ended and was entered; the first that is within an evening decides.
    """
    held = [evening for evening in club.evenings.values() if not evening.called_off]
    for at in times:
        if going := [evening for evening in held if evening.when <= at <= evening.ends]:
            return max(going, key=_by_time)
    at = times[0]
    day, soon = days.day_of(at, club.zone), later_time(at, hours=HOURS_AHEAD)
    near = (evening for evening in held if days.day_of(evening.when, club.zone) == day or at < evening.when <= soon)
    return min(near, key=_by_time, default=None)
