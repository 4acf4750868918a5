"""Headers and queries of reading a game; opening, recording, sheets and practice."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from daybook.domain.commands import TURN_LIMIT
from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import TEXT_LIMIT
from daybook.services.names import NAME_LIMIT, TITLE_LIMIT
from daybook.services.play.practice import QUICK_LEVELS
from daybook.web.api.envelopes.fields import (
    LAST_STEP,
    SEAT,
    SEATS,
    At,
    CauseOf,
    Choice,
    Day,
    Decision,
    Envelope,
    Game,
    Pattern,
    Seat,
    Seed,
    Several,
    Step,
    StepAsked,
    Text,
    TextOrNull,
    TimeZone,
    Truth,
    Values,
    Whole,
    WholeNumber,
    Why,
    documented,
)
from daybook.web.request.game_query import LISTS, MAX_QUERY_CHARACTERS, MINE

# --- headers ---------------------------------------------------------------------------------------------------------


class Key(fields.String):
    """The client's own name for a write."""

    def __init__(self, least: int, says: str) -> None:
        super().__init__(
            required=True,
            data_key="Idempotency-Key",
            validate=Pattern(rf"^[A-Za-z0-9_.:-]{{{least},64}}$"),
            error_messages={"required": "Every write needs this header."},
            **documented(says),
        )


class Once(Envelope):
    key = Key(
        1,
        "your own name for this write, best a fresh UUID: sent again with the same key it is written once, also if the "
        "first answer was lost",
    )


class OnceSecret(Envelope):
    key = Key(
        16,
        "your own name for this game, 16 characters or more that nobody can guess, best a fresh UUID: sent again with "
        "the same key it is written once, and its links are answered again",
    )


# --- queries ---------------------------------------------------------------------------------------------------------


class Looking(Envelope):
    sight = fields.String(
        validate=Pattern(r"^(all|spectator|0|[1-9][0-9]?)$"),
        **documented("as who to look: all, spectator, or a seat; by default the fullest this key may see"),
    )


class LookingAt(Looking):
    step = StepAsked("the step to look at; by default the newest")


class LookingAfter(Looking):
    after = Whole(-1, LAST_STEP, "only the steps after this one", load_default=-1)


class LegalFor(Envelope):
    seat = Whole(*SEATS, SEAT, required=True)
    step = StepAsked("after this step; by default the newest")


class MadeBy(LookingAt):
    path = Several(
        Text(1, 200),
        1,
        50,
        "a part of the board as a JSON pointer, such as /players/0/money; may be given several times",
    )


class TwoSteps(Looking):
    one = StepAsked(required=True)
    other = StepAsked(required=True)


class AsOf(Envelope):
    step = StepAsked("as it was after this step; by default the newest")


class Receipted(Envelope):
    receipt = Text(1, 64, "a seal as it was handed out, or at least its first 12 characters", required=False)


class ImportAs(Envelope):
    public = fields.Boolean(
        load_default=False, truthy={"true"}, falsy={"false"}, **documented("whether everybody may read it")
    )


def page_limit(usual: int, most: int) -> Whole:
    return Whole(1, most, f"rows on a page; by default {usual}")


class PageAsked(Envelope):
    after = fields.String(
        validate=validate.Length(max=80), **documented("where the page begins, as `next` of the page before says it")
    )
    limit = page_limit(100, 200)


class PeopleAsked(PageAsked):
    limit = page_limit(500, 1000)


class GamesWanted(PageAsked):
    q = fields.String(
        validate=[validate.Length(max=MAX_QUERY_CHARACTERS), Pattern(r"^[^\x00-\x1f]*$")],
        **documented("words, each of which stands in the title, a player's name, the game's name or a club's"),
    )
    since = Day("last recorded in on this day or later")
    until = Day("last recorded in on this day or earlier")
    tz = TimeZone("whose days these are, such as Asia/Seoul; by default UTC’s")
    list = Choice(LISTS, "games of one kind alone", required=False)
    whose = Choice([MINE], "the game of this link, or those in which the person of this key sits", required=False)
    game = Game("of this game")
    club = fields.UUID(**documented("entered in this club"))


# --- opening ---------------------------------------------------------------------------------------------------------


class PlayerIn(Envelope):
    name = Text(1, NAME_LIMIT)
    colour = Text(1, 40)


class Opening(Envelope):
    """What is said of every new game."""

    options = fields.Dict(
        keys=fields.String(), load_default=dict, **documented("options that differ from their defaults")
    )
    sheet = TextOrNull(64, "the hash of a published component sheet; by default the one Daybook comes with")
    recorded = Choice(["live", "notes", "memory"], load_default="live")
    played = Day("the day it was played, where that is not when it is written down", load_default="")
    public = Truth("whether everybody may read it as a spectator, or only who has a link")


class GameIn(Opening):
    ruleset = Choice(RULESETS, attribute="ruleset_id")
    title = Text(1, TITLE_LIMIT)
    players = Several(fields.Nested(PlayerIn), 1, 20, "clockwise, each with a colour of their own")


class PracticeIn(Envelope):
    ruleset = Choice(RULESETS)
    seats = WholeNumber(1, 20)
    seed = Seed("the same seed plays the same game")
    options = fields.Dict(keys=fields.String(), load_default=dict)
    level = Choice(
        QUICK_LEVELS,
        "how well everybody plays: chance knows only what is legal, steady plays towards the score",
        load_default="chance",
    )


class ShownIn(Envelope):
    title = Text(1, TITLE_LIMIT, required=False)
    names = Several(Text(1, NAME_LIMIT), 1, 20, "the players' names by seat, one for each", required=False)
    public = Truth("", load_default=ma.missing)


class GrantIn(Envelope):
    role = Choice(["scorekeeper", "seat", "reader"])
    seat = WholeNumber(0, 99, "the seat, for the role seat only", load_default=None)


class Link(TextOrNull):
    def __init__(self) -> None:
        super().__init__(200, "the key of a link of the game; by default what your roles give you")


class SeatClaimed(Envelope):
    seat = WholeNumber(0, 99, "your seat")
    link = Link()


class SheetIn(Envelope):
    name = Text(1, 120, "such as the printing of the box")
    overrides = Values(1, 500, "path -> what the box prints", example={"start.money": 5})


# --- recording -------------------------------------------------------------------------------------------------------


class MoveIn(Envelope):
    seat = Seat()
    decision = Decision()


class DecisionIn(MoveIn):
    at = At()


class QuestionIn(MoveIn):
    step = Step("after this step; by default the newest", required=False)


class TurnIn(Envelope):
    seat = Seat()
    decisions = Several(
        Decision(), 1, TURN_LIMIT, "decisions of this seat, in their order; each becomes a step of its own"
    )
    at = At()


class TextIn(Envelope):
    text = Text(1, 2_000, "decisions in the words on their buttons, each in a line or after a ;")


class TakeBackIn(Envelope):
    to = Step("the step after which the board shall lie again")
    cause = CauseOf()
    why = Why(least=0)
    at = At()


class AdjustmentIn(Envelope):
    values = Values(
        1,
        200,
        "path -> what really lies there; the ruleset lists the paths under `causes`",
        example={"/players/0/money": 12},
    )
    cause = CauseOf()
    why = Why()
    at = At()


class NoteIn(Envelope):
    about = Step("the step it is about")
    text = Text(1, TEXT_LIMIT)


class AtIn(Envelope):
    at = At()


class WhyIn(Envelope):
    why = Why()


class WhyNotIn(Envelope):
    why = Why(least=0)


class WhyAtIn(WhyIn):
    at = At()


class DayOfPlayIn(Envelope):
    day = Day("the day it was played; null: that is not said any more", required=True, allow_none=True)
