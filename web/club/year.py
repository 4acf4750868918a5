"""The year in review of a club and of a person: a page, and a picture to share."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, request, url_for
from flask_babel import force_locale, get_locale

from daybook.domain.league.club import Club
from daybook.services import days
from daybook.services.league import year_reviews
from daybook.services.league.year_reviews import EVERYBODY, YearReview
from daybook.web.boards.cards import draws_hangul
from daybook.web.boards.year_card import YearCard, year_svg
from daybook.web.replay.pictures import answer_with_svg
from daybook.web.request.access import book
from daybook.web.request.clubs import Names, club_names, person_at, preview_club_page, render_club_page, require_club
from daybook.web.request.long_work import takes_long
from daybook.web.statistics.tiles import Tile, month_bars
from daybook.web.words import game_title, league_words, say, say_n, statistics_words
from daybook.web.words.say import day_label
from daybook.web.words.year_words import year_sentence

page = Blueprint("year", __name__)

FIRST_YEAR, LAST_YEAR = 1000, 9998  # years of four digits, with a day after their last
YEARS_LINKED = 8
KOREAN = "ko"


@page.get("/clubs/<uuid:club_id>/years/<year>")
def of_club(club_id: UUID, year: str) -> str:
    return _year_page(require_club(club_id), _year_at(year), EVERYBODY)


@page.get("/clubs/<uuid:club_id>/people/<person_id>/years/<year>")
def of_person(club_id: UUID, person_id: str, year: str) -> str:
    club = require_club(club_id)
    return _year_page(club, _year_at(year), person_at(club, person_id))


@page.get("/clubs/<uuid:club_id>/years/<year>.png")
@takes_long("GET")
def picture_of_club(club_id: UUID, year: str) -> Response:
    return _answer_picture(require_club(club_id), _year_at(year), EVERYBODY)


@page.get("/clubs/<uuid:club_id>/people/<person_id>/years/<year>.png")
@takes_long("GET")
def picture_of_person(club_id: UUID, person_id: str, year: str) -> Response:
    club = require_club(club_id)
    return _answer_picture(club, _year_at(year), person_at(club, person_id))


def _year_at(text: str) -> str:
    """Return the requested year; 404 for anything else."""
    if not (len(text) == 4 and text.isascii() and text.isdecimal() and FIRST_YEAR <= int(text) <= LAST_YEAR):
        abort(404)
    return text


def _year_page(club: Club, year: str, person: str) -> str:
    review, years = year_reviews.find_review(book(), club, year, person), _years_linked(club, year, person)
    names, this_year = club_names(club), days.today_of(club.zone)[:4]
    name = league_words.person_name(person, names) if person else club.name
    at: dict[str, Any] = {"club_id": club.id, **({"person_id": person} if person else {})}
    to_picture = partial(url_for, "year.picture_of_person" if person else "year.picture_of_club", year=year, **at)
    title = say("{year} in review", year=year)
    if review is not None:
        sentence = year_sentence(review, names)
        preview_club_page(
            club, f"{title}: {name} – {club.name}" if person else f"{title}: {club.name}", sentence, to_picture()
        )
    return render_club_page(
        "league/year.html",
        club,
        heading=title,
        person=person,
        name=name,
        year=year,
        this_year=this_year,
        review=review,
        names=names,
        tiles=[] if review is None else _tiles_of(club, review, names),
        month_bars=[] if review is None else month_bars(dict(enumerate(review.months, 1))),
        years=[(other, url_for("year.of_person" if person else "year.of_club", year=other, **at)) for other in years],
        picture=to_picture(language=KOREAN) if str(get_locale()) == KOREAN and draws_hangul() else to_picture(),
        log=url_for("plays.plays", club_id=club.id, year=year, person=person or None),
        is_current=year_reviews.is_current(book(), club.id),
        said=statistics_words,
    )


def _years_linked(club: Club, year: str, person: str) -> list[str]:
    """Return the years with plays that are nearest to a year, the newest first."""
    years = year_reviews.reviewed_years(book(), club, person)
    newer = sum(other > year for other in years)
    first = max(0, min(newer - YEARS_LINKED // 2, len(years) - YEARS_LINKED))
    return years[first : first + YEARS_LINKED]


def _tiles_of(club: Club, review: YearReview, names: Names) -> list[Tile]:
    """Return the figures of a year; what is not known is left out."""
    number = statistics_words.format_number
    games_new = say_n("{n} new", "{n} new", review.new) if review.new else ""
    tiles = [
        Tile(say("Plays"), str(review.plays)),
        Tile(say("Games"), str(review.games), games_new),
        Tile(say("Played with") if review.person else say("People"), str(review.people)),
    ]
    if review.timed:
        detail = say_n("{n} play", "{n} plays", review.timed) if review.timed < review.plays else ""
        tiles.append(Tile(say("Hours"), statistics_words.format_hours(review.seconds), detail))
    if review.person and review.competitive:
        tiles.append(Tile(say("Won"), number(review.wins, 1), say("of {n}", n=review.competitive)))
    if review.together:
        tiles.append(Tile(say("Won together"), say("{won} of {n}", won=review.won_together, n=review.together)))
    best = review.games_listed[0]
    plays = say_n("{n} play", "{n} plays", best.plays)
    to = url_for("statistics.game", ruleset_id=best.key, club=club.id)
    tiles.append(Tile(say("Game of the year"), game_title(best.key), plays, to))
    if review.run is not None:
        since, until = day_label(review.run.since, club.zone), day_label(review.run.until, club.zone)
        detail = say("{since} to {until}", since=since, until=until)
        if not review.person:
            detail = f"{league_words.person_name(review.run.person, names)}, {detail}"
        tiles.append(Tile(say("Longest run of wins"), str(review.run.length), detail))
    if review.place is not None:
        detail = say_n("{n} play", "{n} plays", review.place.plays)
        if review.person:
            won = number(review.place.wins, 1)
            detail = say_n("{won} won of {n} play", "{won} won of {n} plays", review.place.plays, won=won)
        label = say("Best place") if review.person else say("Where you met most")
        tiles.append(Tile(label, review.place.key, detail))
    grown = say("{n} a year before", n=review.h_before) if review.h_before != review.h_after else ""
    tiles.append(Tile(say("H-index"), str(review.h_after), grown))
    return tiles


# --- the picture -----------------------------------------------------------------------------------------------------


def _answer_picture(club: Club, year: str, person: str) -> Response:
    """Serve the picture of a year to viewers of its page; 404 if nothing was played.

    It is in Korean if the address says so and the machine can draw it, otherwise in English.
    """
    review = year_reviews.find_review(book(), club, year, person)
    if review is None:
        abort(404)
    with force_locale(KOREAN if request.args.get("language") == KOREAN and draws_hangul() else "en"):
        card = year_card(club, review, club_names(club))
    return answer_with_svg(year_svg(card), is_public=club.settings.public)


def year_card(club: Club, review: YearReview, names: Names) -> YearCard:
    """Return the content of the picture. It names no place, since it leaves the club."""
    number = statistics_words.format_number
    name = league_words.person_name(review.person, names) if review.person else club.name
    figures = [
        (str(review.plays), say("Plays")),
        (str(review.games), say("Games")),
        (str(review.people), say("Played with") if review.person else say("People")),
    ]
    if review.person and review.competitive:
        figures.append((number(review.wins, 1), say("Won")))
    elif review.timed:
        figures.append((statistics_words.format_hours(review.seconds), say("Hours")))
    return YearCard(
        say("{year} in review", year=review.year),
        f"{name} · {club.name}" if review.person else name,
        tuple(figures),
        tuple((game_title(game.key), game.plays) for game in review.games_listed),
        year_sentence(review, names),
    )
