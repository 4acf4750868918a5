"""One table of a season: who sits there, when and where, its game, its result, and what changes of it did."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec
from flask import Blueprint, abort, flash, redirect, request, url_for
from werkzeug import Response

from daybook.domain.games import RULESETS, rules_of
from daybook.domain.kernel.game_names import ANY, is_among, is_by_name
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.results import NO_DETAILS, SEATS_LIMIT, Placed, PlayDetails, Result, by_score, follow_scores
from daybook.services import days
from daybook.services.files.validate import Misfit
from daybook.services.league import clubs, evenings, result_changes, results
from daybook.services.league.result_changes import TriedResult
from daybook.services.names import NAME_LIMIT
from daybook.services.people import access, seated
from daybook.services.store import disagreements
from daybook.services.store.games import UnknownGame
from daybook.services.store.kept import GameKept
from daybook.web.request.access import book, current_grant, held_grants, hold_grant
from daybook.web.request.clubs import (
    Names,
    club_at,
    guest_id,
    may,
    me,
    names_in,
    page_of,
    require_role,
    season_at,
    season_path,
    shared_as,
    signed,
    table_at,
    table_name,
    write_in_club,
)
from daybook.web.request.days import local_time, moment_sent, today, zone_of_visitor
from daybook.web.request.forms import (
    BadText,
    fresh_key,
    key_sent,
    number_in,
    option_fields,
    own_key,
    text_fault,
    whole_number,
    why_sent,
)
from daybook.web.request.seating import table_title
from daybook.web.words import league_words, say
from daybook.web.words.club_event_words import club_event_shown, people_in
from daybook.web.words.finding_words import FindingInWords, disagreements_in_words

page = Blueprint("table", __name__)

LINES = 12  # of a form for a result
NAMES_OFFERED = 200  # games that a club knows by their names
DETAILS = ("place", "minutes", "expansions", "board", "comments")  # its fields beside them


class ResultLine(msgspec.Struct, frozen=True):
    """One line of a form for a result, as it was typed."""

    person: str
    place: str = ""
    score: str = ""
    dropped: bool = False
    guest: str = ""
    new: bool = False


class Candidate(msgspec.Struct, frozen=True):
    """A recorded game that whoever asks may enter. guesses: for each seat the person of the club it seems to be."""

    kept: GameKept
    ruleset: str
    recorded: tuple[str, ...]
    guesses: tuple[str, ...]


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>")
def table(club_id: UUID, season_id: str, table_id: str) -> str:
    return _table_page(*_table_at(club_id, season_id, table_id))


def _table_at(club_id: UUID, season_id: str, table_id: str) -> tuple[Club, Season, SeasonTable]:
    club = club_at(club_id)
    season = season_at(club, season_id)
    return club, season, table_at(season, table_id)


def _table_page(
    club: Club,
    season: Season,
    table: SeasonTable,
    wrong: str = "",
    lines: Sequence[ResultLine] = (),
    opened: str = "",
    tried: TriedResult | None = None,
) -> str:
    events = [club.entries[step].event for step in table.steps]
    names = names_in(club, [*people_in(events), *(tried.after.people if tried else ())])
    result = standing_result(club, season, table)
    changes = result_changes.what_changed(book(), club, season.id, table.id) if season.league else []
    shared_as(
        club,
        f"{table_name(season, table)} – {season.name or club.name}",
        league_words.result_sentence(result, names)
        if result
        else ", ".join(league_words.person_name(person, names) for person in club.seats(table)),
    )
    return page_of(
        "league/table.html",
        club,
        season=season,
        table=table,
        heading=table_name(season, table),
        names=names,
        result=result,
        game=readable_game(table),
        changes=changes,
        wrong=wrong,
        key=fresh_key(),
        keys=fresh_key,
        lines=lines or blank_lines(club, table, result),
        opened=opened,
        playable=playable_games(club, season, table),
        typable=typed_games(club, season, table),
        by_name=clubs.games_by_name(club)[:NAMES_OFFERED] if any_game(club, season) else None,
        details=details_shown(table),
        candidates=candidates(club, season, table),
        history=[club_event_shown(club, event, names) for event in reversed(events)],
        against=what_the_rules_say(club, table, result),
        twins=twin_tables(club, season, table),
        inside=people_allowed(club, season, table),
        today=today(club),
        ruleset=request.form.get("ruleset", table.ruleset),
        walkover=table.typed is not None and table.typed.walkover,
        ended=days.day_of(table.typed.day, zone_of_visitor(club)) if table.typed else today(club),
        sent=request.form,
        zone=zone_of_visitor(club),
        when=local_time(table.when, zone_of_visitor(club)),
        **_tried_shown(tried),
    )


def standing_result(club: Club, season: Season, table: SeasonTable) -> Result | None:
    found = results.season_results(book(), club, season.id)
    return next((one for one in found if one.table == table.id), None)


class TwinTable(msgspec.Struct, frozen=True):
    """Another table that tells of the same evening."""

    season: Season
    table: SeasonTable

    @property
    def heading(self) -> str:
        return table_name(self.season, self.table)


def twin_tables(club: Club, season: Season, table: SeasonTable) -> list[TwinTable]:
    """Other tables of the same evening, for who may say which of them count."""
    if not may(club, "enter") or not season.is_open:
        return []
    return [TwinTable(club.season(one.season), one) for one in evenings.twins_of(book(), club, table)]


def what_the_rules_say(club: Club, table: SeasonTable, result: Result | None) -> list[FindingInWords]:
    """Why the rules disagree with the record of a table, for who may accept it; the game is over and lies open."""
    if result is None or "against_rules" not in result.marks or not may(club, "close"):
        return []
    game, kept = book().games.get(UUID(table.game)), book().kept.game(UUID(table.game))
    known = disagreements.standing(game, disagreements.of_game(book(), game.id))
    return disagreements_in_words(game, known, kept.names if kept else ()) if game.lies_open else []


def readable_game(table: SeasonTable) -> GameKept | None:
    """The record of a table, if whoever asks may read it; of others only the result is told."""
    if not table.game:
        return None
    game_id = UUID(table.game)
    kept = book().kept.game(game_id)
    return kept if access.may_read(kept, current_grant(game_id)) else None


def playable_games(club: Club, season: Season, table: SeasonTable | None) -> list[str]:
    """The games that can be played here, by their ids."""
    seats = len(table.seats) if table is not None and table.planned else 0
    found = [(key, game_and_sheet(key)) for key in club.rulesets(season) or tuple(RULESETS)]
    return [key for key, of in found if of is not None and (not seats or seats in of[0].seats_with(of[1]))]


def game_and_sheet(key: str) -> tuple[Ruleset[Any], Sheet] | None:
    """With what a game is played by its key, of one that is known by its name with its sheet; None: it cannot be."""
    if not is_by_name(key):
        return (RULESETS[key], book().sheets.printed_sheet(key)) if key in RULESETS else None
    rules, hash = rules_of(key), book().sheets.hash_by_name(key, me())
    return None if rules is None or hash is None else (rules, book().sheets.get(rules.id, hash))


def people_allowed(club: Club, season: Season, table: SeasonTable | None) -> list[str]:
    """Who may sit here: everybody of the group who has not withdrawn; beside the seasons everybody of the club."""
    if not season.league or (season.format.kind in ("free", "heats") and (table is None or not table.planned)):
        everybody = club.everybody()
        return [*everybody, *(person for person in (club.seats(table) if table else ()) if person not in everybody)]
    gone = club.withdrawn_people(season)
    return [
        one.person
        for one in club.entrants(season)
        if one.person not in gone and (table is None or (one.division, one.group) == (table.division, table.group))
    ]


def blank_lines(club: Club, table: SeasonTable, result: Result | None) -> list[ResultLine]:
    """The form for a result: as it stands, or everybody who is to sit there. Places that follow from the scores are
    left out, so that they follow from another score, too."""
    if result is None:
        return [ResultLine(person) for person in club.seats(table)]
    follow = follow_scores(result.placed)
    return [
        ResultLine(
            one.person,
            "" if follow else str(one.place),
            "" if one.score is None else str(one.score),
            one.dropped,
            new=table.typed is not None and one.person in table.typed.details.new,
        )
        for one in sorted(result.placed, key=lambda one: one.seat if one.seat is not None else 99)
    ]


# --- games -----------------------------------------------------------------------------------------------------------


def candidates(club: Club, season: Season, table: SeasonTable | None) -> list[Candidate]:
    """Recorded games whose scorekeeper asks, that fit here and are not entered in the club yet."""
    found = []
    people = people_allowed(club, season, table)
    names = names_in(club)
    for grant in held_grants():
        if grant.role != "scorekeeper" or str(grant.game) in club.games:
            continue
        kept = book().kept.game(grant.game)
        try:
            game = book().games.get(grant.game)
        except UnknownGame:
            continue
        seats = tuple(club.person(id) for id in seated.people_of(game, kept))
        fits = table is None or not table.planned or len(seats) == len(table.seats)
        if kept is None or not fits or game.status == "abandoned":
            continue
        if not is_among(game.game_key, club.rulesets(season)):
            continue
        found.append(
            Candidate(
                kept,
                game.game_key,
                seats,
                tuple(
                    seat if seat in people else guess_person(kept.names[at], people, names)
                    for at, seat in enumerate(seats)
                ),
            )
        )
    return found


def guess_person(name: str, people: Sequence[str], names: Names) -> str:
    """The person of the same name; empty if there is none."""
    return next((person for person in people if names.get(person, "").casefold() == name.casefold()), "")


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/open")
def open_game(club_id: UUID, season_id: str, table_id: str) -> Response | tuple[str, int]:
    """Opens the game of a table with one tap: its people in their seats, all else as the game is usually played."""
    club, season, table = _table_at(club_id, season_id, table_id)
    require_role(club, "open")
    ruleset_id = request.form.get("ruleset", "")
    played = game_and_sheet(ruleset_id)
    if played is None or ruleset_id not in playable_games(club, season, table):
        abort(400)
    (rules, sheet), people = played, club.seats(table)
    colours = rules.colours(sheet)[: len(people)]
    options = {field.name: field.default for field in option_fields(rules.types.options)}
    title, opened = table_title(season, table), list[UUID]()
    key = own_key(key_sent(), [table_id, ruleset_id, title, people])
    against = write_in_club(
        lambda: opened.append(
            clubs.open_table(
                book(),
                club_id,
                season.id,
                table_id,
                ruleset_id=rules.id,
                title=title,
                people=people,
                colours=colours,
                options=options,
                sheet=sheet.digest() if is_by_name(ruleset_id) else None,
                by=me(),
                key=key,
            )[0].game
        )
    )
    if against:
        return _table_page(club, season, table, wrong=against), 422
    given = access.make_first_grants(book(), opened[0])
    hold_grant(next(grant for grant in given if grant.role == "scorekeeper"))
    return redirect(url_for("links.links", game_id=opened[0], new=1), 303)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/enter")
def enter_game(club_id: UUID, season_id: str, table_id: str) -> Response | tuple[str, int]:
    club, season, table = _table_at(club_id, season_id, table_id)
    require_role(club, "enter")
    if against := _enter_recorded_game(club, season, table):
        return _table_page(club, season, table, wrong=against, opened="enter"), 422
    return _back_to_table(club, season, table_id)


def _enter_recorded_game(club: Club, season: Season, table: SeasonTable | None) -> str:
    """Enters the recorded game that the form names; what stands against it."""
    sent = request.form.get("game", "")
    chosen = next((one for one in candidates(club, season, table) if str(one.kept.id) == sent), None)
    if chosen is None:
        return say("Open the scorekeeper’s link of that game on this device first.")
    people = [request.form.get(f"seat.{sent}.{seat}", "") for seat in range(len(chosen.recorded))]
    if not all(people):
        return say("Say who sat in each seat.")
    return write_in_club(
        lambda: clubs.enter_game(
            book(),
            club.id,
            season.id,
            chosen.kept.id,
            table.id if table else None,
            people,
            why_sent(),
            another=bool(request.form.get("another")),
            is_keeper=True,
            **signed(),
        )
    )


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/sat")
def who_sat(club_id: UUID, season_id: str, table_id: str) -> Response | tuple[str, int]:
    """Others sat there than the record names, or in other seats."""
    club, season, table = _table_at(club_id, season_id, table_id)
    require_role(club, "enter")
    people = [request.form.get(f"person.{at}", "") for at in range(len(table.played))]
    if against := write_in_club(
        lambda: clubs.say_who_sat(book(), club_id, season.id, table_id, people, why_sent(), **signed())
    ):
        return _table_page(club, season, table, wrong=against, opened="sat"), 422
    return _back_to_table(club, season, table_id)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/apart")
def apart(club_id: UUID, season_id: str, table_id: str) -> Response | tuple[str, int]:
    """What looks like the evening of another table was one of its own."""
    club, season, table = _table_at(club_id, season_id, table_id)
    require_role(club, "enter")
    other = request.form.get("season", ""), request.form.get("table", "")
    if against := write_in_club(
        lambda: clubs.say_apart(book(), club_id, season.id, table_id, other, why_sent(), **signed())
    ):
        return _table_page(club, season, table, wrong=against, opened="apart"), 422
    return _back_to_table(club, season, table_id)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/remove")
def remove_game(club_id: UUID, season_id: str, table_id: str) -> Response | tuple[str, int]:
    club, season, table = _table_at(club_id, season_id, table_id)
    require_role(club, "enter")
    if not table.game:
        abort(409)
    if against := write_in_club(
        lambda: clubs.remove_game(book(), club_id, season.id, table_id, UUID(table.game), why_sent(), **signed())
    ):
        return _table_page(club, season, table, wrong=against, opened="remove"), 422
    return _back_to_table(club, season, table_id)


def _back_to_table(club: Club, season: Season, table_id: str) -> Response:
    return redirect(url_for("table.table", club_id=club.id, season_id=season_path(season), table_id=table_id), 303)


# --- results that nobody recorded ------------------------------------------------------------------------------------


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/result")
def type_result(club_id: UUID, season_id: str, table_id: str) -> Response | tuple[str, int]:
    club, season, table = _table_at(club_id, season_id, table_id)
    require_role(club, "enter")
    lines = _lines_sent(club)
    against = _type_result(club, season, table, lines)
    if isinstance(against, TriedResult):
        return _table_page(club, season, table, lines=lines, opened="result", tried=against), 200
    if against:
        return _table_page(club, season, table, wrong=against, lines=lines, opened="result"), 422
    return _back_to_table(club, season, table_id)


def _lines_sent(club: Club) -> list[ResultLine]:
    """The lines of the form as they were typed; those without a person are left out."""
    form, found = request.form, []
    for at in range(LINES):
        line = ResultLine(
            form.get(f"person.{at}", ""),
            form.get(f"place.{at}", "").strip(),
            form.get(f"score.{at}", "").strip(),
            bool(form.get(f"dropped.{at}")),
            " ".join(form.get(f"guest.{at}", "").split()),
            bool(form.get(f"new.{at}")),
        )
        if line.person or line.guest:
            found.append(line)
    return found


def _type_result(
    club: Club, season: Season, table: SeasonTable | None, lines: Sequence[ResultLine]
) -> str | TriedResult:
    """Has a typed result written; what stands against it. Where it takes the place of another, or its places are
    against its scores, what it comes to is looked at first: that is returned, and nothing is written."""
    game = _game_sent(club, season, table)
    if not game:
        return say("Say which game it was.")
    ended = request.form.get("ended", "").strip()
    if ended and days.read_day(ended) is None:
        return say("Enter the day as 2026-11-20.")
    placed = places_of_lines(club, lines)
    if isinstance(placed, str):
        return placed
    details = _details_sent(details_shown(table), lines, placed)
    if isinstance(details, str):
        return details
    given = (
        book(),
        club.id,
        season.id,
        game,
        placed,
        table.id if table else None,
        _end_of_game(club, table, ended),
        why_sent(),
    )
    walkover = bool(request.form.get("walkover"))
    then: list[Club] = []
    try:
        against = write_in_club(
            lambda: then.append(clubs.try_result(*given, walkover=walkover, details=details, by=me()))
        )
        if against:
            return against
        tried = result_changes.try_typed(book(), club, then[0])
        if (tried.before or tried.contradiction) and request.form.get("seen") != _preview_digest(tried):
            return tried
        return write_in_club(
            lambda: clubs.type_result(
                *given, walkover=walkover, details=details, **signed(), at=_known_step() if table else None
            )
        )
    except Misfit:
        return say("Enter the day as 2026-11-20.")


def _game_sent(club: Club, season: Season, table: SeasonTable | None) -> str:
    """Which game a form says it was: one of those that can be played here, or any, by its name; empty: it says none."""
    known = typed_games(club, season, table)
    sent = request.form.get("ruleset", "")
    name = " ".join(request.form.get("game_name", "").split()) if any_game(club, season) else ""
    if name:
        named = clubs.game_named(club, name)
        return named if is_by_name(named) or named in known else ""
    if sent in known or (is_by_name(sent) and sent in clubs.games_by_name(club) and any_game(club, season)):
        return sent
    return known[0] if len(known) == 1 and not sent and not any_game(club, season) else ""


def typed_games(club: Club, season: Season, table: SeasonTable | None) -> list[str]:
    """Of the games that can be played here those that one word names; the others are typed in by the name of their sheet."""
    known = [id for id in playable_games(club, season, table) if id in RULESETS and RULESETS[id].title_of is None]
    return known + [key for key in club.rulesets(season) if is_by_name(key) and key != ANY]


def any_game(club: Club, season: Season) -> bool:
    """Whether any game may have been played here, also one that is known by its name alone."""
    return is_among(ANY, club.rulesets(season))


def _details_sent(known: PlayDetails, lines: Sequence[ResultLine], placed: Sequence[Placed]) -> PlayDetails | str:
    """What a form tells of the play beside the places, or what is wrong with it. known: what was told before; what no
    form asks for stays."""
    form = request.form
    try:
        minutes = whole_number(form["minutes"].strip()) if form.get("minutes", "").strip() else 0
    except BadText:
        return say("The minutes are a whole number.")
    expansions = [" ".join(name.split()) for name in form.get("expansions", "").split(",")]
    return msgspec.structs.replace(
        known.among(placed),
        place=" ".join(form.get("place", "").split()),
        minutes=minutes,
        expansions=tuple(filter(None, expansions)),
        board=" ".join(form.get("board", "").split()),
        comments=form.get("comments", "").strip(),
        new=tuple(one.person for line, one in zip(lines, placed, strict=True) if line.new),
    )


def details_shown(table: SeasonTable | None) -> PlayDetails:
    """What is told of a play, as its form begins."""
    return table.typed.details if table is not None and table.typed is not None else NO_DETAILS


def _end_of_game(club: Club, table: SeasonTable | None, day: str) -> str:
    """When the game ended, for the day that a form says; empty: the service knows."""
    zone = zone_of_visitor(club)
    typed = None if table is None else table.typed
    known = days.day_of(typed.day, zone) if typed else days.today_of(zone)
    return "" if day in ("", known) else days.moment_in(day, zone)


def _preview_digest(tried: TriedResult) -> str:
    """What was looked at, so that nothing else is written by the same form."""
    told = [value for name, value in sorted(request.form.items()) if name in DETAILS or name.startswith("new.")]
    said = msgspec.json.encode((tried.after.ruleset, tried.after.placed, tried.after.at[:10], tried.after.marks, told))
    return hashlib.sha256(said).hexdigest()


def _known_step() -> int | None:
    """The club's newest step when the form was made."""
    return number_in(request.form.get("step", ""))


def _tried_shown(tried: TriedResult | None) -> dict[str, Any]:
    """What a page shows of a result that is looked at first: whoever plays for the same places, before and after."""
    if tried is None:
        return {"tried": None}
    people = {*tried.after.people, *(one.person for one in tried.changed)}
    return {
        "tried": tried,
        "seen": _preview_digest(tried),
        "beside_tried": [
            (row.person, tried.standings_before.row(row.person), row)
            for group in tried.standings_after.groups
            if people & {row.person for row in group.rows}
            for row in group.rows
        ],
        "resent": [
            (name, value) for name, value in request.form.items() if name not in ("csrf", "key", "seen", "step")
        ],
    }


def places_of_lines(club: Club, lines: Sequence[ResultLine]) -> tuple[Placed, ...] | str:
    """The places that a form says, or what is wrong with them. Without any place the scores make them."""
    try:
        scores = [whole_number(line.score) if line.score else None for line in lines]
        places = [whole_number(line.place) if line.place else None for line in lines]
    except BadText:
        return say("Places and scores are whole numbers.")
    for line in lines:
        if line.guest and (sentence := text_fault(line.guest, NAME_LIMIT, "")):
            return sentence
    if not any(line.place for line in lines):
        needed = [line for line, score in zip(lines, scores, strict=True) if score is None and not line.dropped]
        if needed and not request.form.get("walkover"):
            return say("Enter everybody’s place, or everybody’s score.")
        places = [*by_score([(score, line.dropped) for score, line in zip(scores, lines, strict=True)])]
    told = [place for place in places if place is not None]
    if len(told) < len(lines):
        return say("Enter everybody’s place, or nobody’s.")
    return tuple(
        Placed(line.person or guest_id(club, line.guest, key_sent()), at, place, score, line.dropped)
        for at, (line, place, score) in enumerate(zip(lines, told, scores, strict=True))
    )


@page.route("/clubs/<uuid:club_id>/seasons/<season_id>/tables/new", methods=["GET", "POST"])
def new(club_id: UUID, season_id: str) -> str | Response | tuple[str, int]:
    """A game that no schedule holds: of a season of free play or of heats, or beside every season."""
    club = club_at(club_id)
    require_role(club, "enter")
    season = season_at(club, season_id)
    if season.league and season.format.kind not in ("free", "heats"):
        abort(404)
    if request.method != "POST":
        return _new_table_page(club, season)
    lines, step = _lines_sent(club), club.step
    against = (
        _enter_recorded_game(club, season, None)
        if request.form.get("game")
        else _type_result(club, season, None, lines)
    )
    if isinstance(against, TriedResult):
        return _new_table_page(club, season, lines=lines, tried=against)
    if against:
        return _new_table_page(club, season, against, lines), 422
    after = book().clubs.get(club_id)
    tables = [getattr(entry.event, "table", "") for entry in after.entries[step + 1 :]]
    flash(say("The game is entered."))
    return _back_to_table(after, season, next((table for table in reversed(tables) if table), "1"))


def _new_table_page(
    club: Club, season: Season, wrong: str = "", lines: Sequence[ResultLine] = (), tried: TriedResult | None = None
) -> str:
    return page_of(
        "league/table_new.html",
        club,
        season=season,
        heading=say("Enter a game"),
        wrong=wrong,
        key=fresh_key(),
        lines=[*lines, *[ResultLine("")] * ((SEATS_LIMIT if season.league else LINES) - len(lines))],
        playable=playable_games(club, season, None),
        typable=typed_games(club, season, None),
        by_name=clubs.games_by_name(club)[:NAMES_OFFERED] if any_game(club, season) else None,
        details=NO_DETAILS,
        inside=people_allowed(club, season, None),
        candidates=candidates(club, season, None),
        today=today(club),
        ended=today(club),
        ruleset=request.form.get("ruleset", ""),
        names=names_in(club, tried.after.people if tried else ()),
        **_tried_shown(tried),
    )


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/void")
def void(club_id: UUID, season_id: str, table_id: str) -> Response | tuple[str, int]:
    club, season, table = _table_at(club_id, season_id, table_id)
    require_role(club, "rule")
    if against := write_in_club(lambda: clubs.void(book(), club_id, season.id, table_id, why_sent(), **signed())):
        return _table_page(club, season, table, wrong=against, opened="void"), 422
    return _back_to_table(club, season, table_id)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/accept")
def accept(club_id: UUID, season_id: str, table_id: str) -> Response | tuple[str, int]:
    """The result counts although the rules disagree with its record."""
    club, season, table = _table_at(club_id, season_id, table_id)
    require_role(club, "close")
    if against := write_in_club(
        lambda: clubs.accept_result(book(), club_id, season.id, table_id, why_sent(), **signed())
    ):
        return _table_page(club, season, table, wrong=against, opened="accept"), 422
    return _back_to_table(club, season, table_id)


# --- when, where, who ------------------------------------------------------------------------------------------------


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/plan")
def plan(club_id: UUID, season_id: str, table_id: str) -> Response | tuple[str, int]:
    club, season, table = _table_at(club_id, season_id, table_id)
    require_role(club, "schedule")
    try:
        when = moment_sent("when")
        against = write_in_club(
            lambda: clubs.plan_table(
                book(), club_id, season.id, table_id, when, request.form.get("place", ""), **signed()
            )
        )
    except BadText:
        against = say("Enter day and time as 2026-11-20T19:30.")
    if against:
        return _table_page(club, season, table, wrong=against, opened="plan"), 422
    return _back_to_table(club, season, table_id)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/seats")
def seats(club_id: UUID, season_id: str, table_id: str) -> Response | tuple[str, int]:
    club, season, table = _table_at(club_id, season_id, table_id)
    require_role(club, "schedule")
    people = [request.form.get(f"person.{at}", "") for at in range(SEATS_LIMIT)]
    if against := write_in_club(
        lambda: clubs.change_seats(
            book(), club_id, season.id, table_id, [person for person in people if person], why_sent(), **signed()
        )
    ):
        return _table_page(club, season, table, wrong=against, opened="seats"), 422
    return _back_to_table(club, season, table_id)
