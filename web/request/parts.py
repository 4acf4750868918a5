"""Which parts this application has, and where links to the others lead."""

from __future__ import annotations

from typing import Any

from flask import Flask, current_app, url_for
from werkzeug.routing import BuildError


def part_here(name: str) -> bool:
    """Whether this application has a part, by the name of its blueprint."""
    return name in current_app.blueprints


def is_device() -> bool:
    """Whether this is the application of a device alone, which no other phone can open: links lead nobody to it."""
    return not part_here("device_lease")


def lead_elsewhere(app: Flask) -> None:
    """A link to a part that is not in this application leads to a page that says where it is."""
    app.url_build_error_handlers.append(_elsewhere)


def _elsewhere(error: Exception, endpoint: str, values: dict[str, Any]) -> str:
    part = endpoint.partition(".")[0]
    if not isinstance(error, BuildError) or part_here(part) or not part_here("elsewhere"):
        raise error
    return url_for("elsewhere.elsewhere", part=part)
