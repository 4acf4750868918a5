"""Clubs: who may do what in them, and `write`, which writes a command (`domain.league.club_commands`) to a club."""

from __future__ import annotations

from daybook.services.league.clubs.club_games import (
    game_named,
    games_by_name,
    meeting_place,
    seats_put_right,
    sheets_played,
    table_of,
)
from daybook.services.league.clubs.evenings import evening_at
from daybook.services.league.clubs.founding import found_club
from daybook.services.league.clubs.games import NotYoursError, require_keeper
from daybook.services.league.clubs.leagues import league_at, season_at
from daybook.services.league.clubs.member_accounts import (
    account_in,
    account_merges,
    accounts_in,
    came_by_choice,
    is_account_merge,
)
from daybook.services.league.clubs.roles import (
    MAY,
    OPERATOR,
    RIGHTS,
    NotAllowedError,
    What,
    as_seen,
    check,
    clubs_of,
    clubs_with,
    may,
    page_of_clubs,
    roles_for,
)
from daybook.services.league.clubs.tables import open_table
from daybook.services.league.clubs.writing import preview, write

__all__ = [
    "MAY",
    "OPERATOR",
    "RIGHTS",
    "NotAllowedError",
    "NotYoursError",
    "What",
    "account_in",
    "account_merges",
    "accounts_in",
    "as_seen",
    "came_by_choice",
    "check",
    "clubs_of",
    "clubs_with",
    "evening_at",
    "found_club",
    "game_named",
    "games_by_name",
    "is_account_merge",
    "league_at",
    "may",
    "meeting_place",
    "open_table",
    "page_of_clubs",
    "preview",
    "require_keeper",
    "roles_for",
    "season_at",
    "seats_put_right",
    "sheets_played",
    "table_of",
    "write",
]
