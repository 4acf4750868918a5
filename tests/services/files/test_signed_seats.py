"""A file that this Daybook signed comes back to its people; any other brings names."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from daybook.domain.commands import Note
from daybook.services.files import receipt_keys, recordfile
from daybook.services.files.import_export import export_game, import_file
from daybook.services.files.signed_seats import sign_file
from daybook.services.files.verify import verify_file
from daybook.services.league import own_seats
from daybook.services.people import seated
from daybook.services.permissions.visits import visit_of
from daybook.services.play import recording
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from tests.played import write
from tests.services.clubbing import account, bring_in, found_club, open_club_game
from tests.services.fixture_files import file_of, played_game, reseal_line

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def bob(book: Daybook) -> str:
    return account(book, "bob")


@pytest.fixture
def friday(book: Daybook, anna: str, bob: str) -> bytes:
    """A game of a club in which Bob sits and has written, as this Daybook gives it out."""
    club = found_club(book, anna)
    bring_in(book, club, bob, by=anna)
    id = open_club_game(book, club, [anna, bob], by=anna, public=True)
    write(book, id, Note(0, "late"), by=f"seat:1@{bob}")
    recording.rename_game(book, id, names=["anna", "Bobby"])
    return sign_file(book, export_game(book, id))


@pytest.fixture
def anew(book: Daybook, tmp_path: Path) -> Iterator[Daybook]:
    """The same Daybook, of which only the key and the files were saved."""
    settings = Settings(data=tmp_path / "anew")
    settings.folder()
    receipt_keys.ensure_signing_key(book)
    shutil.copyfile(book.settings.receipt_key_path, settings.receipt_key_path)
    settings.receipt_key_path.chmod(0o600)
    with closing(open_daybook(settings, create=True, accept_loss=True)) as opened:
        yield opened


def test_a_file_of_this_daybook_brings_its_people_back(book, anew, friday, bob):
    id = import_file(anew, friday, public=True)
    visit, _ = visit_of(anew, id)
    assert visit.kept.people[1] == bob and not visit.kept.brought and bob in visit.writers
    assert sign_file(anew, export_game(anew, id)) == friday, "and gives out the same"


def test_a_file_of_another_daybook_does_not(anew, friday, bob, tmp_path):
    with closing(open_daybook(Settings(data=tmp_path / "elsewhere"), create=True)) as other:
        receipt_keys.ensure_signing_key(other)
        id = import_file(other, friday, public=True)
        visit, _ = visit_of(other, id)
        assert visit.kept.people == tuple(seated.id_within(id, seat) for seat in range(2)) and visit.writers == {}


def with_header(content: bytes, change: Callable[[dict[str, object]], object]) -> bytes:
    first, rest = content.split(b"\n", 1)
    header = json.loads(first)
    change(header)
    return json.dumps(header).encode() + b"\n" + rest


@pytest.mark.parametrize(
    "forge",
    [
        lambda file: with_header(file, lambda header: header["seats"][1].update(name="Mallory")),
        lambda file: with_header(file, lambda header: header["signed"].update(people=["x", "y"])),
        lambda file: with_header(file, lambda header: header["signed"].update(signature="00" * 64)),
        lambda file: with_header(file, lambda header: header["signed"].update(public_key="zz")),
        lambda file: with_header(file, lambda header: header["signed"].update(people=[])),
        lambda file: with_header(file, lambda header: header.pop("signed")),
        lambda file: reseal_line(file, 3, text="I cheated"),
        lambda file: b"".join(file.splitlines(keepends=True)[:2]),
    ],
)
def test_whatever_is_changed_in_it_it_is_a_file_like_others(anew, friday, bob, forge):
    id = import_file(anew, forge(friday), public=True)
    kept = anew.kept.game(id)
    assert kept is not None and kept.people == tuple(seated.id_within(id, seat) for seat in range(2)) and kept.brought


def test_what_came_from_outside_is_signed_as_that(book, anew, bob):
    """A signature made here turns no outside id into a person."""
    id = import_file(book, file_of(played_game(9)), public=True)
    signed = sign_file(book, export_game(book, id))
    own_seats.claim_seat(book, id, 2, person=bob)
    write(book, id, Note(0, "here"), by=f"scorekeeper@{bob}")
    later = sign_file(book, export_game(book, id))
    assert import_file(anew, signed) == id
    kept = anew.kept.game(id)
    assert kept is not None and kept.people == tuple(seated.id_within(id, seat) for seat in range(4))
    assert kept.brought == ((0, book.games.get(id).step - 1),)
    assert import_file(anew, later) == id
    assert anew.games.get(id).step == book.games.get(id).step
    again = anew.kept.game(id)
    assert again is not None and again.brought == kept.brought, "what was written here since is of here"


def test_anybody_reads_and_verifies_a_signed_file(friday, tmp_path):
    saved = tmp_path / "friday.daybook"
    saved.write_bytes(friday)
    with saved.open("rb") as file:
        assert verify_file(file).intact
    with saved.open("rb") as file:
        assert recordfile.read_record_file(file, "").header.signed is not None
