"""Write the event of a new challenge."""

from __future__ import annotations

from daybook.domain.kernel.game_names import name_in_key
from daybook.domain.league import club_commands as commands
from daybook.domain.league.club import Challenge, Club
from daybook.domain.league.club_events import ChallengeSet
from daybook.domain.league.club_writing import ClubDraft
from daybook.services.days import day_of
from daybook.services.league.clubs.club_games import game_named
from daybook.services.store.daybook import Daybook


def set_challenge(book: Daybook, draft: ClubDraft, command: commands.SetChallenge) -> None:
    """Set a challenge for a year, or from today on. A shelf without games gets all games of the club."""
    club = draft.club
    games = tuple(dict.fromkeys(game_named(club, name_in_key(game) or game) for game in command.games))
    if command.kind == "shelf" and not games:
        games = list_games_played(club)
    draft.add(
        ChallengeSet,
        challenge=club.next_challenge(),
        person="" if command.for_club else club.person(command.person or draft.by),
        kind=command.kind,
        goal=len(games) if command.kind == "shelf" else command.goal,
        plays_per_game=command.plays_per_game if command.kind == "repeated_games" else 1,
        games=games,
        since=f"{command.year}-01-01" if command.year else day_of(draft.at, club.zone),
        until=f"{command.year}-12-31" if command.year else "",
    )


def challenge_at(club: Club, step: int) -> Challenge:
    """Return the challenge that was set at a step."""
    event = club.entries[step].event
    assert isinstance(event, ChallengeSet)
    return club.challenges[event.challenge]


def list_games_played(club: Club) -> tuple[str, ...]:
    """Return the keys of all games with a play in the club."""
    tables = (table for season in club.all_seasons() for table in season.tables.values())
    played = {table.ruleset for table in tables if table.game or table.typed is not None}
    return tuple(sorted(played - {""}))
