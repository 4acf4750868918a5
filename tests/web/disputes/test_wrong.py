"""Something is wrong: everybody at the table finds what is theirs to do about it, from every step."""

from __future__ import annotations

import pytest

from tests.web.conftest import Opened, Visitor

KEEPERS = {"It was mistyped", "A rule was broken", "Count it", "Undo it"}


def ways_offered(game: Opened, visitor: Visitor, step: int) -> set[str]:
    page = visitor.get(f"{game.path}/wrong", step=step)
    assert page.status == 200
    found = {says for says, _ in page.links}
    for says, href in page.links:
        if says.startswith(tuple(KEEPERS)):
            assert visitor.get(href).status == 200, href
    return {known for known in KEEPERS if any(says.startswith(known) for says in found)}


def test_each_step_on_the_desk_and_in_the_replay_leads_there(friday):
    friday.play(6)
    keeper = friday.visitor()
    desk = keeper.get(f"{friday.path}/record")
    leads = {href for says, href in desk.links if "wrong?step=" in href}
    assert {f"{friday.path}/wrong?step={step}" for step in range(friday.step - 2, friday.step + 1)} <= leads
    assert keeper.get(friday.path, step=5).form_to("/wrong").fields["step"] == "5"
    assert keeper.get(f"{friday.path}/why", step=5).link("Something is wrong").endswith("/wrong?step=5")


def test_the_scorekeeper_finds_every_way_and_a_seat_its_claim(friday):
    friday.play(6)
    step = friday.step - 2
    assert ways_offered(friday, friday.visitor(), step) == KEEPERS
    assert ways_offered(friday, friday.visitor("seat", 2), step) == {"A rule was broken"}


def test_what_no_longer_stands_is_claimed_about_or_counted(friday):
    friday.play(6)
    step, keeper = friday.step, friday.visitor()
    keeper.press(f"{friday.path}/record", "Undo")
    if friday.step == step:
        keeper.post(f"{friday.path}/undo", to_step=str(step - 1), at=str(step), cause="table", why="x", key="k")
    assert friday.step == step + 1
    assert ways_offered(friday, keeper, step) == {"A rule was broken", "Count it"}


def test_a_closed_game_is_claimed_about(friday):
    friday.play(400)
    assert friday.game.status == "closed"
    assert ways_offered(friday, friday.visitor("seat", 0), 9) == {"A rule was broken"}


@pytest.mark.parametrize("step", ["999", "-1", "x"])
def test_a_step_that_is_not_there(friday, step):
    assert friday.visitor().get(f"{friday.path}/wrong", step=step).status in (400, 404)


def test_who_only_reads_has_nothing_to_say(friday):
    assert friday.visitor("reader").get(f"{friday.path}/wrong", step=3).status == 403
    assert "/wrong" not in friday.visitor("reader").get(friday.path).html
