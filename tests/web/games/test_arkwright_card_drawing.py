"""The board of Arkwright: The Card Game shows what lies there, each card in its place, on a phone area by area."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import islice

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.games.arkwright_card import factories, printed
from daybook.domain.games.arkwright_card.board import Board, DistributionCard, Factory, QualityCard, WorkerCard, opening
from daybook.domain.games.arkwright_card.printed import GOODS, TRACKS
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Table
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.store.sheets import printed_sheet
from daybook.web.boards import DrawnPart, Picture, Scene, style_sheets
from daybook.web.games.arkwright_card.drawing import (
    Point,
    ReserveCard,
    Staff,
    Stands,
    card_name,
    house,
    marker_position,
    market_lanes,
    reserve_cards,
    standing,
)
from daybook.web.games.arkwright_card.values import card_effect
from tests.web.conftest import Shelf
from tests.web.drawings import (
    EXPERT,
    NAMES,
    SAMPLE,
    aloud,
    boards,
    changes,
    figures,
    fits_and_lies_still,
    follows_what_changes,
    has_no_fault,
    holds_of,
    open_public_game,
    played_out,
    shows_one_area_at_a_time,
)

pytestmark = pytest.mark.slow

ACG = RULESETS["arkwright_card"]
COLOURS = ("red", "blue", "green", "yellow")
GAMES = [(4, 1), (3, 2), (5, 4)]  # seed, seats


@cache
def finished_game(seed: int, seats: int) -> Game:
    """A practice game to its end; for four with all expert variants."""
    return played_out(ACG, seed, COLOURS[:seats], EXPERT if seats == 4 else {})


@cache
def table(seats: int, restrictions: bool = False) -> Table:
    return ACG.table(COLOURS[:seats], {"restrictions": restrictions}, printed_sheet(ACG.id))


def laid_out(seats: int = 3, decade: int = 1, good: str = "food", restrictions: bool = False) -> Board:
    """A table in the action phase of a round, without a factory."""
    board = opening(table(seats, restrictions))
    board.decade, board.round, board.stage, board.start, board.mover = decade, 1 + GOODS.index(good), "action", 0, 0
    board.neutral = dict(board.printed.neutral)
    return board


def picture(table: Table) -> Picture:
    return Picture(Scene(ACG.id, table, NAMES[: table.seats], EVERYTHING, "en"))


def drawing_of(game: Game) -> Picture:
    return picture(game.board.table)


def drawings_of(board: Board) -> dict[str, DrawnPart]:
    return picture(board.table).draw_all(board.document())


# --- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "seats"), GAMES)
def test_what_is_drawn_is_what_the_rules_count(in_request, seed, seats):
    game = finished_game(seed, seats)
    drawing = drawing_of(game)
    for _, document in islice(boards(game), 0, None, SAMPLE):
        board, shown = ACG.typed_board(document, game.board.table), figures(drawing.draw_all(document))
        assert shown["/wage"] == str(board.wage)
        for good in GOODS:
            assert shown[f"/demanded/{good}"] == str(board.demand_value(good))
        for seat, player in enumerate(board.players):
            at = f"/players/{seat}"
            assert shown[f"{at}/worth"] == str(player.portfolio)
            assert [shown[f"{at}/track/{track}"] for track in TRACKS] == [
                str(board.level(player, track)) for track in TRACKS
            ]
            for good, factory in player.open():
                own = f"{at}/factories/{good}"
                assert shown[f"{at}/appeal/{good}"] == shown[f"/stands/{good}/mark{seat}"] == str(factory.appeal)
                assert shown[f"{own}/price"] == str(factories.goods_price(board, good, factory))
                assert shown[f"{own}/sum"] == str(factories.appeal(board, good, factory))
                assert shown[f"{own}/makes"] == str(factories.production(board, good, factory))
                assert shown[f"{own}/costs"] == str(
                    factories.cost(board, player, good, factory, len(factory.workers)).amount
                )
                spots = [holds for place, holds in shown.items() if re.fullmatch(rf"{own}/workers/\d/\d", place)]
                assert spots.count("machine") == factory.machines


# --- the market board ------------------------------------------------------------------------------------------------


def test_acg_4_13_4_marker_beyond_demand_sells_the_difference(in_request):
    board = laid_out()
    board.players[0].factories["food"] = Factory(side=1, slot=1, appeal=7)
    board.players[2].factories["food"] = Factory(side=1, slot=4, appeal=1)
    board.demand["food"] = 6  # value 2
    assert standing(board, "food") == [Stands(7, 5), None, Stands(1, 0)]
    shown = drawings_of(board)["track-food"]
    assert holds_of(shown)["/stands/food/mark0"] == "7"
    assert "Anna appeal 7 sells at most 5 Ben – Cleo appeal 1 sells at most 0" in aloud(shown.html)
    assert shown.html.count('class="sells') == 1, "a bar from the demand to the marker"


def test_acg_2_6_5_demand_marker_is_in_the_space_of_its_value(in_request):
    for seats in (2, 3, 4):
        numbers = printed.of(table(seats))
        at = [marker_position(numbers, position) for position in range(len(numbers.side_demand))]
        assert at == sorted(at)
        assert [int(place) for place in at] == list(numbers.side_demand)


def test_acg_2_6_4_arrows_are_between_their_printed_spaces(in_request):
    shown = drawings_of(laid_out())["track-food"].html
    assert shown.count("up-arrow") == shown.count("down-arrow") == 18, "one pair from 2 on, none below"


def test_in_a_game_of_two_the_third_player_has_a_lane(in_request):
    board = laid_out(2)
    assert [lane.mark for lane in market_lanes(picture(board.table).scene)] == ["mark0", "mark1", "ac-neutral"]
    shown = drawings_of(board)["track-lamps"]
    assert holds_of(shown)["/stands/lamps/ac-neutral"] == "2"
    assert "the neutral player appeal 2" in aloud(shown.html)


def test_demand_and_wages_move_with_new_workers(in_request):
    _, _, changed = changes(drawing_of(finished_game(3, 2)), finished_game(3, 2), "workers_came")
    assert changed["/wages"].by == "+1"
    assert {at for at in changed if at.startswith("/demand/")}


def test_working_factory_shows_made_sold_and_left_over(in_request):
    board = laid_out()
    assert "No factory is at work" in aloud(drawings_of(board)["work"].html)
    board.players[1].factories["food"] = Factory(side=1, slot=4, appeal=4)
    board.demand["food"] = 3
    board.stage, board.mover, board.production.made, board.production.left = "ship", 1, 5, 2
    board.sales[1] = 3
    shown = drawings_of(board)["work"]
    assert "made 5 market takes 3 left over 2" in aloud(shown.html)
    assert holds_of(shown)["/sales/1"] == "3"
    board.stage = "top_point"
    assert "No factory is at work" in aloud(drawings_of(board)["work"].html)


# --- development cards -----------------------------------------------------------------------------------------------


def test_supply_shows_the_cards_of_the_game_and_their_use(in_request):
    board = laid_out()
    board.supply |= {"workshop": 2, "patron_clothes_food": 1}
    board.players[0].cards = ["foreman"]
    says = aloud(drawings_of(board)["supply"].html)
    assert says == (
        "4 Workshop 2 machines of a factory cost nothing copies there 2 "
        "5 Foreman 4 workers of one factory cost £2 less each copies there 0 "
        "7 Patron the home market takes 1 more copies there 1"
    )


def test_every_card_of_the_box_says_what_it_does(in_request):
    numbers = printed.of(table(3))
    assert all(card_effect(numbers, card) for card in numbers.cards)
    assert card_effect(numbers, "one_of_a_group") == ""


def test_a_group_calls_a_card_as_it_likes(in_request):
    assert card_name("Customs Office") == "Customs Office"
    assert card_name("Tax Collector") == "Tax Collector"


def test_a_card_that_is_taken_goes_from_the_supply_to_its_owner(in_request):
    taken, now, changed = changes(drawing_of(finished_game(3, 2)), finished_game(3, 2), "card_taken")
    assert f"/players/{taken['seat']}/cards/{taken['card']}" in changed
    assert f"/players/{taken['seat']}/cards/{taken['card']}" in now[f"owned-{taken['seat']}"].places


# --- a player's factories --------------------------------------------------------------------------------------------


def full_factory() -> Factory:
    return Factory(
        side=1,
        slot=3,
        office="appeal",
        appeal=7,
        workers=[WorkerCard(2, 1), WorkerCard(1, 0)],
        quality={"QA": QualityCard(2, "price")},
        distribution=DistributionCard("DA", 2),
        storehouses={"SA": 1},
        foreman=True,
    )


def test_a_factory_is_a_row_of_its_cards(in_request):
    board = laid_out()
    player = board.players[0]
    factory = player.factories["clothes"] = full_factory()
    shown = house(board, player, "clothes", factory)
    assert shown.staff == [
        Staff("II", 3, ["machine", "replaceable"], True),
        Staff("I", 2, ["worker", "replaceable"], False),
    ]
    assert (shown.office, shown.quality) == (Point("office", 4, "appeal"), [Point("QA", 2, "price")])
    assert (shown.distribution, shown.stores) == (Point("DA", 2, "appeal"), [("SA", 2, 1)])
    assert (shown.price, shown.appeal) == (4 + 2, 1 + 4 + 2)
    says = drawings_of(board)["factory-0-clothes"]
    assert "price £6 appeal 7 makes 7" in aloud(says.html)
    assert 'aria-label="workers: 1, machines: 1, machine token"' in says.html
    assert holds_of(says)["/players/0/factories/clothes/slot"] == "3"
    assert 'aria-label="1 of 2 goods"' in says.html
    assert "/players/0/factories/clothes/foreman" in says.places


def test_where_there_is_no_factory_a_new_one_is_outlined(in_request):
    first, second = (drawings_of(laid_out(decade=decade))["factory-0-lamps"] for decade in (1, 2))
    assert first.html != second.html
    assert holds_of(first) == {} and "wf-no-roof" in first.html


def test_cards_at_factories_leave_their_reserve_place_empty(in_request):
    board = laid_out()
    player = board.players[0]
    player.cards = ["patent"]
    player.factories["clothes"] = full_factory()
    assert reserve_cards(board, player) == [
        ReserveCard("QA", "quality", "1–2", False),
        ReserveCard("QB", "quality", "1–2", True),
        ReserveCard("QC", "quality", "3–4", True),
        ReserveCard("DA", "distribution", "1–4", False),
        ReserveCard("DB", "distribution", "1–4", True),
        ReserveCard("DP", "distribution", "1–4", True),
        ReserveCard("SA", "storehouse", "2", False),
        ReserveCard("SB", "storehouse", "2", True),
    ]
    shown = holds_of(drawings_of(board)["reserve-0"])
    assert (shown["/players/0/reserve/token"], shown["/players/0/quality_cap"]) == ("away", "4")


def test_acg_2_3_8_closed_step_names_its_decade_until_lifted(in_request):
    board = laid_out(restrictions=True)
    board.players[0].levels["quality"] = 1
    assert "the next step is open from decade III" in aloud(drawings_of(board)["levels-0"].html)
    board.players[0].cards = ["engineer"]
    assert "open from" not in aloud(drawings_of(board)["levels-0"].html)
    assert "open from" not in aloud(drawings_of(laid_out())["levels-0"].html)


def test_a_card_that_is_used_says_so(in_request):
    board = laid_out()
    board.players[0].cards, board.players[0].rotated = ["developer", "workshop"], ["developer"]
    shown = drawings_of(board)["owned-0"]
    assert holds_of(shown) == {"/players/0/cards/developer": "used", "/players/0/cards/workshop": "ready"}
    assert shown.html.count("dev empty shut") == 2, "places of cards that may not be owned yet"


def test_loans_shipping_tokens_and_ships_lie_on_the_player_board(in_request):
    board = laid_out()
    player = board.players[0]
    player.loans, player.shipping_tokens, player.ships = 2, 3, 1
    shown = drawings_of(board)["tokens-0"]
    assert holds_of(shown) == {
        "/players/0/loans": "2",
        "/players/0/shipping_tokens": "3",
        "/players/0/ships": "1",
        "/players/0/ships/1": "ready",
        "/players/0/ships/2": "gone",
    }
    assert "the share value falls by 2 in the end" in aloud(shown.html)


def test_a_bankrupt_player_is_told(in_request):
    board = laid_out()
    board.players[1].bankrupt = True
    head = drawings_of(board)["head-1"]
    assert "bankrupt" in aloud(head.html)
    assert holds_of(head)["/players/1/worth"] == "0"


# --- the solo game ---------------------------------------------------------------------------------------------------


def test_an_automa_has_a_board_like_a_player(in_request):
    board = laid_out(1, decade=2)
    board.alone.automas["blue"].appeal = {"food": 4, "lamps": 3}
    board.demand["food"] = 5  # value 1
    shown = drawings_of(board)
    says = aloud(shown["automa-blue"].html)
    assert "automa blue" in says and "12 × £12 = £144" in says
    assert "food appeal 4 sells 3" in says and "clothes opens at 5" in says
    assert holds_of(shown["track-food"])["/stands/food/ac-blue"] == "4"
    assert "automa green –" in aloud(shown["track-food"].html)


def test_the_grid_shows_discs_and_empty_places(in_request):
    board = laid_out(1)
    board.alone.grid = ["inventor", None, *["workshop"] * 13]
    board.alone.discs = {"blue": 1, "green": 6, "yellow": 11}
    shown = drawings_of(board)["grid"]
    assert {place: holds_of(shown)[f"/discs/{place}"] for place in board.alone.discs} == {
        "blue": "1",
        "green": "6",
        "yellow": "11",
    }
    assert holds_of(shown)["/grid/2"] == ""
    assert 'aria-label="under the blue disc"' in shown.html


def test_a_marker_out_of_the_bag_lies_beside_it(in_request):
    found, now, changed = changes(drawing_of(finished_game(4, 1)), finished_game(4, 1), "marker_shown")
    assert changed[f"/solo/bag/{found['colour']}"].by == "−1"
    assert holds_of(now["bag"])["/solo/drawn/1"] == found["colour"]


def test_achievements_that_are_lost_are_struck(in_request):
    board = laid_out(1)
    board.alone.achievements["patriot"] = "lost"
    shown = drawings_of(board)["achievements"]
    assert "Patriot , out of reach" in aloud(shown.html)
    assert holds_of(shown)["/achievements/tycoon"] == "open"


# --- the course ------------------------------------------------------------------------------------------------------


def test_course_shows_decade_good_seat_and_step(in_request):
    board = laid_out(decade=2, good="cutlery")
    board.mover = 2
    shown = drawings_of(board)
    assert aloud(shown["course"].html).startswith("1780 cutlery Cleo I II decade II, cutlery III action price")
    assert re.search(r'aria-current="step">action<', shown["course"].html)
    assert "on-turn" in shown["head-2"].html and "on-turn" not in shown["head-1"].html
    assert "starting player" in shown["head-0"].html
    board.stage = "take_card"
    assert re.search(r'aria-current="step">development<', drawings_of(board)["course"].html)


def test_the_table_draws_for_the_automas(in_request):
    board = laid_out(1)
    board.stage, board.mover = "automa", None
    assert ACG.waits_for(board) == (TABLE,)
    shown = drawings_of(board)["course"].html
    assert "the table" in aloud(shown) and re.search(r'aria-current="step">automas<', shown)


# --- the page --------------------------------------------------------------------------------------------------------


@pytest.fixture
def site(shelf: Shelf) -> str:
    return shelf.site


@pytest.fixture
def arkwright(shelf: Shelf) -> Callable[..., str]:
    """A public game, played some way; its address."""

    def address(steps: int, seats: int = 4) -> str:
        options = EXPERT if seats == 4 else {}
        name = f"Arkwright for {seats}, {steps}"
        game = shelf.game(name, lambda book: open_public_game(book, ACG, COLOURS[:seats], options, steps))
        return f"{shelf.site}{game.path}"

    return address


def test_a_drawing_brings_its_own_stylesheet():
    assert style_sheets("arkwright_card") == ["board.css", "board-mats.css", "board-arkwright.css"]


@pytest.mark.parametrize(
    ("seats", "widths"),
    [*(pytest.param(*size, marks=pytest.mark.drill) for size in ((1, (320,)), (3, (820,)))), (4, (320, 1440))],
)
def test_table_fits_the_page_and_stays_still_over_steps(browser, arkwright, seats, widths):
    fits_and_lies_still(browser, arkwright(100, seats), widths, step=80)


def test_a_phone_shows_one_area_at_a_time_and_a_desktop_all(browser, arkwright):
    shows_one_area_at_a_time(browser, arkwright(60), areas=2 + 4)


def test_on_a_phone_the_area_that_changed_lies_open(browser, arkwright):
    follows_what_changes(browser, f"{arkwright(60, 1)}?step=35")


@pytest.mark.parametrize(("seats", "widths"), [(4, (390,)), pytest.param(1, (1280,), marks=pytest.mark.drill)])
def test_the_table_has_no_fault_in_either_light(page, arkwright, seats, widths):
    has_no_fault(page, f"{arkwright(100, seats)}?step=90", widths)
