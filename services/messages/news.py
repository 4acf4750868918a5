"""The newest events of a club, for its feed."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Evening
from daybook.domain.league.club_events import BESIDE, ScheduleDrawn
from daybook.domain.league.results import Result
from daybook.services.days import day_of
from daybook.services.messages.occasions import Occasion

# News of one day keep the order of the season: people without access to the evenings see no hours of games.
ORDER_WITHIN_DAY: tuple[Occasion, ...] = ("season_opened", "round_drawn", "result", "season_closed")


class News(Frozen):
    """Event for the feed. subject: as of a notice."""

    at: str
    occasion: Occasion
    subject: str


def subject_of(result: Result) -> str:
    """Return the subject of a notice about a result: its season and table."""
    return f"{result.season or BESIDE} {result.table}"


def newest_news(club: Club, ended: Iterable[Result], limit: int) -> list[News]:
    """Return what happened in a club, the newest first: evenings, seasons, draws and results."""
    found = [News(result.at, "result", subject_of(result)) for result in ended]
    found += [_news_of_evening(club, evening) for evening in club.evenings.values()]
    for season in club.seasons.values():
        found.append(News(season.opened_at, "season_opened", season.id))
        if season.closed is not None:
            found.append(News(club.entries[season.closed.step].event.at, "season_closed", season.id))
    for entry in club.entries:
        if isinstance(entry.event, ScheduleDrawn):
            found.append(News(entry.event.at, "round_drawn", f"{entry.event.season} {entry.step}"))

    def order(entry: News) -> tuple[str, int]:
        if club.shows_days_only:
            return day_of(entry.at, club.zone), ORDER_WITHIN_DAY.index(entry.occasion)
        return entry.at, 0

    return sorted(found, key=order, reverse=True)[:limit]


def _news_of_evening(club: Club, evening: Evening) -> News:
    occasion: Occasion = "evening_planned" if len(evening.steps) == 1 else "evening_changed"
    if evening.called_off is not None:
        occasion = "evening_called_off"
    return News(club.entries[evening.steps[-1]].event.at, occasion, evening.id)
