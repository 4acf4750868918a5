"""JSON responses that caches do not store."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from flask import Response


def json_answer(status: int = 200, headers: Mapping[str, str] | None = None, /, **fields: object) -> Response:
    answer = Response(msgspec.json.encode(fields), status, headers, mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer
