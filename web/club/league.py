"""Open a season of a league, and change its format."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Blueprint, abort, request, url_for
from flask.typing import ResponseReturnValue

from daybook.domain.games import RULESETS
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.league.club import Club, League, Season
from daybook.domain.league.club_commands import ChangeSeason, OpenSeason
from daybook.domain.league.seasons import KINDS
from daybook.services.league import clubs
from daybook.services.names import TITLE_LIMIT
from daybook.web.club import season_form
from daybook.web.club.club import league_at
from daybook.web.club.season_form import SeasonForm
from daybook.web.request.clubs import render_club_page, require_club, require_season, step_written, write_in_club
from daybook.web.request.forms import fresh_key, see_other, text_fault, text_sent, why_sent
from daybook.web.words import league_words, say

page = Blueprint("league", __name__)


@page.route("/clubs/<uuid:club_id>/leagues/<league_id>/seasons/new", methods=["GET", "POST"])
def open_season(club_id: UUID, league_id: str) -> ResponseReturnValue:
    club = require_club(club_id, "settle_club")
    league = league_at(club, league_id)
    kind = request.values.get("kind", "")
    if not kind:
        return render_club_page("league/season_kind.html", club, league=league, kinds=KINDS)
    if kind not in KINDS:
        abort(404)
    if request.method != "POST":
        form = season_form.blank_form(
            kind, club.settings.correction_days, club.settings.appeal_hours, club.counted_marks
        )
        return _season_form(club, league, None, without_unplayable_sizes(league, form), {})
    return _open_season(club, league, season_form.read_form(kind, request.form))


def without_unplayable_sizes(league: League, form: SeasonForm) -> SeasonForm:
    """Drop the table sizes that no game of the league can be played with."""
    if any(map(is_by_name, league.rulesets)):
        return form
    sizes = {n for key in league.rulesets if key in RULESETS for n in RULESETS[key].seats}
    fields = {
        name: text
        for name, text in form.fields.items()
        if not name.startswith("size.") or int(name.partition(".")[2]) in sizes
    }
    ticked = [name.partition(".")[2] for name in fields if name.startswith("size.")]
    if not ticked and sizes:
        ticked = [str(max(sizes))]
        fields[f"size.{ticked[0]}"] = "yes"
    if ticked and fields["preferred"] not in ticked:
        fields["preferred"] = ticked[0]
    return SeasonForm(form.kind, fields, {}, form.format)


def _open_season(club: Club, league: League, form: SeasonForm) -> ResponseReturnValue:
    errors, season_format = _season_faults(form), form.format
    if (
        not errors
        and season_format is not None
        and (against := write_in_club(club.id, OpenSeason(league.id, _name_sent(), season_format)))
    ):
        errors = {"form": against}
    if errors:
        return _season_form(club, league, None, form, errors), 422
    season = clubs.season_at(*step_written(club.id))
    return see_other("players.players", club_id=club.id, season_id=season.id)


@page.route("/clubs/<uuid:club_id>/seasons/<season_id>/format", methods=["GET", "POST"])
def settle_season(club_id: UUID, season_id: str) -> ResponseReturnValue:
    club, season = require_season(club_id, season_id, "settle_club")
    league = club.leagues[season.league]
    if request.method != "POST":
        return _season_form(club, league, season, season_form.form_of_format(season.format), {})
    form = season_form.read_form(season.format.kind, request.form)
    errors, season_format = _season_faults(form), form.format
    if (
        not errors
        and season_format is not None
        and (against := write_in_club(club_id, ChangeSeason(season_id, _name_sent(), season_format, why_sent())))
    ):
        errors = {"form": against}
    if errors:
        return _season_form(club, league, season, form, errors), 422
    return see_other("season.standings", club_id=club_id, season_id=season_id)


def _name_sent() -> str:
    return " ".join(text_sent("name").split())


def _season_faults(form: SeasonForm) -> dict[str, str]:
    sentence = text_fault(text_sent("name"), TITLE_LIMIT, say("Give the season a name, such as Autumn 2026."))
    return form.wrong | ({"name": sentence} if sentence else {})


def _season_form(club: Club, league: League, season: Season | None, form: SeasonForm, errors: dict[str, str]) -> str:
    more: dict[str, Any] = {} if season is None else {"season": season}
    to = (
        url_for("league.settle_season", club_id=club.id, season_id=season.id)
        if season
        else url_for("league.open_season", club_id=club.id, league_id=league.id)
    )
    fine = [name for name in errors if name.startswith("order.") or name in ("best", "correction_days", "appeal_hours")]
    return render_club_page(
        "league/season_form.html",
        club,
        league=league,
        asked=form,
        wrong=errors,
        key=fresh_key(),
        to=to,
        name=season.name if season else "",
        settling=season is not None,
        fine=bool(fine),
        title=say("How it is played") if season else say("Open a season"),
        button=say("Play it like this") if season else say("Open the season"),
        sizes=season_form.SIZES,
        divisions=season_form.DIVISIONS,
        all_tiebreaks=league_words.all_tiebreaks(),
        ties=league_words.TIES,
        withdrawn=league_words.WITHDRAWN,
        substitutes=league_words.SUBSTITUTE_RESULTS,
        marks_counted=league_words.MARKS_COUNTED,
        name_limit=TITLE_LIMIT,
        **more,
    )
