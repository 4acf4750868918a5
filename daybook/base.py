"""Basics of all commands: the group, shared options, output, and errors."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar
from uuid import UUID

import click

from daybook.domain.kernel.texts import on_one_line

if TYPE_CHECKING:
    from daybook.domain.kernel.record import Game
    from daybook.services.files.recordfile import Record
    from daybook.services.settings import Settings
    from daybook.services.store.daybook import Daybook


FOUND = 1
UNUSABLE = 2
DATA = "daybook.data"  # key of the data folder in click's context
MOVES_IN_JSON = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")  # control characters that JSON does not escape
T = TypeVar("T")


class CommandError(click.ClickException):
    """The command or its input cannot be used; the message says why and what to do."""

    exit_code = UNUSABLE

    def format_message(self) -> str:
        return on_one_line(self.message)


def base_of_links(settings: Settings) -> str:
    """Return the address at which `serve` runs for this data folder, else that of the settings."""
    from daybook.services.operation import network
    from daybook.workers import start_checks

    return start_checks.served_address(settings.data) or network.address_here(settings)


@contextmanager
def refusing(*kinds: type[Exception], about: str = "") -> Iterator[None]:
    """End the command with the message of errors of these kinds. `about` names the input, such as a file."""
    try:
        yield
    except kinds as error:
        raise CommandError(f"{about}: {error}" if about else str(error)) from error


def json_of(value: Any, indent: int = 0) -> str:
    import msgspec

    line = msgspec.json.encode(value)
    text = (msgspec.json.format(line, indent=indent) if indent else line).decode()
    return MOVES_IN_JSON.sub(lambda character: f"\\u{ord(character[0]):04x}", text)


def print_lines(*lines: str, err: bool = False) -> None:
    """Print lines, escaping control characters: quoted text cannot start a line or move the cursor."""
    for line in lines:
        click.echo(on_one_line(line), err=err)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    click.echo(json_of(value))


@contextmanager
def progress(label: str, length: int) -> Iterator[Callable[[int], object]]:
    """Show a progress bar on a terminal; yield a function that advances it."""
    if not sys.stderr.isatty():
        yield lambda more: None
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield bar.update


@contextmanager
def bar_of(label: str) -> Iterator[Callable[[int, int], object]]:
    """Show a progress bar; yield a function to call with (done, total)."""
    with ExitStack() as open_bar:
        bars: list[tuple[Callable[[int], object], int]] = []
        at = 0

        def advance(done: int, total: int) -> None:
            nonlocal at
            if not bars or done == 0:
                open_bar.close()
                bars[:] = [(open_bar.enter_context(progress(label, total)), total)]
                at = 0
            bars[0][0](done - at)
            at = done

        yield advance


def each(label: str, things: Sequence[T]) -> Iterator[T]:
    """Yield things one by one, with a progress bar if standard output is not a terminal."""
    if len(things) < 2 or sys.stdout.isatty():
        yield from things
        return
    with progress(label, len(things)) as advance:
        for thing in things:
            yield thing
            advance(1)


class Commands(click.Group):
    """Group of all commands; ends a full disk, a lost database or an old installation with one sentence."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            data = context.meta.get(DATA)
            why = (
                _why_out_of_date(error)
                or _why_unwritten(error, data)
                or _why_damaged(error, data)
                or _why_away(error, data)
            )
            if why is None:
                raise
            raise CommandError(why) from error


def _why_out_of_date(error: Exception) -> str | None:
    if not isinstance(error, ImportError):
        return None
    from daybook.domain.kernel.installed import OutOfDateError

    return str(error) if isinstance(error, OutOfDateError) else None


def _why_unwritten(error: Exception, data: Path | None) -> str | None:
    from daybook.services.store.disk import SAYS, why_unwritten

    why = why_unwritten(error)
    return why and f"{getattr(error, 'filename', None) or settings_of(data=data).data}: {SAYS[why]}"


def _why_damaged(error: Exception, data: Path | None) -> str | None:
    from daybook.services.store.sqlite import is_damaged

    if not is_damaged(error):
        return None
    return f"a file in {settings_of(data=data).data} is damaged: `daybook doctor` says which, and what to do"


def _why_away(error: Exception, data: Path | None) -> str | None:
    from daybook.services.store.away import UNAVAILABLE

    if not isinstance(error, UNAVAILABLE) or (url := settings_of(data=data).database_url) is None:
        return None
    from daybook.services.store import postgres

    why = postgres.why_away(url) or "it was away for a moment"
    return f"the database cannot be reached ({why}): start it, or give its address in DAYBOOK_DATABASE_URL"


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="daybook")
def main() -> None:
    """Daybook records games: every decision, its results, and the rules behind them."""


def data_option(function: Callable[..., Any]) -> Callable[..., Any]:
    def note_data(context: click.Context, _parameter: click.Parameter, data: Path | None) -> Path | None:
        context.meta[DATA] = data  # error messages name it
        return data

    return click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        callback=note_data,
        help="The data folder. Default: DAYBOOK_DATA, or ./data.",
    )(function)


def json_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def step_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--step", type=int, metavar="N", help="After this step. Default: at the end.")(function)


FILE = click.File("rb", lazy=False)
FILES = click.argument("files", nargs=-1, required=True, type=FILE)


def settings_of(**given: Any) -> Settings:
    from daybook.services.settings import BadSettingError, read_settings

    with refusing(BadSettingError):
        return read_settings(**given)


@contextmanager
def open_service(data: Path | None, create: bool = False) -> Iterator[Daybook]:
    """Open the service on its data for a command; close it afterwards."""
    from daybook.services.store.daybook import with_long_timeouts

    with closing(open_book(with_long_timeouts(settings_of(data=data)), create)) as book:
        yield book


def open_book(settings: Settings, create: bool = False, accept_loss: bool = False) -> Daybook:
    from daybook.services.settings import BadSettingError
    from daybook.services.store.daybook import open_daybook
    from daybook.services.store.history import LostDataError
    from daybook.services.store.log import NoLogError, NotDurableError
    from daybook.services.store.migrations import UnfitTablesError

    with refusing(NoLogError, NotDurableError, UnfitTablesError, LostDataError, BadSettingError):
        return open_daybook(settings, create=create, accept_loss=accept_loss)


def game_id(_context: click.Context, _parameter: click.Parameter, text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is not the id of a game") from error


def read_file(file: BinaryIO) -> Record:
    from daybook.services.clock import now
    from daybook.services.files.recordfile import BadFileError, read_record_file

    with refusing(BadFileError, about=file.name):
        return read_record_file(file, now())


def known_step(game: Game, step: int | None) -> int:
    if step is None:
        return game.step
    if not 0 <= step <= game.step:
        raise CommandError(f"the record has steps 0 to {game.step}, not {step}")
    return step


def _options(_context: click.Context, _parameter: click.Parameter, given: Sequence[str]) -> dict[str, Any]:
    """Parse the options given as NAME=VALUE."""
    return dict(_option(text) for text in given)


def _option(text: str) -> tuple[str, Any]:
    import msgspec

    from daybook.domain.kernel.unique_keys import decode_json

    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{text!r}: an option of the game is NAME=VALUE, such as hands=hidden")
    try:
        return name, decode_json(value)
    except msgspec.DecodeError:
        return name, value


GAME = click.option(
    "--game", "ruleset", default="making_profit", show_default=True, metavar="RULESET", help="Which game is played."
)
OPTIONS = click.option(
    "--option",
    "options",
    multiple=True,
    callback=_options,
    metavar="NAME=VALUE",
    help="An option of the game. You can repeat it.",
)
