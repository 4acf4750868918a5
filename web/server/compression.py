"""Makes answers smaller on their way: text, and only where nobody else can have had it asked for.

Who sees how long compressed answers are, and can have a browser ask for them again and again with a text of his own
beside a secret, learns the secret letter by letter (BREACH). A browser says whether a page of ours asked, or its own
user (Sec-Fetch-Site); what another site has it ask for is sent as it is. Programs prove themselves with a key, which no
other site can have sent; the API looks at nothing else.
"""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

from daybook.web.request.access import bearer_key

LEAST_BYTES = 1024
LEVEL = 3  # half the time of the usual 6, for a tenth more bytes
OWN = frozenset({"same-origin", "none"})
TEXTS = frozenset(
    {
        "application/json",
        "application/problem+json",
        "application/x-ndjson",
        "application/jsonl",
        "application/toml",
        "application/javascript",
        "image/svg+xml",
    }
)


def compress(app: Flask) -> None:
    app.after_request(compress_answer)


def compress_answer(answer: Response) -> Response:
    """An answer, made smaller if it may be. Streams and files go out as they are."""
    if not _is_text(answer) or answer.direct_passthrough:
        return answer
    if "Vary" in answer.headers:
        answer.vary.update(["Accept-Encoding", "Sec-Fetch-Site"])
    else:
        answer.headers["Vary"] = "Accept-Encoding, Sec-Fetch-Site"
    if "Content-Encoding" in answer.headers or not may_be_compressed():
        return answer
    content = answer.get_data()
    if len(content) >= LEAST_BYTES:
        answer.set_data(gzip.compress(content, LEVEL, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


def may_be_compressed() -> bool:
    """Whether this request asks for it, and comes from whom it seems to."""
    if not request.accept_encodings.quality("gzip"):
        return False
    return request.headers.get("Sec-Fetch-Site") in OWN or bearer_key() is not None or request.path.startswith("/api/")


def _is_text(answer: Response) -> bool:
    return answer.status_code not in (204, 206, 304) and (
        (answer.mimetype or "").startswith("text/") or answer.mimetype in TEXTS
    )
