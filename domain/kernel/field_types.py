"""Types of the fields of commands and requests, with their limits.

The limits are checked when JSON is decoded into a Struct (API, bare files). Structs built by our own code are not checked.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from daybook.domain.kernel.chronicle import NUMBER_LIMIT, TEXT_LIMIT

LAST_STEP = 2**31 - 1
DECISION_FORMAT = "decision"  # the API's document replaces it with the decisions of all games
VALUES_LIMIT = 400  # paths of one count, correction or ruling
MOVES_LIMIT = 200
RULE_LIMIT = 60  # characters of a rule's number

Text = Annotated[str, Meta(max_length=TEXT_LIMIT)]
FilledText = Annotated[str, Meta(min_length=1, max_length=TEXT_LIMIT)]
Step = Annotated[int, Meta(ge=0, le=LAST_STEP)]
Seed = Annotated[int, Meta(ge=0, le=NUMBER_LIMIT - 1)]
SeatOrTable = Annotated[
    int, Meta(ge=-1, le=99, description="a seat, from 0 in clockwise order, or -1 for the table itself")
]
PlayerSeat = Annotated[int, Meta(ge=0, le=99)]
Decision = Annotated[
    dict[str, Any],
    Meta(
        description="a decision of the game, as GET .../legal lists it", extra_json_schema={"format": DECISION_FORMAT}
    ),
]
Values = Annotated[dict[str, Any], Meta(max_length=VALUES_LIMIT)]
FilledValues = Annotated[dict[str, Any], Meta(min_length=1, max_length=VALUES_LIMIT)]
Day = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", extra_json_schema={"format": "date"})]
