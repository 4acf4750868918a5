"""The words of a club's messages. They are for the club's chat, so they name members only, and no place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache

from flask import Flask
from flask_babel import force_locale

from daybook.domain.league.club import Club, Evening, Season, SeasonTable
from daybook.domain.league.club_events import BESIDE, ScheduleDrawn
from daybook.domain.league.results import Result
from daybook.services.league import results, season_end, year_reviews
from daybook.services.messages.news import subject_of
from daybook.services.messages.occasions import Occasion
from daybook.services.messages.outbox import Writer
from daybook.services.messages.webhooks import Webhook
from daybook.services.store.daybook import Daybook
from daybook.web import words
from daybook.web.request.clubs import season_path, table_label
from daybook.web.words import game_title, join_words, league_words, say, say_n
from daybook.web.words.say import weekday_label
from daybook.web.words.year_words import year_message

MAX_TABLES_NAMED = 12


class MemberNames(dict[str, str]):
    """Names of a club's members; everyone else is a guest."""

    def get(self, person: str, default: object = None) -> str:
        return self[person] if person in self else say("a guest")


def member_names(book: Daybook, club: Club) -> MemberNames:
    return MemberNames(book.kept.names(club.people()) | dict.fromkeys(club.anonymous_ids, say("an anonymous player")))


Described = tuple[str, str] | None  # a sentence and the path of its page; None: it is outdated


def describe_occasion(
    book: Daybook, club: Club, occasion: Occasion, subject: str, ended: Mapping[str, Result] | None = None
) -> Described:
    """Return the sentence of an occasion and the path of its page; None if it is outdated.

    Args:
        subject: an evening, a season, a season and a table, a season and the step of a draw, or a year.
        ended: results by season and table, if the caller has read them.
    """
    about = f"/clubs/{club.id}"
    if occasion == "test":
        return say("Messages of {club} arrive here.", club=club.name), about
    if occasion.startswith("evening"):
        evening = club.evenings[subject]
        text = _describe_evening(club, occasion, evening)
        return None if text is None else (text, f"{about}/evenings/{evening.id}")
    if occasion == "year_in_review":
        review = year_reviews.find_review(book, club, subject)
        if review is None:
            return None
        return year_message(club.name, review, member_names(book, club)), f"{about}/years/{subject}"
    season_id, _, rest = subject.partition(" ")
    if occasion == "place_free":
        evening = club.evenings[season_id]
        if rest not in club.coming(evening) or evening.called_off is not None:
            return None
        name = league_words.person_name(rest, member_names(book, club))
        when = league_words.evening_label(evening.when, club.zone)
        said = say("{club}: {name} gets a chair on {when}.", club=club.name, name=name, when=when)
        return said, f"{about}/evenings/{evening.id}"
    if season_id != BESIDE and (season_id not in club.seasons or club.leagues[club.seasons[season_id].league].removed):
        return None
    season, names = club.season(season_id), member_names(book, club)
    path = f"{about}/seasons/{season_path(season)}"
    match occasion:
        case "season_opened":
            return say("{club}: the season {season} is open.", club=club.name, season=season.name), path
        case "round_drawn":
            drawn = _describe_draw(club, season, int(rest), names)
            return None if drawn is None else (drawn, f"{path}/schedule")
        case "round_ends":
            number, _, day = rest.partition(" ")
            ends = _describe_round_end(club, season, int(number), day, names)
            return None if ends is None else (ends, f"{path}/rounds/{number}")
        case "season_closed":
            if season.closed is None:
                return None
            firsts = season_end.winners(book, club, season, ())
            won = "; ".join(
                join_words([league_words.person_name(person, names) for person in first]) for first in firsts
            )
            text = say("{club}: the season {season} is over.", club=club.name, season=season.name)
            return (f"{text} {say('It was won by {names}.', names=won)}" if won else text), path
    if ended is None:
        ended = {subject_of(result): result for result in results.season_results(book, club, season.id)}
    result = ended.get(subject)
    if result is None or not result.was_played or "practice" in result.marks:
        return None
    said = league_words.result_sentence(result, names)
    text = say("{game}: {result}", game=game_title(result.ruleset), result=said)
    return f"{season.name or club.name}: {text}", f"{path}/tables/{rest}"


def _describe_evening(club: Club, occasion: Occasion, evening: Evening) -> str | None:
    when = league_words.evening_label(evening.when, club.zone)
    if occasion == "evening_called_off":
        if evening.called_off is None:
            return None
        return say("{club}: the evening of {when} is called off.", club=club.name, when=when)
    if evening.called_off is not None:
        return None
    said = {
        "evening_planned": say("{club} meets on {when}.", club=club.name, when=when),
        "evening_changed": say("{club}: the evening is changed. It is now on {when}.", club=club.name, when=when),
        "evening_in_a_week": say("In a week {club} meets: {when}.", club=club.name, when=when),
        "evening_tomorrow": say("Tomorrow {club} meets: {when}.", club=club.name, when=when),
    }[occasion]
    if evening.games:
        said += " " + say("Games: {games}.", games=join_words([game_title(game) for game in evening.games]))
    if coming := len(club.coming(evening)):
        said += " " + say_n("{n} person is coming.", "{n} people are coming.", coming)
    return said


def _describe_round_end(club: Club, season: Season, number: int, day: str, names: MemberNames) -> str | None:
    """Remind of the tables of a round without a result; None if none is left or the day was changed."""
    dated = season.round_deadlines.get(number)
    if not season.is_open or dated is None or dated.until != day:
        return None
    open_tables = [table for table in season.tables.values() if table.round == number and not table.is_settled]
    if not open_tables:
        return None
    last = weekday_label(date.fromisoformat(day))
    said = say("{club}, {season}: round {n} ends on {day}.", club=club.name, season=season.name, n=number, day=last)
    return "\n".join([said, *_tables_named(club, season, open_tables, names)])


def _tables_named(club: Club, season: Season, tables: Sequence[SeasonTable], names: MemberNames) -> list[str]:
    """Return a line for each table with its players, of many tables only of the first."""
    lines = []
    for table in tables[:MAX_TABLES_NAMED]:
        people = [league_words.person_name(person, names) for person in club.seats(table)]
        lines.append(say("{table}: {people}", table=table_label(season, table), people=join_words(people)))
    left = len(tables) - MAX_TABLES_NAMED
    return [*lines, say_n("and {n} more table", "and {n} more tables", left)] if left > 0 else lines


def _describe_draw(club: Club, season: Season, step: int, names: MemberNames) -> str | None:
    event = club.entries[step].event
    if not isinstance(event, ScheduleDrawn) or event not in season.draws:
        return None
    rounds = join_words([str(number) for number in event.rounds])
    lines = [say("{club}, {season}: round {rounds} is drawn.", club=club.name, season=season.name, rounds=rounds)]
    drawn = [season.tables[fixture.table] for fixture in event.fixtures if fixture.table in season.tables]
    return "\n".join([*lines, *_tables_named(club, season, drawn, names)])


# --- outside of requests ---------------------------------------------------------------------------------------------


def message_writer(book: Callable[[], Daybook]) -> Writer:
    """Return the function with which the sending job writes messages in their club's language."""

    def write(club: Club, webhook: Webhook, occasion: Occasion, subject: str) -> Described:
        with _translating_app().app_context(), force_locale(webhook.language):
            written = describe_occasion(book(), club, occasion, subject)
        if written is None:
            return None
        text, path = written
        base_url = book().settings.base_url
        return text, f"{base_url}{path}" if base_url else ""

    return write


@lru_cache(1)
def _translating_app() -> Flask:
    """Return an application that has translations and no page."""
    app = Flask(__name__, static_folder=None)
    words.init_translations(app)
    return app
