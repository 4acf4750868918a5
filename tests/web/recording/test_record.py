"""Recording at the table, with forms and links alone: every decision, and what each seat may record."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from daybook.domain.commands import Adjust, TakeBack
from daybook.domain.games import RULESETS
from daybook.domain.games.london_markets.moves import OfferCardsPlaced
from daybook.domain.kernel.events import GameClosed
from daybook.domain.kernel.terms import TABLE
from daybook.services.play import replay
from daybook.services.play.drawing import draw_fact
from tests.web.conftest import NAMES, OF_OUR_PAGE, Opened, VisitedPage, Visitor, with_three_unseen_cards
from tests.web.recording.desk import choices, desk, press, save_page, wholly

# --- who must decide what --------------------------------------------------------------------------------------------


def test_the_header_says_who_decides_and_the_figures_that_matter(friday):
    page = desk(friday)
    assert "Anna: 2 actions left money $0 certificates 2 level 0 cards 2 would score $0" in page.text
    assert "round 1, turn 1" in page.text


def test_before_the_first_turn_the_table_is_asked(open_game):
    game = open_game()
    keeper = game.visitor()
    page = desk(game, keeper)
    assert "The table: Anna draws 2 cards: name one of them" in page.text
    assert choices(page) == ["R1", "R2", "M1", "M2"]
    page = press(keeper, page, "M2")
    assert "Anna draws M2 MP-4.7.1" in page.text
    assert "Anna draws a card: name it" in page.text


def test_kinds_are_in_ruleset_order_with_what_is_left_to_choose(friday):
    page = desk(friday)
    assert choices(page) == [
        "Develop R2",
        "Develop M1",
        "Put a red certificate up for sale",
        "Run the factory",
        "End the turn",
    ]
    assert "Develop a card R1" in page.text and "R2 2 resources M1 $1 each M2" in page.text


def test_a_usual_decision_is_one_tap_and_undone_with_another(friday):
    keeper, step = friday.visitor(), friday.step
    page = press(keeper, desk(friday, keeper), "Develop R2")
    assert friday.step == step + 1
    assert "Anna develops R2: the factory is at level 1 MP-4.4.1" in page.text
    assert "Anna: 1 action left" in page.text
    page = keeper.send(page.form(f"Undo step {step + 1}: it was mistyped"))
    assert "Anna: 2 actions left" in page.text


def test_what_spreads_is_looked_at_before_it_is_written(friday):
    """Money in several purses is harder to call back than a card in front of one player (MP-4.5.3)."""
    friday.decide(0, type="develop", card="M1")
    friday.decide(0, type="end_turn")
    left = friday.game.document["bank"]["red"]
    friday.write(Adjust({"/players/1/certificates/red": 1, "/bank/red": left - 1}, "sold", "table"), key="red")
    for seat, card in ((1, "R2"), (2, "M1")):
        friday.decide(seat, type="develop", card=card)
        friday.decide(seat, type="end_turn")
    keeper, step = friday.visitor(), friday.step
    page = press(keeper, desk(friday, keeper), "Run the factory")
    assert friday.step == step
    assert "Ben is paid $1 for 1 certificate MP-4.5.3" in page.text
    save_page(keeper, page)
    assert friday.step == step + 1


def test_a_decision_without_a_choice_is_one_tap(friday):
    keeper = friday.visitor()
    press(keeper, desk(friday, keeper), "End the turn")
    assert friday.game.entries[-1].event.decision == {"type": "end_turn"}


def test_cards_that_nobody_sees_are_told_one_by_one(open_game):
    """Three taps in any order; a list of all sets would have thirty-five lines."""
    game = with_three_unseen_cards(open_game)
    keeper, step = game.visitor(), game.step
    page = desk(game, keeper)
    assert [choice for choice in choices(page) if "and others" in choice] == [
        f"Sell {card} and others" for card in ("R1", "R2", "M1", "M2", "an unseen card")
    ]
    page = keeper.get(next(href for says, href in page.links if says.startswith("M2")))
    assert choices(page) == ["R1", "R2", "M1", "M2", "An unseen card"]
    assert "2 of 3 Back So far: M2" in page.text
    page = press(keeper, page, "R1")
    assert "3 of 3 Back So far: M2 R1" in page.text
    press(keeper, page, "M2")
    assert game.step == step + 1
    assert game.game.entries[-1].event.decision == {"type": "sell_resources", "cards": ["R1", "M2", "M2"]}


def test_who_looks_before_a_decision_sees_all_that_it_changes(friday):
    keeper = friday.visitor()
    page = desk(friday, keeper, seat=0, kind="develop", **{"d.card": '"R2"'})
    assert "Anna develops R2: the factory is at level 1 MP-4.4.1" in page.text
    assert "A Anna level 0 1 +1 A Anna cards 2 1 −1 A Anna would score $0 $2 +\u2060$2" in page.text
    step = friday.step
    page = save_page(keeper, page)
    assert friday.step == step + 1
    assert "Anna: 1 action left" in page.text


def test_kinds_that_are_closed_say_the_rule_and_why(friday):
    text = desk(friday).text
    assert "Buy a certificate a red certificate costs $2, and the player has $0 MP-4.2.1" in text
    assert "Finish the sale no certificate is in the sale MP-4.3.1" in text


def test_a_sale_is_put_together_tap_by_tap(friday):
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    page = press(keeper, desk(friday, keeper), "Put a red certificate up for sale")
    assert choices(page) == ["Put a red certificate up for sale", "Finish the sale"]
    page = press(keeper, page, "Put a red certificate up for sale")
    assert "Anna: finish the sale: 2 red" in page.text
    page = press(keeper, page, "Finish the sale")
    assert "Anna sells 2 red certificates: 2 × $1 = $2 MP-4.3.3" in page.text
    assert friday.game.board.players[0].money == 2


def test_several_seats_may_decide_and_one_is_chosen(open_game):
    game = open_game()
    game.deal("R1 R1 R1 R1 M1 M2")
    keeper = game.visitor()
    assert game.game.ruleset.course.to_act(game.game.board) == (0, 1)
    page = desk(game, keeper)
    assert "Anna: third card first? 2 actions left" in page.text
    assert "After the first action no one takes a third card. Not answered yet: Anna and Ben. MP-3.2.3" in page.text
    page = keeper.get(page.link("B Ben"))
    assert "Ben: take a third card?" in page.text
    assert "players before Ben take no third card. Not answered yet: Anna. MP-3.2.1" in page.text
    assert choices(page) == ["Show two R1 and take a third card", "No third card"]
    press(keeper, page, "Show two R1")
    assert "Ben shows two R1 and takes a third card MP-3.2.2" in desk(game, keeper).text


def test_mp_3_2_1_page_of_a_playing_keeper_opens_on_the_asked_seat(open_game):
    game = open_game(NAMES, hands="hidden")
    game.decide(TABLE, type="start_player_drawn", seat=1)
    keeper = game.visitor()
    keeper.client.post("/join", data={"key": game.key("seat", 0)}, headers=OF_OUR_PAGE)
    assert desk(game, keeper).text.count("Ben: third card first?") == 1, "Ben starts and is asked first"
    game.decide(1, type="third_card", claimed=False)
    assert "Cleo: take a third card?" in desk(game, keeper).text
    game.decide(2, type="third_card", claimed=False)
    assert "Anna: take a third card?" in desk(game, keeper).text


def test_mp_4_8_2_announced_end_is_true_without_an_action_left(open_game):
    game = open_game(hands="hidden")
    game.decide(TABLE, type="start_player_drawn", seat=0)
    game.decide(0, type="develop", card="M1")
    game.decide(0, type="run")
    game.decide(1, type="run")
    game.decide(1, type="run")
    page = desk(game)
    assert "The game ends after this turn, unless Cleo develops a card" in page.text
    game.decide(2, type="sell_add", colour="green")
    game.decide(2, type="sell_done")
    game.decide(2, type="discard_hand", card="?")
    assert "unless Cleo develops a card" in desk(game).text
    game.decide(2, type="sell_add", colour="green")
    game.decide(2, type="sell_done")
    assert "unless Cleo" not in desk(game).text
    if game.game.board.ended is None:
        assert "The game ends after this turn MP-4.8.2" in desk(game).text
        game.decide(2, type="discard_hand", card="?")
    assert "no one developed a card since Anna did, and it would be Anna’s turn again" in desk(game).text


def test_keepers_page_keeps_its_seat_while_others_record(open_game):
    game = open_game(NAMES, hands="hidden")
    game.decide(TABLE, type="start_player_drawn", seat=0)
    keeper = game.visitor()
    assert 'data-seat="0"' in desk(game, keeper).html
    game.decide(1, type="third_card", claimed=False)
    headers = {"X-Seat": "0"}  # as the script sends it when others have recorded
    assert 'data-seat="0"' in keeper.client.get(f"{game.path}/record", headers=headers).text
    game.decide(0, type="run")
    assert 'data-seat="1"' not in keeper.client.get(f"{game.path}/record", headers={"X-Seat": "1"}).text, "it is over"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "hands"), [("making_profit", "hidden"), pytest.param("london_markets", "open", marks=pytest.mark.drill)]
)
def test_a_whole_game_is_recorded_by_pressing_what_is_offered(open_game, ruleset, hands):
    """Whatever is pressed, the page offers it and writes it down, until the game is over and closed."""
    game = open_game(NAMES[: RULESETS[ruleset].seats[0]], ruleset_id=ruleset, hands=hands)
    keeper, random = game.visitor(), Random(8)
    page = desk(game, keeper)
    for _ in range(3000):
        if not game.game.ruleset.course.to_act(game.game.board):
            break
        page = pressed_somehow(game, keeper, page, random)
        assert page.status == 200
    assert "The game is over" in page.text
    assert " wins with " in page.text or "share the win" in page.text
    page = keeper.send(page.form("Finish"))
    assert "This game is finished" in page.text and page.link("Play again")
    assert isinstance(game.game.entries[-1].event, GameClosed)
    assert game.step > 10


def pressed_somehow(game: Opened, keeper: Visitor, page: VisitedPage, random: Random) -> VisitedPage:
    """Press something: write down what is previewed, fill in a form, or choose one of the buttons."""
    if wholly(page):
        return save_page(keeper, page)
    asking = [form for form in page.forms if "Preview" in form.buttons]
    if not asking:
        return press(keeper, page, random.choice(choices(page)))
    shown = keeper.get(asking[0].action, **asking[0].fields)
    if wholly(shown):
        return shown
    return desk(game, keeper, seat=random.choice(game.game.ruleset.waits_for(game.game.board)))


def test_every_legal_decision_can_be_reached(open_game):
    """Following the questions leads to each legal decision, and to no other, on many boards of many games."""
    game = open_game()
    keeper = game.visitor()
    for seed in (1, 2):
        game.play(25, seed)
        if not game.game.ruleset.course.to_act(game.game.board):
            break
        for seat in game.game.ruleset.course.to_act(game.game.board):
            legal = replay.legal_decisions(game.game, None, seat)
            assert in_order(decisions_behind(keeper, game, desk(game, keeper, seat=seat))) == in_order(legal)


def in_order(decisions: list[Any]) -> list[str]:
    return sorted(json.dumps(decision, sort_keys=True) for decision in decisions)


def decisions_behind(somebody: Visitor, game: Opened, page: VisitedPage) -> list[Any]:
    """Return the decisions of a page and the pages behind its links, each once: a set of cards comes in any order."""
    if wholly(page):
        return [json.loads(page.form("Save").fields["decision"])]
    at_once = [json.loads(form.fields["decision"]) for form in page.forms if "decision" in form.fields]
    further = [href for _, href in page.links if "kind=" in href]
    behind = [decision for href in further for decision in decisions_behind(somebody, game, somebody.get(href))]
    return [json.loads(key) for key in dict.fromkeys(map(json.dumps, at_once + behind))]


def test_what_chance_decides_of_the_set_up_is_drawn_by_one_tap(open_game):
    """It is written as if the table had drawn it, and the page says what to lay out (LM-3.1.3, LM-3.1.4, LM-3.1.7)."""
    game = open_game(ruleset_id="london_markets", hands="hidden")
    keeper = game.visitor()
    drawing = keeper.get(f"{game.path}/record").form("Let Daybook draw")
    page = keeper.send(drawing)
    drawn = [entry.event for entry in game.game.entries[1:]]
    assert [(item.seat, item.decision["type"]) for item in drawn] == [
        (TABLE, "offer_cards_placed"),
        (TABLE, "bottom_card_seen"),
        (TABLE, "start_player_drawn"),
    ]
    bottom = game.game.document["bottom"]
    assert bottom in game.game.ruleset.typed_board(game.game.document, game.game.table).printed.faces, (
        "a card, no guess"
    )
    assert "The markets sell: " in page.text and f"The bottom market card is {bottom} (coffee " in page.text
    assert all("draw" not in form.fields for form in page.forms), "a player is to place a bar"
    step = game.step
    assert keeper.send(drawing).status in (200, 409) and game.step == step, "sent twice it is drawn once"
    while game.game.board.stage == "setup_bars":
        game.play(1, seed=game.step)
    keeper.press(f"{game.path}/record", "Let Daybook draw")
    assert game.game.board.stage == "market_card", (
        "the merchants; which market card is turned over only the table knows"
    )
    assert all("draw" not in form.fields for form in keeper.get(f"{game.path}/record").forms)


def test_what_is_undone_and_drawn_again_is_the_same(open_game):
    """A player may undo and repeat a draw; the result is the same."""
    game = open_game(ruleset_id="london_markets", hands="hidden")
    ben = game.visitor("seat", 1)

    def draw() -> list[Any]:
        ben.press(f"{game.path}/record", "Let Daybook draw")
        return [game.game.entries[step].event.decision for step in game.game.line()[1:]]

    first = draw()
    assert len(first) == 3
    for to in (0, 1, 2):
        game.write(TakeBack(to), by="seat:1", key=f"undo-{to}")
        assert draw() == first
    others = [open_game(ruleset_id="london_markets").game for _ in range(5)]
    assert len({draw_fact(game.book, other, {OfferCardsPlaced}) for other in others}) > 1, (
        "of another game it is another"
    )


def test_draw_and_fact_by_hand_are_marked_on_pages_and_api(open_game):
    game = open_game(ruleset_id="london_markets", hands="hidden")
    ben = game.visitor("seat", 1)
    ben.press(f"{game.path}/record", "Let Daybook draw")
    assert ben.get(f"{game.path}/record").text.count("drawn by Daybook") == 3
    game.write(TakeBack(2, "mistyped", ""), by="seat:1", key="undo")
    drawn = game.game.entries[3].event.decision["seat"]
    game.decide(TABLE, type="start_player_drawn", seat=(drawn + 1) % 3)
    put = "entered by hand after Daybook’s draw in step 3 was undone"
    for path in ("record", "undone-steps", ""):
        page = ben.get(f"{game.path}/{path}".rstrip("/")).text
        assert "rawn by Daybook" in page and (put in page or path == "undone-steps"), path
    ben.post("/preferences", language="ko")
    assert "Daybook이 뽑은 것을 되돌린 뒤 직접 놓음" in ben.get(f"{game.path}/record").text
    api = {"Authorization": f"Bearer {game.key('seat', 1)}"}
    steps = ben.client.get(f"/api/v1{game.path}/replay", headers=api).get_json()["steps"]
    marks = [(step["drawn_by_daybook"], step["replaces_drawn_step"]) for step in steps[1:]]
    assert marks == [(True, None)] * 3 + [(False, None), (False, 3)]
    claim = {"seat": TABLE, "decision": {"type": "start_player_drawn", "seat": 0}, "drawn_by_daybook": True}
    asked = ben.client.post(f"/api/v1{game.path}/decisions", json=claim, headers=api | {"Idempotency-Key": "claim"})
    assert asked.status_code == 422 and "drawn" in asked.get_data(as_text=True)


def test_a_bar_of_the_set_up_is_placed_with_one_tap(open_game):
    """Its place in the layer matters to the picture alone: there is no question (LM-4.2.8)."""
    game = open_game(ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "setup_bars":
        game.play(1, seed=game.step)
    keeper = game.visitor()
    page = keeper.get(f"{game.path}/record")
    offered = [json.loads(form.fields["decision"]) for form in page.forms if "decision" in form.fields]
    assert offered == [{"type": "setup_bar", "market": market} for market in ("PORT", "COVE", "PETT", "BORO", "BRIX")]
    step = game.step
    keeper.send(next(form for form in page.forms if "BORO" in form.fields.get("decision", "")))
    assert (game.step, game.game.document["stacks"]["BORO"][0][0]) == (step + 1, (game.game.document["start"] - 1) % 3)
    seat = game.game.ruleset.course.to_act(game.game.board)[0]
    chosen = keeper.get(f"{game.path}/record", seat=seat, kind="setup_bar", **{"d.market": '"BORO"', "d.slot": "2"})
    assert "Neighbour’s bar at Borough, place 3" in chosen.text, "an address can say it all the same"


def test_full_market_keeps_its_place_among_the_first_bars(open_game):
    """The other markets do not move under the thumb (LM-3.2.2)."""
    game = open_game(ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "setup_bars":
        game.play(1, seed=game.step)
    keeper = game.visitor()
    for _ in range(3):
        page = keeper.get(f"{game.path}/record")
        keeper.send(next(form for form in page.forms if "PETT" in form.fields.get("decision", "")))
    page = keeper.get(f"{game.path}/record")
    chart = page.html.partition('<section class="chart">')[2].partition("</section>")[0]
    markets = ("Portobello", "Covent Garden", "Petticoat Lane", "Borough", "Brixton")
    assert sorted(markets, key=chart.index) == [*markets]
    assert "Petticoat Lane holds 3 bars" in chart and "LM-3.2.2" in chart
    closed = re.search(r"<summary[^>]*>Petticoat Lane<small>(.*?)</small>", chart)
    assert closed and all(f"{name} 3" in closed[1] for name in NAMES), "its crates stay as at the open markets"
    assert all("PETT" not in form.fields.get("decision", "") for form in page.forms)


# --- seats -----------------------------------------------------------------------------------------------------------


def test_a_seat_records_its_own_decisions(friday):
    anna = friday.visitor("seat", 0)
    press(anna, desk(friday, anna), "Run the factory")
    assert friday.game.writers[-1] == "seat:0"


def test_right_to_left_name_keeps_its_neighbours_in_order(open_game):
    game = open_game(("Anna", "\u05d3\u05e0\u05d4", "\u05d9\u05e2\u05dc"))
    page = desk(game, game.visitor())
    assert "Anna, \u2068\u05d3\u05e0\u05d4\u2069 and \u2068\u05d9\u05e2\u05dc\u2069" in page.text


def test_a_seat_that_waits_sees_whose_turn_it_is(friday):
    page = desk(friday, friday.visitor("seat", 1))
    assert "Anna: third card first? 2 actions left" in page.text
    assert choices(page) == []
    assert "Run the factory it is the turn of Anna MP-4.1.1" in page.text


def test_a_seat_does_not_record_for_another(friday):
    ben, step = friday.visitor("seat", 1), friday.step
    page = ben.post(f"{friday.path}/record", seat="0", decision='{"type": "run"}', at=str(step), key="k")
    assert page.status == 403
    assert "You cannot record for that seat" in page.text
    assert friday.step == step


def test_a_seat_records_what_the_table_shows(friday):
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="run")
    anna = friday.visitor("seat", 0)
    page = press(anna, desk(friday, anna), "M1")
    assert "Anna draws M1" in page.text
    assert friday.game.writers[-1] == "seat:0"


def test_a_seat_sees_no_other_hand(friday):
    text = desk(friday, friday.visitor("seat", 1)).text
    assert "Anna draws unseen" in text or "Anna draws 1 card" in text
    assert "Anna draws R2" not in text
    assert "Ben draws R2" in text


@pytest.mark.parametrize(
    ("ruleset", "options", "cards"),
    [("london_markets", {"hands": "hidden"}, 12), ("arkwright_card", {"random_supply": True}, 15)],
)
def test_cards_that_the_table_turns_up_stand_beside_each_other(open_game, ruleset, options, cards):
    game = open_game(ruleset_id=ruleset, **options)
    game.play(1)
    faces = desk(game, game.visitor()).html.partition('<ul class="choices faces">')[2].partition("</ul>")[0]
    assert faces.count('class="pick') == cards and ("of long" in faces) == (ruleset == "london_markets")
