"""The JSON API: everything the pages can do, for programs. Its document is at /api/v1/openapi.json, to browse at /api/v1/."""

from __future__ import annotations

from flask import Flask
from flask_smorest import Api

from services.daybook import Daybook
from web.api import answers, base, document
from web.api.files import files
from web.api.games import games
from web.api.practice import practice
from web.api.reading import reading
from web.api.rulesets import rulesets
from web.api.steps import steps
from web.api.elsewhere import elsewhere
from web.api.health import health

SECTIONS = (games, steps, reading, files, rulesets, practice, health)


def register(app: Flask, book: Daybook) -> None:
    """Put the API into an application."""
    app.extensions["daybook"] = book
    api = document.Described(app)
    for section in SECTIONS:
        api.register_blueprint(section)
    document.publish(app, api)
    app.register_blueprint(elsewhere)
