"""The same API on PostgreSQL: what SQLite would let pass (characters, numbers, whole games) passes there too."""

from __future__ import annotations

from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from tests.web.api.conftest import Caller, wrong
from tests.web.api.test_bad_input import NASTY


def test_game_is_played_corrected_and_verified_on_postgresql(postgres_database, tmp_path):
    book = open_daybook(Settings(data=tmp_path / "data", database_url=postgres_database), create=True)
    api = Caller(create_app(book).test_client())
    game = api.open_game(public=True)
    game.play(15)
    assert game.post("/take-backs", {"to_step": 10, "cause": "table", "why": "all agreed", "at": 15}).json["step"] == 16
    for text in NASTY:
        assert game.post("/notes", {"about_step": 3, "text": text}).status_code == 201
        named = api.open_game(title=text, players=[{"name": text, "colour": "red"}, {"name": "B", "colour": "blue"}])
        assert named.get("").json["game"]["title"] == text
    assert wrong(game.post("/notes", {"about_step": 3, "text": "a\0b"})) == (400, "not_text")
    assert wrong(game.post("/notes", {"about_step": 2**31, "text": "x"})) == (422, "bad_fields")
    assert wrong(api.get("/rulesets/making_profit/sheets/'; --")) == (404, "unknown_sheet")
    body = {"name": "second printing", "overrides": {"start.money": 3}}
    assert [api.post("/rulesets/making_profit/sheets", body).status_code for _ in range(2)] == [201, 201]
    assert game.get("/verify").json["intact"]
    assert api.get("/health").json["ok"]
    book.close()
