"""Checks of new and given-up challenges."""

from __future__ import annotations

from itertools import takewhile

from daybook.domain.kernel.game_names import is_by_name, name_in_key
from daybook.domain.kernel.terms import WhyNot, because
from daybook.domain.kernel.times import later_time, read_day
from daybook.domain.league.club import Club
from daybook.domain.league.club_events import ChallengeGivenUp, ChallengeSet
from daybook.domain.league.event_checks.common import name_fault, unchanged_fault

MAX_GOAL = 10_000  # plays or games
MAX_PLAYS_PER_GAME = 1_000
MAX_SHELF_GAMES = 500
MAX_RUNNING_CHALLENGES = 10  # of one person, or of the club
MAX_SET_PER_USER_AND_DAY = 20  # each is an entry of the record, also if it is given up at once


def setting_fault(club: Club, event: ChallengeSet) -> WhyNot:
    if event.challenge != club.next_challenge():
        return because("no_challenge", "the club has no challenge {challenge}", challenge=event.challenge[:40])
    if event.person and not club.knows(event.person):
        return because("challenge_person", "{person} is not in the club", person=event.person)
    day = event.at[:10]
    running = [
        challenge
        for challenge in club.challenges_of(event.person)
        if not challenge.given_up and not "" < challenge.until < day
    ]
    if len(running) >= MAX_RUNNING_CHALLENGES:
        return because("challenges_many", "{n} challenges are running already: give one up", n=len(running))
    if (count := _count_set_today(club, event)) >= MAX_SET_PER_USER_AND_DAY:
        return because("challenges_often", "the same user set {n} challenges within a day: wait a day", n=count)
    if not 1 <= event.goal <= MAX_GOAL or not 1 <= event.plays_per_game <= MAX_PLAYS_PER_GAME:
        return because("challenge_goal", "a goal is a number from 1 to {limit}", limit=MAX_GOAL)
    if read_day(event.since) is None or (event.until and (read_day(event.until) is None or event.until < event.since)):
        return because("challenge_days", "the days of a challenge are a year, or begin today")
    if event.kind == "shelf":
        return _shelf_fault(event)
    return because("challenge_games", "only a shelf names games") if event.games else None


def _count_set_today(club: Club, event: ChallengeSet) -> int:
    """Count the challenges that the writer set within the last day."""
    since = later_time(event.at, days=-1)
    recent = takewhile(lambda entry: entry.event.at > since, reversed(club.entries))
    return sum(isinstance(entry.event, ChallengeSet) and entry.event.by == event.by for entry in recent)


def _shelf_fault(event: ChallengeSet) -> WhyNot:
    if not event.games:
        return because("shelf_empty", "a shelf needs a game: name some, or log plays first")
    if len(event.games) > MAX_SHELF_GAMES or len({*event.games}) != len(event.games) or event.goal != len(event.games):
        return because("shelf_many", "a shelf has up to {limit} games, each once", limit=MAX_SHELF_GAMES)
    names = [name_in_key(key) if is_by_name(key) else key for key in event.games]
    return next(filter(None, map(name_fault, names)), None)


def giving_up_fault(club: Club, event: ChallengeGivenUp) -> WhyNot:
    challenge = club.challenges.get(event.challenge)
    if challenge is None:
        return because("no_challenge", "the club has no challenge {challenge}", challenge=event.challenge[:40])
    return unchanged_fault() if challenge.given_up else None
