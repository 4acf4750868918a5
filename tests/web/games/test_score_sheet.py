"""A score sheet on the pages, from the list of games to the winner."""

from __future__ import annotations

import re
from random import Random
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from playwright.sync_api import Route, expect

from daybook.domain.commands import Close
from daybook.domain.games.score_sheet import GAME, SCORE_SHEET
from daybook.domain.games.score_sheet.definition import read_definition
from daybook.domain.kernel.game_statistics import facts
from daybook.domain.kernel.points import as_points
from daybook.domain.kernel.terms import TABLE
from daybook.services.clock import now
from daybook.services.league import results
from daybook.services.permissions.access import make_first_grants, share_game
from daybook.services.play.period_scores import score_sheets
from daybook.services.play.replay import position_at
from daybook.services.statistics import collect
from daybook.web.boards import cards
from daybook.web.games.score_sheet.grid import grid
from daybook.web.games.score_sheet.making import fields, read
from daybook.web.games.score_sheet.names import BUILT_IN_NAMES
from daybook.web.games.score_sheet.words import ends_soon
from daybook.web.replay.pictures import build_card, public_view
from daybook.web.statistics import statistics
from daybook.web.words import path_label
from daybook.web.words.written_game import read_game, write_game
from tests.domain.games.score_sheet.playing import READY, ready_sheet
from tests.played import open_seats, update_games, update_results, write
from tests.servers import wait_until
from tests.web.conftest import Opened, VisitedPage, Visitor

ID = SCORE_SHEET.id


def open_ready(visitor: Visitor, name: str, *players: str) -> VisitedPage:
    """The page with the links of a game of a ready definition."""
    page = visitor.get(visitor.get("/new").link(name))
    return visitor.send(page.form("Open the game"), **{f"name.{n}": name for n, name in enumerate(players)})


def opened_by(app: Flask, book: Any, visitor: Visitor, name: str, *players: str) -> Opened:
    before = {game.id for game in book.kept.games()}
    open_ready(visitor, name, *players)
    (kept,) = (game for game in book.kept.games() if game.id not in before)
    return Opened(book, app, kept.id)


def fill(visitor: Visitor, page: VisitedPage, **figures: str) -> VisitedPage:
    """Fill cells in, by "a_birds" for the first player's birds."""
    form = page.form("Save the figures")
    sent = {}
    for cell, text in figures.items():
        seat, line = "abcdefghijkl".index(cell[0]), cell[2:]
        sent |= {name: text for name in form.fields if name.startswith(f"n.{seat}.{line}.")}
    assert len(sent) == len(figures)
    return visitor.send(form, **sent)


def total_row(page: VisitedPage) -> list[int]:
    (row,) = re.findall(r'<tr class="sum">(.*?)</tr>', page.html, re.S)
    return [int(total.replace("−", "-")) for total in re.findall(r'<td class="n">(−?\d+)</td>', row)]


def test_new_game_names_every_definition_with_its_players(visitor):
    text = visitor.get("/new").text
    for said in (
        "Any game 1 to 20 players",
        "Wingspan 1 to 5 players",
        "Pandemic 2 to 4 players",
        "A game of your own",
    ):
        assert said in text
    page = visitor.get(visitor.get("/new").link("Catan"))
    assert "Clockwise, 3 to 4 players" in page.text
    refused = visitor.send(page.form("Open the game"), **{"name.0": "Anna", "name.1": "Ben"})
    assert refused.status == 422 and "Catan is for 3 to 4 players, but 2 are entered here" in refused.text


def test_figures_are_entered_in_a_grid_and_whoever_has_most_wins(app, book, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    keeper = game.visitor()
    page = fill(keeper, keeper.get(f"{game.path}/record"), a_birds="45", b_birds="52", a_eggs="14", b_bonus_cards="4")
    assert (game.step, total_row(page)) == (4, [59, 56]) and "Birds 45" in page.text and "round 1" not in page.text
    page = fill(keeper, page, a_eggs="7")  # changed: nothing is erased
    assert "Anna: Eggs 7, was 14" in keeper.get(f"{game.path}?step=5").text
    stale, page = page, fill(keeper, page, b_bonus_cards="")  # deleted: its cell is empty again
    assert (game.step, total_row(page)) == (6, [52, 52])
    assert "Ben: Bonus cards is empty again, was 4" in keeper.get(f"{game.path}?step=6").text
    page = fill(keeper, page, a_eggs="7", b_eggs="", a_birds="45")  # nothing new
    page = fill(keeper, page, b_bonus_cards="5")
    page = fill(keeper, stale, b_bonus_cards="")  # another figure than the one that was shown
    assert (game.step, total_row(page)) == (7, [52, 57])
    typed = keeper.press(f"{game.path}/type", "Save", text="erase bonus cards Ben", do="record")
    assert typed.status == 200 and total_row(keeper.get(f"{game.path}/record")) == [52, 52]
    keeper.press(f"{game.path}/type", "Save", text="undo", do="record")
    page = fill(keeper, keeper.get(f"{game.path}/record"), b_bonus_cards="4")
    page = keeper.get(next(href for says, href in page.links if says.endswith("End the game")))
    assert "Finish Ben wins with 56 points, 4 ahead of Anna" in page.text, "one button, which says who wins"
    page = keeper.send(page.form("Finish"), close="1")
    assert "The record is complete" in page.text and game.game.status == "closed"
    score = keeper.get(f"{game.path}/score")
    assert "Ben wins with 56 points, 4 ahead of Anna" in score.text and "Birds SC-7.1" in score.text


def test_refused_line_keeps_its_text_and_the_rest_is_saved(app, book, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    keeper = game.visitor()
    page = fill(keeper, keeper.get(f"{game.path}/record"), a_birds="-3", b_eggs="many", a_eggs="5")
    assert page.status == 422 and total_row(page) == [5, 0]
    assert page.form("Save the figures").fields["n.0.birds."] == "-3"
    assert page.form("Save the figures").fields["n.1.eggs."] == "many"
    assert "“many” is not a whole number" in page.text


def test_everybody_fills_in_their_own_column(app, book, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    ben = game.visitor("seat", 1)
    page = ben.get(f"{game.path}/record")
    cells = [name for name in page.form("Save the figures").fields if name.startswith("n.")]
    assert cells and all(name.startswith("n.1.") for name in cells)
    assert total_row(fill(ben, page, b_birds="9")) == [0, 9]
    form = page.form("Save the figures")
    assert ben.client.post(form.action, data=form.fields | {"n.0.birds.": "99"}).status_code in (403, 422)
    assert game.game.board.total(0) == 0  # type: ignore[attr-defined]


def test_a_place_is_called_by_its_player_its_line_and_its_round():
    called = [path_label(ID, f"/players/{of}", ["Anna", "Ben"]) for of in ("1/rounds/0/longest_road", "0/role")]
    assert called == ["Ben: Longest road, round 1", "Anna: role"]


def test_forms_ask_for_the_cells_of_this_sheet_by_line_names(app, book, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    keeper = game.visitor()
    for page in ("adjust", "count"):
        shown = keeper.get(f"{game.path}/{page}").text
        assert "Food on cards" in shown and not any(word in shown for word in ("round 1", "role", "out as"))


def test_an_earlier_round_is_opened_and_changed(app, book, visitor):
    game = opened_by(app, book, visitor, "Hearts", "Anna", "Ben", "Cleo")
    for figures in ((5, 8), (26, 0)):
        for seat, value in enumerate(figures):
            game.decide(seat, type="enter", line="points", value=value)
        game.decide(0, type="end_round")
    keeper = game.visitor()
    assert "Ben Points, round 1 was 8 − + Points, round 2" in keeper.get(f"{game.path}/adjust").text
    page = keeper.get(f"{game.path}/record", round=1)
    assert page.form("Save the figures").fields["n.0.points.5"] == "5" and total_row(page) == [31, 8, 0]
    page = fill(keeper, page, a_points="6")
    assert total_row(page) == [32, 8, 0] and page.form("Save the figures").fields["round"] == "1"


def test_round_with_an_empty_cell_is_asked_about_before_it_ends(app, book, visitor):
    game = opened_by(app, book, visitor, "Hearts", "Anna", "Ben", "Cleo")
    keeper = game.visitor()
    page = fill(keeper, keeper.get(f"{game.path}/record"), a_points="12", c_points="14")
    asked = keeper.send(page.form("End the round"))
    assert (asked.status, game.step) == (422, 2) and "Ben has no figure for round 1." in asked.text
    assert 'data-first name="n.1.points."' in keeper.get(asked.link("Type it")).html
    page = keeper.send(asked.form("It is 0"))
    assert game.step == 4 and "Hearts, round 2" in page.text and game.game.board.players[1].rounds[0] == {"points": 0}
    page = fill(keeper, page, a_points="26")
    older = keeper.get(f"{game.path}/record?round=1")
    assert "This is round 1." in older.text and "End the round" not in older.text
    asked = keeper.send(keeper.get(older.link("Go to round 2")).form("End the round"))
    assert "Ben and Cleo have no figure for round 2." in asked.text
    keeper.send(asked.form("Leave it empty: it counts as 0"))
    assert game.game.board.round == 3 and game.game.board.players[2].rounds[1] == {"points": None}
    said = keeper.send(keeper.get(f"{game.path}/type").form("Save"), text="anna 3; end the round", do="record")
    assert "Ben and Cleo have no figure for round 3." in said.text


@pytest.mark.parametrize(
    "rounds, missing",
    [
        ([{"a_bid": "1", "b_bid": "0", "c_bid": "0", "a_bonus": "10"}], []),
        ([{"a_bid": "1", "b_bid": "0", "c_bid": "0", "a_tricks": "1", "b_tricks": "0"}], [(2, "tricks")]),
        ([{"a_bid": "1", "b_bid": "0", "a_tricks": "1", "b_tricks": "0"}], [(2, "bid"), (2, "tricks")]),
        ([{f"{seat}_{line}": "0" for seat in "abc" for line in ("bid", "tricks")}, {"a_bid": "2"}], "all but a bid"),
    ],
)
def test_expected_figures_follow_the_others_and_earlier_rounds(app, book, visitor, rounds, missing):
    game = opened_by(app, book, visitor, "Skull King", "Anna", "Ben", "Cleo")
    keeper = game.visitor()
    for number, figures in enumerate(rounds):
        if number:
            game.decide(0, type="end_round")
        fill(keeper, keeper.get(f"{game.path}/record"), **figures)
    if missing == "all but a bid":
        missing = [(0, "tricks"), *((seat, line) for seat in (1, 2) for line in ("bid", "tricks"))]
    assert [(cell.seats[0], cell.line) for cell in grid(game.game.board, 0).missing] == missing


def test_reader_goes_by_rounds_and_sees_how_a_figure_counts(app, book, visitor):
    game = opened_by(app, book, visitor, "Skull King", "Anna", "Ben")
    keeper = game.visitor()
    fill(keeper, keeper.get(f"{game.path}/record"), a_bid="0", b_bid="1", a_tricks="1", b_tricks="1")
    game.decide(0, type="end_round")
    page = keeper.get(f"{game.path}?step=0")
    assert 'value="5" data-go="turn-forward"  aria-label="A round forward"' in page.html
    why = keeper.get(f"{game.path}/why?step=3").text
    assert "How this counts Bid 0, Tricks 1 Bid points −10 Bid 0 = 0, Tricks 1 ≠ 0, so −10 × 1 = −10 Formula if(" in why
    assert "How this counts" not in keeper.get(f"{game.path}/why?step=5").text


def test_calculated_cell_of_a_replay_leads_to_its_working(app, book, visitor):
    game = opened_by(app, book, visitor, "Skull King", "Anna", "Ben")
    keeper = game.visitor()
    fill(keeper, keeper.get(f"{game.path}/record"), a_bid="0", b_bid="1", a_tricks="1", b_tricks="1")
    working = "Bid 0, Tricks 1 Bid points −10 Bid 0 = 0, Tricks 1 ≠ 0, so −10 × 1 = −10"
    assert f"How this counts {working}" in keeper.get(f"{game.path}/figure?at=/lines/0/1/bid_points").text
    assert f"How this counts {working}" in keeper.get(f"{game.path}/figure?at=/players/0/rounds/0/tricks").text
    total = keeper.get(f"{game.path}/figure?at=/columns/score/0").text
    assert "Bid 0, Tricks 1. Bid 0 = 0, Tricks 1 ≠ 0, so −10 × 1 = −10." in total
    for path in ("lines/9/1/bid_points", "lines/0/9/bid_points", "lines/0/1/bid"):
        assert keeper.get(f"{game.path}/figure?at=/{path}").status == 404, path
    assert keeper.get(f"{game.path}/figure?at=/players/9/rounds/0/bid").status == 200  # no player 9: nothing entered


def test_end_of_a_round_is_said_once_in_a_replay(app, book, visitor):
    game = opened_by(app, book, visitor, "Skull King", "Anna", "Ben")
    keeper = game.visitor()
    fill(keeper, keeper.get(f"{game.path}/record"), a_bid="0", b_bid="1", a_tricks="1", b_tricks="1")
    game.decide(0, type="end_round")
    caption = keeper.get(f"{game.path}?step=5").html.split('id="caption"')[1].split('<details class="step-by-step"')[0]
    assert caption.count("Round 1 is over") == 1


@pytest.mark.parametrize(
    "name, players, step, says",
    [
        ("Tichu", ("Anna", "Ben", "Cleo", "Dora"), {"line": "cards", "value": 60}, ""),  # no calculated line
        (
            "Lost Cities: Rivals",
            ("Anna", "Ben"),
            {"line": "blue", "value": 9},
            "Blue 9 Blue expedition 9 9 × (1 + 0) = 9 Formula entered(blue) * (1 + entered(blue_wagers)) Why it",
        ),
        ("Hearts", ("Anna", "Ben", "Cleo"), {"line": "points", "value": 5}, ""),  # the lowest wins
        (
            "Skat",
            ("Anna", "Ben", "Cleo"),
            {"line": "game", "value": -48},
            "Game −48 Won or lost −50 Game −48 ≤ 0, Game −48 < 0, so −50 Formula",
        ),
        (
            "Spades",
            ("Anna", "Ben", "Cleo", "Dora"),
            {"line": "bid", "value": 4},
            "Anna: Bid 4; Cleo: – Contract – It counts when its other figures are entered. Formula",
        ),
    ],
)
def test_why_tells_formulas_of_every_kind_of_sheet(app, book, visitor, name, players, step, says):
    game = opened_by(app, book, visitor, name, *players)
    game.decide(0, type="enter", **step)
    text = game.visitor().get(f"{game.path}/why?step=1").text
    assert f"How this counts {says}" in text if says else "How this counts" not in text


def test_sum_in_a_cell_is_saved_as_its_figure(app, book, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    keeper = game.visitor()
    page = fill(keeper, keeper.get(f"{game.path}/record"), a_birds="10+15+8-5", b_birds="(27 - 20) * 3")
    assert total_row(page) == [28, 21]
    page = fill(keeper, page, b_birds="9*9*9*9*9*9*9*9")
    assert page.status == 422 and "“9*9*9*9*9*9*9*9” is not a whole number" in page.text
    page = fill(keeper, keeper.get(f"{game.path}/record"), a_birds="10+")
    assert page.status == 422 and total_row(page) == [28, 21]
    assert "“10+” is not a whole number, a half or a sum such as 10+15-5." in page.text
    assert page.form("Save the figures").fields["n.0.birds.28"] == "10+"


HALVES = {
    "game.name": "Duel",
    "score.halves": True,
    "score.count": "open",
    "score.lines": [{"name": "Points"}, {"name": "Pawns", "kind": "times", "each": 0.5}],
}


def open_with_halves(app: Flask, book: Any) -> Opened:
    sheet = book.sheets.publish(ID, "Duel", HALVES, "tests", is_complete=True)
    game_id = open_seats(book, ("Anna", "Ben"), ID, sheet=sheet)
    make_first_grants(book, game_id)
    return Opened(book, app, game_id)


def test_halves_in_cells_are_exact(app, book):
    game = open_with_halves(app, book)
    keeper = game.visitor()
    page = fill(keeper, keeper.get(f"{game.path}/record"), a_points="12,5", b_points="½", b_pawns="3")
    assert [figures["points"] for figures in (player.rounds[0] for player in game.game.board.players)] == [12.5, 0.5]
    assert "Total 12.5 2 " in page.text
    page = fill(keeper, page, b_points="10+2.5-1", a_points="−½")
    assert "Total −0.5 13 " in page.text and "0.5, was 12.5" in keeper.get(f"{game.path}?step=4").text
    page = fill(keeper, page, a_points="12.25")
    assert "“12.25” is not a whole number, a half or a sum" in page.text
    page = fill(keeper, keeper.get(f"{game.path}/record"), a_pawns="1.5")
    assert "Pawns takes whole numbers only, not 1.5" in page.text and "SC-3.7" in page.text
    form = keeper.get(f"{game.path}/count").form("Save the count")
    counted = keeper.send(form, **{"/players/0/rounds/0/points": "2,5", "/players/1/rounds/0/points": "11.5"})
    assert "Anna: Points, round 1 −0.5 2.5" in counted.text and "Ben: Points, round 1 11.5" in counted.text


def test_sheet_without_halves_refuses_a_half_by_its_rule(app, book, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    keeper = game.visitor()
    page = fill(keeper, keeper.get(f"{game.path}/record"), a_birds="12.5")
    assert page.status == 422 and "Birds takes whole numbers only, not 12.5" in page.text and "SC-3.7" in page.text


def test_halves_are_typed_and_a_transcript_reads_back(app, book):
    game = open_with_halves(app, book)
    keeper = game.visitor()
    for text, value in (
        ("Anna points 12.5", 12.5),
        ("Ben: Points ½", 0.5),
        ("Ben points -1½", -1.5),
        ("Ben: points 3,5", 3.5),
        ("Anna: points 7,50", 7.5),
        ("Anna points 12", 12),
    ):
        keeper.press(f"{game.path}/type", "Save", text=text, do="record")
        assert game.game.entries[-1].event.decision["value"] == value
    chance = Random(1)
    for number in range(1, 9):
        for seat, round in ((0, number), (1, chance.randint(1, number))):
            game.decide(seat, type="enter", line="points", value=as_points(chance.randint(-9, 9) / 2), round=round)
        game.decide(0, type="end_round")
    text = "\n".join(write_game(game.game, "Duel", ("Anna", "Ben")))
    assert read_game(text, now()).game.document == game.game.document


def test_definition_with_halves_is_made_in_the_form(visitor, book):
    page = visitor.get(f"/make/{ID}")
    sent = {
        "name": "Match",
        "line.0.name": "Points",
        "line.1.name": "Pawns",
        "line.1.kind": "times",
        "line.1.each": "½",
    }
    refused = visitor.send(page.form("Make this game"), do="publish", **sent)
    assert "0.5 is a half, but score.halves is not true" in refused.text
    made = visitor.send(refused.form("Make this game"), do="publish", halves="True", **sent)
    (sheet,) = book.sheets.list(ID)
    assert made.status == 200 and sheet.overrides["score.halves"] and sheet.overrides["score.lines"][1]["each"] == 0.5
    assert "each = 0.5" in visitor.client.get(f"/sheets/{ID}/file?hash={sheet.hash}").text


def test_player_who_goes_home_after_round_one_of_hearts_is_last(app, book, visitor):
    game = opened_by(app, book, visitor, "Hearts", "Anna", "Ben", "Cleo")
    for seat, value in enumerate((0, 11, 15)):
        game.decide(seat, type="enter", line="points", value=value)
    game.decide(0, type="end_round")
    keeper = game.visitor()
    keeper.press(f"{game.path}/type", "Save", text="Anna leaves early", do="record")
    assert "Anna leaves early and is placed behind all who stay" in keeper.get(f"{game.path}?step=5").text
    page = keeper.get(f"{game.path}/record")
    assert not any(name.startswith("n.0.") for name in page.form("Save the figures").fields)
    keeper.press(f"{game.path}/type", "Save", text="undo", do="record")
    assert any(name.startswith("n.0.") for name in keeper.get(f"{game.path}/record").form("Save the figures").fields)
    keeper.press(f"{game.path}/type", "Save", text="Anna leaves early", do="record")
    for _ in range(4):
        game.decide(1, type="enter", line="points", value=26)
        game.decide(1, type="end_round")
    write(book, game.id, Close())
    assert "Cleo wins" in keeper.get(f"{game.path}/score").text
    told = {(fact.seat, fact.measure): fact.value for fact in facts(game.game, GAME.statistics) if not fact.is_part}
    assert told[0, "place"] == 3 and (0, "score") not in told and told[2, "margin"] > 0
    transcript = keeper.client.get(f"{game.path}/transcript").text
    assert "Anna: " in transcript and "Leaves early" in transcript


def test_sheet_counted_at_the_end_shows_bars_instead_of_moments(app, book, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    for seat, figures in enumerate(((45, 14), (52, 4))):
        for line, value in zip(("birds", "eggs"), figures, strict=True):
            game.decide(seat, type="enter", line=line, value=value)
    game.decide(0, type="end_game")
    write(book, game.id, Close())
    keeper = game.visitor()
    page = keeper.get(game.path)
    assert page.html.count('class="score-bars"') == 2, "at the end, and over the game"
    assert "Anna 59 Birds 45 Eggs 14 B Ben 56 Birds 52 Eggs 4" in page.text
    assert "takes the lead" not in page.text and "Who was ahead, and when?" not in page.text
    assert "This score sheet is counted once, at the end" in keeper.get(f"{game.path}/moments").text
    share = share_game(book, game.id)
    assert keeper.client.get(f"/s/{share.id}/steps/{game.step}.png").data.startswith(b"\x89PNG")
    with app.test_request_context(), public_view(game.id, share.id) as (visit, head, filmstrip):
        card = build_card(visit, head, filmstrip, game.step)
    assert (
        card.sentence == "Anna wins with 59 points, 3 ahead of Ben" and card.values == () and "step" not in card.about
    )
    assert [[part[-1] for part in seat.parts] for seat in card.seats] == [["Birds", "Eggs"]] * 2
    assert cards.card_svg(card).count("<rect") == 3 + 4 + 2, "paper, head and rule, four parts, two lines"


def test_definition_with_partners_and_formulas_is_made_in_the_form(visitor):
    page = visitor.get(f"/make/{ID}")
    line = {"name": "Points", "kind": "formula", "formula": "if(entered(bid) = entered(tricks), 10, 0)"}
    sent = {"line.0.name": "Bid", "line.1.name": "Tricks"} | {f"line.2.{key}": value for key, value in line.items()}
    sent |= {"name": "Bids", "count": "rounds", "rounds": "12 / players", "teams": "2", "fewest": "2", "most": "4"}
    page = visitor.send(page.form("Preview"), **sent, **{"dealer": "True"}, do="preview")
    assert page.status == 200 and "As three players would fill it in" in page.text and "Points =" in page.text
    fields = page.form("Preview").fields
    assert (fields["line.2.formula"], fields["dealer"], fields["teams"]) == (line["formula"], "True", "2")
    assert "The name of a line stands for its points" in page.text


# --- made in the browser ---------------------------------------------------------------------------------------------

MADE = {
    "name": "Castles and roads",
    "fewest": "2",
    "most": "4",
    "line.0.name": "Castles",
    "line.0.kind": "times",
    "line.0.each": "3",
    "line.1.name": "Longest road",
    "line.1.kind": "choice",
    "line.1.values": "0, 2",
    "line.3.name": "빚",
    "line.3.kind": "minus",
    "line.4.name": "Bridges",
    "line.4.expansion": "Rivers",
    "expansions": "Rivers",
    "ties": "Castles, -빚",
    "total": "sum - castles / 2",
}


def test_a_game_is_made_previewed_published_and_played(app, book, visitor):
    page = visitor.get(visitor.get("/new").link("A game of your own"))
    assert "As three players would fill it in Ada Bo Cy Points" in page.text
    more = visitor.send(visitor.send(page.form("Preview"), do="more").form("Preview"), do="more")
    assert "line.17.name" in more.form("Preview").fields  # also where nothing was filled in before
    page = visitor.send(page.form("Preview"), **MADE, do="preview")
    assert page.status == 200 and "As three players would fill it in Ada Bo Cy Castles × 3" in page.text
    assert book.sheets.list(ID) == []
    page = visitor.send(page.form("Make this game"), do="publish")
    assert "Castles and roads" in page.text and "Clockwise, 2 to 4 players" in page.text
    game = opened_by(app, book, visitor, "Castles and roads", "Anna", "Ben")
    keeper = game.visitor()
    page = fill(keeper, keeper.get(f"{game.path}/record"), a_castles="5", a_longest_road="2", b_castles="2", b_빚="1")
    assert total_row(page) == [15 + 2 - 7, 6 - 1 - 3]
    (sheet,) = book.sheets.list(ID)
    again = fields(book.sheets.get(ID, sheet.hash))
    assert read(again) == read(MADE) | {
        "score.wins": "most",
        "score.count": "end",
        "score.number": 0,
        "game.roles": [],
        "game.teams": 0,
        "score.rounds": "",
    }


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"total": "points / 0"}, "and never by 0"),
        ({"total": "geese"}, "the formula uses “geese”, but no line has this name"),
        ({"most": "40"}, "a game is for 1 to 20 players"),
        ({"most": "many"}, "a whole number, not &#39;many&#39;"),
        ({"name": ""}, "a name has letters or digits"),
        ({f"line.{n}.name": f"Line {n}" for n in range(500)}, "a list of at most 200 texts, whole numbers or tables"),
        ({f"line.{n}.name": f"Line {n}" for n in range(41)}, "a score sheet has at most 40 lines"),
        ({"line.0.name": "Castles", "line.0.kind": "times", "line.0.each": "0"}, "every total is 0"),
        ({"line.0.name": "Castles", "line.0.each": "x"}, "Castles, each: a whole number is needed, not"),
        ({"wins": "luck"}, "score.wins is one of most, least, last, together, not"),
    ],
)
def test_what_cannot_be_a_game_is_said_and_nothing_typed_is_lost(visitor, sent, why):
    page = visitor.get(f"/make/{ID}")
    page = visitor.send(page.form("Preview"), **{"name": "Castles", **sent}, do="publish")
    assert page.status == 422 and why.lower() in page.html.lower()
    kept = page.form("Preview").fields
    assert all(kept[name] == value for name, value in sent.items() if name != "wins")


def test_a_game_without_such_a_form_has_none(visitor):
    assert visitor.get("/make/making_profit").status == visitor.get("/make/chess").status == 404


def test_the_ready_ones_are_sheets_as_programs_know_them(visitor):
    listed = visitor.client.get(f"/api/v1/rulesets/{ID}/sheets").json["sheets"]  # type: ignore[index]
    assert [value["name"] for value in listed[:3]] == ["", "Azul: Queen’s Garden", "Azul: Stained Glass of Sintra"]
    shown = visitor.client.get(f"/api/v1/rulesets/{ID}/sheets/{listed[1]['hash']}")
    assert shown.status_code == 200
    file = visitor.get(f"/sheets/{ID}/file", hash=listed[1]["hash"])
    assert 'name = "Azul: Queen’s Garden"' in file.html


def test_each_ready_one_can_be_looked_at(visitor):
    ready = [to for _, to in visitor.get("/new").links if "sheet=" in to]
    assert len(ready) == 23
    looks = [visitor.get(to).link("look") for to in ready]
    assert {visitor.get(to).status for to in looks} == {200}


def test_game_is_found_by_name_though_many_were_made_after(book, visitor):
    assert [says.split()[0] for says, to in visitor.get("/new?q=WING").links if "sheet=" in to] == ["Wingspan"]
    assert "Water Frame" in visitor.get("/new?q=frame").text and "Wingspan" not in visitor.get("/new?q=frame").text
    for name in ("Aviary", *(f"Other {n}" for n in range(12))):
        book.sheets.publish(ID, name, {"game.name": name}, "")
    assert "Aviary" not in visitor.get("/new").text
    assert "Aviary" in visitor.get("/new?q=avi").text
    assert "No game here is called “zzz”" in visitor.get("/new?q=zzz").text


def test_practice_players_do_not_play_it(app, visitor):
    for page in ("/practice", "/practice/table"):
        assert "Any game" not in visitor.get(page).text and visitor.get(page, game=ID).status == 404
    sent = {"ruleset": ID, "seats": 3, "seed": 1, "options": {}, "level": "chance"}
    answer = app.test_client().post("/api/v1/practice", json=sent, headers={"Idempotency-Key": "practice-of-a-sheet"})
    assert answer.status_code == 422 and "practice players do not play this game" in answer.text


ROOM_BELOW = "main => parseFloat(getComputedStyle(main).paddingBottom)"


def test_phone_figures_are_tapped_down_a_column_with_preview(app, book, visitor, site, browser):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    page = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    game.enter(page, site)
    keys, total = page.locator("#keypad"), page.locator("[data-grid] .sum td").first
    page.get_by_label("Anna: Birds", exact=True).tap()
    for key, sum in (("4", "4"), ("3", "7")):
        keys.get_by_role("button", name=key, exact=True).tap()
        keys.get_by_role("button", name="Next").tap()
        expect(total).to_have_text(sum)
    expect(keys).to_be_visible()
    assert page.locator("main").evaluate(ROOM_BELOW) >= keys.evaluate("keys => keys.offsetHeight"), (
        "nothing stays under it"
    )
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held or route.request.method != "POST":
            route.continue_()
        else:
            held.append(route)

    page.route("**/record", hold)
    page.get_by_label(
        "Anna: Eggs", exact=True
    ).tap()  # the answer to the first is slow, and the second is entered meanwhile
    with page.expect_request(lambda request: request.method == "POST"):
        keys.get_by_role("button", name="2", exact=True).tap()
        keys.get_by_role("button", name="Next").tap()
    one = keys.get_by_role("button", name="1", exact=True)
    one.tap()
    held[0].continue_()
    expect(total).to_have_text("9")
    one.tap()  # at once, on the same spot: nothing of it is lost, or replaced
    expect(page.get_by_label("Anna: Food on cards", exact=True)).to_have_value("11")
    keys.get_by_role("button", name="Next").tap()
    expect(total).to_have_text("20")
    opened_by(app, book, visitor, "Yahtzee", *(f"Player {n}" for n in range(10))).enter(page, site)
    page.locator("[data-board]").evaluate("board => { board.open = true }")
    assert min(page.locator("tbody th").evaluate_all("all => all.map((line) => line.offsetWidth)")) > 80
    assert page.locator(".seat-tabs").evaluate("row => row.scrollWidth > row.clientWidth && row.clientHeight < 60")
    page.goto(f"{site}/make/{ID}")
    page.get_by_label("Line 1: name").fill("Castles")
    preview = page.locator("[data-preview]")
    expect(preview).to_contain_text("A name has letters or digits")
    page.get_by_label("Name of the game").fill("Castles")
    expect(preview.get_by_role("rowheader", name="Castles")).to_be_visible()
    page.context.close()


def test_played_game_is_found_by_name_and_played_again(app, book, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    game.decide(0, type="enter", line="birds", value=9)
    update_games(book)
    keeper = game.visitor()
    for query in ("wingspan", "anna"):
        assert "Wingspan ·" in keeper.get("/", q=query).text
    assert (
        "Wingspan ·" in keeper.get("/", game=":Wingspan").text and "Wingspan ·" not in keeper.get("/", q="catan").text
    )
    assert '<option value=":Wingspan" selected>Wingspan' in keeper.get("/", game=":Wingspan").html
    page = keeper.get(keeper.get("/new").link("Wingspan Anna, Ben"))
    form = page.form("Open the game")
    assert (form.fields["name.0"], form.fields["name.1"]) == ("Anna", "Ben") and "Wingspan" in page.text
    assert keeper.send(form).status == 200 and len(book.kept.games()) == 2


def test_a_definition_is_a_game_of_its_own_in_statistics(app, book, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    for seat, value in ((0, 9), (1, 12)):
        game.decide(seat, type="enter", line="birds", value=value)
    game.decide(0, type="end_game")
    write(book, game.id, Close(), key="closed-by-the-scorekeeper")
    update_games(book)
    collect.count_all(book)
    keeper = game.visitor()
    assert "Wingspan" in keeper.get("/statistics").text
    page = keeper.get("/statistics/:Wingspan")
    assert page.status == 200 and "Wingspan" in page.text and "Which lines bring the points?" in page.text
    assert "Openings" not in page.text
    asked = {"ruleset": ":Wingspan", "measure": "score"}
    link = {"Authorization": f"Bearer {game.key('scorekeeper')}"}
    assert app.test_client().get("/api/v1/statistics/answer", query_string=asked, headers=link).json["n"] == 1
    assert (
        keeper.client.get("/api/v1/statistics/answer", query_string=asked | {"ruleset": "Wingspan"}).status_code == 422
    )
    for file in ("ask.csv?measure=score", "records.csv"):
        assert keeper.client.get(f"/statistics/:Wingspan/{file}").status_code == 200


def test_most_played_of_user_made_games_are_listed(app, book, visitor, monkeypatch):
    for name, line in (("Wingspan", "birds"), ("Wingspan", "birds"), ("Catan", "settlements")):
        game = opened_by(app, book, visitor, name, "Anna", "Ben", "Cleo")
        for seat in range(3):
            game.decide(seat, type="enter", line=line, value=seat + 1)
        game.decide(0, type="end_game")
        write(book, game.id, Close(), key="closed-by-the-scorekeeper")
        update_games(book)
    collect.count_all(book)
    monkeypatch.setattr(statistics, "MAX_NAMED_GAMES", 1)
    page = visitor.get("/statistics")
    assert "Wingspan 2 games" in page.text and "Catan" not in page.text and "more All games 3 games" in page.text


def test_where_the_least_wins_the_winner_is_ahead_by_having_less(app, book, visitor):
    game = opened_by(app, book, visitor, "Hearts", "Anna", "Ben", "Cleo")
    for _ in range(4):
        for seat, value in enumerate((26, 5, 8)):
            game.decide(seat, type="enter", line="points", value=value)
        game.decide(0, type="end_round")
    write(book, game.id, Close(), key="closed-by-the-scorekeeper")
    found = {(fact.measure, fact.seat): fact.value for fact in facts(game.game, GAME.statistics) if not fact.is_part}
    assert found["winning_margin", TABLE] == 12 and found["winning_score", TABLE] == 20
    assert [found["margin", seat] for seat in range(3)] == [-84, 12, -12]
    assert ("share", 0) not in found
    update_results(book)
    book.games.cache.clear()
    ((_, state),) = results.states_of(book, [str(game.id)])[str(game.id)]
    assert state.result.lowest_wins and book.games.cache.get(game.id) is None, "a list of results reads no record"


# --- whose sheets are in the lists -------------------------------------------------------------------------------------


def make_game(maker: Visitor, name: str) -> VisitedPage:
    form = maker.get(f"/make/{ID}").form("Preview")
    return maker.send(form, name=name, do="publish", **{"line.0.name": "Birds"})


LISTS = ("/new", "/new?q=rude", f"/new?game={ID}", f"/sheets/{ID}", f"/api/v1/rulesets/{ID}/sheets")


@pytest.mark.parametrize("name", ["Rude name by a stranger", "Making Profit: rude"])
def test_score_sheet_without_account_is_found_by_its_link_alone(app, book, visitor, name):
    page = make_game(visitor, name)
    assert page.status == 200 and "keep the link of this page" in page.text
    (sheet,) = book.sheets.list(ID)
    other = Visitor(app)
    assert all("ude" not in other.get(path).text.replace("rude", "", 1) for path in LISTS if "q=" not in path)
    assert "sheet=" not in " ".join(to for says, to in other.get("/new?q=rude").links)
    assert name in other.get(f"/new?game={ID}&sheet={sheet.hash}").text
    assert name in other.get(f"/sheets/{ID}?hash={sheet.hash}").text
    assert other.get("/new", game=f":{name}").status == 404
    assert name in visitor.get("/new").text, "this browser made it"


@pytest.mark.parametrize(
    ("kind", "worth", "expected"),
    [
        ("number", "2", {"kind": "times", "each": 2}),
        ("number", "−3", {"kind": "times", "each": -3}),
        ("number", "1", {"kind": "number", "each": 1}),
        ("minus", "−3", {"kind": "minus", "each": 3}),
        ("minus", "3", {"kind": "minus", "each": 3}),
        ("yes", "x", {"kind": "yes", "each": "x"}),
    ],
)
def test_typed_worth_of_a_line_counts_whatever_its_kind(kind, worth, expected):
    form = {"line.0.name": "Pearls", "line.0.kind": kind, "line.0.each": worth}
    assert read(form)["score.lines"] == [{"name": "Pearls", **expected}]


@pytest.mark.parametrize("game", ["making_profit", "water_frame"])
def test_component_sheet_without_account_is_not_listed(app, book, visitor, game):
    numbers = {"making_profit": "[start]\nmoney = 5", "water_frame": "[box]\nmachines = 49"}[game]
    form = visitor.get(f"/sheets/{game}").form("Publish")
    visitor.send(form, name="Rude numbers", do="publish", text=f"{form.fields['text']}\n{numbers}")
    hashes = [sheet.hash for sheet in book.sheets.list(game)]
    other = Visitor(app)
    for address in (f"/new?game={game}", f"/sheets/{game}", f"/api/v1/rulesets/{game}/sheets"):
        assert "Rude numbers" not in other.get(address).text
    assert hashes and all("Rude numbers" in other.get(f"/new?game={game}&sheet={hash}").text for hash in hashes)


def test_score_sheet_sent_by_a_program_without_key_is_not_listed(app, book):
    sent = {"name": "Rude", "overrides": {"game.name": "Rude"}}
    headers = {"Idempotency-Key": "a-sheet-of-a-stranger"}
    answer = app.test_client().post(f"/api/v1/rulesets/{ID}/sheets", json=sent, headers=headers)
    assert answer.status_code == 201
    assert "Rude" not in app.test_client().get(f"/api/v1/rulesets/{ID}/sheets").text
    assert app.test_client().get(f"/api/v1/rulesets/{ID}/sheets/{answer.json['hash']}").status_code == 200


@pytest.mark.parametrize("path", ["/score", "/figures"])
def test_printed_ledger_of_twelve_players_fits_a4(app, book, visitor, page, site, path):
    names = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fred", "Gina", "Hans", "Ines", "Jana", "Karl", "Maximilian"]
    game = opened_by(app, book, visitor, "Any game", *names)
    for seat in range(12):
        game.decide(seat, type="enter", line="points", value=1000 + seat)
    game.enter(page, site)
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 with margins of 10 mm
    page.emulate_media(media="print")
    page.goto(f"{site}{game.path}{path}")
    cut = """() => [...document.querySelectorAll("main td, main th, main .who")].filter(
      (each) => each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.outerHTML)"""
    assert page.locator("main .seat").count() >= 12
    assert page.evaluate(cut) == []


def test_lowest_total_leads_where_the_lowest_wins(app, book, visitor):
    """Moments of Hearts give the lead to the player with the fewest points, but not to one who has not come yet."""
    game = opened_by(app, book, visitor, "Hearts", "Anna", "Ben", "Cleo", "Dora")
    game.decide(3, type="come_later")
    for figures in ((20, 6, 0), (0, 26, 0), (0, 0, 26)):
        for seat, figure in enumerate(figures):
            game.decide(seat, type="enter", line="points", value=figure)
        game.decide(0, type="end_round")
    moments = visitor.get(f"/games/{game.id}/moments").text
    assert "Cleo takes the lead with 0" in moments and "Anna takes the lead with 20" in moments
    assert "Ben takes the lead" not in moments and "Dora takes the lead" not in moments
    assert "(the lowest score wins)" in visitor.get(f"/games/{game.id}").text
    assert 'class="small up"' not in visitor.get(f"/games/{game.id}/score").html


def test_record_page_warns_of_a_hand_that_cannot_be(app, book, visitor):
    """A hand of Hearts has 26 points: other sums are possible to record, with a warning above the black button."""
    game = opened_by(app, book, visitor, "Hearts", "Anna", "Ben", "Cleo")
    record, warning = f"/games/{game.id}/record", "This round should have 26, 52 or −26."
    for figures, is_wrong in (((1, 18, 0), True), ((1, 18, 7), False), ((26, 26, 0), False), ((-26, 0, 0), False)):
        fill(visitor, visitor.get(record), **{f"{'abc'[seat]}_points": str(n) for seat, n in enumerate(figures)})
        page = visitor.get(record)
        assert (warning in page.text) is is_wrong
    assert re.findall(r'<button class="primary">([^<]+)', page.html) == ["End the round"]
    folded = re.search(r'<details class="folded-ways".*?</details>', page.html, re.S)
    assert folded and all(label in folded[0] for label in ("Who began", "Team", "Leaves early"))


def test_record_page_warns_of_more_tricks_than_a_round_of_skull_king_has(app, book, visitor):
    game = opened_by(app, book, visitor, "Skull King", "Anna", "Ben")
    record = f"/games/{game.id}/record"
    for anna, is_wrong in ((1, True), (0, False)):
        fill(visitor, visitor.get(record), a_tricks=str(anna), b_tricks="1")
        assert ("This round should have at most 1" in visitor.get(record).text) is is_wrong


def test_next_visits_empty_cells_only(app, book, visitor, site, browser):
    """Next leads down the round's columns, then to what is counted once; it skips who is away and what is filled."""
    game = opened_by(app, book, visitor, "Azul: Queen’s Garden", "Anna", "Ben", "Cleo")
    game.decide(1, type="come_later")
    for number in range(3):
        for seat in (0, 2):
            game.decide(seat, type="enter", line="evaluation", value=number)
        game.decide(0, type="end_round")
    game.decide(0, type="enter", line="left_over", value=2)
    page = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    game.enter(page, site)
    assert "Anna and Cleo have no Groups." in page.locator("[data-grid]").inner_text()
    step = game.step
    page.keyboard.press("4")  # no cell has the focus: it is typed into the first empty one, and presses no button
    expect(page.get_by_label("Anna: Evaluation", exact=True)).to_be_focused()
    expect(page.get_by_label("Anna: Evaluation", exact=True)).to_have_value("4")
    assert game.step == step
    keys = page.locator("#keypad")
    says = keys.locator("[data-cell]")
    visited = []
    for key in "12345":
        keys.get_by_role("button", name="Next").tap()
        visited.append(page.evaluate("document.activeElement.ariaLabel"))
        keys.get_by_role("button", name=key, exact=True).tap()
    assert visited == ["Cleo: Evaluation", "Anna: Groups", "Anna: Groups of six", "Cleo: Groups", "Cleo: Groups of six"]
    page.get_by_label("Anna: Left over", exact=True).tap()
    expect(says).to_have_text("Anna: Left over: replaces 2")
    keys.get_by_role("button", name="Next").tap()
    keys.get_by_role("button", name="Next").tap()  # the only empty cell is left empty
    expect(says).to_have_text("Still empty: Cleo: Left over")
    keys.get_by_role("button", name="0", exact=True).tap()
    keys.get_by_role("button", name="Next").tap()
    expect(keys).to_be_hidden()
    expect(page.get_by_role("link", name="End the round")).to_be_visible()
    board = game.game.board
    assert [board.players[seat].rounds[3]["evaluation"] for seat in range(3)] == [4, None, 1]
    assert [*board.players[0].once.values(), *board.players[2].once.values()] == [2, 3, 2, 4, 5, 0]


def test_player_without_seat_joins_in_a_new_record(app, book, visitor):
    """SC-5.6: the game continues with one more column; links lead there, and the newcomer is placed by the total."""
    opened = opened_by(app, book, visitor, "Skull King", "Anna", "Ben")
    old = f"/games/{opened.id}"
    seat_link = opened.visitor("seat", 1)
    fill(visitor, visitor.get(f"{old}/record"), a_bid="1", a_tricks="1", b_bid="0", b_tricks="0")
    opened.decide(0, type="end_round")
    page = visitor.get(f"{old}/record")
    before = opened.game.board.tally().totals
    assert before[0] > 0
    for sent in ({"name": " "}, {"points": "x"}, {"points": "9" * 9}):
        page = visitor.send(visitor.get(f"{old}/record").form("Add the player"), **{"name": "Cleo", **sent})
        assert book.kept.game(opened.id).replaced_by is None and "Add the player" in page.text
    page = visitor.send(visitor.get(f"{old}/record").form("Add the player"), name="Cleo", points="15")
    assert "Cleo joins. The game continues here" in page.text
    new = Opened(book, app, book.kept.game(opened.id).replaced_by)
    board = new.game.board
    assert (board.round, board.seats, board.tally().totals) == (2, 3, [*before, 15])
    assert board.players[2].missed == [1] and book.games.get(opened.id).status == "abandoned"
    assert visitor.get(f"{old}/record").text.count("Cleo") and seat_link.get(f"{old}/record").status == 200
    fill(visitor, visitor.get(f"/games/{new.id}/record"), c_bid="2", c_tricks="2")
    assert new.game.board.tally().totals[2] > 15
    assert new.game.ruleset.scoring.places(new.game.board)[2] in (1, 2, 3)


def test_score_page_tells_points_of_rounds_and_what_a_formula_counts(app, book, visitor):
    """SC-2.10: each round of a calculated line has its figures and its points."""
    opened = opened_by(app, book, visitor, "Skull King", "Anna", "Ben")
    record = f"/games/{opened.id}/record"
    fill(visitor, visitor.get(record), a_bid="1", a_tricks="1", b_bid="0", b_tricks="1")
    opened.decide(0, type="end_round")
    fill(visitor, visitor.get(record), a_bid="2", a_tricks="0", b_bid="2", b_tricks="2", b_bonus="30")
    opened.decide(0, type="end_round")
    page = visitor.get(f"/games/{opened.id}/score")
    assert "The whole sheet A Anna B Ben Round 1 20 +20 Bid 1, Tricks 1 −10 −10 Bid 0, Tricks 1 Round 2" in page.text
    assert (
        "Round 1 Bid 1, Tricks 1. Bid 1 ≠ 0, Bid 1 = Tricks 1, so 20 × 1 = 20 20 Round 2 Bid 2, Tricks 0." in page.text
    )
    ben = (
        "Round 1 Bid 0, Tricks 1. Bid 0 ≠ Tricks 1, so 0 0 Round 2 Bid 2, Tricks 2, Bonus 30. Bid 2 = Tricks 2, so 0 0"
    )
    assert ben in page.text
    assert "Step 10 Ben: Bonus 30 30" in page.text, "no step that only began a round"
    assert "Tricks: 1" not in page.text, "a line that counts nothing is left out"
    assert "for 0" not in page.text and "The ledger, and" not in page.text
    moments = visitor.get(f"/games/{opened.id}/moments").text
    assert "Anna takes the lead with 20" in moments and "Anna: Bid 1, Tricks 1" in moments
    assert "Ben takes the lead with 60" in moments and "Ben: Bid 2, Tricks 2, Bonus 30" in moments
    assert "+80" not in moments, "a bid without its tricks is no moment: Ben had −20 for it, and then +90"


def play_wizard(app: Flask, book: Any, visitor: Visitor) -> Opened:
    """Two rounds of Wizard, in which Cleo's tricks of round 1 are corrected in round 2: 20 points, not −10."""
    opened = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    for number, tricks in ((1, (1, 0, 1)), (2, (1, 1, 0))):
        for seat, bid in enumerate((1, 0, 0)):
            opened.decide(seat, type="enter", line="bid", value=bid)
            opened.decide(seat, type="enter", line="tricks", value=tricks[seat])
        if number == 2:
            opened.decide(2, type="enter", line="tricks", value=0, round=1)
        opened.decide(0, type="end_round")
    return opened


def test_correction_of_an_earlier_round_counts_in_that_round(app, book, visitor):
    """SC-3.4: every page shows round 1 of Cleo as 20 and round 2 as 20, not as −10 and 50."""
    opened = play_wizard(app, book, visitor)
    sheets = score_sheets(book, opened.game)
    assert [(sheet.change[2], sheet.totals[2]) for sheet in sheets] == [(20, 20), (20, 40)]
    assert sheets[0].scores[2].total == -10, "as it was when the round ended"
    page = visitor.get(f"/games/{opened.id}/score").text
    assert re.search(
        r"Round 1 30 \+30 .{0,40}20 \+20 .{0,40}20 \+20 .{0,40}Round 2 60 \+30 .{0,40}10 −10 .{0,40}40 \+20", page
    )
    moments = visitor.get(f"/games/{opened.id}/moments").text
    assert "+50" not in moments and "Tricks 1" in moments
    replay = visitor.get(f"/games/{opened.id}?step={opened.game.step}").text
    assert "+50" not in replay
    assert "Round 1, Cleo: Tricks 0, was 1" in replay
    log = visitor.get(f"/games/{opened.id}/record").text
    assert "+50" not in log and "Round 1, Cleo: Tricks 0, was 1" in log


def test_card_of_a_round_counts_a_later_correction(app, book, visitor):
    """SC-3.4: "Round 1 is over" shows 20 for Cleo, and the recorded −10 struck through."""
    opened = play_wizard(app, book, visitor)
    keeper = opened.visitor()
    end = next(entry.step for entry in opened.game.entries if getattr(entry.event, "closed_periods", ()))
    page = keeper.get(f"{opened.path}?step={end}")
    assert re.search(r"at first\s*−10\s*\+20", page.text), page.text


def test_card_of_a_round_goes_at_the_next_figure(app, book, visitor):
    """Then the bar says what was saved; a total below 0 has a minus sign."""
    opened = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    for seat, tricks in enumerate((1, 0, 0)):
        opened.decide(seat, type="enter", line="bid", value=0)
        opened.decide(seat, type="enter", line="tricks", value=tricks)
    opened.decide(0, type="end_round")
    keeper = opened.visitor()
    page = keeper.get(f"{opened.path}/record")
    assert "Hide this" in page.text and "Saved:" not in page.text
    assert total_row(page) == [-10, 20, 20] and ">-10<" not in page.html
    opened.decide(1, type="enter", line="bid", value=2)
    page = keeper.get(f"{opened.path}/record")
    assert "Hide this" not in page.text and "Saved: Ben: Bid 2" in page.text


def test_statistics_count_a_correction_in_its_round(app, book, visitor):
    """The score by round and the points of a line: round 1 of Cleo is 6, entered as 5 and corrected in round 2."""
    opened = opened_by(app, book, visitor, "Hearts", "Anna", "Ben", "Cleo")
    for number in range(1, 6):
        opened.decide(1, type="enter", line="points", value=21)
        opened.decide(2, type="enter", line="points", value=5)
        if number == 2:
            opened.decide(2, type="enter", line="points", value=6, round=1)
        opened.decide(0, type="end_round")
    write(book, opened.id, Close())
    found = {
        (fact.measure, fact.number): fact.value
        for fact in facts(opened.game, GAME.statistics)
        if fact.seat == 2 and fact.period == "round"
    }
    assert [found["score", number] for number in range(1, 6)] == [6, 11, 16, 21, 26]
    assert [found["by_line", number] for number in range(1, 6)] == [6, 5, 5, 5, 5]


def test_set_up_of_a_named_sheet_lists_no_other_game(visitor):
    page = visitor.get(visitor.get("/new").link("Wingspan"))
    assert "Wingspan" in page.text and "Catan" not in page.text and '"each"' not in page.text
    order = [page.text.index(said) for said in ("How it is recorded", "Who can read it", "Which score sheet")]
    assert order == sorted(order)


def test_game_of_ones_own_begins_with_the_name_looked_for(visitor):
    making = visitor.get(visitor.get("/new", q="Attic").link("A game of your own"))
    assert making.form("Preview").fields["name"] == "Attic"


def test_late_player_is_away_and_joins_by_an_open_form(app, book, visitor):
    game = opened_by(app, book, visitor, "Hearts", "Anna", "Ben", "Cleo", "Dan")
    game.decide(3, type="come_later")
    page = game.visitor().get(f"{game.path}/record", seat="3", kind="join")
    assert "Dan away" in page.text and "Dan done" not in page.text and "Change it" not in page.text
    assert page.form("Joins").fields["kind"] == "join"


def test_finished_sheet_is_shared_from_every_page_at_its_end(app, book, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    game.decide(0, type="enter", line="birds", value=3)
    game.decide(0, type="end_game")
    game.write(Close())
    share, keeper = share_game(book, game.id), game.visitor()
    for path, query in ((f"{game.path}/record", {}), (f"{game.path}/score", {}), (game.path, {"step": 0})):
        page = keeper.get(path, **query)
        assert f'/s/{share.id}"' in page.html and "share.js" in page.html, path
    assert f'/s/{share.id}?step=1"' in keeper.get(game.path, step=1).html
    guest = Visitor(app)
    assert "Anna wins" in guest.get(f"/s/{share.id}").text
    assert "Anna won" not in guest.get(f"/s/{share.id}", step=1).text


def test_program_lets_a_late_player_join(app, book):
    game = open_with_halves(app, book)
    game.decide(0, type="enter", line="points", value=7.5)
    client, headers = (
        app.test_client(),
        {"Authorization": f"Bearer {game.key('scorekeeper')}", "Idempotency-Key": "late-cleo-1"},
    )

    def join(**body: Any) -> Any:
        return client.post(f"/api/v1{game.path}/players", json={"name": "Cleo"} | body, headers=headers)

    assert join(points=0.25).json["error"]["code"] == "not_whole"
    assert join(points="3").status_code == 422 and join(name="").status_code == 422
    seat = headers | {"Authorization": f"Bearer {game.key('seat', 0)}"}
    assert client.post(f"/api/v1{game.path}/players", json={"name": "Cleo"}, headers=seat).status_code == 403
    joined = join(points=2.5)
    assert joined.status_code == 201, joined.text
    continued = Opened(book, app, UUID(joined.json["game"]["id"]))
    assert SCORE_SHEET.totals(continued.game.board) == [7.5, 0, 2.5] and book.games.get(game.id).status == "abandoned"
    again = join(points=2.5)
    assert (again.status_code, again.json["game"]["id"]) == (201, str(continued.id)), again.text
    full = client.post(
        f"/api/v1{continued.path}/decisions",
        json={"seat": 2, "decision": {"type": "enter", "line": "points", "value": 0.5}, "at": continued.step},
        headers=headers | {"Idempotency-Key": "cleo-enters"},
    )
    assert full.status_code == 201, full.text


def test_last_round_is_announced_before_a_target_below_zero(app, book):
    fields = {"game.name": "Below", "score.halves": True, "score.count": "target", "score.number": -20.5}
    game_id = open_seats(book, ("Anna", "Ben"), ID, sheet=book.sheets.publish(ID, "Below", fields, "tests"))
    game = Opened(book, app, game_id)
    said = []
    with app.test_request_context():
        for lowest in (3, -8, -8):
            said.append(ends_soon(game.game.board, ("Anna", "Ben")))
            game.decide(0, type="enter", line="points", value=lowest - 0.5)
            game.decide(0, type="end_round")
        said.append(ends_soon(game.game.board, ("Anna", "Ben")))
    assert said == [None, None, None, ("Each round may be the last: Anna has −14.5 of −20.5", "SC-6.3")]


def test_no_page_counts_a_bid_without_its_tricks(app, book, visitor):
    """Grid, replay, chart, moments, score page, lists and the API show the total without the unfinished round."""
    opened = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    path, keeper = f"/games/{opened.id}", opened.visitor()
    for seat, tricks in enumerate((1, 0, 0)):
        opened.decide(seat, type="enter", line="bid", value=0)
        opened.decide(seat, type="enter", line="tricks", value=tricks)
    opened.decide(0, type="end_round")
    for seat in range(3):
        opened.decide(seat, type="enter", line="bid", value=2)
    update_games(book)
    assert [score.total for score in SCORE_SHEET.scoring.standing(opened.game.board)] == [-30, 0, 0], "as recorded"
    page = keeper.get(f"{path}/record")
    assert total_row(page) == [-10, 20, 20] and "This round – – –" in page.text
    assert "A dash means that figures are still missing" in page.text
    shown = [visitor.get(address).text for address in (path, f"{path}/score", f"{path}/moments", "/games", "/")]
    assert not any("−30" in text for text in shown) and "The score so far" in shown[1]
    position = position_at(opened.game, None, None)  # of the API and of live tables
    assert [score.total for score in position.standing] == position.columns["score"] == [-10, 20, 20]


def test_sc_2_15_bid_above_the_tricks_of_a_round_warns(app, book, visitor):
    """The end of a round asks once whether figures are right that cannot be (SC-2.15)."""
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    keeper = game.visitor()
    for seat, (bid, tricks) in enumerate(((0, 0), (2, 1), (0, 1))):
        game.decide(seat, type="enter", line="bid", value=bid)
        game.decide(seat, type="enter", line="tricks", value=tricks)
    page = keeper.get(f"{game.path}/record")
    assert "Bid: 2 is too many. This round has only 1." in page.text and "Bid 2 of 1" in page.text
    assert "Tricks: these figures add up to 2. This round should have 1." in page.text
    asked = keeper.send(page.form("End the round"))
    assert asked.status == 422 and game.game.board.round == 1 and "Bid: 2 is too many." in asked.text
    keeper.send(asked.form("The figures are right: end the round"))
    assert game.game.board.round == 2
    assert "Round 1: the figures cannot be right" in str(keeper.get(f"{game.path}/record").html)


def test_doubtful_game_without_rounds_ends_on_the_page_that_closes_it(app, book, visitor):
    game = opened_by(app, book, visitor, "Catan", "Anna", "Ben", "Cleo")
    for seat in range(3):
        for line in ("settlements", "cities", "longest_road", "largest_army", "victory_point_cards"):
            if (seat, line) != (2, "victory_point_cards"):
                game.decide(seat, type="enter", line=line, value=1 if line == "longest_road" and seat else 0)
    keeper = game.visitor()
    page = keeper.get(f"{game.path}/record")
    assert "This game should have at most 1." in page.text and "This round" not in page.text
    asked = keeper.send(keeper.get(page.link("End the game")).form("It is 0"))
    assert asked.status == 422 and game.game.status == "running"
    page = keeper.send(asked.form("The figures are right: end the game"))
    assert "This game should have at most 1." in page.text
    keeper.send(page.form("Finish"), close="1")
    assert game.game.status == "closed"


def test_next_leads_along_the_bids_before_the_tricks(app, book, visitor, site, browser):
    """A sheet whose formula compares bids with tricks goes line by line; others go player by player."""
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    page = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    game.enter(page, site)
    page.get_by_label("Ben: Bid", exact=True).tap()  # Anna deals
    keys, visited = page.locator("#keypad"), []
    for _ in range(5):
        keys.get_by_role("button", name="1", exact=True).tap()
        keys.get_by_role("button", name="Next").tap()
        visited.append(page.evaluate("document.activeElement.ariaLabel"))
    assert visited == ["Cleo: Bid", "Anna: Bid", "Ben: Tricks", "Cleo: Tricks", "Anna: Tricks"]
    ready = [name for name in READY if read_definition(ready_sheet(name)).by_line]
    assert sorted(ready) == ["oh-hell", "skull-king", "spades", "wizard"]


def test_figure_typed_while_the_round_ends_stays_in_its_round(app, book, visitor, site, browser):
    """A figure belongs to the round that the page showed; the last key is pressed after another phone ended it."""
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    page = browser.new_page()
    game.enter(page, site)
    game.decide(1, type="enter", line="bid", value=1)
    expect(page.get_by_label("Ben: Bid", exact=True)).to_have_value("1")
    cell = page.get_by_label("Anna: Bid", exact=True)
    cell.focus()
    page.keyboard.type("1")
    game.decide(1, type="end_round")
    expect(page.get_by_text("This is round 1.")).to_be_visible()
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    wait_until(lambda: game.game.board.players[0].rounds[0]["bid"] == 12, "the bid of round 1")
    assert game.game.board.players[0].rounds[1]["bid"] is None
    expect(page.get_by_role("link", name="Go to round 2")).to_be_visible()


def test_key_pressed_after_the_round_ended_lands_nowhere(app, book, visitor, site, browser):
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    page = browser.new_page()
    game.enter(page, site)
    game.decide(1, type="enter", line="bid", value=1)
    expect(page.get_by_label("Ben: Bid", exact=True)).to_have_value("1")
    page.get_by_label("Anna: Bid", exact=True).focus()
    game.decide(1, type="end_round")
    expect(page.get_by_text("The round was ended on another phone.").first).to_be_visible()
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Anna: Bid", exact=True)).to_have_value("")
    assert game.game.board.players[0].rounds[1]["bid"] is None


def test_figure_typed_while_the_game_ends_is_named(app, book, visitor, site, browser):
    game = opened_by(app, book, visitor, "Hearts", "Anna", "Ben", "Cleo")
    page = browser.new_page()
    game.enter(page, site)
    for _ in range(4):
        game.decide(1, type="enter", line="points", value=26)
        if game.game.board.round < 4:
            game.decide(1, type="end_round")
    expect(page.get_by_label("Ben: Points", exact=True)).to_have_value("26")
    page.get_by_label("Anna: Points", exact=True).focus()
    page.keyboard.type("3")
    game.decide(1, type="end_round")
    expect(page.get_by_text("Not saved: Anna: Points 3").first).to_be_visible()


def test_lowest_score_is_the_record_where_the_lowest_wins(app, book, visitor):
    game = opened_by(app, book, visitor, "Hearts", "Anna", "Ben", "Cleo")
    for _ in range(4):
        for seat, points in enumerate((0, 1, 25)):
            game.decide(seat, type="enter", line="points", value=points)
        game.decide(0, type="end_round")
    write(book, game.id, Close())
    update_results(book)
    update_games(book)
    collect.count_all(book)
    rows = game.visitor().get("/statistics/:Hearts/records").text
    assert "Final score least 0 Anna" in rows and "Final score most" not in rows and "100 Cleo" not in rows


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "Huts", "fewest": "5", "most": "2"}, "fewest"),
        ({"name": "Huts", "fewest": "x"}, "fewest"),
        ({"name": "Huts", "count": "rounds"}, "number"),
        ({"name": "Huts", "count": "rounds", "rounds": "60 /"}, "rounds"),
        ({"name": "Huts", "line.0.name": "Huts", "line.1.name": "huts"}, "line.1.name"),
        ({"name": "Huts", "line.0.name": "Huts", "line.1.name": "Score", "line.1.kind": "formula"}, "line.1.formula"),
        (
            {"line.0.name": "Huts", "line.1.name": "Score", "line.1.kind": "formula", "line.1.formula": "huts +"}
            | {"name": "Huts"},
            "line.1.formula",
        ),
        ({"name": "Huts", "line.0.name": "Huts", "line.0.kind": "choice"}, "line.0.values"),
        ({"name": "Huts", "line.0.name": "Huts", "line.0.each": "many"}, "line.0.each"),
        ({"name": "Huts", "line.0.name": "Huts", "line.0.altogether": "cards"}, "line.0.altogether"),
        ({"name": "Huts", "line.0.name": "Huts", "total": "huts + x"}, "total"),
        ({"name": "Huts", "ties": "Coins"}, "ties"),
        ({"name": "Huts", "teams": "9"}, "teams"),
    ],
)
def test_refused_form_marks_the_field_at_fault(visitor, fields, field):
    page = visitor.send(visitor.get(f"/make/{ID}").form("Preview"), **fields, do="publish")
    assert page.status == 422 and "check the marked field" in page.text
    assert re.findall(r'name="([^"]+)"[^>]* aria-invalid="true"', page.html) == [field]
    assert page.html.count('id="wrong-field"') == 1


def test_number_of_rounds_is_chosen_for_a_new_game(app, book, visitor):
    """A game with another number of rounds plays a copy of its sheet, and is the same game in lists."""
    page = visitor.get(visitor.get("/new").link("Wizard"))
    assert "3 players: 20 · 4 players: 15 · 5 players: 12 · 6 players: 10" in page.text
    players = {f"name.{seat}": name for seat, name in enumerate(("Anna", "Ben", "Cleo"))}
    refused = visitor.send(page.form("Open the game"), **players, rounds="0")
    assert refused.status == 422 and "Enter a number from 1 to 99." in refused.text
    visitor.send(refused.form("Open the game"), rounds="5")
    (kept,) = book.kept.games()
    game = book.games.get(kept.id)
    assert game.board.rounds_in_all == 5 and game.game_key == ":Wizard"
    assert visitor.get("/new").text.count("Wizard") == 1
    assert "Rounds" not in visitor.get(visitor.get("/new").link("Hearts")).text


def test_field_at_fault_in_the_form_of_own_games_is_in_sight(visitor):
    fields = {"name": "Zapper", "line.0.name": "Zaps", "line.1.name": "Score", "line.1.kind": "formula"}
    page = visitor.send(visitor.get(f"/make/{ID}").form("Preview"), **fields, do="preview")
    assert page.status == 422 and "To the field" in page.text
    field = page.html.split('name="line.1.formula"')[1].split(">")[0]
    assert (
        "aria-invalid" in field
        and "<details" not in page.html.split('id="line-1"')[1].split('name="line.1.formula"')[0]
    )


def test_link_of_an_unlisted_sheet_has_a_field_to_copy_it(visitor):
    page = visitor.send(visitor.get(f"/make/{ID}").form("Preview"), name="Zapper", do="publish")
    assert "keep the link of this page" in page.text and "data-copy" in page.html
    assert "sheet=" in page.html.split('id="link-of-sheet"')[1].split(">")[0]


def test_names_of_ready_sheets_are_all_translated():
    for name in READY:
        sheet = ready_sheet(name)
        lines = [line["name"] for line in sheet["score.lines"]]
        assert {*lines, *sheet["game.roles"], *sheet["game.expansions"]} <= BUILT_IN_NAMES.keys(), name


@pytest.mark.parametrize(
    "typed, says",
    [
        ("Bid: 1 0 2", ["Anna: Bid 1", "Ben: Bid 0", "Cleo: Bid 2"]),
        ("bid 1, 0, 2", ["Anna: Bid 1", "Ben: Bid 0", "Cleo: Bid 2"]),
        ("round 1: Tricks: 1 1 1", ["Round 1, Anna: Tricks 1, was 0", "Round 1, Cleo: Tricks 1, was 0"]),
        ("Ben: 2 1", ["Ben: Bid 2", "Ben: Tricks 1"]),
        ("Ben bid 2, tricks 1", ["Ben: Bid 2", "Ben: Tricks 1"]),
        ("Ben tricks 1, Cleo tricks 2 and bid 0", ["Ben: Tricks 1", "Cleo: Tricks 2", "Cleo: Bid 0"]),
        ("Cleo tricks 1, round 1", ["Round 1, Cleo: Tricks 1, was 0"]),
        ("round 1: Cleo tricks 1, bid: 2", ["Round 1, Cleo: Tricks 1, was 0", "Round 1, Cleo: Bid 2, was 0"]),
        ("Clea: Bid 2", ["Cleo: Bid 2"]),
        ("round 1: Cleo Tricks 1", ["Round 1, Cleo: Tricks 1, was 0"]),
        ("round 9: Cleo Tricks 1", []),
        ("Anna: Bid 1; end round", ["Anna: Bid 1", "Round 2 is over"]),
    ],
)
def test_typed_line_of_a_sheet_is_read_as_meant(app, book, visitor, typed, says):
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    for seat, tricks in enumerate((0, 1, 0)):
        game.decide(seat, type="enter", line="bid", value=0)
        game.decide(seat, type="enter", line="tricks", value=tricks)
    game.decide(0, type="end_round")
    keeper, step = game.visitor(), game.step
    page = keeper.press(f"{game.path}/type", "Save", text=typed, do="record")
    log = keeper.get(f"{game.path}/record").text
    assert all(text in log for text in says), page.text
    assert game.step == step + len(says)


def test_suggestion_of_a_typed_line_keeps_its_player(app, book, visitor):
    """Tapping a suggestion saves the texts before it, which are shown as read above it, and those after it."""
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    keeper, step = game.visitor(), game.step
    page = keeper.press(f"{game.path}/type", "Read it first", text="Anna bid 1; Ben bidd 0; Cleo: Bid 1", do="read")
    assert game.step == step and "Read as: A Anna Bid: 1" in page.text
    assert page.text.index("Read as: A Anna Bid: 1") < page.text.index("Which one?")
    suggested = next(form for form in page.forms if form.fields.get("text", "").count("Ben: Bid: 0"))
    page = keeper.send(suggested, do="record")
    assert "Which one?" not in page.text
    assert [player.rounds[0]["bid"] for player in game.game.board.players] == [1, 0, 1]


def test_comma_in_a_typed_line_keeps_the_figure_of_each_line(app, book, visitor):
    """A line whose name ends like another one gets no figure of that other line."""
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    page = game.visitor().press(f"{game.path}/type", "Read it first", text="Anna bid 4, trcks 1", do="read")
    assert "Read as: A Anna Bid: 4" in page.text and "Tricks: 1" in page.text and "Tricks: 4" not in page.text
