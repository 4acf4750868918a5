"""What is asked of statistics: which games count, and what is counted of them."""

from __future__ import annotations

from marshmallow import fields, validate

from daybook.services.statistics.figure_questions import SPLITS
from daybook.web.api.envelopes.fields import DAY, ID, Choice, Envelope, Game, Pattern, Text, TimeZone, Whole, documented
from daybook.web.api.envelopes.games import PageAsked, page_limit


class CountedGames(Envelope):
    """Which games count."""

    ruleset = Game("of this game; by default of all together")
    club = fields.UUID(**documented("a club's games, as its settings say; by default all that the key may read"))
    season = Text(1, 64, "of this season of the club; `beside`: what is played beside every season", required=False)
    person = fields.String(validate=Pattern(ID), **documented("of this person of the club: an id"))
    seats = Whole(1, 6, "games with so many players; by default all but those played alone")
    practice = Choice(["no", "yes", "only"], "practice games; a club's settings say it themselves", load_default="no")
    since = fields.String(
        validate=Pattern(DAY), **documented("games played, or opened where nobody said the day, on this day or later")
    )
    until = fields.String(
        validate=Pattern(DAY), **documented("games played, or opened where nobody said the day, on this day or earlier")
    )
    tz = TimeZone(
        "whose days, months and years are meant, such as Asia/Seoul; by default the club’s, without a club UTC’s"
    )


class TableAsked(CountedGames, PageAsked):
    limit = page_limit(1000, 5000)


class QuestionAsked(CountedGames):
    measure = Text(1, 64, "what is counted, as GET /statistics/measures lists it")
    split = fields.List(
        Choice(SPLITS),
        load_default=list,
        validate=validate.Length(max=2),
        **documented("told apart by these; at most two"),
    )


class AnswerAsked(QuestionAsked, TableAsked):
    pass


class GamesAsked(QuestionAsked):
    row = fields.String(
        load_default="",
        validate=[validate.Length(max=200), Pattern(r"^[^\x00-\x1f]*$")],
        **documented("behind the row with this key; by default behind all of them"),
    )


class MeasuresAsked(Envelope):
    ruleset = Game("of this game; by default what is counted of every game")
