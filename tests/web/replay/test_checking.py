"""A record file held against its seals and today's rules, and not kept."""

from __future__ import annotations

import io

from daybook.services.limits import LIMITS
from tests.services.fixture_files import bare_file_of, file_of, played_game
from tests.web.conftest import VisitedPage, Visitor

GAME = played_game(9)
FILE = file_of(GAME)


def check(visitor: Visitor, file: bytes) -> VisitedPage:
    fields = visitor.get("/check").form("Check it").fields
    fields = {name: text for name, text in fields.items() if name != "record"}
    return VisitedPage(
        visitor.client.post(
            "/check", data=fields | {"record": (io.BytesIO(file), "game.daybook")}, content_type="multipart/form-data"
        )
    )


def test_a_whole_file_is_said_to_be_whole_and_is_not_kept(visitor, book):
    page = check(visitor, FILE)
    assert page.status == 200
    assert "Every seal is right" in page.html
    assert "agree with every step" in page.html
    assert book.log.game_ids() == []


def test_an_altered_file_is_said_to_be_altered(visitor):
    lines = FILE.split(b"\n")
    lines[5] = lines[5].replace(b'"seat":', b'"seat": ', 1)
    page = check(visitor, b"\n".join(lines))
    assert page.status == 422
    assert "Every seal is right" not in page.html


def test_a_bare_file_has_no_seals(visitor):
    page = check(visitor, bare_file_of(GAME))
    assert "without seals" in page.html
    assert "agree with every step" in page.html


def test_what_is_no_record_is_said_so(visitor):
    page = check(visitor, b"no record\n")
    assert page.status == 422
    assert "Line 1" in page.html


def test_who_checks_very_many_files_from_one_address_has_to_wait(visitor):
    """Judging takes long; a browser that keeps no cookie would be at work any number of times at once."""
    form = visitor.get("/check").form("Check it").fields
    answers = [
        visitor.client.post(
            "/check",
            data={"csrf": form["csrf"], "record": (io.BytesIO(b"no record\n"), "game.daybook")},
            content_type="multipart/form-data",
            environ_base={"REMOTE_ADDR": at},
        ).status_code
        for at in ["192.0.2.9"] * (LIMITS["check"].browser + 1)
    ]
    assert answers == [422] * LIMITS["check"].browser + [429]
