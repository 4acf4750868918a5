"""The choices for a table of a club: games, people, and recorded games that fit."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games import RULESETS, rules_of
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import ANY, is_among, is_by_name
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.services.league import clubs
from daybook.services.names import appearance_key
from daybook.services.people import seated
from daybook.services.permissions.actions import has_role
from daybook.services.play.recording import NewGame, SeatedPerson
from daybook.services.store.kept import GameKept
from daybook.web.request.access import book, held_grants
from daybook.web.request.clubs import Names, club_names, user_id
from daybook.web.request.forms import option_fields

NAMES_OFFERED = 200  # of games without rules of ours


class Candidate(Frozen):
    """A recorded game that the visitor may enter."""

    kept: GameKept
    ruleset: str
    recorded: tuple[str, ...]
    guesses: tuple[str, ...]  # for each seat, the person with the name of the record


def playable_games(club: Club, season: Season, table: SeasonTable | None) -> list[str]:
    seats = len(table.expected) if table is not None and table.planned else 0
    if table is not None and {*map(club.person, table.expected)} & club.anonymous_ids:
        return []  # the rules play in a seat
    games = [(key, game_and_sheet(club, key)) for key in club.rulesets(season) or tuple(RULESETS)]
    playable = [key for key, game in games if game is not None and (not seats or seats in game[0].seats_with(game[1]))]
    return sorted(playable, key=lambda key: table is None or key != table.planned_game)  # the planned game first


def game_and_sheet(club: Club, key: str) -> tuple[AnyRuleset, Sheet] | None:
    """Return the ruleset and sheet with which a club plays a game, or None if it cannot.

    A game that is only known by its name uses the sheet of that name.
    """
    if not is_by_name(key):
        return (RULESETS[key], book().sheets.printed_sheet(key)) if key in RULESETS else None
    rules = rules_of(key)
    digest = book().sheets.hash_by_name(key, user_id(), clubs.sheets_played(book(), club, key))
    return None if rules is None or digest is None else (rules, book().sheets.get(rules.id, digest))


def usual_game(club: Club, key: str, title: str, people: Sequence[str]) -> NewGame | None:
    """Return a game with these people in its seats and the usual settings, or None if the club cannot play it."""
    played = game_and_sheet(club, key)
    if played is None or len(people) not in played[0].seats_with(played[1]):
        return None
    rules, sheet = played
    return NewGame(
        rules.id,
        title,
        [
            SeatedPerson("", colour, person)
            for person, colour in zip(people, rules.colours(sheet)[: len(people)], strict=True)
        ],
        {field.name: field.default for field in option_fields(rules.types.options)},
        sheet.digest() if is_by_name(key) else None,
    )


def typed_games(club: Club, season: Season, table: SeasonTable | None) -> list[str]:
    """Return the games for typed results: our rulesets, and the club's games without rules of ours."""
    playable = [
        key for key in playable_games(club, season, table) if key in RULESETS and RULESETS[key].title_of is None
    ]
    return playable + [key for key in club.rulesets(season) if is_by_name(key) and key != ANY]


def any_game(club: Club, season: Season) -> bool:
    """Check if any game may be played here, also one without rules of ours."""
    return is_among(ANY, club.rulesets(season))


def people_allowed(club: Club, season: Season, table: SeasonTable | None) -> list[str]:
    """Return the people that may sit here: players of the group, or the whole club outside leagues."""
    if not season.league or (season.format.kind in ("free", "heats") and (table is None or not table.planned)):
        everybody = club.everybody()
        return [*everybody, *(person for person in (club.seats(table) if table else ()) if person not in everybody)]
    withdrawn = club.withdrawn_people(season)
    players = [
        entrant.person
        for entrant in club.entrants(season)
        if entrant.person not in withdrawn
        and (table is None or (entrant.division, entrant.group) == (table.division, table.group))
    ]
    instead = [seat.replacement for seat in club.stand_ins(table) if seat.replacement] if table is not None else []
    return [*players, *(person for person in instead if person not in players)]


def candidates(club: Club, season: Season, table: SeasonTable | None) -> list[Candidate]:
    """Return recorded games of the visiting scorekeeper that fit here and are not in the club yet."""
    fitting = []
    people = people_allowed(club, season, table)
    names = club_names(club)
    for grant in held_grants():
        if not has_role([grant], grant.game, "manage") or str(grant.game) in club.games:
            continue
        row, game = book().kept.game(grant.game), book().games.find(grant.game)
        if row is None or game is None:
            continue
        seats = tuple(club.person(person) for person in seated.people_of(game, row))
        fits = table is None or not table.planned or len(seats) == len(table.expected)
        if not fits or game.status == "abandoned":
            continue
        if not is_among(game.game_key, club.rulesets(season)):
            continue
        fitting.append(
            Candidate(
                row,
                game.game_key,
                seats,
                tuple(
                    seat if seat in people else guess_person(row.names[at], people, names)
                    for at, seat in enumerate(seats)
                ),
            )
        )
    return fitting


def guess_person(name: str, people: Sequence[str], names: Names) -> str:
    """Return the person of the same name; empty if none has it."""
    return next((person for person in people if appearance_key(names.get(person, "")) == appearance_key(name)), "")
