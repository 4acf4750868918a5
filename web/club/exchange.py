"""Import and export of plays: preview a file, import it, undo an import, and export all results.

The parsed file travels with the form, so the server keeps nothing of a file that is not imported.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from typing import Literal
from uuid import UUID

import msgspec
from flask import Blueprint, flash, make_response, request
from werkzeug import Response
from werkzeug.exceptions import RequestEntityTooLarge

from daybook.domain.games import RULESETS
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import SplitPlay, UndoImport
from daybook.domain.league.event_checks.common import CLUB_NAME_LIMIT
from daybook.services.exchange.incoming import Incoming, NotReadableError
from daybook.services.exchange.plays_file import read_headings, read_plays
from daybook.services.league import club_imports, clubs
from daybook.services.league import plays as log
from daybook.services.league.club_imports import NO_ANSWERS, ImportAnswers, ImportPreview, ImportResult, PlannedPair
from daybook.services.league.clubs.import_plan import KEEP, NEW, ONE, TAKE, TWO
from daybook.services.reading_limits import PLAYS, PLAYS_FILE_BYTES, TABLE_COLUMNS
from daybook.services.store import secret
from daybook.web.request.access import book
from daybook.web.request.clubs import (
    club_names,
    people_offered,
    person_typed,
    render_club_page,
    require_club,
    require_role,
    run_club_write,
    user_id,
    user_may,
    write_in_club,
)
from daybook.web.request.forms import fresh_key, see_other, text_sent
from daybook.web.request.long_work import takes_long
from daybook.web.request.security import file_response, forbid_storing
from daybook.web.request.template_globals import as_sentence
from daybook.web.words import game_title, reason_sentence, say, say_n
from daybook.web.words.league_words import (
    CHANGED_FACTS,
    COLUMN_MEANINGS,
    LIKENESSES,
    ODD_PLAYS,
    SKIPPED_KINDS,
    play_source_label,
)

page = Blueprint("exchange", __name__)

MAX_REQUEST_BYTES = 60_000_000  # the parsed file comes back with the form
PEOPLE_MATCHED = GAMES_MATCHED = 100  # by hand in a preview, those with the most plays
ROWS_SHOWN = 50
UNUSUAL_SHOWN = 500  # plays, folded
FIRST_SHOWN = 10  # plays
PAIRS_SHOWN = 100  # questions of one kind; the others get the answer to all
FEW_QUESTIONS = 4  # more are folded
IDS_SEPARATOR = "\t"  # no id has one
MAX_FORM_FIELDS = 4_000  # of a preview: people, games, places and questions
QUESTIONS = ("changes", "unsure", "sure", "in_file")

_decoder = msgspec.msgpack.Decoder(Incoming)


@page.url_value_preprocessor
def raise_request_limit(endpoint: str | None, values: dict[str, object] | None) -> None:
    request.max_content_length = request.max_form_memory_size = MAX_REQUEST_BYTES
    request.max_form_parts = MAX_FORM_FIELDS


@page.errorhandler(RequestEntityTooLarge)
def too_large(error: RequestEntityTooLarge) -> Response:
    club = require_club((request.view_args or {})["club_id"])
    return import_page(
        club, error=say("The file is larger than {n} megabytes.", n=PLAYS_FILE_BYTES // 1_000_000), status=413
    )


@page.get("/clubs/<uuid:club_id>/import")
def plays(club_id: UUID) -> Response:
    return import_page(require_club(club_id))


def import_page(
    club: Club,
    preview: ImportPreview | None = None,
    packed: str = "",
    error: str = "",
    answers: ImportAnswers = NO_ANSWERS,
    status: int = 200,
    headings: Sequence[tuple[str, str]] = (),
    kept_table: str = "",
) -> Response:
    everybody, people = (club.everybody(), preview.people[:PEOPLE_MATCHED]) if preview else ([], [])
    made = club_imports.imports_of(club)[:ROWS_SHOWN]
    shown = render_club_page(
        "league/plays.html",
        club,
        heading=say("Import and export"),
        wrong=error,
        key=fresh_key(),
        keys=fresh_key,
        preview=preview,
        kept=packed,
        headings=headings,
        kept_table=kept_table,
        meanings=COLUMN_MEANINGS,
        facts_of=_facts_changed,
        answers=answers,
        unusual=UNUSUAL_SHOWN,
        skipped_kinds=SKIPPED_KINDS,
        likenesses=LIKENESSES,
        titles=[game_title(key) for key in _games_of(club)] if preview else [],
        source_label=play_source_label,
        odd_plays=ODD_PLAYS,
        reason_of=lambda row: reason_sentence(row.reason),
        most=PEOPLE_MATCHED,
        name_limit=CLUB_NAME_LIMIT,
        rows=ROWS_SHOWN,
        limit=PLAYS_FILE_BYTES // 1_000_000,
        plays_limit=PLAYS,
        imports=made,
        merged=[] if preview else club_imports.merged_plays(club, ROWS_SHOWN),
        new=NEW,
        inside=people_offered(club, everybody, [*answers.people.values(), *(row.person for row in people)]),
        names=club_names(club, [*everybody, *(made_import.by for made_import in made)]),
        questions=_questions(preview) if preview else [],
        all_answers={kind: text_sent(f"all.{kind}") for kind in QUESTIONS} if preview else {},
        first=FIRST_SHOWN,
        few=FEW_QUESTIONS,
        pairs_shown=PAIRS_SHOWN,
        ids_separator=IDS_SEPARATOR,
        own_plays=_count_own_plays(club),
    )
    return make_response(shown, status)


def _count_own_plays(club: Club) -> int:
    """Count the plays of the user's own log, which they can bring into this club."""
    if not user_may(club, "log_plays"):
        return 0
    others = (own for own in clubs.own_logs_of(book(), user_id()) if own.id != club.id)
    return sum(log.count_plays(book(), own, log.PlayFilter(person=user_id())) for own in others)


@page.post("/clubs/<uuid:club_id>/import")
@takes_long("POST")
def look(club_id: UUID) -> Response:
    """Preview an uploaded file. This writes nothing."""
    club = require_club(club_id, "enter_results")
    sent, content = request.files.get("file"), _table_sent(club)
    if sent is not None:
        content = sent.read(PLAYS_FILE_BYTES + 1) if sent.filename else content
        sent.close()
    content = content or text_sent("text").encode()
    if not content.strip():
        return import_page(club, error=say("Choose a file, or paste a table."), status=422)
    columns = club_imports.known_columns(club) | _columns_sent()
    headings = read_headings(content, columns)
    kept = _sign(club, "table", content) if headings else ""
    try:
        incoming = read_plays(content, columns if headings else {})
    except NotReadableError as no:
        error = as_sentence(reason_sentence(no.reason))
        return import_page(club, error=error, status=422, headings=headings, kept_table=kept)
    answers = NO_ANSWERS
    if club.is_own_log and incoming.owner is not None:
        answers = ImportAnswers(people={incoming.owner.key: user_id()})
    preview = club_imports.preview_import(book(), club, incoming, answers)
    return import_page(club, preview, pack_plays(club, incoming), answers=answers, headings=headings, kept_table=kept)


def _facts_changed(pair: PlannedPair) -> list[str]:
    """Return words for the facts that changed at the source."""
    columns = dict.fromkeys(CHANGED_FACTS.get(fact, "") for fact in pair.facts)
    return [say(COLUMN_MEANINGS[column]) if column else say("other details") for column in columns]


def _columns_sent() -> dict[str, str]:
    """Return the meanings of headings in the form, by heading in lower case."""
    form = request.form
    return {
        heading.strip().casefold(): form[f"column.{at}"]
        for at in range(TABLE_COLUMNS)
        if (heading := form.get(f"heading.{at}", "")) and form.get(f"column.{at}") in COLUMN_MEANINGS
    }


def _table_sent(club: Club) -> bytes:
    """Return the table that the form of its columns returned."""
    sent = secret.signed_value(secret.secret_of(book()), f"table.{club.id}", text_sent("table"))
    return zlib.decompress(base64.b64decode(sent)) if sent else b""


def _sign(club: Club, kind: str, content: bytes) -> str:
    packed = base64.b64encode(zlib.compress(content)).decode()
    return secret.sign(secret.secret_of(book()), f"{kind}.{club.id}", packed)


@page.post("/clubs/<uuid:club_id>/import/add")
@takes_long("POST")
def bring(club_id: UUID) -> Response:
    """Import the previewed plays. A member without a role brings those of the own log."""
    club = require_club(club_id, "log_plays")
    incoming = _unpacked(club, text_sent("plays"))
    if incoming is None:
        require_role(club, "enter_results")
        return import_page(club, error=say("Choose the file again."), status=422)
    answers = ImportAnswers(_people_chosen(club), _names_chosen("game"), _names_chosen("place"), _plays_answered())
    key, brought = text_sent("key"), list[ImportResult]()
    if against := run_club_write(
        lambda: brought.append(club_imports.import_plays(book(), club.id, incoming, answers, by=user_id(), key=key))
    ):
        shown = club_imports.preview_import(book(), club, incoming, answers)
        return import_page(club, shown, request.form["plays"], against, answers, 422)
    [result] = brought
    if result.plays or not (result.merged or result.updated):
        flash(
            say_n("{n} play was added.", "{n} plays were added.", result.plays)
            if result.plays
            else say("It contains nothing new.")
        )
    if result.already_imported:
        flash(say_n("{n} play was already here.", "{n} plays were already here.", result.already_imported))
    if result.merged:
        flash(
            say_n(
                "{n} play is one with a play of the club.", "{n} plays are one with plays of the club.", result.merged
            )
        )
    if result.updated:
        flash(say_n("{n} play was updated.", "{n} plays were updated.", result.updated))
    if result.spoilt:
        flash(say("Skipped: row {rows}.", rows=", ".join(str(play.row) for play in result.spoilt[:ROWS_SHOWN])))
    return see_other("exchange.plays", club_id=club.id)


def _people_chosen(club: Club) -> dict[str, str]:
    """Return the chosen person for each name of the file."""
    form, everybody = request.form, club.everybody()
    return {
        form.get(f"name.{at}", ""): person_typed(club, text_sent(f"typed.{at}"), everybody) or form[f"person.{at}"]
        for at in range(PEOPLE_MATCHED)
        if form.get(f"person.{at}")
        and (text_sent(f"typed.{at}") or form[f"person.{at}"] != form.get(f"person-was.{at}"))
    }


def _names_chosen(kind: Literal["game", "place"]) -> dict[str, str]:
    """Return the chosen name for each game or place of the file, without names that were left unchanged."""
    form = request.form
    return {
        form.get(f"{kind}.{at}", ""): form[f"{kind}-here.{at}"]
        for at in range(GAMES_MATCHED)
        if form.get(f"{kind}-here.{at}", "").strip() and form[f"{kind}-here.{at}"] != form.get(f"{kind}-was.{at}")
    }


def _plays_answered() -> dict[str, str]:
    """Return the answers about plays: for each one, else for all of one kind."""
    form = request.form
    known = (ONE, TWO, TAKE, KEEP)
    answers = {
        name.partition(":")[2]: answer
        for name, answer in form.items()
        if name.startswith("answer:") and answer in known
    }
    for kind in QUESTIONS:
        if form.get(f"all.{kind}") in known:
            answers |= dict.fromkeys(form.get(f"of.{kind}", "").split(IDS_SEPARATOR), form[f"all.{kind}"])
    return answers


def _questions(preview: ImportPreview) -> list[tuple[str, str, str, list[PlannedPair], list[tuple[str, str]]]]:
    """Return the questions of a preview: kind, heading, hint, pairs of plays, and the choices."""
    plays = [(ONE, say("one play")), (TWO, say("two plays"))]
    changes = [(TAKE, say("use the file’s version")), (KEEP, say("keep the club’s version"))]
    in_file = [pair for pair in preview.unsure if pair.why == "in_file"]
    unsure = [pair for pair in preview.unsure if pair.why != "in_file"]
    return [
        (
            "changes",
            say("Changed at the source"),
            say("The file has another version of these plays."),
            preview.changes,
            changes,
        ),
        (
            "unsure",
            say("Perhaps already in the club"),
            say("The same people played the same game. Without an answer, these stay two plays each."),
            unsure,
            plays,
        ),
        (
            "sure",
            say("Already in the club under another id"),
            say("Day, people and scores agree."),
            preview.sure,
            plays,
        ),
        ("in_file", say("Twice in the file"), say("Without an answer, these stay two plays each."), in_file, plays),
    ]


def _games_of(club: Club) -> list[str]:
    return [ruleset_id for ruleset_id, rules in RULESETS.items() if rules.title_of is None] + clubs.games_by_name(club)[
        :GAMES_MATCHED
    ]


@page.post("/clubs/<uuid:club_id>/import/undo")
@takes_long("POST")
def undo(club_id: UUID) -> Response:
    """Undo one import of plays."""
    club = require_club(club_id, "enter_results")
    if against := write_in_club(club.id, UndoImport(text_sent("batch"))):
        return import_page(club, error=against, status=422)
    flash(say("The import was undone. Records and later corrections stay."))
    return see_other("exchange.plays", club_id=club.id)


@page.post("/clubs/<uuid:club_id>/import/split")
@takes_long("POST")
def split(club_id: UUID) -> Response:
    """Make a merged play two plays again."""
    club = require_club(club_id, "enter_results")
    if against := write_in_club(club.id, SplitPlay(text_sent("table"), text_sent("why") or say("two plays"))):
        return import_page(club, error=against, status=422)
    flash(say("These are two plays again."))
    return see_other("exchange.plays", club_id=club.id)


@page.get("/clubs/<uuid:club_id>/plays.<any(csv,json,xml):kind>")
@takes_long("GET")
def file(club_id: UUID, kind: str) -> Response:
    """Serve all results of the club in a format of other programs."""
    club = require_club(club_id)
    days_only = not user_may(club, "see_evenings")
    content = club_imports.export_plays(book(), club, kind, user_id(), days_only=days_only)
    return forbid_storing(file_response(content, f"plays.{kind}", club_imports.PLAYS_FORMATS[kind]))


def pack_plays(club: Club, incoming: Incoming) -> str:
    """Return parsed plays, signed, for the form that imports them into this club."""
    return _sign(club, "plays", msgspec.msgpack.encode(incoming))


def _unpacked(club: Club, sent: str) -> Incoming | None:
    """Decode the parsed file that the form returned, or return None unless this server signed it for this club."""
    content = secret.signed_value(secret.secret_of(book()), f"plays.{club.id}", sent)
    if content is None:
        return None
    return _decoder.decode(zlib.decompress(base64.b64decode(content)))
