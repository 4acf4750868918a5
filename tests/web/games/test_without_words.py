"""Games that bring nothing to the pages, ours without what they bring: everything is called by its name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from daybook.domain.games import PRACTISED, RULESETS
from daybook.domain.games.making_profit import moves
from daybook.domain.games.making_profit.moves import CardDeveloped
from daybook.domain.kernel.terms import TABLE
from daybook.web import words
from daybook.web.words import game_pages, plain
from daybook.web.words.decision_words import DecisionWords, decides
from daybook.web.words.game_pages import GamePages
from daybook.web.words.game_words import GameWords
from daybook.web.words.say import says, sentences
from tests.services.fixture_files import put_golden

RECORDS = {
    "making_profit": "friday-four",
    "london_markets": "market-day",
    "water_frame": "four-mills",
    "arkwright_card": "alone-and-ahead",
    "score_sheet": "three-aviaries",
}
PAGES = (
    "",
    "/record",
    "/score",
    "/figures",
    "/why?step=9",
    "/what-if?step=9",
    "/correct?step=9",
    "/count",
    "/wrong?step=9",
)


@pytest.fixture(autouse=True)
def no_words(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(game_pages, "_installed_pages", dict)
    words.GAMES.clear()
    yield
    words.GAMES.clear()


@pytest.mark.parametrize("game", RULESETS)
def test_every_page_answers(book, visitor, game):
    for path in ("/new", *(["/practice"] if game in PRACTISED else [])):
        assert visitor.get(path, game=game).status == 200
    assert visitor.get(f"/sheets/{game}").status == 200
    imported = put_golden(book, RECORDS[game], public=True)
    for page in PAGES:
        assert visitor.get(f"/games/{imported}{page}").status in (200, 403), page


def test_an_option_and_its_answers_are_called_by_their_names(app):
    with app.test_request_context("/"):
        assert words.option_label("making_profit", "start_hands") == "start hands"
        assert words.option_label("making_profit", "start_hands", "face_up") == "face up"


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("seat", 1, "Ben"),
        ("seat", TABLE, "the table"),
        ("seat", 7, "7"),
        ("wanted", True, "yes"),
        ("card", None, "–"),
        ("card", "M2", "M2"),
        ("colour", "red", "red"),
        ("space", "cotton_mill", "cotton mill"),
        ("cards", ["R1", "M2"], "R1, M2"),
        ("given", {"raw_silk": 2, "type": "goods"}, "raw silk: 2"),
        ("n", 3, "3"),
    ],
)
def test_a_value_is_said_as_readable_as_it_is(app, field, value, message):
    with app.test_request_context("/"):
        assert plain.value(field, value, ("Anna", "Ben")) == message


def test_an_effect_is_told_with_its_seat_and_its_fields(app):
    effect = CardDeveloped("MP-4.4.1", 0, "M2", 3)
    with app.test_request_context("/"):
        assert plain.sentence(effect, ("Anna", "Ben")) == "Anna: card developed, card M2, level 3"


def test_words_that_name_a_field_which_is_not_there_are_not_used():
    """A sentence that cannot be filled would break each page of the game; the package gets an error."""
    right = GameWords(effects=sentences(says(moves.StockBought, "{seat} buys {colour}")))
    wrong = GameWords(effects=sentences(says(moves.StockBought, "{seat} buys {shade} for {cost}")))
    assert game_pages.find_unknown_field("making_profit", GamePages(words=right), {}) == ""
    assert game_pages.find_unknown_field("making_profit", GamePages(), {}) == ""
    assert game_pages.find_unknown_field("making_profit", GamePages(words=wrong), {}) == (
        "StockBought has no cost, shade, which its sentence names: '{seat} buys {shade} for {cost}'"
    )
    asked = DecisionWords((decides(moves.BuyStock, "Buy", "Buy {colour}", colour="Which?", shade="Light or dark?"),))
    assert game_pages.find_unknown_field("making_profit", GamePages(words=GameWords(decisions=asked)), {}) == (
        "BuyStock has no shade, which is asked for"
    )
