"""A season as one file to keep: its tables, its results, the records and receipts of its games, and a list of hashes.

The list, SHA256SUMS, is of the form that `sha256sum -c` reads; records and receipts verify by themselves besides.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.league.club import Club, Season
from daybook.domain.league.results import Result
from daybook.services.clock import now
from daybook.services.days import time_shown
from daybook.services.files import import_export, receipts
from daybook.services.files.signed_seats import sign_file
from daybook.services.league import moving, results, season_tables
from daybook.services.statistics.plain_tables import ExportTable
from daybook.services.store.daybook import Daybook

LIST = "SHA256SUMS"
OLDEST = (1980, 1, 1, 0, 0, 0)  # its parts contain their own times

ABOUT = """\
{season} of {league}, {club}, as it stood at {at}.

standings, results, schedule, people: each as CSV for a spreadsheet and as JSON for programs
season.json        how the season is played, penalties, lots, teams, handicaps, and the order in which it was closed
games/             the records of its closed games, each verified by:  daybook verify games/<table>.daybook
receipts/          a signed receipt of each:  daybook verify games/<table>.daybook --receipt receipts/<table>.receipt
SHA256SUMS         the hash of every other file; all are checked by:  sha256sum -c SHA256SUMS

Records that the person who made this archive may not read are left out; results has their results. Receipts show later if
a record was altered, but not if it was true when it was written.
"""

Names = Mapping[str, str]


def archive_club(book: Daybook, club: Club, names: Names, may_have: Callable[[UUID], bool]) -> bytes:
    """Return a club as a zip file: its sealed entries, and a folder with the files of each season.

    may_have: checks if the viewer may read the record of a game.
    """
    files = [("club.daybook", moving.export_club(book, club.id))]
    for season in club.seasons.values():
        found = _build_files(book, club, season, names, may_have)
        files += [(f"seasons/{season.id}/{name}", body) for name, body in found]
    return _zip(files)


def archive(book: Daybook, club: Club, season: Season, names: Names, may_have: Callable[[UUID], bool]) -> bytes:
    """Return the archive as a zip file.

    may_have: checks if the viewer may read the record of a game.
    """
    return _zip(_build_files(book, club, season, names, may_have))


def _zip(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return files and the list of their hashes as a zip file."""
    out, sums = io.BytesIO(), list[str]()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, body in files:
            file.writestr(zipfile.ZipInfo(name, OLDEST), body, zipfile.ZIP_DEFLATED)
            sums.append(f"{hashlib.sha256(body).hexdigest()}  {name}\n")
        file.writestr(zipfile.ZipInfo(LIST, OLDEST), "".join(sums))
    return out.getvalue()


def _build_files(
    book: Daybook, club: Club, season: Season, names: Names, may_have: Callable[[UUID], bool]
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file of the archive."""
    found = results.season_results(book, club, season.id)
    standings = results.standings_at(book, club, season.id)
    yield (
        "README.txt",
        ABOUT.format(season=season.name, league=club.leagues[season.league].name, club=club.name, at=now()).encode(),
    )
    yield "season.json", _season(club, season)
    tables: tuple[ExportTable, ...] = (
        season_tables.standings_table(club, season, standings, names),
        season_tables.results_table(club, season, found, names, may_have),
        season_tables.schedule_table(club, season, names),
        season_tables.people_table(club, season, names),
    )
    for table in tables:
        yield f"{table.name}.csv", table.csv()
        yield f"{table.name}.json", table.json()
    for result in found:
        yield from _record(book, result, may_have)


def _record(book: Daybook, result: Result, may_have: Callable[[UUID], bool]) -> Iterator[tuple[str, bytes]]:
    """Return the record of a closed game and its receipt."""
    if result.game is None or not may_have(UUID(result.game)):
        return
    game_id = UUID(result.game)
    yield f"games/{result.table}.daybook", sign_file(book, import_export.export_game(book, game_id))
    yield f"receipts/{result.table}.receipt", receipts.encode_receipt(receipts.issue_receipt(book, game_id))


def _season(club: Club, season: Season) -> bytes:
    told: dict[str, Any] = season_tables.table_facts(club, season) | {
        "seal": club.seal,
        "opened": time_shown(club, season.opened_at),
        "format": season.format,
        "penalties": club.penalties(season),
        "lots": club.lots(season),
        "teams": club.teams(season),
        "handicaps": club.handicaps(season),
        "cancelled": season.cancelled.why if season.cancelled else None,
        "closed": club.orders(season.closed.orders) if season.closed else None,
        "order_kept": season.kept
        and msgspec.structs.replace(season.kept, orders=tuple(club.orders(season.kept.orders))),
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"
