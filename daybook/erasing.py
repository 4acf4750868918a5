"""Erasing games and clubs for good, and listing what was erased."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import click

from daybook.base import data_option, json_option, main, open_service, refusing, say, tell
from daybook.services.counted import counted

if TYPE_CHECKING:
    from daybook.domain.tombstone import Tombstone
    from daybook.services.store.daybook import Daybook

KEPT_ELSEWHERE = "backups and files that others saved keep what they have until they are deleted"


def record_ids(_context: click.Context, _parameter: click.Parameter, texts: Sequence[str]) -> list[UUID]:
    try:
        return [UUID(text) for text in texts]
    except ValueError as wrong:
        raise click.BadParameter(f"give the ids of games or clubs, from their addresses: {wrong}") from wrong


@main.command()
@click.argument("records", nargs=-1, required=True, metavar="ID...", callback=record_ids)
@click.option("--why", required=True, metavar="REASON", help="Everyone who opens its page later reads this.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option
def erase(records: Sequence[UUID], why: str, yes: bool, data: Path | None) -> None:
    """Erase games and clubs by their IDs, for good. Only a tombstone stays: id, entries, last seal, who, why, when.

    Clubs keep who played an erased game and how it ended. Nothing brings the record back but a backup.
    """
    from daybook.services.names import BadName
    from daybook.services.operation import erasing
    from daybook.services.store.log import UnknownGame

    with open_service(data) as book, refusing(UnknownGame, BadName):
        for id in records:
            tell(describe(book, id))
        if not yes:
            click.confirm(f"Erase {counted(len(records), 'record')}?", abort=True)
        for id in records:
            tell(erased_line(erasing.erase(book, id, why)))
    tell(KEPT_ELSEWHERE)


@main.command()
@data_option
@json_option
def erased(data: Path | None, as_json: bool) -> None:
    """List what was erased: id, number of entries, last seal, who, why and when."""
    with open_service(data) as book:
        stones = [entry.event for _, entry in book.log.tombstones()]
    if as_json:
        shown = ("id", "entries", "last_seal", "by", "why", "at")
        say([{name: getattr(stone, name) for name in shown} for stone in stones])
    else:
        tell(*map(erased_line, stones) if stones else ["nothing was erased"])


def describe(book: Daybook, id: UUID) -> str:
    """Return a line that tells an operator which game or club this is. Raises UnknownGame."""
    from daybook.services.store.log import UnknownGame

    last = book.log.last_row(id)
    if last is None:
        raise UnknownGame(id)
    kept, card = book.kept.game(id), book.clubs.cards().get(id)
    name = kept.title if kept else card.name if card else "no title"
    return f"{id}  {name}  {counted(last[2], 'entry', 'entries')}"


def erased_line(stone: Tombstone) -> str:
    entries = counted(stone.entries, "entry", "entries")
    return f"{stone.id}  erased {stone.at[:10]} by {stone.by}: {stone.why}  {entries}, last seal {stone.last_seal}"
