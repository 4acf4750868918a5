"""Recording at the table, with forms and links alone: every decision, every refusal, every way back."""

from __future__ import annotations

import json
import re
import secrets
from html import unescape
from random import Random
from threading import Thread
from typing import Any

import pytest

from daybook.domain.commands import Adjust
from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import (
    BoardAdjusted,
    DecisionsTakenBack,
    GameAbandoned,
    GameClosed,
    GameReopened,
    NoteAdded,
)
from daybook.domain.kernel.terms import TABLE
from daybook.services.play import recording, replay
from tests.web.conftest import NAMES, Form, Opened, Page, Visitor, with_three_unseen_cards


def desk(game: Opened, somebody: Visitor | None = None, **query: Any) -> Page:
    return (somebody or game.visitor()).get(f"{game.path}/record", **query)


def choices(page: Page) -> list[str]:
    """What the buttons of the page offer, in their order."""
    found = []
    for kind, attributes, inside in re.findall(
            r'<(?:a|button) class="(pick|cell)\b([^>]*)>(.*?)</(?:a|button)>', page.html, re.S):
        named = re.search(r'aria-label="([^"]*)"', attributes)
        label = named[1] if named else inside.split("<span>")[-1].split("<")[0]
        found.append(unescape(label.partition(",")[0] if kind == "cell" else label).strip())
    return found


def press(somebody: Visitor, page: Page, says: str) -> Page:
    """The page after a button or a link that says this."""
    for form in page.forms:
        if "decision" in form.fields and any(says in button for button in form.buttons):
            return somebody.send(form)
    return somebody.get(next(href for words, href in page.links if says in words and "/record?" in href))


def wholly(page: Page) -> bool:
    """Whether a decision is chosen as a whole."""
    return any("Save" in form.buttons for form in page.forms)


def save_page(somebody: Visitor, page: Page) -> Page:
    return somebody.send(page.form("Save"))


# --- who must decide what --------------------------------------------------------------------------------------------


def test_the_header_says_who_decides_and_the_figures_that_matter(friday: Opened) -> None:
    page = desk(friday)
    assert "Anna: 2 actions left money $0 certificates 2 level 0 cards in hand 2 would score $0" in page.text
    assert "round 1, turn 1" in page.text


def test_before_the_first_turn_the_table_is_asked(open_game) -> None:
    game = open_game()
    keeper = game.visitor()
    page = desk(game, keeper)
    assert "The table: Anna draws 2 cards: name one of them" in page.text
    assert choices(page) == ["R1", "R2", "M1", "M2"]
    page = press(keeper, page, "M2")
    assert "Anna draws M2 MP-4.7.1" in page.text
    assert "Anna draws a card: name it" in page.text


def test_kinds_stand_in_the_rulesets_order_with_what_they_leave_to_choose(friday: Opened) -> None:
    page = desk(friday)
    assert choices(page) == [
        "Develop R2", "Develop M1", "Put a red certificate up for sale", "Run the factory", "End the turn"]
    assert "Develop a card R2 2 resources M1 $1 each" in page.text


def test_a_usual_decision_is_one_tap_and_undone_with_another(friday: Opened) -> None:
    keeper, step = friday.visitor(), friday.step
    page = press(keeper, desk(friday, keeper), "Develop R2")
    assert friday.step == step + 1
    assert "Anna develops R2: the factory is at level 1 MP-4.4.1" in page.text
    assert "Anna: 1 action left" in page.text
    page = keeper.send(page.form(f"Undo step {step + 1}: it was mistyped"))
    assert "Anna: 2 actions left" in page.text


def test_what_spreads_is_looked_at_before_it_is_written(friday: Opened) -> None:
    """Money in several purses is harder to call back than a card in front of one player (MP-4.5.3)."""
    friday.decide(0, type="develop", card="M1")
    friday.decide(0, type="end_turn")
    left = friday.game.document["bank"]["red"]
    recording.write(
        friday.book, friday.id, Adjust({"/players/1/certificates/red": 1, "/bank/red": left - 1}, "sold", "table"),
        at=friday.step, by="scorekeeper", key="red")
    for seat, card in ((1, "R2"), (2, "M1")):
        friday.decide(seat, type="develop", card=card)
        friday.decide(seat, type="end_turn")
    keeper, step = friday.visitor(), friday.step
    page = press(keeper, desk(friday, keeper), "Run the factory")
    assert friday.step == step
    assert "Ben is paid $1 for 1 certificate: $1 MP-4.5.3" in page.text
    save_page(keeper, page)
    assert friday.step == step + 1


def test_a_decision_without_a_choice_is_one_tap(friday: Opened) -> None:
    keeper = friday.visitor()
    press(keeper, desk(friday, keeper), "End the turn")
    assert friday.game.entries[-1].event.decision == {"type": "end_turn"}


def test_cards_that_nobody_sees_are_told_one_by_one(open_game) -> None:
    """In any order, three taps, where a list of all sets would have thirty-five lines."""
    game = with_three_unseen_cards(open_game)
    keeper, step = game.visitor(), game.step
    page = desk(game, keeper)
    assert [one for one in choices(page) if "and others" in one] == [
        f"Sell {card} and others" for card in ("R1", "R2", "M1", "M2", "an unseen card")]
    page = keeper.get(next(href for says, href in page.links if says.startswith("M2")))
    assert choices(page) == ["R1", "R2", "M1", "M2", "Unseen"]
    assert "So far: M2" in page.text
    page = press(keeper, page, "R1")
    assert "So far: R1 and M2" in page.text
    press(keeper, page, "M2")
    assert game.step == step + 1
    assert game.game.entries[-1].event.decision == {"type": "sell_resources", "cards": ["R1", "M2", "M2"]}


def test_who_looks_before_a_decision_sees_all_that_it_changes(friday: Opened) -> None:
    keeper = friday.visitor()
    page = desk(friday, keeper, seat=0, kind="develop", **{"d.card": '"R2"'})
    assert "Anna develops R2: the factory is at level 1 MP-4.4.1" in page.text
    assert "A Anna level 0 1 +1 A Anna cards in hand 2 1 −1 A Anna would score $0 $2 +$2" in page.text
    step = friday.step
    page = save_page(keeper, page)
    assert friday.step == step + 1
    assert "Anna: 1 action left" in page.text


def test_kinds_that_are_closed_say_the_rule_and_why(friday: Opened) -> None:
    text = desk(friday).text
    assert "Buy a certificate a red certificate costs $2; there is $0 MP-4.2.1" in text
    assert "Sell what is put up no certificate is in the sale MP-4.3.1" in text


def test_a_sale_is_put_together_tap_by_tap(friday: Opened) -> None:
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    page = press(keeper, desk(friday, keeper), "Put a red certificate up for sale")
    assert choices(page) == ["Put a red certificate up for sale", "Sell what is put up"]
    page = press(keeper, page, "Put a red certificate up for sale")
    assert "Anna: a sale: 2 red" in page.text
    page = press(keeper, page, "Sell what is put up")
    assert "Anna sells 2 red certificates: 2 × $1 = $2 MP-4.3.3" in page.text
    assert friday.game.board.players[0].money == 2


def test_several_seats_may_decide_and_one_is_chosen(open_game) -> None:
    game = open_game()
    game.deal("R1 R1 R1 R1 M1 M2")
    keeper = game.visitor()
    assert game.game.ruleset.course.to_act(game.game.board) == (0, 1)
    page = desk(game, keeper)
    assert "Anna: 2 actions left" in page.text
    page = keeper.get(page.link("B Ben"))
    assert "Ben: a third card?" in page.text
    assert choices(page) == ["Show two R1 and take a third card", "No third card"]
    press(keeper, page, "Show two R1")
    assert "Ben shows two R1 and takes a third card MP-3.2.2" in desk(game, keeper).text


@pytest.mark.parametrize("hands", ["open", "hidden"])
@pytest.mark.parametrize("ruleset", [id for id, rules in RULESETS.items() if hasattr(rules.types.options(), "hands")])
def test_a_whole_game_is_recorded_by_pressing_what_is_offered(open_game, ruleset: str, hands: str) -> None:
    """Whatever is pressed, the page offers it and writes it down, until the game is over and closed."""
    game = open_game(NAMES[: RULESETS[ruleset].seats[0]], ruleset=ruleset, hands=hands)
    keeper, random = game.visitor(), Random(8)
    page = desk(game, keeper)
    for _ in range(3000):
        if not game.game.ruleset.course.to_act(game.game.board):
            break
        page = pressed_somehow(game, keeper, page, random)
        assert page.status == 200
    assert "The game is over" in page.text
    page = keeper.send(page.form("Close the record"))
    assert "This game is finished" in page.text
    assert isinstance(game.game.entries[-1].event, GameClosed)
    assert game.step > 10


def pressed_somehow(game: Opened, keeper: Visitor, page: Page, random: Random) -> Page:
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


def test_every_legal_decision_can_be_reached(open_game) -> None:
    """On many boards of many games: whoever follows the questions finds each legal decision, and nothing else."""
    game = open_game()
    keeper = game.visitor()
    for seed in (1, 2):
        game.play(25, seed)
        if not game.game.ruleset.course.to_act(game.game.board):
            break
        for seat in game.game.ruleset.course.to_act(game.game.board):
            legal = replay.legal(game.game, None, seat)
            assert in_order(decisions_behind(keeper, game, desk(game, keeper, seat=seat))) == in_order(legal)


def in_order(decisions: list[Any]) -> list[str]:
    return sorted(json.dumps(decision, sort_keys=True) for decision in decisions)


def decisions_behind(somebody: Visitor, game: Opened, page: Page) -> list[Any]:
    """The decisions that a page and the pages behind its links come to, each once: a set of cards is told in any order.
    """
    if wholly(page):
        return [json.loads(page.form("Save").fields["decision"])]
    at_once = [json.loads(form.fields["decision"]) for form in page.forms if "decision" in form.fields]
    further = [href for _, href in page.links if "kind=" in href]
    behind = [decision for href in further for decision in decisions_behind(somebody, game, somebody.get(href))]
    return [json.loads(one) for one in dict.fromkeys(map(json.dumps, at_once + behind))]


def test_a_bar_of_the_set_up_is_placed_with_one_tap(open_game) -> None:
    """Where it lies in its layer matters to the picture alone: nobody is asked for it (LM-4.2.8)."""
    game = open_game(ruleset="london_markets", hands="hidden")
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
    assert "A bar at Borough, place 3" in chosen.text, "an address can say it all the same"


# --- seats -----------------------------------------------------------------------------------------------------------


def test_a_seat_records_its_own_decisions(friday: Opened) -> None:
    anna = friday.visitor("seat", 0)
    press(anna, desk(friday, anna), "Run the factory")
    assert friday.game.writers[-1] == "seat:0"


def test_a_seat_that_waits_sees_whose_turn_it_is(friday: Opened) -> None:
    page = desk(friday, friday.visitor("seat", 1))
    assert "Anna: to decide" in page.text
    assert choices(page) == []
    assert "Run the factory it is Anna’s turn MP-4.1.1" in page.text


def test_a_seat_does_not_record_for_another(friday: Opened) -> None:
    ben, step = friday.visitor("seat", 1), friday.step
    page = ben.post(f"{friday.path}/record", seat="0", decision='{"type": "run"}', at=str(step), key="k")
    assert page.status == 403
    assert "You cannot record for that seat" in page.text
    assert friday.step == step


def test_a_seat_records_what_the_table_shows(friday: Opened) -> None:
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="run")
    ben = friday.visitor("seat", 1)
    page = press(ben, desk(friday, ben), "M1")
    assert "Anna draws" in page.text
    assert friday.game.writers[-1] == "seat:1"


def test_a_seat_sees_no_other_hand(friday: Opened) -> None:
    text = desk(friday, friday.visitor("seat", 1)).text
    assert "Anna draws unseen" in text or "Anna draws 1 card" in text
    assert "Anna draws R2" not in text
    assert "Ben draws R2" in text


# --- the same entry twice, and too late ------------------------------------------------------------------------------


def test_a_double_click_writes_once(friday: Opened) -> None:
    keeper = friday.visitor()
    form = desk(friday, keeper, kind="run").form("Save")
    step = friday.step
    assert keeper.send(form).status == keeper.send(form).status == 200
    assert friday.step == step + 1


def test_two_different_buttons_pressed_at_once_do_not_swallow_each_other(open_game) -> None:
    game = open_game()
    keeper = game.visitor()
    page = desk(game, keeper)
    press(keeper, page, "R1")
    second = press(keeper, page, "M2")
    assert second.status == 409
    assert game.step == 1


def test_who_comes_too_late_sees_what_happened_and_keeps_the_choice(friday: Opened) -> None:
    keeper = friday.visitor()
    form = desk(friday, keeper, kind="run").form("Save")
    friday.decide(0, type="develop", card="M1")
    step = friday.step
    page = keeper.send(form)
    assert page.status == 409
    assert "Somebody else recorded meanwhile 8 Anna develops M1: the factory is at level 1" in page.text
    assert "Your decision was not saved. Is it still right?" in page.text
    assert friday.step == step
    save_page(keeper, page)
    assert friday.step == step + 1
    assert friday.game.entries[-1].event.decision == {"type": "run"}


def test_a_choice_that_is_no_longer_possible_says_why(friday: Opened) -> None:
    keeper = friday.visitor()
    form = desk(friday, keeper, kind="run").form("Save")
    friday.decide(0, type="end_turn")
    page = keeper.send(form)
    assert page.status == 409
    assert "Run the factory: it is Ben’s turn MP-4.1.1" in page.text


def test_many_phones_at_once_write_one_decision_each_and_lose_none(friday: Opened) -> None:
    """Eight phones press the same button at the same moment: one is written, seven are told."""
    forms = []
    for _ in range(8):
        somebody = friday.visitor()
        forms.append((somebody, desk(friday, somebody, kind="run").form("Save")))
    step, statuses = friday.step, []

    def press(somebody: Visitor, form: Form) -> None:
        statuses.append(somebody.send(form).status)

    threads = [Thread(target=press, args=one) for one in forms]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + [409] * 7
    assert friday.step == step + 1


def test_a_page_that_a_browser_kept_and_that_says_something_else_is_not_taken_for_written(friday: Opened) -> None:
    keeper, before = friday.visitor(), friday.step
    for _ in range(2):
        keeper.post(f"{friday.path}/note", text="a long evening", about="7", key="kept")
        assert friday.step == before + 1
    page = keeper.post(f"{friday.path}/note", text="a good evening", about="7", key="kept")
    assert "Nothing was saved" in page.text
    assert friday.step == before + 1


# --- refusals --------------------------------------------------------------------------------------------------------


def post_decision(game: Opened, seat: int, decision: Any, /, **more: str) -> Page:
    keeper = game.visitor()
    return keeper.post(f"{game.path}/record", **{
        "seat": str(seat), "decision": json.dumps(decision), "at": str(game.step), "key": secrets.token_hex(4), **more})


def test_a_refused_decision_says_the_rule_and_what_the_table_can_do(friday: Opened) -> None:
    step = friday.step
    page = post_decision(friday, 0, {"type": "buy_stock", "colour": "red"})
    assert page.status == 422
    assert "Buy a certificate: a red certificate costs $2; there is $0 MP-4.2.1" in page.text
    assert "or correct the board" in page.text
    assert friday.step == step


@pytest.mark.parametrize("decision", [
    {}, {"type": "fly"}, {"type": "run", "colour": "red"}, {"type": "develop", "card": 1}, [], "run", None, 7])
def test_what_is_no_decision_is_not_read(friday: Opened, decision: Any) -> None:
    assert post_decision(friday, 0, decision).status == 400


@pytest.mark.parametrize("more", [
    {"seat": "x"}, {"seat": ""}, {"at": "x"}, {"at": "-"}, {"at": "9" * 30}, {"seat": "²"}, {"decision": "{"},
    {"decision": "[" * 20_000}, {"key": ""}, {"key": "x" * 65}, {"key": "a b"}])
def test_broken_fields_are_not_read(friday: Opened, more: dict[str, str]) -> None:
    step = friday.step
    assert post_decision(friday, 0, {"type": "run"}, **more).status == 400
    assert friday.step == step


def test_a_seat_that_does_not_exist_is_not_read(friday: Opened) -> None:
    assert post_decision(friday, 9, {"type": "run"}).status == 400


def test_a_step_of_the_future_is_refused(friday: Opened) -> None:
    assert post_decision(friday, 0, {"type": "run"}, at=str(friday.step + 5)).status == 422


def test_strange_addresses_show_the_desk(friday: Opened) -> None:
    keeper = friday.visitor()
    for query in ({"kind": "fly"}, {"seat": "99"}, {"kind": "develop", "d.card": "{"}, {"kind": "develop", "d.x": "1"},
                  {"kind": "develop", "d.card": '"M2"'}, {"kind": "run", "d.": ""}):
        page = desk(friday, keeper, **query)
        assert page.status == 200
        assert "Anna: 2 actions left" in page.text


# --- the way back ----------------------------------------------------------------------------------------------------


def test_one_tap_takes_back_one_step_and_says_which_kind_of_slip_it_was(friday: Opened) -> None:
    keeper = friday.visitor()
    for says, cause in (("it was mistyped", "mistyped"), ("the table took it back", "table")):
        friday.decide(0, type="develop", card="R2")
        page = desk(friday, keeper)
        page = keeper.send(page.form(f"Undo step {friday.step}: {says}"))
        event = friday.game.entries[-1].event
        assert isinstance(event, DecisionsTakenBack)
        assert event.cause == cause
        assert "Anna: 2 actions left" in page.text
        assert f"undone by step {friday.step}" in page.text


def test_a_whole_turn_is_undone(friday: Opened) -> None:
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="develop", card="M1")
    page = keeper.get(desk(friday, keeper).link("Undo the whole turn"))
    assert "This strikes out 2 steps" in page.text
    page = keeper.send(page.form("Undo to step 7"), cause="table")
    assert "Anna: 2 actions left" in page.text


def test_undo_to_a_row_across_other_seats_needs_a_reason(friday: Opened) -> None:
    keeper = friday.visitor()
    friday.decide(0, type="end_turn")
    friday.decide(1, type="end_turn")
    page = keeper.get(desk(friday, keeper).link("undo to here"))
    page = keeper.get(f"{friday.path}/undo", to=7)
    assert "This undoes decisions of several seats, so say why" in page.text
    step = friday.step
    refused = keeper.send(page.form("Undo to step 7"))
    assert refused.status == 422
    assert "undoing decisions of several seats needs a reason" in refused.text
    assert friday.step == step
    keeper.send(refused.form("Undo to step 7"), why="Ben was not at the table")
    assert friday.game.entries[-1].event.why == "Ben was not at the table"


def test_a_seat_undoes_its_own_decisions_alone(friday: Opened) -> None:
    friday.decide(0, type="end_turn")
    ben, anna = friday.visitor("seat", 1), friday.visitor("seat", 0)
    assert "Undo" not in desk(friday, ben).text
    step = friday.step
    page = ben.post(f"{friday.path}/undo", to="7", cause="table", at=str(step), key="k")
    assert page.status == 403
    assert friday.step == step
    anna.send(desk(friday, anna).form("Undo step 8"))
    assert friday.step == step + 1


def test_an_undo_that_comes_too_late_undoes_nothing(friday: Opened) -> None:
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    form = desk(friday, keeper).form("Undo step 8")
    friday.decide(0, type="develop", card="M1")
    page = keeper.send(form)
    assert "The game has moved on meanwhile" in page.text
    assert friday.step == 9


def test_there_is_nothing_to_undo_in_a_game_just_opened(open_game) -> None:
    game = open_game()
    assert "Undo" not in desk(game).text
    assert game.visitor().get(f"{game.path}/undo", to=5).status == 404
    assert game.visitor().get(f"{game.path}/undo", to="x").status == 400


# --- something else happened -----------------------------------------------------------------------------------------


def test_a_note_is_kept_with_its_step(friday: Opened) -> None:
    anna = friday.visitor("seat", 0)
    page = anna.send(desk(friday, anna).form("Save the note"), text="Cleo spilt <b>tea</b>")
    event = friday.game.entries[-1].event
    assert isinstance(event, NoteAdded)
    assert (event.about, event.text, event.by) == (7, "Cleo spilt <b>tea</b>", "seat:0")
    assert "On step 7: Cleo spilt <b>tea</b>" in page.text
    assert "<b>tea</b>" not in page.html
    assert "Nothing was saved: the note is empty." in anna.send(desk(friday, anna).form("Save the note")).text


def adjusting(game: Opened) -> tuple[Visitor, Form]:
    keeper = game.visitor()
    return keeper, keeper.get(desk(game, keeper).link("Correct the board")).form("Correct the board")


def test_what_lies_wrong_is_put_right_with_a_reason(friday: Opened) -> None:
    keeper, form = adjusting(friday)
    keeper.send(form, **{"/players/1/money": "4", "why": "a dollar had rolled away"})
    event = friday.game.entries[-1].event
    assert isinstance(event, BoardAdjusted)
    assert event.changes == {"/players/1/money": [0, 4]}
    assert event.why == "a dollar had rolled away"
    assert "The record is corrected: Ben: money 0 → 4: a dollar had rolled away" in desk(friday, keeper).text


def test_an_adjustment_that_cannot_be_is_refused_by_its_rule_and_keeps_what_was_typed(friday: Opened) -> None:
    keeper, form = adjusting(friday)
    step = friday.step
    page = keeper.send(form, **{"/bank/red": "9", "why": "found one"})
    assert page.status == 422
    assert "there are 11 red certificates, not 10 (MP-7.2)" in page.text
    assert page.form("Correct the board").fields["/bank/red"] == "9"
    assert page.form("Correct the board").fields["why"] == "found one"
    assert friday.step == step


@pytest.mark.parametrize(("fields", "says"), [
    ({"/players/0/money": "lots", "why": "x"}, "write a whole number, not lots"),
    ({"/players/0/money": "", "why": "x"}, "write a whole number"),
    ({"/players/0/money": "99999999999999999999", "why": "x"}, "write a whole number"),
    ({"/players/0/money": "5", "why": " "}, "correcting the board needs a reason"),
    ({"/players/0/money": "-5", "why": "x"}, "the money of a player is below 0"),
    ({"why": "x"}, "the board is already like that"),
])
def test_an_adjustment_says_what_is_wrong_with_it(friday: Opened, fields: dict[str, str], says: str) -> None:
    keeper, form = adjusting(friday)
    page = keeper.send(form, **fields)
    assert page.status == 422
    assert says in page.text


def test_every_cause_that_a_table_can_see_has_a_field(friday: Opened) -> None:
    _, form = adjusting(friday)
    places = {name for name in form.fields if name.startswith("/")}
    assert {
        "/players/0/money", "/players/2/certificates/blue", "/players/1/hand/R1", "/players/0/factory", "/bank/green",
        "/deck/M2", "/discard/R1", "/developer"} <= places
    assert not {name for name in places if name.startswith("/stocks")}


def test_only_the_scorekeeper_puts_right_closes_gives_up_and_reopens(friday: Opened) -> None:
    anna, step = friday.visitor("seat", 0), friday.step
    assert anna.get(f"{friday.path}/adjust").status == 403
    for path in ("adjust", "close", "abandon", "reopen"):
        page = anna.post(f"{friday.path}/{path}", at=str(step), key="k", why="x", cause="table")
        assert page.status == 403, path
        assert "This is for the scorekeeper" in page.text
    assert friday.step == step


def test_a_game_is_given_up_and_opened_again(friday: Opened) -> None:
    keeper = friday.visitor()
    page = keeper.send(desk(friday, keeper).form("Give the game up"), why="it is late")
    assert isinstance(friday.game.entries[-1].event, GameAbandoned)
    assert "This game is given up" in page.text
    assert choices(page) == []
    page = keeper.send(page.form("Reopen it"), why="it is early")
    assert isinstance(friday.game.entries[-1].event, GameReopened)
    assert "Anna: 2 actions left" in page.text


def test_a_game_that_is_not_over_is_not_closed(friday: Opened) -> None:
    keeper = friday.visitor()
    page = keeper.post(f"{friday.path}/close", at=str(friday.step), key="k")
    assert "Nothing was saved: the game is not over" in page.text


def test_a_finished_game_shows_who_won_and_is_closed_by_the_scorekeeper(friday: Opened) -> None:
    for seat in range(3):
        friday.decide(seat, type="end_turn")
    keeper, ben = friday.visitor(), friday.visitor("seat", 1)
    page = desk(friday, keeper)
    assert "Nobody has developed a factory in the first round, which Anna began MP-4.8.3" in page.text
    assert "1 A Anna $0 1 B Ben $0 1 C Cleo $0" in page.text
    assert "The scorekeeper closes the record" in desk(friday, ben).text
    keeper.send(page.form("Close the record"))
    assert isinstance(friday.game.entries[-1].event, GameClosed)


def test_facts_of_the_table_are_never_undone_by_a_seat_that_did_not_see_them_matter(friday: Opened) -> None:
    """A draw follows from a decision: undoing both is undoing the seat's own decision."""
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="run")
    friday.decide(TABLE, type="drawn", card="M1")
    anna, ben = friday.visitor("seat", 0), friday.visitor("seat", 1)
    assert anna.get(f"{friday.path}/undo", to=8).status == 200
    assert ben.get(f"{friday.path}/undo", to=8).status == 403
