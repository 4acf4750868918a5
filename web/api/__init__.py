"""The JSON API: everything the pages can do, for programs. Browse it at /api/v1/."""

from __future__ import annotations

from flask import Flask

from web.api import document
from web.api.claims import claims
from web.api.clubs import league
from web.api.corrections import corrections
from web.api.evidence import evidence
from web.api.files import files
from web.api.forks import forks
from web.api.games import games
from web.api.health import health
from web.api.practice import practice
from web.api.reading import reading
from web.api.rulesets import rulesets
from web.api.statistics import statistics
from web.api.steps import steps

SECTIONS = (games, steps, reading, corrections, claims, forks, evidence, files, rulesets, practice, league, statistics,
            health)


def register(app: Flask) -> None:
    """Put the API into an application, whose own error handler gives what goes wrong below /api/ to errors.failure."""
    document.publish(app, SECTIONS)
