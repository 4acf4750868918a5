"""Challenges of a club and its people: their progress, counted from the plays whenever it is shown."""

from __future__ import annotations

from typing import Literal

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Challenge, Club
from daybook.services.counted import by_count
from daybook.services.days import day_of, today_of
from daybook.services.league import plays
from daybook.services.store.daybook import Daybook

ChallengeState = Literal["running", "reached", "missed", "given_up"]
MAX_LISTED_GAMES = 60  # games of each kind; further ones are only numbers


class GameCounted(Frozen):
    """A game with the number of plays that count for a challenge."""

    key: str
    plays: int


class Progress(Frozen):
    """The progress of a challenge.

    Args:
        done: of `goal`, in plays or games.
        complete: games that are done, or all that count; the first MAX_LISTED_GAMES.
        missing: games of which plays are missing, with those so far; the first MAX_LISTED_GAMES.
    """

    challenge: Challenge
    state: ChallengeState
    done: int
    goal: int
    complete: tuple[GameCounted, ...]
    missing: tuple[GameCounted, ...]

    @property
    def percent(self) -> float:
        return round(100 * self.done / self.goal, 1)


def count_progress(book: Daybook, club: Club, challenge: Challenge) -> Progress:
    """Count the plays of a challenge; if it was given up, until that day."""
    given_up = day_of(challenge.given_up, club.zone) if challenge.given_up else ""
    until = min(filter(None, (challenge.until, given_up)), default="")
    counted = plays.count_by_game(book, club, challenge.person, challenge.since, until)
    games = [GameCounted(key, n) for key, n in sorted(counted.items(), key=by_count)]
    goal, missing = challenge.goal, list[GameCounted]()
    match challenge.kind:
        case "plays":
            done = sum(counted.values())
        case "different_games":
            done = len(games)
        case "shelf":
            missing = [GameCounted(key, 0) for key in challenge.games if not counted[key]]
            games = [game for game in games if game.key in {*challenge.games}]
            done = len(games)
        case "repeated_games":
            chosen = games[: challenge.goal]
            goal, done = (
                challenge.goal * challenge.plays_per_game,
                sum(min(game.plays, challenge.plays_per_game) for game in chosen),
            )
            games = [game for game in chosen if game.plays >= challenge.plays_per_game]
            missing = [game for game in chosen if game.plays < challenge.plays_per_game]
    done = min(done, goal)
    state: ChallengeState = "running"
    if done == goal:
        state = "reached"
    elif challenge.given_up:
        state = "given_up"
    elif challenge.until and challenge.until < today_of(club.zone):
        state = "missed"
    return Progress(challenge, state, done, goal, tuple(games[:MAX_LISTED_GAMES]), tuple(missing[:MAX_LISTED_GAMES]))


def list_running_challenges(book: Daybook, club: Club, person: str, limit: int) -> list[Progress]:
    """Return the progress of the newest running challenges of a person, or of the club."""
    today = today_of(club.zone)
    running = [
        challenge
        for challenge in club.challenges_of(person)
        if not challenge.given_up and not "" < challenge.until < today
    ]
    return [count_progress(book, club, challenge) for challenge in running[:limit]]
