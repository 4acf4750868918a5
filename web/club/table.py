"""A table of a season: people, time and place, its game, its result, and the effect of changes."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from flask import Blueprint, abort, flash, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.club_commands import (
    AcceptResult,
    AgreeToDay,
    ChangeSeats,
    ClubCommand,
    ConfirmSeparateGames,
    CorrectSeating,
    EnterGame,
    EnterResult,
    MergePlays,
    PlanTable,
    PostponeTable,
    ProposeDay,
    RecordForfeit,
    RemoveGame,
    ReportAbsence,
    RestoreSeat,
    SeatSubstitute,
    VoidResult,
)
from daybook.domain.league.club_events import AbsenceReported, DayAgreed, DayProposed
from daybook.domain.league.results import NO_DETAILS, SEATS_LIMIT, Result
from daybook.services import days
from daybook.services.files.validate import MisfitError
from daybook.services.league import clubs, duplicate_games, result_changes, results
from daybook.services.league.club_imports import PlannedPlay, merged_into, shown_result
from daybook.services.league.clubs.game_commands import details_at
from daybook.services.league.result_changes import TriedResult
from daybook.services.names import NAME_LIMIT
from daybook.services.permissions import access
from daybook.services.permissions.actions import ClubAction, may_read
from daybook.services.store import disagreements
from daybook.services.store.kept import GameKept
from daybook.web.club.result_form import (
    LINES,
    ResultLine,
    UnknownGame,
    blank_lines,
    games_offered,
    guests_sent,
    known_step,
    lines_sent,
    tried_shown,
    write_typed,
)
from daybook.web.club.table_choices import (
    NAMES_OFFERED,
    any_game,
    candidates,
    people_allowed,
    playable_games,
    typed_games,
    usual_game,
)
from daybook.web.request.access import book, current_grant, hold_grant
from daybook.web.request.clubs import (
    club_names,
    guest_id,
    people_offered,
    person_typed,
    preview_club_page,
    render_club_page,
    require_club,
    require_role,
    run_club_write,
    season_at,
    season_path,
    table_at,
    table_label,
    user_id,
    user_may,
    write_in_club,
)
from daybook.web.request.days import form_time, moment_sent, viewer_today, zone_of_visitor
from daybook.web.request.forms import (
    BadTextError,
    fresh_key,
    key_sent,
    record_key,
    see_other,
    text_fault,
    text_sent,
    why_sent,
)
from daybook.web.request.seating import table_title
from daybook.web.request.template_globals import as_sentence
from daybook.web.words import game_title, league_words, say
from daybook.web.words.club_event_words import club_event_shown, people_in
from daybook.web.words.finding_words import FindingInWords, disagreements_in_words

page = Blueprint("table", __name__)

AtTable = tuple[Club, Season, SeasonTable]
ATTENDANCE_EVENTS = AbsenceReported | DayProposed | DayAgreed  # entries about the day of a table and its absences


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>")
def table(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    club = require_club(club_id)
    if season_id == season_path(club.beside) and (merged := club.table_of(club.beside.joined.get(table_id, ""))):
        return _back_to_table(club, club.season(merged.season), merged.id)
    return _table_page(*_table_at(club_id, season_id, table_id))


def _table_at(club_id: UUID, season_id: str, table_id: str, action: ClubAction = "read_club") -> AtTable:
    """Return the table of the address, or abort unless the visitor may do `what` there."""
    club = require_club(club_id)
    season = season_at(club, season_id)
    table = table_at(season, table_id)
    require_role(club, action)
    return club, season, table


def _table_page(
    club: Club,
    season: Season,
    table: SeasonTable,
    error: str = "",
    lines: Sequence[ResultLine] = (),
    opened: str = "",
    tried: TriedResult | None = None,
    unknown_game: UnknownGame | None = None,
) -> str:
    events = [club.entries[step].event for step in table.steps]
    if club.shows_days_only:
        events = [event for event in events if not isinstance(event, ATTENDANCE_EVENTS)]
    names = {**club_names(club, people_in(events)), **(guests_sent(club, lines) if tried else {})}
    members = [club.person(seat) for seat in table.seats]
    result = results.results_of_tables(book(), club, [table]).get(table.result_id)
    changes = result_changes.what_changed(book(), club, season.id, table.id) if season.league else []
    preview_club_page(
        club,
        f"{table_label(season, table)} – {season.name or club.name}",
        league_words.result_sentence(result, names)
        if result
        else ", ".join(league_words.person_name(person, names) for person in club.seats(table)),
    )
    return render_club_page(
        "league/table.html",
        club,
        season=season,
        table=table,
        heading=table_label(season, table) if season.league or not table.ruleset else game_title(table.ruleset),
        names=names,
        result=result,
        may_correct=_may_type_result(club, season, table),
        may_confirm=club.person(user_id()) in club.confirmers(table)
        and user_may(club, AcceptResult, season=season.id, table=table.id),
        may_report_absence=user_may(club, ReportAbsence, season=season.id, table=table.id),
        may_propose_day=user_may(club, ProposeDay, season=season.id, table=table.id),
        proposed=form_time(table.proposal.when if table.proposal else table.when, zone_of_visitor(club)),
        may_void=user_may(club, VoidResult, season=season.id, table=table.id),
        facts=league_words.play_facts(club, table, result),
        game=readable_game(table),
        changes=changes,
        wrong=error,
        key=fresh_key(),
        keys=fresh_key,
        lines=lines or blank_lines(club, table, result),
        opened=opened,
        playable=playable_games(club, season, table),
        typable=typed_games(club, season, table),
        any_game=any_game(club, season),
        games=_games_for_list(club, season, table),
        unknown_game=unknown_game,
        details=NO_DETAILS if table.game else details_at(club, table),
        candidates=candidates(club, season, table),
        history=[club_event_shown(club, event, names) for event in reversed(events)],
        against=objections_of_rules(club, table, result),
        twins=twin_tables(club, season, table),
        merged=merged_into(club, table) if table.joined else [],
        inside=people_offered(
            club, people_allowed(club, season, table), [*club.seats(table), *(line.person for line in lines)]
        ),
        format_substitutes=as_sentence(say(league_words.SUBSTITUTE_RESULTS[season.format.substitute_result])),
        stand_ins=club.stand_ins(table),
        restorable=[
            seat.person
            for seat in club.stand_ins(table)
            if user_may(club, RestoreSeat, season=season.id, table=table.id, person=seat.person)
        ],
        replaceable=[seat for seat in members if _may_seat_substitute(club, season, table, seat)],
        seat_owners={person: _seat_owner(club, table, person) for person in club.seats(table)},
        absent_person=club.person(text_sent("person") if opened == "stand_in" else request.args.get("absent", "")),
        members=members,
        substitutes=people_offered(
            club, [person for person in club.everybody() if person not in {*club.names_at(table), *club.seats(table)}]
        )
        if table.planned
        else [],
        today=viewer_today(club),
        ruleset=request.form.get("ruleset", table.ruleset or table.planned_game),
        walkover=table.typed is not None and table.typed.walkover,
        ended=days.day_of(table.typed.day, zone_of_visitor(club)) if table.typed else viewer_today(club),
        sent=request.form,
        zone=zone_of_visitor(club),
        when=form_time(table.when, zone_of_visitor(club)),
        **tried_shown(tried),
    )


def _may_type_result(club: Club, season: Season, table: SeasonTable) -> bool:
    """Check if the user may type a result now. Players of a table may until another player confirms it."""
    is_open = not season.league or not table.is_settled or table.is_unapproved
    return user_may(club, EnterResult, season=season.id, table=table.id) and (
        is_open or user_may(club, "enter_results")
    )


def _games_for_list(club: Club, season: Season, table: SeasonTable | None) -> list[tuple[str, str]]:
    """Return the games that can be typed in here, with the known facts of each."""
    by_name = clubs.games_by_name(club)[:NAMES_OFFERED] if any_game(club, season) else []
    return games_offered(club, [*typed_games(club, season, table), *by_name])


class TwinTable(Frozen):
    """Another table that may report the same evening.

    shown: its play. to_merge: the table that becomes part of the other one in a merge.
    """

    season: Season
    table: SeasonTable
    shown: PlannedPlay | None
    to_merge: SeasonTable | None
    is_sure: bool

    @property
    def heading(self) -> str:
        return table_label(self.season, self.table)


def twin_tables(club: Club, season: Season, table: SeasonTable) -> list[TwinTable]:
    """Return tables that may report the same game, for users with the right to enter results."""
    if not user_may(club, "enter_results") or not season.is_open:
        return []
    found = duplicate_games.find_possible_duplicates(book(), club, table)
    ended = results.results_of_tables(book(), club, [twin.table for twin in found])
    return [
        TwinTable(
            club.season(twin.table.season),
            twin.table,
            shown_result(club, ended[twin.table.result_id]) if twin.table.result_id in ended else None,
            twin.to_merge,
            twin.is_sure,
        )
        for twin in found
    ]


def objections_of_rules(club: Club, table: SeasonTable, result: Result | None) -> list[FindingInWords]:
    """Return why the rules disagree with a finished record, for users with the right to accept it."""
    if result is None or "against_rules" not in result.marks or not user_may(club, "close_seasons"):
        return []
    game, row = book().games.get(UUID(table.game)), book().kept.game(UUID(table.game))
    objections = disagreements.filter_standing(game, disagreements.select_of_game(book().kept, game.id))
    return disagreements_in_words(game, objections, row.names if row else ()) if game.is_revealed else []


def readable_game(table: SeasonTable) -> GameKept | None:
    """Return the game of a table if the visitor may read it; of other games only the result is shown."""
    if not table.game:
        return None
    game_id = UUID(table.game)
    game = book().kept.game(game_id)
    return game if may_read(game, current_grant(game_id)) else None


# --- games -----------------------------------------------------------------------------------------------------------


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/open")
def open_game(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    """Open the game of a table with one tap, with its people in their seats and the usual settings."""
    club, season, table = _table_at(club_id, season_id, table_id, "open_tables")
    ruleset_id = text_sent("ruleset")
    people, title, opened = club.seats(table), table_title(season, table), list[UUID]()
    new = usual_game(club, ruleset_id, title, people)
    if new is None or ruleset_id not in playable_games(club, season, table):
        abort(400)
    key = record_key(key_sent(), [table_id, ruleset_id, title, people])
    against = run_club_write(
        lambda: opened.append(
            clubs.open_table(book(), club_id, season.id, table_id, new, by=user_id(), key=key)[0].record
        )
    )
    if against:
        return _table_page(club, season, table, error=against), 422
    given = access.make_first_grants(book(), opened[0])
    hold_grant(next(grant for grant in given if grant.role == "scorekeeper"))
    return see_other("links.links", game_id=opened[0], new=1)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/enter")
def enter_game(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    at = _table_at(club_id, season_id, table_id, "enter_results")
    return _back_or_error(at, "enter", _enter_recorded_game(*at))


def _enter_recorded_game(club: Club, season: Season, table: SeasonTable | None) -> str:
    """Enter the recorded game that the form names, and return why it was refused; empty if it was entered."""
    sent = text_sent("game")
    chosen = next((candidate for candidate in candidates(club, season, table) if str(candidate.kept.id) == sent), None)
    if chosen is None:
        return say("Open the scorekeeper’s link of that game on this device first.")
    people = [text_sent(f"seat.{sent}.{seat}") for seat in range(len(chosen.recorded))]
    if not all(people):
        return say("Say who sat in each seat.")
    return write_in_club(
        club.id,
        EnterGame(
            season.id,
            str(chosen.kept.id),
            table.id if table else "",
            tuple(people),
            why_sent(),
            separate=bool(request.form.get("separate")),
        ),
    )


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/seating")
def correct_seating(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    """Correct the people or the seats of a recorded game."""
    _, season, table = at = _table_at(club_id, season_id, table_id, "enter_results")
    people = tuple(text_sent(f"person.{seat}") for seat in range(len(table.played)))
    return _change(at, "sat", CorrectSeating(season.id, table.id, people, why_sent()))


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/separate-games")
def confirm_separate_games(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    """Confirm that two tables that look like the same game were two games."""
    _, season, table = at = _table_at(club_id, season_id, table_id, "enter_results")
    command = ConfirmSeparateGames(season.id, table.id, text_sent("season"), text_sent("table"), why_sent())
    return _change(at, "apart", command)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/merge")
def merge_plays(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    """Merge the play of the table with another play, and show the page of the play that stays."""
    club, _, table = at = _table_at(club_id, season_id, table_id, "enter_results")
    other = table_at(season_at(club, text_sent("season")), text_sent("table"))
    to_merge = duplicate_games.choose_table_to_merge(table, other) or table
    stays = other if to_merge is table else table
    if error := write_in_club(
        club.id, MergePlays(to_merge.season, to_merge.id, stays.season, stays.id, text_sent("why"))
    ):
        return _table_page(*at, error=error, opened="merge"), 422
    flash(say("These are one play now. You can make them two again at any time."))
    return _back_to_table(club, club.season(stays.season), stays.id)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/remove")
def remove_game(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    _, season, table = at = _table_at(club_id, season_id, table_id, "enter_results")
    if not table.game:
        abort(409)
    return _change(at, "remove", RemoveGame(season.id, table.id, table.game, why_sent()))


def _change(at: AtTable, opened: str, command: ClubCommand) -> ResponseReturnValue:
    """Write a command from a form of the table's page.

    Args:
        opened: the part of the page that has the form.
    """
    return _back_or_error(at, opened, write_in_club(at[0].id, command))


def _back_or_error(at: AtTable, opened: str, error: str) -> ResponseReturnValue:
    """Return to the table's page, or show the error on it."""
    club, season, table = at
    if error:
        return _table_page(club, season, table, error=error, opened=opened), 422
    return _back_to_table(club, season, table.id)


def _back_to_table(club: Club, season: Season, table_id: str) -> Response:
    return see_other("table.table", club_id=club.id, season_id=season_path(season), table_id=table_id)


# --- results without a record ------------------------------------------------------------------------------------


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/result")
def type_result(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    club, season, table = _table_at(club_id, season_id, table_id)
    require_role(club, EnterResult, season=season.id, table=table.id)
    lines = lines_sent(club, people_allowed(club, season, table))
    against = write_typed(club, season, table, lines)
    if isinstance(against, TriedResult):
        return _table_page(club, season, table, lines=lines, opened="result", tried=against), 200
    if isinstance(against, UnknownGame):
        return _table_page(club, season, table, lines=lines, opened="result", unknown_game=against), 200
    if against:
        return _table_page(club, season, table, error=against, lines=lines, opened="result"), 422
    return _back_to_table(club, season, table_id)


@page.route("/clubs/<uuid:club_id>/seasons/<season_id>/tables/new", methods=["GET", "POST"])
def new(club_id: UUID, season_id: str) -> ResponseReturnValue:
    """Enter a game without a planned table: in free play or heats, or outside all seasons."""
    club = require_club(club_id, "log_plays")
    season = season_at(club, season_id)
    if season.league or request.form.get("game"):
        require_role(club, "enter_results")
    if season.league and season.format.kind not in ("free", "heats"):
        abort(404)
    if request.method != "POST":
        people = [person for person in request.args.getlist("person") if person in club.everybody()]
        return _new_table_page(club, season, lines=[ResultLine(person) for person in people[:LINES]])
    lines, step = lines_sent(club, people_allowed(club, season, None)), club.step
    against = (
        _enter_recorded_game(club, season, None) if request.form.get("game") else write_typed(club, season, None, lines)
    )
    if isinstance(against, TriedResult):
        return _new_table_page(club, season, lines=lines, tried=against)
    if isinstance(against, UnknownGame):
        return _new_table_page(club, season, lines=lines, unknown_game=against)
    if against:
        return _new_table_page(club, season, against, lines), 422
    after = book().clubs.get(club_id)
    tables = [getattr(entry.event, "table", "") for entry in after.entries[step + 1 :]]
    flash(say("The game is entered."))
    return _back_to_table(after, season, next((table for table in reversed(tables) if table), "1"))


def _new_table_page(
    club: Club,
    season: Season,
    error: str = "",
    lines: Sequence[ResultLine] = (),
    tried: TriedResult | None = None,
    unknown_game: UnknownGame | None = None,
) -> str:
    requested = request.args.get("game", "")  # of a finished game's page
    return render_club_page(
        "league/table_new.html",
        club,
        season=season,
        heading=say("Enter a game") if season.league or requested else say("Log a play"),
        wrong=error,
        key=fresh_key(),
        lines=[*lines, *[ResultLine("")] * ((SEATS_LIMIT if season.league else LINES) - len(lines))],
        typable=typed_games(club, season, None),
        any_game=any_game(club, season),
        games=_games_for_list(club, season, None),
        unknown_game=unknown_game,
        details=NO_DETAILS,
        inside=people_offered(club, people_allowed(club, season, None), [line.person for line in lines]),
        candidates=[each for each in candidates(club, season, None) if requested in ("", str(each.kept.id))],
        only_recorded=bool(requested),
        today=viewer_today(club),
        ended=viewer_today(club),
        ruleset=request.values.get("ruleset", "").strip(),
        named=request.values.get("game_name", "").strip(),
        names={**club_names(club), **(guests_sent(club, lines) if tried else {})},
        **tried_shown(tried),
    )


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/void")
def void(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    club, season, table = at = _table_at(club_id, season_id, table_id)
    require_role(club, VoidResult, season=season.id, table=table.id)
    opened = "approve" if table.is_unapproved and "step" in request.form else "void"
    return _settle(at, opened, VoidResult(season.id, table.id, why_sent()))


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/accept")
def accept(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    """Let a result count although the rules disagree with its record, or approve what a member entered."""
    club, season, table = at = _table_at(club_id, season_id, table_id)
    require_role(club, AcceptResult, season=season.id, table=table.id)
    return _settle(at, "accept" if table.game else "approve", AcceptResult(season.id, table.id, why_sent()))


def _settle(at: AtTable, opened: str, command: AcceptResult | VoidResult) -> ResponseReturnValue:
    """Write if a result counts, unless it changed since the form was rendered; return to the list if that has the form."""
    club, error = at[0], write_in_club(at[0].id, command, at=known_step())
    if not error and request.form.get("back") == "list":
        return see_other("plays.plays", club_id=club.id, mark="unapproved")
    return _back_or_error(at, opened, error)


# --- time, place and people ------------------------------------------------------------------------------------------------


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/plan")
def plan(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    _, season, _ = at = _table_at(club_id, season_id, table_id, "schedule")
    try:
        when = moment_sent()
        against = write_in_club(club_id, PlanTable(season.id, table_id, when, text_sent("place")))
    except BadTextError:
        against = say("Enter day and time as 2026-11-20T19:30.")
    return _back_or_error(at, "plan", against)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/postpone")
def postpone(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    _, season, _ = at = _table_at(club_id, season_id, table_id, "schedule")
    try:
        against = write_in_club(club_id, PostponeTable(season.id, table_id, moment_sent(), why_sent()))
    except (BadTextError, MisfitError):
        against = say("Enter day and time as 2026-11-20T19:30.")
    return _back_or_error(at, "postpone", against)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/stand-in")
def stand_in(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    """Seat a substitute, or record that a player did not come."""
    club, season, table = at = _table_at(club_id, season_id, table_id)
    person, instead = text_sent("person"), request.form.get("instead", "")
    require_role(club, SeatSubstitute, season=season.id, table=table.id, person=person)
    if instead == "substitute":
        guest = " ".join(text_sent("guest").split())
        substitute = text_sent("substitute") or person_typed(club, guest, club.everybody())
        if not substitute and not guest:
            return _back_or_error(at, "stand_in", say("Say who plays instead."))
        if guest and not substitute and (sentence := text_fault(guest, NAME_LIMIT, "")):
            return _back_or_error(at, "stand_in", sentence)
        guests = {} if substitute else {guest_id(club, guest, key_sent()): guest}
        substitute = substitute or next(iter(guests))
        return _change(at, "stand_in", SeatSubstitute(season.id, table.id, person, substitute, why_sent(), guests))
    require_role(club, RecordForfeit, season=season.id, table=table.id, person=person)
    if instead not in ("nobody", "automa"):
        return _back_or_error(at, "stand_in", say("Choose one of these."))
    return _change(at, "stand_in", RecordForfeit(season.id, table.id, person, instead == "automa", why_sent()))


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/restore-seat")
def restore_seat(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    club, season, table = at = _table_at(club_id, season_id, table_id)
    person = text_sent("person")
    require_role(club, RestoreSeat, season=season.id, table=table.id, person=person)
    return _change(at, "stand_in", RestoreSeat(season.id, table.id, person, why_sent()))


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/seats")
def seats(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    _, season, table = at = _table_at(club_id, season_id, table_id, "schedule")
    people = (text_sent(f"person.{seat}") for seat in range(SEATS_LIMIT))
    return _change(at, "seats", ChangeSeats(season.id, table.id, tuple(filter(None, people)), why_sent()))


# --- what its players say --------------------------------------------------------------------------------------------


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/absence")
def absence(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    """Report that the visitor will miss a table, or take part again. Organisers report for other players."""
    club, season, table = at = _table_at(club_id, season_id, table_id)
    person = text_sent("person")
    require_role(club, ReportAbsence, season=season.id, table=table.id, person=person)
    absent, player = text_sent("absent") != "no", _seat_owner(club, table, club.person(person or user_id()))
    error = write_in_club(club.id, ReportAbsence(season.id, table.id, absent, person))
    if error or not absent or not _may_seat_substitute(club, season, table, player):
        return _back_or_error(at, "days", error)
    where = {"club_id": club.id, "season_id": season.id, "table_id": table.id}
    return see_other("table.table", **where, absent=player, _anchor="stand-in")


def _seat_owner(club: Club, table: SeasonTable, person: str) -> str:
    """Return the owner of a seat."""
    return next((seat.person for seat in club.stand_ins(table) if seat.replacement == person), person)


def _may_seat_substitute(club: Club, season: Season, table: SeasonTable, person: str) -> bool:
    """Check if the user may let another one play for a player of a table."""
    return (
        bool(season.league)
        and season.is_open
        and table.planned
        and season.format.kind != "heats"
        and user_may(club, SeatSubstitute, season=season.id, table=table.id, person=person)
    )


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/propose")
def propose_day(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    club, season, table = at = _table_at(club_id, season_id, table_id)
    require_role(club, ProposeDay, season=season.id, table=table.id)
    try:
        when = moment_sent()
    except BadTextError:
        when = ""
    if not when:
        return _back_or_error(at, "days", say("Enter day and time as 2026-11-20T19:30."))
    return _change(at, "days", ProposeDay(season.id, table.id, when, text_sent("place")))


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/tables/<table_id>/agree")
def agree_to_day(club_id: UUID, season_id: str, table_id: str) -> ResponseReturnValue:
    """Agree to the proposed day. Organisers agree for another player."""
    club, season, table = at = _table_at(club_id, season_id, table_id)
    person = text_sent("person")
    require_role(club, AgreeToDay, season=season.id, table=table.id, person=person)
    return _change(at, "days", AgreeToDay(season.id, table.id, text_sent("when"), person))
