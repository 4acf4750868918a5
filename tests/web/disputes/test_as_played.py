"""An illegal move that stood, with forms alone, in every game: entered, previewed and recorded."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import DecisionAsPlayed
from daybook.domain.kernel.terms import Seat
from daybook.web.recording import any_decision_form
from tests.web.conftest import Form, Opened, VisitedPage, Visitor

pytestmark = pytest.mark.slow


def tell_decision(visitor: Visitor, game: Opened, seat: Seat, kind: str) -> VisitedPage:
    """Tell a decision as the form begins with it."""
    page = visitor.get(f"{game.path}/as-played", seat=seat, kind=kind)
    form = next((form for form in page.forms if form.method == "get" and "kind" in form.fields), None)
    return page if form is None else visitor.get(form.action, **form.fields)


def finding(page: VisitedPage) -> Form | None:
    """Return the form with the places whose decision the rules refuse."""
    return next((form for form in page.forms if "looked" in form.fields), None)


def stuck_to(game: Opened) -> Seat:
    """Return the seat whose decisions the rules refuse now, or the first seat."""
    acting = game.game.ruleset.course.to_act(game.game.board)
    return next((seat for seat in range(3) if seat not in acting), 0)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_kind_of_decision_can_be_told(open_game, ruleset):
    game = open_game(ruleset_id=ruleset)
    game.play(40)
    visitor, seat, found = game.visitor(), stuck_to(game), 0
    for kind in any_decision_form.kinds_of_game(game.game):
        page = tell_decision(visitor, game, seat, kind)
        assert page.status == 200
        assert "What the rules say against it" in page.text or "The rules allow this" in page.text or page.forms
        found += finding(page) is not None or "The rules allow this" in page.text
    assert found > len(any_decision_form.kinds_of_game(game.game)) // 2


@pytest.mark.parametrize("ruleset", ["water_frame", "arkwright_card"])
def test_told_decision_can_be_changed_in_part(open_game, ruleset):
    game = open_game(ruleset_id=ruleset)
    game.play(40)
    visitor, seat, changed = game.visitor(), stuck_to(game), 0
    for kind in {*any_decision_form.kinds_of_game(game.game)[::4], "event_custom"} & {
        *any_decision_form.kinds_of_game(game.game)
    }:
        looked = tell_decision(visitor, game, seat, kind)
        written = finding(looked)
        if written is None:
            continue
        again = visitor.get(looked.link("Change it"))
        form = next((form for form in again.forms if form.method == "get" and "kind" in form.fields), None)
        if form is None:  # nothing is asked of it
            continue
        decided = finding(visitor.get(form.action, **form.fields))
        assert decided is not None and decided.fields["decision"] == written.fields["decision"], kind
        changed += 1
    assert changed


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_is_written_down_after_a_look_and_the_game_goes_on(open_game, ruleset):
    game = open_game(ruleset_id=ruleset)
    game.play(40)
    visitor, seat = game.visitor(), stuck_to(game)
    form = next(
        form
        for kind in any_decision_form.kinds_of_game(game.game)
        if (form := finding(tell_decision(visitor, game, seat, kind))) is not None
    )
    at_first = visitor.send(form, do="write", why="everybody let it pass")
    looked = finding(at_first)
    assert looked is not None and looked.fields["looked"], at_first.text
    assert game.step == 40
    without = visitor.send(looked, do="write", why="")
    assert without.status == 422 and "Say why you let it stand" in without.text
    page = visitor.send(looked, do="write", why="everybody let it pass")
    event = game.game.entries[41].event
    assert page.status == 200 and isinstance(event, DecisionAsPlayed)
    assert event.why == "everybody let it pass" and event.objections
    assert "Against the rules, but the table let it stand" in page.text
    assert visitor.get(f"{game.path}/why", step=41).status == 200
    assert visitor.get(f"{game.path}/record").status == 200


def test_what_lay_otherwise_is_put_by_hand_and_shown(friday):
    visitor = friday.visitor()
    form = finding(tell_decision(visitor, friday, 1, "end_turn"))
    assert form is not None
    looked = finding(visitor.send(form, do="look", **{"/players/1/money": "7"}))
    assert looked is not None
    changed = visitor.send(looked, do="write", why="so it was", **{"/players/1/money": "8"})
    assert friday.step == friday.game.step and "Save it as played" in changed.text
    again = finding(changed)
    assert again is not None
    page = visitor.send(again, do="write", why="so it was")
    event = friday.game.entries[-1].event
    assert isinstance(event, DecisionAsPlayed) and event.values == {"/players/1/money": 8}
    assert friday.game.document["players"][1]["money"] == 8
    assert "Entered by hand: Ben" in page.text


def test_what_cannot_lie_there_is_said_and_nothing_is_written(friday):
    visitor, step = friday.visitor(), friday.step
    form = finding(tell_decision(visitor, friday, 1, "end_turn"))
    assert form is not None
    page = visitor.send(form, do="write", why="so", **{"/players/1/money": "much"})
    assert page.status == 422 and "whole number" in page.text and friday.step == step


def test_what_the_rules_allow_is_recorded_as_it_is(friday):
    allowed = msgspec.json.encode(friday.game.ruleset.legal(friday.game.board, 0)[0]).decode()
    page = friday.visitor().get(f"{friday.path}/as-played", seat=0, decision=allowed)
    assert "The rules allow this" in page.text and finding(page) is None
    assert parse_qs(urlsplit(page.link("Record it")).query) == {"seat": ["0"]}


def test_a_refusal_at_recording_leads_there(friday):
    visitor = friday.visitor()
    page = visitor.post(
        f"{friday.path}/record", seat="1", decision='{"type": "end_turn"}', at=str(friday.step), key="k"
    )
    assert page.status == 422
    assert finding(visitor.get(page.link("It was played anyway"))) is not None


def test_it_can_be_told_without_a_refusal(friday):
    page = friday.visitor().get(friday.path + "/record")
    assert friday.visitor().get(page.link("Record it as played")).status == 200


@pytest.mark.parametrize(("role", "seat"), [("seat", 0), ("reader", None)])
def test_only_the_scorekeeper_insists(friday, role, seat):
    visitor = friday.visitor(role, seat)
    assert visitor.get(f"{friday.path}/as-played").status == 403
    assert (
        visitor.post(
            f"{friday.path}/as-played",
            seat="1",
            decision='{"type": "end_turn"}',
            do="write",
            why="x",
            at=str(friday.step),
            key="k",
        ).status
        == 403
    )


@pytest.mark.parametrize(
    "sent",
    [
        {"seat": "7"},
        {"seat": "x"},
        {"seat": "0", "kind": "fly"},
        {"seat": "0", "decision": "{"},
        {"seat": "0", "decision": '{"type": "fly"}'},
    ],
)
def test_what_is_made_up_is_a_bad_request(friday, sent):
    assert friday.visitor().get(f"{friday.path}/as-played", **sent).status == 400
