"""A claim whose step is undone needs no ruling; a ruled claim's banner shows the ruling."""

from __future__ import annotations

from daybook.domain.commands import Correct, RaiseClaim, RuleOnClaim, TakeBack
from daybook.domain.disputes import open_claims
from daybook.services.disputes import umpires
from tests.web.conftest import Opened
from tests.web.recording.desk import desk
from tests.web.replay.test_struck import longest_correction


def claimed(game: Opened) -> tuple[int, int]:
    """A step, and the number of the claim on it."""
    step = game.decide(0, type="develop", card="R2")
    return step, game.write(RaiseClaim(step, "not so")).step


def test_claim_on_an_undone_step_asks_for_no_ruling(friday):
    step, number = claimed(friday)
    keeper = friday.visitor()
    assert "claims-open" in desk(friday, keeper).html
    friday.write(TakeBack(friday.game.parents[step], "mistyped"))
    assert open_claims(friday.game) == []
    assert "claims-open" not in desk(friday, keeper).html
    page = keeper.get(f"{friday.path}/claims/{number}")
    assert "The step was undone, so there is nothing to rule on" in page.text
    assert "How it can be settled" not in page.text and "Withdraw the claim" not in page.text
    assert "The step was undone" in keeper.get(f"{friday.path}/claims").text
    friday.write(TakeBack(step, "mistyped"))
    assert "claims-open" in desk(friday, keeper).html, "redone, it is asked again"


def test_claim_on_a_copied_step_stays_open(open_game):
    game = open_game()
    game.play(40)
    instead, plan = longest_correction(game)
    old = plan.carried[-1].old
    number = game.write(RaiseClaim(old, "not so")).step
    fixed = game.write(RaiseClaim(next(iter(instead)), "mistyped")).step
    instead, plan = longest_correction(game)
    game.write(Correct(instead, "another colour", plan.digest), at=game.step)
    assert {claim.number for claim in open_claims(game.game)} == {number}, "the corrected step itself is gone"
    assert fixed not in [claim.number for claim in open_claims(game.game)]


def test_banner_of_a_ruled_claim_says_the_ruling(friday):
    _, number = claimed(friday)
    umpires.name_umpire(friday.book, friday.id, "Uli", by="scorekeeper", key="name-the-umpire")
    friday.write(RuleOnClaim(number, "play_on", "so it is", umpire=0, appeal_hours=24), at=friday.step)
    assert "ruled: Keep it as recorded" in desk(friday).text
