"""Commands for games as text: writing transcripts, and reading games that users typed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from uuid import UUID

import click

from daybook.base import (
    FILE,
    FOUND,
    CommandError,
    data_option,
    json_option,
    main,
    open_service,
    print_json,
    print_lines,
    read_file,
    refusing,
)

if TYPE_CHECKING:
    from daybook.web.words.typist import Meaning, Sentence

MAX_READINGS = 9  # to choose from


@main.command()
@click.argument("target", metavar="FILE|GAME")
@data_option
def transcript(target: str, data: Path | None) -> None:
    """Write a game as text: a line for each decision, in the words on its button.

    From a record FILE, or a GAME of the service, hidden cards included. `daybook read` takes it again.
    """
    from daybook.services.store.game_cache import UnknownGameError
    from daybook.web.words.written_game import write_game

    if Path(target).exists():
        with Path(target).open("rb") as file:
            record = read_file(file)
        lines = write_game(record.game, record.header.title, [seat.name for seat in record.header.seats])
    else:
        try:
            game_id = UUID(target)
        except ValueError:
            raise CommandError(f"{target}: there is no such file, and a game is named by its id") from None
        with open_service(data) as book, refusing(UnknownGameError):
            game, kept = book.games.get(game_id), book.kept.game(game_id)
            assert kept is not None
            lines = write_game(game, kept.title, kept.names)
    for line in lines:
        (print_lines if sys.stdout.isatty() else click.echo)(line)  # unescaped, so that a file can be read back


@main.command()
@click.argument("text", type=FILE)
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@data_option
@json_option
def read(text: BinaryIO, file: Path | None, data: Path | None, as_json: bool) -> None:
    """Read a game that is written as TEXT: into a record FILE, or without FILE into the data folder.

    It begins with lines such as `# game: Making Profit` and `# seat: Anna (red)`; then each line is a decision, as short
    as can be told apart. On a terminal you are asked what a doubtful line means. Where a line cannot be read, all before
    it is kept: mend the line and read the TEXT again. Exit code 1 then.
    """
    from daybook.services.clock import now
    from daybook.services.files.recordfile import BadFileError
    from daybook.web.words.written_game import read_game

    name = getattr(text, "name", "<stdin>")
    try:
        said = text.read().decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise CommandError(f"{name}: this is not text in UTF-8") from wrong
    with refusing(BadFileError, about=name):
        found = read_game(said, now(), _ask if sys.stdin.isatty() and text is not sys.stdin.buffer else _tell)
    game = _into_service(found.bare_file, data) if file is None else _into_file(found.bare_file, file)
    if as_json:
        among = [] if found.meaning is None else found.meaning.among or found.meaning.nearest
        print_json(
            {
                "game": game,
                "step": found.game.step,
                "line": found.line or None,
                "left": found.left,
                "unclear": "" if found.meaning is None else found.meaning.unclear,
                "wrong": None if found.wrong is None else found.wrong.says,
                "may_mean": [
                    {"seat": candidate.seat, "decision": candidate.decision, "text": candidate.says}
                    for candidate in among
                ],
            }
        )
    else:
        print_lines(f"game {game}, now at step {found.game.step}")
        if found.wrong is not None:
            print_lines(f"line {found.line}: {found.wrong.says}", err=True)
        elif found.line:
            print_lines(f"line {found.line}: not read; all before it is kept", err=True)
    sys.exit(FOUND if found.line else 0)


def _ask(number: int, text: str, meaning: Meaning) -> Sentence | str | None:
    """Ask at the terminal which decision is meant."""
    from daybook.web.words.typist import note_of

    readings = (meaning.among or meaning.nearest)[:MAX_READINGS]
    print_lines(f"line {number}: {text}{_unclear(meaning)}")
    for place, reading in enumerate(readings, 1):
        print_lines(f"  {place}  {reading.says}")
    if not readings:
        print_lines("  nothing that can be decided now is like it")
    kept = len(readings) + 1
    print_lines(f"  {kept}  keep it as a note: no one knows")
    chosen: int = click.prompt("Which one? 0: none of these", type=click.IntRange(0, kept), default=0)
    return note_of(text) if chosen == kept else readings[chosen - 1] if chosen else None


def _tell(number: int, text: str, meaning: Meaning) -> None:
    """Say what a doubtful line may mean."""
    may = "may mean" if meaning.among else "is nothing that can be decided now"
    print_lines(f"line {number}: {text}: {may}{_unclear(meaning)}", err=True)
    for candidate in (meaning.among or meaning.nearest)[:MAX_READINGS]:
        print_lines(f"  {'' if meaning.among else 'nearest: '}{candidate.says}", err=True)


def _unclear(meaning: Meaning) -> str:
    return f" (“{meaning.unclear}” belongs to none of these)" if meaning.unclear else ""


def _into_file(bare: bytes, file: Path) -> UUID:
    """Write a record file; overwrite one that holds the same game from an earlier reading."""
    from daybook.services import atomic_files
    from daybook.services.files.import_export import game_id_in
    from daybook.services.files.recordfile import BadFileError

    game = game_id_in(bare)
    try:
        if atomic_files.write_once(file, bare):
            return game
        with refusing(BadFileError, about=str(file)):
            there = game_id_in(file.read_bytes())
        if there != game:
            raise CommandError(f"{file} holds another game: name another file")
        atomic_files.replace_file(file, bare, file.stat().st_mode & 0o777)
    except OSError as wrong:
        raise CommandError(f"{file}: {wrong.strerror}") from wrong
    return game


def _into_service(bare: bytes, data: Path | None) -> UUID:
    from daybook.services.files import import_export
    from daybook.services.files.import_export import RecordsDivergeError
    from daybook.services.files.recordfile import BadFileError

    with open_service(data) as book, refusing(BadFileError, RecordsDivergeError):
        return import_export.import_file(book, bare)
