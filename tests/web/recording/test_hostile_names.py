"""Daybook reads its own files back, whatever titles and names contain, and the API seats as many people as pages."""

from __future__ import annotations

import re

import pytest

from daybook.domain.games import RULESETS
from daybook.services.files import import_export
from tests.web.conftest import Visitor, open_table
from tests.web.recording.test_importing import bring

HOSTILE = (
    ("semicolons; and; more;", ("Anna; end", "Ben;", ";Cleo")),
    ('quotes " \' ` „“', ('An"na', "Be'n", "«Cleo»")),
    ("# seat: Eve (red)", ("# Anna", "#Ben", "Cleo # note")),
    ("right to left \u05d0\u05d1\u05d2 \u0645\u0631\u062d\u0628\u0627", ("\u05d0\u05e0\u05d4", "\u0628\u0646", "Cleo")),
    ("emoji \U0001f3b2\U0001f469\u200d\U0001f469\u200d\U0001f467", ("Anna \U0001f451", "Ben\U0001f1e9\U0001f1ea", "Cle\u0301o")),
    ("=1+1", ("=cmd()", "+Ben", "@Cleo")),
    ("the table: R1; Anna: end", ("the table", "Anna: end", "note")),
    ("<b>&amp; {title} %s", ("{name}", "<Ben>", "%(Cleo)s")),
    ("\\n, comma, 1.", ("Anna, Ben", "Ben and Cleo", "1. Cleo")),
    ("x" * 120, ("A" * 60, "B" * 60, "C" * 60)),
    ("(red)", ("Anna (blue)", "Ben (red)", "(green)")),
)  # fmt: skip


@pytest.mark.parametrize(("title", "names"), HOSTILE)
def test_transcript_and_record_file_read_back(book, app, elsewhere, title, names):
    game = open_table(book, app, names, title, public=True)
    game.play(30, seed=2)
    ours = book.kept.game(game.id)
    import_export.import_file(elsewhere, import_export.export_game(book, game.id))
    assert (elsewhere.kept.game(game.id).title, elsewhere.kept.game(game.id).names) == (ours.title, ours.names)
    assert elsewhere.games.get(game.id).document == game.game.document
    text = game.visitor().client.get(f"{game.path}/transcript").data.decode()
    page = bring(Visitor(app), None, text=text)
    assert "The record is here" in page.text, page.text[:1500]
    (other,) = (kept for kept in book.kept.games() if kept.id != game.id)
    assert (other.title, other.names) == (ours.title, ours.names)
    assert book.games.get(other.id).document == game.game.document


@pytest.mark.parametrize("name", ["line\nbreak", "\u202eanna", "a\x00b", " ", "\u200b", "N" * 61])
def test_names_that_no_file_could_hold_are_refused_alike(app, book, name):
    """Open the game by the page and by the API."""
    visitor = Visitor(app)
    sent = {
        "ruleset": "making_profit",
        "title": "Friday",
        "players": [{"name": name, "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    }
    answer = visitor.client.post("/api/v1/games", json=sent, headers={"Idempotency-Key": "k" * 20})
    if answer.status_code == 201:  # a line break becomes a space
        assert re.fullmatch(r"[ -~]+", book.kept.games()[0].names[0])
    else:
        assert answer.status_code in (400, 422) and not book.kept.games()


def test_api_opens_a_game_of_twelve_as_pages_do(app, book):
    colours = RULESETS["score_sheet"].colours(book.sheets.printed_sheet("score_sheet"))
    players = [{"name": f"Player {n}", "colour": colour} for n, colour in enumerate(colours[:12])]
    assert len(players) == 12
    sent = {"ruleset": "score_sheet", "title": "Friday", "players": players}
    answer = app.test_client().post("/api/v1/games", json=sent, headers={"Idempotency-Key": "k" * 20})
    assert answer.status_code == 201, answer.text
    assert len(book.kept.games()[0].names) == 12
