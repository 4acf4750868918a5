"""How large the body of a request may be where it is a file: said before anybody looks at it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, request


def limit_bodies(blueprint: Blueprint, limit: int, *views: str) -> None:
    """Let a blueprint's views, or those of them that are named, take bodies of up to so many bytes."""
    endpoints = [f"{blueprint.name}.{view}" for view in views]

    def set_limit(endpoint: str | None, values: dict[str, Any] | None) -> None:
        if not endpoints or endpoint in endpoints:
            request.max_content_length = limit

    blueprint.url_value_preprocessor(set_limit)
