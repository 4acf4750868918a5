"""The component sheet: every printed number with its source, and the corrected sheets of groups.

A group downloads the sheet as TOML, changes the numbers that its box prints differently, and pastes or uploads it. The
page shows the differences and the objections of the rules before anything is published.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Blueprint, abort, flash, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.sheet import InvalidSheetError, Number, Sheet, compared_with_box, differences, overridden
from daybook.services.play.sheet_trials import examine_and_try, publish_tried
from daybook.services.store import sheetfile
from daybook.services.store.sheets import (
    BY_LIMIT,
    SHEET_NAME_LIMIT,
    PublishedSheet,
    RuleFinding,
    UnknownSheetError,
    UnplayableError,
    examine_sheet,
    play_examples,
)
from daybook.web import words
from daybook.web.recording.making import flash_why_unlisted
from daybook.web.recording.sheet_examples import example_sentence, example_shown
from daybook.web.request.access import book
from daybook.web.request.byte_counts import stranger_mark
from daybook.web.request.clubs import user_id
from daybook.web.request.forms import see_other
from daybook.web.request.lists import requested_page
from daybook.web.request.long_work import takes_long
from daybook.web.request.security import file_response
from daybook.web.words import say
from daybook.web.words.places import text_of
from daybook.web.words.record_words import SOURCES

page = Blueprint("sheet", __name__)

FILTERS = {"all": words.N_("all"), "assumed": words.N_("only assumed")}
MAX_UNFOLDED_NUMBERS = 60  # groups of a longer sheet are folded
MAX_FAULTS_SHOWN = 40


class SheetRow(Frozen):
    """One printed number on the page."""

    path: str
    label: str
    number: Number
    changed: bool


class SheetGroup(Frozen):
    """Numbers under one heading, the first word of their paths."""

    id: str
    title: str
    rows: list[SheetRow]
    open: bool

    @property
    def assumed(self) -> int:
        return sum(row.number.tag == "assumed" for row in self.rows)

    @property
    def changed(self) -> int:
        return sum(row.changed for row in self.rows)


class Difference(Frozen):
    """A number that differs from the sheet that Daybook includes."""

    path: str
    label: str
    was: str | None  # None if that sheet lacks the number
    now: str


class FindingShown(Frozen):
    """A finding of the rules as a sentence."""

    rule: str
    text: str
    path: str  # of the first number that it names


class SheetDraft(Frozen, kw_only=True):
    """Sheet on the page.

    Args:
        base: published sheet of the address.
        text: TOML in the form.
        wrong: faults by field.
        faults: faults of the TOML's numbers.
        checked: the rules were consulted.
        whole: none of its numbers is assumed any more.
    """

    sheet: Sheet
    base: PublishedSheet | None = None
    text: str = ""
    wrong: dict[str, str] = {}
    faults: list[str] = []
    findings: list[RuleFinding] = []
    checked: bool = False
    whole: bool = False
    name: str = ""
    by: str = ""


@page.get("/sheets/<ruleset_id>")
def sheet(ruleset_id: str) -> str:
    rules = _ruleset_named(ruleset_id)
    base, printed = _requested_sheet(rules), book().sheets.printed_sheet(ruleset_id)
    if base is None:
        return _sheet_page(rules, SheetDraft(sheet=printed, text=_changes_toml(printed, printed)))
    shown = book().sheets.get(ruleset_id, base.hash)
    draft = SheetDraft(
        sheet=shown,
        base=base,
        text=_changes_toml(shown, printed),
        findings=examine_sheet(rules, shown),
        whole=all(number.tag != "assumed" for number in shown.numbers.values()),
    )
    return _sheet_page(rules, draft)


@page.post("/sheets/<ruleset_id>")
@takes_long("POST")
def send(ruleset_id: str) -> ResponseReturnValue:
    """Check the TOML that was pasted or uploaded, or publish it."""
    rules, form = _ruleset_named(ruleset_id), request.form
    printed = book().sheets.printed_sheet(ruleset_id)
    file = request.files.get("file")
    content = file.read() if file else form.get("text", "").encode()
    draft = SheetDraft(
        sheet=printed,
        base=_requested_sheet(rules),
        text=content.decode("utf-8-sig", errors="replace"),
        whole=form.get("whole") == "yes",
        name=form.get("name", ""),
        by=form.get("by", ""),
    )
    try:
        read = sheetfile.read_sheet_file(printed, content)
    except InvalidSheetError as bad:
        errors = {"text": say(bad.says, **bad.figures)}
        return _sheet_page(rules, msgspec.structs.replace(draft, wrong=errors)), 422
    draft = msgspec.structs.replace(draft, name=draft.name or read.name, by=draft.by or read.by)
    if read.wrong:
        return _sheet_page(rules, msgspec.structs.replace(draft, faults=_faults_in_words(rules, read))), 422
    typed = overridden(printed, read.overrides, say("this form"))
    draft = msgspec.structs.replace(
        draft, sheet=compared_with_box(typed, say("this form")) if draft.whole else typed, checked=True
    )
    if form.get("do") == "publish":
        return _publish(rules, draft, read.overrides)
    return _sheet_page(rules, msgspec.structs.replace(draft, findings=examine_and_try(rules, draft.sheet))), 200


def _publish(rules: AnyRuleset, draft: SheetDraft, overrides: Mapping[str, Any]) -> ResponseReturnValue:
    """Publish the draft unless the rules forbid it, after showing their warnings once."""
    findings = examine_sheet(rules, draft.sheet)
    draft = msgspec.structs.replace(draft, findings=findings)
    if any(not finding.barred for finding in findings) and request.form.get("seen") != draft.sheet.digest():
        return _sheet_page(rules, draft), 200
    published = book().sheets.published(rules.id, draft.sheet.digest())
    try:
        sheet_hash = publish_tried(
            book().sheets,
            rules.id,
            draft.name,
            overrides,
            draft.by,
            person=user_id(),
            is_complete=draft.whole,
            stranger=stranger_mark(),
        )
    except UnplayableError as bad:
        return _sheet_page(rules, msgspec.structs.replace(draft, findings=bad.findings)), 422
    except InvalidSheetError as bad:
        errors = {bad.path or "name": say(bad.says, **bad.figures)}
        return _sheet_page(rules, msgspec.structs.replace(draft, wrong=errors)), 422
    flash(
        say("These numbers are already published, as {name}.", name=published.name)
        if published is not None
        else say("The sheet is published: choose it when a game is opened.")
    )
    flash_why_unlisted(rules, sheet_hash)
    return see_other("sheet.sheet", ruleset_id=rules.id, hash=sheet_hash)


@page.get("/sheets/<ruleset_id>/file")
def save(ruleset_id: str) -> Response:
    """Serve the sheet of the address as a TOML file."""
    rules = _ruleset_named(ruleset_id)
    base = _requested_sheet(rules)
    name, by = (base.name, base.by) if base else ("", "")
    shown = book().sheets.get(ruleset_id, base.hash) if base else book().sheets.printed_sheet(ruleset_id)
    slug = re.sub(r"[^a-z0-9]+", "-", f"{rules.title} {name}".lower()).strip("-")[:60]
    return file_response(sheetfile.sheet_toml(shown, name, by), f"{slug}.toml", "application/toml")


def _ruleset_named(ruleset_id: str) -> AnyRuleset:
    if ruleset_id not in RULESETS:
        abort(404)
    return RULESETS[ruleset_id]


def _requested_sheet(rules: AnyRuleset) -> PublishedSheet | None:
    """Return the published sheet that the address names; None for the sheet that Daybook comes with."""
    sheet_hash = request.args.get("hash", "")
    if not sheet_hash or sheet_hash == book().sheets.printed_sheet(rules.id).digest():
        return None
    try:
        book().sheets.get(rules.id, sheet_hash)
    except UnknownSheetError:
        abort(404)
    return book().sheets.published(rules.id, sheet_hash) or abort(404)


def _changes_toml(sheet: Sheet, printed: Sheet) -> str:
    """Return a TOML file of only the numbers that differ from the printed sheet."""
    changed = {path: sheet.numbers[path] for path in differences(sheet, printed)}
    return sheetfile.sheet_toml(Sheet(sheet.game, changed), "", "")


def _sheet_page(rules: AnyRuleset, draft: SheetDraft) -> str:
    printed = book().sheets.printed_sheet(rules.id)
    only = request.args.get("only", "all")
    changes = differences(draft.sheet, printed)
    findings = [_finding_in_words(rules, draft.sheet, finding) for finding in draft.findings]
    barred = any(finding.barred for finding in draft.findings)
    tags = [number.tag for number in draft.sheet.numbers.values()]
    published, more = requested_page("sheet.sheet", lambda after, limit: book().sheets.page(rules.id, after, limit))
    return render_template(
        "sheet.html",
        rules=rules,
        draft=draft,
        groups=_build_groups(rules, draft.sheet, changes, only == "assumed"),
        differences_of=lambda overrides: _differences_in_words(rules, printed, overrides),
        changes=changes,
        findings=findings,
        published=published,
        published_in_all=book().sheets.count(rules.id),
        number_text=_number_text,
        example=_example_number(printed),
        more=more and f"{more}#published",
        filters=FILTERS,
        only=only if only in FILTERS else "all",
        barred=barred,
        examples=[] if barred else [example_shown(rules.id, played) for played in play_examples(rules, draft.sheet)],
        shown_faults=MAX_FAULTS_SHOWN,
        name_limit=SHEET_NAME_LIMIT,
        by_limit=BY_LIMIT,
        seen=draft.sheet.digest() if draft.checked else "",
        tags={tag: tags.count(tag) for tag in SOURCES if tag in tags},
    )


def _build_groups(rules: AnyRuleset, sheet: Sheet, changes: Mapping[str, Any], only_assumed: bool) -> list[SheetGroup]:
    groups: dict[str, list[SheetRow]] = {}
    for path, number in sheet.numbers.items():
        if not only_assumed or number.tag == "assumed":
            row = SheetRow(path, words.number_label(rules.id, path, changes), number, path in changes)
            groups.setdefault(path.partition(".")[0], []).append(row)
    is_open = only_assumed or len(sheet.numbers) <= MAX_UNFOLDED_NUMBERS
    return [SheetGroup(name, words.number_label(rules.id, name), rows, is_open) for name, rows in groups.items()]


def _differences_in_words(rules: AnyRuleset, printed: Sheet, overrides: Mapping[str, Any]) -> list[Difference]:
    return [
        Difference(
            path,
            words.number_label(rules.id, path, overrides),
            _number_text(printed[path]) if path in printed.numbers else None,
            _number_text(value),
        )
        for path, value in overrides.items()
    ]


def _example_number(printed: Sheet) -> dict[str, Any] | None:
    """Return an example number with its TOML table and key; None for a sheet without whole numbers."""
    whole_numbers = ((path, number.value) for path, number in printed.numbers.items() if type(number.value) is int)
    path, value = next(whole_numbers, ("", 0))
    table, _, key = path.rpartition(".")
    return {"path": path, "table": table, "key": key, "value": value} if table else None


def _number_text(value: Any) -> str:
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    return text_of(value) or "–"


def _faults_in_words(rules: AnyRuleset, read: sheetfile.SheetRead) -> list[str]:
    return [
        say(
            "{number}: {why}",
            number=words.number_label(rules.id, fault.path, read.overrides),
            why=say(fault.says, **fault.figures),
        )
        for fault in read.wrong
    ]


def _finding_in_words(rules: AnyRuleset, sheet: Sheet, finding: RuleFinding) -> FindingShown:
    text = (
        example_sentence(rules.id, finding.example)
        if finding.example
        else words.reason_sentence(finding.reason, rules.id)
    )
    named = (path for start in finding.paths for path in sheet.numbers if path.startswith(start))
    return FindingShown(finding.rule, text, next(named, ""))
