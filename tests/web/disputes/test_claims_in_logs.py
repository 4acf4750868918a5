"""Claims and corrections in the lists of steps: a line for each, with the rest folded."""

from __future__ import annotations

import re

from daybook.domain.commands import ConsentToRuling, Correct, ProposeRuling, RaiseClaim, Resolution, WithdrawClaim
from daybook.domain.kernel.events import Move
from daybook.services.disputes.corrections import compute_correction_plan
from tests.web.conftest import Opened
from tests.web.games.test_score_sheet import opened_by
from tests.web.recording.desk import desk
from tests.web.recording.test_recent_turns import lines
from tests.web.replay.test_struck import longest_correction


def settle_by_consent(game: Opened) -> int:
    number = game.write(RaiseClaim(3, "one coin too many", seat=1), by="seat:1").step
    proposal = game.write(ProposeRuling(number, "play_on", seat=0), by="seat:0").step - 1
    for seat in range(1, len(game.game.opening.seats)):
        game.write(ConsentToRuling(number, proposal, seat), by=f"seat:{seat}")
    return number


def test_settled_claim_is_one_line_with_a_fold(friday):
    friday.play(6)
    number = settle_by_consent(friday)
    page = desk(friday)
    newest, before = lines(page)[:2]
    assert (
        newest == (f"Claim on step 3: one coin too many · Ruled on claim {number}: what was played stands")
        and "laim" not in before
    )
    fold = re.search(r'<details class="turn-line">(.*?)</details>', page.html, re.DOTALL)
    assert fold and "agrees to the proposal" in fold[1] and f"Claim {number} is closed" in fold[1]


def test_withdrawn_claim_says_so_in_its_line(friday):
    friday.play(6)
    number = friday.write(RaiseClaim(3, "no", seat=1), by="seat:1").step
    friday.write(WithdrawClaim(number), by="seat:1")
    assert lines(desk(friday))[0] == f"Claim on step 3: no · Claim {number} is withdrawn"


def test_struck_steps_of_a_correction_fold_in_the_ledger(open_game):
    game = open_game()
    game.play(40)
    instead, plan = longest_correction(game)
    back = game.write(Correct(instead, "another colour", plan.digest), at=game.step).step - len(plan.carried)
    same = [carried.step for carried in plan.carried if carried.fate == "same"]
    page = game.visitor().get(game.path, step=back)
    struck = {int(step) for step in re.findall(r'id="step-(\d+)"[^>]*class="[^"]* struck"', page.html)}
    assert struck == {*game.game.struck_steps()} and f"{len(struck)} struck-out steps: show or hide" in page.text
    rows = {step: re.search(rf'id="step-{step}".*?</tbody>', page.html, re.DOTALL) for step in same}
    assert len(same) > 1 and not [step for step, row in rows.items() if row is None or "first recorded" in row[0]]


def test_correction_is_one_line_of_the_log_that_says_what_stands(book, app, visitor):
    game = opened_by(app, book, visitor, "Wingspan", "Anna", "Ben")
    step = game.decide(0, type="enter", line="birds", value=3)
    game.decide(1, type="enter", line="birds", value=5)
    instead = {step: Resolution([Move(0, {"type": "enter", "line": "birds", "value": 4})])}
    plan = compute_correction_plan(book, game.id, instead)
    game.write(Correct(instead, "typo", plan.digest), at=game.step)
    assert f"Step {step} is corrected: typo. The rest is unchanged (1 step)." in lines(desk(game))
