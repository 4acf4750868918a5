"""Games that nobody played, out of a seed."""

from __future__ import annotations

from typing import Any

from domain.record import Written
from services.clock import now
from services.games import folded_game
from services.practice import Dealer, play_out
from services.record import Player, Receipt, open_game
from web.api.answers import Opened
from web.api.base import book, section
from web.api.games import opened, refuse_another
from web.api.keys import opening_key
from web.api.rulesets import known
from web.api.schemas import OnceSecret, PracticeIn

practice = section("Practice", "Games played by a dealer with a seed, to try things on.")


@practice.route("/practice", methods=["POST"])
@practice.arguments(OnceSecret, location="headers")
@practice.arguments(PracticeIn)
@practice.answers(201, Opened, "the game and its links", fails=(400, 404, 413, 415, 422, 503))
def simulate(once: dict[str, Any], asked: dict[str, Any]) -> Opened:
    """Simulate a practice game

    Played to its end by legal decisions drawn with a seeded generator, and marked as practice for ever. It lies
    open to everybody who has its link.
    """
    ruleset = known(asked["ruleset"])
    colours = ruleset.colours(book().sheets.printed(ruleset.id))[: asked["seats"]]
    receipt = open_game(
        book(), ruleset=ruleset.id, title=f"{ruleset.title}: practice {asked['seed']}",
        players=[Player(f"Player {seat + 1}", colour) for seat, colour in enumerate(colours)],
        options=asked["options"], kind="practice", by="practice", key=opening_key(once["key"]))
    entries = book().log.entries(receipt.game)
    if receipt.repeated:
        refuse_another(book().games.get(receipt.game), ruleset.id, list(colours))
    if len(entries) == 1:  # all that follows is written at once
        game = folded_game(receipt.game, entries)
        book().log.append(*play_out(
            game, Dealer(asked["seed"]), lambda step: Written(now(), "practice", f"step-{step}")))
    played = book().games.get(receipt.game)
    return opened(Receipt(played.id, played.step, played.seal, receipt.repeated))
