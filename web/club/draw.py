"""Draw a schedule: preview the draw of a number, then save it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from itertools import groupby
from uuid import UUID

from flask import Blueprint, flash, request
from flask.typing import ResponseReturnValue

from daybook.domain.league.club import Club, Season
from daybook.domain.league.club_commands import DRAW_LIMIT, DrawSchedule
from daybook.domain.league.schedule import Fairness, schedule_fairness
from daybook.domain.league.seasons import ROUNDS_LIMIT, Bye, Fixture
from daybook.services.league import season_draws
from daybook.services.league.schedule_search import CannotDrawError
from daybook.services.league.season_draws import Proposal
from daybook.services.league.season_tables import MAX_PEOPLE_IN_MEETINGS, Meetings, count_meetings
from daybook.web.club.season import most_seats
from daybook.web.request.access import book
from daybook.web.request.clubs import club_reason, render_club_page, require_season, write_in_club
from daybook.web.request.forms import fresh_key, parse_number, see_other
from daybook.web.request.long_work import takes_long
from daybook.web.words import league_words, say, say_n

page = Blueprint("draw", __name__)

MAX_TABLES_SHOWN = 100


@page.route("/clubs/<uuid:club_id>/seasons/<season_id>/draw", methods=["GET", "POST"])
@takes_long("GET", "POST")
def draw(club_id: UUID, season_id: str) -> ResponseReturnValue:
    club, season = require_season(club_id, season_id, "schedule")
    seed, rounds = _number_sent("seed", DRAW_LIMIT - 1), _number_sent("rounds", ROUNDS_LIMIT) or season.format.rounds
    if seed is None:
        seed = secrets.randbelow(DRAW_LIMIT)
    people, against = _people_entering(), ""
    if request.method == "POST":
        command = DrawSchedule(season_id, seed, rounds, None if people is None else tuple(people))
        against = write_in_club(club_id, command, at=_number_sent("at", 2**31) or 0)
        if not against:
            flash(say("The schedule is drawn."))
            return see_other("season.schedule", club_id=club_id, season_id=season_id)
    try:
        drawn = season_draws.propose_draw(book(), club, season, seed, rounds=rounds, people=people)
    except CannotDrawError as no:
        return _draw_page(club, season, seed, rounds, None, club_reason(no.reason))
    page = _draw_page(club, season, seed, rounds, drawn, error=against)
    return (page, 422) if against else page


def _number_sent(name: str, maximum: int) -> int | None:
    number = parse_number(request.values.get(name, "").strip())
    return None if number is None or number < 0 else min(number, maximum)


def _people_entering() -> list[str] | None:
    """Return the people that the form enters into a heat, or None if it has no list."""
    return request.values.getlist("enters") if request.values.get("chosen") else None


# --- the page --------------------------------------------------------------------------------------------------------


def _draw_page(
    club: Club, season: Season, seed: int, rounds: int, drawn: Proposal | None, refusal: str = "", error: str = ""
) -> str:
    every_table = [] if drawn is None else sorted(drawn.fixtures, key=lambda fixture: fixture.round)
    shown = every_table[:MAX_TABLES_SHOWN]
    return render_club_page(
        "league/draw.html",
        club,
        season=season,
        heading=say("Draw the schedule"),
        seed=seed,
        key=fresh_key(),
        entering=_people_entering(),
        playing=[
            entrant.person for entrant in club.entrants(season) if entrant.person not in club.withdrawn_people(season)
        ],
        another=secrets.randbelow(DRAW_LIMIT),
        wrong=error,
        requested_rounds=rounds or None,
        nothing=refusal,
        fair=[] if drawn is None else fairness_sentences(season, drawn),
        fairness=[] if drawn is None or season.format.kind == "knockout" else meetings_by_group(season, drawn),
        seats_of=most_seats,
        drawn=[]
        if drawn is None
        else [
            (number, [*fixtures], [bye.person for bye in drawn.byes if bye.round == number])
            for number, fixtures in groupby(shown, lambda fixture: fixture.round)
        ],
        tables_left=len(every_table) - len(shown),
        games={} if drawn is None else drawn.games,
    )


def groups_in(drawn: Proposal) -> list[tuple[int, int]]:
    return sorted({(fixture.division, fixture.group) for fixture in drawn.fixtures})


def group_tables(drawn: Proposal, group: tuple[int, int]) -> tuple[list[Fixture], list[Bye]]:
    """Return the tables and byes of a group, both those drawn before and the proposed ones."""
    return (
        [each for each in (*drawn.before.fixtures, *drawn.fixtures) if (each.division, each.group) == group],
        [each for each in (*drawn.before.byes, *drawn.byes) if (each.division, each.group) == group],
    )


def meetings_by_group(season: Season, drawn: Proposal) -> list[tuple[str, Meetings]]:
    groups = []
    for group in groups_in(drawn):
        fixtures, byes = group_tables(drawn, group)
        people = dict.fromkeys(person for fixture in fixtures for person in fixture.seats)
        people |= dict.fromkeys(bye.person for bye in byes)
        if len(people) <= MAX_PEOPLE_IN_MEETINGS:
            met = count_meetings(people, [fixture.seats for fixture in fixtures])
            groups.append((league_words.group_name(season.format, *group), met))
    return groups


def fairness_sentences(season: Season, drawn: Proposal) -> list[str]:
    """Describe the fairness of a draw: a sentence for each group, then the unevenness and the draw's number.

    In a knock-out, who meets whom follows from the results, so only the number is left.
    """
    number = say("Number of the draw: {seed}.", seed=drawn.seed)
    if season.format.kind == "knockout":
        return [number]
    sentences, uneven, spread = [], 0, 0
    for group in groups_in(drawn):
        fixtures, byes = group_tables(drawn, group)
        people = sorted({person for fixture in fixtures for person in fixture.seats} | {bye.person for bye in byes})
        even = schedule_fairness(people, fixtures, byes)
        uneven, spread, sentence = uneven + even.uneven, max(spread, even.apart), fairness_sentence(even)
        name = league_words.group_name(season.format, *group)
        sentences.append(f"{name}: {sentence}" if name else sentence)
    return [*sentences, league_words.unfairness_label(uneven, spread), number]


def span_text(span: tuple[int, int], in_words: Callable[[int], str]) -> str:
    """Return a range in words, such as "1 time" or "1 to 2 times"."""
    low, high = span
    return in_words(high) if low == high else say("{least} to {most}", least=low, most=in_words(high))


def count_games_in_words(n: int) -> str:
    return say_n("{n} game", "{n} games", n)


def count_times_in_words(n: int) -> str:
    return say_n("{n} time", "{n} times", n)


def fairness_sentence(fair: Fairness) -> str:
    """Describe how fair a group's draw is, as "each plays 4 games; each two meet 1 to 2 times" and so on."""
    parts = [
        say("each plays {games}", games=span_text(fair.games, count_games_in_words)),
        say("players meet {times}", times=span_text(fair.meetings, count_times_in_words)),
        say("each sits in each seat {times}", times=span_text(fair.seats, count_times_in_words)),
    ]
    if fair.never:
        parts.append(say_n("{n} pair does not meet", "{n} pairs do not meet", fair.never))
    parts.append(say("byes per player: {n}", n=span_text(fair.byes, str)) if fair.byes[1] else say("no byes"))
    return "; ".join(parts) + "."
