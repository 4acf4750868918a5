"""The days of whoever looks: their time zone, as their device says it, else that of the club, else UTC; on a device
that shows the pages itself, its own.
"""

from __future__ import annotations

from flask import request

from daybook.domain.league.club import Club
from daybook.services import days
from daybook.web.request.forms import BadText, text_sent

COOKIE = "daybook_zone"  # written by web/static/page.js; it names a zone and nobody


def zone_of_visitor(club: Club | None = None) -> str:
    said = request.cookies.get(COOKIE, "")
    if days.is_zone(said):
        return said
    return club.zone if club is not None else days.zone_unsaid()


def today(club: Club | None = None) -> str:
    """Which day it is for whoever looks."""
    return days.today_of(zone_of_visitor(club))


def local_time(at: str, zone: str) -> str:
    """A moment as the field of a form has it, in a zone that the form says: 2026-11-20T19:30."""
    return days.local_of(at, zone)[:16] if at else ""


def moment_sent() -> str:
    """The moment whose local time a form says, in the zone that it says beside it (`zone`); empty: it says none. Raises
    BadText.
    """
    sent, zone = text_sent("when").strip(), request.form.get("zone", "UTC")
    if not sent:
        return ""
    try:
        return days.moment_at(sent[:16], zone if days.is_zone(zone) else "")
    except ValueError:
        raise BadText(sent) from None
