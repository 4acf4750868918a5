"""The JSON API, which does for programs what the pages do for users. Browse it at /api/v1/."""

from __future__ import annotations

from flask import Flask

from daybook.services.permissions.actions import MayNotError
from daybook.web.api import (
    club_challenges,
    club_evenings,
    club_live,
    club_moves,
    club_years,
    document,
    join_requests,
    play_imports,
    seats,
    tables,
)
from daybook.web.api.analysis import analysis
from daybook.web.api.claims import claims_section
from daybook.web.api.clubs import league
from daybook.web.api.corrections import corrections
from daybook.web.api.evidence import evidence
from daybook.web.api.files import files
from daybook.web.api.forks import forks_section
from daybook.web.api.game_links import games
from daybook.web.api.health import health
from daybook.web.api.own_keys import own_keys
from daybook.web.api.practice import practice
from daybook.web.api.reading import reading
from daybook.web.api.refusals import answer_missing_permission
from daybook.web.api.rulesets import rulesets
from daybook.web.api.statistics_answers import statistics
from daybook.web.api.steps import steps

EXTENDING_MODULES = (
    club_challenges,
    club_evenings,
    club_live,
    club_years,
    join_requests,
    club_moves,
    play_imports,
    seats,
    tables,
)  # modules that add addresses to other modules' sections
SECTIONS = (
    games,
    steps,
    reading,
    corrections,
    claims_section,
    forks_section,
    evidence,
    files,
    rulesets,
    practice,
    analysis,
    league,
    statistics,
    own_keys,
    health,
)

for _section in SECTIONS:
    _section.register_error_handler(MayNotError, answer_missing_permission)


def register(app: Flask) -> None:
    """Add the API to an application."""
    document.publish(app, SECTIONS)
