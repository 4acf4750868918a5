"""The words of an evening in review, to paste into a chat."""

from __future__ import annotations

from daybook.domain.league.club import Club, Evening
from daybook.services.league.evening_reviews import EveningReview
from daybook.web.words import game_title, join_words
from daybook.web.words.league_words import Names, evening_label, person_name, result_sentence
from daybook.web.words.say import say, say_n

MAX_RESULTS_NAMED = 12


def evening_text(club: Club, evening: Evening, review: EveningReview, names: Names) -> str:
    """Return the review of an evening as lines of text: the results, the most wins, records, and new games."""
    when = evening_label(evening.when, club.zone)
    plays = say_n("{n} play", "{n} plays", len(review.played))
    people = say_n("{n} person", "{n} people", len(review.people))
    lines = [say("{club}, {when}: {plays}, {people}.", club=club.name, when=when, plays=plays, people=people)]
    lines += [
        say("{game}: {result}", game=game_title(result.ruleset), result=result_sentence(result, names))
        for result in review.results[:MAX_RESULTS_NAMED]
    ]
    left = len(review.played) - MAX_RESULTS_NAMED
    if left > 0:
        lines.append(say_n("and {n} more play", "and {n} more plays", left))
    return "\n".join([*lines, *evening_highlights(review, names)])


def evening_highlights(review: EveningReview, names: Names) -> list[str]:
    """Return a sentence for the most wins, for each record, and for the games that were new."""
    lines = []
    most = review.wins[0][1] if review.wins else 0
    if most > 1:
        winners = join_words([person_name(person, names) for person, wins in review.wins if wins == most])
        lines.append(say("Most wins: {name} with {n}.", name=winners, n=most))
    for record in review.records:
        game, name = game_title(record.ruleset), person_name(record.person, names)
        lines.append(
            say(
                "Record in {game}: {name} with {score}, before {earlier}.",
                game=game,
                name=name,
                score=record.score,
                earlier=record.before,
            )
        )
    if review.new:
        lines.append(say("New in the club: {games}.", games=join_words([game_title(game) for game in review.new])))
    return lines
