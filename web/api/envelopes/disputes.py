"""Claims and rulings, what if, and what puts the record right."""

from __future__ import annotations

from typing import get_args

from marshmallow import fields, validate

from daybook.domain.disputes import PHOTOS_LIMIT, RULE_LIMIT
from daybook.domain.kernel.chronicle import TEXT_LIMIT
from daybook.domain.kernel.events import FirstRuling, Ruling
from daybook.services.disputes.explain_count import MAX_PLAYS_PER_PIECE
from daybook.services.disputes.forks import MAX_MOVES
from daybook.services.disputes.umpires import HOURS_LIMIT
from daybook.services.names import NAME_LIMIT, TITLE_LIMIT
from daybook.web.api.envelopes.fields import (
    At,
    Base64File,
    Choice,
    Envelope,
    Pattern,
    Seat,
    Seed,
    Several,
    Speaker,
    Step,
    StepAsked,
    Text,
    Truth,
    Values,
    Whole,
    WholeNumber,
    Why,
    documented,
)
from daybook.web.api.envelopes.games import MoveIn

# --- claims ----------------------------------------------------------------------------------------------------------


class About(Envelope):
    about = StepAsked("the step in question", required=True)


class Umpire(WholeNumber):
    def __init__(self) -> None:
        super().__init__(0, 99, "the number of an umpire, from 0")


class UmpireIn(Envelope):
    name = Text(0, NAME_LIMIT, "somebody beside the table, who gets a link of their own")
    seat = Seat("a player, who rules with the link of the seat", load_default=None)


class AppealHoursIn(Envelope):
    hours = WholeNumber(0, HOURS_LIMIT, "for how long a ruling may be appealed, from now on; 0: it is final")


class ClaimIn(Envelope):
    about = Step("the step that is wrong")
    what = Text(1, TEXT_LIMIT)
    rule = Text(0, RULE_LIMIT, "the number of the rule, if it is known")
    why = Why(least=0)
    seat = Speaker()
    photos = fields.List(
        Base64File(),
        load_default=list,
        validate=validate.Length(max=PHOTOS_LIMIT),
        **documented("photos of the table, each a JPEG, PNG or WebP file in Base64; they are made anew"),
    )


class RemedyIn(Envelope):
    ruling = Choice(
        get_args(Ruling),
        "play_on: what was played stands; adjusted: it stands, and the board is put right; rewound: the board lies again "
        "as after a step",
    )
    to = Step("of a rewind: the step after which the board shall lie again", load_default=None)
    values = Values(0, 200, "of an adjustment: path -> what shall lie there")


class ProposalIn(RemedyIn):
    moves = Several(fields.Nested(MoveIn), 0, 200, "after a rewind: the decisions that shall be made anew")
    why = Why(least=0)
    seat = Speaker("; it agrees with what it proposes")


class RulingIn(RemedyIn):
    umpire = Umpire()
    proposal = Step(
        "the step of a proposal that is made the ruling; its place and values count then", load_default=None
    )
    first = Choice(
        get_args(FirstRuling),
        "on an appeal: what the first ruling did to the board is kept, or undone before anything else; by default play_on "
        "undoes it, and the others keep it",
        load_default=None,
    )
    why = Why()
    at = At()


class ConsentIn(Envelope):
    proposal = Step("the step of the proposal")
    seat = Seat()


class AppealIn(Envelope):
    umpire = Umpire()
    why = Why()
    seat = Speaker()


# --- what if ---------------------------------------------------------------------------------------------------------


class ForkIn(Envelope):
    at = Step("the step after which it leaves the game")
    title = Text(0, TITLE_LIMIT)
    moves = Several(fields.Nested(MoveIn), 0, 200)


class MovesIn(Envelope):
    moves = Several(fields.Nested(MoveIn), 1, 200, "decisions to try, one after the other")


class PlayOnIn(Envelope):
    steps = WholeNumber(1, MAX_MOVES)
    seed = Seed("the same seed plays the same decisions")


class KeepIn(Envelope):
    moves = WholeNumber(0, MAX_MOVES, "how many moves are kept, from the first on")


class OfferIn(Envelope):
    claim = Step("the number of the claim")
    why = Why(least=0)


# --- the record put right --------------------------------------------------------------------------------------------


class StoodIn(MoveIn):
    values = Values(0, 400, "places of the board put by hand: path -> what really lay there afterwards")
    computed = Truth(
        "the rules carry it out first, as far as they can; false: nothing of that followed", load_default=True
    )


class AsPlayedIn(StoodIn):
    why = Why()
    at = At()


class ResolutionIn(Envelope):
    moves = Several(fields.Nested(MoveIn), 0, 60, "the decisions in the place of the step; none: it is left out")
    as_played = Truth("the last of them stood although the rules refuse it; with no moves, the recorded one did")
    values = fields.Dict(
        keys=fields.String(), load_default=dict, **documented("what lay where after what stood: path -> value")
    )


class PlanIn(Envelope):
    instead = Values(
        1, 200, "step -> what stands in its place, the mistyped one first", values=fields.Nested(ResolutionIn)
    )


class CorrectionIn(PlanIn):
    digest = Text(1, 64, "of the plan that was looked at; if it would come to something else now, nothing is written")
    why = Why()
    at = At()


class CountIn(Envelope):
    values = Values(1, 400, "path -> what really lies there")
    text = Text(0, TEXT_LIMIT)
    at = At()


class CountAdjustedIn(Envelope):
    paths = Several(fields.String(), 1, 400, "only these places; by default every difference", load_default=None)
    why = Why()
    at = At()


PLAYS = 800  # decisions that a piece of a search for explanations plays unless it is told


class Searching(Envelope):
    plays = Whole(
        1,
        MAX_PLAYS_PER_PIECE,
        "how many decisions this piece of the search plays at most; it also ends after a second",
        load_default=PLAYS,
    )
    start = fields.String(
        data_key="from",
        load_default=None,
        validate=Pattern(r"^(first|late)\.[0-9]{1,6}\.[0-9]{1,6}$"),
        **documented("where the piece before ended, as its `next` says; by default it begins with the newest step"),
    )
