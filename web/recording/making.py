"""Build a game in the browser: a form that makes each sheet a separate game, with a preview."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, flash, render_template, request
from flask.typing import ResponseReturnValue

from daybook.domain.games import RULESETS
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.sheet import InvalidSheetError, Sheet, overridden
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.names import NAME_LIMIT
from daybook.services.play.sheet_trials import publish_tried, stopped_finding, try_games
from daybook.services.store.sheets import SHEET_NAME_LIMIT, UnknownSheetError, UnplayableError
from daybook.web import words
from daybook.web.request.access import book, remember_sheet
from daybook.web.request.byte_counts import stranger_mark
from daybook.web.request.clubs import user_id
from daybook.web.request.forms import see_other
from daybook.web.request.long_work import takes_long
from daybook.web.words import say
from daybook.web.words.game_pages import LINE_NAME, SheetMaker, pages_of
from daybook.web.words.sheets import UNLISTED_SAYS

page = Blueprint("making", __name__)

ROWS_AT_FIRST = 6  # and added at a time
MAX_ROWS = 60  # then the button for more rows disappears


@page.get("/make/<ruleset_id>")
def make(ruleset_id: str) -> str:
    maker = maker_of(ruleset_id)
    sheet_hash = request.args.get("sheet", "")
    try:
        sheet = book().sheets.get(ruleset_id, sheet_hash) if sheet_hash else book().sheets.printed_sheet(ruleset_id)
    except UnknownSheetError:
        abort(404)
    sent = maker.fields(sheet) if sheet_hash else {"name": request.args.get("name", "")[:NAME_LIMIT]}
    return render_making_page(ruleset_id, maker, sent, sheet)


@page.post("/make/<ruleset_id>")
@takes_long("POST")
def send(ruleset_id: str) -> ResponseReturnValue:
    """Preview or publish the typed sheet."""
    maker, form = maker_of(ruleset_id), request.form.to_dict()
    overrides = maker.read(form)
    try:
        sheet = overridden(book().sheets.printed_sheet(ruleset_id), overrides, form.get("name", ""))
        maker.preview(sheet)
    except InvalidSheetError as bad:
        field = maker.field(form, bad.path, bad.figures)
        return render_making_page(ruleset_id, maker, form, None, say(bad.says, **bad.figures), field), 422
    except IllegalDecision as no:
        field = maker.field(form, no.rule, {"key": no.reason.key, **no.reason.figures})
        why = words.reason_sentence(no.reason, ruleset_id)
        return render_making_page(ruleset_id, maker, form, None, why, field), 422
    if form.get("do") != "publish":
        return render_making_page(ruleset_id, maker, form, sheet), 200
    name = " ".join(form.get("name", "").split())[:SHEET_NAME_LIMIT]
    try:
        sheet_hash = publish_tried(
            book().sheets, ruleset_id, name, overrides, "", person=user_id(), stranger=stranger_mark()
        )
    except UnplayableError as bad:
        why = words.reason_sentence(bad.findings[0].reason, ruleset_id)
        return render_making_page(ruleset_id, maker, form, sheet, why), 422
    except InvalidSheetError as bad:
        return render_making_page(ruleset_id, maker, form, sheet, say(bad.says, **bad.figures)), 422
    flash_why_unlisted(RULESETS[ruleset_id], sheet_hash)
    return see_other("new_game.new", game=ruleset_id, sheet=sheet_hash)


def maker_of(ruleset_id: str) -> SheetMaker:
    maker = pages_of(ruleset_id).maker if ruleset_id in RULESETS else None
    return maker or abort(404)


def flash_why_unlisted(rules: AnyRuleset, sheet_hash: str) -> None:
    """Tell the publisher why a sheet is not listed, with the results of its test games."""
    published = book().sheets.published(rules.id, sheet_hash)
    if published is None or not published.unlisted:
        return
    if published.unlisted == "account":
        remember_sheet(sheet_hash)
    tried = try_games(rules, book().sheets.get(rules.id, sheet_hash))
    if not tried.is_whole:
        flash(words.begin(words.reason_sentence(stopped_finding(rules, tried).reason, rules.id), ()) + ".")
    flash(say(UNLISTED_SAYS[published.unlisted]))


def render_making_page(
    ruleset_id: str, maker: SheetMaker, sent: Mapping[str, str], sheet: Sheet | None, fault: str = "", field: str = ""
) -> str:
    """Render the form. fault: why it is refused; field: the name of the field at fault, if it is one."""
    rows = max([ROWS_AT_FIRST, *(int(name.split(".")[1]) + 1 for name in sent if LINE_NAME.fullmatch(name))])
    if sent.get("do") == "more":
        rows += ROWS_AT_FIRST
    shown: Any = maker.preview(sheet) if sheet is not None else None
    return render_template(
        maker.template,
        rules=RULESETS[ruleset_id],
        sent=sent,
        rows=rows,
        has_more=rows < MAX_ROWS,
        shown=shown,
        wrong=fault,
        wrong_field=field,
        not_listed="" if user_id() else say("You are not signed in: only the link of its page opens this game again."),
    )
