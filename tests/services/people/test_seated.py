"""People in a file: its ids stay inside its game, and give no one any rights."""

from __future__ import annotations

import json
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa

from daybook.domain.commands import NameUmpire, Note
from daybook.domain.disputes import side_entry
from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.events import NoteAdded
from daybook.domain.league.club_commands import (
    EndMembership,
    EnterGame,
    EnterPlayers,
    EnterResult,
    FoundLeague,
    MergePeople,
    OpenSeason,
)
from daybook.domain.league.club_events import BESIDE, BLANK, GameEntered
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import DEFAULTS, Entrant
from daybook.services.clock import later_time, now
from daybook.services.disputes import umpires
from daybook.services.files.import_export import export_game, import_file, store_record
from daybook.services.files.recordfile import Record, build_header
from daybook.services.following import projections
from daybook.services.league import anonymity, clubs, members, own_seats, personal_data
from daybook.services.people import accounts, anonymise, seated
from daybook.services.permissions import club_roles
from daybook.services.permissions.visits import visit_of
from daybook.services.play import game_search, recording
from daybook.services.statistics.collect import count_all
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_brought, kept_game
from daybook.services.store.log import AlreadyWrittenError
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.read_models import seat_summary
from tests.played import key, open_table_of, play_game, update_games, write
from tests.refusals import refused_for
from tests.services.clubbing import account, bring_in, found_club, join_anew, new_game, open_club_game
from tests.services.fixture_files import file_of, played_game
from tests.services.leagues import enter_as_keeper, merge, write_event

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def bob(book: Daybook) -> str:
    return account(book, "bob")


@pytest.fixture
def mallory(book: Daybook) -> str:
    return account(book, "mallory")


def forged(person: str, ruleset: str = "making_profit") -> bytes:
    """Return a bare file in which a person sits, writes a note, and rules."""
    colours = RULESETS[ruleset].colours(printed_sheet(ruleset))
    seats = [
        {"name": name, "colour": colour, "person": id}
        for colour, (name, id) in zip(
            colours, (("Nemo", person), ("Ann", "ann"), ("Cy", "cy"), ("Di", "di")), strict=False
        )
    ]
    lines = [
        {"daybook": 1, "ruleset": ruleset, "title": "Forged", "seats": seats, "game": str(uuid4())},
        {"note": {"about_step": 0, "text": "I cheated"}, "by": f"seat:0@{person}"},
        {"entry": {"type": "umpire_named", "umpire": 0, "person": person}, "by": f"scorekeeper@{person}"},
    ]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def test_a_file_brings_names_and_no_people(book, bob):
    id = import_file(book, forged(bob), public=True)
    visit, _ = visit_of(book, id)
    assert visit.names == ("Nemo", "Ann", "Cy", "Di") and visit.writers == {}
    assert seated.people_of(visit.game, visit.kept) == tuple(seated.id_within(id, seat) for seat in range(4))
    assert [umpire.name for umpire in umpires.umpires_of_game(book, visit.game, visit.kept)] == ["Nemo"]
    assert json.loads(personal_data.export_personal_data(book, bob))["games"] == []
    assert anonymise.find_mentions(book, [bob]) == []
    recording.rename_game(book, id, names=["Mallory", "Ann", "Cy", "Di"])
    assert members.name_of(book, bob) == "bob"
    content = export_game(book, id)
    assert f'"person":"{bob}"'.encode() in content, "the record stays as it is"


def test_imported_entries_of_a_game_name_no_one_of_this_service(book, bob):
    id = open_table_of(book, public=True)
    write(book, id, Note(0, "mine"))
    header = json.loads(export_game(book, id).splitlines()[0])
    bare = [
        {
            "daybook": 1,
            "ruleset": header["ruleset"],
            "title": header["title"],
            "seats": [{"name": seat["name"], "colour": seat["colour"]} for seat in header["seats"]],
            "options": header["options"],
            "kind": header["kind"],
            "recorded": header["recorded"],
            "game": str(id),
        },
        {"note": {"about_step": 0, "text": "mine"}},
        {"note": {"about_step": 0, "text": "I cheated"}, "by": f"seat:1@{bob}"},
        {"entry": {"type": "umpire_named", "umpire": 0, "person": bob}},
    ]
    import_file(book, b"".join(json.dumps(line).encode() + b"\n" for line in bare))
    visit, _ = visit_of(book, id)
    assert (visit.game.step, visit.writers) == (3, {})
    assert umpires.umpires_of_game(book, visit.game, visit.kept)[0].name == ""
    assert seated.umpires_of(visit.game, visit.kept) == [""]


@pytest.mark.both_databases
def test_what_a_file_could_not_add_is_not_noted_as_brought(book, bob):
    """Otherwise a later entry here under its numbers would have no author."""
    id = open_table_of(book, public=True)
    game = book.games.get(id)
    late = side_entry(game, NoteAdded, Written(now(), "import", "line-2"), about_step=0, text="too late")
    record = Record(build_header(game, "Friday", ["Anna", "Ben", "Cleo"]), game.then(late, None), bare=True)
    write(book, id, Note(0, "quicker"), by=f"scorekeeper@{bob}")
    with pytest.raises(AlreadyWrittenError):
        store_record(book, record, 1, public=True)
    visit, _ = visit_of(book, id)
    assert visit.writers == {bob: "bob"}
    with book.kept.announcing_import(
        id, [(2, 4, "seal")]
    ):  # who fails beside somebody who brings the same takes theirs not away
        with pytest.raises(AlreadyWrittenError), book.kept.announcing_import(id, [(2, 4, "seal")]):
            raise AlreadyWrittenError
        visit, _ = visit_of(book, id)
        assert visit.kept.brought == ((2, 4),)
    with pytest.raises(AlreadyWrittenError), book.kept.announcing_import(id, [(5, 6, "seal")]):
        with book.kept.announcing_import(id, [(5, 6, "seal")]):
            pass
        raise AlreadyWrittenError
    visit, _ = visit_of(book, id)
    assert visit.kept.brought == ((2, 4), (5, 6))


def test_who_writes_in_it_here_is_named(book, bob):
    id = import_file(book, forged("somebody"), public=True)
    write(book, id, Note(0, "here"), by=f"scorekeeper@{bob}")
    umpires.name_umpire(book, id, person=bob, by=f"scorekeeper@{bob}", key=key())
    visit, _ = visit_of(book, id)
    assert visit.writers == {bob: "bob"}
    assert [umpire.name for umpire in umpires.umpires_of_game(book, visit.game, visit.kept)] == ["Nemo", "bob"]


def test_figures_of_people_are_not_of_who_a_file_names(book, bob):
    game = played_game(8)
    content = file_of(game)
    id = import_file(book, content, public=True)
    own = play_game(book, 3)
    update_games(book)
    count_all(book)
    with book.views.connect() as c:
        rows = c.execute(read_models.seat_summary.select()).all()
    found = {(row.game, row.seat): row.person for row in rows}
    assert [found[id, seat] for seat in range(4)] == [seated.id_within(id, seat) for seat in range(4)]
    assert found[own, 0] == book.games.get(own).opening.seats[0].person
    projections.rebuild_read_models(book)
    with book.views.connect() as c:
        assert {(row.game, row.seat): row.person for row in c.execute(read_models.seat_summary.select())} == found


def test_a_forged_game_makes_nobody_of_the_club(book, bob, mallory):
    club = found_club(book, mallory)
    id = import_file(book, forged(bob))
    enter_as_keeper(book, club, EnterGame(BESIDE, str(id)), by=mallory)
    held = book.clubs.get(club)
    assert not held.knows(bob) and len(held.everybody()) == 5
    assert not members.may_act_for(book, held, mallory, bob)
    for act in (
        lambda: members.rename_guest(book, club, bob, "Mallory", by=mallory),
        lambda: members.invite(book, club, person=bob, by=mallory),
        lambda: members.sign_in_link(book, club, bob, by=mallory),
    ):
        with pytest.raises(Refused):
            act()
    bring_in(book, club, bob, by=mallory)
    assert [grant.place for grant in club_roles.role_grants(book, bob, id)] == ["reader"], "no seat, and no umpire"


def test_what_a_file_says_of_seats_takes_nobody_s_role(book, bob, mallory):
    club = found_club(book, bob)
    bring_in(book, club, mallory, ("scorekeeper",), by=bob)
    id = import_file(book, forged(bob, "london_markets"))
    assert club_roles.covers_from(book.games.get(id), 0)
    enter_as_keeper(book, club, EnterGame(BESIDE, str(id)), by=mallory)
    assert club_roles.role_grants(book, bob, id)[0].role == "scorekeeper"


def test_nobody_is_written_into_a_club_by_an_id(book, bob, mallory):
    """The id may be an account's, another club's guest's, or any player's."""
    theirs, club = found_club(book, bob), found_club(book, mallory, "Trap")
    ben = members.add_member(book, theirs, "Ben", by=bob, key=key())
    game = open_table_of(book, public=True)
    ann = book.games.get(game).opening.seats[0].person
    clubs.write(book, club, FoundLeague("Any", ["making_profit"]), by=mallory, key=key())
    opened = clubs.write(book, club, OpenSeason("1", "Now", DEFAULTS["free"]), by=mallory, key=key())
    season = clubs.season_at(book.clubs.get(club), opened.step).id
    for id in (bob, ben, ann):
        for act in (
            lambda id=id: clubs.write(book, club, EnterPlayers(season, (Entrant(id),)), by=mallory, key=key()),
            lambda id=id: clubs.write(
                book,
                club,
                EnterResult(season, "making_profit", [Placed(mallory, 0, 1), Placed(id, 1, 2)]),
                by=mallory,
                key=key(),
            ),
            lambda id=id: clubs.write(
                book,
                club,
                EnterResult(BESIDE, "making_profit", [Placed(mallory, 0, 1), Placed(id, 1, 2)]),
                by=mallory,
                key=key(),
            ),
            lambda id=id: clubs.open_table(
                book, club, BESIDE, None, new_game(book, [mallory, id]), by=mallory, key=key()
            ),
            lambda id=id: enter_as_keeper(
                book, club, EnterGame(BESIDE, str(open_table_of(book)), people=[mallory, id, "cy"]), by=mallory
            ),
        ):
            with refused_for("stranger"):
                act()
    assert book.clubs.get(club).everybody() == [mallory]
    placed = [Placed(mallory, 0, 1), Placed("gus", 1, 2)]
    new = EnterResult(BESIDE, "making_profit", placed, guests={"gus": "Gus"})
    clubs.write(book, club, new, by=mallory, key=key())
    assert book.kept.names(["gus"]) == {"gus": "Gus"}
    assert len(book.clubs.get(club).everybody()) == 2


def test_a_game_of_another_club_is_entered_with_one_s_own_people(book, bob, mallory):
    theirs, club = found_club(book, bob), found_club(book, mallory, "Other")
    ben, cy = (members.add_member(book, theirs, name, by=bob, key=key()) for name in ("Ben", "Cy"))
    game = open_club_game(book, theirs, [ben, cy], by=bob, hands="open")
    with pytest.raises(Refused):
        enter_as_keeper(book, club, EnterGame(BESIDE, str(game)), by=mallory)
    mine = members.add_member(book, club, "Benno", by=mallory, key=key())
    enter_as_keeper(book, club, EnterGame(BESIDE, str(game), people=[mine, mallory]), by=mallory)
    held = book.clubs.get(club)
    assert not held.knows(ben) and held.seats(held.beside.tables["1"]) == (mine, mallory)
    members.rename_guest(book, theirs, ben, "Benedikt", by=bob)
    assert members.name_of(book, mine) == "Benno"


def test_link_after_member_left_is_refused(book, mallory):
    club = found_club(book, mallory)
    bea = join_anew(book, club, "bea", by=mallory)
    open_club_game(book, club, [mallory, bea], by=mallory)
    assert members.may_make_link(book, book.clubs.get(club), mallory, accounts.account_of(book, bea))
    clubs.write(book, club, EndMembership(bea), by=bea, key=key())
    held = book.clubs.get(club)
    assert held.knows(bea) and not members.may_make_link(book, held, mallory, accounts.account_of(book, bea))


def test_to_be_merged_is_no_will_of_one_s_own(book, bob, mallory):
    """An entry from before ids had to be known: an account as a guest of a club that it never joined."""
    club = found_club(book, mallory)
    gus = members.add_member(book, club, "Gus", by=mallory, key=key())
    seats = (mallory, bob)
    write_event(
        book,
        club,
        GameEntered,
        by=mallory,
        season=BESIDE,
        table="1",
        game=str(uuid4()),
        ruleset="making_profit",
        seats=seats,
    )
    with refused_for("not_joined"):
        clubs.write(book, club, MergePeople(bob, gus, "the same"), by=mallory, key=key())
    merge(book, club, bob, gus, by=mallory)
    held = book.clubs.get(club)
    assert not members.may_act_for(book, held, mallory, bob) and not clubs.came_by_choice(book, held, bob)
    assert anonymity.all_ids_of(book, bob) == [bob]


def test_a_claim_of_the_umpire_s_seat_follows_the_record(book):
    """A ruling with a seat's link counts under the record's own ids."""
    id = import_file(book, forged("x"))
    write(book, id, NameUmpire("", 1))
    found = umpires.umpires_of_game(book, book.games.get(id), book.kept.game(id))
    assert [(player.name, player.seat) for player in found] == [("Nemo", 0), ("Ann", 1)]


# --- names of a game, and of people ----------------------------------------------------------------------------------


def test_names_of_a_game_change_the_game_alone(book, bob, mallory):
    """The scorekeeper's link renames no one in other games, earlier or later."""
    club = found_club(book, mallory)
    bring_in(book, club, bob, by=mallory)
    ben = members.add_member(book, club, "Ben", by=mallory, key=key())
    games = [open_club_game(book, club, [bob, ben], by=mallory) for _ in range(2)]
    for id in games:
        recording.rename_game(book, id, names=["Robert", "Benno"])
        kept = book.kept.game(id)
        assert kept is not None and kept.names == ("Robert", "Benno") and kept.people == (bob, ben)
    assert (members.name_of(book, bob), members.name_of(book, ben)) == ("bob", "Ben")
    assert {item["game"] for item in json.loads(personal_data.export_personal_data(book, bob))["games"]} == {
        *map(str, games)
    }
    recording.rename_game(book, games[0], names=["bob", "Benno"])
    accounts.rename_person(book, bob, "Bobby", by=bob)
    kept, other = (book.kept.game(id) for id in games)
    assert kept is not None and other is not None
    assert (kept.names, other.names) == (("Bobby", "Benno"), ("Robert", "Benno"))
    visit, _ = visit_of(book, games[1], person=bob)
    assert visit.names == ("Robert", "Benno") and [grant.seat for grant in visit.grants if grant.role == "seat"] == [0]


def test_a_game_is_found_by_the_names_that_it_shows(book):
    id = open_table_of(book, public=True)
    recording.rename_game(book, id, names=["Zoe\u0308", "Ben", "Cleo"])
    update_games(book)

    def found(word: str) -> int:
        return len(game_search.search_games(book, game_search.Searcher(), game_search.GameFilter(words=(word,))).rows)

    assert (found("Zo\u00eb"), found("Anna"), found("Ben")) == (1, 0, 1)


def test_a_seat_has_no_other_name_once_its_person_is_anonymous(book, bob, mallory):
    club = found_club(book, mallory)
    bring_in(book, club, bob, by=mallory)
    id = open_club_game(book, club, [bob, mallory], by=mallory)
    recording.rename_game(book, id, f"{'Robert'} wins", ["Robert", "mallory"])
    anonymity.make_anonymous(book, bob, by=bob)
    kept = book.kept.game(id)
    assert kept is not None and kept.names == (anonymise.anonymous_name(bob), "mallory")
    assert kept.title == f"{BLANK} wins"


# --- a seat that was somebody's --------------------------------------------------------------------------------------


def figures_of(book: Daybook, game: UUID) -> list[str]:
    with book.views.connect() as c:
        return list(
            c.scalars(sa.select(seat_summary.c.person).where(seat_summary.c.game == game).order_by(seat_summary.c.seat))
        )


def test_who_sat_there_says_so_and_may_say_that_it_was_not_them(book, bob, mallory):
    id = import_file(book, file_of(played_game(8)), public=True)
    update_games(book)
    count_all(book)
    apart = [seated.id_within(id, seat) for seat in range(4)]
    own_seats.claim_seat(book, id, 1, person=bob)
    own_seats.claim_seat(book, id, 1, person=bob)
    kept = book.kept.game(id)
    assert kept is not None and kept.names == ("Anna", "bob", "Chiara", "Dan")
    assert figures_of(book, id) == [apart[0], bob, *apart[2:]]
    assert [item["seat"] for item in json.loads(personal_data.export_personal_data(book, bob))["games"]] == [1]
    for seat, person, why in (
        (1, mallory, "seat_taken"),
        (2, bob, "sits_already"),
        (2, "nobody", "seat_taken"),
        (4, mallory, "seat"),
    ):
        with refused_for(why):
            own_seats.claim_seat(book, id, seat, person=person)
    projections.rebuild_read_models(book)
    assert figures_of(book, id) == [apart[0], bob, *apart[2:]]
    own_seats.leave_seat(book, id, person=mallory)
    own_seats.leave_seat(book, id, person=bob)
    kept = book.kept.game(id)
    assert kept is not None and kept.names == ("Anna", "Bo", "Chiara", "Dan") and kept.people == tuple(apart)
    assert figures_of(book, id) == apart
    with pytest.raises(Refused):
        own_seats.claim_seat(book, open_table_of(book), 0, person=bob)


def test_an_organiser_says_where_members_sat(book, bob, mallory):
    club = found_club(book, mallory)
    bring_in(book, club, bob, by=mallory)
    members_of = [mallory, bob, *(members.add_member(book, club, name, by=mallory, key=key()) for name in "CD")]
    id = import_file(book, file_of(played_game(8)), public=True)
    enter_as_keeper(book, club, EnterGame(BESIDE, str(id), people=members_of), by=mallory)
    held = book.clubs.get(club)
    assert list(held.seats(held.beside.tables["1"])) == members_of
    assert [item["seat"] for item in json.loads(personal_data.export_personal_data(book, bob))["games"]] == [1]


def test_who_was_seated_by_a_file_of_before_gets_up(book, bob):
    """Games that were imported before their ids were separated."""
    id = import_file(book, forged(bob), public=True)
    book.kept.seat_person(id, 0, seated.id_within(id, 0), bob)
    own_seats.leave_seat(book, id, person=bob)
    assert json.loads(personal_data.export_personal_data(book, bob))["games"] == []


def test_who_was_seated_by_an_import_that_nobody_noted_gets_up(book, bob):
    """Games that were imported by command line before it was noted what came in files; one of here names its people."""
    id = import_file(book, forged(bob), public=True)
    book.kept.seat_person(id, 0, seated.id_within(id, 0), bob)
    with book.kept.engine.begin() as c:
        c.execute(kept_brought.delete())
        c.execute(kept_game.update().values(created_at=later_time(book.games.get(id).opening.at, minutes=2)))
    kept = book.kept.game(id)
    assert kept is not None and own_seats.seat_of(book.games.get(id), kept, bob) == 0
    own_seats.leave_seat(book, id, person=bob)
    assert json.loads(personal_data.export_personal_data(book, bob))["games"] == []
    kept = book.kept.game(id)
    assert kept is not None and kept.brought == ((0, 0),)
    here = open_table_of(book)
    person = book.games.get(here).opening.seats[0].person
    with pytest.raises(Refused):
        own_seats.leave_seat(book, here, person=person)
