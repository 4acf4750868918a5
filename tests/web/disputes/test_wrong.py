"""Something is wrong: each person at the table finds their own actions, from every step."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from daybook.domain.commands import Close, Correct, RaiseClaim, Resolution, TakeBack
from daybook.domain.corrections import correctable, sealed_since
from daybook.domain.disputes import claims, open_claims, settled_state, standing_step
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import ClaimRaised, DecisionRecorded, Move
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import KEEPER, TABLE
from daybook.services.disputes.claims import proposed_resolutions
from daybook.services.disputes.corrections import compute_correction_plan
from daybook.services.league.results import result_states
from daybook.services.play.recording import turn_steps
from daybook.services.play.replay import legal_decisions, select_steps
from daybook.services.store.read_models import build_game_row
from daybook.web.disputes import side_by_side
from daybook.web.words import sentence
from daybook.web.words.dispute_words import turn_label
from daybook.web.words.written_game import read_game, write_game
from tests.web.conftest import Opened, Visitor
from tests.web.games.test_score_sheet import opened_by

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
    assert ways_offered(friday, friday.visitor("seat", 2), step) == {"It was mistyped", "A rule was broken"}


def test_what_no_longer_stands_is_claimed_about_or_counted(friday):
    friday.play(6)
    step, keeper = friday.step, friday.visitor()
    keeper.press(f"{friday.path}/record", "Undo")
    if friday.step == step:
        keeper.post(f"{friday.path}/undo", to_step=str(step - 1), at=str(step), cause="table", why="x", key="k")
    assert friday.step == step + 1
    assert ways_offered(friday, keeper, step) == {"A rule was broken", "Count it"}


FIRST_CHOICES = ("It was mistyped", "Something else came up", "It never happened", "The figure should be")


def first_choice_expected(game: Game, step: int) -> str:
    event, before = (game.entries[n].event for n in (step, game.parents[step]))
    if not isinstance(event, DecisionRecorded) or (event.closed_periods and len(event.decision) == 1):
        return "The figure should be"
    if event.seat == TABLE:
        return "Something else came up" if len(event.decision) > 1 else "It was mistyped"
    twice = isinstance(before, DecisionRecorded) and (before.seat, before.decision) == (event.seat, event.decision)
    return "It never happened" if twice else "It was mistyped"


@pytest.mark.parametrize("ruleset_id", ["making_profit", "london_markets", "water_frame", "arkwright_card"])
def test_first_choice_is_the_likeliest_mistake_of_a_step(open_game, ruleset_id):
    game = open_game(ruleset_id=ruleset_id)
    game.play(60, seed=2)
    seat, keeper = game.visitor("seat", 0), game.visitor()
    for step in (*range(1, game.step, 4), game.step):
        for visitor in (seat, keeper):
            links = [says for says, _ in visitor.get(f"{game.path}/wrong", step=step).links]
            first = next(says for says in links if says.startswith(FIRST_CHOICES))
            assert first.startswith(first_choice_expected(game.game, step)), (step, links)


def test_step_entered_twice_is_left_out(open_game):
    game = open_game(ruleset_id="arkwright_card")
    game.play(lambda grown: _is_twice(grown, grown.step), seed=1)
    step = game.step
    assert _is_twice(game.game, step)
    seat, keeper = game.visitor("seat", 1), game.visitor()
    page = seat.get(seat.get(f"{game.path}/wrong", step=step).link("It never happened"))
    seat.send(page.form("Propose it"))
    keeper.press(f"{game.path}/record", "Save the correction")
    assert step in game.game.struck_steps() and not open_claims(game.game)


def test_second_claim_on_a_corrected_step_says_what_counts_now(open_game):
    game = open_game(ruleset_id="london_markets")
    game.play(24, seed=1)
    step, keeper, numbers = game.step, game.visitor(), list[int]()
    for seat, choice in ((0, 0), (1, -1)):
        visitor = game.visitor("seat", seat)
        links = [href for _, href in visitor.get(f"{game.path}/mistyped", step=step).links if "/claims/new" in href]
        visitor.send(visitor.get(links[choice]).form("Propose it"))
        numbers.append(game.step)
    keeper.press(f"{game.path}/claims/{numbers[0]}", "Save the correction")
    now = standing_step(game.game, step)
    for visitor in (keeper, game.visitor("seat", 1)):
        page = visitor.get(f"{game.path}/claims/{numbers[1]}")
        assert f"Step {step} was corrected. Step {now} is what counts now." in page.text
        assert page.link("Continue recording").endswith("/record")


@pytest.mark.parametrize("role", ["seat", "scorekeeper"])
def test_end_of_a_sheets_round_leads_to_its_figures(book, app, visitor, role):
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    game.play(lambda grown: grown.entries[-1].event.closed_periods if grown.step > 1 else False, seed=1)
    person = game.visitor(role, 1 if role == "seat" else None)
    page = person.get(person.get(f"{game.path}/wrong", step=game.step).link("The figure should be"))
    assert page.status == 200 and 'name="n.1.' in page.html


def _is_twice(game: Game, step: int) -> bool:
    return step > 1 and first_choice_expected(game, step) == "It never happened"


def test_a_closed_game_is_claimed_about(friday):
    friday.play(400)
    assert friday.game.status == "closed"
    assert ways_offered(friday, friday.visitor("seat", 0), 9) == {"It was mistyped", "A rule was broken"}
    assert ways_offered(friday, friday.visitor(), 9) == {"It was mistyped", "A rule was broken"}


@pytest.mark.parametrize("step", ["999", "-1", "x"])
def test_a_step_that_is_not_there(friday, step):
    assert friday.visitor().get(f"{friday.path}/wrong", step=step).status in (400, 404)


def test_who_only_reads_has_nothing_to_say(friday):
    assert friday.visitor("reader").get(f"{friday.path}/wrong", step=3).status == 403
    assert "/wrong" not in friday.visitor("reader").get(friday.path).html


def test_seat_proposes_a_mistyped_step_and_keeper_saves_it(friday):
    friday.play(20)
    step = next(step for step in reversed(correctable(friday.game)[:-3]) if friday.game.entries[step].event.seat >= 0)
    recorded = friday.game.entries[step].event
    seat, keeper = friday.visitor("seat", 2), friday.visitor()
    listed = seat.get(seat.get(f"{friday.path}/wrong", step=step).link("It was mistyped"))
    meant = next(href for _, href in listed.links if "c=" in href and not leads_to(href, recorded.decision))
    form = seat.get(meant).form("Propose it")
    assert form.fields["statement"] == "It was mistyped"
    claim = seat.send(form)
    assert claim.status == 200 and "It should be:" in claim.text
    assert "Save the correction" not in claim.text and f"{friday.path}/correct" not in claim.html
    raised = friday.game.entries[-1].event
    assert isinstance(raised, ClaimRaised) and [move.seat for move in raised.moves] == [recorded.seat]
    plan = keeper.get(keeper.get(f"{friday.path}/claims/{raised.step}").link("See every change"))
    assert build_game_row(friday.game, friday.step, 0)["claims_open"] == 1
    page = keeper.get(f"{friday.path}/claims/{raised.step}")
    assert "Withdraw the claim" not in page.text, "only its author withdraws it"
    saved = keeper.send(next(form for form in plan.forms if "digest" in form.fields), do="write")
    assert saved.answer.request.path == f"{friday.path}/record"
    corrected = next(
        entry.event for entry in friday.game.entries if getattr(entry.event, "corrects_step", None) == step
    )
    assert corrected.decision == raised.moves[0].decision
    assert build_game_row(friday.game, friday.step, 0)["claims_open"] == 0
    page = seat.get(f"{friday.path}/claims/{raised.step}")
    assert f"Settled: step {step} was replaced as" in page.text
    assert "Save the correction" not in page.text and "Withdraw the claim" not in page.text
    assert settled_state(friday.game, claims(friday.game)[raised.step]) == "mended"
    friday.write(TakeBack(corrected.step - 1, "mistyped", "no"))
    assert settled_state(friday.game, claims(friday.game)[raised.step]) == "struck", "the correction was undone"


def leads_to(href: str, decision: dict[str, object]) -> bool:
    packed = parse_qs(urlsplit(href).query)["c"][0]
    return any(
        move.decision == decision
        for resolution in side_by_side.unpack_resolutions(packed).values()
        for move in resolution.moves
    )


@pytest.mark.parametrize(("role", "status"), [("reader", 403), ("seat", 404)])
def test_proposal_needs_a_seat_and_a_step_that_counts(friday, role, status):
    visitor = friday.visitor(role, 0 if role == "seat" else None)
    assert visitor.get(f"{friday.path}/mistyped", step=0).status == status


def test_proposed_hidden_decision_is_redacted_for_others(open_game):
    markets = open_game(("Anna", "Ben", "Cleo", "Dora"), ruleset_id="london_markets", hands="hidden")
    while markets.game.board.stage != "offers":
        markets.play(1, seed=markets.step)
    markets.play(2, seed=3)
    sealed = sealed_since(markets.game)
    assert sealed is not None
    seat = markets.visitor("seat", 0)
    assert seat.get(f"{markets.path}/mistyped", step=sealed).status == 404
    assert "It was mistyped" not in {says for says, _ in seat.get(f"{markets.path}/wrong", step=sealed).links}
    offer = markets.game.entries[sealed].event
    claim = RaiseClaim(sealed, "It was mistyped", seat=offer.seat, moves=[Move(offer.seat, offer.decision)])
    markets.write(claim, by=f"seat:{offer.seat}")
    other = (offer.seat + 1) % 4
    (shown,) = select_steps(markets.game, other, [markets.step])
    assert all(move["decision"] != offer.decision for move in shown.entry["moves"])
    (own,) = select_steps(markets.game, offer.seat, [markets.step])
    assert own.entry["moves"][0]["decision"] == offer.decision


@pytest.mark.parametrize(("role", "page"), [("seat", "mistyped"), ("scorekeeper", "correct")])
def test_mistyped_figure_asks_for_this_cell(book, app, visitor, role, page):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    step = game.decide(0, type="enter", line="birds", value=3)
    person = game.visitor(role, 0 if role == "seat" else None)
    asked = person.get(person.get(f"{game.path}/wrong", step=step).link("The figure should be …"))
    assert "Birds" in asked.text and "Eggs" not in asked.text and "Leaves early" not in asked.text
    form = next(form for form in asked.forms if "figure" in form.fields)
    for text, fault in (
        ("x", "is not a whole number, a half"),
        ("3", "The record says 3 already"),
        ("-1", "Birds is from 0 to"),
    ):
        refused = person.get(f"{game.path}/{page}", **form.fields | {"figure": text})
        assert refused.status == 422 and fault in refused.text, text
    corrected = person.get(f"{game.path}/{page}", **form.fields | {"figure": "10+2"})
    assert "Birds: 12" in corrected.text and corrected.status == 200


def kind_of(game: Opened, step: int) -> str:
    return game.game.entries[step].event.decision["type"]


def test_legal_decision_entered_by_form_is_taken(open_game):
    game = open_game(("Anna", "Ben", "Cleo", "Dora"), ruleset_id="london_markets", hands="open")
    while not (offers := [step for step in correctable(game.game) if kind_of(game, step) == "offer"]):
        game.play(1, seed=game.step)
    while game.game.board.stage == "offers":
        game.play(1, seed=game.step)
    step = offers[0]
    keeper = game.visitor()
    form = keeper.get(keeper.get(f"{game.path}/correct", step=step).link("Enter other values"))
    (entered,) = (form for form in form.forms if any(name.startswith("n.") for name in form.fields))
    legal = keeper.get(f"{game.path}/correct", **entered.fields)
    assert keeper.get(legal.link("Continue")).status == 200


def test_claim_without_default_fields_is_mended_as_proposed(book, app, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    step = game.decide(0, type="enter", line="birds", value=3)
    moves = [Move(0, {"type": "enter", "line": "birds", "value": 2})]
    number = game.write(RaiseClaim(step, "mistyped", seat=0, moves=moves), by="seat:0").step
    plan = compute_correction_plan(book, game.id, {step: Resolution(moves)})
    game.write(Correct({step: Resolution(moves)}, "typo", plan.digest), at=game.step)
    assert settled_state(game.game, claims(game.game)[number]) == "mended"
    assert open_claims(game.game) == [] and open_claims(game.game, number) != []


def whole_turn(game: Opened) -> list[int]:
    """Play until a turn of several steps is over, and return its steps."""
    while True:
        game.play(1, seed=game.step)
        steps = turn_steps(game.game, game.step - 1)
        if len(steps) > 1 and game.step not in steps:
            return steps


def test_whole_turn_is_taken_back_or_claimed_from_its_first_step(open_game):
    game = open_game(("Anna", "Ben", "Cleo"), ruleset_id="water_frame")
    steps = whole_turn(game)
    keeper, seat = game.visitor(), game.visitor("seat", 1)
    page = keeper.get(f"{game.path}/wrong", step=steps[-1])
    assert f"turn, {len(steps)} steps" in page.text
    undo = keeper.get(page.link("Take back this whole turn"))
    assert f"Back to step {game.game.parents[steps[0]]}" in undo.text
    assert f"step={steps[0]}" in page.link("Correct it from its first step")
    page = seat.get(f"{game.path}/wrong", step=steps[-1])
    form = seat.get(page.link("Raise a claim on the whole turn")).form("Raise the claim")
    assert "whole turn is wrong" in form.fields["statement"]
    claim = seat.send(form)
    assert game.game.entries[-1].event.about_step == steps[0]
    assert f"turn, {len(steps)} steps" in claim.text
    assert keeper.get(f"{game.path}/claims/{game.step}").link("Correct step").endswith(f"step={steps[0]}")


def test_lm_4_1_1_turns_end_with_the_next_player(open_game):
    game = open_game(("Anna", "Ben", "Cleo"), ruleset_id="london_markets")
    while game.game.board.round < 3:
        game.play(20, seed=game.step)
    names, names_of_seats = {}, ("Anna", "Ben", "Cleo")
    for step in game.game.line_back():
        if (turn := turn_steps(game.game, step)) and step == turn[0]:
            names[turn_label(game.game, names_of_seats, turn).split(",")[0]] = turn
            events = [game.game.entries[step].event for step in turn]
            sealed = {event.decision["type"] == "offer" for event in events}
            assert len(sealed) == 1, "offers are a group of their own"
            assert sealed == {True} or len({event.seat for event in events}) == 1
            assert {turn_steps(game.game, step)[0] for step in turn} == set(turn[:1])
    offers = names["The offers (round 2)"]  # no auction in round 1: the market is closed
    listed = game.visitor().get(f"{game.path}/wrong", step=offers[0])
    assert len(offers) == 3 and "The offers (round 2), 3 steps" in listed.text


def test_answers_about_third_cards_belong_to_no_turn(open_game):
    game = open_game()
    game.deal("R1 R1 R1 R1 M1 M2")
    game.decide(1, type="third_card", claimed=True)
    game.decide(TABLE, type="drawn", card="M2")
    develops = [game.decide(0, type="develop", card="R1") for _ in range(2)]
    assert [turn_steps(game.game, develops[0] - back) for back in (2, 1, 0)] == [[], [], develops]


def test_seat_proposes_that_a_step_is_left_out(friday):
    friday.play(20)
    step = next(step for step in reversed(correctable(friday.game)[:-3]) if friday.game.entries[step].event.seat >= 0)
    seat = friday.visitor("seat", 2)
    listed = seat.get(f"{friday.path}/mistyped", step=step)
    form = seat.get(listed.link("It never happened: leave it out")).form("Propose it")
    assert form.fields["statement"] == "This step never happened"
    assert seat.send(form).status == 200
    raised = friday.game.entries[-1].event
    assert (raised.about_step, raised.moves, raised.leaves_out, raised.last_step) == (step, [], True, None)
    keeper = friday.visitor()
    claim = keeper.get(f"{friday.path}/claims/{raised.step}")
    assert f"says: leave out step {step}" in claim.text
    assert "no longer fits" in claim.text and claim.form("Save the correction")
    assert "left out" in keeper.get(claim.link("See every change")).text
    notice = keeper.get(f"{friday.path}/record")
    assert "It needs one more decision" in notice.text and "Save the correction" not in notice.text
    keeper.send(claim.form("Save the correction"))
    assert settled_state(friday.game, claims(friday.game)[raised.step]) == "mended"


def test_seat_proposes_that_a_whole_turn_is_left_out(open_game):
    game = open_game(("Anna", "Ben", "Cleo"), ruleset_id="water_frame")
    steps, seat = whole_turn(game), game.visitor("seat", 1)
    listed = seat.get(f"{game.path}/wrong", step=steps[-1])
    seat.send(seat.get(listed.link("It never happened")).form("Propose it"))
    number = game.step
    raised = game.game.entries[number].event
    assert (raised.about_step, raised.last_step, raised.leaves_out) == (steps[0], steps[-1], True)
    assert proposed_resolutions(game.game, claims(game.game)[number]) == dict.fromkeys(steps, Resolution())
    game.write(TakeBack(game.game.parents[steps[-1]], "mistyped", "x"))
    assert settled_state(game.game, claims(game.game)[number]) == "open", "only its last step is gone"
    game.write(TakeBack(game.game.parents[steps[0]], "mistyped", "x"))
    assert settled_state(game.game, claims(game.game)[number]) == "mended"


@pytest.mark.parametrize(
    "fields",
    [
        {"last_step": 2},
        {"last_step": 3},
        {"last_step": 99},
        {"leaves_out": True, "moves": [Move(0, {"type": "develop", "card": "R1"})]},
    ],
)
def test_claim_with_a_contradictory_proposal_is_refused(friday, fields):
    friday.play(6)
    with pytest.raises(Refused):
        friday.write(RaiseClaim(3, "not so", **fields))


@pytest.mark.parametrize("corrected", [True, False])
def test_corrected_figure_is_disputed_back_to_its_old_value(book, app, visitor, corrected):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    first = game.decide(0, type="enter", line="birds", value=0)
    if corrected:
        correct(book, game, first, Move(0, {"type": "enter", "line": "birds", "value": 3}))
    else:
        game.decide(0, type="enter", line="birds", value=3)
    seat, keeper = game.visitor("seat", 0), game.visitor()
    page = seat.get(f"{game.path}/wrong", step=first)
    assert f"Step {first} was corrected. Step {game.step} is what counts now." in page.text
    asked = seat.get(page.link("The figure should be …"))
    form = next(form for form in asked.forms if "figure" in form.fields)
    assert form.fields["figure"] == "3"
    proposed = seat.get(f"{game.path}/mistyped", **form.fields | {"figure": "0"})
    seat.send(proposed.form("Propose it"))
    number = game.step
    page = keeper.get(f"{game.path}/claims/{number}")
    assert "Anna says: Anna’s Birds is 0, not 3" in page.text
    assert "Birds: 0" in keeper.get(page.link("See every change")).text
    saved = keeper.press(f"{game.path}/record", "Save the correction")
    assert "The correction is saved: Anna Points −3" in saved.text
    assert settled_state(game.game, claims(game.game)[number]) == "mended"


def test_result_of_a_correction_names_points_before_lines(book, app, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    game.decide(0, type="enter", line="birds", value=3)
    step = game.decide(0, type="clear", line="birds")
    moves = [Move(0, {"type": "enter", "line": "birds", "value": 4})]
    game.write(RaiseClaim(step, "4", seat=0, moves=moves), by="seat:0")
    keeper = game.visitor()
    assert "Anna says: Anna’s Birds is 4, not empty" in keeper.get(f"{game.path}/record").text
    assert "saved: Anna Points +4" in keeper.press(f"{game.path}/record", "Save the correction").text


def test_typed_claim_on_a_corrected_figure_is_about_what_counts_now(book, app, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    old = game.decide(0, type="enter", line="birds", value=0)
    new = game.decide(0, type="enter", line="birds", value=3)
    seat = game.visitor("seat", 1)
    seat.send(seat.get(f"{game.path}/type").form("Save"), text=f"claim on {old}: it was 0", do="record")
    (claim,) = open_claims(game.game)
    assert claim.raised.about_step == old
    page = game.visitor().get(f"{game.path}/claims/{claim.number}")
    assert f"Ben says about step {new}" in page.text and page.link(f"Correct step {new}").endswith(f"step={new}")


def test_later_step_that_a_correction_makes_redundant_is_left_out(book, app, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    first = game.decide(0, type="enter", line="birds", value=0)
    game.decide(0, type="enter", line="birds", value=3)
    instead = {first: Resolution([Move(0, {"type": "enter", "line": "birds", "value": 3})])}
    plan = compute_correction_plan(book, game.id, instead)
    assert plan.stop is None and [carried.fate for carried in plan.carried] == ["new", "already_so"]


@pytest.mark.parametrize("ruleset", ["making_profit", "water_frame", "arkwright_card", "london_markets"])
def test_corrected_step_is_disputed_back_to_what_it_was(open_game, book, ruleset):
    game = open_game(
        ("Anna", "Ben", "Cleo"), ruleset_id=ruleset, **({"hands": "open"} if ruleset == "london_markets" else {})
    )
    game.play(25)
    old, move = first_alternative(game)
    before = game.game.entries[old].event
    correct(book, game, old, move)
    new = standing_step(game.game, old)
    assert game.game.entries[new].event.decision == move.decision
    back = [Move(before.seat, before.decision)]
    number = game.write(RaiseClaim(old, "it was right", seat=0, moves=back), by="seat:0").step
    assert settled_state(game.game, claims(game.game)[number]) == "open"
    instead = proposed_resolutions(game.game, claims(game.game)[number])
    assert instead == {new: Resolution(back)}
    correct(book, game, new, *back)
    assert settled_state(game.game, claims(game.game)[number]) == "mended"


def correct(book, game: Opened, step: int, *moves: Move) -> None:
    plan = compute_correction_plan(book, game.id, {step: Resolution([*moves])})
    game.write(Correct({step: Resolution([*moves])}, "typo", plan.digest), at=game.step)


def first_alternative(game: Opened) -> tuple[int, Move]:
    """Return the newest step with another legal decision, and that decision."""
    for step in reversed(correctable(game.game)):
        event = game.game.entries[step].event
        for decision in legal_decisions(game.game, game.game.parents[step], event.seat, KEEPER):
            if decision != event.decision and decision["type"] == event.decision["type"]:
                return step, Move(event.seat, decision)
    raise AssertionError


def test_claim_on_a_figure_is_settled_by_another_figure_in_its_cell(book, app, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    step = game.decide(0, type="enter", line="birds", value=3)
    number = game.write(RaiseClaim(step, "it was 12", seat=0), by="seat:0").step
    game.decide(1, type="enter", line="birds", value=12)
    assert [claim.number for claim in open_claims(game.game)] == [number], "another player's cell"
    changed = game.decide(0, type="enter", line="birds", value=12)
    assert settled_state(game.game, claims(game.game)[number]) == "changed" and open_claims(game.game) == []
    assert open_claims(game.game, changed - 1) != []
    page = game.visitor("seat", 0).get(f"{game.path}/claims/{number}")
    assert "Settled: the scorekeeper changed it to 12" in page.text
    assert "How it can be settled" not in page.text and "Withdraw the claim" not in page.text
    assert "Settled: the scorekeeper changed it to 12" in game.visitor().get(f"{game.path}/claims").text
    plan = compute_correction_plan(
        book, game.id, {step + 2: Resolution([Move(1, {"type": "enter", "line": "birds", "value": 9})])}
    )
    game.write(
        Correct({step + 2: Resolution([Move(1, {"type": "enter", "line": "birds", "value": 9})])}, "typo", plan.digest),
        at=game.step,
    )
    assert settled_state(game.game, claims(game.game)[number]) == "changed", "the change was copied"
    second = game.write(RaiseClaim(step, "no", seat=0), by="seat:0").step
    assert settled_state(game.game, claims(game.game)[second]) == "open", "the change was before this claim"
    game.decide(0, type="enter", line="birds", value=3)
    assert settled_state(game.game, claims(game.game)[number]) == "open", "the disputed figure is back"


def test_last_turns_are_listed_to_choose_the_wrong_step(open_game):
    game = open_game(("Anna", "Ben", "Cleo"), ruleset_id="water_frame")
    steps = whole_turn(game)
    for visitor in (game.visitor(), game.visitor("seat", 1)):
        assert f"{game.path}/wrong" in [href for _, href in visitor.get(f"{game.path}/record").links]
        listed = visitor.get(f"{game.path}/wrong")
        leads = [href for _, href in listed.links if "/wrong?step=" in href and "list" not in href]
        chosen = [int(href.split("=")[1]) for href in leads]
        assert chosen == sorted(chosen, reverse=True) and {*steps} <= {*chosen}
        assert f"turn, {len(steps)} steps" in listed.text
        earlier = visitor.get(listed.link("Earlier turns"))
        assert f"Step {chosen[-1] - 1}" in earlier.text and f"Step {chosen[-1]}\n" not in earlier.text
        assert visitor.get(leads[0]).link("It is another step")


def test_struck_step_of_the_replay_is_listed_with_those_before(friday):
    friday.play(6)
    friday.write(TakeBack(friday.step - 2, "table", "no"))
    struck = friday.step - 1
    listed = friday.visitor().get(f"{friday.path}/wrong", step=struck, list="yes")
    assert f"undone by step {friday.step}" in listed.text and f"Step {struck - 2}" in listed.text


def test_figure_of_another_player_opens_its_proposal(book, app, visitor):
    game = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    game.decide(0, type="enter", line="tricks", value=1)
    game.decide(0, type="enter", line="tricks", value=0)
    ben = game.visitor("seat", 1)
    desk = ben.get(f"{game.path}/record")
    (cell,) = {href for _, href in desk.links if "/mistyped?" in href}
    asked = ben.get(cell)
    assert asked.link("Something else is wrong").endswith(f"step={game.step}")
    form = next(form for form in asked.forms if "figure" in form.fields)
    claim = ben.send(ben.get(f"{game.path}/mistyped", **form.fields | {"figure": "1"}).form("Propose it"))
    assert "Ben says: Anna’s Tricks in round 1 is 1, not 0" in claim.text
    assert "Save the correction" not in ben.get(f"{game.path}/record").text
    saved = game.visitor().press(f"{game.path}/record", "Save the correction")
    assert "The correction is saved" in saved.text and open_claims(game.game) == []
    assert ben.get(f"{game.path}/mistyped", seat=2, line="tricks", round=1).status == 404


def test_proposal_is_not_saved_after_the_game_went_on(book, app, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    step = game.decide(0, type="enter", line="birds", value=3)
    moves = [Move(0, {"type": "enter", "line": "birds", "value": 2})]
    number = game.write(RaiseClaim(step, "mistyped", seat=0, moves=moves), by="seat:0").step
    keeper = game.visitor()
    form = keeper.get(f"{game.path}/record").form("Save the correction")
    game.decide(1, type="enter", line="birds", value=9)
    assert keeper.send(form).status == 409 and [claim.number for claim in open_claims(game.game)] == [number]
    assert keeper.press(f"{game.path}/claims/{number}", "Save the correction").status == 200
    assert settled_state(game.game, claims(game.game)[number]) == "mended"


def test_seat_cannot_save_a_proposal(book, app, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    step = game.decide(0, type="enter", line="birds", value=3)
    number = game.write(RaiseClaim(step, "no", seat=0, leaves_out=True), by="seat:0").step
    seat = game.visitor("seat", 0)
    assert "waiting for the scorekeeper" in seat.get(f"{game.path}/claims/{number}").text.lower()
    assert seat.post(f"{game.path}/claims/{number}/accept", at=str(game.step), key="k").status == 403


def closed_sheet(app, book, visitor) -> tuple[Opened, int]:
    """Return a closed score sheet, and the step of Anna's figure."""
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    step = game.decide(0, type="enter", line="birds", value=3)
    game.decide(1, type="enter", line="birds", value=5)
    game.decide(0, type="end_game")
    if game.game.status != "closed":
        game.write(Close())
    return game, step


def test_closed_game_is_corrected_as_proposed_and_closed_again(book, app, visitor):
    game, step = closed_sheet(app, book, visitor)
    seat, keeper, before = game.visitor("seat", 0), game.visitor(), game.step
    asked = seat.get(seat.get(f"{game.path}/wrong", step=step).link("The figure should be …"))
    form = next(form for form in asked.forms if "figure" in form.fields)
    seat.send(seat.get(f"{game.path}/mistyped", **form.fields | {"figure": "9"}).form("Propose it"))
    number = game.step
    page = keeper.get(f"{game.path}/claims/{number}")
    assert "Saving opens it, corrects it and closes it again." in page.text
    for path in ("", "/score"):
        assert "Anna says: Anna’s Birds is 9, not 3" in keeper.get(game.path + path).text
    saved = keeper.press(game.path, "Save the correction")
    assert "Anna wins now" in saved.text and saved.answer.request.path == game.path
    assert game.game.status == "closed" and open_claims(game.game) == []
    written = [type(entry.event).__name__ for entry in game.game.entries[before + 2 :]]
    assert (written[0], written[-1]) == ("GameReopened", "GameClosed")
    assert [state.cause for state in result_states(game.game)][-1] == "corrected"
    with app.test_request_context():
        found = read_game("\n".join(write_game(game.game, "Friday", ["Anna", "Ben"])), game.game.entries[-1].event.at)
    assert (found.left, found.wrong) == ("", None) and found.game.document == game.game.document


def test_closed_game_that_a_correction_unfinishes_stays_open(book, app, visitor):
    game, _ = closed_sheet(app, book, visitor)
    end = next(
        entry.step
        for entry in reversed(game.game.entries)
        if getattr(entry.event, "decision", {}).get("type") == "end_game"
    )
    keeper = game.visitor()
    page = keeper.get(f"{game.path}/correct", c=side_by_side.pack_resolutions({end: Resolution()}))
    assert "it is not over, and it stays open" in page.text
    keeper.send(next(form for form in page.forms if "digest" in form.fields), do="write")
    assert game.game.status == "running"


def test_offer_is_named_in_claims_and_the_log_once_revealed(open_game):
    game = open_game(("Anna", "Ben", "Cleo"), ruleset_id="london_markets")
    while "offer" not in {
        event.decision["type"] for event in [game.game.entries[-1].event] if hasattr(event, "decision")
    }:
        game.play(1, seed=game.step)
    first, keeper = game.step, game.visitor()
    seat = game.game.entries[first].event.seat
    offer = say_offer(game, first)
    for page in (f"{game.path}/record", f"{game.path}/why?step={first}", f"{game.path}?step={first}"):
        assert "seals an offer" in keeper.get(page).text
        assert offer not in keeper.get(page).text, "it is sealed"
    while game.game.board.stage == "offers" and game.game.board.auction == 1:
        game.play(1, seed=game.step)
    for page in (f"{game.path}/record", f"{game.path}/why?step={first}"):
        assert offer in keeper.get(page).text
    assert "unseen card" not in keeper.get(f"{game.path}/why", step=first).text
    assert "(2 times)" not in keeper.get(f"{game.path}/record").text
    game.write(RaiseClaim(first, "it was 2 soap", moves=[Move(seat, {"type": "offer", "soap": 2})]))
    assert f"not “{offer}”" in keeper.get(f"{game.path}/claims/{game.step}").text


def say_offer(game: Opened, step: int) -> str:
    """Return the sentence of an offer that everyone has seen."""
    event = game.game.entries[step].event
    cards = {goods: n for goods, n in event.decision.items() if goods != "type" and n}
    shown = {
        "type": "offer_shown",
        "rule": "LM-4.7.3",
        "seat": event.seat,
        "cards": cards,
        "null": "" if cards else "empty",
    }
    return sentence("london_markets", shown, ("Anna", "Ben", "Cleo"))


def test_proposal_with_an_illegal_step_before_shows_pages(friday):
    """A claim may insert what the rules forbid: pages of the scorekeeper still open, and save nothing."""
    step = friday.game.line()[-1]
    recorded = friday.game.entries[step].event
    moves = [Move((recorded.seat + 1) % 3, recorded.decision), Move(recorded.seat, recorded.decision)]
    number = friday.write(RaiseClaim(step, "one was forgotten", seat=0, moves=moves), by="seat:0").step
    keeper = friday.visitor()
    for page in ("record", f"claims/{number}", f"wrong?step={step}"):
        assert keeper.get(f"{friday.path}/{page}").status == 200, page
    keeper.get(keeper.get(f"{friday.path}/claims/{number}").link("Complete the correction"))
