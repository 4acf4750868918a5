"""Clubs: standings, draws, tables and results, evenings, plays from other programs."""

from __future__ import annotations

from typing import get_args

import marshmallow as ma
from marshmallow import fields, validate

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import TEXT_LIMIT
from daybook.domain.league.club_events import Answer
from daybook.domain.league.event_checks import CLUB_NAME_LIMIT
from daybook.domain.league.event_checks.evenings import GAMES_LIMIT
from daybook.domain.league.results import EXPANSIONS_LIMIT, MINUTES_LIMIT, PLAYERS_LIMIT
from daybook.domain.league.seasons import ROUNDS_LIMIT
from daybook.services.names import TITLE_LIMIT
from daybook.services.reading_limits import PLAYS_FILE_BYTES
from daybook.web.api.envelopes.fields import (
    ID,
    Choice,
    Day,
    Envelope,
    Game,
    Pattern,
    Several,
    Step,
    Text,
    TextOrNull,
    Time,
    Truth,
    Whole,
    WholeNumber,
    Why,
    documented,
)
from daybook.web.api.envelopes.games import Link, Opening, WhyIn
from daybook.web.api.strict import LARGEST


class StandingsAsked(Envelope):
    at = Time("as they were known at the end of this time, UTC: 2026-11-20T23:59:59.999Z")
    position = Whole(
        0,
        LARGEST,
        "as they were known at this position of the log, as an answer names it: exact also where two entries share a "
        "time; instead of `at`",
    )


class RatingsAsked(Envelope):
    ruleset = Game("of this game; by default of all together")


class AtClub(Step):
    """None where it does not matter."""

    def __init__(self) -> None:
        super().__init__("the newest step of the club that you know", load_default=None)


class Name(Text):
    """A name as clubs give them."""

    def __init__(self, least: int = 1, says: str = "", **more: bool) -> None:
        super().__init__(least, CLUB_NAME_LIMIT, says, **more)


# --- results ---------------------------------------------------------------------------------------------------------


class PlacedIn(Envelope):
    person = Text(1, 64, "a person's id")
    place = WholeNumber(
        1, PLAYERS_LIMIT, "shared places use up places: 1, 1, 3, 4; outside the seasons, where nobody won: all 2"
    )
    seat = WholeNumber(0, PLAYERS_LIMIT - 1, load_default=None)
    score = WholeNumber(-LARGEST - 1, LARGEST, load_default=None)
    dropped = Truth("whether the person left before the end")
    new = Truth("whether the person played this game for the first time")
    role = Name(0, "whom or what they played", required=False)
    team = Name(0, required=False)
    written = Name(0, "the score as it was written, where that is no whole number", required=False)


class ResultIn(Envelope):
    ruleset = Choice(RULESETS, required=False)
    game = Name(says="instead of `ruleset`: any game, by its name", required=False)
    placed = Several(fields.Nested(PlacedIn), 1, PLAYERS_LIMIT)
    place = Name(0)
    minutes = WholeNumber(0, MINUTES_LIMIT, load_default=0)
    expansions = Several(Name(), 0, EXPANSIONS_LIMIT)
    board = Name(0, "the variant or scenario", required=False)
    comments = Text(0, TEXT_LIMIT, required=False)
    start = Text(0, 64, "who began", required=False)
    together = Truth("whether they played against the game, and won or lost as one", load_default=ma.missing)
    least = Truth("whether the least wins", load_default=ma.missing)
    table = TextOrNull(40)
    walkover = Truth("whether it was not played: the places count in standings, and for no rating")
    ended = Day("the day it ended, in the club's time zone; by default today, or as it was said before")
    why = Why("needed where it replaces another result", least=0)
    at = AtClub()


# --- schedules -------------------------------------------------------------------------------------------------------

SEED = (0, 999_999, "what the draw begins with; the same number draws the same again")
ROUNDS = (0, ROUNDS_LIMIT, "how many the season has, where its format leaves that open")


class Entering(fields.List[str]):
    def __init__(self) -> None:
        super().__init__(
            fields.String(validate=Pattern(ID)),
            load_default=list,
            validate=validate.Length(max=200),
            **documented("who enters a heat, by id; by default everybody who plays"),
        )


class DrawAsked(Envelope):
    seed = Whole(*SEED, required=True)
    rounds = Whole(*ROUNDS, load_default=0)
    people = Entering()


class DrawIn(Envelope):
    seed = WholeNumber(*SEED)
    rounds = WholeNumber(*ROUNDS, load_default=0)
    people = Entering()
    at = Step("the club's step at which the draw was shown")


class MeetingIn(Envelope):
    when = Text(0, 24, "UTC, such as 2026-11-20T19:30:00.000Z; empty: no day is known", required=True)
    place = Name(0)


# --- evenings --------------------------------------------------------------------------------------------------------


class EveningIn(Envelope):
    when = Text(0, 24, "UTC, such as 2026-11-20T19:30:00.000Z", required=True)
    place = Name(0)
    games = Several(Name(), 0, GAMES_LIMIT, "what is to be played: ids of rulesets, or any games by their names")
    at = AtClub()


class CallingOffIn(Envelope):
    why = Why(least=0)
    at = AtClub()


class EveningAnswerIn(Envelope):
    answer = Choice(get_args(Answer))
    person = Text(0, 64, "whose answer it is, for organisers; by default that of who sends it")


class ByName(fields.Dict):
    def __init__(self, says: str) -> None:
        super().__init__(keys=fields.String(), values=Name(), load_default=dict, **documented(says))


class PlaysIn(Envelope):
    text = Text(1, PLAYS_FILE_BYTES, "the file: BG Stats’ JSON, BoardGameGeek’s XML, or a table with a header")
    people = ByName("who is meant by a name of the file: the id of a person of the club, or new, for a guest")
    games = ByName("what a game of the file is called here")


# --- games of a season -----------------------------------------------------------------------------------------------


class PeopleOfSeats(Several):
    def __init__(self, **more: None) -> None:
        super().__init__(
            Text(1, 64), 1, 6, "who sat where, by the seats of the record: ids of people of the club", **more
        )


class WhoSatIn(WhyIn):
    people = PeopleOfSeats()


class ClosingIn(Envelope):
    at = Step("the club's step at which the standings were looked at")
    as_they_are = Truth("whether tables that look like one evening count as they are, if there are any")


class ApartIn(WhyIn):
    season = Text(1, 40, "of the other table, or beside")
    table = Text(1, 40)


class GameEnteredIn(Envelope):
    game = fields.UUID(required=True)
    link = Link()
    table = TextOrNull(40, "a planned one; none: a new one, where the season takes any game")
    people = PeopleOfSeats(load_default=None)
    why = Why("needed where others sat there than the record names", least=0)
    another = Truth("it is another evening than one whose record says nearly the same")


class TableOpenedIn(Opening):
    ruleset = Choice(RULESETS)
    title = Text(0, TITLE_LIMIT, "by default the season and the table")
    colours = fields.List(
        Text(1, 40),
        load_default=list,
        validate=validate.Length(max=20),
        **documented("one for each seat; by default the game's first ones"),
    )


class EveningGameIn(TableOpenedIn):
    people = Several(
        Text(1, 64), 0, PLAYERS_LIMIT, "who sits where; by default whoever comes, in the order in which they said so"
    )
