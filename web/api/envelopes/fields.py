"""What envelopes are made of: fields with their limits and their words in the document. What is not known is refused.

Whatever a body says has to be said, unless something is given that stands in its place (`load_default`); a text and a
list that may be empty are empty then.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from typing import Any, get_args

import marshmallow as ma
from marshmallow import ValidationError, fields, validate

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import TEXT_LIMIT
from daybook.domain.kernel.events import Cause
from daybook.domain.kernel.game_names import MARK
from daybook.domain.league.event_checks import CLUB_NAME_LIMIT
from daybook.services.days import read_day, zone_names
from daybook.services.files.validate import MisfitError, check_time
from daybook.web.api.schemas import REF
from daybook.web.api.strict import LARGEST

LAST_STEP = 2**31 - 1
ID = r"^[!-~]{1,64}$"  # a person's
DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"


class Envelope(ma.Schema):
    class Meta:
        unknown = ma.RAISE


class Pattern(validate.Regexp):
    """The whole text has to match, as `pattern` with ^ and $ says in the document; no line end may follow."""

    def __call__(self, value: Any) -> Any:
        if not isinstance(value, str) or not re.fullmatch(str(self.regex.pattern), value):
            raise ValidationError("Does not have the form that the document describes.")
        return value


def documented(says: str, **more: Any) -> dict[str, Any]:
    """What a field is given so that the document says it."""
    return {"metadata": {"description": says, **more} if says else more}


def unsaid(more: Mapping[str, Any], empty: Any = None) -> dict[str, Any]:
    """What a field of a body is given for when it is not said: as `more` says; else `empty`, and else it is needed."""
    if "required" in more or "load_default" in more:
        return {**more}
    return {"required": True, **more} if empty is None else {"load_default": empty, **more}


# --- texts -----------------------------------------------------------------------------------------------------------


class Text(fields.String):
    """A text of so many characters."""

    def __init__(self, least: int, most: int, says: str = "", **more: Any) -> None:
        super().__init__(
            validate=validate.Length(least, most), **documented(says), **unsaid(more, None if least else "")
        )


class TextOrNull(Text):
    """None where it is not said."""

    def __init__(self, most: int, says: str = "") -> None:
        super().__init__(1, most, says, load_default=None)


class Why(Text):
    """Why something is done."""

    def __init__(self, says: str = "", least: int = 1) -> None:
        super().__init__(least, TEXT_LIMIT, says)


class Choice(fields.String):
    """One of these words."""

    def __init__(self, words: Iterable[str], says: str = "", **more: Any) -> None:
        super().__init__(validate=validate.OneOf([*words]), **documented(says), **unsaid(more))


class CauseOf(Choice):
    def __init__(self) -> None:
        super().__init__(
            get_args(Cause),
            "table: the players took it back or found a slip; mistyped: the record was wrong about the table; ruling: "
            "an umpire decided it",
        )


class Base64File(fields.String):
    """The bytes of a file, in Base64."""

    def __init__(self) -> None:
        super().__init__(metadata={"contentEncoding": "base64", "pattern": BASE64})

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            return base64.b64decode(super()._deserialize(value, attr, data, **kwargs), validate=True)
        except ValueError as wrong:
            if isinstance(wrong, ValidationError):
                raise
            raise ValidationError("Not Base64.") from wrong


class Day(fields.String):
    """A day of the calendar."""

    def __init__(self, says: str, **more: Any) -> None:
        super().__init__(validate=Pattern(DAY), **documented(says, format="date"), **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        day = super()._deserialize(value, attr, data, **kwargs)
        if re.fullmatch(DAY.strip("^$"), day) and read_day(day) is None:
            raise ValidationError("There is no such day.")
        return day


class Time(fields.String):
    """A time as records write it; one that there was, not the 31st of June."""

    def __init__(self, says: str) -> None:
        super().__init__(
            validate=Pattern(
                r"^([12][0-9]{3}-(02-(0[1-9]|1[0-9]|2[0-8])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
                r"|(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01]))"
                r"|([12][0-9](0[48]|[2468][048]|[13579][26])|(1[26]|2[048])00)-02-29)"  # of leap years
                r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$"
            ),
            **documented(says),
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        try:
            check_time(value)
        except MisfitError as wrong:
            raise ValidationError("Not a time such as 2026-11-20T23:59:59.999Z.") from wrong
        return str(value)


class TimeZone(fields.String):
    """An IANA time zone."""

    def __init__(self, says: str) -> None:
        super().__init__(validate=validate.OneOf(zone_names(), error="There is no such time zone."), **documented(says))


class Game(fields.String):
    """What was played: the id of a game's rules, or a colon and the name by which it is known."""

    def __init__(self, says: str) -> None:
        words = "|".join(sorted(RULESETS))
        super().__init__(
            validate=Pattern(rf"^(?:{words}|{MARK}[^\x00-\x1f]{{1,{CLUB_NAME_LIMIT}}})$"),
            **documented(f"{says}: {', '.join(RULESETS)}, or “{MARK}Wingspan”"),
        )


# --- numbers ---------------------------------------------------------------------------------------------------------


class Whole(fields.Integer):
    """A whole number of a query: ASCII digits and nothing else. It may be left out."""

    def __init__(self, least: int, most: int, says: str = "", **more: Any) -> None:
        super().__init__(validate=validate.Range(least, most), **documented(says), **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"-?(0|[1-9][0-9]{0,18})", value):
            raise ValidationError("Not a whole number.")
        return int(value)


class WholeNumber(fields.Integer):
    """A whole number of a body."""

    def __init__(self, least: int, most: int, says: str = "", **more: Any) -> None:
        super().__init__(strict=True, validate=validate.Range(least, most), **documented(says), **unsaid(more))


class Step(WholeNumber):
    def __init__(self, says: str, **more: Any) -> None:
        super().__init__(0, LAST_STEP, says, **more)


class At(Step):
    def __init__(self) -> None:
        super().__init__("the newest step you know; if the board has moved on since, nothing is written (409)")


class StepAsked(Whole):
    """A step of a query."""

    def __init__(self, says: str = "", **more: Any) -> None:
        super().__init__(0, LAST_STEP, says, **more)


SEATS = (-1, 99)
SEAT = "a seat, 0 and up in clockwise order; -1: the table itself"


class Seat(WholeNumber):
    def __init__(self, says: str = SEAT, **more: Any) -> None:
        super().__init__(*SEATS, says, **more)


class Speaker(Seat):
    def __init__(self, more: str = "") -> None:
        super().__init__(f"the seat in whose name; null: the scorekeeper{more}", load_default=None)


class Seed(WholeNumber):
    def __init__(self, says: str) -> None:
        super().__init__(0, LARGEST, says)


class Truth(fields.Boolean):
    """true or false, as JSON has them; false where nothing is said."""

    def __init__(self, says: str, **more: Any) -> None:
        super().__init__(**documented(says), **{"load_default": False, **more})

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("Not true or false.")
        return value


# --- several of them -------------------------------------------------------------------------------------------------


class Several(fields.List[Any]):
    """A list of so many."""

    def __init__(self, of: fields.Field[Any], least: int, most: int, says: str = "", **more: Any) -> None:
        super().__init__(
            of, validate=validate.Length(least, most), **documented(says), **unsaid(more, None if least else list)
        )


class Values(fields.Dict):
    """Paths with what lies there; so many."""

    def __init__(self, least: int, most: int, says: str, **more: Any) -> None:
        super().__init__(
            keys=fields.String(),
            values=more.pop("values", None),
            validate=validate.Length(least, most),
            **documented(says, minProperties=least, maxProperties=most, **more),
            **unsaid({}, None if least else dict),
        )


class Decision(fields.Dict):
    def __init__(self) -> None:
        decisions = [{"$ref": REF.format(name=f"{ruleset.prefix}.Decision")} for ruleset in RULESETS.values()]
        super().__init__(
            keys=fields.String(),
            required=True,
            **documented("a decision of the game, as GET .../legal lists it", anyOf=decisions),
        )
