"""Any figure opens: its history names what changed it, and the changes add up to it."""

from __future__ import annotations

import re
from html import unescape

import pytest

from daybook.domain.commands import TakeBack
from daybook.domain.games import RULESETS
from daybook.domain.kernel.terms import TABLE
from daybook.web import words
from daybook.web.replay.figure import MAX_OPEN_ROWS
from daybook.web.words import path_label
from tests.played import open_seats, play, sheet_to_play
from tests.services.fixture_files import put_golden
from tests.web.conftest import Opened, Visitor

NUMBER = re.compile(r"[−-]?\d+")


def played(book, app, ruleset: str, until=None) -> Opened:
    sheet = sheet_to_play(book, ruleset)
    options = {"hands": "hidden"} if "hands" in RULESETS[ruleset].types.options.__struct_fields__ else {}
    id = open_seats(book, ruleset_id=ruleset, options=options, public=True, **({"sheet": sheet} if sheet else {}))
    play(book, id, until, seed=4, close=True)
    return Opened(book, app, id)


def rows(html: str) -> list[tuple[int, str, int, int]]:
    """Return the steps of a history, oldest first: number, cause, amount before and after."""
    found = []
    for row in re.findall(r'<li><a class="step-link".*?</li>', html, re.S):
        text = unescape(re.sub(r"<[^>]+>", " ", row)).replace("−", "-")
        text = re.sub(r"[£$\u2060]", "", text)
        stays = re.search(rf"({NUMBER.pattern}) stays", text)
        changed = re.search(rf"({NUMBER.pattern}) +→ +({NUMBER.pattern})", text)
        before, after = (stays[1], stays[1]) if stays else changed.groups()
        found.append((int(NUMBER.search(text)[0]), text, int(before), int(after)))
    return found[::-1]


@pytest.mark.parametrize(
    "ruleset",
    [
        pytest.param(name, marks=pytest.mark.drill if name == "score_sheet" else pytest.mark.slow)
        for name in sorted(RULESETS)
    ],
)
def test_changes_of_every_column_add_up(book, app, ruleset):
    game, visitor = played(book, app, ruleset), Visitor(app)
    columns, _ = game.game.figures_at(game.step)
    first, _ = game.game.figures_at(0)
    for column, values in columns.items():
        page = visitor.get(f"{game.path}/figure", at=f"/columns/{column}/1")
        assert page.status == 200
        history = rows(page.html)
        ends = [first[column][1], *(after for *_, after in history)]
        assert ends[-1] == values[1], column
        assert [before for _, _, before, _ in history] == ends[:-1], column
        line = {*game.game.line()}
        assert all(step in line for step, *_ in history)


def test_history_folds_earlier_changes_newest_first(book, app):
    game = played(book, app, "making_profit")
    page = Visitor(app).get(f"{game.path}/figure", at="/columns/score/0")
    shown, folded, earlier = page.html.partition('<details class="earlier">')
    history = rows(page.html)
    assert len(rows(shown)) == MAX_OPEN_ROWS - 1 and folded
    assert rows(earlier) + rows(shown) == history == sorted(history)
    assert f"{len(rows(earlier))} earlier changes, from ${history[0][2]} to" in page.text


def test_rules_are_said_where_their_ids_are(book, app):
    game = played(book, app, "making_profit", 30)
    bought = next(
        step
        for step, entry in enumerate(game.game.entries)
        if any(effect["type"] == "stock_bought" for effect in getattr(entry.event, "effects", ()))
    )
    page = Visitor(app).get(f"{game.path}/why", step=bought)
    assert words.rule_sentence("making_profit", "MP-4.2.3") in page.text
    assert words.rule_sentence("making_profit", "MP-4.7.1") == words.rule_sentence("making_profit", "MP-4.7")
    assert words.rule_sentence("making_profit", "MP-99") == ""


def test_history_names_what_changed_the_money(book, app):
    game, visitor = played(book, app, "making_profit"), Visitor(app)
    page = visitor.get(f"{game.path}/figure", at="/players/0/money")
    assert rows(page.html) and page.text.count("is paid") + page.text.count("buys") + page.text.count("sells") > 1
    assert "End the turn" not in page.text
    assert f"{game.path}?step=" in page.html


def test_history_of_a_score_names_income_and_costs(book, app, visitor):
    game = Opened(book, app, put_golden(book, "three-portfolios", public=True))
    page = visitor.get(f"{game.path}/figure", at="/columns/score/1")
    causes = {step: text for step, text, *_ in rows(page.html)}
    assert "£150 at the start" in page.text
    assert "Mads sells 6 food at home" in causes[103] and "Lotte" not in "".join(causes.values())
    value = visitor.get(f"{game.path}/figure", at="/columns/share_value/1")
    assert "pays" not in value.text and "ships" not in value.text


@pytest.mark.parametrize(
    ("name", "step", "at", "says"),
    [
        ("four-mills", 120, "/columns/cash/0", "Agnes, clothes: 2 × £4 + £2 for 2 machines = £10"),
        ("four-mills", 120, "/columns/wages/0", "Agnes, clothes: 2 × £4 + £2 for 2 machines = £10"),
        ("four-mills", 120, "/columns/income/0", "Agnes sells 3 cutlery: 3 × £6 = £18"),
        ("four-mills", 120, "/holding/0/worth", "Agnes’s share value: space 14 + 2 = 16, £13 (the goods sold)"),
        ("four-mills", 120, "/holding/0/worth", "8 × £13 = £104"),
        ("four-mills", 120, "/appeal/clothes/0", "quality 9 + distribution 0 − price 6 = 3"),
        ("four-boards", 200, "/players/0/worth", "16 × £14 = £224"),
        ("four-boards", 200, "/players/0/worth", "Oda has sold 2 goods at home: share value £11"),
        ("four-boards", 200, "/players/0/appeal/cutlery", "slot 2 + office 4 + quality 0 + distribution 0 = 6"),
        ("four-boards", 200, "/players/0/factories/food/price", "slot £4 + office £0 + quality £1 = £5"),
        ("four-boards", 200, "/players/0/factories/food/makes", "factory 3 + worker cards 3 + 2 = 8"),
        ("four-boards", 200, "/players/0/factories/food/costs", "6 × £4 wages − £8 by the Foreman + £0 maintenance"),
        ("four-boards", 200, "/players/0/factories/food/quality/QB", "1, appeal side → 1, price side"),
    ],
)
def test_figure_says_what_it_is_worked_out_from(book, app, name, step, at, says):
    game = Opened(book, app, put_golden(book, name, public=True))
    assert says in Visitor(app).get(f"{game.path}/figure", step=step, at=at).text


def test_history_of_cards_names_no_pay(friday):
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="run")
    for _ in range(2):
        friday.decide(TABLE, type="drawn", card="M1")
    for at in ("/columns/hand/0", "/players/0/hand/M1"):
        history = rows(friday.visitor().get(f"{friday.path}/figure", at=at).html)
        assert "Anna draws M1" in history[-1][1] and "develops" not in history[-1][1]
    level = rows(friday.visitor().get(f"{friday.path}/figure", at="/columns/level/0").html)
    assert "Anna develops R2" in level[0][1]


def test_cards_of_a_factory_count_from_one_and_developer_is_named(friday):
    friday.decide(0, type="develop", card="R2")
    assert path_label("making_profit", "/players/0/factory/2", ("Anna", "Ben")) == "Anna: card 3 in the factory"
    why = friday.visitor().get(f"{friday.path}/why", step=friday.step)
    assert "the last to develop – Anna" in why.text


def test_undone_steps_are_not_in_the_history(friday):
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    before = friday.game.parents[friday.step]
    undone = friday.step
    friday.write(TakeBack(before, "mistyped"))
    page = keeper.get(f"{friday.path}/figure", at="/columns/level/0")
    assert "As it was at the start." in page.text and f"?step={undone}" not in page.html
    assert rows(keeper.get(f"{friday.path}/figure", at="/columns/level/0", step=undone).html)


@pytest.mark.parametrize(
    "at",
    [
        "",
        "x",
        "/",
        "/columns",
        "/columns/money",
        "/columns/money/9",
        "/columns/money/-1",
        "/columns/x/0",
        "/no/such",
        "/columns/money/0/1",
        "/" * 300,
        "/columns/money/²",
    ],
)
def test_unknown_figure_is_not_found(friday, at):
    assert friday.visitor().get(f"{friday.path}/figure", at=at).status == 404


def test_covered_figure_stays_covered_but_for_its_owner(open_game):
    game = open_game(ruleset_id="london_markets", hands="hidden")
    game.play(lambda played: played.board.round == 3, seed=3)
    for at in ("/columns/money/1", "/players/1/money", "/columns/score/1"):
        page = game.visitor("seat", 0).get(f"{game.path}/figure", at=at)
        assert "stays covered" in page.text and "figure-steps" not in page.html
        assert "figure-steps" in game.visitor("seat", 1).get(f"{game.path}/figure", at=at).html
    hand = game.visitor("seat", 0).get(f"{game.path}/figure", at="/players/1/unseen/silk")
    assert "figure-steps" not in hand.html


def test_hidden_hand_has_no_history_for_others(friday):
    page = friday.visitor("seat", 0).get(f"{friday.path}/figure", at="/players/1/hand/R2")
    assert "figure-steps" not in page.html
    assert "figure-steps" in friday.visitor("seat", 1).get(f"{friday.path}/figure", at="/players/1/hand/R2").html


@pytest.mark.parametrize("ruleset", [name for name in sorted(RULESETS) if name != "score_sheet"])
def test_figures_of_the_board_have_a_name_and_a_history(book, app, ruleset):
    game, visitor = played(book, app, ruleset, 60), Visitor(app)
    figures = re.findall(r'<b class="figure [^"]*" data-at="([^"]*)"( title="[^"]+")?>', visitor.get(game.path).html)
    board = [(at, title) for at, title in figures if not at.startswith("/columns/")]
    assert len(board) > 10 and all(title for _, title in board)
    for at in {at for at, _ in board if re.search("worth|wage|^/brief", at)}:
        page = visitor.get(f"{game.path}/figure", at=unescape(at))
        assert page.status == 200 and "–" not in page.html.partition("</h1>")[0].rpartition("<h1>")[2]


def test_figures_of_ledger_table_and_sheet_lead_there(book, app):
    game, visitor = played(book, app, "making_profit"), Visitor(app)
    for path in ("", "/figures", "/score"):
        links = [href for _, href in visitor.get(game.path + path).links if "/figure?" in href]
        assert links, path
        assert {visitor.get(href).status for href in links[:5]} == {200}
    why = [href for _, href in visitor.get(f"{game.path}/score").links if "/why?" in href]
    assert why and visitor.get(why[0]).status == 200


def test_figure_of_the_board_opens_on_a_tap(page, site, friday):
    friday.decide(0, type="develop", card="R2")
    friday.enter(page, site)
    page.goto(f"{site}{friday.path}?step={friday.step}")
    page.locator("[data-part=strip] .figure").first.click()
    page.wait_for_url("**/figure?*")
    assert "Anna" in page.locator("h1").inner_text()


def test_lm_4_7_12_cards_put_back_are_the_cause_of_a_changed_pile(open_game):
    game = open_game(("Anna", "Ben", "Cleo"), ruleset_id="london_markets")
    while not any(effect["type"] == "goods_returned" for effect in getattr(game.game.entries[-1].event, "effects", ())):
        game.play(1, seed=game.step)
    back = next(effect for effect in game.game.entries[-1].event.effects if effect["type"] == "goods_returned")
    keeper, name = game.visitor(), ("Anna", "Ben", "Cleo")[back["seat"]]
    said = f"{name} puts {back['count']} {back['goods']} back"
    for at in (f"/piles/{back['goods']}", f"/columns/goods/{back['seat']}"):
        page = keeper.get(f"{game.path}/figure", at=at)
        assert said in page.text and "entered by hand" not in page.text


def test_lm_4_2_7_covered_crates_are_a_row_of_their_own(book, app):
    game, visitor = played(book, app, "london_markets", 200), Visitor(app)
    pages = [visitor.get(f"{game.path}/figure", at=f"/columns/crates/{seat}").text for seat in range(3)]
    assert any("’s bar at" in page and "covers 1 crate of" in page for page in pages)
    assert not any("entered by hand" in page or "seals" in page for page in pages)


def test_mp_4_2_2_a_price_says_its_level(friday):
    keeper = friday.visitor()
    at = f"/price/{friday.game.table.colours[0]}"
    assert "level 0, but at least $2 = $2" in keeper.get(f"{friday.path}/figure", at=at).text
    for _ in range(2):
        card = next(card for card, n in friday.game.board.players[0].hand.items() if n)
        friday.decide(0, type="develop", card=card)
    friday.decide(1, type="run")
    changes = keeper.get(f"{friday.path}/why", step=friday.step).text
    assert "turn –" not in changes and "actions left" not in changes.partition("What changed")[2][:300]


def test_mp_4_7_1_a_draw_names_its_cause(friday):
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="run")
    friday.decide(TABLE, type="drawn", card="M1")
    keeper = friday.visitor()
    for at in ("/columns/hand/0", "/deck"):
        assert "Anna draws M1, because Anna’s factory ran" in keeper.get(f"{friday.path}/figure", at=at).text
    score = keeper.get(f"{friday.path}/figure", at="/columns/score/0").text
    assert "Anna develops R2" in score and "Anna holds 2 certificates of this factory" in score


def test_figures_by_seat_are_numbers():
    names = ("Ada", "Boris", "Carmen", "Dirk")
    assert words.value_at_place("london_markets", "/crates/portobello/0", 3, names) == "3"
    assert words.value_at_place("london_markets", "/stacks/portobello/0/0", 3, names) == "Dirk"
