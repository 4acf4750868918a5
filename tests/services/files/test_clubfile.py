"""Club files: a club's own chain, whole as it is exported, and broken at the first step that was touched."""

from __future__ import annotations

import io
import json
from uuid import UUID

import msgspec
import pytest

from daybook.domain.kernel.chronicle import seal_line, unseal_line
from daybook.domain.league.club_commands import EnterResult, RenameClub
from daybook.services.files import recordfile
from daybook.services.files.recordfile import BadFileError
from daybook.services.files.verify import SealCheck, verify_file
from daybook.services.league import clubs, moving
from daybook.services.league.clubs import OPERATOR
from daybook.services.people.anonymise import anonymise
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import UnknownClubError
from tests.played import key
from tests.services.leagues import PLAYERS, draw_rounds, found_mill, places_of, season

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def club(book: Daybook) -> UUID:
    """A club with a season of which a table was played."""
    id = found_mill(book)
    number = season(book, id)
    draw_rounds(book, id, number)
    clubs.write(book, id, EnterResult(number, "making_profit", places_of(*PLAYERS[:3]), "1"), by="sam", key=key())
    clubs.write(book, id, RenameClub("The Old Mill"), by=OPERATOR, key=key())
    return id


@pytest.fixture
def file(book: Daybook, club: UUID) -> list[bytes]:
    return moving.export_club(book, club).splitlines(keepends=True)


def verify_lines_of(lines: list[bytes], receipt: str | None = None) -> SealCheck:
    return verify_file(io.BytesIO(b"".join(lines)), receipt)


def reseal_entry(lines: list[bytes], step: int, changed: dict[str, object]) -> list[bytes]:
    """Return the file with one entry replaced, and all seals from there on renewed."""
    found, previous = lines[: step + 1], unseal_line(lines[step].rstrip())[1] if step else ""
    for at, line in enumerate(lines[step + 1 :], step):
        body = json.loads(unseal_line(line.rstrip())[0])
        if at == step:
            body |= changed
        new, previous = seal_line(msgspec.json.encode(body), previous)
        found.append(new + b"\n")
    return found


def test_an_exported_club_is_whole_and_its_seal_is_the_clubs(book, club, file):
    now = book.clubs.get(club)
    assert verify_lines_of(file) == SealCheck(now.step + 1, now.seal)
    assert [line.rstrip() for line in file[1:]] == book.log.lines(club)
    early = now.entries[3].seal
    assert verify_lines_of(file, early).received == 3
    with pytest.raises(UnknownClubError):
        moving.export_club(book, UUID(int=0))


def test_names_stand_in_the_header_alone_and_go_with_the_person(book, club, file):
    assert json.loads(file[0])["people"]["anna"] == "Anna"
    assert b"Anna" not in b"".join(file[1:])
    anonymise(book, ["anna"], by="")
    again = moving.export_club(book, club).splitlines(keepends=True)
    assert again[1:] == file[1:] and b"Anna" not in again[0]
    assert verify_lines_of(again).intact


@pytest.mark.parametrize("step", [0, 4, 11])
def test_altered_dropped_and_moved_lines_show_at_their_step(file, step):
    line = file[step + 1]
    altered = line.replace(b'"by":"', b'"by":"x', 1)
    assert verify_lines_of([*file[: step + 1], altered, *file[step + 2 :]]).broken_at == step
    assert verify_lines_of([*file[: step + 1], *file[step + 2 :]]).broken_at == step
    moved = [*file]
    moved[step + 1], moved[step + 2] = moved[step + 2], moved[step + 1]
    assert verify_lines_of(moved).broken_at == step


def test_a_cut_end_shows_with_a_receipt(file):
    whole = verify_lines_of(file)
    cut = verify_lines_of(file[:-2])
    assert cut.intact and cut.steps == whole.steps - 2
    told = verify_lines_of(file[:-2], whole.seal)
    assert told.broken_at == cut.steps and "the end is missing" in told.message
    half = verify_lines_of([*file[:-1], file[-1][:40]])
    assert half.broken_at == whole.steps - 1


def test_an_added_line_shows_unless_its_seal_fits(file):
    steps = len(file) - 1
    assert verify_lines_of([*file, file[-1]]).broken_at == steps
    assert verify_lines_of([*file, b"\n"]).broken_at == steps
    told = verify_lines_of([*file, b"no entry\n"])
    assert (told.broken_at, told.message) == (steps, "the line does not end with its seal")


@pytest.mark.parametrize(
    ("step", "changed", "message"),
    [
        (2, {"step": 7}, "it says step 7, but it is in the place of step 2"),
        (2, {"more": 1}, "there is no field 'more'"),
        (2, {"key": "a b"}, "key: 1 to 64 letters"),
        (2, {"at": "yesterday"}, "'yesterday' is not a time"),
        (2, {"person": "anna "}, ""),
        (0, {"club": "another"}, "the entry founds club another"),
        (0, {"type": "club_renamed"}, "there is no field 'club'"),
    ],
    ids=str,
)
def test_rewritten_line_that_is_no_entry_is_named_at_its_step(file, step, changed, message):
    found = verify_lines_of(reseal_entry(file, step, changed))
    if message:
        assert found.broken_at == step and message in found.message
    else:  # nobody can tell by the file alone
        assert found.intact


def test_entry_about_missing_things_or_in_another_form_is_named(file):
    step = next(step for step, line in enumerate(file[1:]) if b'"type":"season_result_typed"' in line)
    found = verify_lines_of(reseal_entry(file, step, {"season": "9"}))
    assert (found.broken_at, found.message) == (step, "the entry is about '9', which the club does not have")
    body, _ = unseal_line(file[1].rstrip())
    spaced, _ = seal_line(body.replace(b'","', b'", "', 1), "")
    found = verify_lines_of([file[0], spaced + b"\n"])
    assert found.broken_at == 0 and "canonical form" in found.message
    first = file[1].rstrip()
    again, _ = seal_line(unseal_line(first)[0].replace(b'"step":0', b'"step":1'), unseal_line(first)[1])
    found = verify_lines_of([file[0], file[1], again + b"\n"])
    assert found.broken_at == 1


def test_a_club_file_is_no_game(file):
    with pytest.raises(BadFileError, match="the entries of a club, not a game"):
        recordfile.read_record_file(io.BytesIO(b"".join(file)), "2026-11-20T19:30:00.000Z")
    header = json.loads(file[0])
    for wrong in ({**header, "daybook": 9}, {**header, "more": 1}, {**header, "club": "The Mill"}):
        with pytest.raises(BadFileError):
            verify_lines_of([json.dumps(wrong).encode() + b"\n", *file[1:]])
    assert verify_lines_of([file[0]]).broken_at == 0, "there is no entry"
