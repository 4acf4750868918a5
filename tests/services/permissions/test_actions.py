"""The table of permissions: every action, in games, clubs and the service, with every actor."""

from __future__ import annotations

import inspect
from typing import Any, get_args
from uuid import uuid4

import msgspec
import pytest

from daybook.domain import commands
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.domain.league import club_commands
from daybook.domain.league.club_commands import ClubCommand
from daybook.domain.league.club_events import BESIDE, ClubSettings
from daybook.services.league import clubs
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import (
    CLUBS,
    GAMES,
    OPERATOR,
    RIGHTS,
    Action,
    Actor,
    ClubAction,
    ClubVisit,
    GameAction,
    MayNotError,
    SiteAction,
    SiteVisit,
    may,
    may_with,
)
from daybook.services.play import recording
from daybook.services.play.writing import Writer
from tests.played import allowed, key, open_seats, write
from tests.services.fixture_files import FIXTURES, read_fixture
from tests.services.leagues import found_mill


@pytest.fixture(scope="module")
def game() -> Game:
    return read_fixture((FIXTURES / "by-hand.daybook").read_bytes()).game


def test_every_command_and_named_action_has_a_right():
    club_kinds = {
        kind for kind in vars(club_commands).values() if inspect.isclass(kind) and issubclass(kind, ClubCommand)
    }
    written = {*get_args(commands.Command), *club_kinds - {ClubCommand}}
    assert set(RIGHTS) == written | {*get_args(GameAction), *get_args(ClubAction), *get_args(SiteAction)}
    actors = {name for kind in get_args(Actor) for name in get_args(kind) or (kind,)}
    assert {role for right in RIGHTS.values() for role in right.roles} == actors


def test_who_holds_nothing_or_only_reads_writes_nothing(game):
    reader, share = Grant("r", game.id, "reader"), Grant("s", game.id, "share")
    of_another = Grant("k", uuid4(), "scorekeeper")
    for kind in get_args(commands.Command):
        for held in ([], [reader], [share], [of_another], [reader, share, of_another]):
            assert not may_with(held, game, kind)


def test_first_grant_that_passes_every_check_is_used(game):
    first, second = (Grant(f"s{seat}", game.id, "seat", seat) for seat in (0, 1))
    says = msgspec.structs.asdict(commands.AppealRuling(3, 0, "no", 1))
    assert may_with([first, second], game, commands.AppealRuling, **says).holding == second
    refusal = may_with([first], game, commands.AppealRuling, **says).refusal
    assert isinstance(refusal, MayNotError)
    assert (refusal.missing, refusal.holding) == ("speak", first)


# Who may do each action about seat 0 of a game with covered hands that has no umpire: k: scorekeeper, s: the seat,
# o: another seat, u: umpire, r: reader, h: share address, v: visitor without a link.
MATRIX: dict[Action, str] = {
    "read_game": "ksourh",
    "see_all": "ku",
    "see_photo": "ku",
    "save": "ku",
    "export": "ku",
    "fork": "ku",
    "keep_forks": "ku",
    "see_record_page": "ksou",
    "ask_for_chances": "ksourh",
    "ask_to_share": "so",
    "lease": "k",
    "umpire_game": "",  # for umpires of the game's club
    "claim_seat": "ks",
    "hand_back": "",  # for the device that has the game's lease
    "manage": "k",
    "share": "k",  # players share where the scorekeeper allowed it
    "correct": "k",
    "record": "ks",
    "claim": "kso",
    "speak": "ks",
    "rule": "",
    commands.Decide: "ks",
    commands.DecideTurn: "ks",
    commands.RecordAsPlayed: "k",
    commands.TakeBack: "kso",  # back to the newest step: nothing is undone
    commands.Adjust: "k",
    commands.Correct: "k",
    commands.Note: "kso",
    commands.Close: "kso",
    commands.Abandon: "k",
    commands.Reopen: "k",
    commands.RevealGame: "k",
    commands.SetDayOfPlay: "k",
    commands.Count: "k",
    commands.AcceptCount: "k",
    commands.AdjustToCount: "k",
    commands.NameUmpire: "k",
    commands.RaiseClaim: "ks",
    commands.ProposeRuling: "k",  # an adjustment: a refusal tells what is covered
    commands.ConsentToRuling: "ks",
    commands.RuleOnClaim: "",
    commands.AppealRuling: "ks",
    commands.WithdrawClaim: "kso",
    commands.CloseClaim: "kosu",
    commands.TakeLease: "k",
    commands.EndLease: "k",
    commands.AddEntry: "",
}


@pytest.mark.sqlite_suffices
def test_table_answers_as_the_matrix_says(book):
    game_id = open_seats(book, ["Anna", "Ben", "Cleo"], options={"hands": "open"})
    for card in ["R2", "M1", "R2", "M2", "M1", "M2"]:
        write(book, game_id, commands.Decide(TABLE, {"type": "drawn", "card": card}))
    game = book.games.get(game_id)
    actors = {
        "k": Grant("k", game.id, "scorekeeper"),
        "s": Grant("s", game.id, "seat", 0),
        "o": Grant("o", game.id, "seat", 1),
        "u": Grant("u", game.id, "umpire", umpire=0),
        "r": Grant("r", game.id, "reader"),
        "h": Grant("h", game.id, "share"),
        "v": None,
    }
    fields: dict[str, Any] = {
        "seat": 0,
        "decision": {"type": "run"},
        "decisions": [{"type": "run"}],
        "to_step": game.step,
        "umpire": 0,
        "hash": "0" * 64,
        "ruling": "adjusted",
        "players_share": False,
        "public": False,
        "club_umpire": False,
    }
    answers = {
        action: {letter for letter, grant in actors.items() if allowed(grant, game, action, **fields)}
        for action in GAMES
    }
    assert answers == {action: {*letters} for action, letters in MATRIX.items()}


def test_refusal_says_what_is_missing(game):
    reader, seat = Grant("r", game.id, "reader"), Grant("s", game.id, "seat", 1)
    cases: list[tuple[Grant, Action, dict[str, Any], str]] = [
        (reader, "manage", {}, "scorekeeper"),
        (reader, commands.Note, {}, "record"),
        (seat, "record", {"seat": 0}, "seat"),
        (seat, "speak", {"seat": None}, "speak"),
        (seat, "rule", {"umpire": 5}, "umpire"),
        (reader, "see_photo", {"hash": ""}, "photo"),
    ]
    for grant, action, fields, missing in cases:
        refusal = may_with([grant], game, action, **fields).refusal
        assert refusal is not None and refusal.missing == missing, action


# Who may do each action in a private club: o: organiser, u: umpire, s: scorekeeper, m: member, f: former member and v:
# visitor, x: operator. Commands are about the member "anna", and about the game that only "m" keeps.
CLUB_MATRIX: dict[Action, str] = {
    "read_club": "ousmx",
    "see_evenings": "ousmx",
    "list_members": "ousmx",
    "answer_evenings": "ousmx",
    "log_plays": "ousmx",
    "enter_results": "osx",
    "open_tables": "osx",
    "rule_results": "oux",
    "schedule": "ox",
    "close_seasons": "ox",
    "settle_club": "ox",
    "manage_members": "ox",
    **dict.fromkeys(
        (
            club_commands.RenameClub,
            club_commands.ChangeClubSettings,
            club_commands.SetTimeZone,
            club_commands.RemoveClub,
            club_commands.RestoreClub,
            club_commands.AddMember,
            club_commands.AddMembers,
            club_commands.GiveRoles,
            club_commands.MergePeople,
            club_commands.SplitPeople,
            club_commands.PlanEvening,
            club_commands.CallOffEvening,
            club_commands.FoundLeague,
            club_commands.ChangeLeague,
            club_commands.RemoveLeague,
            club_commands.RestoreLeague,
            club_commands.OpenSeason,
            club_commands.OpenNextSeason,
            club_commands.ChangeSeason,
            club_commands.EnterPlayers,
            club_commands.WithdrawPlayer,
            club_commands.CloseSeason,
            club_commands.ReopenSeason,
            club_commands.CloseSeasonAgain,
            club_commands.KeepFinalOrder,
            club_commands.DrawSchedule,
            club_commands.PlanTable,
            club_commands.ChangeSeats,
            club_commands.SetEveningTables,
            club_commands.PostponeTable,
            club_commands.ExcusePlayer,
            club_commands.SetRoundDeadline,
            club_commands.CancelSeason,
            club_commands.RemoveSeason,
            club_commands.RestoreSeason,
            club_commands.DissolveClub,
            club_commands.OpenStage,
            club_commands.SetTeam,
            club_commands.SetHandicap,
            club_commands.ReportAbsence,
            club_commands.ProposeDay,
            club_commands.AgreeToDay,
            club_commands.AcceptResult,
            club_commands.AcceptWaitingPlays,
            club_commands.AdmitInvited,
        ),
        "ox",
    ),
    **dict.fromkeys((club_commands.GivePenalty, club_commands.RecordLot), "oux"),
    **dict.fromkeys((club_commands.EnterResult, club_commands.VoidResult), "ousmx"),  # new plays outside the seasons
    **dict.fromkeys(
        (
            club_commands.CorrectSeating,
            club_commands.SeatSubstitute,
            club_commands.RecordForfeit,
            club_commands.RestoreSeat,
            club_commands.RemoveGame,
            club_commands.ConfirmSeparateGames,
            club_commands.ImportPlays,
            club_commands.UndoImport,
            club_commands.MergePlays,
            club_commands.SplitPlay,
        ),
        "osx",
    ),
    club_commands.EnterGame: "x",  # nobody else keeps both
    club_commands.EndMembership: "omx",  # "m" is "anna"
    club_commands.AnswerEvening: "omx",
    club_commands.SetChallenge: "omx",
    club_commands.GiveUpChallenge: "ox",  # "1" is no one's
    club_commands.MergeAccounts: "ousmfvx",
    club_commands.BlankNames: "x",
}


@pytest.mark.sqlite_suffices
def test_clubs_answer_as_the_matrix_says(book):
    club_id = found_mill(book)
    clubs.write(book, club_id, club_commands.EndMembership("ben"), by="ben", key=key())
    club, game = book.clubs.get(club_id), uuid4()
    people = {"o": "olga", "u": "ursula", "s": "sam", "m": "anna", "f": "ben", "v": "", "x": OPERATOR}
    fields = {"person": "anna", "game": str(game), "season": BESIDE, "table": ""}
    fields |= {"for_club": False, "challenge": "1", "source": "bgstats", "plays": (), "people": {}, "deleted": ()}
    visits = {
        letter: ClubVisit(club, person, [Grant("k", game, "scorekeeper")] if letter == "m" else [])
        for letter, person in people.items()
    }
    answers = {action: {letter for letter, visit in visits.items() if may(visit, action, **fields)} for action in CLUBS}
    assert answers == {action: {*letters} for action, letters in CLUB_MATRIX.items()}
    open_settings = ClubSettings(public=True, public_evenings=True)
    clubs.write(book, club_id, club_commands.ChangeClubSettings(open_settings), by="olga", key=key())
    opened = {letter: ClubVisit(book.clubs.get(club_id), person) for letter, person in people.items()}
    changed = {
        action
        for action in CLUBS
        if action != club_commands.EnterGame
        and {letter for letter, visit in opened.items() if may(visit, action, **fields)} != answers[action]
    }
    assert changed == {"read_club", "see_evenings", "list_members"}, "a public club opens nothing else to strangers"


@pytest.mark.sqlite_suffices
def test_session_of_a_link_settles_nothing(book):
    club = book.clubs.get(found_mill(book))
    refused = {
        action
        for action in CLUBS
        if not may(
            ClubVisit(club, "olga", own_session=False),
            action,
            person="",
            game=str(uuid4()),
            season=BESIDE,
            table="",
            for_club=False,
            challenge="1",
            source="bgstats",
            plays=(),
            people={},
            deleted=(),
        )
    }
    assert {"settle_club", "manage_members", club_commands.EndMembership, club_commands.GiveRoles} <= refused
    assert not {"schedule", "enter_results", "close_seasons", club_commands.EnterResult} & refused
    assert not may(SiteVisit("olga", own_session=False), "own_account")
    assert may(SiteVisit("olga"), "own_account") and not may(SiteVisit("olga"), "withhold")
    assert may(SiteVisit("olga", operator=True), "withhold")


@pytest.mark.sqlite_suffices
def test_write_refuses_writers_without_the_permission(book):
    """The check is where the command is applied: a view that forgets it writes nothing."""
    game_id, club_id = open_seats(book, ["Anna", "Ben"]), found_mill(book)
    seat = Grant("s", game_id, "seat", 0)
    with pytest.raises(MayNotError, match="scorekeeper"):
        recording.append_command(book, game_id, commands.Abandon("late"), by=Writer(seat.by, [seat]), key=key())
    for writer, missing in (("anna", "role"), (Writer("olga", own_session=False), "own_account")):
        with pytest.raises(MayNotError) as no:
            clubs.write(book, club_id, club_commands.RenameClub("The Forge"), by=writer, key=key())
        assert no.value.missing == missing
    assert (book.games.get(game_id).step, book.clubs.get(club_id).name) == (0, "The Mill")
