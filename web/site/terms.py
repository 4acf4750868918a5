"""The operator's own terms and privacy text, from the file of the setting."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, render_template

page = Blueprint("terms", __name__)


@page.get("/terms", endpoint="terms")
def terms_page() -> str:
    return render_template("terms.html", paragraphs=current_app.extensions["terms"] or abort(404))
