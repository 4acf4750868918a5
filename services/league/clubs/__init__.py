"""Clubs: what their people do, one function for each thing, and who may do it.

by: the person who does it, by id, or OPERATOR for whoever runs the service; key: the writer's idempotency key, with
which the same thing sent again answers the same step, and another is refused; at: the newest step of the club the
writer knew: if something was written since that bears on the same thing, the writer gets a Conflict, and nothing is
written. Each raises UnknownClub, NotAllowed, Conflict, BadKey, KeyUsed, and Refused with what stands against it;
nothing has changed then.
"""

from __future__ import annotations

from daybook.services.league.clubs.games import (
    NotYours,
    accept_result,
    enter_game,
    open_table,
    remove_game,
    table_of,
    try_result,
    type_result,
    void,
)
from daybook.services.league.clubs.leagues import (
    close_season,
    closing,
    draw_lot,
    enter_player,
    enter_players,
    found_league,
    league_at,
    open_season,
    penalise,
    reopen_season,
    season_at,
    settle_league,
    settle_season,
    withdraw,
)
from daybook.services.league.clubs.people import (
    found_club,
    give_roles,
    join,
    leave,
    merge,
    rename,
    set_zone,
    settle,
    split,
)
from daybook.services.league.clubs.roles import (
    MAY,
    OPERATOR,
    NotAllowed,
    What,
    check,
    clubs_of,
    clubs_with,
    may,
    readable_clubs,
)
from daybook.services.league.clubs.schedules import change_seats, draw, plan_table
from daybook.services.league.clubs.writing import (
    Act,
    Asked,
    ClubConflict,
    ClubReceipt,
    ClubWriter,
    repetition,
    try_act,
    write,
)

__all__ = [
    "MAY",
    "OPERATOR",
    "Act",
    "Asked",
    "ClubConflict",
    "ClubReceipt",
    "ClubWriter",
    "NotAllowed",
    "NotYours",
    "What",
    "accept_result",
    "change_seats",
    "check",
    "close_season",
    "closing",
    "clubs_of",
    "clubs_with",
    "draw",
    "draw_lot",
    "enter_game",
    "enter_player",
    "enter_players",
    "found_club",
    "found_league",
    "give_roles",
    "join",
    "league_at",
    "leave",
    "may",
    "merge",
    "open_season",
    "open_table",
    "penalise",
    "plan_table",
    "readable_clubs",
    "remove_game",
    "rename",
    "reopen_season",
    "repetition",
    "season_at",
    "set_zone",
    "settle",
    "settle_league",
    "settle_season",
    "split",
    "table_of",
    "try_act",
    "try_result",
    "type_result",
    "void",
    "withdraw",
    "write",
]
