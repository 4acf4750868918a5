"""Clubs: lists of them, and `write`, which writes a command (`domain.league.club_commands`) to one."""

from __future__ import annotations

from daybook.services.league.clubs.challenge_commands import challenge_at
from daybook.services.league.clubs.club_games import (
    game_named,
    games_by_name,
    meeting_place,
    seats_put_right,
    sheets_played,
    table_of,
)
from daybook.services.league.clubs.evening_commands import evening_at
from daybook.services.league.clubs.founding import found_club, found_own_log, own_log_id
from daybook.services.league.clubs.leagues import league_at, pick_stage_players, season_at
from daybook.services.league.clubs.member_accounts import (
    account_in,
    account_merges,
    accounts_in,
    came_by_choice,
    is_account_merge,
    joined_by_choice,
)
from daybook.services.league.clubs.tables import open_table
from daybook.services.league.clubs.writing import preview, write
from daybook.services.permissions.actions import OPERATOR
from daybook.services.permissions.readable_clubs import clubs_of, clubs_with, own_logs_of, page_of_clubs

__all__ = [
    "OPERATOR",
    "account_in",
    "account_merges",
    "accounts_in",
    "came_by_choice",
    "challenge_at",
    "clubs_of",
    "clubs_with",
    "evening_at",
    "found_club",
    "found_own_log",
    "game_named",
    "games_by_name",
    "is_account_merge",
    "joined_by_choice",
    "league_at",
    "meeting_place",
    "open_table",
    "own_log_id",
    "own_logs_of",
    "page_of_clubs",
    "pick_stage_players",
    "preview",
    "season_at",
    "seats_put_right",
    "sheets_played",
    "table_of",
    "write",
]
