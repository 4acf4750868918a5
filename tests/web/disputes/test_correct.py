"""Correct a step far back with forms alone: the effect on later steps is previewed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from daybook.domain.commands import Resolution, TakeBack
from daybook.domain.corrections import correctable
from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import DecisionAsPlayed, DecisionRecorded, DecisionsTakenBack, Move
from daybook.domain.kernel.record import Game
from daybook.services.disputes.corrections import complete_correction, insert_forgotten_steps
from daybook.services.play.recording import step_before_correction, turn_steps
from daybook.web import words
from daybook.web.disputes import side_by_side
from tests.web.conftest import Opened, VisitedPage, Visitor

STOPS = 'class="notice stop"'  # on a page whose correction needs a decision


@pytest.fixture
def play_to(open_game: Callable[..., Opened]) -> Callable[[str], Opened]:
    def so_far(ruleset: str, steps: int = 45) -> Opened:
        game = open_game(ruleset_id=ruleset)
        game.play(steps)
        return game

    return so_far


def choices(page: VisitedPage) -> Iterator[str]:
    """Return the targets of the decisions that can be chosen for a step."""
    return (href for _, href in page.links if "?c=" in href)


def wrong(game: Game) -> int:
    """A step some way back that a seat decided."""
    return next(
        step
        for step in reversed(game.line()[:-8])
        if step and isinstance(game.entries[step].event, DecisionRecorded) and game.entries[step].event.seat >= 0
    )


def write(visitor: Visitor, page: VisitedPage, why: str = "it was mistyped") -> VisitedPage:
    form = next(form for form in page.forms if "digest" in form.fields)
    return visitor.send(form, do="write", why=why)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_step_is_told_anew_or_left_out_in_every_game(play_to, ruleset):
    game = play_to(ruleset)
    visitor, step = game.visitor(), wrong(game.game)
    page = visitor.get(f"{game.path}/correct", step=step)
    assert page.status == 200 and f"What really happened at step {step}?" in page.text
    for how in ("before", "stood"):
        assert visitor.get(f"{game.path}/correct", step=step, how=how).status == 200
    ways = list(choices(page))
    for href in [*ways[:6], ways[-1]]:
        plan = visitor.get(href)
        assert plan.status == 200
        fits = STOPS not in plan.html
        assert "Both versions" in plan.text and ("What it changes for every player" in plan.text) == fits
    assert game.step == 45
    assert write(visitor, plan, why="").status == 422 and game.step == 45
    visitor.post(f"{game.path}/note", about_step="3", text="meanwhile", key="k")
    late = write(visitor, plan)
    assert late.status == 422 and game.step == 46
    done = visitor.send(next(form for form in late.forms if "digest" in form.fields), do="write")
    assert done.status == 200
    back = game.game.entries[47].event
    assert isinstance(back, DecisionsTakenBack) and back.cause == "mistyped" and back.why == "it was mistyped"


def test_the_result_comes_first_and_the_rest_is_folded(play_to):
    game = play_to("making_profit", 400)
    assert game.game.status == "closed"
    visitor = game.visitor()
    visitor.post(f"{game.path}/reopen", why="a slip", key="again")
    shown = set[str]()
    for step in correctable(game.game)[-12:]:
        for href in choices(visitor.get(f"{game.path}/correct", step=step)):
            page = visitor.get(href)
            result = re.search(r'<p class="story result" role="status"><b>(.*?)</b>', page.html)
            if STOPS in page.html:
                assert result is None, "figures up to there are no result"
                continue
            assert result is not None and page.html.index(result[0]) < page.html.index("What happens to each step")
            shown.add(result[1])
            assert all(f'data-fold="{name}"><summary>' in page.html for name in ("steps", "figures", "boards"))
    assert any("still win" in text for text in shown) and any("$" in text for text in shown), shown


def test_the_replay_links_carried_steps_with_the_old_ones(play_to):
    game = play_to("making_profit")
    visitor = game.visitor()
    for step in reversed(correctable(game.game)):
        for href in choices(visitor.get(f"{game.path}/correct", step=step)):
            page = visitor.get(href)
            if "unchanged, now step" in page.text:
                break
        else:
            continue
        break
    write(visitor, page)
    carried = next(
        entry.event
        for entry in game.game.entries[46:]
        if isinstance(entry.event, DecisionRecorded) and entry.event.copied_from_step is not None
    )
    assert isinstance(carried, DecisionRecorded)
    replay = visitor.get(game.path, step=carried.step)
    assert "since a correction" not in replay.text, "its result is the same"
    assert replay.link(f"recorded again as step {carried.step}").startswith(f"?step={carried.step}")
    assert "mistyped; recorded by the scorekeeper: it was mistyped" in replay.text
    struck = visitor.get(f"{game.path}/undone-steps")
    assert "it was mistyped" in struck.text and "the scorekeeper" in struck.text


def test_where_it_stops_the_table_decides_step_by_step(play_to):
    game = play_to("making_profit")
    visitor = game.visitor()
    page = stopped_correction(visitor, game)
    assert "no longer fits" in page.text
    asked, becomes = page.html.index('<h2 id="there">'), page.html.index("What happens to each step")
    assert page.html.index("no longer fits") < asked < becomes, "the choice comes first"
    left_out = next(href for says, href in page.links if says.startswith("It never happened"))
    after = visitor.get(left_out)
    assert after.status == 200 and "left out" in after.text
    kept = next(href for says, href in page.links if says.startswith("Something the rules do not allow"))
    stood = visitor.get(kept)
    exactly = visitor.get(stood.link("It was played exactly as recorded"))
    form = next(form for form in exactly.forms if "looked" in form.fields)
    resolved = visitor.send(form, do="take")
    assert resolved.status == 200 and "What happens to each step" in resolved.text
    done = write(visitor, resolved)
    assert done.status == 200
    assert any(isinstance(entry.event, DecisionAsPlayed) for entry in game.game.entries[46:])


def stopped_correction(visitor: Visitor, game: Opened) -> VisitedPage:
    """A correction that stops somewhere."""
    for step in correctable(game.game)[8:]:
        for href in choices(visitor.get(f"{game.path}/correct", step=step)):
            page = visitor.get(f"{href}&by_hand=1")
            if STOPS in page.html:
                return page
    raise AssertionError("everything fits")


def test_what_is_left_is_entered_anew(play_to):
    game = play_to("making_profit")
    visitor = game.visitor()
    done = write(visitor, stopped_correction(visitor, game))
    assert "enter what really happened" in done.text
    game.play(3)


def test_correction_with_another_result_is_not_written(play_to):
    game = play_to("making_profit")
    visitor, step = game.visitor(), wrong(game.game)
    page = visitor.get(next(choices(visitor.get(f"{game.path}/correct", step=step))))
    form = next(form for form in page.forms if "digest" in form.fields)
    form.fields["digest"] = "0" * 32
    assert visitor.send(form, do="write", why="x").status == 422 and game.step == 45
    game.play(1, seed=4)
    assert "continued in the meantime" in write(visitor, page).text


@pytest.mark.parametrize(("role", "seat"), [("seat", 0), ("reader", None)])
def test_only_the_scorekeeper_corrects(friday, role, seat):
    visitor = friday.visitor(role, seat)
    step = correctable(friday.game)[-1]
    assert visitor.get(f"{friday.path}/correct", step=step).status == 403
    packed = side_by_side.pack_resolutions({step: Resolution()})
    assert visitor.get(f"{friday.path}/correct", c=packed).status == 403
    assert (
        visitor.post(
            f"{friday.path}/correct", c=packed, do="write", why="x", digest="", at=str(friday.step), key="k"
        ).status
        == 403
    )
    assert "/correct" not in visitor.get(friday.path).html


@pytest.mark.parametrize("sent", [{"c": "x"}, {"c": "eNo="}, {"step": "x"}, {"step": "3", "how": "fly"}])
def test_what_is_made_up_is_a_bad_request(friday, sent):
    assert friday.visitor().get(f"{friday.path}/correct", **sent).status == 400


def test_a_step_that_is_no_decision_is_not_corrected(friday):
    for step in ("0", "999"):
        page = friday.visitor().get(f"{friday.path}/correct", step=step)
        assert page.status == 422 and "not a decision or adjustment that still counts" in page.text


@pytest.mark.parametrize("ruleset", ["water_frame", "arkwright_card", "making_profit"])
def test_forgotten_step_is_asked_for_before_the_next(play_to, ruleset):
    game = play_to(ruleset, 60)
    visitor, page = game.visitor(), None
    for step in correctable(game.game)[5:40:3]:
        for href in [*choices(visitor.get(f"{game.path}/correct", step=step))][:4]:
            page = visitor.get(f"{href}&by_hand=1")
            if "What was decided before step" in page.text:
                break
        else:
            continue
        break
    assert page is not None and "something else has to be decided first" in page.text
    old = int(re.search(r"What was decided before step (\d+)", page.text)[1])
    event, kept = game.game.entries[old].event, 0
    for href in choices(page):
        resolution = side_by_side.unpack_resolutions(re.search(r"[?&]c=([\w-]+)", href)[1]).get(old)
        if resolution is not None and len(resolution.moves) > 1:
            assert resolution.moves[-1] == Move(event.seat, event.decision), "the recorded step stays"
            kept += 1
    assert kept


def test_undo_after_a_correction_undoes_the_correction(play_to):
    game = play_to("making_profit")
    visitor, before = game.visitor(), game.game.heads[-1]
    for step in correctable(game.game)[-4:]:
        for href in choices(visitor.get(f"{game.path}/correct", step=step)):
            page = visitor.get(href)
            if STOPS not in page.html and step_replaced(href, step):
                break
        else:
            continue
        break
    write(visitor, page)
    assert step_before_correction(game.game) == before
    desk = visitor.get(f"{game.path}/record")
    assert "Undo the correction" in desk.text
    game.write(TakeBack(before, "mistyped", "it was right"))
    assert game.game.heads[-1] == before and step_before_correction(game.game) is None


def step_replaced(href: str, step: int) -> bool:
    found = re.search(r"[?&]c=([\w-]+)", href)
    return found is not None and bool(side_by_side.unpack_resolutions(found[1]).get(step, Resolution()).moves)


def test_left_out_turn_is_saved_with_the_end_of_turns(play_to):
    """Leave out a turn in the middle: the page says what no longer fits, why, and saves the rest in one tap."""
    game = play_to("making_profit", 60)
    keeper = game.visitor()
    turns = {tuple(turn_steps(game.game, step)) for step in game.game.line()[:-3]}
    for turn in sorted(turn for turn in turns if turn and turn[-1] < game.step - 3):
        packed = side_by_side.pack_resolutions(dict.fromkeys(turn, Resolution()))
        page = keeper.get(f"{game.path}/correct", c=packed)
        if STOPS not in page.html and "no longer fits:" in page.text:
            break
    else:
        raise AssertionError("no turn can be left out")
    assert STOPS in keeper.get(page.link("Something else happened at step")).html
    assert page.form("Save the correction").fields["why"] == "This turn never happened"
    keeper.send(page.form("Save the correction"), do="write")
    assert game.game.heads[-1] > turn[-1] and not {*turn} & {*game.game.line()}


@pytest.mark.parametrize("ruleset", ["making_profit", "london_markets", "water_frame", "arkwright_card"])
def test_left_out_turn_is_only_ended_by_itself(play_to, ruleset):
    """A completion may end turns, but adds nothing else that a player would have done."""
    game, added, passes = play_to(ruleset, 60).game, set[str](), words.GAMES[ruleset].decisions.passes
    for turn in {tuple(turn_steps(game, step)) for step in game.line()[:-3]} - {()}:
        instead = dict.fromkeys(turn, Resolution())
        found, forced = complete_correction(game, instead, passes), insert_forgotten_steps(game, instead)
        for step, resolution in [] if found is None else found.instead.items():
            if step in forced or not resolution.moves:
                continue
            event = game.entries[step].event
            assert isinstance(event, DecisionRecorded) and resolution.moves[-1] == Move(event.seat, event.decision)
            added |= {move.decision["type"] for move in resolution.moves[:-1]}
    assert added <= passes
    assert added or ruleset != "making_profit", "in the other games a player has to act first"
