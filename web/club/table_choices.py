"""What may be played at a table of a club, who may sit there, and which recorded games fit."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games import RULESETS, rules_of
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import ANY, is_among, is_by_name
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.services.league import clubs
from daybook.services.people import seated
from daybook.services.permissions.actions import has_role
from daybook.services.store.kept import GameKept
from daybook.web.request.access import book, held_grants
from daybook.web.request.clubs import Names, club_names, user_id

NAMES_OFFERED = 200  # games that a club knows by their names


class Candidate(Frozen):
    """A recorded game that whoever asks may enter. guesses: for each seat the person of the club it seems to be."""

    kept: GameKept
    ruleset: str
    recorded: tuple[str, ...]
    guesses: tuple[str, ...]


def playable_games(club: Club, season: Season, table: SeasonTable | None) -> list[str]:
    """The games that can be played here, by their ids."""
    seats = len(table.seats) if table is not None and table.planned else 0
    found = [(key, game_and_sheet(club, key)) for key in club.rulesets(season) or tuple(RULESETS)]
    return [key for key, of in found if of is not None and (not seats or seats in of[0].seats_with(of[1]))]


def game_and_sheet(club: Club, key: str) -> tuple[AnyRuleset, Sheet] | None:
    """With what a club plays a game by its key, of one that is known by its name with its sheet; None: it cannot."""
    if not is_by_name(key):
        return (RULESETS[key], book().sheets.printed_sheet(key)) if key in RULESETS else None
    rules, hash = rules_of(key), book().sheets.hash_by_name(key, user_id(), clubs.sheets_played(book(), club, key))
    return None if rules is None or hash is None else (rules, book().sheets.get(rules.id, hash))


def typed_games(club: Club, season: Season, table: SeasonTable | None) -> list[str]:
    """Of the games that can be played here those that one word names; the others are typed in by the name of their sheet."""
    known = [id for id in playable_games(club, season, table) if id in RULESETS and RULESETS[id].title_of is None]
    return known + [key for key in club.rulesets(season) if is_by_name(key) and key != ANY]


def any_game(club: Club, season: Season) -> bool:
    """Whether any game may have been played here, also one that is known by its name alone."""
    return is_among(ANY, club.rulesets(season))


def people_allowed(club: Club, season: Season, table: SeasonTable | None) -> list[str]:
    """Who may sit here: everybody of the group who has not withdrawn; beside the seasons everybody of the club."""
    if not season.league or (season.format.kind in ("free", "heats") and (table is None or not table.planned)):
        everybody = club.everybody()
        return [*everybody, *(person for person in (club.seats(table) if table else ()) if person not in everybody)]
    gone = club.withdrawn_people(season)
    return [
        one.person
        for one in club.entrants(season)
        if one.person not in gone and (table is None or (one.division, one.group) == (table.division, table.group))
    ]


def candidates(club: Club, season: Season, table: SeasonTable | None) -> list[Candidate]:
    """Recorded games whose scorekeeper asks, that fit here and are not entered in the club yet."""
    found = []
    people = people_allowed(club, season, table)
    names = club_names(club)
    for grant in held_grants():
        if not has_role([grant], grant.game, "manage") or str(grant.game) in club.games:
            continue
        kept, game = book().kept.game(grant.game), book().games.find(grant.game)
        if kept is None or game is None:
            continue
        seats = tuple(club.person(id) for id in seated.people_of(game, kept))
        fits = table is None or not table.planned or len(seats) == len(table.seats)
        if not fits or game.status == "abandoned":
            continue
        if not is_among(game.game_key, club.rulesets(season)):
            continue
        found.append(
            Candidate(
                kept,
                game.game_key,
                seats,
                tuple(
                    seat if seat in people else guess_person(kept.names[at], people, names)
                    for at, seat in enumerate(seats)
                ),
            )
        )
    return found


def guess_person(name: str, people: Sequence[str], names: Names) -> str:
    """The person of the same name; empty if there is none."""
    return next((person for person in people if names.get(person, "").casefold() == name.casefold()), "")
