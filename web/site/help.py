"""Help page, and the browser's preferences."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, session
from werkzeug import Response

from daybook.domain.games import RULESETS
from daybook.web import words
from daybook.web.request.access import set_shows_veiled
from daybook.web.request.forms import safe_path, text_sent
from daybook.web.request.template_globals import THEMES

page = Blueprint("help", __name__)


@page.get("/help", endpoint="help")
def help_page() -> str:
    return render_template("help.html", rulesets=RULESETS)


@page.post("/preferences")
def preferences() -> Response:
    """Store the browser's language and theme; an empty one follows the system."""
    theme, language = text_sent("theme"), text_sent("language")
    if theme in THEMES:
        session["theme"] = theme
    if language in words.languages():
        session["language"] = language
    session.permanent = True
    return redirect(safe_path(text_sent("back")), 303)


@page.post("/preferences/veil")
def set_veil() -> Response:
    """Switch covered totals of running games on or off in this browser."""
    set_shows_veiled(request.form.get("veil") == "lifted")
    return redirect(safe_path(text_sent("back")), 303)
