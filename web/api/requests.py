"""Bodies, queries and headers that several areas share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from daybook.domain.games import RULESETS
from daybook.domain.kernel.field_types import FilledText, Step
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.game_names import MARK
from daybook.domain.league.event_checks import CLUB_NAME_LIMIT
from daybook.services.days import zone_names

if TYPE_CHECKING:
    RulesetId = str
    TimeZone = str
else:
    RulesetId = Literal[tuple(RULESETS)]
    TimeZone = Literal[tuple(zone_names())]

GAMES = f"{', '.join(RULESETS)}, or “{MARK}Wingspan”"
GameKey = Annotated[str, Meta(pattern=rf"^(?:{'|'.join(sorted(RULESETS))}|{MARK}[^\x00-\x1f]{{1,{CLUB_NAME_LIMIT}}})$")]
RecordTime = Annotated[
    str,
    Meta(
        pattern=r"^([12][0-9]{3}-(02-(0[1-9]|1[0-9]|2[0-8])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
        r"|(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01]))"
        r"|([12][0-9](0[48]|[2468][048]|[13579][26])|(1[26]|2[048])00)-02-29)"  # of leap years
        r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$"
    ),
]
PersonId = Annotated[str, Meta(pattern=r"^[!-~]{1,64}$")]
PlainText = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f]*$")]


Place = Annotated[str, Meta(max_length=80)]  # in a list, as an answer names it
LinkKey = Annotated[str, Meta(min_length=1, max_length=200)]


# --- headers ---------------------------------------------------------------------------------------------------------


class Once(Frozen):
    # your own name for this write, best a fresh UUID: repeated requests with it are written once, even if the first
    # answer was lost
    key: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")] = msgspec.field(name="Idempotency-Key")


class OnceSecret(Frozen):
    # your own name for this game, at least 16 characters that no one can guess, best a fresh UUID: repeated requests
    # with it open one game and return the same links
    key: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:-]{16,64}$")] = msgspec.field(name="Idempotency-Key")


# --- queries ---------------------------------------------------------------------------------------------------------


class Sighted(Frozen):
    # all, spectator, or a seat; default: the fullest that this key may see
    view: Annotated[str, Meta(pattern=r"^(all|spectator|0|[1-9][0-9]?)$")] | None = None


class SightedAt(Sighted):
    step: Step | None = None  # the step to show; default: the newest


class PageQuery(Frozen):
    after: Place = ""  # where the page begins: from `next` of the page before
    limit: Annotated[int, Meta(ge=1, le=200)] | None = None  # rows per page; default 100


class PeopleQuery(PageQuery):
    limit: Annotated[int, Meta(ge=1, le=1000)] | None = None  # rows per page; default 500


# --- bodies ----------------------------------------------------------------------------------------------------------


class AtStep(Frozen):
    at: Step  # the newest step that you know; if the board has changed since, nothing is written (409)


class Why(Exact):
    why: FilledText
