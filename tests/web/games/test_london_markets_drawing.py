"""The board of London Markets shows what lies there: no more to anybody than they may see, and every crate in place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest
from playwright.sync_api import Page

from daybook.domain.games import RULESETS
from daybook.domain.games.london_markets import stacks
from daybook.domain.games.london_markets.printed import GOODS, MARKETS, UNKNOWN
from daybook.domain.kernel.board import Document
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.web.boards import DrawnPart, Mark, Picture, Scene, find_marks, style_sheets
from daybook.web.games.london_markets.drawing import CRATE_SIDE, lot
from daybook.web.words.seat_marks import seat_letter_of
from tests.axe import in_both_lights
from tests.browsing import errors_of, open_replay, wait_for_step
from tests.web.conftest import Opened, Shelf
from tests.web.drawings import (
    NAMES,
    SAMPLE,
    aloud,
    boards,
    figures,
    holds_of,
    open_public_game,
    opening_board,
    played_out,
)

pytestmark = pytest.mark.slow

LONDON = RULESETS["london_markets"]
COLOURS = ("red", "blue", "green", "yellow")
GAMES = [(3, 4, "open"), (5, 3, "open"), (4, 4, "hidden"), (8, 3, "hidden")]  # seed, seats, hands
Layers = list[list[Seat | None]]


@cache
def finished_game(seed: int, seats: int, hands: str) -> Game:
    return played_out(LONDON, seed, COLOURS[:seats], {"hands": hands})


def picture(game: Game, sight: Sight) -> Picture:
    return Picture(Scene(LONDON.id, game.table, NAMES[: len(game.table.colours)], sight, "en"))


def drawings(game: Game, sight: Sight) -> Iterator[tuple[Document, dict[str, DrawnPart], dict[str, Mark]]]:
    """Every step with its whole drawing, and what it marks."""
    drawn = picture(game, sight)
    before: dict[str, DrawnPart] = {}
    for _, document in boards(game, sight):
        now = drawn.draw_all(document)
        yield document, now, find_marks(before, now)
        before = now


def at_stage(game: Game, sight: Sight, stage: str, after: int = 0) -> tuple[Document, dict[str, DrawnPart]]:
    """The first board of a stage, with its drawing."""
    drawn = picture(game, sight)
    document = next(
        document for step, document in boards(game, sight) if document["stage"] == stage and step.step >= after
    )
    return document, drawn.draw_all(document)


Drawing = tuple[Document, dict[str, DrawnPart], dict[str, Mark]]


def first(seed: int, shows: Callable[[Document], Any]) -> Drawing:
    """The first drawing a spectator has of a board that shows something, in an open game of four."""
    return next(drawing for drawing in drawings(finished_game(seed, 4, "open"), None) if shows(drawing[0]))


# --- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "seats", "hands"), GAMES)
def test_what_is_drawn_is_what_the_rules_count(in_request, seed, seats, hands):
    """Crates, those on top of each stack, and each special card with its pile's number, which is public (LM-3.3)."""
    game, met = finished_game(seed, seats, hands), 0
    drawing = picture(game, None)
    for _, document in islice(boards(game, None), 0, None, SAMPLE):
        drawn = drawing.draw_all(document)
        board, shown = LONDON.typed_board(document, game.table), figures(drawn)
        for market in MARKETS:
            assert [int(shown[f"/crates/{market}/{seat}"]) for seat in range(seats)] == [
                stacks.crates(board, seat, market) for seat in range(seats)
            ]
            found = re.findall(r'href="#sign-(\d)" x="(\d+)" y="(\d+)"', drawn[f"lot-{market}"].html)
            top = {(int(x) // CRATE_SIDE, int(y) // CRATE_SIDE): int(seat) for seat, x, y in found}
            assert top == seen_from_above(document["stacks"][market]) and len(found) == len(top)
        for seat, player in enumerate(document["players"]):
            cards = list(zip(player["specials"], player["specials_from"], strict=True))
            seen, unseen = [p for card, p in cards if card != UNKNOWN], {p for card, p in cards if card == UNKNOWN}
            assert piles_drawn(drawn[f"specials-{seat}"].html) == sorted(pile for pile in (*seen, *unseen) if pile)
            in_play = drawn[f"in-play-{seat}"].html
            assert piles_drawn(in_play) == sorted(pile for pile in player["in_play_from"] if pile)
            met += len(cards)
    assert met


def piles_drawn(html: str) -> list[int]:
    return sorted(int(pile) for pile in re.findall(r'class="of-pile"[^>]*>(\d)</text>', html))


def test_cards_of_a_record_without_piles_have_no_numbers(in_request):
    game = finished_game(*GAMES[0])
    *_, (_, document) = boards(game, EVERYTHING)
    for player in document["players"]:
        del player["specials_from"], player["in_play_from"]
    drawn = picture(game, EVERYTHING).draw_all(document)
    assert not any(piles_drawn(drawn[f"{part}-{seat}"].html) for part in ("specials", "in-play") for seat in range(4))


@pytest.mark.parametrize(("seed", "seats", "hands"), GAMES)
def test_a_spectator_is_told_no_hidden_card(in_request, seed, seats, hands):
    game = finished_game(seed, seats, hands)
    for (_, whole), (document, drawn, _) in zip(boards(game, EVERYTHING), drawings(game, None), strict=True):
        if document["stage"] == "over":
            break
        assert "#s-" not in drawn["piles"].html
        for seat, player in enumerate(whole["players"]):
            assert "#s-" not in drawn[f"specials-{seat}"].html
            shown = figures(drawn)
            assert [int(shown[f"/players/{seat}/hand/{goods}"]) for goods in (*GOODS, UNKNOWN)] == [
                player["hand"][goods] for goods in (*GOODS, UNKNOWN)
            ], "what everybody knows, and no more"
            if document["stage"] == "offers":
                offer = drawn[f"offer-{seat}"]
                assert not re.search("|".join(f"#{goods}" for goods in GOODS), offer.html)
                assert holds_of(offer).get(f"/players/{seat}/offer") == (None if player["offer"] is None else UNKNOWN)


# --- the stacks ------------------------------------------------------------------------------------------------------


def seen_from_above(stack: Layers) -> dict[tuple[int, int], Seat]:
    """(column, row) -> owner, each bar laid over what was there (LM-4.2.1 to LM-4.2.6)."""
    field: dict[tuple[int, int], Seat] = {}
    for number, layer in enumerate(stack):
        for slot, owner in enumerate(layer):
            if owner is not None:
                field |= {(slot, along) if number % 2 == 0 else (along, slot): owner for along in range(3)}
    return field


@pytest.mark.parametrize(
    ("bars", "counts"),
    [
        ("R", "3000"),
        ("RRB", "6300"),
        ("RRB G", "4230"),
        ("RRB GG", "2160"),
        ("RRB GGY", "0063"),
        ("BBR B", "2700"),
        ("YYB YY", "0108"),
        ("GRB G", "2250"),
        ("RRR R", "9000"),
    ],
)
def test_lm_4_2_12_crates_on_display(bars, counts):
    stack: Layers = [["RBGY".index(bar) for bar in layer] for layer in bars.split()]
    stack[-1] += [None] * (3 - len(stack[-1]))
    crates = lot(stack).crates
    assert [sum(crate.seat == seat for crate in crates) for seat in range(4)] == [int(count) for count in counts]


def test_lm_4_2_2_layers_cross_and_the_lower_is_drawn_first():
    lies = lot([[0, 0, 1], [2, None, 3]])
    assert [(bar.at, bar.standing, bar.x, bar.y) for bar in lies.bars] == [
        ("0/0", True, 0, 0),
        ("0/1", True, CRATE_SIDE, 0),
        ("0/2", True, 2 * CRATE_SIDE, 0),
        ("1/0", False, 0, 0),
        ("1/2", False, 0, 2 * CRATE_SIDE),
    ]
    assert (lies.under, lies.lying) == (1, 5)


def test_what_lies_under_a_whole_layer_shows_as_its_edge_alone():
    lies = lot([[0, 0, 0], [1, 1, 1], [2, 2, 2]])
    assert {bar.seat for bar in lies.bars} == {2}
    assert lies.under == 2
    assert lot([[0, 0, 0]] * 40).under < 10, "a high stack stays in its place"


def test_an_empty_market_is_bare_ground():
    assert lot([]) == (0, [], [], 0)


# --- what else lies there --------------------------------------------------------------------------------------------


def test_placed_bar_is_marked_with_the_crates_it_covers(in_request):
    game = finished_game(3, 4, "open")
    table = picture(game, None)
    drawn, found = next(
        (drawn, changed)
        for document, drawn, changed in drawings(game, None)
        if document["round"] and any(at.startswith("/stacks/") for at in changed)
    )
    bar = next(at for at in found if at.startswith("/stacks/"))
    market = bar.split("/")[2]
    assert found[bar] == Mark("", "")
    assert any(at.startswith(f"/crates/{market}/") and change.by.startswith("+") for at, change in found.items())
    assert 'class="thing changed"' in table.mark_changes(table.parts[f"lot-{market}"], drawn[f"lot-{market}"], found)
    assert any(re.fullmatch(r"/players/\d/bars", at) and change.by == "−1" for at, change in found.items())


def test_a_hand_is_cards_for_its_owner_and_backs_for_the_others(in_request):
    game = finished_game(3, 4, "open")
    document, mine = at_stage(game, 1, "market_card")
    assert UNKNOWN in document["players"][1]["hand"] and document["players"][1]["hand"][UNKNOWN]
    shown = figures(mine)
    unseen = [int(shown[f"/players/{seat}/hand/?"]) for seat in range(4)]
    assert unseen == [8, 0, 8, 8]
    assert "#lm-back" not in mine["hand-1"].html
    assert mine["hand-0"].html.count("#lm-back") == 5
    assert aloud(mine["hand-0"].html).startswith("Hand 8")


def test_an_offer_lies_sealed_until_all_are_revealed(in_request):
    game = finished_game(3, 4, "open")
    seat = next(
        seat
        for _, document in boards(game, None)
        if document["stage"] == "offers"
        for seat, player in enumerate(document["players"])
        if player["offer"] is not None
    )
    for sight in (None, seat, (seat + 1) % 4):
        drawn = picture(game, sight)
        document = next(
            document
            for _, document in boards(game, sight)
            if document["stage"] == "offers" and document["players"][seat]["offer"] is not None
        )
        html = drawn.draw_all(document)[f"offer-{seat}"].html
        assert "a sealed offer" in html and "a sealed offer:" not in html, "face down for its owner too"
        assert f"#mark{seat}" in html


def test_the_market_card_tells_its_pounds_and_what_is_covered(in_request):
    document, drawn, _ = first(3, lambda document: document["covered"])
    label = re.search(r'aria-label="([^"]+)"', drawn["card"].html)
    assert label is not None
    assert label[1].count("(covered)") == len(document["covered"])
    assert f'data-at="/covered/{document["covered"][0]}"' in drawn["card"].html
    assert re.search(r"(coffee|soap|silk|china) £\d", label[1])


def test_a_closed_market_says_so_and_how_many_are_still_to_come(in_request):
    document, drawn, changed = first(3, lambda document: document["revealed"][-1:] == ["closed"])
    assert "market closed" in drawn["card"].html
    assert "£" not in drawn["card"].html
    assert int(figures(drawn).get("/coming/closed", "0")) == 2 - document["revealed"].count("closed")
    assert changed["/coming"].by == "−1"


def test_the_bottom_card_is_known_from_the_start(in_request):
    document, drawn = at_stage(finished_game(3, 4, "open"), None, "setup_bars")
    assert "round 12: coffee" in drawn["coming"].html
    assert figures(drawn)["/bottom"] == document["bottom"]


def test_a_used_merchant_lies_turned_over_where_he_stands(in_request):
    document, drawn, changed = first(3, lambda document: {*document["used"]} & {*document["merchants"]})
    used = next(value for value in document["used"] if value in document["merchants"])
    market = document["merchants"][used]
    assert figures(drawn)[f"/merchants/{used}"] == f"{market} used"
    assert f"/merchants/{used}" in changed
    assert "used" in drawn[f"stall-{market}"].html


def test_an_assistant_stands_on_the_space_of_the_round(in_request):
    game = finished_game(3, 4, "open")
    for document, drawn, _ in drawings(game, None):
        if document["stage"] == "turn":
            for track in "AB":
                assert figures(drawn)[f"/assistants/{track}"].split()[0] == str(document["round"])


def test_three_players_have_one_assistant(in_request):
    assert "track-B" not in picture(finished_game(5, 3, "open"), None).parts


def test_a_pile_is_seen_by_whoever_looks_through_it_alone(in_request):
    game = finished_game(3, 4, "open")
    document, all_seen = at_stage(game, EVERYTHING, "draft_special")
    seat = LONDON.waits_for(LONDON.typed_board(document, game.table))[0]
    step = next(step.step for step, document in boards(game, EVERYTHING) if document["stage"] == "draft_special")
    looks = {
        sight: at_stage(game, sight, "draft_special", step)[1]["piles"].html for sight in (None, seat, (seat + 1) % 4)
    }
    assert "#s-" in all_seen["piles"].html
    assert "#s-" in looks[seat]
    assert "#s-" not in looks[None] and "#s-" not in looks[(seat + 1) % 4]
    assert all(f'aria-label="{NAMES[seat]}"' in html for html in looks.values()), "everybody sees who looks"


def test_the_course_says_round_phase_whose_turn_and_what_is_due(in_request):
    game = finished_game(3, 4, "open")
    document, drawn = at_stage(game, None, "place")
    seat = LONDON.waits_for(LONDON.typed_board(document, game.table))[0]
    says = aloud(drawn["course"].html)
    assert says.startswith(f"Round {document['round']} of 12 {NAMES[seat]} bars to place {document['bars']}")
    assert re.search(r'aria-current="step">actions<', drawn["course"].html)
    assert "on-turn" in drawn[f"head-{seat}"].html


def test_seats_are_told_apart_without_colour(in_request):
    game = finished_game(3, 4, "open")
    drawn = picture(game, None)
    html = str(drawn.frame(drawn.draw_all(opening_board(game, None)), {}))
    signs = [re.search(rf'<g id="sign-{seat}">.*?</g></g>', html) for seat in range(4)]
    assert [seat_letter_of(seat) in (sign[0] if sign else "") for seat, sign in enumerate(signs)] == [True] * 4
    grains = re.findall(r'id="grain-\d" class="grain" d="([^"]+)"', html)
    assert len(set(grains)) == 4


# --- the page --------------------------------------------------------------------------------------------------------


@pytest.fixture
def site(shelf: Shelf) -> str:
    return shelf.site


@pytest.fixture
def london(shelf: Shelf) -> Callable[[int], Opened]:
    """A public game of London Markets, played some way."""

    def some_way(steps: int) -> Opened:
        return shelf.game(
            f"London {steps}", lambda book: open_public_game(book, LONDON, COLOURS, {"hands": "open"}, steps, seed=3)
        )

    return some_way


def test_a_drawing_brings_its_own_stylesheet():
    assert style_sheets("london_markets") == ["board.css", "board-london.css"]
    assert style_sheets("making_profit") == ["board.css"]


def test_table_fits_the_page_and_stays_still_over_steps(browser, site, london):
    game = london(150)
    page = browser.new_context(reduced_motion="reduce").new_page()
    errors = errors_of(page)
    game.enter(page, site)
    for step, view, width in ((100, "spectator", 1280), (130, "2", 390)):
        page.set_viewport_size({"width": width, "height": 844})
        fits_and_lies_still(page, f"{site}{game.path}?step={step}&view={view}", width, step)
    assert errors == []
    page.context.close()


def fits_and_lies_still(page: Page, address: str, width: int, begin: int) -> None:
    open_replay(page, address)
    places = []
    for step in range(begin, begin + 10):
        wait_for_step(page, step)
        places.append(
            page.evaluate(
                "[...document.querySelectorAll('.market, .mat h3, .offer, .market-card, .walk')]"
                ".map(e => { const r = e.getBoundingClientRect(); return [r.x, r.y, r.width] }).flat()"
            )
        )
        page.keyboard.press("ArrowRight")
    wait_for_step(page, begin + 10)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    assert page.evaluate(
        "[...document.querySelectorAll('.mat *')].every(e => e.getBoundingClientRect().right <= innerWidth + 1)"
    )
    assert all(place == places[0] for place in places), (address, width)


def test_the_table_has_no_fault_in_either_light(page, site, london):
    open_replay(page, f"{site}{london(150).path}?step=140")
    board = in_both_lights(page, ".board")
    assert board.kept >= {"color-contrast", "svg-img-alt"}
    assert board.faults == []
