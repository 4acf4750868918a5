"""Games that nobody played, out of a seed."""

from __future__ import annotations

from functools import partial

from daybook.services.play.practice_games import record_practice_game
from daybook.services.play.recording import SeatedPerson
from daybook.web.api.answers import Opened
from daybook.web.api.base import Sent, book, section
from daybook.web.api.envelopes.games import OnceSecret, PracticeIn
from daybook.web.api.games import opened_answer
from daybook.web.api.keys import opening_key
from daybook.web.api.rulesets import known_ruleset
from daybook.web.request.counts import take
from daybook.web.request.long_work import takes_long

practice = section("Practice", "Games played by a dealer with a seed, to try things on.")


@practice.route("/practice", methods=["POST"])
@practice.arguments(OnceSecret, location="headers")
@practice.arguments(PracticeIn)
@practice.answers(201, Opened, "the game and its links", fails=(400, 404, 413, 415, 422, 429, 503))
@takes_long("POST")
def simulate(once: Sent, asked: Sent) -> Opened:
    """Simulate a practice game

    Played to its end by practice players of one level out of the seed, and marked as practice for ever. It lies
    open to everybody who has its link.
    """
    ruleset = known_ruleset(asked["ruleset"])
    colours = ruleset.colours(book().sheets.printed_sheet(ruleset.id))[: asked["seats"]]
    receipt = record_practice_game(
        book(),
        ruleset_id=ruleset.id,
        title=f"{ruleset.title}: practice {asked['seed']}",
        players=[SeatedPerson(f"Player {seat + 1}", colour) for seat, colour in enumerate(colours)],
        options=asked["options"],
        seed=asked["seed"],
        level=asked["level"],
        key=opening_key(once["key"]),
        admit=partial(take, "game"),
    )
    return opened_answer(receipt)
