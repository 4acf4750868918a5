"""Audits: where the rules of today say something else than the records; nothing in them changes by itself."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from flask import Blueprint, flash, render_template
from werkzeug import Response

from daybook.services.files import audits
from daybook.services.files.audits import FindingsOfRule
from daybook.services.permissions.actions import has_role, may_with, require
from daybook.services.store import read_models
from daybook.services.store.read_models import GameRow
from daybook.web.request.access import book, current_grant, grants_of, render_game_page, visit_game
from daybook.web.request.forms import see_other
from daybook.web.request.long_work import takes_long
from daybook.web.site.home import shown_games
from daybook.web.words import say_n
from daybook.web.words.finding_words import FindingInWords, disagreements_in_words, finding_in_words

page = Blueprint("audit", __name__)

MAX_FINDINGS_SHOWN = 60  # per rule on the page of all games


def may_audit(row: GameRow) -> bool:
    """Check if the viewer may see an audit, which reveals hands: only with export permission."""
    grant, game = current_grant(row.game), book().games.find(row.game)
    return grant is not None and game is not None and bool(may_with([grant], game, "export"))


def is_keeper_of(game_id: UUID) -> bool:
    return has_role(grants_of(game_id), game_id, "manage")


@page.get("/audit")
def overview() -> str:
    rows = {row.game: row for row in shown_games()}
    steps = dict.fromkeys(rows, 0) | {result.game: result.step for result in audits.newest_audits(book(), rows)}
    told = read_models.games_without_hidden_parts(book().views, steps)
    told |= {row.game for row in rows.values() if row.game not in told and may_audit(row)}
    found = audits.summarize_audits(book(), told)
    due = len(audits.filter_due(book(), told))
    return render_template(
        "audit.html",
        summary=found,
        due=due,
        of=len(told),
        covered=len(rows) - len(told),
        rows=rows,
        firsts=[finding_in_words(place.game, place.finding, rows) for place in found.firsts],
        groups=[(group, _findings_in_words(group, rows)) for group in found.groups],
        shown=MAX_FINDINGS_SHOWN,
        mine=sum(is_keeper_of(game_id) for game_id in told),
    )


@page.post("/audit")
def ask() -> Response:
    """Start an audit of every game that this browser records."""
    count = audits.request_audits(book(), {row.game for row in shown_games() if is_keeper_of(row.game)})
    flash(say_n("{n} game waits for its audit.", "{n} games wait for their audit.", count))
    return see_other("audit.overview")


@page.get("/games/<uuid:game_id>/audit")
def one(game_id: UUID) -> str:
    visit = visit_game(game_id)
    game, kept = visit.game, visit.kept
    require(visit, "export")
    found = next(iter(audits.newest_audits(book(), [game_id])), None)
    summary = audits.summarize_audits(book(), [game_id])
    rows = {row.game: row for row in read_models.list_games(book().views, book().kept, ids=[game_id])}
    return render_game_page(
        "audit_game.html",
        visit,
        brought=disagreements_in_words(game, visit.against_rules, kept.names),
        found=found,
        due=bool(audits.filter_due(book(), [game_id])),
        groups=[(group, _findings_in_words(group, rows, game.ruleset.id, kept.names)) for group in summary.groups],
    )


@page.post("/games/<uuid:game_id>/audit")
@takes_long("POST")
def run(game_id: UUID) -> Response:
    """Audit a game here and now."""
    require(visit_game(game_id), "export")
    audits.audit_game(book(), game_id)
    return see_other("audit.one", game_id=game_id)


def _findings_in_words(
    group: FindingsOfRule, rows: dict[UUID, GameRow], ruleset_id: str = "", names: Iterable[str] = ()
) -> list[FindingInWords]:
    return [finding_in_words(place.game, place.finding, rows, ruleset_id, names) for place in group.places]
