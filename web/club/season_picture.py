"""Draw a picture of a season for shared links: the leaders of its first group and their points by round."""

from __future__ import annotations

from fractions import Fraction
from uuid import UUID

from flask import Blueprint, Response, abort
from flask_babel import force_locale

from daybook.domain.league.club import Club, Season
from daybook.services.league import season_end
from daybook.services.store.folded_cache import UnknownClubError
from daybook.web.boards.cards import Card, CardSeat
from daybook.web.club.season import leaders_sentence
from daybook.web.club.season_charts import points_chart
from daybook.web.replay.pictures import answer_with_picture
from daybook.web.request.access import book
from daybook.web.request.clubs import club_names
from daybook.web.request.long_work import takes_long
from daybook.web.words import league_words

page = Blueprint("season_picture", __name__)

PEOPLE_SHOWN = 6
UNITS_PER_POINT = 60  # so that shared points are whole numbers


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>.png")
@takes_long("GET")
def picture(club_id: UUID, season_id: str) -> Response:
    """Serve the picture for a public club; 404 for all others, even for members."""
    try:
        club = book().clubs.get(club_id)
    except UnknownClubError:
        abort(404)
    if not club.settings.public or season_id not in club.seasons:
        abort(404)
    with force_locale("en"):
        card = season_card(club, club.seasons[season_id])
    return answer_with_picture(card)


def season_card(club: Club, season: Season) -> Card:
    standings = season_end.standings_at_closing(book(), club, season)
    names = club_names(club, standings.order)
    league = club.leagues[season.league].name
    about = f"{club.name} · {league}"
    sentence = leaders_sentence(season, standings, names)
    if not standings.groups:
        return Card(season.name, about, sentence, (), (), 0)
    group = standings.groups[0]
    named = league_words.group_name(season.format, group.division, group.group)
    rows, chart = group.rows[:PEOPLE_SHOWN], points_chart(group.rows)
    grown = {line.person: line.points for line in chart.lines} if chart else {}
    points = [grown[row.person][-1] if row.person in grown else Fraction(0) for row in rows]
    rounds = range(len(chart.rounds) + 1) if chart else range(0)
    return Card(
        season.name,
        f"{about} · {named}" if named else about,
        sentence,
        tuple(
            CardSeat(
                at,
                league_words.person_name(row.person, names),
                league_words.amount(points[at]),
                int(points[at] * UNITS_PER_POINT),
                row.place == 1 and not season.is_open,
            )
            for at, row in enumerate(rows)
        ),
        tuple(tuple(int(grown[row.person][number] * UNITS_PER_POINT) for row in rows) for number in rounds),
        max(len(rounds) - 1, season.format.rounds),
    )
