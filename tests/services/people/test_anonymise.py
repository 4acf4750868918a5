"""Made anonymous: the name is nowhere any more, on no surface and in no file; the games are what they were."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import psycopg
import pytest
import sqlalchemy as sa

from daybook.domain.commands import Note
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import GiveRoles, MergePeople
from daybook.services.clock import later_time, now
from daybook.services.disputes import forks
from daybook.services.files import import_export, receipts
from daybook.services.files.verify import verify_game
from daybook.services.league import anonymity, clubs, members, portraits, told_apart
from daybook.services.names import BadNameError
from daybook.services.operation import broken_off
from daybook.services.people import accounts, anonymise, invitations
from daybook.services.people.blanking import blank_names
from daybook.services.people.writers import role_grant_id
from daybook.services.permissions.access import Grant
from daybook.services.play import recording, replay
from daybook.services.store import read_models, sqlite
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_change, kept_person
from tests.played import key, open_seats, update_games, write
from tests.refusals import refused_for
from tests.services.clubbing import bring_in, found_club, guest, open_club_game
from tests.services.leagues import join
from tests.web.people.test_sign_in import photo

pytestmark = pytest.mark.sqlite_suffices

NAME = "Wilhelmina Zwickmühle"
OTHERS = ("Mina Zwickm", "mina-zwick", "mina@zwick.example")  # another spelling, the sign-in, the address
WORDS = (NAME, "Zwickm", *OTHERS)


@pytest.fixture
def mina(book: Daybook) -> str:
    made = accounts.make_account(book, NAME, sign_in=OTHERS[1], password="seven looms at dawn")
    accounts.set_address(book, made, OTHERS[2], by=made)
    portraits.store_portrait(book, made, photo(), by=made)
    accounts.make_key(book, made, "Zwickm's script")
    accounts.begin_session(book, made, "Firefox")
    return made


@pytest.fixture
def games(book: Daybook, anna: str, mina: str) -> list[UUID]:
    """Return two games of a club: in one Mina sits by her own id, in the other by a guest's whose name was corrected."""
    club = found_club(book, anna)
    bring_in(book, club, mina, by=anna)
    one = open_club_game(book, club, [anna, mina], by=anna)
    also = guest(book, "Mina Zwickm.")
    two = open_club_game(book, club, [anna, also], by=anna)
    three = open_club_game(book, club, [also, anna], by=anna)
    clubs.write(book, club, MergePeople(mina, also, "the same person"), by=anna, key=key())
    recording.rename_game(book, two, names=["anna", "Mina Zwickmühle"])
    recording.rename_game(book, one, f"{NAME}’s birthday")
    forks.create_fork(book, one, 0, owner=role_grant_id(mina), title="what Mina thinks")
    told_apart.say_apart(book, (one, two), "Mina Zwickmühle played twice", Grant("", one, "scorekeeper", person=anna))
    forks.create_fork(book, one, 0, owner="somebody else", title=f"if {NAME.upper()} had won")
    update_games(book)
    return [one, two, three]


def surfaces(book: Daybook, games: list[UUID]) -> bytes:
    """Return all requests that show names: lists, heads, record files, receipts."""
    parts = [str(read_models.list_games(book.views, book.kept)).encode(), str(book.kept.games()).encode()]
    for game in games:
        parts += [
            import_export.export_game(book, game),
            receipts.encode_receipt(receipts.issue_receipt(book, game)),
            str(replay.build_header(book.games.get(game), book.kept.game(game))).encode(),
        ]
    return b"\n".join(parts)


def tables(book: Daybook) -> bytes:
    """Return every row of every table of every store."""
    if book.settings.database_url is None:
        files = sorted(Path(book.settings.data).glob("*.db*"))
        assert any(file.name == "kept.db" for file in files)
        return b"\n".join(file.read_bytes() for file in files)
    with psycopg.connect(book.settings.database_url, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        found = connection.execute(
            "SELECT pg_read_binary_file(pg_relation_filepath(c.oid)) FROM pg_class c JOIN pg_namespace n "
            "ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'i', 't') AND n.nspname NOT LIKE 'pg!_c%' ESCAPE '!' "
            "AND n.nspname <> 'information_schema' AND pg_relation_size(c.oid) > 0"
        ).fetchall()
        return b"\n".join(bytes(row[0]) for row in found)


def test_the_name_is_on_every_surface_before_and_on_none_after(book, anna, mina, games):
    before = [book.log.lines(game) for game in games]
    for where in (surfaces(book, games), tables(book)):
        assert NAME.encode() in where and OTHERS[0].encode() in where
    assert OTHERS[1].encode() in tables(book) and OTHERS[2].encode() in tables(book)
    assert anonymity.make_anonymous(book, mina, by=mina)
    for where in (surfaces(book, games), tables(book)):
        for word in WORDS:
            assert word.encode() not in where, word
            assert word.lower().encode() not in where.lower(), word
    assert [book.log.lines(game) for game in games] == before
    assert all(verify_game(book, game).intact for game in games)


def test_games_stay_under_one_meaningless_name_everywhere(book, anna, mina, games):
    called = anonymise.anonymous_name(mina)
    anonymity.make_anonymous(book, mina, by=mina)
    names = [kept.names for kept in map(book.kept.game, games) if kept is not None]
    assert names == [("anna", called), ("anna", called), (called, "anna")]
    kept = book.kept.game(games[0])
    assert kept is not None and kept.title == "…’s birthday"


@pytest.mark.both_databases
def test_nobody_signs_in_as_who_was_made_anonymous(book, anna, mina, games):
    token = accounts.begin_session(book, mina, "x")
    link = invitations.key_of(book, invitations.sign_in_link(book, mina, by=anna))
    anonymity.make_anonymous(book, mina, by=mina)
    with pytest.raises(accounts.WrongCredentialsError):
        accounts.sign_in(book, OTHERS[1], "seven looms at dawn", origin="10.0.0.1", device="")
    assert accounts.session_of(book, token) is None
    assert accounts.keys_of_person(book, mina) == accounts.sessions_of(book, mina) == []
    with pytest.raises(invitations.InvalidInvitationError):
        invitations.read_invitation(book, link)
    assert portraits.read_portrait(book, mina) is None
    club = clubs.clubs_with(book, games[0])[0]
    assert not club.roles(mina)
    with pytest.raises(Refused):
        members.invite(book, club.id, person=mina, by=anna)


def test_the_name_does_not_come_back(book, anna, mina, games):
    file = import_export.export_game(book, games[0])
    anonymity.make_anonymous(book, mina, by=mina)
    import_export.import_file(book, file)
    with pytest.raises(BadNameError):
        recording.rename_game(book, games[0], names=["anna", NAME])
    club = clubs.clubs_with(book, games[0])[0]
    with refused_for("anonymous_name"):
        members.rename_guest(book, club.id, mina, NAME, by=anna)
    assert NAME.encode() not in surfaces(book, games)


def test_what_was_typed_into_a_record_is_told_beforehand(book, anna, mina, games):
    assert anonymise.find_mentions(book, anonymity.all_ids_of(book, mina)) == []
    write(book, games[0], Note(0, f"{NAME} arrived late"))
    assert anonymise.find_mentions(book, anonymity.all_ids_of(book, mina)) == [anonymise.Mention(games[0], 1)]


@pytest.mark.both_databases
def test_who_did_it_is_written_down_and_others_are_left_alone(book, anna, mina, games):
    anonymity.make_anonymous(book, mina, by=anna)
    with book.kept.engine.connect() as c:
        (row,) = c.execute(sa.select(kept_change).where(kept_change.c.what == "anonymised")).all()
        assert (row.person, row.by) == (mina, anna)
        assert c.scalar(sa.select(kept_person.c.name).where(kept_person.c.id == anna)) == "anna"
    assert accounts.account_of(book, anna) is not None
    assert len(forks.forks_of_owner(book, games[0], "somebody else")) == 1


def test_what_broke_off_can_be_asked_for_again(book, anna, mina, games):
    assert anonymise.anonymise(book, anonymity.all_ids_of(book, mina), by=mina)
    assert anonymity.make_anonymous(book, mina, by=mina)
    assert clubs.clubs_of(book, mina) == []


def test_who_has_an_id_much_like_another_s_leaves_as_well(book, anna):
    club, ids = found_club(book, anna), ["p" * 60 + end for end in "ab"]
    for id in ids:
        book.kept.keep_person(id, "Ben")
        join(book, club, id, by=anna)
        anonymity.make_anonymous(book, id, by=anna)
    assert [*book.clubs.get(club).people()] == [anna]


@pytest.mark.both_databases
def test_the_last_organiser_hands_the_club_over_first(book, anna, mina, games):
    with refused_for("last_organiser"):
        anonymity.make_anonymous(book, anna, by=anna)
    assert accounts.account_of(book, anna) is not None
    club = clubs.clubs_with(book, games[0])[0]
    clubs.write(book, club.id, GiveRoles(mina, ("organiser",)), by=anna, key=key())
    assert anonymity.make_anonymous(book, anna, by=anna)


@pytest.mark.parametrize(
    ("text", "names", "left"),
    [
        ("Al and Alfred", ["Al"], "… and Alfred"),
        ("al, AL; Al", ["Al"], "…, …; …"),
        ("안나의 생일", ["안나"], "…의 생일"),
        ("a.b", ["a.b"], "…"),
        ("axb", ["a.b"], "axb"),
        ("nobody", [], "nobody"),
        ("Mina\n Zett, Mina   Zett", ["Mina Zett"], "…, …"),
        ("Mu\u0308hle and M\u00fchle", ["M\u00fchle"], "… and …"),
        ("Mu\u0308hle", ["Mu\u0308hle"], "…"),
        ("MinaZett", ["Mina Zett"], "MinaZett"),
        ("MUHLE, m\u00fchle; Muhle\u0301", ["M\u00fchle"], "…, …; …"),
        ("Mi\u200dna\u2060 wins", ["Mina"], "… wins"),
        ("Zwickmühles place, Minas and Als", ["Zwickmühle", "Mina", "Al"], "…s place, …s and Als"),
        ("coelan", ["\u00c9lan"], "coelan"),
        ("민나", ["미"], "민나"),
        ("Stra\u00dfe", ["strasse"], "…"),
        ("👩\u200d🦰 wins", ["👩\u200d🦰"], "… wins"),
    ],
)
def test_name_is_taken_out_of_titles_but_not_of_longer_words(text, names, left):
    assert blank_names(text, names) == left


def test_a_person_nobody_has_ever_merged_with_is_not_drawn_in(book, anna):
    ben, other = guest(book, "Ben"), guest(book, "Ben")
    game = open_seats(book, ("Ben", "Ben"), people=(ben, other))
    anonymise.anonymise(book, [ben], by=anna)
    kept = book.kept.game(game)
    assert kept is not None and kept.names == (anonymise.anonymous_name(ben), "Ben")


def test_a_name_that_is_put_right_beside_it_is_none(book, games, mina):
    """The name was corrected before she was made anonymous."""
    assert anonymise.anonymise(book, anonymity.all_ids_of(book, mina), by=mina)
    called = book.kept.game(games[0]).names  # type: ignore[union-attr]
    book.kept.rename_seat(games[0], 1, NAME)
    book.kept.rename_seat(games[0], 0, "Anna S.")
    assert book.kept.game(games[0]).names == ("Anna S.", called[1])  # type: ignore[union-attr]


def test_files_that_somebody_was_reading_are_cleaned_later(book, mina, games, monkeypatch):
    monkeypatch.setattr(anonymise, "PATIENCE_SECONDS", 1.0)
    monkeypatch.setattr(sqlite, "LOCK_TIMEOUT_SECONDS", 0.1)
    monkeypatch.setattr(broken_off, "MIN_AGE_MINUTES", -1)
    with book.kept.engine.connect() as reads:
        reads.execute(sa.select(kept_person)).all()
        assert not anonymise.anonymise(book, anonymity.all_ids_of(book, mina), by=mina)
        since = broken_off.complete_interrupted(book)
        assert since < later_time(now(), days=-1), "it is looked for again"
    broken_off.complete_interrupted(book, since)
    content = tables(book)
    assert not [word for word in WORDS if word.encode() in content]
    assert not anonymise.is_to_be_cleaned(book, [mina])
