"""The words of messages. Those of a club may go to its chat, so they name members only, and no place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from uuid import UUID

from flask import Flask
from flask_babel import force_locale

from daybook.domain.league.club import Club, Evening, Season, SeasonTable
from daybook.domain.league.club_events import BESIDE, ScheduleDrawn
from daybook.domain.league.results import Result
from daybook.services.clock import now
from daybook.services.league import evening_reviews, results, season_end, year_reviews
from daybook.services.messages.news import subject_of
from daybook.services.messages.occasions import ACCOUNT_OCCASIONS, Occasion
from daybook.services.messages.outbox import Draft, Writer, Written
from daybook.services.people import invitations, mail_addresses
from daybook.services.store.daybook import Daybook
from daybook.web import words
from daybook.web.request.clubs import season_path, table_label
from daybook.web.words import game_title, join_words, league_words, say, say_n
from daybook.web.words.evening_words import evening_text
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
    book: Daybook,
    club: Club,
    occasion: Occasion,
    subject: str,
    ended: Mapping[str, Result] | None = None,
    person: str = "",
) -> Described:
    """Return the sentence of an occasion and the path of its page; None if it is outdated.

    Args:
        person: the member to whom it is addressed; of many tables it names only theirs. Empty: everyone.
        subject: an evening, a season, a season and a table, a season and the step of a draw, or a year.
        ended: results by season and table, if the caller has read them.
    """
    reader = club.person(person) if person else ""
    about = f"/clubs/{club.id}"
    if occasion == "test":
        return say("Messages of {club} arrive here.", club=club.name), about
    if occasion == "evening_review":
        evening = club.evenings[subject]
        played = evening_reviews.review_evening(book, club, evening)
        if not played.played or evening.called_off is not None:
            return None
        return evening_text(club, evening, played, member_names(book, club)), f"{about}/evenings/{evening.id}/review"
    if occasion.startswith("evening"):
        evening = club.evenings[subject]
        text = _describe_evening(club, occasion, evening)
        return None if text is None else (text, f"{about}/evenings/{evening.id}")
    if occasion == "webhook_off":
        return say("{club}: messages no longer reach the chat.", club=club.name), f"{about}/messages"
    if occasion == "tables_drawn":
        evening = club.evenings[subject]
        drawn = _describe_evening_tables(book, club, evening, reader)
        return None if drawn is None else (drawn, f"{about}/evenings/{evening.id}")
    if occasion == "year_in_review":
        year, _, reviewed = subject.partition(" ")
        review, names = year_reviews.find_review(book, club, year, reviewed), member_names(book, club)
        if review is None:
            return None
        if reviewed:
            whose = f"{league_words.person_name(reviewed, names)}, {club.name}"
            return year_message(whose, review, names), f"{about}/people/{reviewed}/years/{year}"
        return year_message(club.name, review, names), f"{about}/years/{year}"
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
            drawn = _describe_draw(club, season, int(rest), names, reader)
            return None if drawn is None else (drawn, f"{path}/schedule")
        case "round_ends":
            number, _, day = rest.partition(" ")
            ends = _describe_round_end(club, season, int(number), day, names, reader)
            return None if ends is None else (ends, f"{path}/rounds/{number}")
        case "table_postponed":
            postponed = _describe_postponed(club, season, rest, names)
            return None if postponed is None else (postponed, f"{path}/tables/{rest}")
        case "substitute_named":
            table_id, _, absent = rest.partition(" ")
            substitute = _describe_substitute(club, season, table_id, absent, names)
            return None if substitute is None else (substitute, f"{path}/tables/{table_id}")
        case "result_to_confirm":
            table = season.tables.get(rest)
            if table is None or reader not in club.confirmers(table):
                return None
            text = say("{club}: confirm the result of {table}.", club=club.name, table=table_label(season, table))
            return text, f"{path}/tables/{rest}"
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


def _describe_evening_tables(book: Daybook, club: Club, evening: Evening, reader: str) -> str | None:
    """List the planned tables of an evening with their members, or only the reader's."""
    if not evening.tables or evening.called_off is not None or evening.ends < now():
        return None
    names, lines = member_names(book, club), list[str]()
    for number, table in enumerate(club.tables_set(evening), 1):
        if reader and reader not in table.people:
            continue
        people = join_words([league_words.person_name(person, names) for person in table.people])
        about = say("Table {n}: {people}", n=number, people=people)
        lines.append(f"{about} ({game_title(table.game)})" if table.game else about)
    if not lines:
        return None
    when = league_words.evening_label(evening.when, club.zone)
    return "\n".join([say("{club}, {when}: the tables are drawn.", club=club.name, when=when), *_shorten(lines)])


def _describe_postponed(club: Club, season: Season, table_id: str, names: MemberNames) -> str | None:
    table = season.tables.get(table_id)
    if table is None or table.postponed is None or table.is_settled or not season.is_open:
        return None
    when = league_words.evening_label(table.postponed.when, club.zone)
    label = table_label(season, table)
    text = say(
        "{club}, {season}: {table} is postponed to {when}.", club=club.name, season=season.name, table=label, when=when
    )
    return "\n".join([text, *_tables_named(club, season, [table], names)])


def _describe_substitute(club: Club, season: Season, table_id: str, absent: str, names: MemberNames) -> str | None:
    table = season.tables.get(table_id)
    if table is None or table.is_settled or not season.is_open:
        return None
    seats = (seat for seat in club.stand_ins(table) if seat.person == club.person(absent) and seat.is_substitute)
    seat = next(seats, None)
    if seat is None:
        return None
    return say(
        "{club}, {season}: {substitute} plays for {person} at {table}.",
        club=club.name,
        season=season.name,
        substitute=league_words.person_name(seat.replacement, names),
        person=league_words.person_name(seat.person, names),
        table=table_label(season, table),
    )


def _describe_round_end(
    club: Club, season: Season, number: int, day: str, names: MemberNames, reader: str
) -> str | None:
    """Remind of the tables of a round without a result; None if none is left or the day was changed."""
    dated = season.round_deadlines.get(number)
    if not season.is_open or dated is None or dated.until != day:
        return None
    unsettled = [table for table in season.tables.values() if table.round == number and not table.is_settled]
    open_tables = _tables_of(club, unsettled, reader)
    if not open_tables:
        return None
    last = weekday_label(date.fromisoformat(day))
    said = say("{club}, {season}: round {n} ends on {day}.", club=club.name, season=season.name, n=number, day=last)
    return "\n".join([said, *_tables_named(club, season, open_tables, names)])


def _tables_named(club: Club, season: Season, tables: Sequence[SeasonTable], names: MemberNames) -> list[str]:
    """Return a line for each table with its players, of many tables only of the first."""
    lines = []
    for table in tables:
        people = [league_words.person_name(person, names) for person in club.seats(table)]
        lines.append(say("{table}: {people}", table=table_label(season, table), people=join_words(people)))
    return _shorten(lines)


def _shorten(lines: Sequence[str]) -> list[str]:
    left = len(lines) - MAX_TABLES_NAMED
    more = [say_n("and {n} more table", "and {n} more tables", left)] if left > 0 else []
    return [*lines[:MAX_TABLES_NAMED], *more]


def _tables_of(club: Club, tables: Sequence[SeasonTable], reader: str) -> Sequence[SeasonTable]:
    """Return the tables of a reader; without a reader, all."""
    return [table for table in tables if not reader or reader in (*club.seats(table), *club.names_at(table))]


def _describe_draw(club: Club, season: Season, step: int, names: MemberNames, reader: str) -> str | None:
    event = club.entries[step].event
    if not isinstance(event, ScheduleDrawn) or event not in season.draws:
        return None
    rounds = join_words([str(number) for number in event.rounds])
    lines = [say("{club}, {season}: round {rounds} is drawn.", club=club.name, season=season.name, rounds=rounds)]
    drawn = [season.tables[fixture.table] for fixture in event.fixtures if fixture.table in season.tables]
    tables = _tables_of(club, drawn, reader)
    return "\n".join([*lines, *_tables_named(club, season, tables, names)]) if tables or not reader else None


# --- to one person ---------------------------------------------------------------------------------------------------


def _describe_claim(book: Daybook, occasion: Occasion, subject: str) -> Described:
    """Return the sentence about a claim. It names no player, no decision and nothing of the board."""
    game, _, number = subject.partition(" ")
    kept = book.kept.game(UUID(game))
    if kept is None:
        return None
    if occasion == "claim":
        text = say("{game}: a step of your game is disputed.", game=kept.title)
    else:
        text = say("{game}: a claim is ruled on.", game=kept.title)
    return text, f"/games/{game}/claims/{number}"


def _describe_account_mail(book: Daybook, draft: Draft) -> Described:
    match draft.occasion:
        case "confirm_address":
            key = mail_addresses.key_of(book, mail_addresses.CONFIRM, draft.subject)
            confirm = say(
                "Open this address within two days to confirm that Daybook may write to you. If you did not ask for "
                "that, ignore this mail."
            )
            return f"{say('Confirm your mail address')}\n\n{confirm}", f"/mail/confirm?key={key}"
        case "sign_in_link":
            once = say(
                "This address signs you in once, within two days. Do not pass it on. If you did not ask for it, ignore "
                "this mail."
            )
            return f"{say('Your link to sign in')}\n\n{once}", f"/invited#{invitations.key_of_id(book, draft.subject)}"
    assert draft.club is not None
    invitation_id, _, _ = draft.subject.partition(" ")
    if invitation_id not in {invitation.id for invitation in invitations.open_invitations(book, draft.club.id)}:
        return None
    text = say("{club} invites you", club=draft.club.name)
    once = say("This address works once, within two weeks.")
    return f"{text}\n\n{once}", f"/invited#{invitations.key_of_id(book, invitation_id)}"


# --- outside of requests ---------------------------------------------------------------------------------------------


def message_writer(book: Callable[[], Daybook]) -> Writer:
    """Return the function with which the sending job writes messages in their club's language."""

    def write(draft: Draft) -> Written | None:
        with _translating_app().app_context(), force_locale(draft.language):
            described = _describe(book(), draft)
            stop = say("To stop these messages:") if draft.occasion != "invitation" else say("To get no invitations:")
        if described is None:
            return None
        text, path = described
        base_url = book().settings.base_url
        return Written(text, f"{base_url}{path}" if base_url else "", path, stop)

    return write


def _describe(book: Daybook, draft: Draft) -> Described:
    if draft.occasion in ACCOUNT_OCCASIONS:
        return _describe_account_mail(book, draft)
    if draft.occasion in ("claim", "claim_ruled"):
        return _describe_claim(book, draft.occasion, draft.subject)
    assert draft.club is not None
    return describe_occasion(book, draft.club, draft.occasion, draft.subject, person=draft.person)


@lru_cache(1)
def _translating_app() -> Flask:
    """Return an application that has translations and no page."""
    app = Flask(__name__, static_folder=None)
    words.init_translations(app)
    return app
