"""The last steps, one line a turn, and what can be done about them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from daybook.domain.commands import RecordAsPlayed, TakeBack
from daybook.domain.games.making_profit.moves import SellAdd
from daybook.domain.games.water_frame.moves import Hire
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.play.replay import steps_by_number
from daybook.web.boards.table_privacy import NOTHING
from daybook.web.recording.recent_turns import build_recent_turns
from daybook.web.replay import settlements
from tests.web.conftest import NAMES, Opened, VisitedPage
from tests.web.recording.desk import desk
from tests.web.recording.test_settlements import PRINTED, play_until, text_of

PLACES = {"type": "place", "marker": "workers", "row": 4, "paid": 4}


def lines(page: VisitedPage) -> list[str]:
    """The last turns as they stand there, the newest first."""
    found = re.findall(r'<details class="turn-line"><summary>(.*?)</summary>', page.html, re.DOTALL)
    return [text_of(value) for value in found]


def mills_of(open_game: Callable[..., Opened]) -> Opened:
    game = open_game(("Agnes", "Ben", "Cleo", "Dora"), ruleset_id="water_frame", **PRINTED)
    game.decide(TABLE, type="reveal_economy", importer=1, workers=1)
    return game


def test_turn_is_one_line_with_its_effect_on_money(open_game):
    game = mills_of(open_game)
    game.decide(0, **PLACES)
    hired = next(d for d in game.game.ruleset.legal(game.game.board, 0) if isinstance(d, Hire))
    for _ in range(2):
        game.decide(0, type="hire", good=hired.good, row=hired.row)
    game.decide(0, type="done")
    assert lines(desk(game))[0] == (
        "Agnes places Workers on the £4 row · hires a worker for row 3 of clothes (2 times) · £41 − £4 = £37"
    )
    keeper = game.visitor()
    keeper.post("/preferences", language="ko")
    first, second, _ = lines(desk(game, keeper))[0].split(" · ")
    assert first.startswith("Agnes님이 ") and "Agnes" not in second


def test_what_ran_by_itself_stands_behind_the_turn_it_follows(open_game):
    game = mills_of(open_game)
    play_until(game, "cycle_ended")
    assert lines(desk(game))[:2] == [
        "Dora places Factory on the £2 row · £31 − £2 administrative costs + £15 sales − £12 wages and upkeep = £32 Production of food cash A Agnes 0 B Ben −\u2060£5 C Cleo 0 D Dora +\u2060£3",
        "Cleo places Factory on the £2 row · £40 − £2 = £38",
    ]


def test_taken_back_turn_is_struck_out_and_not_replayed(friday):
    friday.decide(0, type="develop", card="M1")
    friday.write(TakeBack(7, "mistyped", ""))
    friday.decide(0, type="run")
    assert lines(desk(friday))[:3] == [
        "Anna runs the factory: $0 for each certificate, 0 cards",
        "Mistyped: step 8 does not count",
        "Anna develops M1: the factory is at level 1",
    ]
    assert desk(friday).html.count('class="struck') == 1


def test_what_was_put_up_and_sold_is_one_sale(friday):
    friday.decide(0, type="sell_add", colour="red")
    friday.decide(0, type="sell_done")
    assert lines(desk(friday))[0] == "Anna sells a red certificate for $0"


def test_unfinished_sale_stands_in_the_row_of_its_turn(friday):
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="sell_add", colour="red")
    line = lines(desk(friday))[0]
    assert line.startswith("Anna develops R2: ") and " · puts up 1 red certificate for sale" in line
    friday.decide(0, type="sell_done")
    line = lines(desk(friday))[0]
    assert " · sells a red certificate for $" in line and "puts up" not in line


def colours_to_sell(game: Game) -> list[str]:
    (seat, *_) = game.ruleset.waits_for(game.board) or (TABLE,)
    legal = [] if seat == TABLE else game.ruleset.legal(game.board, seat)
    return [decision.colour for decision in legal if isinstance(decision, SellAdd)]


def test_sale_of_two_colours_is_one_line_with_both(friday):
    friday.play(lambda game: len(colours_to_sell(game)) > 1)
    seat, colours = friday.game.ruleset.waits_for(friday.game.board)[0], colours_to_sell(friday.game)[:2]
    for colour in colours:
        friday.decide(seat, type="sell_add", colour=colour)
    friday.decide(seat, type="sell_done")
    line = lines(desk(friday))[0]
    assert all(f"{colour} certificate for $" in line for colour in colours) and "for sale" not in line


def test_merchants_line_says_what_was_taken(open_game):
    markets = open_game(NAMES, ruleset_id="london_markets", hands="open")
    said = set()
    while not {"draws", "is paid"} <= said:
        markets.play(1, seed=markets.step)
        line = lines(desk(markets))[0]
        said |= {verb for verb in ("draws", "is paid") if " merchant at " in line and f" · {verb} " in line}


def test_the_same_again_is_said_once(open_game):
    markets = open_game(NAMES, ruleset_id="london_markets", hands="hidden")
    newest = []
    for _ in range(40):
        markets.play(1)
        newest.append(lines(desk(markets))[0])
    assert any("Ben uses the Stack merchant" in line and " · places a bar" in line for line in newest)


def test_earlier_turns_are_a_page_back(friday):
    friday.play(60)
    visitor, seen = friday.visitor(), set[str]()
    page = visitor.get(f"{friday.path}/record")
    while True:
        steps = [int(href.rsplit("=", 1)[1]) for _, href in page.links if "wrong?step=" in href]
        assert steps and seen.isdisjoint(map(str, steps)), "no turn twice"
        seen |= set(map(str, steps))
        back = [href for says, href in page.links if says == "Earlier turns"]
        if not back:
            break
        page = visitor.get(back[0])
        assert page.link("Newest turns") == f"{friday.path}/record"
    decided = {str(entry.step) for entry in friday.game.entries if isinstance(entry.event, DecisionRecorded)}
    assert decided <= seen
    assert lines(visitor.get(f"{friday.path}/record", before="9999")) == lines(visitor.get(f"{friday.path}/record"))


def test_one_menu_explains_each_way_to_correct_something(friday):
    friday.decide(0, type="develop", card="M1")
    menu = re.search(r'<ul class="ruled fix">(.*?)</ul>', desk(friday).html, re.DOTALL)
    assert menu is not None
    ways = re.findall(r"<li><a[^>]*>(.*?)</a>\s*<p>(.*?)</p></li>", menu[1], re.DOTALL)
    assert [text_of(name) for name, _ in ways] == [
        "Correct the board",
        "Record it as played",
        "Record without a network",
        "Claims",
    ]
    assert all(text_of(does) for _, does in ways)


MONEY = {"making_profit": "$", "london_markets": "£", "water_frame": "£", "arkwright_card": "£"}


@pytest.mark.parametrize("seed", [5, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("ruleset", MONEY)
def test_the_money_of_a_row_adds_up(open_game, ruleset, seed):
    """Check that a row adds the money before its first step up to that after its last one, with each amount named."""
    game = open_game(NAMES, ruleset_id=ruleset)
    game.play(150, seed=seed)
    with game.app.test_request_context("/"):
        steps = steps_by_number(game.game, EVERYTHING)
        stretches = settlements.find_stretches(game.game, steps)
        turns = build_recent_turns(game.game, steps, stretches, NAMES, NOTHING, 1000)
    column, coin = "cash" if ruleset == "water_frame" else "money", MONEY[ruleset]
    told = 0
    for turn in turns:
        *says, shown = turn.says.split(" · ")
        first, seat = turn.steps[0], turn.steps[0].seat
        if first.type != "decision_recorded" or seat in (None, TABLE):
            continue
        is_sum = shown.startswith(coin)
        if first.decision["type"] == "offer":
            assert not is_sum and len({step.decision["type"] for step in turn.steps}) == 1, "the auction's card says it"
            continue
        was = game.game.figures_at(game.game.parents[first.step])[0][column][seat]
        now = game.game.figures_at(turn.last.step)[0][column][seat]
        assert is_sum or was == now, turn.says
        if is_sum:
            told += 1
            total, sum_of = (
                shown.split(" =\u00a0"),
                re.findall(rf"([+−])\u00a0{re.escape(coin)}(\d+)( [a-z ]+)?", shown),
            )
            assert total[1] == f"{coin}{now}" and total[0].startswith(f"{coin}{was} "), turn.says
            assert was + sum(int(n) if sign == "+" else -int(n) for sign, n, _ in sum_of) == now, turn.says
            assert all(cause or f"{coin}{n}" in " · ".join(says) for _, n, cause in sum_of), turn.says
    assert told > 3


def test_two_payments_of_one_turn_are_told_apart(friday):
    friday.decide(0, type="develop", card="M1")
    friday.decide(0, type="end_turn")
    friday.decide(1, type="develop", card="M1" if friday.game.board.players[1].hand["M1"] else "M2")
    friday.decide(1, type="end_turn")
    friday.decide(2, type="end_turn")
    friday.decide(0, type="run")
    friday.decide(0, type="run")
    line = lines(desk(friday))[0]
    assert "$0 + $4 for certificates = $4" in line and line.count("Anna +\u2060$2") == 2


def test_certificates_only_put_up_are_not_called_sold(friday):
    friday.decide(0, type="sell_add", colour="red")
    assert "sell" not in lines(desk(friday))[0] and "for sale" in lines(desk(friday))[0]


@pytest.mark.parametrize("rules_applied", [True, False])
def test_money_entered_by_hand_is_part_of_the_sum(friday, rules_applied):
    values = {"/players/1/money": 9}  # Ben is not to act
    friday.write(RecordAsPlayed(1, {"type": "run"}, values, "it stood", rules_applied=rules_applied))
    assert "$0 + $9 entered by hand = $9" in lines(desk(friday))[0]


@pytest.mark.parametrize("ruleset", ["making_profit", "london_markets"])
def test_sum_is_complete_for_viewers_who_see_less(open_game, ruleset):
    game = open_game(NAMES, ruleset_id=ruleset, hands="hidden")
    game.play(120, seed=5)
    with game.app.test_request_context("/"):
        for sight in (None, 0):
            steps = steps_by_number(game.game, sight)
            turns = build_recent_turns(game.game, steps, (), NAMES, NOTHING, 1000)
            assert not [turn.says for turn in turns if "entered by hand" in turn.says]
