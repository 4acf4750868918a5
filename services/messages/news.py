"""News of clubs, seasons and people, for feeds."""

from __future__ import annotations

from collections.abc import Container, Iterable

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Evening
from daybook.domain.league.club_events import BESIDE, ScheduleDrawn
from daybook.domain.league.results import Result
from daybook.services.clock import now
from daybook.services.days import day_of, moment_at
from daybook.services.league import evening_reviews, year_reviews
from daybook.services.messages.occasions import YEAR_REVIEW_OPENS, Occasion
from daybook.services.store.daybook import Daybook

# News of one day keep the order of the season: people without access to the evenings see no hours of games.
ORDER_WITHIN_DAY: tuple[Occasion, ...] = ("year_in_review", "season_opened", "round_drawn", "result", "season_closed")
OF_SEASONS: tuple[Occasion, ...] = ("season_opened", "round_drawn", "result", "season_closed")
EVENING_PLANS: tuple[Occasion, ...] = ("evening_planned", "evening_changed", "evening_called_off")
YEARS_LISTED = 3
EVENINGS_LISTED = 5


class News(Frozen):
    """Event for the feed. subject: as of a notice."""

    at: str
    occasion: Occasion
    subject: str


def subject_of(result: Result) -> str:
    """Return the subject of a notice about a result: its season and table."""
    return f"{result.season or BESIDE} {result.table}"


def of_club(club: Club, ended: Iterable[Result]) -> list[News]:
    """Return what happened in a club: evenings, seasons, draws and results."""
    found = [News(result.at, "result", subject_of(result)) for result in ended]
    found += [_news_of_evening(club, evening) for evening in club.evenings.values()]
    for season in club.seasons.values():
        found.append(News(season.opened_at, "season_opened", season.id))
        if season.closed is not None:
            found.append(News(club.entries[season.closed.step].event.at, "season_closed", season.id))
    for entry in club.entries:
        if isinstance(entry.event, ScheduleDrawn):
            found.append(News(entry.event.at, "round_drawn", f"{entry.event.season} {entry.step}"))
    return found


def of_years(book: Daybook, club: Club, person: str = "") -> list[News]:
    """Return the newest years in review of a club, or of a person, since they were opened."""
    at = now()
    opened = [
        (moment_at(f"{int(year) + 1:04}-{YEAR_REVIEW_OPENS}", club.zone), year)
        for year in year_reviews.reviewed_years(book, club, person)[:YEARS_LISTED]
    ]
    return [News(since, "year_in_review", f"{year} {person}".rstrip()) for since, year in opened if since <= at]


def of_evenings(book: Daybook, club: Club, skipped: Container[str]) -> list[News]:
    """Return the reviews of the newest evenings that are over. skipped: those that organisers do not publish."""
    at = now()
    over = [
        (evening.until or evening_reviews.latest_time(club, evening), evening.id)
        for evening in club.evenings.values()
        if evening.called_off is None and evening.id not in skipped
    ]
    ended = sorted(
        (
            (since, evening)
            for since, evening in over
            if since <= at and evening_reviews.is_due(book, club, club.evenings[evening], at)
        ),
        reverse=True,
    )[:EVENINGS_LISTED]
    return [News(since, "evening_review", evening) for since, evening in ended]


def newest(club: Club, news: Iterable[News], limit: int) -> list[News]:
    """Return the newest news first."""

    def order(entry: News) -> tuple[str, int]:
        if club.shows_days_only:
            return day_of(entry.at, club.zone), ORDER_WITHIN_DAY.index(entry.occasion)
        return entry.at, 0

    return sorted(news, key=order, reverse=True)[:limit]


def _news_of_evening(club: Club, evening: Evening) -> News:
    occasion: Occasion = "evening_planned" if len(evening.steps) == 1 else "evening_changed"
    if evening.called_off is not None:
        occasion = "evening_called_off"
    return News(club.entries[evening.steps[-1]].event.at, occasion, evening.id)
