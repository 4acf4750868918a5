"""Things that players cover during play are on no page unless it is asked for them; afterwards all is shown (LM-6.22)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from daybook.domain.commands import Abandon, Adjust, RevealGame
from daybook.domain.games import RULESETS
from daybook.services.permissions import access
from daybook.services.permissions.sights import EVERYTHING, hides_nothing, holds_sealed, sights_of
from daybook.services.play.replay import position_at
from daybook.web.boards.table_privacy import NOTHING, TablePrivacy
from daybook.web.replay.replay import STRETCH_STEPS
from tests.played import open_seats, play, write
from tests.web.conftest import Opened, Visitor

TOTALS = (73131, 74242, 75353)  # nothing else on any page is so much


@pytest.fixture
def market(open_game: Callable[..., Opened]) -> Opened:
    """Return a game of London Markets in its second round; every player has an unmistakable amount."""
    game = open_game(public=True, ruleset_id="london_markets", hands="hidden")
    while game.game.board.round < 2:
        game.play(1, seed=game.step)
    for amounts in ((30000, 30000, 30000), TOTALS):  # so that no change is as large as a total
        game.write(
            Adjust({f"/players/{seat}/money": money for seat, money in enumerate(amounts)}, "counted again", "table")
        )
    game.play(2, seed=5)
    game.update_list()
    return game


def pages(game: Opened, records: bool) -> Iterator[str]:
    """Every page that shows figures of the game."""
    yield "/"
    last_stretch = f"/replay.json?from={game.step - game.step % STRETCH_STEPS}"
    for page in ("", "/replay.json", last_stretch, "/figures", "/figures.csv", "/score"):
        yield game.path + page
    yield from (f"{game.path}/why?step={step}" for step in range(game.step - 4, game.step + 1))
    yield from (f"{game.path}?step={step}" for step in range(game.step - 4, game.step + 1))
    if records:
        yield f"{game.path}/record"


def seats_told(somebody: Visitor, game: Opened, records: bool = False) -> set[int]:
    """Return the seats whose totals any page shows to a viewer."""
    found = set()
    for page in pages(game, records):
        answer = somebody.get(page)
        assert answer.status == 200, page
        found |= {seat for seat, total in enumerate(now(game)) if str(total) in answer.html}
    return found


def now(game: Opened) -> list[int]:
    return game.game.figures_at(game.step)[0]["money"]


def test_no_page_tells_a_spectator_or_the_scorekeeper_a_total(market, visitor):
    assert seats_told(visitor, market) == set()
    assert seats_told(market.visitor("reader"), market) == set()
    assert seats_told(market.visitor(), market, records=True) == set()


def test_practice_game_not_over_hides_nothing(book, app):
    """No one sits at such a table: totals, hands and sealed offers belong to no person."""
    id = open_seats(
        book, ruleset_id="london_markets", title="Practice", options={"hands": "hidden"}, public=True, kind="practice"
    )
    game, spectator = Opened(book, app, id), Visitor(app)
    play(book, id, lambda game: any(player.offer for player in game.board.players), seed=2, by="practice")
    assert game.game.status == "running"
    write(
        book,
        id,
        Adjust({f"/players/{seat}/money": money for seat, money in enumerate(TOTALS)}, "told apart", "table"),
        at=game.step,
        by="practice",
    )
    game.update_list()
    assert seats_told(spectator, game) == {0, 1, 2}
    assert sights_of(game.game, None) == (EVERYTHING, None, 0, 1, 2)
    assert hides_nothing(game.game, EVERYTHING) and not holds_sealed(game.game)
    assert position_at(game.game, None, EVERYTHING).board == game.game.document
    assert "Show money" not in spectator.get(game.path).text, "there is nothing to uncover"
    home = spectator.get("/")
    assert all(f"£{total}" in home.text for total in TOTALS)
    assert "Practice games" in home.text and "Being recorded" not in home.text
    access.make_first_grants(book, id)
    assert "Record" in [says for says, _ in game.visitor().get(game.path).links], "it can be played on"
    write(book, id, Abandon("enough"), by="practice")
    game.update_list()
    assert "Finished" not in spectator.get("/").text


@pytest.mark.parametrize("seat", [0, 2])
def test_a_seat_sees_its_own(market, seat):
    player = market.visitor("seat", seat)
    assert seats_told(player, market, records=True) == {seat}
    for page in (market.path, "/", f"{market.path}/score"):
        assert f"£{now(market)[seat]}" in player.get(page).text, page
    assert f"£{now(market)[seat]}" not in player.get(market.path, view="spectator").text


def test_viewer_who_asks_sees_everything_until_covered_again(market, visitor):
    page = visitor.get(market.path, step=market.step)
    form = page.form("Show money")
    assert form.action == "/preferences/veil" and form.fields["back"].endswith(f"?step={market.step}")
    page = visitor.send(form, veil="lifted")
    assert all(f"£{total}" in page.text for total in now(market))
    assert seats_told(visitor, market) == {0, 1, 2}
    assert "Who was ahead, and when?" in page.text and "Who was ahead" not in Visitor(market.app).get(market.path).text
    visitor.press(market.path, "Hide money", veil="down")
    assert seats_told(visitor, market) == set()


def test_what_is_paid_everybody_sees(market, visitor):
    """Payments are public: the ledger lists each, without the total."""
    page = visitor.get(market.path)
    assert "+43131" in page.text and "+44242" in page.text
    assert "+44242" in visitor.get(f"{market.path}/why", step=market.step - 2).text
    assert "The table corrects Anna: money, Ben: money and Cleo: money: counted again" in page.text


def test_ranks_are_covered_with_the_totals(market, visitor):
    hidden = visitor.get(f"{market.path}/score").html
    assert 'class="rank"' not in hidden and "account sheet first" not in hidden
    assert hidden.index("Anna</bdi>") < hidden.index("Ben</bdi>") < hidden.index("Cleo</bdi>")
    visitor.post("/preferences/veil", veil="lifted")
    assert 'class="rank"' in visitor.get(f"{market.path}/score").html


def test_the_record_and_the_api_tell_it_as_it_is(market, app):
    answer = app.test_client().get(f"/api/v1/games/{market.id}/position").get_json()
    assert answer["columns"]["money"] == now(market) == position_at(market.game, None, EVERYTHING).columns["money"]


def test_giving_up_uncovers_no_totals(market, visitor):
    market.write(Abandon("the pub closes"))
    market.update_list()
    assert seats_told(visitor, market) == set()
    market.write(RevealGame())
    market.update_list()
    assert seats_told(visitor, market) == {0, 1, 2}
    assert "Show money" not in visitor.get(market.path).text


def test_a_game_that_keeps_nothing_covered_has_no_switch(friday):
    keeper = friday.visitor()
    for page in (friday.path, "/", f"{friday.path}/score", f"{friday.path}/record"):
        assert "Show money" not in keeper.get(page).text


def test_sheets_of_a_round_say_whether_the_players_took_them(open_game):
    """LM-5.6: official at a Reveal symbol, computed otherwise; an official one the players have seen themselves."""
    game = open_game(public=True, ruleset_id="london_markets", hands="hidden")
    while game.game.board.round < 6:
        game.play(1, seed=game.step)
    sheets = Visitor(game.app).client.get(f"/api/v1/games/{game.id}/scores").get_json()["sheets"]
    assert [sheet["taken"] for sheet in sheets] == ["computed"] * 3 + ["official", "computed"]
    visitor = Visitor(game.app)
    official = visitor.get(f"{game.path}/score", step=sheets[3]["step"])
    assert "Official: the players showed this themselves." in official.text
    assert [f"£{item['total']}" in official.text for item in sheets[3]["scores"]] == [True] * 3
    assert "round 4 official" in official.text and "Show money" not in official.text
    computed = visitor.get(f"{game.path}/score", step=sheets[2]["step"])
    assert "Computed from the record: the players have not shown this." in computed.text
    assert 'class="n">£' not in computed.html and "Show money" in computed.text


def test_a_veil_covers_places_and_columns_of_the_others_alone():
    veil = RULESETS["london_markets"].secrecy.veil
    assert veil is not None and veil.rule == "LM-6.22"
    view = TablePrivacy(veil.columns, veil.places, frozenset({1}))
    assert [view.hides_place(f"/players/{seat}/money") for seat in range(3)] == [True, False, True]
    assert [view.hides_place(f"/columns/score/{seat}") for seat in range(3)] == [True, False, True]
    assert (
        not view.hides_place("/players/0/bars")
        and not view.hides_place("/columns/goods/0")
        and not view.hides_place("/piles/soap")
    )
    board = {"players": [{"money": 12, "bars": 2}, {"money": 13}], "columns": {"score": [4, 5], "goods": [6, 7]}}
    assert view.redact_document(board) == {
        "players": [{"money": 0, "bars": 2}, {"money": 13}],
        "columns": {"score": [0, 5], "goods": [6, 7]},
    }
    assert board["players"][0] == {"money": 12, "bars": 2}, "the board itself lies as it lay"
    assert NOTHING.redact_document(board) is board
    cards = TablePrivacy((), ("/players/*/cards", "/top"))
    assert cards.redact_document({"players": [{"cards": ["soap"]}, {}], "top": "silk"}) == {
        "players": [{"cards": []}, {}],
        "top": "",
    }
