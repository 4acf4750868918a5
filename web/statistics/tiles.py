"""Figures at the top of a page, each with its label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from babel.dates import get_day_names, get_month_names
from flask import url_for
from flask_babel import get_locale

from daybook.services.clock import now
from daybook.services.counted import by_count
from daybook.services.days import day_of
from daybook.services.statistics import play_splits, reports
from daybook.services.statistics.figure_questions import Split
from daybook.services.statistics.reports import WonTogether
from daybook.web.request.access import book
from daybook.web.statistics.inquiry import Inquiry, names_for
from daybook.web.words import N_, game_title, say, say_n
from daybook.web.words.say import day_label
from daybook.web.words.statistics_words import format_hours, format_number, holders_label


class Tile(NamedTuple):
    """A figure at the top of a page."""

    label: str
    figure: str
    detail: str = ""
    address: str = ""


class Bar(NamedTuple):
    """A row of a chart of bars."""

    label: str
    n: int
    width: float  # percent of the longest


def calendar_bars(scope: Inquiry) -> list[tuple[str, list[Bar]]]:
    """Return the plays of a club or season by weekday and by month of the year."""
    by_day = reports.count_by_day(book(), scope.filter)
    if not by_day:
        return []
    weekdays, months = Counter[int](), Counter[int]()
    for day, n in by_day.items():
        weekdays[day.weekday()] += n
        months[day.month] += n
    return [
        (say("Plays by weekday"), _bars(get_day_names(locale=str(get_locale())), weekdays)),
        (say("Plays by month"), month_bars(months)),
        *_fact_bars(scope),
    ]


def month_bars(counts: Mapping[int, int]) -> list[Bar]:
    """Return a bar for each month, with its plays by number: 1 is January."""
    return _bars(get_month_names(locale=str(get_locale())), Counter(counts))


MAX_BARS = 12
BARS: tuple[tuple[Split, str], ...] = (
    ("location", N_("Plays by place")),
    ("hour", N_("Plays by hour")),
    ("variant", N_("Plays by board")),
    ("expansion", N_("Plays by expansion")),
)


def _fact_bars(scope: Inquiry) -> list[tuple[str, list[Bar]]]:
    """Return the plays by the facts that the viewer may see, most frequent values first; hours by the clock."""
    offered = play_splits.offered(scope.filter.club, scope.filter.shows_days_only)
    charts = []
    for split, title in BARS:
        counts = reports.count_plays_by(book(), scope.filter, split) if split in offered else Counter[str]()
        if counts:
            frequent = (value for value, _ in sorted(counts.items(), key=by_count)[:MAX_BARS])
            values = sorted(counts) if split == "hour" else [*frequent]
            most = max(counts.values())
            labels = {value: f"{value}:00" if split == "hour" else value for value in values}
            bars = [Bar(labels[value], counts[value], round(100 * counts[value] / most, 1)) for value in values]
            charts.append((say(title), bars))
    return charts


def _bars(names: Mapping[int, str], counts: Counter[int]) -> list[Bar]:
    most = max(counts.values())
    return [Bar(name, counts[key], round(100 * counts[key] / most, 1)) for key, name in sorted(names.items())]


def game_tiles(scope: Inquiry) -> list[Tile]:
    """Return the figures of a club's plays of one game; none outside clubs."""
    if scope.club is None or not scope.ruleset:
        return []
    found = reports.summarize_scores(book(), scope.filter)
    log = url_for("plays.plays", club_id=scope.club.id, game=scope.ruleset)
    tiles = [Tile(say("All plays"), say("Show them"), address=log)]
    tiles += together_tiles(reports.won_together(book(), scope.filter))
    if found is None:
        return tiles
    names = names_for(scope, [found.best.person, *found.best.others])
    holder = f"{holders_label((found.best.person, *found.best.others), names)}, {day_label(found.best.at, scope.filter.zone)}"
    return [
        *tiles,
        Tile(say("Average score"), format_number(found.average, 1)),
        Tile(say("Median score"), format_number(found.median, 1)),
        Tile(say("Best score"), str(found.best.score), holder),
        Tile(say("Worst score"), str(found.worst)),
        Tile(say("Takes to win"), format_number(found.winning, 1), say("half of the winners had less")),
    ]


def together_tiles(won: WonTogether) -> list[Tile]:
    """Return how many cooperative plays were won; none without such plays."""
    return [Tile(say("Won together"), say("{won} of {n}", won=won.won, n=won.n))] if won.n else []


def club_tiles(scope: Inquiry) -> list[Tile]:
    """Return the figures of all plays of a club or season."""
    assert scope.club is not None
    found = reports.summarize_games(book(), scope.filter)
    if not found.games:
        return []
    year, most, oldest = day_of(now(), scope.filter.zone)[:4], found.games[0], found.longest_unplayed
    new = sum(game.first_at[:4] == year for game in found.games)
    tiles = [
        Tile(say("Plays"), str(sum(game.n for game in found.games))),
        Tile(say("Games"), str(len(found.games)), say_n("{n} new this year", "{n} new this year", new) if new else ""),
        Tile(say("H-index"), str(found.h_index), say("that many games, each played at least that many times")),
        Tile(
            say("Most played"),
            game_title(most.ruleset),
            say_n("{n} play", "{n} plays", most.n),
            scope.to("game", most.ruleset),
        ),
    ]
    last_day = day_of(oldest.last_at, scope.filter.zone)
    if last_day < day_of(now(), scope.filter.zone):
        tiles.append(
            Tile(
                say("Longest unplayed"),
                game_title(oldest.ruleset),
                day_label(last_day),
                scope.to("game", oldest.ruleset),
            )
        )
    tiles += together_tiles(reports.won_together(book(), scope.filter))
    if found.timed:
        hours = format_hours(found.seconds)
        tiles.append(Tile(say("Hours"), hours, say_n("{n} play", "{n} plays", found.timed)))
    return tiles
