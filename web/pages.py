"""The parts an application can be made of: each page by the name of its blueprint, and the API.

A part is imported when an application has it, so that one without clubs, photos or signatures runs where their
libraries do not: a browser, say.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module

from flask import Flask

API = "api"
PAGES = {  # where each page stands
    "home": "site.home",
    "new_game": "recording.new_game",
    "importing": "recording.importing",
    "practice": "recording.practice",
    "practice_table": "recording.practice_table",
    "links": "recording.links",
    "lease": "recording.lease",
    "device_lease": "recording.device_lease",
    "record": "recording.record",
    "typed_line": "recording.typed_line",
    "paper": "recording.paper",
    "book": "recording.book",
    "passing": "recording.passing",
    "adjust": "recording.adjust",
    "stood": "disputes.as_played",
    "correct": "disputes.correct",
    "count": "disputes.count",
    "compare": "disputes.compare",
    "replay": "replay.replay",
    "pictures": "replay.pictures",
    "live": "recording.live",
    "moments": "replay.moments",
    "chances": "replay.chances",
    "better_moves": "disputes.better_moves",
    "score": "replay.score",
    "bg_stats": "replay.bg_stats",
    "sheet": "recording.sheet",
    "making": "recording.making",
    "about": "replay.about",
    "checking": "replay.checking",
    "help": "site.help",
    "manifest": "site.manifest",
    "metrics": "site.metrics",
    "unreached": "server.unreached",
    "claims": "disputes.claims",
    "ruling": "disputes.ruling",
    "umpires": "disputes.umpires",
    "photos": "disputes.photos",
    "wrong": "disputes.wrong",
    "what_if": "disputes.what_if",
    "evidence": "replay.evidence",
    "audit": "disputes.audit",
    "signin": "people.signin",
    "me": "people.me",
    "merging": "people.merging",
    "operator": "people.operator",
    "invited": "people.invited",
    "people": "club.people",
    "anonymous": "people.anonymous",
    "clubs": "club.clubs",
    "club": "club.club",
    "evenings": "club.evenings",
    "league": "club.league",
    "season": "club.season",
    "season_picture": "club.season_picture",
    "players": "club.players",
    "draw": "club.draw",
    "table": "club.table",
    "closing": "club.closing",
    "succession": "club.succession",
    "person": "club.person",
    "ratings": "club.ratings",
    "exchange": "club.exchange",
    "calendar": "club.calendar",
    "statistics": "statistics.statistics",
    "openings": "statistics.openings",
    "luck": "statistics.luck",
    "here": "site.here",
    "device": "here.device",
    "taking": "here.taking",
}
DEVICE = ("device", "taking")  # what is kept on a device, and how games come and go: what no server has
EVERYTHING = (*(name for name in PAGES if name not in DEVICE), API)
AT_THE_TABLE = (  # what is needed for an evening: pure Python from end to end
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
    "book",
    "passing",
    "adjust",
    "stood",
    "correct",
    "count",
    "compare",
    "replay",
    "moments",
    "live",
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
    "what_if",
    "audit",
)
ON_A_DEVICE = (*AT_THE_TABLE, *DEVICE)


def register_parts(app: Flask, parts: Collection[str]) -> None:
    """Put parts into an application, in the order they have here. KeyError for one that there is not."""
    for name in parts:
        if name != API:
            PAGES[name]  # said before anything is imported
    for name, place in PAGES.items():
        if name in parts:
            app.register_blueprint(import_module(f"daybook.web.{place}").page)
    if API in parts:
        import_module("daybook.web.api").register(app)
    if not {*EVERYTHING} <= {*parts}:
        app.register_blueprint(import_module("daybook.web.site.elsewhere").page)
