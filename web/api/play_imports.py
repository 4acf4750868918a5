"""Preview, import and remove a club's plays of other programs, for programs."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from flask import Response
from msgspec import Meta

from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import Name, SplitPlay, UndoImport
from daybook.services.exchange.incoming import Incoming, NotReadableError, SpoiltRow
from daybook.services.exchange.plays_file import read_plays
from daybook.services.league import club_imports
from daybook.services.league.club_imports import ImportAnswers, ImportShown, PlannedPair
from daybook.services.paging import page_of_list
from daybook.services.permissions.actions import ClubVisit, may, require
from daybook.services.reading_limits import PLAYS_FILE_BYTES
from daybook.services.structs import copy_fields
from daybook.web.api.answers import ReasonShown, reason_shown
from daybook.web.api.base import ASK, READ, book
from daybook.web.api.clubs import ClubWrite, add_club_writes, league, requested_club, requesting_person
from daybook.web.api.errors import ApiError
from daybook.web.api.pages import fetch_page
from daybook.web.api.requests import Once, PageQuery
from daybook.web.api.writing import writes
from daybook.web.request.body_limits import limit_bodies
from daybook.web.request.long_work import takes_long

IMPORTS = "/clubs/<uuid:club_id>/imports"


class PlaysBody(Exact):
    # the file: BG Stats’ JSON, BoardGameGeek’s XML, or a table with a header
    text: Annotated[str, Meta(min_length=1, max_length=PLAYS_FILE_BYTES)]
    people: dict[str, Name] = {}  # names of the file -> the id of a person of the club, or new, for a guest
    games: dict[str, Name] = {}  # names of games in the file -> names in the club
    places: dict[str, Name] = {}  # names of places in the file -> names in the club
    # headings of a table -> day, game, player, score, person (points of the player with this name), ignored and the like
    columns: dict[str, Name] = {}
    # id of a play in the file -> one play with the other one, or two; take or keep a change at the source
    answers: dict[str, Literal["one", "two", "take", "keep"]] = {}


class SkippedRow(Frozen):
    """A row of the file that cannot be imported."""

    row: int
    reason: ReasonShown


class NamedHere(Frozen):
    """A person in the file."""

    key: str  # identity in the file: the source's id, or the name
    name: str
    person: str  # of the club; empty: a new guest
    plays: int
    by: str  # id, name, hand, new or forgotten: how the person was found
    forgotten: bool  # asked to be forgotten; imported as an anonymous player unless `people` says otherwise


class GameHere(Frozen):
    """A game in the file."""

    name: str
    game: str  # the game in Daybook: a ruleset's id, or a colon and its name
    known: bool  # the club knows it
    plays: int


class OddPlays(Frozen):
    """Plays that are unusual in one way."""

    what: str
    plays: int
    rows: list[int]  # the first of their rows


class PlayPair(Frozen):
    """A play of the file and one of the club that may be the same, or a change at the source."""

    play: str  # the id in the file, for `answers`
    row: int
    why: str  # same, no_scores, one_score, next_day, in_file, changed or deleted
    day: str  # of the play in the club
    game: str
    answer: str  # one, two, take or keep: without another answer
    season: str  # the season of the club's play; empty: outside the seasons


class PlaysShown(Frozen):
    """A preview of an import."""

    source: str
    fresh: int
    already_imported: int  # plays that the club has already
    people: list[NamedHere]
    games: list[GameHere]
    odd: list[OddPlays]
    pairs: list[PlayPair]
    not_imported: dict[str, int]  # photos, tags, score sheets and the like
    left_out: list[SkippedRow]


class PlaysBrought(Frozen):
    """The result of an import."""

    batch: str  # undoes it
    plays: int
    left_out: list[SkippedRow]
    step: int | None  # null: nothing was new
    repeated: bool  # an earlier request with the same key wrote it
    already_imported: int  # plays that the club had already
    merged: int  # plays that were merged with a play of the club
    updated: int  # plays whose change at the source was adopted


class ImportsShown(Frozen):
    imports: list[ImportShown]
    next: str | None  # the address of the next page; null: this is the last


limit_bodies(league, 2 * PLAYS_FILE_BYTES, "look_at_plays", "bring_plays_in")  # as JSON it is longer


def _club_entering(club_id: UUID) -> Club:
    club = requested_club(club_id)
    require(ClubVisit(club, requesting_person()), "enter_results")
    return club


def _read(body: PlaysBody, club: Club) -> Incoming:
    columns = {heading.strip().casefold(): meaning for heading, meaning in body.columns.items()}
    try:
        return read_plays(body.text.encode(), club_imports.known_columns(club) | columns)
    except NotReadableError as no:
        raise ApiError(422, no.reason.key, str(no), "send a file of one of the three kinds as it is") from no


def _rows(spoilt: list[SpoiltRow]) -> list[SkippedRow]:
    return [SkippedRow(row.row, reason_shown(row.reason)) for row in spoilt]


def _answers(body: PlaysBody) -> ImportAnswers:
    return ImportAnswers(body.people, body.games, body.places, body.answers)


def _pair_shown(pair: PlannedPair) -> PlayPair:
    row = pair.now.row if pair.now else 0
    return PlayPair(pair.id, row, pair.why, pair.here.day, pair.here.game, pair.answer, pair.season)


@league.reads(IMPORTS, ImportsShown, "a page of imports, the newest first", query=PageQuery)
def list_imports(query: PageQuery, club_id: UUID) -> ImportsShown:
    """List a club's imports

    `next` is the address of the next page, or null on the last page.
    """
    found = club_imports.imports_of(requested_club(club_id))
    page, more = fetch_page(query, lambda after, limit: page_of_list(found, lambda each: each.batch, after, limit))
    return ImportsShown(page, more)


@league.route("/clubs/<uuid:club_id>/plays.<any(csv,json,xml):kind>")
@league.response(
    200, {"type": "string"}, content_type="text/plain", description="CSV, BG Stats’ JSON or BoardGameGeek’s XML"
)
@league.failing(*READ)
@takes_long("GET")
def export_plays(club_id: UUID, kind: str) -> Response:
    """Export the plays of a club

    The file has all plays, as CSV, as a file of BG Stats (json) or in the form of BoardGameGeek (xml). Without access to
    the club's evenings, plays have their day but no hour.
    """
    club, person = requested_club(club_id), requesting_person()
    days_only = not may(ClubVisit(club, person), "see_evenings")
    content = club_imports.export_plays(book(), club, kind, person, days_only=days_only)
    media_type = club_imports.PLAYS_FORMATS[kind]
    return Response(content, mimetype=media_type, headers={"Cache-Control": "no-store"})


@league.acts(IMPORTS + "/preview", PlaysShown, "what it would bring", body=PlaysBody, fails=ASK)
@takes_long("POST")
def look_at_plays(body: PlaysBody, club_id: UUID) -> PlaysShown:
    """Preview an import of plays

    For organisers and scorekeepers of the club. The answer has the people and games that were recognised, unusual plays,
    and the rows that cannot be read. Nothing is written.
    """
    club = _club_entering(club_id)
    shown = club_imports.preview_import(book(), club, _read(body, club), _answers(body))
    return PlaysShown(
        shown.source,
        shown.fresh,
        shown.already_imported,
        [copy_fields(NamedHere, person, name=person.names[0]) for person in shown.people],
        [copy_fields(GameHere, game, game=game.here) for game in shown.games],
        [OddPlays(what, plays, rows) for what, (plays, rows) in shown.odd.items()],
        [_pair_shown(pair) for pair in (*shown.sure, *shown.unsure, *shown.changes)],
        {str(kind): n for kind, n in shown.skipped.items()},
        _rows(shown.spoilt),
    )


@writes(league, IMPORTS, PlaysBody, PlaysBrought, "what it brought")
@takes_long("POST")
def bring_plays_in(headers: Once, body: PlaysBody, club_id: UUID) -> PlaysBrought:
    """Import plays of another program

    For organisers and scorekeepers of the club. All new plays of the file become typed results outside the seasons, in
    one write. Plays that the club already has stay unchanged.
    """
    club = _club_entering(club_id)
    brought = club_imports.import_plays(
        book(), club.id, _read(body, club), _answers(body), by=requesting_person(), key=headers.key
    )
    receipt = brought.receipt
    return PlaysBrought(
        brought.batch,
        brought.plays,
        _rows([*brought.spoilt]),
        receipt.step if receipt else None,
        receipt is not None and receipt.repeated,
        brought.already_imported,
        brought.merged,
        brought.updated,
    )


def _import_of_path(club_id: UUID, batch: str) -> dict[str, str]:
    requested_club(club_id)
    return {"batch": batch}


def _play_of_path(club_id: UUID, table: str) -> dict[str, str]:
    requested_club(club_id)
    return {"table": table}


add_club_writes(_import_of_path, ClubWrite(IMPORTS + "/<string:batch>/undo", UndoImport, long=True))
add_club_writes(_play_of_path, ClubWrite(IMPORTS + "/plays/<string:table>/split", SplitPlay))
