"""The parts of an application: each page by the name of its blueprint, and the API.

A part is imported only if an application includes it. An application without clubs, photos or signatures runs without
their libraries, for example in a browser.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module

from flask import Flask

API = "api"
MODULES = (  # of the pages; a page has the name of its module
    "site.home",
    "recording.new_game",
    "recording.importing",
    "recording.practice",
    "recording.practice_table",
    "recording.links",
    "recording.lease",
    "recording.device_lease",
    "recording.record",
    "recording.typed_line",
    "recording.paper",
    "recording.printed_game",
    "recording.passing",
    "recording.adjust",
    "disputes.as_played",
    "disputes.correct",
    "disputes.count",
    "disputes.compare",
    "replay.replay",
    "replay.pictures",
    "replay.shared",
    "recording.live",
    "replay.figure",
    "replay.moments",
    "replay.chances",
    "disputes.better_moves",
    "replay.score",
    "replay.bg_stats",
    "recording.sheet",
    "recording.making",
    "replay.about",
    "replay.checking",
    "site.help",
    "site.manifest",
    "site.metrics",
    "server.unreached",
    "disputes.claims",
    "disputes.ruling",
    "disputes.umpires",
    "disputes.photos",
    "disputes.wrong",
    "disputes.wrong_figure",
    "disputes.mistyped",
    "disputes.what_if",
    "replay.evidence",
    "disputes.audit",
    "people.sign_in",
    "people.me",
    "people.notifications",
    "people.merging",
    "people.operator",
    "people.reports",
    "site.terms",
    "site.operation",
    "people.invited",
    "club.people",
    "people.anonymous",
    "club.clubs",
    "club.club",
    "club.evenings",
    "club.evening_review",
    "club.league",
    "club.season",
    "club.season_picture",
    "club.live_round",
    "club.club_embed",
    "club.players",
    "club.draw",
    "club.table",
    "club.closing",
    "club.succession",
    "club.person",
    "club.year",
    "club.challenges",
    "club.ratings",
    "club.plays",
    "club.exchange",
    "club.own_log",
    "club.calendar",
    "club.messages",
    "club.feeds",
    "statistics.statistics",
    "statistics.openings",
    "statistics.luck",
    "site.here",
    "here.device",
    "here.taking",
)
PAGES = {module.rpartition(".")[2]: module for module in MODULES}
DEVICE = ("device", "taking")  # pages for games on a device, which no server has
EVERYTHING = (*(name for name in PAGES if name not in DEVICE), API)
AT_THE_TABLE = (  # parts for an evening, all pure Python
    "home",
    "new_game",
    "importing",
    "practice",
    "practice_table",
    "links",
    "lease",
    "record",
    "typed_line",
    "paper",
    "printed_game",
    "passing",
    "adjust",
    "as_played",
    "correct",
    "count",
    "compare",
    "replay",
    "moments",
    "live",
    "figure",
    "score",
    "bg_stats",
    "sheet",
    "making",
    "about",
    "checking",
    "help",
    "claims",
    "ruling",
    "umpires",
    "wrong",
    "wrong_figure",
    "mistyped",
    "what_if",
    "audit",
)
ON_A_DEVICE = (*AT_THE_TABLE, *DEVICE)


def register_parts(app: Flask, parts: Collection[str]) -> None:
    """Register parts in their order here. Raises KeyError for an unknown part."""
    for name in parts:
        if name != API:
            PAGES[name]  # checked before anything is imported
    for name, place in PAGES.items():
        if name in parts:
            app.register_blueprint(import_module(f"daybook.web.{place}").page)
    if API in parts:
        import_module("daybook.web.api").register(app)
    if not {*EVERYTHING} <= {*parts}:
        app.register_blueprint(import_module("daybook.web.site.elsewhere").page)
