"""Words for a year in review: its page, its picture and the message in January."""

from __future__ import annotations

from daybook.services.league.year_reviews import YearReview
from daybook.web.words import game_title
from daybook.web.words.league_words import Names, person_name
from daybook.web.words.say import say, say_n
from daybook.web.words.statistics_words import format_number


def year_sentence(review: YearReview, names: Names) -> str:
    """Return a short text about the people of a year, in whole sentences."""
    lines = [_person_sentence(review, names) if review.person else _club_sentence(review, names)]
    if review.records_listed:
        record = review.records_listed[0]
        game = game_title(record.ruleset)
        if review.person:
            lines.append(say("A record in {game}: {score}.", game=game, score=record.score))
        else:
            name = person_name(record.person, names)
            lines.append(say("Record in {game}: {name} with {score}.", game=game, name=name, score=record.score))
    return " ".join(line for line in lines if line)


def _club_sentence(review: YearReview, names: Names) -> str:
    lines = []
    if review.winners:
        winner = review.winners[0]
        wins = format_number(winner.wins, 1)
        lines.append(say("Most wins: {name} with {n}.", name=person_name(winner.key, names), n=wins))
    if review.run is not None:
        name, n = person_name(review.run.person, names), review.run.length
        lines.append(say_n("Longest run: {name} with {n} win.", "Longest run: {name} with {n} wins.", n, name=name))
    return " ".join(lines)


def _person_sentence(review: YearReview, names: Names) -> str:
    lines = []
    if review.people_listed:
        other = review.people_listed[0]
        name = person_name(other.key, names)
        said = say_n(
            "Most played with {name}: {n} play.", "Most played with {name}: {n} plays.", other.plays, name=name
        )
        lines.append(said)
    if review.run is not None:
        lines.append(say_n("Longest run: {n} win.", "Longest run: {n} wins.", review.run.length))
    return " ".join(lines)


def year_message(club_name: str, review: YearReview, names: Names) -> str:
    """Return the text of the message about a club's year."""
    plays = say_n("{n} play", "{n} plays", review.plays)
    games = say_n("{n} game", "{n} games", review.games)
    people = say_n("{n} person", "{n} people", review.people)
    begun = say(
        "{club}: {year} in review. {plays}, {games}, {people}.",
        club=club_name,
        year=review.year,
        plays=plays,
        games=games,
        people=people,
    )
    best = review.games_listed[0]
    most = say("Game of the year: {game}.", game=game_title(best.key))
    return " ".join(line for line in (begun, most, year_sentence(review, names)) if line)
