"""The list of clubs that the visitor may see, and founding a club."""

from __future__ import annotations

import msgspec
from flask import Blueprint, flash, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug import Response
from werkzeug.exceptions import RequestEntityTooLarge

from daybook.domain.league.club import Season, SeasonTable
from daybook.domain.league.club_commands import ChangeClubSettings, SetTimeZone
from daybook.services.files.recordfile import BadFileError
from daybook.services.league import demonstration, moving
from daybook.services.league.clubs import clubs_of, found_club, page_of_clubs
from daybook.services.names import TITLE_LIMIT
from daybook.services.permissions.actions import ClubVisit, may
from daybook.services.play.writing import Receipt
from daybook.services.reading_limits import CLUB_FILE_BYTES, LimitError
from daybook.web.request.access import book, current_person, require_signed_in
from daybook.web.request.body_limits import limit_bodies
from daybook.web.request.clubs import run_club_write, table_label, write_in_club
from daybook.web.request.days import zone_of_visitor
from daybook.web.request.forms import fresh_key, key_sent, record_key, see_other, text_fault, text_sent
from daybook.web.request.lists import requested_page
from daybook.web.request.long_work import takes_long
from daybook.web.request.template_globals import as_sentence
from daybook.web.words import fault_sentence, reason_sentence, say, say_n

page = Blueprint("clubs", __name__)
FORM_BYTES = 10_000  # of the form around a file
limit_bodies(page, CLUB_FILE_BYTES + FORM_BYTES, "import_club")


@page.errorhandler(RequestEntityTooLarge)
def too_large(error: RequestEntityTooLarge) -> ResponseReturnValue:
    return _import_form(say("The file is larger than {n} megabytes.", n=CLUB_FILE_BYTES // 1_000_000)), 413


@page.get("/clubs")
def clubs() -> str:
    me = current_person() or ""
    own_clubs = [club for club in clubs_of(book(), me) if not club.is_own_log]
    other_clubs, more = requested_page(
        "clubs.clubs", lambda after, limit: page_of_clubs(book(), me, after, limit, without_own=True)
    )
    return render_template(
        "league/clubs.html",
        mine=[club for club in own_clubs if not club.removed],
        removed=[club for club in own_clubs if club.removed and may(ClubVisit(club, me), "settle_club")],
        others=other_clubs,
        more=more,
        key=fresh_key(),
        signed_in=bool(current_person()),
    )


@page.post("/clubs/practice")
@takes_long("POST")
def make_practice_club() -> Response:
    """Create a club filled with example results for the signed-in visitor."""
    founder = require_signed_in()
    key, made = record_key(key_sent()), list[demonstration.Demonstration]()

    def make() -> None:
        made.append(
            demonstration.Demonstration(
                book(), say("Practice club"), founder, by=founder, key=key, public=False, level="steady"
            )
        )
        made[0].make(say("Practice league"), say("Season {n}", n=1), practice_title)

    if against := run_club_write(make):
        flash(against)
        return see_other("clubs.clubs")
    flash(say("This is a practice club. It has two divisions, a finished season and the next one in progress."))
    return see_other("club.league", club_id=made[0].id, league_id=next(iter(made[0].club.leagues)))


def practice_title(season: Season, table: SeasonTable) -> str:
    return say("{season}, {table} (practice)", season=season.name, table=table_label(season, table))


@page.route("/clubs/new", methods=["GET", "POST"])
def new_club() -> ResponseReturnValue:
    founder = current_person()
    if request.method != "POST" or founder is None:
        return _club_form({})
    errors: dict[str, str] = {}
    name = text_sent("name")
    if sentence := text_fault(name, TITLE_LIMIT, say("Give the club a name.")):
        return _club_form({"name": sentence}), 422
    receipts: list[Receipt] = []
    key = record_key(key_sent())
    if against := run_club_write(lambda: receipts.append(found_club(book(), name, founder, by=founder, key=key))):
        errors["form"] = against
    else:
        if request.form.get("public") == "yes":
            _publish_club(receipts[0], key)
        if (zone := zone_of_visitor()) != book().clubs.get(receipts[0].record).zone:
            write_in_club(receipts[0].record, SetTimeZone(zone), key=key[:60] + "-zon")
    if errors:
        return _club_form(errors), 422
    return see_other("club.club", club_id=receipts[0].record)


@page.route("/clubs/import", methods=["GET", "POST"])
@takes_long("POST")
def import_club() -> ResponseReturnValue:
    """Import a club from the file of another Daybook."""
    if request.method != "POST":
        return _import_form()
    importer = require_signed_in()
    sent = request.files.get("file")
    content = sent.read(CLUB_FILE_BYTES + 1) if sent is not None else b""
    if not content:
        return _import_form(say("Choose a file that ends in .daybook.")), 422
    try:
        arrived = moving.import_club(book(), content, importer)
    except BadFileError as wrong:
        return _import_form(say("Line {n}: {wrong}", n=wrong.line, wrong=fault_sentence(wrong.fault))), 422
    except LimitError as large:
        return _import_form(as_sentence(reason_sentence(large.reason))), 413
    club = book().clubs.get(arrived.club)
    assert club.moved is not None
    if arrived.repeated:
        flash(say("You imported this file before."))
    else:
        n = club.moved.entries
        flash(
            say_n(
                "The club is here: {n} entry with an intact seal.",
                "The club is here: {n} entries with intact seals.",
                n,
            )
        )
    return see_other("people.people", club_id=club.id)


def _import_form(wrong: str = "") -> str:
    limit = CLUB_FILE_BYTES // 1_000_000
    return render_template("league/import_club.html", wrong=wrong, person=current_person(), limit=limit)


def _publish_club(receipt: Receipt, key: str) -> None:
    """Open a new club's pages to everyone."""
    settings = book().clubs.get(receipt.record).settings
    if not settings.public:
        public = msgspec.structs.replace(settings, public=True)
        write_in_club(receipt.record, ChangeClubSettings(public), key=key[:60] + "-pub")


def _club_form(errors: dict[str, str]) -> str:
    return render_template(
        "league/found.html",
        wrong=errors,
        sent=request.form,
        key=fresh_key(),
        person=current_person(),
        name_limit=TITLE_LIMIT,
    )
