"""Parts of this application, and links to parts it lacks."""

from __future__ import annotations

from typing import Any

from flask import Flask, current_app, url_for
from werkzeug.routing import BuildError


def has_part(name: str) -> bool:
    """Check if this application has a part, by the name of its blueprint."""
    return name in current_app.blueprints


def is_device() -> bool:
    """Check if this application runs on a device only, unreachable for other phones."""
    return not has_part("device_lease")


def has_terms() -> bool:
    """Check if the operator has terms to show."""
    return has_part("terms") and bool(current_app.extensions["terms"])


def takes_reports() -> bool:
    """Check if readers can report abuse: on a public Daybook."""
    return has_part("reports") and current_app.extensions["daybook"].settings.public


def link_missing_parts(app: Flask) -> None:
    """Make links to missing parts lead to a page that says where they are."""
    app.url_build_error_handlers.append(_missing_part_url)


def _missing_part_url(error: Exception, endpoint: str, values: dict[str, Any]) -> str:
    part = endpoint.partition(".")[0]
    if not isinstance(error, BuildError) or has_part(part) or not has_part("elsewhere"):
        raise error
    return url_for("elsewhere.elsewhere", part=part)
