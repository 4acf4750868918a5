"""Drawing a schedule: what a number makes of it is shown first, and written down when somebody says so."""

from __future__ import annotations

import secrets
from uuid import UUID

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug import Response

from daybook.domain.league.club import Club, Season
from daybook.domain.league.schedule import Fairness
from daybook.domain.league.schedule import fairness as fairness_of
from daybook.domain.league.seasons import ROUNDS_LIMIT, Bye, Fixture
from daybook.services.league import season_draws
from daybook.services.league.schedule import CannotDraw
from daybook.services.league.season_draws import Proposal
from daybook.services.league.season_tables import Meetings, meetings
from daybook.web.club.season import seats_of
from daybook.web.request.access import book
from daybook.web.request.clubs import club_at, me, page_of, real_season_at, reason_said, required, written
from daybook.web.request.forms import fresh_key
from daybook.web.request.security import one_at_a_time
from daybook.web.words import league as said
from daybook.web.words import say, say_n

page = Blueprint("draw", __name__)

SEEDS = 1_000_000  # a number that can be said aloud


@page.route("/clubs/<uuid:club_id>/seasons/<season_id>/draw", methods=["GET", "POST"])
def draw(club_id: UUID, season_id: str) -> str | Response | tuple[str, int]:
    club = club_at(club_id)
    required(club, "schedule")
    season = real_season_at(club, season_id)
    seed, rounds = _number("seed", SEEDS - 1), _number("rounds", ROUNDS_LIMIT) or season.format.rounds
    if seed is None:
        seed = secrets.randbelow(SEEDS)
    try:
        with one_at_a_time():
            drawn = season_draws.propose(book(), club, season, seed, rounds=rounds, people=_entering())
    except CannotDraw as no:
        return _page(club, season, seed, rounds, None, reason_said(no.reason))
    if request.method == "GET":
        return _page(club, season, seed, rounds, drawn)
    if against := written(lambda: season_draws.publish(
            book(), club_id, season_id, drawn, at=_number("at", 2**31) or 0, by=me(), key=request.form.get("key", ""))):
        return _page(club, season, seed, rounds, drawn, wrong=against), 422
    flash(say("The schedule is drawn."))
    return redirect(url_for("season.schedule", club_id=club_id, season_id=season_id), 303)


def _number(name: str, most: int) -> int | None:
    sent = request.values.get(name, "").strip()
    return min(int(sent), most) if sent.isascii() and sent.isdecimal() and len(sent) < 9 else None


def _entering() -> list[str] | None:
    """Who enters a heat, as the form says; None: it does not say."""
    return request.values.getlist("enters") if request.values.get("chosen") else None


# --- the page --------------------------------------------------------------------------------------------------------


def _page(
    club: Club, season: Season, seed: int, rounds: int, drawn: Proposal | None, nothing: str = "", wrong: str = "",
) -> str:
    return page_of(
        "league/draw.html", club, season=season, heading=say("Draw the schedule"), seed=seed, key=fresh_key(),
        entering=_entering(), playing=[
            one.person for one in club.entrants(season) if one.person not in club.withdrawn(season)],
        another=secrets.randbelow(SEEDS), wrong=wrong, rounds_asked=rounds or None,
        nothing=nothing, fair=[] if drawn is None else fair(season, drawn),
        fairness=[] if drawn is None else met(season, drawn), seats_of=seats_of, drawn=[] if drawn is None else [
            (number, [one for one in drawn.fixtures if one.round == number],
             [bye.person for bye in drawn.byes if bye.round == number]) for number in drawn.rounds])


def groups_in(drawn: Proposal) -> list[tuple[int, int]]:
    return sorted({(one.division, one.group) for one in drawn.fixtures})


def inside(drawn: Proposal, group: tuple[int, int]) -> tuple[list[Fixture], list[Bye]]:
    """The tables and byes of a group, with those that stand."""
    return (
        [one for one in (*drawn.before.fixtures, *drawn.fixtures) if (one.division, one.group) == group],
        [one for one in (*drawn.before.byes, *drawn.byes) if (one.division, one.group) == group])


def met(season: Season, drawn: Proposal) -> list[tuple[str, Meetings]]:
    found = []
    for group in groups_in(drawn):
        fixtures, byes = inside(drawn, group)
        people = dict.fromkeys(person for fixture in fixtures for person in fixture.seats)
        people |= dict.fromkeys(bye.person for bye in byes)
        found.append((said.group_name(season.format, *group), meetings(people, [one.seats for one in fixtures])))
    return found


def fair(season: Season, drawn: Proposal) -> list[str]:
    """How fair it is, in a sentence for each group."""
    says, uneven, apart = [], 0, 0
    for group in groups_in(drawn):
        fixtures, byes = inside(drawn, group)
        people = sorted({person for one in fixtures for person in one.seats} | {bye.person for bye in byes})
        even = fairness_of(people, fixtures, byes)
        uneven, apart, sentence = uneven + even.uneven, max(apart, even.apart), fair_sentence(even)
        name = said.group_name(season.format, *group)
        says.append(f"{name}: {sentence}" if name else sentence)
    return [*says, said.unfairness_said(uneven, apart), say("Number of the draw: {seed}.", seed=drawn.seed)]


def span(least: int, most: int) -> str:
    return str(most) if least == most else say("{least} to {most}", least=least, most=most)


def fair_sentence(fair: Fairness) -> str:
    """Each plays 4 games; each two meet 1 to 2 times; each sits in each seat once; nobody has a bye."""
    parts = [
        say("each plays {n} games", n=span(*fair.games)), say("each two meet {n} times", n=span(*fair.meetings)),
        say("each sits in each seat {n} times", n=span(*fair.seats))]
    if fair.never:
        parts.append(say_n("{n} pair does not meet", "{n} pairs do not meet", fair.never))
    parts.append(say("byes each: {n}", n=span(*fair.byes)) if fair.byes[1] else say("nobody has a bye"))
    return "; ".join(parts) + "."
