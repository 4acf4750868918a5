"""Limits for request bodies with files, set before the body is read."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, request


def limit_bodies(blueprint: Blueprint, limit: int, *views: str) -> None:
    """Set the maximum body size in bytes for a blueprint's views, or for the named ones."""
    endpoints = [f"{blueprint.name}.{view}" for view in views]

    def set_limit(endpoint: str | None, values: dict[str, Any] | None) -> None:
        if not endpoints or endpoint in endpoints:
            request.max_content_length = limit

    blueprint.url_value_preprocessor(set_limit)
