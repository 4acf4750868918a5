"""Commands about a club's games and results, and the list of games that a club plays."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.terms import because, by_number
from daybook.domain.league import club_commands as commands
from daybook.domain.league import club_events
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.club_writing import ClubDraft, produce
from daybook.domain.league.results import NO_DETAILS, PlayDetails
from daybook.services.files.validate import check_time
from daybook.services.league import duplicate_games
from daybook.services.league.clubs.leagues import require_known
from daybook.services.league.clubs.member_commands import admit_guests
from daybook.services.league.clubs.newcomers import STRANGER, refuse_strangers, strangers
from daybook.services.people import accounts, seated
from daybook.services.permissions.actions import ClubVisit, may
from daybook.services.store import disagreements
from daybook.services.store.daybook import Daybook

MAX_APPROVED_AT_ONCE = 200  # plays of one command

# --- recorded games --------------------------------------------------------------------------------------------------


def enter_game(book: Daybook, draft: ClubDraft, command: commands.EnterGame) -> None:
    """Enter a recorded game at a table. Ids that only its record knows are merged with the people of the seats.

    In free play and in heats, its players are entered in the season. Raises UnknownGameError.
    """
    game_id = UUID(command.game)
    game = book.games.get(game_id)
    recorded = seated.people_of(game, book.kept.game(game_id))
    people = recorded if command.people is None else command.people
    twins = duplicate_games.tables_of_game(book, draft.club, game, tuple(map(draft.club.person, people)))
    twin = next((table.game for table in twins), "")
    if twin and not command.separate:
        raise Refused(
            because(
                "same_evening",
                "this record is almost identical to table {table}’s. If it is a different game, confirm that",
                table=draft.club.games[twin][1],
            )
        )
    seats = recorded
    if command.people is not None:
        gone = book.kept.anonymous_seats(game_id)
        own = {account.person for account in accounts.accounts_of(book, recorded)} | {recorded[seat] for seat in gone}
        seats = _introduce(book, draft, recorded, people, own, command.why if game.status == "closed" else "")
    named = tuple(draft.club.person(id) for id in recorded)
    others = bool(command.why.strip()) and tuple(draft.club.person(id) for id in seats) != named
    if strangers(book, draft.club, seats):
        raise Refused(STRANGER)
    enter_by_playing(draft, command.season, seats)
    draft.add(
        club_events.GameEntered,
        season=command.season,
        table=command.table or new_table(draft.club, command.season),
        game=str(game_id),
        ruleset=game.game_key,
        seats=seats,
        recorded=named if others else (),
        why=command.why.strip() if others else "",
        separate_from=twin,
    )


def correct_seating(book: Daybook, draft: ClubDraft, command: commands.CorrectSeating) -> None:
    """Correct the people of a table. Raises Refused while the game is played: a player sees what is covered from others."""
    table = _find_table(draft.club, command.season, command.table)
    seats = tuple(map(draft.club.person, command.people))
    if table and table.game and book.games.get(UUID(table.game)).status != "closed":
        raise Refused(because("still_played", "you can correct who sat where when the game is closed"))
    refuse_strangers(book, draft.club, {*seats})
    enter_by_playing(draft, command.season, seats)
    draft.add(
        club_events.SeatingCorrected,
        season=command.season,
        table=command.table,
        game=table.game if table else "",
        seats=seats,
        why=command.why.strip(),
    )


def _introduce(
    book: Daybook, draft: ClubDraft, recorded: Sequence[str], people: Sequence[str], own: Collection[str], why: str
) -> tuple[str, ...]:
    """Merge each seat's id in a record with the person of the club, and return the id by which each seat is entered.

    Args:
        own: ids that belong to a person of their own, and are never merged.

    Raises Refused where another person sat there and no reason is given.
    """
    if len(people) != len(recorded):
        raise Refused(
            because(
                "people_seats",
                by_number(
                    "n",
                    "{n} player for {seats} seats: fill each seat once",
                    "{n} players for {seats} seats: fill each seat once",
                ),
                n=len(people),
                seats=len(recorded),
            )
        )
    refuse_strangers(book, draft.club, {*people} - {*recorded})
    elsewhere, seats = strangers(book, draft.club, recorded), [*recorded]
    for seat, (id, given) in enumerate(zip(recorded, people, strict=True)):
        known, person = draft.club.person(id), draft.club.person(given)
        if known == person:
            continue
        if known != id or id in own or draft.club.roles(id):
            if not why.strip():
                raise Refused(
                    because(
                        "seat_known",
                        "seat {number} is {person}, not {other}. If {other} sat there, correct it with a reason when the game is closed",
                        number=seat + 1,
                        person=known,
                        other=person,
                    )
                )
            seats[seat] = person
        elif id in elsewhere:  # another club's guest stays theirs
            seats[seat] = person
        else:
            draft.add(club_events.PeopleMerged, kept=person, merged=id, why="played under this id")
    return tuple(seats)


def enter_by_playing(draft: ClubDraft, season: str, people: Sequence[str]) -> None:
    played = draft.club.seasons.get(season)
    if played is None or played.format.kind not in ("free", "heats"):
        return
    for person in dict.fromkeys(draft.club.person(id) for id in people):
        known = draft.club.player(draft.club.seasons[season], person)
        if known is None or known.withdrew is not None:
            draft.add(club_events.PlayerEntered, season=season, person=person)


def new_table(club: Club, season: str) -> str:
    return club.season(season).next_table() if season == club_events.BESIDE or season in club.seasons else "1"


# --- results ---------------------------------------------------------------------------------------------------------


def enter_result(book: Daybook, draft: ClubDraft, command: commands.EnterResult) -> None:
    """Enter a result. The record of an abandoned game is removed from the table first.

    Raises UnknownRulesetError; MisfitError for an invalid time.
    """
    club, season, ruleset = draft.club, command.season, command.ruleset
    require_known([ruleset])
    if command.ended_at:
        check_time(command.ended_at)
    placed = tuple(msgspec.structs.replace(place, person=club.person(place.person)) for place in command.placed)
    people = [place.person for place in placed]
    admit_guests(book, draft, people, command.guests)
    stand_ins = club.stand_ins(known) if (known := _find_table(club, season, command.table)) else ()
    is_alone = command.walkover and len(people) < len(stand_ins) + len(people)  # no other player came
    if not is_by_name(ruleset) and len(people) not in RULESETS[ruleset].seats and not is_alone:
        raise Refused(
            because("seats_of_game", "{title} is not for {n} players", title=RULESETS[ruleset].title, n=len(people))
        )
    if command.table and (abandoned := _abandoned_record(book, club, season, command.table)):
        why = command.why.strip() or "the game was given up"
        draft.add(club_events.GameRemoved, season=season, table=command.table, game=abandoned, why=why)
    enter_by_playing(draft, season, people)
    draft.add(
        club_events.ResultTyped,
        season=season,
        table=command.table or new_table(draft.club, season),
        ruleset=ruleset,
        placed=placed,
        ended_at=command.ended_at or _day_before(draft.club, season, command.table),
        why=command.why.strip(),
        walkover=command.walkover,
        details=_with_automas(
            details_today(draft.club, command.details),
            [seat.replacement for seat in stand_ins if seat.forfeit and seat.replacement in people],
        ),
        unapproved=waits_for_approval(club, season, draft.by),
    )


def waits_for_approval(club: Club, season: str, user: str) -> bool:
    """Check if a result that a user enters waits for another person.

    In a season all users who enter it as players of its table report it, also umpires.
    """
    if season != club_events.BESIDE:
        return not may(ClubVisit(club, user), "enter_results")
    return club.settings.approval and club.roles(user) == ("member",)


def _with_automas(details: PlayDetails, automas: Sequence[str]) -> PlayDetails:
    """Return details with these anonymous players added to its automas."""
    return msgspec.structs.replace(details, automas=tuple(dict.fromkeys((*details.automas, *automas))))


def details_today(club: Club, details: PlayDetails) -> PlayDetails:
    """Return details with the people as the club knows them."""

    def by_person(texts: Mapping[str, str]) -> dict[str, str]:
        return {club.person(id): text for id, text in texts.items()}

    return msgspec.structs.replace(
        details,
        start_player=details.start_player and club.person(details.start_player),
        new=tuple(club.person(id) for id in details.new),
        roles=by_person(details.roles),
        teams=by_person(details.teams),
        scores=by_person(details.scores),
        automas=tuple(club.person(id) for id in details.automas),
        colours=by_person(details.colours),
    )


def details_at(club: Club, table: SeasonTable | None) -> PlayDetails:
    """Return the details of a table's typed result with the people as the club knows them."""
    return details_today(club, table.typed.details) if table is not None and table.typed is not None else NO_DETAILS


def _day_before(club: Club, season: str, table_id: str) -> str:
    """Return when the game of a table ended, as its typed result says; empty if it has none."""
    table = _find_table(club, season, table_id) if table_id else None
    return table.typed.day if table is not None and table.typed is not None else ""


def _find_table(club: Club, season: str, table: str) -> SeasonTable | None:
    return club.season(season).tables.get(table) if season == club_events.BESIDE or season in club.seasons else None


def _abandoned_record(book: Daybook, club: Club, season: str, table: str) -> str:
    """Return the record of a table's game if it was abandoned, else an empty text."""
    known = _find_table(club, season, table)
    if known is None or not known.game or book.games.get(UUID(known.game)).status != "abandoned":
        return ""
    return known.game


def accept_result(book: Daybook, draft: ClubDraft, command: commands.AcceptResult) -> None:
    """Let a result count against the rules, or approve a typed one. Raises Refused where there is nothing to accept."""
    table = _find_table(draft.club, command.season, command.table)
    game = book.games.get(UUID(table.game)) if table and table.game else None
    if game is not None and not disagreements.filter_standing(game, disagreements.select_of_game(book.kept, game.id)):
        raise Refused(
            because("nothing_to_accept", "the rules agree with the record of table {table}", table=command.table)
        )
    draft.add(
        club_events.ResultAccepted,
        season=command.season,
        table=command.table,
        game=str(game.id) if game else "",
        game_step=game.step if game else table.typed.step if table and table.typed else 0,
        why=command.why.strip(),
    )


def list_waiting_plays(club: Club, up_to_step: int) -> list[SeasonTable]:
    """Return the plays that wait for an organiser's approval, the oldest first.

    up_to_step: a step of the club; plays logged or corrected later are left out.
    """
    waiting = [
        (table.typed.step, table)
        for table in club.beside.tables.values()
        if table.is_unapproved and table.typed is not None and table.typed.step <= up_to_step
    ]
    return [table for _, table in sorted(waiting, key=lambda item: item[0])]


def accept_waiting_plays(book: Daybook, draft: ClubDraft, command: commands.AcceptWaitingPlays) -> None:
    """Approve the waiting plays, each with its own entry. Raises Refused if no play waits."""
    waiting = list_waiting_plays(draft.club, command.up_to_step)
    if not waiting:
        raise Refused(because("none_waits", "no play waits for approval"))
    for table in waiting[:MAX_APPROVED_AT_ONCE]:
        assert table.typed is not None
        draft.add(
            club_events.ResultAccepted, season=table.season, table=table.id, game="", game_step=table.typed.step, why=""
        )


def merge_plays(book: Daybook, draft: ClubDraft, command: commands.MergePlays) -> None:
    """Make a play part of another one. Raises Refused for a record without a result, which would hide the play."""
    stays = _find_table(draft.club, command.into_season, command.into_table)
    if stays is not None and stays.game and book.games.get(UUID(stays.game)).status != "closed":
        raise Refused(
            because("merge_running", "the game of table {table} has no result yet: close it first", table=stays.id)
        )
    produce(draft, command)
