"""Open the next season of a league: propose promotions and relegations with their reasons, and let them be changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast
from uuid import UUID

import msgspec
from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club import Club, Season
from daybook.domain.league.club_commands import OpenNextSeason, OpenStage
from daybook.domain.league.seasons import DEFAULTS, Entrant, Format, SeasonKind
from daybook.domain.league.succession import Placement
from daybook.services.league import clubs, next_season, season_end
from daybook.services.names import TITLE_LIMIT
from daybook.web.club.players import all_groups
from daybook.web.request.access import book
from daybook.web.request.clubs import club_reason, render_club_page, require_season, step_written, write_in_club
from daybook.web.request.forms import fresh_key, parse_number, see_other, text_fault, text_sent
from daybook.web.words import league_words, say

page = Blueprint("succession", __name__)

NO_GROUP = ""  # the form's value for a person that does not play


@page.route("/clubs/<uuid:club_id>/seasons/<season_id>/next", methods=["GET", "POST"])
def open_next_season(club_id: UUID, season_id: str) -> ResponseReturnValue:
    club, season = require_season(club_id, season_id, "settle_club")
    try:
        placements = next_season.propose_placements(book(), club, season)
    except Refused as no:
        return _succession_page(club, season, [], {"form": club_reason(no.reason)}), 422
    if request.method != "POST":
        return _succession_page(club, season, placements, {})
    name = text_sent("name")
    errors = dict[str, str]()
    if sentence := text_fault(name, TITLE_LIMIT, say("Give the season a name, such as Autumn 2026.")):
        errors["name"] = sentence
    elif against := write_in_club(
        club.id, OpenNextSeason(season.id, " ".join(name.split()), _players_sent(season, placements))
    ):
        errors["form"] = against
    if errors:
        return _succession_page(club, season, placements, errors), 422
    opened = clubs.season_at(*step_written(club.id))
    return see_other("players.players", club_id=club.id, season_id=opened.id)


def _players_sent(season: Season, placements: list[Placement]) -> tuple[Entrant, ...]:
    """Return the players with their groups in the form. Abort with 400 for an unknown group."""
    groups = {value: tuple(map(int, value.split("."))) for value, _ in groups_offered(season)}
    entrants = []
    for placement in placements:
        sent = request.form.get(f"group.{placement.person}", NO_GROUP)
        if sent == NO_GROUP:
            continue
        if sent not in groups:
            abort(400)
        division, group = groups[sent]
        entrants.append(Entrant(placement.person, division, group))
    return tuple(entrants)


def groups_offered(season: Season) -> list[tuple[str, str]]:
    """Return the groups that the form offers. A season without divisions has one."""
    return all_groups(season) or [("1.1", say("plays"))]


def _succession_page(club: Club, season: Season, placements: list[Placement], errors: Mapping[str, str]) -> str:
    groups = groups_offered(season)
    sent = (
        {placement.person: _placement_value(placement) for placement in placements}
        if request.method != "POST"
        else {placement.person: request.form.get(f"group.{placement.person}", NO_GROUP) for placement in placements}
    )
    return render_club_page(
        "league/succession.html",
        club,
        season=season,
        heading=say("The next season"),
        wrong=errors,
        key=fresh_key(),
        since=season_end.since_closing(book(), club, season),
        name=request.form.get("name", next_season.next_name(season.name)),
        name_limit=TITLE_LIMIT,
        groups=groups,
        people=[(placement, sent[placement.person], way_sentence(season, placement)) for placement in placements],
        counted=[
            (label, sum(value == chosen for chosen in sent.values()), _size(season, value)) for value, label in groups
        ],
    )


def _placement_value(placement: Placement) -> str:
    return f"{placement.division}.{placement.group}" if placement.division else NO_GROUP


def _size(season: Season, value: str) -> int:
    """Return the intended size of a group; 0 means any size."""
    division, group = map(int, value.split("."))
    return season.format.divisions[division - 1].groups[group - 1] if season.format.divisions else 0


def way_sentence(season: Season, placement: Placement) -> str:
    """Say why a person is proposed for a group."""
    division, place = placement.came_from
    named = league_words.group_name(season.format, division, 1) if len(season.format.divisions) > 1 else season.name
    if season.format.divisions:
        named = say("division {name}", name=season.format.divisions[division - 1].name)
    sentences = {
        "up": say("goes up: place {place} of {group}", place=place, group=named),
        "down": say("goes down: place {place} of {group}", place=place, group=named),
        "stays": say("stays: place {place} of {group}", place=place, group=named),
        "withdrew": say("withdrew from {season}", season=season.name),
        "left": say("has left the club"),
    }
    return sentences[placement.way]


# --- the final ---------------------------------------------------------------------------------------------------------

STAGE_KINDS: tuple[SeasonKind, ...] = ("knockout", "rounds", "swiss")


@page.route("/clubs/<uuid:club_id>/seasons/<season_id>/stage", methods=["GET", "POST"])
def open_stage(club_id: UUID, season_id: str) -> ResponseReturnValue:
    """Preview the best players of a closed season, and open a final or another stage with them."""
    club, season = require_season(club_id, season_id, "settle_club")
    sent = request.form if request.method == "POST" else request.args
    kind = cast(SeasonKind, sent.get("kind", STAGE_KINDS[0]))
    if kind not in STAGE_KINDS:
        abort(400)
    places = max(0, parse_number(sent.get("places", "2")) or 0)
    name, errors, people = (
        text_sent("name") or say("{season}: final", season=season.name),
        dict[str, str](),
        list[str](),
    )
    try:
        people = clubs.pick_stage_players(club, season, places) if places else []
    except Refused as no:
        errors["form"] = club_reason(no.reason)
    if request.method == "POST" and not errors:
        if not places:
            errors["form"] = say("Enter a whole number.")
        elif sentence := text_fault(name, TITLE_LIMIT, say("Give the season a name, such as Autumn 2026.")):
            errors["name"] = sentence
        else:
            command = OpenStage(season.id, " ".join(name.split()), stage_format(season, kind), places)
            errors |= {"form": against} if (against := write_in_club(club.id, command)) else {}
        if not errors:
            opened = clubs.season_at(*step_written(club.id))
            return see_other("players.players", club_id=club.id, season_id=opened.id)
    body = render_club_page(
        "league/stage.html",
        club,
        season=season,
        heading=say("The final"),
        wrong=errors,
        key=fresh_key(),
        name=name,
        name_limit=TITLE_LIMIT,
        kinds=STAGE_KINDS,
        kind=kind,
        places=places or "",
        people=people,
    )
    return (body, 422) if errors and request.method == "POST" else body


def stage_format(season: Season, kind: SeasonKind) -> Format:
    """Return the usual format of a kind, with the table sizes and points of the qualifying season."""
    usual = DEFAULTS[kind]
    sizes = season.format.table_sizes
    points = msgspec.structs.replace(season.format.points, bye=usual.points.bye)
    return msgspec.structs.replace(
        usual,
        table_sizes=sizes,
        points=points,
        advance_per_table=min(usual.advance_per_table, min(sizes) - 1),
        counts=season.format.counts,
        substitute_result=season.format.substitute_result,
        correction_days=season.format.correction_days,
        appeal_hours=season.format.appeal_hours,
    )
