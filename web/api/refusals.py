"""Answers of the API to missing permissions: the missing right, and what to send instead."""

from __future__ import annotations

from typing import Any

from flask import Response

from daybook.domain.commands import seats_moved
from daybook.services.permissions.actions import ROLE_MISSING, MayNotError
from daybook.web.api.errors import ApiError, api_error_answer
from daybook.web.api.keys import ASK, holder, not_yours, person

MEMBERS_ONLY = {
    "membership": "the club's pages are for its members",
    "evenings": "the club's evenings are for its members",
}


def answer_missing_permission(no: MayNotError) -> Response:
    return api_error_answer(
        _error_in_club(no) if no.missing in (*ROLE_MISSING, "keeper", "own_account", "operator") else _error_in_game(no)
    )


def _error_in_club(no: MayNotError) -> ApiError:
    status = 401 if person() is None and holder() is None else 403
    if no.missing in MEMBERS_ONLY:
        todo = "send the key of a person who belongs to the club"
        return ApiError(status, "members_only", MEMBERS_ONLY[no.missing], todo)
    if no.missing == "keeper":
        reason = f"game {no.fields['game']} is entered by the holder of its scorekeeper's link"
        return ApiError(403, "not_allowed", reason, "send the key of the game's scorekeeper as `link`")
    todo = "send the key of a person with one of these roles"
    return ApiError(status, "role_missing", str(no), todo, roles=[role for role in no.roles if role != "operator"])


def _error_in_game(no: MayNotError) -> ApiError:
    grant: Any = no.holding
    fields = no.fields
    if grant is None:
        return not_yours(holder())
    if grant.role not in no.roles:
        reason = f"a {grant.role}'s link may not do this; it is for: {', '.join(no.roles)}"
        return ApiError(403, "not_allowed", reason, ASK)
    match no.missing:
        case "seat":
            return ApiError(
                403,
                "not_your_seat",
                f"the link of seat {grant.seat} does not record for seat {fields['seat']}",
                f"record for seat {grant.seat} or for the table (-1), or send the key of that seat",
                seat=grant.seat,
            )
        case "speak":
            whom = "the scorekeeper" if fields["seat"] is None else f"seat {fields['seat']}"
            return ApiError(
                403,
                "not_your_seat",
                f"the link of seat {grant.seat} does not speak for {whom}",
                f"speak for seat {grant.seat}, or send another key",
                seat=grant.seat,
            )
        case "others":
            others = sorted(seats_moved(no.subject, fields["to_step"]) - {grant.seat})
            return ApiError(
                403,
                "not_your_seat",
                f"this would undo or restore decisions of seat {others[0]}",
                "ask the scorekeeper or that seat to do it",
                seats=others,
            )
        case "seal":
            return ApiError(
                403,
                "not_your_seat",
                f"seat {fields['seat']} sealed this with its own link, and only that link may replace it",
                "ask that seat, or take the sealed decision back",
                seat=fields["seat"],
            )
        case "umpire":
            return ApiError(
                403,
                "not_the_umpire",
                f"this key does not rule for umpire {fields['umpire']}",
                "GET /games/{game}/umpires lists them; send the key of that umpire's link",
            )
        case "fact":
            return ApiError(
                403, "not_your_view", "this fact has hidden information", "ask the scorekeeper to record it"
            )
        case "running" | "fork" | "audit":
            return ApiError(
                403,
                "not_your_view",
                "hands are hidden from this key while the game runs",
                "send the scorekeeper's key, or wait until the game is closed",
            )
    return ApiError(
        403,
        "not_your_view",
        "part of the game is hidden from this key, and a refusal would reveal it",
        "ask the scorekeeper to propose it",
    )
