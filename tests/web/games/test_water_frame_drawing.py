"""The board of Water Frame shows what lies there, every marker in its place, on a phone one area at a time."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import islice

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.games.water_frame import people, printed
from daybook.domain.games.water_frame.board import Board, OwnedTile, Player, new_factory, opening
from daybook.domain.games.water_frame.printed import GOODS, PRODUCTION_ROWS, SLOTS
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Table
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.services.store.sheets import printed_sheet
from daybook.web.boards import DrawnPart, Picture, Scene, style_sheets
from daybook.web.games.water_frame.drawing import (
    ProductionRowDrawing,
    house,
    job_row,
    max_appeal,
    numbered_things,
    rows_of,
    store,
)
from tests.web.conftest import Shelf
from tests.web.drawings import (
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

WATER = RULESETS["water_frame"]
COLOURS = ("blue", "red", "green", "yellow")
GAMES = [(1, 4), (2, 2), (3, 3)]  # seed, seats


@cache
def finished_game(seed: int, seats: int) -> Game:
    return played_out(WATER, seed, COLOURS[:seats], {})


@cache
def table(seats: int) -> Table:
    return WATER.table(COLOURS[:seats], {}, printed_sheet("water_frame"))


def laid_out(seats: int = 4, decade: int = 1780, good: str = "clothes") -> Board:
    """A table in the action phase of a cycle, without a factory."""
    board = opening(table(seats))
    board.decade, board.cycle, board.stage, board.start = decade, 1 + GOODS.index(good), "marker", 0
    return board


def picture(table: Table, sight: Sight = EVERYTHING) -> Picture:
    return Picture(Scene(WATER.id, table, NAMES[: table.seats], sight, "en"))


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
        board, shown = WATER.typed_board(document, game.board.table), figures(drawing.draw_all(document))
        assert shown["/wage"] == str(people.wage(board))
        for good in GOODS:
            assert shown[f"/demand/{good}"] == str(people.demand(board, good))
            assert shown[f"/stands/{good}/importer"] == str(board.importers[good])
        for seat, player in enumerate(board.players):
            assert shown[f"/space/{seat}"] == str(player.space)
            assert shown[f"/players/{seat}/worth"] == str(board.portfolio(seat))
            for good in player.standing:
                at = f"/players/{seat}/factories/{good}"
                parts = [int(shown.get(f"{at}/{part}", "0")) for part in ("base", "quality", "distribution", "price")]
                assert parts[0] + parts[1] + parts[2] - parts[3] == board.appeal(seat, good)
                assert shown[f"{at}/appeal"] == shown[f"/stands/{good}/{seat}"] == str(board.appeal(seat, good))
                standing = [
                    shown[f"{at}/{row}/{space + 1}"]
                    for row in PRODUCTION_ROWS
                    for space in range(board.printed.row(good, row).spaces)
                ]
                factory = board.factory(seat, good)
                assert standing.count("worker") + factory.additional == factory.people
                assert standing.count("machine") == sum(factory.machines)


# --- the job market --------------------------------------------------------------------------------------------------


def test_wf_2_6_demand_is_on_the_lowest_empty_space_of_a_column():
    board = laid_out()
    for empty in range(81):
        board.market = board.printed.workers_total - empty
        spaces = [space for row in range(1, rows_of(board.printed) + 1) for space in job_row(board.printed, row, empty)]
        assert [space.worker for space in spaces] == [False] * empty + [True] * (80 - empty)
        for column, good in enumerate(GOODS):
            read = [space.number for space in spaces[column::4] if space.reads and space.number]
            assert read == ([people.demand(board, good)] if people.demand(board, good) else []), (empty, good)


def test_wf_2_6_5_wage_is_next_to_the_row_of_lowest_empty_space(in_request):
    board = laid_out()
    board.market = 80 - 42  # WF-2.20.10
    shown = drawings_of(board)
    assert aloud(shown["demand"].html).startswith(
        "food, demand 11 clothes, demand 10 cutlery, demand 8 lamps, demand 7 wage £3"
    )
    assert [row for row in range(1, 21) if "lowest" in shown[f"jobs-{row}"].html] == [11]
    assert aloud(shown["jobs-11"].html).endswith("£3")


def test_hired_worker_moves_from_the_market_to_his_row(in_request):
    hired, now, changed = changes(drawing_of(finished_game(1, 4)), finished_game(1, 4), "worker_hired")
    at = f"/players/{hired['seat']}/factories/{hired['good']}/{hired['row']}/"
    assert any(place.startswith(at) and figures(now)[place] == "worker" for place in changed)
    assert [figures(now)[place] for place in changed if place.startswith("/jobs/")] == ["0"]


# --- market shares and the sale --------------------------------------------------------------------------------------


def test_wf_2_8_2_every_appeal_that_can_be_reached_has_its_space():
    assert max_appeal(printed.of(table(4))) == 25


def test_distribution_step_moves_the_indicator_and_shows_by_what(in_request):
    raised, _, changed = changes(drawing_of(finished_game(1, 4)), finished_game(1, 4), "distribution_raised")
    place = f"{raised['good']}/{raised['seat']}"
    assert changed[f"/appeal/{place}"].by == "+1"
    assert changed[f"/stands/{place}"].by == "+1"


def test_a_player_without_a_factory_has_no_indicator_out(in_request):
    shown = drawings_of(laid_out())
    assert "/stands/food/0" not in shown["shares-food"].places
    assert holds_of(shown["shares-food"])["/stands/food/importer"] == "0"


def test_sale_shows_made_sold_and_remaining_demand(in_request):
    board = laid_out()
    for seat in (0, 2):
        board.players[seat].factories["clothes"] = new_factory(1, 6)
    board.stage = "call_out"
    sale = board.sale
    sale.made, sale.at_hand, sale.sold = [3, 0, 4, 0], [1, 0, 2, 0], [2, 0, 2, 0]
    sale.extra, sale.from_store, sale.patron = [0] * 4, [0, 0, 1, 0], [0] * 4
    sale.importer, sale.call.demand, sale.call.token = 1, 5, 3
    shown = drawings_of(board)
    assert aloud(shown["sale"].html) == ("Sale of clothes, demand left 5 made 3 – 4 – sold 2 – 3 – 1 unsold 1 – 2 –")
    assert holds_of(shown["shares-clothes"])["/token"] == "3"
    assert "/token" not in shown["shares-food"].places


# --- timetable, administration, share value --------------------------------------------------------------------------


def test_timetable_shows_revealed_markers_and_backs_of_the_rest(in_request):
    board = laid_out(decade=1780, good="clothes")
    board.economy = {"food": ["1/2", "0/3"], "clothes": ["2/1", "1/1"], "cutlery": ["0/1"], "lamps": ["0/2"]}
    board.events = ["lobby"]
    shown = drawings_of(board)
    assert aloud(shown["decade-1770"].html).endswith(
        "1/2 clothes: importer and workers 2/1 cutlery: importer and workers 0/1 lamps: importer and workers 0/2 Lobby"
    )
    assert shown["decade-1780"].html.count("#wf-down") == 3, "two goods and the event"
    assert 'aria-current="true"' in shown["decade-1780"].html
    assert "aria-current" not in shown["decade-1770"].html
    assert shown["decade-1760"].html.count("#wf-down") == 0, "nothing lies on the preparation round"
    assert aloud(shown["decade-1810"].html).startswith("1810 level III obsolete I II")


def test_administration_chart_holds_markers_and_shows_closed(in_request):
    board = laid_out()
    board.players[1].chart["4"] = "quality:light"
    board.players[2].chart["4"] = "ship:6"
    board.closed_rows["2"] = 1810
    shown = drawings_of(board)
    assert holds_of(shown["chart-4"]) == {"/chart/4/1": "quality:light", "/chart/4/2": "ship:6"}
    assert 'aria-label="light grey Quality"' in shown["chart-4"].html
    assert aloud(shown["chart-2"].html) == "£2 closed"
    assert "closed" not in aloud(shown["chart-4"].html)
    board.closed_rows["2"] = 1770
    assert "closed" not in aloud(drawings_of(board)["chart-2"].html)


def test_a_marker_on_the_chart_is_faded_among_its_owners_markers(in_request):
    board = laid_out()
    board.players[1].markers, board.players[1].chart["4"] = ["quality:light"], "quality:light"
    shown = drawings_of(board)["markers-1"]
    assert holds_of(shown)["/players/1/markers/quality:light"] == "4"
    assert holds_of(shown)["/players/1/markers/quality"] == "0"
    assert shown.html.count("on-chart") == 1


def test_wf_2_7_indicator_is_on_its_space_with_its_value(in_request):
    board = laid_out()
    for player, space in zip(board.players, (9, 22, 22, 100), strict=True):
        player.space = space
    shown = drawings_of(board)
    assert holds_of(shown["track-1"]) == {"/space/0": "9"}
    assert holds_of(shown["track-21"]) == {"/space/1": "22", "/space/2": "22"}
    assert holds_of(shown["track-91"]) == {"/space/3": "100"}
    assert holds_of(shown["holding-1"])["/holding/1/value"] == "16"


def test_shares_sold_are_told_with_their_difference(in_request):
    sold, _, changed = changes(drawing_of(finished_game(2, 2)), finished_game(2, 2), "shares_sold")
    seat, count = sold["seat"], sold["count"]
    assert changed[f"/players/{seat}/shares"].by == changed[f"/holding/{seat}/shares"].by == f"−{count}"
    assert changed[f"/players/{seat}/bank"].by == f"+{count}"
    assert changed[f"/players/{seat}/cash"].by == f"+{10 * count}"


# --- the supply ------------------------------------------------------------------------------------------------------


def test_things_that_are_alike_are_told_apart():
    assert numbered_things(["quality", "machinery", "quality"]) == [
        ("quality/0", "quality"),
        ("machinery/0", "machinery"),
        ("quality/1", "quality"),
    ]


def test_rows_of_the_mat_that_are_not_reached_yet_are_faded(in_request):
    board = laid_out(decade=1780)  # level II
    board.mat[2].markers = ["quality", "quality"]
    shown = drawings_of(board)
    assert ["later" in shown[f"mat-{row}"].html for row in range(4)] == [False, False, True, True]
    assert {"/mat/2/quality/0", "/mat/2/quality/1", "/mat/2/ships/6/0"} <= set(shown["mat-2"].places)


def test_a_tile_that_is_taken_goes_from_the_supply_to_its_owner(in_request):
    taken, now, changed = changes(drawing_of(finished_game(1, 4)), finished_game(1, 4), "tile_taken")
    assert changed[f"/tiles/{taken['kind']}"].by == "−1"
    assert f"/players/{taken['seat']}/tiles/{taken['kind']}" in changed
    assert f"/players/{taken['seat']}/tiles/{taken['kind']}" in now[f"owned-{taken['seat']}"].places


# --- a player's mats -------------------------------------------------------------------------------------------------


def test_workers_stand_on_the_left_machines_on_the_right():
    board = laid_out()
    factory = board.players[0].factories["lamps"] = new_factory(2, 9)
    factory.workers, factory.machines = [2, 1, 1, 0], [1, 0, 2, 0]
    shown = house(board, 0, "lamps")
    assert shown is not None
    assert shown.rows == [
        ProductionRowDrawing(1, ["worker", "worker", "machine"], 1, True),
        ProductionRowDrawing(2, ["worker", "free", "free"], 2, False),
        ProductionRowDrawing(3, ["worker", "machine", "machine"], 2, True),
        ProductionRowDrawing(4, ["for workers", "free", "free"], 1, False),
    ]


def test_wf_4_1_6_the_appeal_is_shown_as_a_sum(in_request):
    board = laid_out()
    factory = board.players[0].factories["food"] = new_factory(2, 7)
    factory.quality, factory.distribution = 3, 2
    says = aloud(drawings_of(board)["factory-0-food"].html)
    assert "quality 10 + 3 distribution + 2 price − 7 appeal 8" in says


def test_obsolete_factory_has_additional_workers_next_to_rows(in_request):
    board = laid_out(decade=1810)
    factory = board.players[0].factories["food"] = new_factory(1, 6)
    factory.obsolete, factory.additional, factory.marked = True, 2, True
    shown = drawings_of(board)["factory-0-food"]
    assert "additional workers: 2" in aloud(shown.html)
    assert {"/players/0/factories/food/obsolete", "/players/0/factories/food/marked"} <= set(shown.places)


def test_wf_4_15_18_foreman_is_on_his_space_even_without_plant(in_request):
    board = laid_out()
    board.players[0].tiles = [OwnedTile("foreman", "lamps"), OwnedTile("inventor", uses=2)]
    shown = drawings_of(board)
    assert "/players/0/factories/lamps/foreman" in shown["factory-0-lamps"].places
    assert "/players/0/factories/food/foreman" not in shown["factory-0-food"].places
    assert 'aria-label="lamps"' in shown["owned-0"].html
    assert 'aria-label="used 2"' in shown["owned-0"].html


def test_wf_2_12_3_a_column_serves_one_good_a_row_all_of_them(in_request):
    player = player_with(slots={"food": 1, "row": 2}, stored={"food": 4, "lamps": 2})
    shown = store(player, printed.of(table(4)))
    assert {(cell.x, cell.y) for cell in shown.cells if cell.holds == "good"} == {
        (1, 1),
        (1, 2),
        (1, 3),
        (1, 4),
        (4, 1),
        (4, 2),
    }
    assert [cell.holds for cell in shown.cells if cell.x == 2] == ["open", "open", "shut", "shut", "shut"]
    assert (shown.over, shown.small) == ([], None)


def test_wf_4_1_9_goods_beyond_warehouse_are_in_the_small_one(in_request):
    player = player_with(slots={"row": 1}, stored={"food": 3, "lamps": 1})
    player.tiles = [OwnedTile("small_warehouse")]
    shown = store(player, printed.of(table(4)))
    assert (shown.over, shown.small) == (["food", "food"], 5)


def player_with(slots: dict[str, int], stored: dict[str, int]) -> Player:
    player = laid_out().players[0]
    player.slots = dict.fromkeys(SLOTS, 0) | slots
    player.stored = dict.fromkeys(GOODS, 0) | stored
    return player


@pytest.mark.parametrize(("seats", "spaces"), [(2, ["2", "4"]), (4, ["2", "4", "6", "8", "10"])])
def test_wf_2_12_4_contracts_lie_on_the_track_of_their_table(in_request, seats, spaces):
    board = laid_out(seats)
    board.players[0].contracts["lamps"] = 4
    shown = drawings_of(board)["contracts-0"]
    assert re.findall(r'<th scope="col">(\d+)</th>', shown.html) == spaces
    assert holds_of(shown) == {"/players/0/contracts/lamps": "4"}


def test_ships_lie_at_the_piers_with_their_crews(in_request):
    board = laid_out()
    board.players[0].ships, board.players[0].crew = [2, 6], 2
    shown = drawings_of(board)["piers-0"]
    assert holds_of(shown) == {"/players/0/ships/2/0": "2", "/players/0/ships/6/0": "6"}
    assert shown.html.count("#wf-worker") == 2
    assert "#wf-pier" not in shown.html and drawings_of(board)["piers-1"].html.count("#wf-pier") == 2


# --- the course ------------------------------------------------------------------------------------------------------


def test_course_shows_decade_good_seat_and_what_runs(in_request):
    board = laid_out(decade=1780, good="cutlery")
    board.start, board.turns = 1, 1
    shown = drawings_of(board)
    assert aloud(shown["course"].html).startswith("1780 cutlery Cleo economy actions")
    assert re.search(r'aria-current="step">actions<', shown["course"].html)
    assert "on-turn" in shown["head-2"].html and "on-turn" not in shown["head-1"].html
    board.stage, board.turn.marker, board.turn.paid = "main", "machinery:dark", 6
    assert figures(drawings_of(board))["/running"] == "machinery:dark"
    assert "£6" in aloud(drawings_of(board)["course"].html)


def test_the_table_decides_what_the_economy_does(in_request):
    board = laid_out()
    board.stage = "economy"
    assert WATER.waits_for(board) == (TABLE,)
    assert "the table" in aloud(drawings_of(board)["course"].html)


# --- the page --------------------------------------------------------------------------------------------------------


@pytest.fixture
def site(shelf: Shelf) -> str:
    return shelf.site


@pytest.fixture
def water(shelf: Shelf) -> Callable[[int], str]:
    """A public game of Water Frame, played some way; its address."""

    def address(steps: int) -> str:
        game = shelf.game(f"Water {steps}", lambda book: open_public_game(book, WATER, COLOURS, {}, steps))
        return f"{shelf.site}{game.path}"

    return address


def test_a_drawing_brings_its_own_stylesheet():
    assert style_sheets("water_frame") == ["board.css", "board-mats.css", "board-water.css"]


def test_table_fits_the_page_and_stays_still_over_steps(browser, water):
    fits_and_lies_still(browser, water(150), (320, 820, 1440), step=120)


@pytest.mark.drill  # test_arkwright_card_drawing.py has the same of another board
def test_a_phone_shows_one_area_at_a_time_and_a_desktop_all(browser, water):
    shows_one_area_at_a_time(browser, water(60), areas=4 + 4)


@pytest.mark.drill
def test_on_a_phone_the_area_that_changed_lies_open(browser, water):
    follows_what_changes(browser, f"{water(60)}?step=40")


def test_the_table_has_no_fault_in_either_light(page, water):
    has_no_fault(page, f"{water(150)}?step=140", (390,))
