"""Erase games, clubs and component sheets permanently, and list erased ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import click

from daybook.base import data_option, json_option, main, open_service, print_json, print_lines, refusing
from daybook.services.counted import counted

if TYPE_CHECKING:
    from daybook.domain.tombstone import Tombstone
    from daybook.services.operation.stranger_files import StrangerFile
    from daybook.services.store.daybook import Daybook

SHEET_HASH = re.compile("[0-9a-fA-F]{64}")
KEPT_ELSEWHERE = "backups and files that others saved keep what they have until they are deleted"


def record_ids(_context: click.Context, _parameter: click.Parameter, texts: Sequence[str]) -> list[UUID | str]:
    """Return the ids of games and clubs, and the hashes of component sheets."""
    try:
        return [text.lower() if SHEET_HASH.fullmatch(text) else UUID(text) for text in texts]
    except ValueError as wrong:
        raise click.BadParameter(
            f"give the ids of games, clubs or component sheets, from their addresses: {wrong}"
        ) from wrong


@main.command()
@click.argument("records", nargs=-1, metavar="[ID]...", callback=record_ids)
@click.option("--why", required=True, metavar="REASON", help="Everyone who opens its page later reads this.")
@click.option("--brought-in", is_flag=True, help="Everything that `daybook brought-in` lists, instead of IDs.")
@click.option(
    "--older-than",
    type=click.IntRange(0),
    default=0,
    metavar="DAYS",
    help="With --brought-in: only what was brought in so long ago.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option
def erase(
    records: Sequence[UUID | str], why: str, brought_in: bool, older_than: int, yes: bool, data: Path | None
) -> None:
    """Erase games, clubs and component sheets by their IDs, for good.

    Of a game or a club only a tombstone stays: id, entries, last seal, who, why, when. Clubs keep who played an erased
    game and how it ended. Games keep the numbers of an erased sheet. Nothing brings the rest back but a backup.
    """
    from daybook.services.clock import later_time, now
    from daybook.services.names import BadNameError
    from daybook.services.operation import erasing, stranger_files
    from daybook.services.store.log import UnknownGameError
    from daybook.services.store.sheets import UnknownSheetError

    if bool(records) == brought_in or (older_than and not brought_in):
        raise click.UsageError(
            "give the ids of games, clubs or component sheets, or --brought-in; --older-than goes with --brought-in"
        )
    with open_service(data) as book, refusing(UnknownGameError, UnknownSheetError, BadNameError):
        before = later_time(now(), hours=-24 * older_than)
        files = [file for file in stranger_files.iter_files(book, before) if not file.went_on] if brought_in else []
        for game_id in records:
            print_lines(describe_erasable(book, game_id))
        print_lines(*map(file_line, files))
        if not yes:
            click.confirm(f"Erase {counted(len(records) + len(files), 'entry', 'entries')} of this list?", abort=True)
        for game_id in records:
            if isinstance(game_id, UUID):
                print_lines(erased_line(erasing.erase_record(book, game_id, why)))
            else:
                erasing.erase_sheet(book, game_id, why)
                print_lines(f"{game_id}  erased")
        if brought_in:
            print_lines(f"{counted(len(stranger_files.erase_before(book, before, why)), 'file')} erased")
    print_lines(KEPT_ELSEWHERE)


@main.command("brought-in")
@data_option
@json_option
def brought_in(data: Path | None, as_json: bool) -> None:
    """List the files that visitors without an account brought in, on a Daybook with DAYBOOK_PUBLIC=yes."""
    from daybook.services.operation import stranger_files

    with open_service(data) as book:
        files = list(stranger_files.iter_files(book))
    if as_json:
        print_json(files)
    else:
        print_lines(*map(file_line, files) if files else ["nothing was brought in"])


@main.command()
@data_option
@json_option
def usage(data: Path | None, as_json: bool) -> None:
    """Show what fills the disk: stores, the largest records, and recent additions by people, links and strangers."""
    from daybook.services.operation import usage as usages

    with open_service(data) as book:
        found = usages.measure_usage(book)
    if as_json:
        print_json(found)
        return
    print_lines(f"free on the disk of the data folder: {size_text(found.free)}")
    print_lines(*(f"{size_text(store.bytes)}  {store.name}" for store in found.stores))
    print_lines(
        f"{size_text(found.photos)}  photos, in kept.db", f"{size_text(found.brought_in)}  brought in by strangers"
    )
    print_lines("the largest records:" if found.records else "no record yet")
    for record in found.records:
        photos = f", {counted(record.photos, 'photo')}" if record.photos else ""
        entries = counted(record.entries, "entry", "entries")
        print_lines(f"{size_text(record.bytes)}  {record.id}  {record.title}  {entries}{photos}")
    print_lines(f"stored in the last {found.days} days:" if found.clients else f"nothing counted in {found.days} days")
    for client in found.clients:
        kinds = ", ".join(f"{kind} {size_text(size)}" for kind, size in client.kinds.items())
        print_lines(f"{size_text(client.bytes)}  {client.client}{f' ({client.name})' if client.name else ''}: {kinds}")


@main.command()
@data_option
@json_option
def erased(data: Path | None, as_json: bool) -> None:
    """List what was erased: id, number of entries, last seal, writer, reason and time."""
    with open_service(data) as book:
        stones = [entry.event for entry in book.log.tombstones()]
    if as_json:
        shown = ("id", "entries", "last_seal", "by", "why", "at")
        print_json([{name: getattr(stone, name) for name in shown} for stone in stones])
    else:
        print_lines(*map(erased_line, stones) if stones else ["nothing was erased"])


def describe_erasable(book: Daybook, game_id: UUID | str) -> str:
    """Describe a game, club or sheet to an operator in one line. Raises UnknownGameError, UnknownSheetError."""
    from daybook.services.store.log import UnknownGameError

    if not isinstance(game_id, UUID):
        sheet = book.sheets.find(game_id)
        return f"{game_id}  {sheet.name}  a component sheet of {sheet.ruleset}"
    last = book.log.last_event(game_id)
    if last is None:
        raise UnknownGameError(game_id)
    kept, card = book.kept.game(game_id), book.clubs.cards().get(game_id)
    name = kept.title if kept else card.name if card else "no title"
    return f"{game_id}  {name}  {counted(last.originator_version, 'entry', 'entries')}"


def size_text(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"


def file_line(file: StrangerFile) -> str:
    went_on = "; it went on here and stays" if file.went_on else ""
    return f"{file.kind}  {file.about}  {size_text(file.bytes)}  {file.at[:10]}  {file.client}{went_on}"


def erased_line(stone: Tombstone) -> str:
    entries = counted(stone.entries, "entry", "entries")
    return f"{stone.id}  erased {stone.at[:10]} by {stone.by}: {stone.why}  {entries}, last seal {stone.last_seal}"
