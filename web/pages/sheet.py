"""The component sheet: every printed number with its source, and corrected sheets that groups publish."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug import Response

from domain.games import RULESETS
from domain.sheet import BadSheet, Number, Sheet
from services.sheets import UnknownSheet
from web import words
from web.access import book, held
from web.forms import BadText, text_of, value_of
from web.words import say

page = Blueprint("sheet", __name__)


class Row(msgspec.Struct, frozen=True):
    """One printed number: what the form shows, and what is wrong with it."""

    path: str
    label: str
    number: Number
    text: str
    wrong: str = ""


@page.route("/sheets/<ruleset>", methods=["GET", "POST"])
def sheet(ruleset: str) -> str | Response | tuple[str, int]:
    if ruleset not in RULESETS:
        abort(404)
    if request.method == "GET":
        return _page(ruleset, _asked(ruleset), {}, {})
    typed, wrong = _typed(ruleset)
    if not wrong:
        try:
            hash = book().sheets.publish(ruleset, request.form.get("name", ""), typed, _by())
        except BadSheet as bad:
            wrong = {_field_of(ruleset, bad): str(bad)}
        else:
            flash(say("The sheet is published: choose it when a game is opened."))
            return redirect(url_for("sheet.sheet", ruleset=ruleset, hash=hash), 303)
    return _page(ruleset, book().sheets.printed(ruleset), dict(request.form), wrong), 422


def _asked(ruleset: str) -> Sheet:
    """The sheet that the address names; the printed one where it names none."""
    hash = request.args.get("hash")
    if hash is None:
        return book().sheets.printed(ruleset)
    try:
        return book().sheets.get(ruleset, hash)
    except UnknownSheet:
        abort(404)


def _typed(ruleset: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Numbers that were typed differently from the printed ones, and what is wrong, by field."""
    typed: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for path, number in book().sheets.printed(ruleset).numbers.items():
        text = request.form.get(path, text_of(number.value))
        if text.strip() == text_of(number.value):
            continue
        try:
            typed[path] = value_of(text, number.value)
        except BadText as bad:
            wrong[path] = str(bad)
    return typed, wrong


def _field_of(ruleset: str, bad: BadSheet) -> str:
    path = str(bad).partition(":")[0]
    return path if path in book().sheets.printed(ruleset).numbers else "name"


def _by() -> str:
    return next((grant.by for grant in held()), "")


def _page(ruleset: str, shown: Sheet, sent: dict[str, str], wrong: dict[str, str]) -> str:
    groups: dict[str, list[Row]] = {}
    place = {path: place for place, path in enumerate(book().sheets.printed(ruleset).numbers)}
    for path, number in sorted(shown.numbers.items(), key=lambda item: place.get(item[0], len(place))):
        groups.setdefault(path.partition(".")[0], []).append(Row(
            path, words.number_label(ruleset, path), number, sent.get(path, text_of(number.value)),
            wrong.get(path, "")))
    tags = [number.tag for number in shown.numbers.values()]
    return render_template(
        "sheet.html", rules=RULESETS[ruleset], shown=shown, groups=groups, wrong=wrong, sent=sent,
        printed=book().sheets.printed(ruleset), published=book().sheets.list(ruleset),
        tags={tag: tags.count(tag) for tag in words.SOURCES if tag in tags})
