"""Turns that are put together tap by tap and written at once, with forms and links alone: Arkwright, Water Frame."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from html import unescape
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import url_for

from daybook.domain.commands import TURN_LIMIT, Adjust
from daybook.domain.kernel.events import GameClosed
from daybook.domain.kernel.terms import TABLE
from daybook.web import words
from daybook.web.recording import choices, drafts
from daybook.web.server import front
from tests.web.conftest import Opened, VisitedPage, Visitor
from tests.web.recording.desk import decision_types, desk, form_that_writes, wholly

NAMES = ("Anna", "Ben", "Cleo", "Dora")
PRINTED = {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"}
QUALITY = {"type": "place", "marker": "quality", "row": 6, "paid": 6}


@pytest.fixture
def mills(open_game: Callable[..., Opened]) -> Opened:
    """The predetermined set-up of four; Anna is to place her first marker."""
    game = open_game(NAMES, ruleset_id="water_frame", **PRINTED)
    game.decide(TABLE, type="reveal_economy", importer=1, workers=1)
    return game


def way(page: VisitedPage, text: str) -> str:
    """Return the address of the chart's place or button with this text."""
    for href, inside in re.findall(r'<a class="(?:cell|pick)[^"]*" href="([^"]+)"(.*?)</a>', page.html, re.DOTALL):
        if text in re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", inside))):
            return unescape(href)
    raise LookupError(f"nothing says {text}: {page.text}")


def tap(somebody: Visitor, page: VisitedPage, *says: str) -> VisitedPage:
    for say in says:
        page = somebody.get(way(page, say))
        assert page.status == 200
    return page


def turn_of(page: VisitedPage) -> list[dict[str, Any]]:
    """Return the decisions that would be written."""
    turn: list[dict[str, Any]] = json.loads(page.form("Save the turn").fields["turn"])
    return turn


# --- putting a turn together -----------------------------------------------------------------------------------------


def test_a_turn_is_put_together_and_written_with_one_press(mills):
    keeper = mills.visitor()
    page = tap(keeper, desk(mills, keeper), "Quality on the £6 row", "Raise quality of clothes")
    assert mills.step == 1, "nothing is written yet"
    assert "Anna raises quality of clothes to 1: appeal 4" in page.text
    assert re.search(r'class="comes".*?<bdi class="name">Anna</bdi>.*?£41.*?£35', page.html, re.DOTALL), "whose it is"
    assert 'aria-label="Raise quality of' not in page.html, "one level is all that £6 buy"
    form = form_that_writes(page, "clothes at £7")
    assert json.loads(form.fields["turn"]) == [
        QUALITY,
        {"type": "raise_quality", "good": "clothes"},
        {"type": "set_price", "good": "clothes", "price": 7},
    ]
    page = keeper.send(form)
    assert decision_types(mills)[1:4] == ["place", "raise_quality", "set_price"]
    assert mills.game.document["players"][0]["factories"]["clothes"]["price"] == 7
    assert "Ben: place an action marker" in page.text


def test_a_place_of_a_chart_where_nothing_can_be_done_says_why(mills):
    keeper = mills.visitor()
    assert "not now" not in charts_of(desk(mills, keeper)), "every row of Anna’s chart is free"
    html = charts_of(tap(keeper, desk(mills, keeper), "Workers on the £2 row"))
    assert 'aria-label="Hire a worker: clothes, row 3: not now"' not in html
    taken = re.search(r'aria-label="Hire a worker: clothes, row 1: not now">–</summary>\s*<p>(.*?)</p>', html)
    assert taken is not None
    assert taken[1].startswith("All 2 spaces of row 1 of the clothes factory are full"), taken[1]
    assert "WF-4.6" in taken[1]


def test_levels_that_are_reached_or_too_dear_say_so(mills):
    keeper = mills.visitor()
    html = charts_of(tap(keeper, desk(mills, keeper), "Distribution on the £2 row"))
    dear = re.search(r'aria-label="Distribution of clothes to 3 for £6: not now">–</summary>\s*<p>(.*?)</p>', html)
    assert dear is not None and dear[1] == "It takes £6; £2 left"
    grid = html.partition("Distribution up to")[2].partition("<tbody>")[2].partition("</table>")[0]
    assert not re.search(r"<td>\s*</td>", grid)


def charts_of(page: VisitedPage) -> str:
    return page.html[: page.html.index("newest")]


def test_what_a_tap_brings_stands_on_it(mills):
    keeper = mills.visitor()
    page = desk(mills, keeper)
    assert "Quality on the £4 row, nothing" in page.html
    assert "Quality on the £6 row, +1" in page.html
    page = tap(keeper, page, "Distribution on the £4 row")
    told = page.html.replace("\N{NO-BREAK SPACE}", " ")
    assert "Distribution of clothes to 1 for £1, appeal 3 → 4" in told
    assert "Distribution of cutlery to 2 for £3, appeal 4 → 6" in told
    assert '"Distribution of clothes to 3 for £6: not now">–</summary> <p>It takes £6; £4 left</p>' in re.sub(
        r"\s+", " ", told
    )
    page = tap(keeper, desk(mills, keeper), "Workers on the £2 row")
    assert "Clothes, row 3: 3 workers, makes 1" in page.html.replace("clothes, row", "Clothes, row")


def test_the_bar_says_what_the_turn_could_still_do(mills):
    keeper = mills.visitor()
    page = desk(mills, keeper)
    for says, unused in [
        ("Machinery on the £6 row", " · 2 machines unused"),
        ("clothes, row 1", " · 1 machine unused"),
        ("clothes, row 2", ""),
    ]:
        page = tap(keeper, page, says)
        assert page.form("Save the turn").buttons == [f"Save the turn{unused}"]


def test_wages_to_come_are_those_of_the_turn_so_far(mills):
    anna = mills.visitor("seat", 0)
    page = tap(anna, desk(mills, anna), "Workers on the £2 row")
    assert "wages per production clothes £12, cutlery £15" in page.text
    assert "wages per production clothes £21, cutlery £15" in tap(anna, page, "clothes, row 3: 3 workers").text


def test_row_is_filled_by_one_tap_and_each_worker_is_a_decision(mills):
    keeper = mills.visitor()
    page = tap(keeper, desk(mills, keeper), "Workers on the £2 row", "clothes, row 3: 3 workers")
    assert "3 × Anna hires a worker for row 3 of clothes" in page.text
    keeper.send(page.form("Save the turn"))
    assert decision_types(mills).count("hire") == 3
    assert mills.game.document["players"][0]["factories"]["clothes"]["workers"] == [2, 2, 3, 0]


def test_line_of_a_factory_just_built_stays_and_takes_another_price(mills):
    keeper = mills.visitor()
    page = tap(keeper, desk(mills, keeper), "Factory on the £2 row", "Build food I at £5")
    assert re.search(r'<a class="cell[^>]*aria-current="true" aria-label="Build food I at £5', page.html)
    page = tap(keeper, page, "Build food I at £6")
    assert [(d["good"], d["price"]) for d in turn_of(page) if d["type"] == "build"] == [("food", 6)]


def test_closing_a_part_of_a_turn_is_no_tap_of_its_own(mills):
    keeper = mills.visitor()
    page = tap(keeper, desk(mills, keeper), "Workers on the £2 row")
    assert "Done" not in [words for words, _ in page.links]
    page = tap(keeper, page, "Take a development tile")
    form = form_that_writes(page, "School")
    assert [item["type"] for item in json.loads(form.fields["turn"])] == ["place", "done", "take_tile"]
    assert "School" in keeper.send(form).text


def test_a_line_of_the_turn_is_dropped_with_what_follows_it(mills):
    keeper = mills.visitor()
    page = tap(keeper, desk(mills, keeper), "Quality on the £10 row", "Raise quality of clothes", "cutlery at £7")
    dropped = [href for words, href in page.links if words.startswith("Remove ")]
    assert len(dropped) == 3
    page = keeper.get(dropped[1])
    assert [value["type"] for value in turn_of(page)][:1] == ["place"]
    assert "raise_quality" not in str(turn_of(page))
    assert "Start over" in page.text
    assert mills.step == 1


def test_nothing_more_than_the_marker_is_a_turn_too(mills):
    keeper = mills.visitor()
    page = tap(keeper, desk(mills, keeper), "Stock exchange on the £2 row")
    keeper.send(page.form("Save the turn"))
    assert decision_types(mills)[1:] == ["place", "done", "done"]


def test_other_amounts_are_asked_for_where_a_tile_allows_them(mills):
    keeper = mills.visitor()
    mills.write(
        Adjust(
            {
                "/players/0/tiles": [{"kind": "accountant", "good": None, "uses": 0}],
                "/tiles/accountant": mills.game.document["tiles"]["accountant"] - 1,
            },
            "the tile was forgotten",
            "mistyped",
        )
    )
    page = tap(keeper, desk(mills, keeper), "Quality on the £4 row")
    assert "How much is paid?" in page.text
    page = tap(keeper, page, "£6")
    assert "Anna places Quality on the £4 row and pays £6" in page.text
    assert turn_of(page)[0] == {"type": "place", "marker": "quality", "row": 4, "paid": 6}


def test_a_turn_as_long_as_any_still_fits_into_an_address(mills):
    """The server limits the bytes of an address."""
    turn = [QUALITY, *[{"type": "hire", "good": "clothes", "row": 4}] * (TURN_LIMIT - 1)]
    with mills.app.test_request_context():
        address = url_for("record.record", game_id=mills.id, **drafts.turn_query(choices.address_query(0), turn))
    assert len(address) < front.ADDRESS_LIMIT


# --- drafts that do not hold any more, or never did ------------------------------------------------------------------


def test_a_turn_that_comes_too_late_is_kept_as_far_as_it_holds(mills):
    keeper, other = mills.visitor(), mills.visitor()
    page = tap(keeper, desk(mills, keeper), "Quality on the £6 row", "Raise quality of clothes")
    form = page.form("Save the turn")
    other.send(tap(other, desk(mills, other), "Factory on the £2 row").form("Save the turn"))
    step = mills.step
    page = keeper.send(form)
    assert page.status == 409
    assert "Someone else recorded in the meantime" in page.text
    assert "Your decision was not saved" in page.text
    assert mills.step == step
    assert "Ben: place an action marker" in page.text, "it is not Anna’s turn any more"


def test_a_turn_that_still_holds_is_written_with_one_more_press(mills):
    keeper = mills.visitor()
    page = tap(keeper, desk(mills, keeper), "Quality on the £6 row", "Raise quality of clothes")
    form = page.form("Save the turn")
    mills.write(Adjust({"/players/0/cash": 44}, "three pounds under the mat", "table"))
    page = keeper.send(form)
    assert page.status == 409
    assert turn_of(page)[:2] == json.loads(form.fields["turn"])[:2]
    assert "cash £38" in page.text
    page = keeper.send(page.form("Save the turn"))
    assert page.status == 200
    assert mills.game.document["players"][0]["cash"] == 38


def test_impossible_turn_keeps_its_possible_beginning(mills):
    keeper = mills.visitor()
    page = tap(keeper, desk(mills, keeper), "Stock exchange on the £2 row", "Buy 3 shares")
    form = page.form("Save the turn")
    mills.write(Adjust({"/players/0/cash": 20}, "counted again", "table"))
    page = keeper.send(form)
    assert page.status == 409
    assert "this costs £30, and the cash is £18 WF-4.1.4" in page.text
    assert turn_of(page)[0]["type"] == "place"
    assert "buy" not in str(turn_of(page))


@pytest.mark.parametrize(
    "made_up",
    [
        "garbage",
        "{",
        "[1]",
        '{"type":"place"}',
        '[{"type":"nonsense"}]',
        '[{"type":"place","marker":"quality"}]',
        json.dumps([QUALITY] * (TURN_LIMIT + 1)),
        "[" * 5000,
    ],
)
def test_a_turn_that_was_made_up_is_a_bad_request(mills, made_up):
    keeper = mills.visitor()
    assert desk(mills, keeper, seat=0, t=made_up).status == 400
    answer = keeper.post(f"{mills.path}/record", seat="0", turn=made_up, at=str(mills.step), key=secrets.token_hex(8))
    assert answer.status in (400, 403)
    assert mills.step == 1


def test_an_illegal_decision_in_an_address_is_told_and_left_out(mills):
    keeper = mills.visitor()
    page = desk(mills, keeper, seat=0, t=json.dumps([QUALITY, {"type": "raise_quality", "good": "food"}]))
    assert page.status == 200
    assert "the player has no food factory WF-4.8.2" in page.text
    assert turn_of(page)[0] == QUALITY


def test_an_illegal_turn_is_refused_as_a_whole(mills):
    keeper = mills.visitor()
    form = tap(keeper, desk(mills, keeper), "Quality on the £6 row").form("Save the turn")
    page = keeper.send(form, turn=json.dumps([QUALITY, {"type": "raise_quality", "good": "lamps"}, {"type": "done"}]))
    assert page.status == 422
    assert "the player has no lamps factory WF-4.8.2" in page.text
    assert mills.step == 1


def test_the_same_turn_sent_twice_is_written_once(mills):
    keeper = mills.visitor()
    page = tap(keeper, desk(mills, keeper), "Quality on the £6 row", "Raise quality of clothes")
    form = page.form("Save the turn")
    keeper.send(form)
    step = mills.step
    assert keeper.send(form).status == 200
    assert mills.step == step


def test_after_the_end_of_a_turn_nothing_is_added_to_it(mills):
    keeper = mills.visitor()
    done = {"type": "done"}
    page = desk(mills, keeper, seat=0, t=json.dumps([QUALITY, done, done, done]))
    assert "the turn is already over" in page.text


# --- whose turn ------------------------------------------------------------------------------------------------------


def test_a_player_puts_together_their_own_turn_and_nobody_elses(mills):
    anna, ben = mills.visitor("seat", 0), mills.visitor("seat", 1)
    page = desk(mills, ben)
    assert "Anna: place an action marker" in page.text
    assert "Save the turn" not in page.text
    page = tap(anna, desk(mills, anna), "Quality on the £6 row", "Raise quality of cutlery")
    form = page.form("Save the turn")
    taken = ben.post(f"{mills.path}/record", **{name: form.fields[name] for name in ("seat", "turn", "at", "key")})
    assert taken.status == 403
    assert mills.step == 1
    assert anna.send(form).status == 200
    assert mills.game.writers[2] == "seat:0"
    assert "Ben: place an action marker" in desk(mills, ben).text


def test_a_reader_gets_no_desk_for_a_turn(mills):
    assert desk(mills, mills.visitor("reader")).status == 403


# --- the way back ----------------------------------------------------------------------------------------------------


def test_a_turn_written_at_once_is_undone_at_once(mills):
    keeper = mills.visitor()
    page = tap(keeper, desk(mills, keeper), "Workers on the £2 row", "clothes, row 3: 3 workers")
    before = mills.game.document
    page = keeper.send(page.form("Save the turn"))
    assert "Undo Anna’s turn" in page.text
    page = keeper.send(page.form("Undo the turn: it was mistyped"))
    assert mills.game.document == before
    assert "Anna: place an action marker" in page.text


def test_undo_at_the_end_of_a_decade_undoes_only_that_turn(mills):
    keeper = mills.visitor()
    mills.write(Adjust({"/players/1/ships": [2], "/mat/0/ships": [2, 2, 2]}, "a ship was forgotten", "mistyped"))
    while mills.game.board.stage != "firing":
        mills.play(1, seed=mills.step)
    step = mills.step
    seat = mills.game.ruleset.course.to_act(mills.game.board)[0]
    page = desk(mills, keeper, seat=seat)
    page = keeper.send(next(form for form in page.forms if form.buttons == ["Keep the rest"]))
    assert mills.step == step + 1
    page = keeper.send(page.form(f"Undo step {step + 1}: it was mistyped"))
    assert mills.game.board.stage == "firing"
    assert mills.game.heads[-1] == step


def test_one_step_of_a_turn_is_undone_and_the_rest_rebuilt(mills):
    keeper = mills.visitor()
    page = keeper.send(
        tap(keeper, desk(mills, keeper), "Workers on the £2 row", "clothes, row 3: 3 workers").form("Save the turn")
    )
    undo = keeper.get(next(href for words, href in page.links if words.startswith("Undo only step")))
    page = keeper.send(undo.form_to("/undo"), cause="mistyped")
    assert "Anna: choose a special marker, or none" in page.text, "the main action was closed already"
    form = form_that_writes(desk(mills, keeper), "Take the ship of 2")
    assert [item["type"] for item in json.loads(form.fields["turn"])] == ["take_ship"]
    keeper.send(form)
    assert mills.game.document["players"][0]["ships"] == [2]


def test_a_turn_that_was_half_written_goes_on_where_it_is(mills):
    keeper = mills.visitor()
    mills.decide(0, **QUALITY)
    page = desk(mills, keeper)
    assert "Anna: Quality for £6: raise quality" in page.text
    page = tap(keeper, page, "Raise quality of clothes")
    keeper.send(page.form("Save the turn"))
    assert decision_types(mills)[1:3] == ["place", "raise_quality"]
    assert "Ben: place an action marker" in desk(mills, keeper).text


# --- the table's facts -----------------------------------------------------------------------------------------------


def test_an_economy_marker_is_one_press(open_game):
    game = open_game(NAMES, ruleset_id="water_frame", factories="predetermined", mat="predetermined")
    keeper = game.visitor()
    page = desk(game, keeper)
    offered = [json.loads(form.fields["decision"]) for form in page.forms if "decision" in form.fields]
    assert len(offered) == 9, "each advance with each number of workers"
    assert "Importer +2, 3 workers back" in page.html
    keeper.send(
        next(
            form
            for form in page.forms
            if json.loads(form.fields.get("decision", "{}")) == {"type": "reveal_economy", "importer": 2, "workers": 3}
        )
    )
    assert game.game.document["importers"]["food"] == 2


def test_an_event_that_says_something_else_is_told_part_by_part(mills):
    keeper = mills.visitor()
    game = mills
    while game.game.board.stage != "event":
        game.play(1, seed=game.step)
    page = tap(keeper, desk(game, keeper), "Another marker")
    form = page.form("Preview")
    page = keeper.get(form.action, **form.fields, add="effects.cash")
    form = page.form("Preview")
    assert not form.fields["n.effects.0.amount"] and "Choose one of these" not in page.text
    page = keeper.get(
        form.action, **{**form.fields, "n.effects.0.amount": "7", "n.effects.0.seat": "2"}, add="effects.importer"
    )
    form = page.form("Preview")
    assert (form.fields["n.effects.0.amount"], form.fields["n.effects.0.seat"]) == ("7", "2")
    page = keeper.get(form.action, **form.fields, add="effects.quality")
    form = page.form("Preview")
    page = keeper.get(form.action, **form.fields, drop="effects.1")
    form = page.form("Preview")
    assert [form.fields[f"n.effects.{n}.type"] for n in (0, 1)] == ["cash", "quality"]
    assert form.fields["n.effects.0.amount"] == "7", "what stood before stays"
    page = keeper.get(
        form.action,
        **{
            **form.fields,
            "n.name": "Great Fair",
            "n.effects.1.seat": "0",
            "n.effects.1.good": "clothes",
            "n.effects.1.levels": "2",
        },
    )
    assert "Great Fair: Cleo: cash +7; Anna: quality of clothes +2" in page.text
    cash = game.game.document["players"][2]["cash"]
    keeper.send(page.form("Save"))
    assert game.game.document["players"][2]["cash"] == cash + 7
    assert "Great Fair" in game.game.document["events"]


@pytest.mark.parametrize(
    "sent",
    [
        {"add": "effects.nonsense"},
        {"n.effects.0.type": "nonsense"},
        {"n.effects.x.type": "cash"},
        {"drop": "effects.9"},
        {"drop": "nothing"},
        {"add": "name.cash"},
        {"n.effects.0.type": "cash", "n.effects.0.seat": "9", "n.effects.0.amount": "1"},
    ],
)
def test_a_form_that_was_made_up_is_no_accident(mills, sent):
    keeper = mills.visitor()
    while mills.game.board.stage != "event":
        mills.play(1, seed=mills.step)
    assert desk(mills, keeper, seat=TABLE, kind="event_custom", **sent).status in (200, 400)


def test_the_mat_and_the_tiles_are_laid_out_with_one_form_each(open_game):
    game = open_game(NAMES[:2], ruleset_id="water_frame")
    keeper = game.visitor()
    game.decide(TABLE, type="start_player", seat=1)
    page = tap(keeper, desk(game, keeper), "The whole special markers mat")
    form = page.form("Preview")
    assert "Choose one of these" not in page.text, "nobody has chosen yet"
    assert {text for name, text in form.fields.items() if name.startswith("n.")} == {""}, "nothing is invented"
    assert "Choose one of these" in keeper.get(form.action, **form.fields).text
    page = tap(keeper, desk(game, keeper), "The whole special markers mat")
    assert "Row II, place 1" in page.text and "Row II, place 2" in page.text
    page = keeper.get(page.link("As in the list"))
    form = keeper.get(page.link("Back")).form("Preview")
    assert form.fields["n.II.0"] == "quality"
    page = keeper.get(form.action, **{**form.fields, "n.I.0": "production", "n.II.1": "machinery"})
    keeper.send(page.form("Save"))
    assert [row["markers"] for row in game.game.document["mat"]][:2] == [
        ["production", "distribution"],
        ["quality", "machinery"],
    ]
    page = tap(keeper, desk(game, keeper), "All development tiles")
    form = page.form("Preview")
    lying = {name: text for name, text in form.fields.items() if name.startswith("n.tiles.") and text == "1"}
    assert len(lying) == 2 and "2 of 14" in page.text, "two lie there already"
    none = [name for name in form.fields if name.startswith("n.tiles.") and name not in lying]
    lying |= dict.fromkeys(none[:12], "1")
    form.fields |= lying
    first, *_ = [name for name in lying if name not in ("n.tiles.charisma", "n.tiles.inventor")]
    page = keeper.get(form.action, **{**form.fields, first: "0"})
    assert "lay out 14 tiles, not 13 WF-2.17" in page.text
    keeper.send(keeper.get(form.action, **form.fields).form("Save"))
    assert sum(game.game.document["tiles"].values()) == 14
    page = desk(game, keeper)
    assert "Ben: found the first factory" in page.text


# --- a whole game ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_whole_game_is_recorded_by_pressing_what_is_offered(open_game):
    """Whatever is pressed, the page offers it and writes it down, turn by turn, until the game is over and closed."""
    game = open_game(NAMES[:2], ruleset_id="water_frame", mat="predetermined")
    keeper, random = game.visitor(), Random(5)
    page = desk(game, keeper)
    for _ in range(3000):
        if not game.game.ruleset.course.to_act(game.game.board):
            break
        page = pressed_somehow(game, keeper, page, random)
        assert page.status == 200, page.text
    assert "The game is over" in page.text
    keeper.send(page.form("Finish"))
    assert isinstance(game.game.entries[-1].event, GameClosed)
    placed = [kind for kind in decision_types(game) if kind in ("place", "reuse")]
    assert len(placed) == 40, "twenty turns each"


def pressed_somehow(game: Opened, keeper: Visitor, page: VisitedPage, random: Random) -> VisitedPage:
    """Press something: write down what is previewed, fill in a form, end a turn, or choose one of the ways."""
    if wholly(page):
        return keeper.send(page.form("Save"))
    asking = [form for form in page.forms if "Preview" in form.buttons]
    if asking:
        shown = keeper.get(asking[0].action, **asking[0].fields)
        return shown if wholly(shown) else desk(game, keeper)
    ways = [unescape(href) for href in re.findall(r'<a class="(?:cell|pick)[^"]*" href="([^"]+)"', page.html)]
    at_once = [form for form in page.forms if "decision" in form.fields]
    turn = [form for form in page.forms if "turn" in form.fields]
    so_far = len(json.loads(parse_qs(urlsplit(ways[0]).query).get("t", ["[]"])[0])) if ways else 0
    if turn and (not ways or random.random() < so_far / 3):
        return keeper.send(turn[0])
    choice = random.randrange(len(ways) + len(at_once))
    return keeper.get(ways[choice]) if choice < len(ways) else keeper.send(at_once[choice - len(ways)])


def test_turn_that_ends_the_cycle_is_previewed_before_saving(mills):
    """Production follows by itself, and pays every player."""
    keeper = mills.visitor()
    for marker, cells in (("Quality on the £2 row", ()), ("Quality on the £2 row", ()), ("Quality on the £2 row", ())):
        page = tap(keeper, desk(mills, keeper), marker, *cells)
        keeper.send(page.form("Save the turn"))
    page = tap(keeper, desk(mills, keeper), "Workers on the £2 row")
    assert "Then: Production of food cash A Anna" in page.text
    assert page.html.index("</h1>") < page.html.index('class="chart"') < page.html.index('class="comes-next"')
    page = tap(keeper, page, "Take a development tile")
    assert not [form for form in page.forms if "turn" in form.fields and "School" in " ".join(form.buttons)]
    page = tap(keeper, page, "School")
    assert "Dora: the turn is complete" in page.text
    assert 'class="comes-next"' in page.html
    assert page.form("Save the turn")


def test_done_says_what_it_keeps_and_a_choice_what_it_needs(open_game, app):
    names = ("Anna", "Ben", "Cleo")
    given = {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"}
    game = open_game(names, ruleset_id="water_frame", **given)
    game.play(12)
    before, board = (game.game.ruleset.typed_board(game.game.document, game.game.table) for _ in range(2))
    choosing = words.GAMES["water_frame"].choosing
    board.asked.clear()
    board.start = 0
    said = {
        "cycle_end": "Keep the charisma: Ben starts",
        "school_first": "Keep the row open",
        "final_exchange": "Stop trading",
        "marker": None,
    }
    with app.test_request_context():
        for stage, label in said.items():
            board.stage = stage
            assert choosing.declines is not None
            assert choosing.declines(board, names) == ({} if label is None else {"done": label})
        board.players[1].shares -= 1
        board.players[1].loans += 2
        assert choosing.turn is not None
        assert [choosing.turn.in_need(before, board, seat) for seat in (0, 1)] == ["", "−1 share, +2 loans"]
