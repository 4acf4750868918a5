"""The component sheet: every printed number with its source, and corrected sheets that groups publish.

Everything is one form without scripts: it is checked, saved as a file or published, and what was typed stays in it.
"""

from __future__ import annotations

import re

import msgspec
from flask import Blueprint, abort, flash, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.sheet import BadSheet, Sheet, compared_with_box
from daybook.services.play.sheet_trials import examine_and_try, publish_tried
from daybook.services.store import sheetfile
from daybook.services.store.sheets import (
    BY_LIMIT,
    SHEET_NAME_LIMIT,
    PublishedSheet,
    RuleFinding,
    UnknownSheet,
    Unplayable,
    examine_sheet,
    play_examples,
)
from daybook.web import words
from daybook.web.recording import sheet_form
from daybook.web.recording.making import tell_whether_listed
from daybook.web.recording.sheet_examples import example_sentence, example_shown
from daybook.web.recording.sheet_form import Showing, TypedSheet
from daybook.web.request.access import book
from daybook.web.request.byte_counts import stranger_bringing
from daybook.web.request.clubs import me
from daybook.web.request.forms import see_other
from daybook.web.request.lists import page_asked
from daybook.web.request.long_work import takes_long
from daybook.web.request.security import file_answer
from daybook.web.words import say
from daybook.web.words.record_words import SOURCES

page = Blueprint("sheet", __name__)

FILTERS = {"all": words.N_("all"), "assumed": words.N_("only assumed"), "changed": words.N_("only changed")}

SHORT = 60  # numbers; of a longer sheet a chapter is opened at a time


class SheetFinding(Frozen):
    """What a rule says to the numbers, as a sentence. field: one of those it is about."""

    rule: str
    text: str
    field: str


class SheetDraft(Frozen, kw_only=True):
    """A sheet on the page, and what is to be said about it.

    sent: the fields of a form that is shown again; wrong: what is wrong, by field; notes: what a file held that
    cannot be taken; asked: the rules were asked about the numbers; whole: nothing of it is assumed any more.
    """

    sheet: Sheet
    base: PublishedSheet | None = None
    sent: dict[str, str] = {}
    wrong: dict[str, str] = {}
    notes: list[str] = []
    findings: list[RuleFinding] = []
    asked: bool = False
    whole: bool = False
    name: str = ""
    by: str = ""


@page.get("/sheets/<ruleset_id>")
def sheet(ruleset_id: str) -> str:
    rules = _ruleset_named(ruleset_id)
    base = _sheet_asked(rules)
    if base is None:
        return _sheet_page(rules, SheetDraft(sheet=book().sheets.printed_sheet(ruleset_id)))
    shown = book().sheets.get(ruleset_id, base.hash)
    whole = all(number.tag != "assumed" for number in shown.numbers.values())
    return _sheet_page(rules, SheetDraft(sheet=shown, base=base, findings=examine_sheet(rules, shown), whole=whole))


@page.post("/sheets/<ruleset_id>")
@takes_long("POST")
def send(ruleset_id: str) -> ResponseReturnValue:
    """Check what was typed, save it as a file, or publish it; nothing typed is lost on the way."""
    rules, form = _ruleset_named(ruleset_id), request.form
    printed = book().sheets.printed_sheet(ruleset_id)
    what = sheet_form.read_sheet_form(ruleset_id, printed, form)
    whole, typed = form.get("whole") == "yes", sheet_form.fitting_sheet(printed, what, say("this form"))
    draft = SheetDraft(
        sheet=compared_with_box(typed, say("this form")) if whole else typed,
        base=_sheet_asked(rules),
        sent=dict(form),
        wrong=what.wrong,
        asked=True,
        whole=whole,
        name=form.get("name", ""),
        by=form.get("by", ""),
    )
    if what.wrong:
        return _sheet_page(rules, draft), 422
    match form.get("do", "publish"):
        case "save":
            return _file_answer(rules, draft.sheet, " ".join(draft.name.split()), " ".join(draft.by.split()))
        case "check":
            return _sheet_page(rules, msgspec.structs.replace(draft, findings=examine_and_try(rules, draft.sheet))), 200
    return _publish(rules, _examine(rules, draft), what)


def _publish(rules: AnyRuleset, draft: SheetDraft, what: TypedSheet) -> ResponseReturnValue:
    """Publish, unless something forbids it; what the rules warn of is shown once before."""
    warned = any(not finding.barred for finding in draft.findings) and request.form.get("seen") != draft.sheet.digest()
    if not warned:
        known = book().sheets.published(rules.id, draft.sheet.digest())
        try:
            hash = publish_tried(
                book().sheets,
                rules.id,
                draft.name,
                what.overrides,
                draft.by,
                person=me(),
                whole=draft.whole,
                stranger=stranger_bringing(),
            )
        except Unplayable as bad:
            return _sheet_page(rules, msgspec.structs.replace(draft, findings=bad.findings)), 422
        except BadSheet as bad:
            wrong = {bad.path or "name": say(bad.says, **bad.figures)}
            return _sheet_page(rules, msgspec.structs.replace(draft, wrong=wrong)), 422
        flash(
            say("These numbers are already published, as {name}.", name=known.name)
            if known is not None
            else say("The sheet is published: choose it when a game is opened.")
        )
        tell_whether_listed(rules, hash)
        return see_other("sheet.sheet", ruleset_id=rules.id, hash=hash)
    return _sheet_page(rules, draft), 200


def _examine(rules: AnyRuleset, draft: SheetDraft) -> SheetDraft:
    return msgspec.structs.replace(draft, findings=examine_sheet(rules, draft.sheet))


@page.get("/sheets/<ruleset_id>/file")
def save(ruleset_id: str) -> Response:
    """The sheet that the address names, as a file."""
    rules = _ruleset_named(ruleset_id)
    base = _sheet_asked(rules)
    if base is None:
        return _file_answer(rules, book().sheets.printed_sheet(ruleset_id), "", "")
    return _file_answer(rules, book().sheets.get(ruleset_id, base.hash), base.name, base.by)


@page.post("/sheets/<ruleset_id>/file")
@takes_long("POST")
def bring(ruleset_id: str) -> tuple[str, int]:
    """Fill the form out of a file; nothing is published."""
    rules, printed = _ruleset_named(ruleset_id), book().sheets.printed_sheet(ruleset_id)
    file = request.files.get("file")
    try:
        read = sheetfile.read_sheet_file(printed, file.read() if file else b"")
    except BadSheet as bad:
        return _sheet_page(rules, SheetDraft(sheet=printed, wrong={"file": say(bad.says, **bad.figures)})), 422
    notes = [
        say(
            "{number}: {why}",
            number=words.number_label(ruleset_id, bad.path, read.overrides) if bad.path else "",
            why=say(bad.says, **bad.figures),
        )
        for bad in read.wrong
    ]
    shown = sheet_form.fitting_sheet(printed, TypedSheet(read.overrides, {}), read.name or say("the file"))
    draft = SheetDraft(sheet=shown, notes=notes, asked=True, name=read.name, by=read.by)
    return _sheet_page(rules, _examine(rules, draft)), 200


def _file_answer(rules: AnyRuleset, sheet: Sheet, name: str, by: str) -> Response:
    slug = re.sub(r"[^a-z0-9]+", "-", f"{rules.title} {name}".lower()).strip("-")[:60]
    return file_answer(sheetfile.sheet_toml(sheet, name, by), f"{slug}.toml", "application/toml")


def _ruleset_named(ruleset_id: str) -> AnyRuleset:
    if ruleset_id not in RULESETS:
        abort(404)
    return RULESETS[ruleset_id]


def _sheet_asked(rules: AnyRuleset) -> PublishedSheet | None:
    """The published sheet that the address names; None: the one that Daybook comes with."""
    hash = request.args.get("hash", "")
    if not hash or hash == book().sheets.printed_sheet(rules.id).digest():
        return None
    try:
        book().sheets.get(rules.id, hash)
    except UnknownSheet:
        abort(404)
    return book().sheets.published(rules.id, hash) or abort(404)


def _sheet_page(rules: AnyRuleset, draft: SheetDraft) -> str:
    printed = book().sheets.printed_sheet(rules.id)
    sections = Showing(rules.id, draft.sheet, printed, draft.sent, draft.wrong).sections()
    said = _findings_in_words(rules, draft, sections)
    tags = [number.tag for number in draft.sheet.numbers.values()]
    only = request.values.get("only", "all")
    published, more = page_asked("sheet.sheet", lambda after, limit: book().sheets.page(rules.id, after, limit))
    return render_template(
        "sheet.html",
        rules=rules,
        draft=draft,
        sections=sections,
        said=said,
        printed=printed.values(),
        open=_open_chapters(sections, draft, said),
        published=published,
        published_in_all=book().sheets.count(rules.id),
        more=more and f"{more}#published",
        filters=FILTERS,
        only=only if only in FILTERS else "all",
        barred=(barred := any(finding.barred for finding in draft.findings)),
        examples=[] if barred else [example_shown(rules.id, one) for one in play_examples(rules, draft.sheet)],
        name_limit=SHEET_NAME_LIMIT,
        by_limit=BY_LIMIT,
        seen=draft.sheet.digest() if draft.sent else "",
        number_text=sheet_form.number_text,
        tags={tag: tags.count(tag) for tag in SOURCES if tag in tags},
    )


def _open_chapters(sections: list[sheet_form.SheetChapter], draft: SheetDraft, said: list[SheetFinding]) -> set[str]:
    """The chapters that stand open: all of a short sheet, or those with something to look at."""
    if len(draft.sheet.numbers) <= SHORT:
        return {section.id for section in sections}
    looked_at = {*draft.wrong, *(one.field for one in said)}
    return {section.id for section in sections if section.changed or looked_at & set(section.fields)}


def _findings_in_words(
    rules: AnyRuleset, draft: SheetDraft, sections: list[sheet_form.SheetChapter]
) -> list[SheetFinding]:
    fields = [field for section in sections for field in section.fields]
    return [
        SheetFinding(
            finding.rule,
            example_sentence(rules.id, finding.example)
            if finding.example
            else words.reason_sentence(finding.reason, rules.id),
            next((field for path in finding.paths for field in fields if field.startswith(path)), ""),
        )
        for finding in draft.findings
    ]
