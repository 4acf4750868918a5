"""The days of whoever looks: their time zone, as their device says it, else that of the club, else UTC."""

from __future__ import annotations

from flask import request

from daybook.domain.league.club import Club
from daybook.services import days

COOKIE = "daybook_zone"  # written by web/static/page.js; it names a zone and nobody


def zone_of_visitor(club: Club | None = None) -> str:
    said = request.cookies.get(COOKIE, "")
    if days.is_zone(said):
        return said
    return club.zone if club is not None else "UTC"


def today(club: Club | None = None) -> str:
    """Which day it is for whoever looks."""
    return days.today_of(zone_of_visitor(club))
