"""An import stores what its preview showed, whatever is wrong with the file."""

from __future__ import annotations

import json
from random import Random

import pytest

from daybook.domain.league.club_commands import UndoImport
from daybook.domain.league.club_events import BESIDE
from daybook.services.exchange.incoming import NotReadableError
from daybook.services.exchange.plays_file import read_plays
from daybook.services.league import club_imports, clubs, results
from daybook.services.league.club_imports import PlannedPlay
from tests.played import key
from tests.services.clubbing import found_club
from tests.services.exchange.made import BGG, TABLE, export
from tests.services.exchange.test_facts import FILE, LIST

pytestmark = [pytest.mark.sqlite_suffices, pytest.mark.slow]

FILES = (export(12), export(12, seed=2), FILE, LIST, BGG, TABLE)
ODD_VALUES = (
    "",
    None,
    0,
    -1,
    10**20,
    "0",
    "12+30",
    "x" * 300,
    [],
    {},
    True,
    "2026-13-40",
    "2027-01-01",
    "Anna",
    "\u202e",
)
FILES_PER_CLUB = 20


def corrupt(content: bytes, chance: Random) -> bytes:
    """Return a file with a few values replaced, rows repeated or removed, or bytes changed."""
    if content.startswith(b"{") and chance.random() < 0.8:
        file = json.loads(content)
        for _ in range(chance.randint(1, 6)):
            rows = file[chance.choice(("plays", "plays", "players", "games", "locations"))]
            if not rows:
                continue
            match chance.randint(0, 3):
                case 0:
                    rows.append(chance.choice(rows))
                case 1:
                    rows.pop(chance.randrange(len(rows)))
                case 2:
                    row = chance.choice(rows)
                    row[chance.choice([*row])] = chance.choice(ODD_VALUES)
                case _:
                    lists = (play.get("playerScores") for play in file["plays"])
                    scores = [score for rows in lists if isinstance(rows, list) for score in rows]
                    if scores and isinstance(score := chance.choice(scores), dict):
                        score[chance.choice([*score])] = chance.choice(ODD_VALUES)
        return json.dumps(file).encode()
    found = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(found))
        match chance.randint(0, 2):
            case 0:
                found[start] = chance.randrange(32, 127)
            case 1:
                del found[start : start + chance.randint(1, 20)]
            case _:
                found[start:start] = found[start : start + chance.randint(1, 40)]
    return bytes(found)


def stored_plays(book, club_id) -> list[PlannedPlay]:
    club = book.clubs.get(club_id)
    return [club_imports.shown_result(club, result) for result in results.club_results(book, club)]


def comparable(plays, names) -> list[tuple[object, ...]]:
    """Return plays with the names of their people: a preview has names of new guests, and no ids yet."""
    return sorted(
        (
            play.day,
            play.game,
            play.place,
            tuple(
                sorted(
                    (person.name or names.get(person.person, ""), person.place, person.score) for person in play.people
                )
            ),
        )
        for play in plays
    )


@pytest.mark.parametrize(("seed", "files"), [(50, 250), pytest.param(51, 1000, marks=pytest.mark.drill)])
def test_corrupted_files_are_stored_as_promised(book, anna, seed, files):
    chance, imported = Random(seed), 0
    for number in range(files):
        if number % FILES_PER_CLUB == 0:
            club_id = found_club(book, anna, f"Club {number}")
        content = corrupt(chance.choice(FILES), chance)
        try:
            incoming = read_plays(content)
        except NotReadableError:
            continue
        club = book.clubs.get(club_id)
        before = stored_plays(book, club_id)
        preview = club_imports.preview_import(book, club, incoming)
        made = club_imports.import_plays(book, club_id, incoming, by=anna, key=key())
        names = book.kept.names(book.clubs.get(club_id).everybody())
        after = comparable(stored_plays(book, club_id), names)
        changed = [pair for pair in preview.changes if pair.answer == "take"]
        assert (made.plays, made.updated) == (len(preview.plays), len(changed)), number
        assert [(row.row, row.reason) for row in made.spoilt] == [(row.row, row.reason) for row in preview.spoilt], (
            number
        )
        merged = [pair for pair in (*preview.sure, *preview.unsure) if pair.answer == "one"]
        assert made.merged == len(merged), number
        if not changed and not merged:
            assert after == comparable([*before, *preview.plays], names), number
        else:
            promised = comparable([*preview.plays, *(pair.now for pair in changed if pair.now)], names)
            assert {*promised} <= {*after}, number
            assert len(after) == len(before) + len(preview.plays) - sum(pair.now is None for pair in changed), number
        imported += bool(made.plays)
        assert club_imports.preview_import(book, book.clubs.get(club_id), incoming).is_empty, number
        if made.batch and chance.random() < 0.3:
            clubs.write(book, club_id, UndoImport(made.batch), by=anna, key=key())
            names = book.kept.names(book.clubs.get(club_id).everybody())
            assert comparable(stored_plays(book, club_id), names) == comparable(before, names), number
            assert not [
                table for table in book.clubs.get(club_id).season(BESIDE).tables.values() if table.batch == made.batch
            ]
    assert imported > files / 10
