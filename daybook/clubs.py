"""Clubs: listed, saved as files, and the standings of their seasons."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID

import click

from daybook.base import CommandError, data_option, json_option, main, open_service, print_json, print_lines, refusing
from daybook.services.counted import counted


@main.group()
def club() -> None:
    """List clubs, show their standings, export their entries."""


@club.command("list")
@data_option
@json_option
def list_clubs(data: Path | None, as_json: bool) -> None:
    """List all clubs and their seasons, with the ids that other commands need."""
    with open_service(data) as book:
        found = book.clubs.all()
    for club in found:
        if as_json:
            print_json(
                {
                    "club": club.id,
                    "name": club.name,
                    "members": len(club.people()),
                    "public": club.settings.public,
                    "public_evenings": club.settings.public_evenings,
                    "seasons": [
                        {
                            "season": season.id,
                            "league": club.leagues[season.league].name,
                            "name": season.name,
                            "kind": season.format.kind,
                            "open": season.is_open,
                        }
                        for season in club.seasons.values()
                    ],
                }
            )
            continue
        print_lines(f"{club.id}  {club.name}, {counted(len(club.people()), 'member')}")
        for season in club.seasons.values():
            state = "open" if season.is_open else "closed"
            print_lines(f"  {season.id:>3}  {club.leagues[season.league].name}, {season.name} ({state})")


@club.command("export")
@click.argument("club", type=click.UUID)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@data_option
def export_club(club: UUID, file: Path | None, data: Path | None) -> None:
    """Export all entries of a CLUB to FILE, or print them. `daybook verify` checks the file."""
    from daybook.services.league import moving
    from daybook.services.store.folded_cache import UnknownClubError

    with open_service(data) as book, refusing(UnknownClubError, OSError):
        content = moving.export_club(book, club)
        if file is None:
            sys.stdout.buffer.write(content)
        else:
            file.write_bytes(content)


@club.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--organiser", required=True, metavar="NAME", help="Sign-in name or id of the account that organises it.")
@data_option
def import_club(file: Path, organiser: str, data: Path | None) -> None:
    """Import a club from the FILE of another Daybook, as a new club.

    Its members are guests until they accept an invitation.
    """
    from daybook.services.files.recordfile import BadFileError
    from daybook.services.league import moving
    from daybook.services.people import accounts
    from daybook.services.reading_limits import LimitError

    with open_service(data) as book, refusing(BadFileError, LimitError, OSError):
        person = accounts.person_of_sign_in(book, organiser) or organiser
        if accounts.account_of(book, person) is None:
            raise CommandError(f"no account has the sign-in name or id {organiser}: sign up on the pages first")
        arrived = moving.import_club(book, file.read_bytes(), person)
        moved = book.clubs.get(arrived.club).moved
    assert moved is not None
    entries = counted(moved.entries, "entry", "entries")
    print_lines(f"{arrived.club}  {'imported before' if arrived.repeated else 'imported'}, {entries} with intact seals")


@club.command()
@click.argument("club", type=click.UUID)
@click.argument("season")
@click.option("--at", metavar="TIME", help="Standings of that time, such as 2026-11-20 or 2026-11-20T19:30:00.000Z.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@data_option
@json_option
def standings(club: UUID, season: str, at: str | None, as_csv: bool, data: Path | None, as_json: bool) -> None:
    """Show the standings of a SEASON of a CLUB, with every tie-break and the reason for each place."""
    from daybook.domain.league.tiebreaks import figure
    from daybook.services.files.validate import MisfitError, check_time
    from daybook.services.league import results, season_end, season_tables
    from daybook.services.store import as_of
    from daybook.services.store.folded_cache import UnknownClubError

    if at is not None and len(at) == len("2026-11-20"):
        at += "T23:59:59.999Z"
    with open_service(data) as book, refusing(UnknownClubError, results.UnknownSeasonError, MisfitError):
        if at is not None:
            check_time(at)
        found = book.clubs.get(club)
        position = None if at is None else results.position_at(book, found, at)
        shown = results.standings_at(book, found, season, position)
        names = book.kept.names(list(shown.order))
        since = season_end.since_closing(book, found, found.season(season)) if position is None else None
        table = season_tables.standings_table(
            found, found.season(season), shown, names, at, as_of.club_at(book, found, position).step
        )
    if as_json or as_csv:
        sys.stdout.buffer.write(table.json() if as_json else table.csv())
        return
    if since and since.differs:
        final = "; ".join(", ".join(names.get(person, person) for person in order.people) for order in since.final)
        print_lines(f"closed in another order: {final}" + (f" (it stands: {since.kept.why})" if since.kept else ""))
    for group in shown.groups:
        if len(shown.groups) > 1:
            print_lines(f"division {group.division}, group {group.group}")
        lines = [
            [
                str(row.place),
                names.get(row.person, row.person),
                str(row.games_played),
                *("" if value is None else str(figure(value)) for value in map(row.columns.get, shown.chain)),
            ]
            for row in group.rows
        ]
        for line in in_columns([["place", "name", "games", *shown.chain], *lines]):
            print_lines(line)


def in_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of words with their columns below one another."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(word.ljust(width) for word, width in zip(row, wide, strict=True)).rstrip()
