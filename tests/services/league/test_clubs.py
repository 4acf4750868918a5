"""Clubs in the service: permissions, repeated requests, concurrent requests, games and typed results."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread
from uuid import UUID, uuid4

import msgspec
import pytest
from msgspec.structs import replace

from daybook.domain.kernel.chronicle import Refused, Written, key_within
from daybook.domain.league.club_commands import (
    AddMember,
    ChangeClubSettings,
    CloseSeason,
    ClubCommand,
    DrawSchedule,
    EndMembership,
    EnterGame,
    EnterPlayers,
    EnterResult,
    FoundLeague,
    GivePenalty,
    MergePeople,
    OpenSeason,
    RemoveGame,
    RenameClub,
    SplitPeople,
    VoidResult,
    WithdrawPlayer,
)
from daybook.domain.league.club_events import BESIDE, ClubRenamed, ClubSettings
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import DEFAULTS, Entrant
from daybook.services.clock import now
from daybook.services.disputes import umpires
from daybook.services.files.validate import MisfitError
from daybook.services.league import clubs, joining, members
from daybook.services.names import BadNameError
from daybook.services.people import accounts
from daybook.services.people.writers import opening_writer
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import RIGHTS, ClubAction, ClubVisit, MayNotError, may
from daybook.services.play import recording
from daybook.services.play.recording import BadKeyError, KeyUsedError
from daybook.services.play.writing import Conflict, Receipt, Writer
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import UnknownClubError
from daybook.services.store.game_cache import UnknownGameError, UnknownRulesetError
from tests.played import key, open_seats, open_table_of
from tests.refusals import refused_for
from tests.services.clubbing import new_game
from tests.services.leagues import PLAYERS, draw_rounds, enter_game, found_mill, places_of, season

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def club(book: Daybook) -> UUID:
    return found_mill(book)


def test_a_club_is_founded_once(book):
    once = key()
    first = clubs.found_club(book, " The  Mill ", "olga", by="olga", key=once)
    again = clubs.found_club(book, "The Mill", "olga", by="olga", key=once)
    assert (again.record, again.repeated) == (first.record, True)
    club = book.clubs.get(first.record)
    assert (club.name, club.organisers()) == ("The Mill", ["olga"])
    assert [shown.id for shown in clubs.clubs_of(book, "olga")] == [first.record] and clubs.clubs_of(book, "anna") == []


def test_what_founds_no_club(book):
    with pytest.raises(BadKeyError):
        clubs.found_club(book, "The Mill", "olga", by="olga", key="short")
    with pytest.raises(BadNameError):
        clubs.found_club(book, " ", "olga", by="olga", key=key())
    with pytest.raises(UnknownClubError):
        clubs.write(book, uuid4(), RenameClub("x"), by="olga", key=key())
    assert book.log.newest() == 0


# --- who may ---------------------------------------------------------------------------------------------------------

USES: dict[ClubAction, Callable[[str], ClubCommand]] = {  # a command that needs the right, for a season
    "settle_club": lambda season: RenameClub("The Forge"),
    "manage_members": lambda season: AddMember("gus", guests={"gus": "Gus"}),
    "schedule": lambda season: WithdrawPlayer(season, "anna"),
    "enter_results": lambda season: EnterResult(season, "making_profit", places_of("anna", "ben", "cleo"), "1"),
    "rule_results": lambda season: GivePenalty(season, "ben", 2, "late"),
    "close_seasons": CloseSeason,
}


@pytest.mark.parametrize("what", USES)
def test_who_has_the_role_may_and_nobody_else(book, club, what):
    number = season(book, club)
    draw_rounds(book, club, number)

    def use(person: str) -> None:
        clubs.write(book, club, USES[what](number), at=book.clubs.get(club).step, by=person, key=key())

    before = book.log.newest()
    for person, roles in {"olga": "organiser", "ursula": "umpire", "sam": "scorekeeper", "anna": "member"}.items():
        if roles not in RIGHTS[what].roles:
            with pytest.raises(MayNotError):
                use(person)
    for stranger in ("gus", ""):
        with pytest.raises(MayNotError):
            use(stranger)
    assert book.log.newest() == before
    for person, role in {"sam": "scorekeeper", "ursula": "umpire", "olga": "organiser"}.items():
        if role in RIGHTS[what].roles:
            if what == "close_seasons":
                for table in ("1", "2", "3", "4"):
                    clubs.write(book, club, VoidResult(number, table, "not played"), by="olga", key=key())
            use(person)
            return


def test_pages_are_for_members_or_for_everybody(book, club):
    assert [bool(clubs.page_of_clubs(book, who, "", 9).rows) for who in ("anna", "gus", "")] == [True, False, False]
    clubs.write(book, club, ChangeClubSettings(ClubSettings(public=True)), by="olga", key=key())
    assert [bool(clubs.page_of_clubs(book, who, "", 9).rows) for who in ("anna", "gus", "")] == [True, True, True]


def test_everybody_may_leave_and_organisers_have_others_leave(book, club):
    clubs.write(book, club, EndMembership("anna"), by="anna", key=key())
    with pytest.raises(MayNotError):
        clubs.write(book, club, EndMembership("ben"), by="cleo", key=key())
    clubs.write(book, club, EndMembership("ben", "moved away"), by="olga", key=key())
    assert not {"anna", "ben"} & book.clubs.get(club).people().keys()
    with pytest.raises(Refused):
        clubs.write(book, club, EndMembership("olga"), by="olga", key=key())


def test_a_merged_person_keeps_the_rights_of_both_ids(book, club):
    clubs.write(book, club, MergePeople("anna", "sam", "one and the same"), by="olga", key=key())
    assert all(may(ClubVisit(book.clubs.get(club), person), "enter_results") for person in ("anna", "sam"))
    merge = book.clubs.get(club).step
    clubs.write(book, club, SplitPeople(merge, "sisters"), by="olga", key=key())
    assert not may(ClubVisit(book.clubs.get(club), "anna"), "enter_results")


# --- the same thing twice, and two at once ---------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_same_key_writes_once(book, club):
    number, once = season(book, club, "free", people=()), key()
    result = places_of("anna", "ben", "gus")
    first = clubs.write(book, club, EnterResult(number, "making_profit", result), by="sam", key=once)
    newest = book.log.newest()
    again = clubs.write(book, club, EnterResult(number, "making_profit", result), by="sam", key=once)
    assert (again.step, again.seal, again.repeated) == (first.step, first.seal, True)
    assert book.log.newest() == newest
    entered = book.clubs.get(club).seasons[number]
    assert list(entered.players) == ["anna", "ben", "gus"] and list(entered.tables) == ["1"]


def test_a_draw_made_from_an_older_season_conflicts(book, club):
    number = season(book, club)
    seen = book.clubs.get(club).step
    clubs.write(book, club, WithdrawPlayer(number, "finn"), by="olga", key=key())
    with pytest.raises(Conflict) as conflict:
        clubs.write(book, club, DrawSchedule(number, 1), by="olga", key=key(), at=seen)
    assert [entry.topic for entry in conflict.value.meanwhile] == ["season_player_withdrew"]
    clubs.write(book, club, RenameClub("The Forge"), by="olga", key=key())  # which has nothing to do with it
    clubs.write(book, club, DrawSchedule(number, 1), by="olga", key=key(), at=conflict.value.step)
    with pytest.raises(Refused):
        clubs.write(book, club, DrawSchedule(number, 2), by="olga", key=key(), at=10_000)


def test_two_who_write_at_once_both_do(book, club):
    number, together = season(book, club), Barrier(4)

    def give(points: int) -> None:
        together.wait()
        clubs.write(book, club, GivePenalty(number, "ben", points, "late"), by="ursula", key=key())

    threads = [Thread(target=give, args=(points,)) for points in (1, 2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(penalty.points for penalty in book.clubs.get(club).seasons[number].penalties) == [1, 2, 3, 4]


def test_what_was_only_tried_is_not_written(book, club):
    number = season(book, club)
    before = book.log.newest()
    tried = clubs.preview(book, club, EnterPlayers(number, (Entrant("gus"),), {"gus": "Gus"}), by="olga")
    assert "gus" in tried.seasons[number].players and "gus" not in book.clubs.get(club).seasons[number].players
    assert book.log.newest() == before


# --- seasons ---------------------------------------------------------------------------------------------------------


def test_what_opens_no_season(book, club):
    with pytest.raises(UnknownRulesetError):
        clubs.write(book, club, FoundLeague("Mills", ["cloth_fair"]), by="olga", key=key())
    clubs.write(book, club, FoundLeague("Markets", ["london_markets"]), by="olga", key=key())
    with pytest.raises(Refused, match="none of the league’s games is for 5 players"):
        clubs.write(book, club, OpenSeason("1", "Spring", DEFAULTS["rounds"]), by="olga", key=key())
    with pytest.raises(Refused, match="no league “7”"):
        clubs.write(book, club, OpenSeason("7", "Spring", DEFAULTS["rounds"]), by="olga", key=key())
    with pytest.raises(Refused, match="enter at least one name"):
        clubs.write(book, club, EnterPlayers("1", ()), by="olga", key=key())


def test_all_players_are_entered_or_none(book, club):
    number = season(book, club, people=("anna",))
    with pytest.raises(Refused, match="anna already plays in Season 1"):
        clubs.write(book, club, EnterPlayers(number, (Entrant("ben"), Entrant("anna"))), by="olga", key=key())
    assert list(book.clubs.get(club).seasons[number].players) == ["anna"]


# --- games and results -----------------------------------------------------------------------------------------------


def test_a_game_is_entered_by_its_own_scorekeeper(book, club):
    game, number = open_table_of(book), season(book, club, "free", people=())
    entering = EnterGame(number, str(game))
    another = Writer("sam", [Grant("k", uuid4(), "scorekeeper"), Grant("s", game, "seat", 0)])
    for writer in ("sam", "olga", another):
        with pytest.raises(MayNotError) as no:
            clubs.write(book, club, entering, by=writer, key=key())
        assert no.value.missing == "keeper"
    with pytest.raises(MayNotError) as no:
        clubs.write(book, club, EnterGame(number, str(uuid4())), by="anna", key=key())
    assert no.value.missing == "role", "a member does not learn which games there are"
    with pytest.raises(UnknownGameError):
        enter_game(book, club, number, uuid4())
    enter_game(book, club, number, game, people=("anna", "ben", "cleo"))
    found = book.clubs.get(club)
    table = clubs.table_of(found, game)
    assert table is not None and found.seats(table) == ("anna", "ben", "cleo") and table.id == "1"
    assert list(found.seasons[number].players) == ["anna", "ben", "cleo"]
    assert [shown.id for shown in clubs.clubs_with(book, game)] == [club]
    with pytest.raises(Refused, match="already entered"):
        enter_game(book, club, number, game)


def test_somebody_else_is_not_put_in_a_seat_that_is_known(book, club):
    game = open_table_of(book)
    enter_game(book, club, BESIDE, game, people=("anna", "ben", "cleo"))
    clubs.write(book, club, RemoveGame(BESIDE, "1", str(game), "the wrong people"), by="sam", key=key())
    with pytest.raises(Refused, match="seat 1 is anna, not dan"):
        enter_game(book, club, BESIDE, game, people=("dan", "ben", "cleo"))
    with pytest.raises(Refused, match="2 players for 3 seats"):
        enter_game(book, club, BESIDE, game, people=("dan", "ben"))


def test_who_has_a_sign_in_is_not_said_to_be_somebody_else(book, club):
    gus = accounts.make_account(book, "Gus", sign_in="gus", password="seven looms at dawn")
    game = open_seats(book, ("Gus", "Ben"), people=(gus, "ben"), options={"hands": "open"})
    with refused_for("seat_known"):
        enter_game(book, club, BESIDE, game, people=("anna", "ben"))
    with refused_for("stranger"):
        enter_game(book, club, BESIDE, game, people=(gus, "ben"))
    joining.accept_invitation(book, members.invite(book, club, by="olga"), gus)
    enter_game(book, club, BESIDE, game, people=(gus, "ben"))


def test_interrupted_opening_keeps_the_seasons_appeal_hours(book, club):
    number, once = season(book, club, appeal_hours=7), key()
    draw_rounds(book, club, number)
    new = new_game(book, PLAYERS[:3])
    named = [replace(player, name=player.person.capitalize()) for player in new.players]
    game = recording.open_game(book, replace(new, players=named), by=opening_writer("sam"), key=once).record
    again, _ = clubs.open_table(book, club, number, "1", new, by="sam", key=once)
    assert (again.record, again.repeated) == (game, True)
    assert umpires.appeal_hours(book, game) == 7
    umpires.set_appeal_hours(book, game, 9)  # by those who play
    clubs.open_table(book, club, number, "1", new, by="sam", key=once)
    assert umpires.appeal_hours(book, game) == 9


def test_table_is_opened_with_its_planned_players(book, club):
    number, once = season(book, club), key()
    draw_rounds(book, club, number)
    new = new_game(book, PLAYERS[:3])
    newest = book.log.newest()
    with pytest.raises(Refused, match="dan has no seat at table 1"):
        clubs.open_table(book, club, number, "1", new_game(book, ("anna", "ben", "dan")), by="sam", key=key())
    with pytest.raises(MayNotError):
        clubs.open_table(book, club, number, "1", new, by="anna", key=key())
    assert book.log.newest() == newest
    game, entered = clubs.open_table(book, club, number, "1", new, by="sam", key=once)
    assert [seat.person for seat in book.games.get(game.record).opening.seats] == list(PLAYERS[:3])
    kept = book.kept.game(game.record)
    assert kept is not None and kept.names == ("Anna", "Ben", "Cleo")
    again = clubs.open_table(book, club, number, "1", new, by="sam", key=once)
    assert [receipt.repeated for receipt in again] == [True, True]
    assert (again[0].record, again[1].step) == (game.record, entered.step)


def test_what_is_no_result(book, club):
    number = season(book, club)
    draw_rounds(book, club, number)

    def type_it(placed_: list[Placed], ruleset: str = "making_profit", ended: str = "") -> None:
        clubs.write(book, club, EnterResult(number, ruleset, placed_, "1", ended), by="sam", key=key())

    newest = book.log.newest()
    with pytest.raises(UnknownRulesetError):
        type_it(places_of("anna", "ben", "cleo"), "cloth_fair")
    with pytest.raises(Refused, match="not for 7 players"):
        type_it(places_of(*"abcdefg"))
    with pytest.raises(Refused, match="this game does not belong to Season 1"):
        type_it(places_of("anna", "ben", "cleo"), "london_markets")
    with pytest.raises(MisfitError):
        type_it(places_of("anna", "ben", "cleo"), ended="yesterday")
    with pytest.raises(Refused, match="has not ended"):
        type_it(places_of("anna", "ben", "cleo"), ended="2126-01-01T00:00:00.000Z")
    with pytest.raises(Refused, match="makes place 2"):
        type_it([Placed("anna", 0, 1), Placed("ben", 1, 3), Placed("cleo", 2, 3)])
    assert book.log.newest() == newest


# --- sent again ------------------------------------------------------------------------------------------------------

PLACES, TURNED = places_of("anna", "ben", "cleo"), places_of("cleo", "ben", "anna")
RENAME = (RenameClub("The Forge"), RenameClub("The Works"))


@pytest.mark.parametrize(
    ("sent", "second"),
    [
        RENAME,
        (AddMember("gus", guests={"gus": "Gus"}), AddMember("hal", guests={"hal": "Hal"})),
        (EnterResult("1", "making_profit", PLACES, "1"), EnterResult("1", "making_profit", TURNED, "1", why="no")),
        (VoidResult("1", "1", "nobody came"), VoidResult("1", "2", "nobody came")),
    ],
    ids=["a name", "guests", "a list of places", "another table"],
)
def test_resent_command_is_answered_and_a_reused_key_refused(book, club, sent, second):
    """It would be lost without a word, were it taken for the first."""
    draw_rounds(book, club, season(book, club))

    def send(command: ClubCommand, key: str = "a-key") -> Receipt:
        return clubs.write(book, club, command, by="olga", key=key)

    once = send(sent)
    assert send(sent) == msgspec.structs.replace(once, repeated=True)
    for another in (second, RENAME[1] if sent is not RENAME[0] else EndMembership("anna")):
        with pytest.raises(KeyUsedError) as no:
            send(another)
        assert no.value.step == once.step
    newest = book.clubs.get(club).step
    assert not send(second, key()).repeated
    assert book.clubs.get(club).step > newest


def test_a_key_from_before_there_was_a_mark_is_a_used_one(book, club):
    old = book.clubs.get(club)
    written = Written(now(), "olga", "a-key")
    book.clubs.append([old.write(ClubRenamed(name="The Forge", **old.next(written)))])
    with pytest.raises(KeyUsedError):
        clubs.write(book, club, RenameClub("The Forge"), by="olga", key="a-key")
    assert book.clubs.get(club).step == old.step + 1


def test_no_client_can_predict_keys_of_other_events(book, club):
    spring = season(book, club, people=())
    foretold = key_within(Written("", "", "a-key"), 1)
    clubs.write(book, club, RenameClub("The Forge"), by="olga", key=foretold)
    clubs.write(book, club, EnterPlayers(spring, (Entrant("anna"), Entrant("ben"))), by="olga", key="a-key")
    keys = [entry.event.key for entry in book.clubs.get(club).entries]
    assert len(keys) == len({*keys})
