"""The envelopes: what comes in over HTTP, checked by marshmallow. Anything that is not known is refused."""

from __future__ import annotations

import base64
import re
from typing import Any, get_args

import marshmallow as ma
from marshmallow import ValidationError, fields, validate

from daybook.domain.commands import TURN_LIMIT
from daybook.domain.disputes import PHOTOS_LIMIT, RULE_LIMIT
from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import TEXT_LIMIT
from daybook.domain.kernel.events import Cause, FirstRuling, Ruling
from daybook.domain.kernel.game_names import MARK
from daybook.domain.league.club_events import Answer
from daybook.domain.league.event_checks import CLUB_NAME_LIMIT
from daybook.domain.league.event_checks.evenings import GAMES_LIMIT
from daybook.domain.league.results import EXPANSIONS_LIMIT, MINUTES_LIMIT, PLAYERS_LIMIT
from daybook.domain.league.seasons import ROUNDS_LIMIT
from daybook.services.days import read_day, zones
from daybook.services.disputes.forks import MOVES_LIMIT
from daybook.services.disputes.umpires import HOURS_LIMIT
from daybook.services.exchange.incoming import FILE_LIMIT
from daybook.services.files.validate import Misfit, check_time
from daybook.services.names import NAME_LIMIT, TITLE_LIMIT
from daybook.services.play.practice import QUICK_LEVELS
from daybook.services.statistics.figure_questions import SPLITS
from daybook.web.api.base import REF
from daybook.web.api.strict import LARGEST
from daybook.web.request.game_query import LISTS, MINE, QUERY_LIMIT

STEPS = validate.Range(min=0, max=2**31 - 1)
SEATS = validate.Range(min=-1, max=99)
SEAT = {"description": "a seat, 0 and up in clockwise order; -1: the table itself"}
CAUSE = {
    "description": "table: the players took it back or found a slip; mistyped: the record was wrong about the "
    "table; ruling: an umpire decided it"
}


class Pattern(validate.Regexp):
    """The whole text has to match, as `pattern` with ^ and $ says in the document; no line end may follow."""

    def __call__(self, value: Any) -> Any:
        if not isinstance(value, str) or not re.fullmatch(str(self.regex.pattern), value):
            raise ValidationError("Does not have the form that the document describes.")
        return value


class Whole(fields.Integer):
    """A whole number of a query: ASCII digits and nothing else."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"-?(0|[1-9][0-9]{0,18})", value):
            raise ValidationError("Not a whole number.")
        return int(value)


class WholeNumber(fields.Integer):
    """A whole number of a body."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strict=True, **kwargs)


class Truth(fields.Boolean):
    """true or false, as JSON has them."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("Not true or false.")
        return value


BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"


class Base64File(fields.String):
    """The bytes of a file, in Base64."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(metadata={"contentEncoding": "base64", "pattern": BASE64}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            return base64.b64decode(super()._deserialize(value, attr, data, **kwargs), validate=True)
        except ValueError as wrong:
            if isinstance(wrong, ValidationError):
                raise
            raise ValidationError("Not Base64.") from wrong


class Envelope(ma.Schema):
    class Meta:
        unknown = ma.RAISE


def length_limits(least: int, most: int, **metadata: Any) -> dict[str, Any]:
    """What a dict field is given so that it holds so many, and the document says so."""
    return {
        "validate": validate.Length(least, most),
        "metadata": {"minProperties": least, "maxProperties": most, **metadata},
    }


def decision_field() -> fields.Field[Any]:
    return fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={
            "description": "a decision of the game, as GET .../legal lists it",
            "anyOf": [{"$ref": REF.format(name=f"{ruleset.prefix}.Decision")} for ruleset in RULESETS.values()],
        },
    )


def at_field() -> fields.Field[Any]:
    return WholeNumber(
        required=True,
        validate=STEPS,
        metadata={"description": "the newest step you know; if the board has moved on since, nothing is written (409)"},
    )


def why_field(required: bool) -> fields.Field[Any]:
    if required:
        return fields.String(required=True, validate=validate.Length(1, TEXT_LIMIT))
    return fields.String(load_default="", validate=validate.Length(0, TEXT_LIMIT))


def cause_field() -> fields.Field[Any]:
    return fields.String(required=True, validate=validate.OneOf(get_args(Cause)), metadata=CAUSE)


DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


class Day(fields.String):
    """A day of the calendar."""

    def __init__(self, says: str, **kwargs: Any) -> None:
        super().__init__(validate=Pattern(DAY), metadata={"description": says, "format": "date"}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        day = super()._deserialize(value, attr, data, **kwargs)
        if re.fullmatch(DAY.strip("^$"), day) and read_day(day) is None:
            raise ValidationError("There is no such day.")
        return day


# --- headers and queries ---------------------------------------------------------------------------------------------


class Once(Envelope):
    key = fields.String(
        required=True,
        data_key="Idempotency-Key",
        validate=Pattern(r"^[A-Za-z0-9_.:-]{1,64}$"),
        error_messages={"required": "Every write needs this header."},
        metadata={
            "description": "your own name for this write, best a fresh UUID: sent again with the same key it is "
            "written once, also if the first answer was lost"
        },
    )


class OnceSecret(Envelope):
    key = fields.String(
        required=True,
        data_key="Idempotency-Key",
        validate=Pattern(r"^[A-Za-z0-9_.:-]{16,64}$"),
        error_messages={"required": "Every write needs this header."},
        metadata={
            "description": "your own name for this game, 16 characters or more that nobody can guess, best a "
            "fresh UUID: sent again with the same key it is written once, and its links are "
            "answered again"
        },
    )


class Looking(Envelope):
    sight = fields.String(
        validate=Pattern(r"^(all|spectator|0|[1-9][0-9]?)$"),
        metadata={"description": "as who to look: all, spectator, or a seat; by default the fullest this key may see"},
    )


class LookingAt(Looking):
    step = Whole(validate=STEPS, metadata={"description": "the step to look at; by default the newest"})


class LookingAfter(Looking):
    after = Whole(
        load_default=-1,
        validate=validate.Range(min=-1, max=2**31 - 1),
        metadata={"description": "only the steps after this one"},
    )


class LegalFor(Envelope):
    seat = Whole(required=True, validate=SEATS, metadata=SEAT)
    step = Whole(validate=STEPS, metadata={"description": "after this step; by default the newest"})


class MadeBy(LookingAt):
    path = fields.List(
        fields.String(validate=validate.Length(1, 200)),
        required=True,
        validate=validate.Length(1, 50),
        metadata={
            "description": "a part of the board as a JSON pointer, such as /players/0/money; may be given several times"
        },
    )


class Receipted(Envelope):
    receipt = fields.String(
        validate=validate.Length(1, 64),
        metadata={"description": "a seal as it was handed out, or at least its first 12 characters"},
    )


class ImportAs(Envelope):
    public = fields.Boolean(
        load_default=False, truthy={"true"}, falsy={"false"}, metadata={"description": "whether everybody may read it"}
    )


# --- bodies ----------------------------------------------------------------------------------------------------------


class PlayerIn(Envelope):
    name = fields.String(required=True, validate=validate.Length(1, NAME_LIMIT))
    colour = fields.String(required=True, validate=validate.Length(1, 40))


class Opening(Envelope):
    """What is said of every new game."""

    options = fields.Dict(
        keys=fields.String(), load_default=dict, metadata={"description": "options that differ from their defaults"}
    )
    sheet = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, 64),
        metadata={"description": "the hash of a published component sheet; by default the one Daybook comes with"},
    )
    recorded = fields.String(load_default="live", validate=validate.OneOf(["live", "notes", "memory"]))
    played = Day("the day it was played, where that is not when it is written down", load_default="")
    public = Truth(
        load_default=False,
        metadata={"description": "whether everybody may read it as a spectator, or only who has a link"},
    )


class GameIn(Opening):
    ruleset = fields.String(required=True, attribute="ruleset_id", validate=validate.OneOf(list(RULESETS)))
    title = fields.String(required=True, validate=validate.Length(1, TITLE_LIMIT))
    players = fields.List(
        fields.Nested(PlayerIn),
        required=True,
        validate=validate.Length(1, 20),
        metadata={"description": "clockwise, each with a colour of their own"},
    )


class DayOfPlayIn(Envelope):
    day = Day("the day it was played; null: that is not said any more", required=True, allow_none=True)


class ShownIn(Envelope):
    title = fields.String(validate=validate.Length(1, TITLE_LIMIT))
    names = fields.List(
        fields.String(validate=validate.Length(1, NAME_LIMIT)),
        validate=validate.Length(1, 20),
        metadata={"description": "the players' names by seat, one for each"},
    )
    public = Truth()


class DecisionIn(Envelope):
    seat = WholeNumber(required=True, validate=SEATS, metadata=SEAT)
    decision = decision_field()
    at = at_field()


class TurnIn(Envelope):
    seat = WholeNumber(required=True, validate=SEATS, metadata=SEAT)
    decisions = fields.List(
        decision_field(),
        required=True,
        validate=validate.Length(1, TURN_LIMIT),
        metadata={"description": "decisions of this seat, in their order; each becomes a step of its own"},
    )
    at = at_field()


class QuestionIn(Envelope):
    seat = WholeNumber(required=True, validate=SEATS, metadata=SEAT)
    decision = decision_field()
    step = WholeNumber(validate=STEPS, metadata={"description": "after this step; by default the newest"})


class PreviewIn(Envelope):
    seat = WholeNumber(required=True, validate=SEATS, metadata=SEAT)
    decision = decision_field()


class TextIn(Envelope):
    text = fields.String(
        required=True,
        validate=validate.Length(1, 2_000),
        metadata={"description": "decisions in the words on their buttons, each in a line or after a ;"},
    )


class TakeBackIn(Envelope):
    to = WholeNumber(
        required=True, validate=STEPS, metadata={"description": "the step after which the board shall lie again"}
    )
    cause = cause_field()
    why = why_field(required=False)
    at = at_field()


class AdjustmentIn(Envelope):
    values = fields.Dict(
        keys=fields.String(),
        required=True,
        **length_limits(
            1,
            200,
            description="path -> what really lies there; the ruleset lists the paths under `causes`",
            example={"/players/0/money": 12},
        ),
    )
    cause = cause_field()
    why = why_field(required=True)
    at = at_field()


class NoteIn(Envelope):
    about = WholeNumber(required=True, validate=STEPS, metadata={"description": "the step it is about"})
    text = why_field(required=True)


class AtIn(Envelope):
    at = at_field()


class WhyAtIn(Envelope):
    why = why_field(required=True)
    at = at_field()


class WhyIn(Envelope):
    why = why_field(required=True)


class GrantIn(Envelope):
    role = fields.String(required=True, validate=validate.OneOf(["scorekeeper", "seat", "reader"]))
    seat = WholeNumber(
        allow_none=True,
        load_default=None,
        validate=validate.Range(min=0, max=99),
        metadata={"description": "the seat, for the role seat only"},
    )


LINK = fields.String(
    allow_none=True,
    load_default=None,
    validate=validate.Length(1, 200),
    metadata={"description": "the key of a link of the game; by default what your roles give you"},
)


class SeatClaimed(Envelope):
    seat = WholeNumber(required=True, validate=validate.Range(min=0, max=99), metadata={"description": "your seat"})
    link = LINK


class SheetIn(Envelope):
    name = fields.String(
        required=True, validate=validate.Length(1, 120), metadata={"description": "such as the printing of the box"}
    )
    overrides = fields.Dict(
        keys=fields.String(),
        required=True,
        **length_limits(1, 500, description="path -> what the box prints", example={"start.money": 5}),
    )


class About(Envelope):
    about = Whole(required=True, validate=STEPS, metadata={"description": "the step in question"})


class At(Envelope):
    step = Whole(validate=STEPS, metadata={"description": "as it was after this step; by default the newest"})


SPEAKS = {"description": "the seat in whose name; null: the scorekeeper"}


def speaker_field(more: str = "") -> fields.Field[Any]:
    metadata = {"description": SPEAKS["description"] + more}
    return WholeNumber(allow_none=True, load_default=None, validate=SEATS, metadata=metadata)


def umpire_field() -> fields.Field[Any]:
    return WholeNumber(
        required=True,
        validate=validate.Range(min=0, max=99),
        metadata={"description": "the number of an umpire, from 0"},
    )


class UmpireIn(Envelope):
    name = fields.String(
        load_default="",
        validate=validate.Length(0, NAME_LIMIT),
        metadata={"description": "somebody beside the table, who gets a link of their own"},
    )
    seat = WholeNumber(
        allow_none=True,
        load_default=None,
        validate=SEATS,
        metadata={"description": "a player, who rules with the link of the seat"},
    )


class ClaimIn(Envelope):
    about = WholeNumber(required=True, validate=STEPS, metadata={"description": "the step that is wrong"})
    what = why_field(required=True)
    rule = fields.String(
        load_default="",
        validate=validate.Length(0, RULE_LIMIT),
        metadata={"description": "the number of the rule, if it is known"},
    )
    why = why_field(required=False)
    seat = speaker_field()
    photos = fields.List(
        Base64File(),
        load_default=list,
        validate=validate.Length(max=PHOTOS_LIMIT),
        metadata={"description": "photos of the table, each a JPEG, PNG or WebP file in Base64; they are made anew"},
    )


class AppealHoursIn(Envelope):
    hours = WholeNumber(
        required=True,
        validate=validate.Range(min=0, max=HOURS_LIMIT),
        metadata={"description": "for how long a ruling may be appealed, from now on; 0: it is final"},
    )


class MoveIn(Envelope):
    seat = WholeNumber(required=True, validate=SEATS, metadata=SEAT)
    decision = decision_field()


class RemedyIn(Envelope):
    ruling = fields.String(
        required=True,
        validate=validate.OneOf(get_args(Ruling)),
        metadata={
            "description": "play_on: what was played stands; adjusted: it stands, and the board is put right; rewound: the "
            "board lies again as after a step"
        },
    )
    to = WholeNumber(
        allow_none=True,
        load_default=None,
        validate=STEPS,
        metadata={"description": "of a rewind: the step after which the board shall lie again"},
    )
    values = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        **length_limits(0, 200, description="of an adjustment: path -> what shall lie there"),
    )


class ProposalIn(RemedyIn):
    moves = fields.List(
        fields.Nested(MoveIn),
        load_default=list,
        validate=validate.Length(0, 200),
        metadata={"description": "after a rewind: the decisions that shall be made anew"},
    )
    why = why_field(required=False)
    seat = speaker_field("; it agrees with what it proposes")


class RulingIn(RemedyIn):
    umpire = umpire_field()
    proposal = WholeNumber(
        allow_none=True,
        load_default=None,
        validate=STEPS,
        metadata={"description": "the step of a proposal that is made the ruling; its place and values count then"},
    )
    first = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.OneOf(get_args(FirstRuling)),
        metadata={
            "description": "on an appeal: what the first ruling did to the board is kept, or undone before anything "
            "else; by default play_on undoes it, and the others keep it"
        },
    )
    why = why_field(required=True)
    at = at_field()


class ConsentIn(Envelope):
    proposal = WholeNumber(required=True, validate=STEPS, metadata={"description": "the step of the proposal"})
    seat = WholeNumber(required=True, validate=SEATS, metadata=SEAT)


class AppealIn(Envelope):
    umpire = umpire_field()
    why = why_field(required=True)
    seat = speaker_field()


class WhyNotIn(Envelope):
    why = why_field(required=False)


class ForkIn(Envelope):
    at = WholeNumber(required=True, validate=STEPS, metadata={"description": "the step after which it leaves the game"})
    title = fields.String(load_default="", validate=validate.Length(0, TITLE_LIMIT))
    moves = fields.List(fields.Nested(MoveIn), load_default=list, validate=validate.Length(0, 200))


class MovesIn(Envelope):
    moves = fields.List(
        fields.Nested(MoveIn),
        required=True,
        validate=validate.Length(1, 200),
        metadata={"description": "decisions to try, one after the other"},
    )


class PlayOnIn(Envelope):
    steps = WholeNumber(required=True, validate=validate.Range(min=1, max=MOVES_LIMIT))
    seed = WholeNumber(
        required=True,
        validate=validate.Range(min=0, max=LARGEST),
        metadata={"description": "the same seed plays the same decisions"},
    )


class KeepIn(Envelope):
    moves = WholeNumber(
        required=True,
        validate=validate.Range(min=0, max=MOVES_LIMIT),
        metadata={"description": "how many moves are kept, from the first on"},
    )


class OfferIn(Envelope):
    claim = WholeNumber(required=True, validate=STEPS, metadata={"description": "the number of the claim"})
    why = why_field(required=False)


class PracticeIn(Envelope):
    ruleset = fields.String(required=True, validate=validate.OneOf(list(RULESETS)))
    seats = WholeNumber(required=True, validate=validate.Range(min=1, max=20))
    seed = WholeNumber(
        required=True,
        validate=validate.Range(min=0, max=LARGEST),
        metadata={"description": "the same seed plays the same game"},
    )
    options = fields.Dict(keys=fields.String(), load_default=dict)
    level = fields.String(
        load_default="chance",
        validate=validate.OneOf(QUICK_LEVELS),
        metadata={
            "description": "how well everybody plays: chance knows only what is legal, steady plays towards the score"
        },
    )


# --- clubs -----------------------------------------------------------------------------------------------------------


class Time(fields.String):
    """A time as records write it; one that there was, not the 31st of June."""

    def __init__(self, description: str) -> None:
        super().__init__(
            validate=Pattern(
                r"^([12][0-9]{3}-(02-(0[1-9]|1[0-9]|2[0-8])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
                r"|(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01]))"
                r"|([12][0-9](0[48]|[2468][048]|[13579][26])|(1[26]|2[048])00)-02-29)"  # of leap years
                r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$"
            ),
            metadata={"description": description},
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        try:
            check_time(value)
        except Misfit as wrong:
            raise ValidationError("Not a time such as 2026-11-20T23:59:59.999Z.") from wrong
        return str(value)


class StandingsAsked(Envelope):
    at = Time("as they were known at the end of this time, UTC: 2026-11-20T23:59:59.999Z")
    position = Whole(
        validate=validate.Range(min=0, max=LARGEST),
        metadata={
            "description": "as they were known at this position of the log, as an answer names it: exact also where two "
            "entries share a time; instead of `at`"
        },
    )


class TimeZone(fields.String):
    """An IANA time zone."""

    def __init__(self, says: str) -> None:
        known = validate.OneOf(zones(), error="There is no such time zone.")
        super().__init__(validate=known, metadata={"description": says})


class Game(fields.String):
    """What was played: the id of a game's rules, or a colon and the name by which it is known."""

    def __init__(self, says: str) -> None:
        words = "|".join(sorted(RULESETS))
        known = Pattern(rf"^(?:{words}|{MARK}[^\x00-\x1f]{{1,{CLUB_NAME_LIMIT}}})$")
        super().__init__(
            validate=known, metadata={"description": f"{says}: {', '.join(RULESETS)}, or “{MARK}Wingspan”"}
        )


def page_limit(usual: int, most: int) -> Whole:
    return Whole(validate=validate.Range(1, most), metadata={"description": f"rows on a page; by default {usual}"})


class PageAsked(Envelope):
    after = fields.String(
        validate=validate.Length(max=80),
        metadata={"description": "where the page begins, as `next` of the page before says it"},
    )
    limit = page_limit(100, 200)


class GamesWanted(PageAsked):
    q = fields.String(
        validate=[validate.Length(max=QUERY_LIMIT), Pattern(r"^[^\x00-\x1f]*$")],
        metadata={
            "description": "words, each of which stands in the title, a player's name, the game's name or a club's"
        },
    )
    since = Day("last recorded in on this day or later")
    until = Day("last recorded in on this day or earlier")
    tz = TimeZone("whose days these are, such as Asia/Seoul; by default UTC’s")
    list = fields.String(validate=validate.OneOf(LISTS), metadata={"description": "games of one kind alone"})
    whose = fields.String(
        validate=validate.OneOf([MINE]),
        metadata={"description": "the game of this link, or those in which the person of this key sits"},
    )
    game = Game("of this game")
    club = fields.UUID(metadata={"description": "entered in this club"})


class RatingsAsked(Envelope):
    ruleset = Game("of this game; by default of all together")


class CountedGames(Envelope):
    """Which games count."""

    ruleset = Game("of this game; by default of all together")
    club = fields.UUID(
        metadata={"description": "a club's games, as its settings say; by default all that the key may read"}
    )
    season = fields.String(
        validate=validate.Length(1, 64),
        metadata={"description": "of this season of the club; `beside`: what is played beside every season"},
    )
    person = fields.String(
        validate=Pattern(r"^[!-~]{1,64}$"), metadata={"description": "of this person of the club: an id"}
    )
    seats = Whole(
        validate=validate.Range(1, 6),
        metadata={"description": "games with so many players; by default all but those played alone"},
    )
    practice = fields.String(
        validate=validate.OneOf(["no", "yes", "only"]),
        load_default="no",
        metadata={"description": "practice games; a club's settings say it themselves"},
    )
    since = fields.String(
        validate=Pattern(DAY),
        metadata={"description": "games played, or opened where nobody said the day, on this day or later"},
    )
    until = fields.String(
        validate=Pattern(DAY),
        metadata={"description": "games played, or opened where nobody said the day, on this day or earlier"},
    )
    tz = TimeZone(
        "whose days, months and years are meant, such as Asia/Seoul; by default the club’s, without a club UTC’s"
    )


class TableAsked(CountedGames, PageAsked):
    limit = page_limit(1000, 5000)


class QuestionAsked(CountedGames):
    measure = fields.String(
        required=True,
        validate=validate.Length(1, 64),
        metadata={"description": "what is counted, as GET /statistics/measures lists it"},
    )
    split = fields.List(
        fields.String(validate=validate.OneOf(list(SPLITS))),
        load_default=list,
        validate=(validate.Length(max=2)),
        metadata={"description": "told apart by these; at most two"},
    )


class AnswerAsked(QuestionAsked, TableAsked):
    pass


class GamesAsked(QuestionAsked):
    row = fields.String(
        load_default="",
        validate=[validate.Length(max=200), Pattern(r"^[^\x00-\x1f]*$")],
        metadata={"description": "behind the row with this key; by default behind all of them"},
    )


class MeasuresAsked(Envelope):
    ruleset = Game("of this game; by default what is counted of every game")


class PlacedIn(Envelope):
    person = fields.String(required=True, validate=validate.Length(1, 64), metadata={"description": "a person's id"})
    place = WholeNumber(
        required=True,
        validate=validate.Range(1, PLAYERS_LIMIT),
        metadata={
            "description": "shared places use up places: 1, 1, 3, 4; outside the seasons, where nobody won: all 2"
        },
    )
    seat = WholeNumber(allow_none=True, load_default=None, validate=validate.Range(0, PLAYERS_LIMIT - 1))
    score = WholeNumber(allow_none=True, load_default=None, validate=validate.Range(-LARGEST - 1, LARGEST))
    dropped = Truth(load_default=False, metadata={"description": "whether the person left before the end"})
    new = Truth(load_default=False, metadata={"description": "whether the person played this game for the first time"})


def at_club() -> fields.Field[Any]:
    return WholeNumber(
        allow_none=True,
        load_default=None,
        validate=STEPS,
        metadata={"description": "the newest step of the club that you know"},
    )


class ResultIn(Envelope):
    ruleset = fields.String(validate=validate.OneOf(list(RULESETS)))
    game = fields.String(
        validate=validate.Length(1, CLUB_NAME_LIMIT),
        metadata={"description": "instead of `ruleset`: any game, by its name"},
    )
    placed = fields.List(fields.Nested(PlacedIn), required=True, validate=validate.Length(1, PLAYERS_LIMIT))
    place = fields.String(load_default="", validate=validate.Length(0, CLUB_NAME_LIMIT))
    minutes = WholeNumber(load_default=0, validate=validate.Range(0, MINUTES_LIMIT))
    expansions = fields.List(
        fields.String(validate=validate.Length(1, CLUB_NAME_LIMIT)),
        load_default=list,
        validate=validate.Length(0, EXPANSIONS_LIMIT),
    )

    table = fields.String(allow_none=True, load_default=None, validate=validate.Length(1, 40))
    walkover = Truth(
        load_default=False,
        metadata={"description": "whether it was not played: the places count in standings, and for no rating"},
    )
    ended = Day("the day it ended, in the club's time zone; by default today, or as it was said before")
    why = fields.String(
        load_default="",
        validate=validate.Length(0, TEXT_LIMIT),
        metadata={"description": "needed where it replaces another result"},
    )
    at = at_club()


ROUNDS = {"description": "how many the season has, where its format leaves that open"}
SEED = {"description": "what the draw begins with; the same number draws the same again"}


def _entering() -> Any:
    return fields.List(
        fields.String(validate=Pattern(r"^[!-~]{1,64}$")),
        load_default=list,
        validate=(validate.Length(max=200)),
        metadata={"description": "who enters a heat, by id; by default everybody who plays"},
    )


class DrawAsked(Envelope):
    seed = Whole(required=True, validate=validate.Range(0, 999_999), metadata=SEED)
    rounds = Whole(load_default=0, validate=validate.Range(0, ROUNDS_LIMIT), metadata=ROUNDS)
    people = _entering()


class DrawIn(Envelope):
    seed = WholeNumber(required=True, validate=validate.Range(0, 999_999), metadata=SEED)
    rounds = WholeNumber(load_default=0, validate=validate.Range(0, ROUNDS_LIMIT), metadata=ROUNDS)
    people = _entering()
    at = WholeNumber(
        required=True, validate=STEPS, metadata={"description": "the club's step at which the draw was shown"}
    )


class MeetingIn(Envelope):
    when = fields.String(
        required=True,
        validate=validate.Length(0, 24),
        metadata={"description": "UTC, such as 2026-11-20T19:30:00.000Z; empty: no day is known"},
    )
    place = fields.String(load_default="", validate=validate.Length(0, CLUB_NAME_LIMIT))


class EveningIn(Envelope):
    when = fields.String(
        required=True,
        validate=validate.Length(0, 24),
        metadata={"description": "UTC, such as 2026-11-20T19:30:00.000Z"},
    )
    place = fields.String(load_default="", validate=validate.Length(0, CLUB_NAME_LIMIT))
    games = fields.List(
        fields.String(validate=validate.Length(1, CLUB_NAME_LIMIT)),
        load_default=list,
        validate=validate.Length(0, GAMES_LIMIT),
        metadata={"description": "what is to be played: ids of rulesets, or any games by their names"},
    )
    at = at_club()


class CallingOffIn(Envelope):
    why = fields.String(load_default="", validate=validate.Length(0, TEXT_LIMIT))
    at = at_club()


class EveningAnswerIn(Envelope):
    answer = fields.String(required=True, validate=validate.OneOf(get_args(Answer)))
    person = fields.String(
        load_default="",
        validate=validate.Length(0, 64),
        metadata={"description": "whose answer it is, for organisers; by default that of who sends it"},
    )


def by_name(description: str) -> fields.Field[Any]:
    return fields.Dict(
        keys=fields.String(),
        values=fields.String(validate=validate.Length(1, CLUB_NAME_LIMIT)),
        load_default=dict,
        metadata={"description": description},
    )


class PlaysIn(Envelope):
    text = fields.String(
        required=True,
        validate=validate.Length(1, FILE_LIMIT),
        metadata={"description": "the file: BG Stats’ JSON, BoardGameGeek’s XML, or a table with a header"},
    )
    people = by_name("who is meant by a name of the file: the id of a person of the club, or new, for a guest")
    games = by_name("what a game of the file is called here")


class UndoingIn(Envelope):
    why = fields.String(load_default="", validate=validate.Length(0, TEXT_LIMIT))


class VoidIn(Envelope):
    why = fields.String(required=True, validate=validate.Length(1, TEXT_LIMIT))


def people_of_seats(**more: Any) -> fields.Field[Any]:
    return fields.List(
        fields.String(validate=validate.Length(1, 64)),
        validate=validate.Length(1, 6),
        metadata={"description": "who sat where, by the seats of the record: ids of people of the club"},
        **more,
    )


class WhoSatIn(VoidIn):
    people = people_of_seats(required=True)


class ClosingIn(Envelope):
    at = WholeNumber(
        required=True, validate=STEPS, metadata={"description": "the club's step at which the standings were looked at"}
    )
    as_they_are = Truth(
        load_default=False,
        metadata={"description": "whether tables that look like one evening count as they are, if there are any"},
    )


class ApartIn(VoidIn):
    season = fields.String(
        required=True, validate=validate.Length(1, 40), metadata={"description": "of the other table, or beside"}
    )
    table = fields.String(required=True, validate=validate.Length(1, 40))


class GameEnteredIn(Envelope):
    game = fields.UUID(required=True)
    link = LINK
    table = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, 40),
        metadata={"description": "a planned one; none: a new one, where the season takes any game"},
    )
    people = people_of_seats(allow_none=True, load_default=None)
    why = fields.String(
        load_default="",
        validate=validate.Length(0, TEXT_LIMIT),
        metadata={"description": "needed where others sat there than the record names"},
    )
    another = Truth(
        load_default=False, metadata={"description": "it is another evening than one whose record says nearly the same"}
    )


class TableOpenedIn(Opening):
    ruleset = fields.String(required=True, validate=validate.OneOf(list(RULESETS)))
    title = fields.String(
        load_default="",
        validate=validate.Length(0, TITLE_LIMIT),
        metadata={"description": "by default the season and the table"},
    )
    colours = fields.List(
        fields.String(validate=validate.Length(1, 40)),
        load_default=list,
        validate=(validate.Length(max=20)),
        metadata={"description": "one for each seat; by default the game's first ones"},
    )


class EveningGameIn(TableOpenedIn):
    people = fields.List(
        fields.String(validate=validate.Length(1, 64)),
        load_default=list,
        validate=validate.Length(0, PLAYERS_LIMIT),
        metadata={"description": "who sits where; by default whoever comes, in the order in which they said so"},
    )
