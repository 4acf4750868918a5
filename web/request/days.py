"""Days of the viewer: the device's time zone, else the club's, else UTC; on a device, its own."""

from __future__ import annotations

from flask import request

from daybook.domain.league.club import Club
from daybook.services import days
from daybook.web.request.forms import BadTextError, text_sent

ZONE_COOKIE = "daybook_zone"  # written by web/static/page.js; holds only a zone's name


def zone_of_visitor(club: Club | None = None) -> str:
    """Return the time zone in the browser's cookie, else the club's, else the default."""
    said = request.cookies.get(ZONE_COOKIE, "")
    if days.is_zone(said):
        return said
    return club.zone if club is not None else days.default_zone()


def viewer_today(club: Club | None = None) -> str:
    """Return today's date for the viewer."""
    return days.today_of(zone_of_visitor(club))


def form_time(at: str, zone: str) -> str:
    """Return a moment as a form field has it, in the form's zone: 2026-11-20T19:30."""
    return days.local_of(at, zone)[:16] if at else ""


def moment_sent(field: str = "when") -> str:
    """Return the moment of the form's local time and `zone`; "" if missing. Raises BadTextError."""
    sent, zone = text_sent(field).strip(), request.form.get("zone", "UTC")
    if not sent:
        return ""
    try:
        return days.moment_at(sent[:16], zone if days.is_zone(zone) else "")
    except ValueError:
        raise BadTextError(sent) from None
