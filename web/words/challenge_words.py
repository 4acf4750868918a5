"""Words for challenges."""

from __future__ import annotations

from daybook.domain.league.club import Challenge
from daybook.web.words.say import Texts, say, say_n

KIND_NAMES: Texts = {
    "repeated_games": "Some games, each several times",
    "shelf": "Every game on a shelf once",
    "plays": "A number of plays",
    "different_games": "A number of different games",
}
STATE_NAMES: Texts = {"running": "running", "reached": "reached", "missed": "not reached", "given_up": "given up"}


def challenge_state(state: str) -> str:
    return say(STATE_NAMES[state])


def challenge_title(challenge: Challenge) -> str:
    """Return a challenge in words, with its year."""
    title = _goal(challenge)
    if challenge.until:
        return say("{year}: {challenge}", year=challenge.until[:4], challenge=title)
    return title


def _goal(challenge: Challenge) -> str:
    n = challenge.goal
    match challenge.kind:
        case "repeated_games":
            return say_n("{n} game, {times} times", "{n} games, {times} times each", n, times=challenge.plays_per_game)
        case "shelf":
            return say_n("{n} game on the shelf, once", "{n} games on the shelf, once each", n)
        case "different_games":
            return say_n("{n} different game", "{n} different games", n)
    return say_n("{n} play", "{n} plays", n)
