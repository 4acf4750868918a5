"""Entries that the record page refuses or changes: repeated, too late, illegal."""

from __future__ import annotations

import json
import secrets
from threading import Thread
from typing import Any

import pytest

from tests.web.conftest import Form, Opened, VisitedPage, Visitor
from tests.web.recording.desk import desk, press, save_page

# --- the same entry twice, and too late ------------------------------------------------------------------------------


def test_a_double_click_writes_once(friday):
    keeper = friday.visitor()
    form = desk(friday, keeper, kind="run").form("Save")
    step = friday.step
    assert keeper.send(form).status == keeper.send(form).status == 200
    assert friday.step == step + 1


def test_two_buttons_pressed_at_once_are_both_recorded(open_game):
    game = open_game()
    keeper = game.visitor()
    page = desk(game, keeper)
    press(keeper, page, "R1")
    second = press(keeper, page, "M2")
    assert second.status == 409
    assert game.step == 1


def test_late_player_sees_what_happened_and_keeps_the_choice(friday):
    keeper = friday.visitor()
    form = desk(friday, keeper, kind="run").form("Save")
    friday.decide(0, type="develop", card="M1")
    step = friday.step
    page = keeper.send(form)
    assert page.status == 409
    assert "Someone else recorded in the meantime 8 Anna develops M1: the factory is at level 1" in page.text
    assert "Your decision was not saved. Is it still right?" in page.text
    assert friday.step == step
    save_page(keeper, page)
    assert friday.step == step + 1
    assert friday.game.entries[-1].event.decision == {"type": "run"}


def test_a_choice_that_is_no_longer_possible_says_why(friday):
    keeper = friday.visitor()
    form = desk(friday, keeper, kind="run").form("Save")
    friday.decide(0, type="end_turn")
    page = keeper.send(form)
    assert page.status == 409
    assert "Run the factory: it is the turn of Ben MP-4.1.1" in page.text


def test_concurrent_phones_write_one_decision_each_and_lose_none(friday):
    """Eight phones press the same button at the same moment: one is written, seven get a message."""
    forms = []
    for _ in range(8):
        somebody = friday.visitor()
        forms.append((somebody, desk(friday, somebody, kind="run").form("Save")))
    step, statuses = friday.step, []

    def press(somebody: Visitor, form: Form) -> None:
        statuses.append(somebody.send(form).status)

    threads = [Thread(target=press, args=item) for item in forms]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + [409] * 7
    assert friday.step == step + 1


def test_cached_page_with_other_content_does_not_count_as_saved(friday):
    keeper, before = friday.visitor(), friday.step
    for _ in range(2):
        keeper.post(f"{friday.path}/note", text="a long evening", about_step="7", key="kept")
        assert friday.step == before + 1
    page = keeper.post(f"{friday.path}/note", text="a good evening", about_step="7", key="kept")
    assert "Nothing was saved" in page.text
    assert friday.step == before + 1


# --- refusals --------------------------------------------------------------------------------------------------------


def post_decision(game: Opened, seat: int, decision: Any, /, **more: str) -> VisitedPage:
    keeper = game.visitor()
    return keeper.post(
        f"{game.path}/record",
        **{
            "seat": str(seat),
            "decision": json.dumps(decision),
            "at": str(game.step),
            "key": secrets.token_hex(4),
            **more,
        },
    )


def test_refused_decision_names_the_rule_and_the_alternatives(friday):
    step = friday.step
    page = post_decision(friday, 0, {"type": "buy_stock", "colour": "red"})
    assert page.status == 422
    assert "Buy a certificate: a red certificate costs $2, and the player has $0 MP-4.2.1" in page.text
    assert "or correct the board" in page.text
    assert friday.step == step


@pytest.mark.parametrize(
    "decision",
    [{}, {"type": "fly"}, {"type": "run", "colour": "red"}, {"type": "develop", "card": 1}, [], "run", None, 7],
)
def test_what_is_no_decision_is_not_read(friday, decision):
    assert post_decision(friday, 0, decision).status == 400


@pytest.mark.parametrize(
    "more",
    [
        {"seat": "x"},
        {"seat": ""},
        {"at": "x"},
        {"at": "-"},
        {"at": "9" * 30},
        {"seat": "²"},
        {"decision": "{"},
        {"decision": "[" * 20_000},
        {"key": ""},
        {"key": "x" * 65},
        {"key": "a b"},
    ],
)
def test_broken_fields_are_not_read(friday, more):
    step = friday.step
    assert post_decision(friday, 0, {"type": "run"}, **more).status == 400
    assert friday.step == step


def test_a_seat_that_does_not_exist_is_not_read(friday):
    assert post_decision(friday, 9, {"type": "run"}).status == 400


def test_a_step_of_the_future_is_refused(friday):
    assert post_decision(friday, 0, {"type": "run"}, at=str(friday.step + 5)).status == 422


def test_strange_addresses_show_the_desk(friday):
    keeper = friday.visitor()
    for query in (
        {"kind": "fly"},
        {"seat": "99"},
        {"kind": "develop", "d.card": "{"},
        {"kind": "develop", "d.x": "1"},
        {"kind": "develop", "d.card": '"M2"'},
        {"kind": "run", "d.": ""},
    ):
        page = desk(friday, keeper, **query)
        assert page.status == 200
        assert "Anna: 2 actions left" in page.text
