"""Practice games, simulated from a seed."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from msgspec import Meta

from daybook.domain.kernel.field_types import Seed
from daybook.domain.kernel.frozen import Exact
from daybook.services.play.practice import QuickLevel
from daybook.services.play.practice_games import record_practice_game
from daybook.services.play.recording import SeatedPerson
from daybook.web.api.answers import Opened
from daybook.web.api.base import book, section
from daybook.web.api.game_links import opened_answer
from daybook.web.api.keys import opening_key
from daybook.web.api.requests import OnceSecret, RulesetId
from daybook.web.api.rulesets import known_ruleset
from daybook.web.request.counts import take
from daybook.web.request.long_work import takes_long

practice = section("Practice", "Practice games, dealt from a seed.")


class NewPractice(Exact):
    ruleset: RulesetId
    seats: Annotated[int, Meta(ge=1, le=20)]
    seed: Seed  # the same seed plays the same game
    options: dict[str, Any] = {}
    level: QuickLevel = "chance"  # of all players; chance: any legal decision, steady: plays for points


@practice.route("/practice", methods=["POST"])
@practice.arguments(OnceSecret, location="headers")
@practice.arguments(NewPractice)
@practice.answers(201, Opened, "the game and its links", fails=(400, 404, 413, 415, 422, 429, 503))
@takes_long("POST")
def simulate(headers: OnceSecret, body: NewPractice) -> Opened:
    """Simulate a practice game

    Practice players of one level play it to its end from the seed. It stays marked as practice. Everyone with its link
    sees the whole game.
    """
    ruleset = known_ruleset(body.ruleset)
    colours = ruleset.colours(book().sheets.printed_sheet(ruleset.id))[: body.seats]
    receipt = record_practice_game(
        book(),
        ruleset_id=ruleset.id,
        title=f"{ruleset.title}: practice {body.seed}",
        players=[SeatedPerson(f"Player {seat + 1}", colour) for seat, colour in enumerate(colours)],
        options=body.options,
        seed=body.seed,
        level=body.level,
        key=opening_key(headers.key),
        admit=partial(take, "game"),
    )
    return opened_answer(receipt)
