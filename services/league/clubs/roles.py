"""Who may do what in a club: the rights of each role, and the right that each command needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from uuid import UUID

from daybook.domain.league import club_commands as commands
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import ClubCommand
from daybook.domain.league.club_events import Role
from daybook.services.paging import ListPage, page_of_list
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import ClubCard

OPERATOR = "whoever runs the service"  # no person's id: those hold no space, which not every door asked of them before
What = Literal["read", "evenings", "enter", "open", "rule", "schedule", "close", "settle", "people", "answer"]
# read: what is not public; evenings: when and where the club meets, and who comes; enter: games and results; open:
# games of the club; rule: void results, penalties, lots; schedule: players, draws, days, seats and evenings; close:
# seasons, and open them again; settle: leagues, seasons, how the club does things; people: members, roles, merges;
# answer: if the writer comes to an evening
MAY: Mapping[What, tuple[Role, ...]] = {
    "read": ("organiser", "umpire", "scorekeeper", "member"),
    "evenings": ("organiser", "umpire", "scorekeeper", "member"),
    "enter": ("organiser", "scorekeeper"),
    "open": ("organiser", "scorekeeper"),
    "rule": ("organiser", "umpire"),
    "schedule": ("organiser",),
    "close": ("organiser",),
    "settle": ("organiser",),
    "people": ("organiser",),
    "answer": ("organiser", "umpire", "scorekeeper", "member"),
}


RIGHTS: Mapping[type[ClubCommand], What] = {
    commands.RenameClub: "settle",
    commands.ChangeClubSettings: "settle",
    commands.SetTimeZone: "settle",
    commands.RemoveClub: "settle",
    commands.RestoreClub: "settle",
    commands.AddMember: "people",
    commands.AddMembers: "people",
    commands.GiveRoles: "people",
    commands.EndMembership: "people",
    commands.MergePeople: "people",
    commands.SplitPeople: "people",
    commands.PlanEvening: "schedule",
    commands.CallOffEvening: "schedule",
    commands.AnswerEvening: "schedule",
    commands.FoundLeague: "settle",
    commands.ChangeLeague: "settle",
    commands.RemoveLeague: "settle",
    commands.RestoreLeague: "settle",
    commands.OpenSeason: "settle",
    commands.OpenNextSeason: "settle",
    commands.ChangeSeason: "settle",
    commands.EnterPlayers: "schedule",
    commands.WithdrawPlayer: "schedule",
    commands.GivePenalty: "rule",
    commands.RecordLot: "rule",
    commands.CloseSeason: "close",
    commands.ReopenSeason: "close",
    commands.CloseSeasonAgain: "close",
    commands.KeepFinalOrder: "close",
    commands.DrawSchedule: "schedule",
    commands.PlanTable: "schedule",
    commands.ChangeSeats: "schedule",
    commands.EnterGame: "enter",
    commands.CorrectSeating: "enter",
    commands.RemoveGame: "enter",
    commands.EnterResult: "enter",
    commands.VoidResult: "rule",
    commands.AcceptResult: "close",
    commands.ConfirmSeparateGames: "enter",
    commands.ImportPlays: "enter",
    commands.UndoImport: "enter",
}
INTERNAL = frozenset({commands.AdmitInvited, commands.MergeAccounts, commands.BlankNames})
# written by Daybook, which checks the right itself; no page and no address takes them
OWN_RIGHTS: Mapping[type[ClubCommand], What] = {  # for commands about the writer
    commands.EndMembership: "read",
    commands.AnswerEvening: "answer",
}


class NotAllowedError(Exception):
    """The person lacks the right: one of these roles has it."""

    def __init__(self, what: What) -> None:
        super().__init__(f"this is for: {', '.join(MAY[what])}")
        self.what = what
        self.roles = MAY[what]


def may(club: Club, person: str, what: What) -> bool:
    """Check if a person has a right in a club.

    person: an id; empty: not signed in.
    """
    if person == OPERATOR:
        return True
    if (what == "read" and club.settings.public) or (what == "evenings" and club.settings.public_evenings):
        return True
    return bool(person) and bool({*club.roles(person)} & {*MAY[what]})


def as_seen(club: Club, person: str) -> Club:
    """Return a club as a person may see it: without its evenings if they are not visible to them."""
    return club if may(club, person, "evenings") else club.without_evenings()


def check(club: Club, person: str, what: What) -> None:
    """Raise NotAllowedError if a person lacks a right in a club."""
    if not may(club, person, what):
        raise NotAllowedError(what)


def right_for(club: Club, person: str, command: ClubCommand) -> What:
    """Return the right that a person needs to write a command."""
    own = OWN_RIGHTS.get(type(command))
    about = getattr(command, "person", "") or person
    return own if own and person and club.person(about) == club.person(person) else RIGHTS[type(command)]


def roles_for(command: type[ClubCommand]) -> tuple[Role, ...]:
    """Return the roles that may write a kind of command about others."""
    return MAY[RIGHTS[command]]


def check_command(club: Club, person: str, command: ClubCommand) -> None:
    """Raise NotAllowedError if a person may not write a command in a club."""
    if type(command) not in INTERNAL:
        check(club, person, right_for(club, person, command))


def clubs_of(book: Daybook, person: str) -> list[Club]:
    """Return a person's clubs, in the order in which they were founded."""
    return [club for club in book.clubs.with_people([person]) if club.roles(person)]


def page_of_clubs(book: Daybook, person: str, after: str, limit: int, without_own: bool = False) -> ListPage[Club]:
    """Return a page of the clubs whose pages a person may read, in the order in which they were founded.

    Removed clubs are left out; one that was taken off the public lists is shown to its members only. without_own:
    clubs of others. Raises UnknownPlaceError.
    """
    own, off = {club.id for club in clubs_of(book, person)}, book.kept.withheld("club")

    def lists(row: tuple[UUID, ClubCard]) -> bool:
        id, card = row
        if card.removed:
            return False
        return not without_own if id in own else card.public and str(id) not in off

    found = page_of_list(book.clubs.cards().items(), lambda row: str(row[0]), after, limit, lists)
    return ListPage(book.clubs.some(id for id, _ in found.rows), found.next)


def clubs_with(book: Daybook, game_id: UUID) -> list[Club]:
    """Return the clubs in which a game is entered."""
    book.clubs.catch_up()
    return book.clubs.with_game(game_id)
