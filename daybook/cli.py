"""The command line. Commands on a record file need no server and start fast; imports stand where they are needed.

Exit codes: 0 all is well, 1 something was found, 2 the command or its input cannot be used.
"""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, TypeVar
from uuid import UUID

import click

if TYPE_CHECKING:
    from daybook.domain.kernel.record import Game
    from daybook.services.backup_checks import Backup
    from daybook.services.files.audit import Audited
    from daybook.services.files.recordfile import BareLine, Record
    from daybook.services.settings import Settings
    from daybook.services.store.daybook import Daybook

FOUND = 1
UNUSABLE = 2
DATA = "daybook.data"  # under which a command notes its data folder

T = TypeVar("T")


class CannotUse(click.ClickException):
    """The command or its input cannot be used; the message says why and what to do."""

    exit_code = UNUSABLE


@contextmanager
def refusing(*kinds: type[Exception], about: str = "") -> Iterator[None]:
    """Errors that say themselves what to do end the command with their message. about: what they are about."""
    try:
        yield
    except kinds as wrong:
        raise CannotUse(f"{about}: {wrong}" if about else str(wrong)) from wrong


def json_of(value: Any, indent: int = 0) -> str:
    import msgspec

    line = msgspec.json.encode(value)
    return (msgspec.json.format(line, indent=indent) if indent else line).decode()


def say(value: Any) -> None:
    """Print a value as one line of JSON."""
    click.echo(json_of(value))


@contextmanager
def progress(label: str, length: int) -> Iterator[Callable[[int], object]]:
    """A bar on a terminal, nothing elsewhere; gives what moves it on."""
    if not sys.stderr.isatty():
        yield lambda more: None
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield bar.update


@contextmanager
def bar_of(label: str) -> Iterator[Callable[[int, int], object]]:
    """A bar for work that tells (done, of) as it goes."""
    with ExitStack() as held:
        bars: list[tuple[Callable[[int], object], int]] = []
        at = 0

        def on(done: int, of: int) -> None:
            nonlocal at
            if not bars or done == 0:
                held.close()
                bars[:] = [(held.enter_context(progress(label, of)), of)]
                at = 0
            bars[0][0](done - at)
            at = done

        yield on


def each(label: str, things: Sequence[T]) -> Iterator[T]:
    """The things one by one, with a bar if there are many and what is said of each is not printed beside it."""
    if len(things) < 2 or sys.stdout.isatty():
        yield from things
        return
    with progress(label, len(things)) as on:
        for thing in things:
            yield thing
            on(1)


# --- the group and what its commands share ---------------------------------------------------------------------------


class Commands(click.Group):
    """Every command: what the disk does not take ends it with a sentence, wherever that comes from."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as wrong:
            why = _why_unwritten(wrong, context.meta.get(DATA))
            if why is None:
                raise
            raise CannotUse(why) from wrong


def _why_unwritten(wrong: Exception, data: Path | None) -> str | None:
    from daybook.services.store.disk import SAYS, why_unwritten

    why = why_unwritten(wrong)
    return why and f"{getattr(wrong, 'filename', None) or settings_of(data=data).data}: {SAYS[why]}"


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="daybook")
def main() -> None:
    """Daybook writes games down: every decision, what came of it, and by which rule."""


def data_option(function: Callable[..., Any]) -> Callable[..., Any]:
    def noted(context: click.Context, _parameter: click.Parameter, data: Path | None) -> Path | None:
        context.meta[DATA] = data  # for whoever tells what went wrong there
        return data

    return click.option(
        "--data", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER", callback=noted,
        help="The data folder; otherwise DAYBOOK_DATA, otherwise ./data.")(function)


def json_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def step_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--step", type=int, metavar="N", help="After this step; otherwise at the end.")(function)


FILE = click.File("rb", lazy=False)
FILES = click.argument("files", nargs=-1, required=True, type=FILE)


def settings_of(**given: Any) -> Settings:
    from daybook.services.settings import BadSetting, read

    with refusing(BadSetting):
        return read(**given)


@contextmanager
def opened(data: Path | None, create: bool = False) -> Iterator[Daybook]:
    """The service on its data."""
    with closing(open_book(settings_of(data=data), create)) as book:
        yield book


def open_book(settings: Settings, create: bool = False) -> Daybook:
    from daybook.services.settings import BadSetting
    from daybook.services.store.daybook import open_daybook
    from daybook.services.store.log import NoLog, NotDurable
    from daybook.services.store.migrations import UnfitTables

    with refusing(NoLog, NotDurable, UnfitTables, BadSetting):
        return open_daybook(settings, create=create)


def game_id(_context: click.Context, _parameter: click.Parameter, text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as wrong:
        raise click.BadParameter(f"{text!r} is not the id of a game") from wrong


def read_file(file: BinaryIO) -> Record:
    from daybook.services.clock import now
    from daybook.services.files.recordfile import BadFile, read

    with refusing(BadFile, about=file.name):
        return read(file, now())


def known_step(game: Game, step: int | None) -> int:
    if step is None:
        return game.step
    if not 0 <= step <= game.step:
        raise CannotUse(f"the record has steps 0 to {game.step}, not {step}")
    return step


# --- commands on a record file ---------------------------------------------------------------------------------------


@main.command()
@click.argument("file", type=FILE)
@step_option
@json_option
def replay(file: BinaryIO, step: int | None, as_json: bool) -> None:
    """Replay a record file: every step in words, or the board after one of them.

    With --json and no --step every step is a line of JSON.
    """
    from daybook.domain.kernel.record import GameClosed
    from daybook.services.play.transcript import playthrough

    record = read_file(file)
    game, names = record.game, [seat.name for seat in record.header.seats]
    if step is not None:
        board = game.ruleset.laid(game.document_at(known_step(game, step)), game.table)
        columns, marks = game.figures_at(step)
        closed = any(isinstance(entry.event, GameClosed) for entry in game.entries[: step + 1])
        shown = {
            "step": step, "head": game.heads[step], "closed": closed, "to_act": game.ruleset.to_act(board),
            "marks": marks, "columns": columns, "board": game.document_at(step)}
        click.echo(json_of(shown, indent=0 if as_json else 2))
    elif as_json:
        struck = game.struck()
        for entry in game.entries:
            say({"struck_by": struck.get(entry.step), "head": game.heads[entry.step], "entry": entry.event})
    else:
        for line in playthrough(game, record.header.title, names):
            click.echo(line)


@main.command()
@click.argument("file", type=FILE)
@step_option
@json_option
def legal(file: BinaryIO, step: int | None, as_json: bool) -> None:
    """List every legal decision after a step, with the seat that may make it.

    What the table may decide comes with its weight: how many of the cards left are such.
    """
    from daybook.domain.kernel.board import plain
    from daybook.domain.kernel.ruleset import TABLE

    game = read_file(file).game
    step = known_step(game, step)
    rules, board = game.ruleset, game.ruleset.laid(game.document_at(step), game.table)
    seats = rules.to_act(board)
    found = [
        {"seat": seat, "decision": plain(decision)} for seat in seats if seat != TABLE
        for decision in rules.legal(board, seat)
    ]
    found += [{"seat": TABLE, "decision": plain(fact), "weight": weight} for fact, weight in rules.facts(board)]
    if as_json:
        say({"step": step, "to_act": seats, "legal": found})
        return
    for line in found:
        say(line)


@main.command()
@click.argument("file", type=FILE)
@step_option
@json_option
def score(file: BinaryIO, step: int | None, as_json: bool) -> None:
    """Show the standing after a step, line by line, as if the game ended there."""
    from daybook.services.play.transcript import score_of

    record = read_file(file)
    game, names = record.game, [seat.name for seat in record.header.seats]
    step = known_step(game, step)
    board = game.ruleset.laid(game.document_at(step), game.table)
    outcome = game.ruleset.outcome(board)
    scores = game.ruleset.standing(board)
    if as_json:
        say({"step": step, "over": outcome is not None, "outcome": outcome, "scores": [
            {"seat": one.seat, "name": names[one.seat], "total": one.total, "lines": one.lines} for one in scores]})
        return
    for one in scores:
        click.echo(score_of(names, one))
    if outcome is not None:
        click.echo(f"{outcome.reason} ({outcome.rule})")
        click.echo("ranks: " + ", ".join(f"{names[seat]} {rank}" for seat, rank in enumerate(outcome.ranks)))


@main.command()
@FILES
@json_option
def check(files: Sequence[BinaryIO], as_json: bool) -> None:
    """Hold record files against today's rules.

    Exit code 1 if the rules disagree with a step, which is named with rule and reason; the record stays as it is.
    """
    exits = [0]
    for file in each("checking", files):
        audited = audit_of(file)
        if audited is None:
            exits.append(UNUSABLE)
            continue
        exits.append(0 if audited.clean else FOUND)
        if as_json:
            say({"file": file.name, "clean": audited.clean, "ruleset": audited.ruleset, "recorded": audited.recorded,
                 "today": audited.today, "decisions": audited.decisions, "findings": [
                     {"step": f.step, "kind": f.kind, "rule": f.rule, "reason": f.says, "differences": f.differences}
                     for f in audited.findings]})
            continue
        for finding in audited.findings:
            by_rule = f"{finding.rule}: " if finding.rule else ""
            click.echo(f"{file.name}: step {finding.step}: {by_rule}{finding.says}")
            for part in finding.differences:
                click.echo(f"  {part.part}: recorded {part.recorded!r}, today {part.today!r}")
        if audited.clean:
            click.echo(f"{file.name}: {audited.decisions} decisions, all as the rules of today have it")
        if audited.recorded != audited.today:
            click.echo(f"{file.name}: recorded with revision {audited.recorded} of the rules; today's is "
                       f"{audited.today}")
    sys.exit(max(exits))


def audit_of(file: BinaryIO) -> Audited | None:
    """The audit of a record file; None, and a word about it, if it cannot be read.

    A bare one that the rules refuse is judged up to there.
    """
    from daybook.services.clock import now
    from daybook.services.files.audit import Audited, Finding, audit
    from daybook.services.files.recordfile import BadFile, RefusedLine, read

    try:
        return audit(read(file, now()).game)
    except RefusedLine as no:
        return Audited("", 0, 0, no.step, (Finding(no.step, "refused", no.rule, no.reason),))
    except BadFile as wrong:
        click.echo(f"Error: {file.name}: {wrong}", err=True)
        return None


@main.command()
@FILES
@click.option("--receipt", metavar="R", help="A receipt file that was handed out, or a seal; at least its first 12 "
              "characters.")
@click.option("--key", "keys", multiple=True, metavar="HEX|FILE", help="The public key that a receipt file has to be "
              "signed with, or a file of those that the service publishes (/api/v1/receipt-key); one of all given.")
@json_option
def verify(files: Sequence[BinaryIO], receipt: str | None, keys: Sequence[str], as_json: bool) -> None:
    """Verify the seals of record files and club files, or hold them against a receipt.

    Exit code 1 if one is not what was sealed; the first altered step is named. With a receipt file: whether the record
    is unchanged, extended since, or altered, whether the names are those of the receipt, and whether it is signed.
    """
    from daybook.services.files.recordfile import BadFile
    from daybook.services.files.verify import BadReceipt, verify_file

    if receipt is not None and Path(receipt).is_file():
        _against_receipt(files, Path(receipt), keys, as_json)
    if keys:
        raise click.UsageError("--key is for a receipt file: name one with --receipt")
    receipt = receipt and "".join(receipt.split()).lower()
    exits = [0]
    for file in each("verifying", files):
        try:
            with refusing(BadReceipt):
                found = verify_file(file, receipt)
        except BadFile as wrong:
            click.echo(f"Error: {file.name}: {wrong}", err=True)
            exits.append(UNUSABLE)
            continue
        exits.append(0 if found.whole else FOUND)
        if as_json:
            say({"file": file.name, "whole": found.whole, "steps": found.steps, "seal": found.seal,
                 "broken_at": found.broken_at, "says": found.says, "received": found.received})
        elif found.whole:
            click.echo(f"{file.name}: whole, steps 0 to {found.steps - 1}, seal {found.seal}")
            if found.received is not None:
                click.echo(f"{file.name}: the receipt is that of step {found.received}")
        else:
            click.echo(f"{file.name}: broken at step {found.broken_at}: {found.says}")
    sys.exit(max(exits))


def _against_receipt(files: Sequence[BinaryIO], path: Path, keys: Sequence[str], as_json: bool) -> NoReturn:
    from daybook.services.files import receipts
    from daybook.services.files.recordfile import BadFile

    with refusing(receipts.BadReceiptFile, OSError, about=str(path)):
        receipt = receipts.read(path.read_bytes())
    trusted = {one for key in keys for one in _public_keys(key)} if keys else None
    exits = [0]
    for file in each("verifying", files):
        try:
            found = receipts.verify_file(file, receipt, trusted)
        except BadFile as wrong:
            click.echo(f"Error: {file.name}: {wrong}", err=True)
            exits.append(UNUSABLE)
            continue
        exits.append(0 if found.holds else FOUND)
        if as_json:
            say({"file": file.name, "holds": found.holds, "state": found.state, "step": found.step, "says": found.says,
                 "signed": found.signed, "trusted": found.trusted, "altered_at": found.altered_at,
                 "newest": found.newest, "renamed": [
                     {"seat": one.seat, "then": one.then, "now": one.now} for one in found.renamed]})
            continue
        click.echo(f"{file.name}: {found.state}: {found.says}")
        for one in found.renamed:
            click.echo(f"{file.name}: seat {one.seat} is {one.now} here and {one.then} in the receipt: no seal speaks "
                       "for names; ask who put it right")
        if not found.signed:
            click.echo(f"{path}: the signature does not fit: the receipt itself was altered")
        elif found.trusted is False:
            click.echo(f"{path}: signed with another key, {receipt.public_key}")
        else:
            click.echo(f"{path}: signed with the key {receipt.public_key}")
    sys.exit(max(exits))


def _public_keys(given: str) -> Collection[str]:
    from daybook.services.files import receipt_keys
    from daybook.services.files.receipts import code_of

    if not Path(given).is_file():
        return [code_of(given)]
    with refusing(ValueError, OSError, about=given):
        return receipt_keys.keys_in(Path(given).read_bytes())


@main.command(name="compare")
@click.argument("one", type=FILE)
@click.argument("other", type=FILE)
@json_option
def compare_files(one: BinaryIO, other: BinaryIO, as_json: bool) -> None:
    """Compare two record files of the same evening: the first difference, and all of them.

    Exit code 1 if they differ.
    """
    from daybook.services.disputes import compare

    with refusing(compare.NotComparable):
        found = compare.records(read_file(one).game, read_file(other).game)
    if as_json:
        say(found)
        sys.exit(0 if found.same else FOUND)
    for part in found.parts:
        mine, its = (", ".join(map(str, steps)) or "nothing" for steps in (part.one, part.other))
        click.echo(f"after steps {part.after[0]} and {part.after[1]}: {mine} against {its}")
    if found.figures is not None:
        click.echo(f"steps {found.figures[0]} and {found.figures[1]} say the same and come to other figures")
    click.echo(f"{found.alike} steps say the same")
    sys.exit(0 if found.same else FOUND)


# --- recording -------------------------------------------------------------------------------------------------------


def _player(_context: click.Context, _parameter: click.Parameter, given: Sequence[str]) -> list[tuple[str, str]]:
    players = []
    for text in given:
        name, colon, colour = text.rpartition(":")
        if not colon or not name or not colour:
            raise click.BadParameter(f"{text!r}: a seat is NAME:COLOUR, such as Anna:red")
        players.append((name, colour))
    return players


def _options(_context: click.Context, _parameter: click.Parameter, given: Sequence[str]) -> dict[str, Any]:
    return dict(_option(text) for text in given)


def _option(text: str) -> tuple[str, Any]:
    import msgspec

    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{text!r}: an option of the game is NAME=VALUE, such as hands=hidden")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


GAME = click.option("--game", "ruleset", default="making_profit", show_default=True, metavar="RULESET",
                    help="Which game is played.")
OPTIONS = click.option("--option", "options", multiple=True, callback=_options, metavar="NAME=VALUE",
                       help="An option of the game; may be given several times.")


@main.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@GAME
@click.option("--seat", "players", multiple=True, required=True, callback=_player, metavar="NAME:COLOUR",
              help="Who plays which colour, clockwise; once for each seat.")
@click.option("--title", help="Otherwise the name of the game and the day.")
@OPTIONS
@click.option("--recorded", type=click.Choice(["live", "notes", "memory"]), default="live", show_default=True,
              help="From what the record is written.")
@click.option("--bare", is_flag=True, help="Begin a bare file: what happened alone, for the rules to complete.")
@data_option
@json_option
def new(
    file: Path | None, ruleset: str, players: list[tuple[str, str]], title: str | None, options: dict[str, Any],
    recorded: Any, bare: bool, data: Path | None, as_json: bool,
) -> None:
    """Begin a record: in FILE, or without FILE in the data folder of the service."""
    from daybook.services.clock import now

    title = title or f"{ruleset.replace('_', ' ').capitalize()}, {now()[:10]}"
    if file is None:
        _new_game(ruleset, title, players, options, recorded, data, as_json)
        return
    if data is not None:
        raise click.UsageError("give a FILE or --data, not both")
    from daybook.domain.kernel.record import FORMAT
    from daybook.services.files import onefile
    from daybook.services.files.recordfile import BadFile, BareHeader, BareSeat

    header = BareHeader(
        daybook=FORMAT, ruleset=ruleset, title=title, seats=[BareSeat(name, colour) for name, colour in players],
        options=options, recorded=recorded)
    try:
        with refusing(BadFile, onefile.RefusedDecision):
            placed = onefile.start(file, header, bare)
    except FileExistsError as there:
        raise CannotUse(f"{file} is there already: name another file") from there
    except OSError as wrong:
        raise CannotUse(f"{file}: {wrong.strerror}") from wrong
    _placed(placed.step, placed.seal, as_json)


def _new_game(
    ruleset: str, title: str, players: list[tuple[str, str]], options: dict[str, Any], recorded: Any,
    data: Path | None, as_json: bool,
) -> None:
    from uuid import uuid4

    from daybook.domain.kernel.ruleset import IllegalDecision
    from daybook.services.names import BadName
    from daybook.services.people import access
    from daybook.services.play.record import Player, open_game
    from daybook.services.store.games import UnknownRuleset

    with opened(data) as book:
        with refusing(UnknownRuleset, IllegalDecision, BadName):
            receipt = open_game(
                book, ruleset=ruleset, title=title, players=[Player(*player) for player in players],
                options=options, recorded=recorded, key=uuid4().hex)
        key = access.key_of(book, access.grant(book, receipt.game, "scorekeeper"))
    if as_json:
        say({"game": receipt.game, "step": receipt.step, "seal": receipt.seal, "key": key})
    else:
        click.echo(f"game {receipt.game}\nthe scorekeeper's key: {key}")


@main.command()
@click.argument("target", metavar="FILE|GAME")
@click.argument("line", metavar="JSON")
@click.option("--seat", type=int, metavar="N", help="Whose decision it is; -1: the table's.")
@click.option("--by", default="scorekeeper", show_default=True, help="Who writes it down.")
@data_option
@json_option
def record(target: str, line: str, seat: int | None, by: str, data: Path | None, as_json: bool) -> None:
    """Write the next thing down: in a record FILE, or in a GAME of the service.

    With --seat, JSON is a decision: '{"type":"run"}'. Without, it is a line as in a bare file:
    '{"takeback":{"to":5}}', '{"adjust":{...}}', '{"note":{...}}', '{"count":{...}}', '{"close":{}}'.
    Exit code 1 if the rules refuse it.
    """
    import msgspec

    from daybook.services.files.recordfile import BadFile, read_bare_line

    try:
        if seat is not None:
            line = msgspec.json.encode({"seat": seat, "decision": msgspec.json.decode(line)}).decode()
        bare = read_bare_line(0, line.encode())
    except msgspec.DecodeError as wrong:
        raise CannotUse(f"JSON: {wrong}") from wrong
    except BadFile as wrong:
        raise CannotUse(f"JSON: {wrong.says}") from wrong
    id = _as_game(target)
    if id is not None:
        _record_in_service(id, bare, by, data, as_json)
        return
    from daybook.services.files import onefile

    try:
        with refusing(BadFile, onefile.NotALine):
            placed = onefile.add(Path(target), bare, by)
    except onefile.RefusedDecision as no:
        _refused(no.rule, str(no.reason), as_json)
    except OSError as wrong:
        raise CannotUse(f"{target}: {wrong.strerror}") from wrong
    _placed(placed.step, placed.seal, as_json)


def _as_game(target: str) -> UUID | None:
    try:
        return None if Path(target).exists() else UUID(target)
    except ValueError:
        return None


def _record_in_service(id: UUID, line: BareLine, by: str, data: Path | None, as_json: bool) -> None:
    from uuid import uuid4

    from daybook.domain.commands import NotAnEntry
    from daybook.domain.kernel.decisions import NotADecision
    from daybook.domain.kernel.record import Refused
    from daybook.domain.kernel.ruleset import IllegalDecision
    from daybook.services.files.recordfile import check_next
    from daybook.services.files.validate import Misfit, check_by
    from daybook.services.play import record as records
    from daybook.services.store.games import UnknownGame

    with opened(data) as book:
        try:
            with refusing(NotADecision, NotAnEntry, Misfit, records.Conflict, UnknownGame):
                step = book.games.get(id).step
                check_next(line, step + 1, dated=False)
                check_by(line.by or by)
                receipt = records.write(book, id, line.command, at=step, by=line.by or by, key=uuid4().hex)
        except (IllegalDecision, Refused) as no:
            _refused(no.rule, str(no.reason), as_json)
    _placed(receipt.step, receipt.seal, as_json)


def _refused(rule: str, reason: str, as_json: bool) -> NoReturn:
    if as_json:
        say({"refused": {"rule": rule, "reason": reason}})
    else:
        click.echo(f"refused: {rule}: {reason}" if rule else f"refused: {reason}", err=True)
    sys.exit(FOUND)


def _placed(step: int, seal: str | None, as_json: bool) -> None:
    if as_json:
        say({"step": step, "seal": seal})
    else:
        click.echo(f"step {step}" + (f", seal {seal}" if seal else ""))


# --- commands on the data folder -------------------------------------------------------------------------------------


@main.command(name="export")
@click.argument("game", callback=game_id)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Where to write it; otherwise it is printed.")
@click.option("--bare", is_flag=True, help="Only what happened, for the rules to complete.")
@data_option
def export_file(game: UUID, out: Path | None, bare: bool, data: Path | None) -> None:
    """Write a GAME of the service as a record file; hidden cards are in it."""
    from daybook.services.files import import_export, recordfile
    from daybook.services.store.games import UnknownGame

    with opened(data) as book, refusing(UnknownGame, OSError):
        content = import_export.export_game(book, game)
        if bare:
            held = recordfile.read(io.BytesIO(content), "")
            content = b"".join(recordfile.bare(held.header, held.game.entries))
        if out is None:
            sys.stdout.buffer.write(content)
        else:
            out.write_bytes(content)


@main.command(name="import")
@FILES
@click.option("--public", is_flag=True, help="Show the games to everybody.")
@data_option
@json_option
def import_files(files: Sequence[BinaryIO], public: bool, data: Path | None, as_json: bool) -> None:
    """Take record files into the service, of either kind. What is there already stays."""
    from daybook.services.files import import_export
    from daybook.services.files.recordfile import BadFile

    with opened(data) as book:
        for file in each("importing", files):
            with refusing(BadFile, import_export.Parted, about=file.name):
                content = file.read()
                before = len(book.log.lines(import_export.game_named(content)))
                id = import_export.import_file(book, content, public)
            game = book.games.get(id)
            added = len(game.entries) - before
            if as_json:
                say({"file": file.name, "game": id, "added": added, "step": game.step, "seal": game.seal})
            else:
                click.echo(f"{file.name}: game {id}, {added} steps added, now at step {game.step}")


@main.command()
@GAME
@click.option("--players", type=click.IntRange(1), default=4, show_default=True)
@click.option("--games", type=click.IntRange(1), default=10, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@OPTIONS
@click.option("--save", is_flag=True, help="Keep the games in the data folder, as practice games.")
@click.option("--fill", type=click.IntRange(1), metavar="N",
              help="Keep N games in the data folder for a demonstration: those that are played, laid again under new "
                   "ids, with other people and on other days of the last two years. That takes about a second for a "
                   "hundred games where playing takes minutes; the decisions are those of the few that were played.")
@click.option("--people", type=click.IntRange(1), default=24, show_default=True, metavar="N",
              help="How many people play them, with --fill; the same seed gives the same people.")
@click.option("--files", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Write the games as record files.")
@data_option
@json_option
def simulate(
    ruleset: str, players: int, games: int, seed: int, options: dict[str, Any], save: bool, fill: int | None,
    people: int, folder: Path | None, data: Path | None, as_json: bool,
) -> None:
    """Play practice games by chance and say what they came to."""
    from daybook.domain.games import RULESETS
    from daybook.domain.kernel.ruleset import IllegalDecision
    from daybook.services.play import simulate

    if ruleset not in RULESETS:
        raise CannotUse(f"Daybook does not know the game {ruleset!r}; it knows {', '.join(RULESETS)}")
    rules = RULESETS[ruleset]
    with refusing(IllegalDecision), ExitStack() as held:
        if fill and people < players:
            raise CannotUse(f"{players} seats want at least as many people, not {people}: give --people {players}")
        book = held.enter_context(opened(data, create=True)) if save or fill else None
        played: list[Game] = []
        with progress("playing", games) as on:
            for number, game in enumerate(simulate.simulate(rules, players, games, seed, options), 1):
                played.append(_kept(number, game, book if save else None, folder, on))
        if book is not None and fill:
            with progress("laying again", fill) as on:
                for _ in simulate.fill(book, played, fill, simulate.regulars(people, seed), seed):
                    on(1)
        summary = simulate.summary(played)
    if as_json:
        say(summary)
        return
    fewest, middle, most = summary.steps
    click.echo(f"{summary.games} games of {rules.title}, {fewest} to {most} steps, half of them within {middle:g}")
    for rule, count in summary.ended.items():
        click.echo(f"  ended by {rule}: {count}")
    if summary.unfinished:
        click.echo(f"  not ended: {summary.unfinished}")
    for seat in summary.seats:
        click.echo(f"  seat {seat.seat}: won {seat.won}, mean total {seat.mean_total:g}")
    if fill:
        click.echo(f"{fill} games are kept, laid again with {people} people")


def _kept(
    number: int, game: Game, book: Daybook | None, folder: Path | None, on: Callable[[int], object],
) -> Game:
    """Put a simulated game where it was asked for."""
    from daybook.services.files import recordfile

    header = recordfile.header_of(
        game, f"{game.ruleset.title}, simulation {number}",
        [f"Player {seat + 1}" for seat in range(len(game.opening.seats))])
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{game.id}.daybook").write_bytes(b"".join(recordfile.full(header, game.entries)))
    if book is not None:
        from daybook.services.files.import_export import keep_record

        keep_record(book, recordfile.Record(header, game, bare=False), 0, public=True)
    on(1)
    return game


@main.command()
@click.argument("game", callback=game_id)
@click.option("--step", type=int, metavar="N", help="After this step; otherwise now.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Where to write it; otherwise it is printed.")
@data_option
def receipt(game: UUID, step: int | None, out: Path | None, data: Path | None) -> None:
    """Give out a signed receipt of a GAME of the service, for somebody to keep."""
    from daybook.domain.kernel.record import Refused
    from daybook.services.files import receipts
    from daybook.services.files.receipt_keys import BadSigningKey
    from daybook.services.store.games import UnknownGame

    with opened(data) as book, refusing(UnknownGame, Refused, BadSigningKey, OSError):
        content = receipts.file_of(receipts.issue(book, game, step))
        if out is None:
            sys.stdout.buffer.write(content)
        else:
            out.write_bytes(content)


@main.command("new-receipt-key")
@data_option
@json_option
def new_receipt_key(data: Path | None, as_json: bool) -> None:
    """Sign receipts with a new key from now on; the earlier public keys stay published, and old receipts good.

    With several web hosts put the new file on all of them.
    """
    from daybook.services.files import receipt_keys

    with opened(data) as book, refusing(OSError):
        public = receipt_keys.renew(book)
        file = book.settings.receipt_key_path
    if as_json:
        say({"public_key": public, "file": str(file)})
    else:
        click.echo(f"receipts are signed with {public} now, whose private half is in {file}")


@main.command("new-secret")
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option
def new_secret(yes: bool, data: Path | None) -> None:
    """Go on with another secret: the links, invitations and sign-ins of before open nothing any more.

    Where DAYBOOK_SECRET_FILE names another secret already, that one; else a new one is made.
    """
    from daybook.services.settings import BadSetting
    from daybook.services.store import secret

    with opened(data) as book, refusing(BadSetting, OSError):
        click.echo(secret.what_would_end(book))
        if not yes:
            click.confirm("Go on with another secret?", abort=True)
        secret.renew(book)
    click.echo("done; start all web processes anew. `daybook links GAME` shows the new links of a game")


@main.command()
@click.argument("game", callback=game_id)
@data_option
@json_option
def links(game: UUID, data: Path | None, as_json: bool) -> None:
    """Show the links of a GAME of the service, for who runs it: whoever has one holds the place it names."""
    from daybook.services.people import access
    from daybook.services.settings import BadSetting
    from daybook.services.store.games import UnknownGame

    with opened(data) as book, refusing(UnknownGame, BadSetting):
        book.games.get(game)
        for grant in access.first_grants(book, game):
            key = access.key_of(book, grant)
            if as_json:
                say({"place": grant.place, "key": key})
            else:
                click.echo(f"{grant.place:12} {book.settings.base_url or ''}/join#{key}")


@main.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@data_option
@json_option
def audit(games: Sequence[str], data: Path | None, as_json: bool) -> None:
    """Hold all records of the service against today's rules, or those of the GAMEs named.

    Exit code 1 if the rules disagree with a step. The findings are grouped by rule; no record changes.
    """
    from daybook.services.files import audits
    from daybook.services.store.games import UnknownGame

    ids = [game_id(click.get_current_context(), click.Argument(["games"]), game) for game in games]
    with opened(data) as book, refusing(UnknownGame), bar_of("auditing") as on:
        found = audits.run_all(book, ids or None, on)
    if as_json:
        say({"audited": found.audited, "clean": found.clean, "groups": [
            {"ruleset": group.ruleset, "rule": group.rule, "games": group.games, "steps": [
                {"game": place.game, "step": place.finding.step, "kind": place.finding.kind,
                 "says": place.finding.says} for place in group.places]}
            for group in found.groups]})
    else:
        for group in found.groups:
            click.echo(f"{group.ruleset} {group.rule or 'no rule'}: {len(group.places)} steps of {group.games} games")
            for place in group.places:
                click.echo(f"  game {place.game}: step {place.finding.step}: {place.finding.says}")
        for place in found.firsts:
            click.echo(f"game {place.game}: the first step that disagrees is {place.finding.step}")
        click.echo(f"{found.audited} games audited, {found.clean} as the rules of today have it")
    sys.exit(FOUND if found.firsts else 0)


@main.command()
@click.argument("destination", metavar="DEST", type=click.Path(path_type=Path))
@data_option
@json_option
def backup(destination: Path, data: Path | None, as_json: bool) -> None:
    """Back the data folder up into a new folder DEST, while people record.

    DEST appears when it is whole and verified. Exit code 1 if the log itself has damaged games; they are in it as they
    are.
    """
    from daybook.services import backup as backups
    from daybook.services.atomic_files import Occupied
    from daybook.services.store.log import NoLog

    with refusing(backups.InPostgres, backups.BadBackup, NoLog, Occupied), bar_of("verifying") as on:
        taken = backups.take(settings_of(data=data), destination, on)
    _backup_shown(taken, as_json)
    sys.exit(FOUND if taken.found.broken else 0)


@main.command()
@click.argument("source", metavar="SOURCE", type=click.Path(path_type=Path))
@click.option("--code", metavar="CODE", help="The check code it was taken with, or its beginning: another is refused.")
@click.option("--damaged", is_flag=True, help="Also what was damaged when the backup was taken.")
@data_option
@json_option
def restore(source: Path, code: str | None, damaged: bool, data: Path | None, as_json: bool) -> None:
    """Restore the backup in the folder SOURCE into a data folder that has nothing yet.

    The data folder appears when the copy is whole and verified. The first start makes the read models from it.
    """
    from daybook.services import backup as backups
    from daybook.services.atomic_files import Occupied

    settings = settings_of(data=data)
    with refusing(backups.InPostgres, backups.BadBackup, Occupied), bar_of("verifying") as on:
        restored = backups.restore(source, settings, code and "".join(code.split()).lower(), damaged, on)
    _backup_shown(restored, as_json)


def _backup_shown(shown: Backup, as_json: bool) -> None:
    from daybook.services.backup_checks import lines_of

    if as_json:
        say({"made_at": shown.made_at, "found": shown.found, "files": sorted(shown.files), "code": shown.code})
        return
    for line in lines_of(shown):
        click.echo(line)


@main.command()
@data_option
def rebuild(data: Path | None) -> None:
    """Make all read models anew from the log, while the service runs.

    What cannot be read is left out and listed; then the exit code is 1.
    """
    from daybook.services.projections import AlreadyRebuilding
    from daybook.services.projections import rebuild as rebuild_views

    with opened(data) as book:
        with bar_of("rebuilding") as on:
            try:
                left_out = rebuild_views(book, on)
            except AlreadyRebuilding as other:
                raise CannotUse("another process is rebuilding; wait for it") from other
        for id, why in left_out.items():
            click.echo(f"left out: {id}: {why}", err=True)
    if left_out:
        sys.exit(1)


@main.command()
@data_option
@json_option
def doctor(data: Path | None, as_json: bool) -> None:
    """Look whether everything is as it should be, and say what to do where it is not.

    Exit code 1 if something is bad.
    """
    from daybook.services.doctor import examine

    findings = examine(settings_of(data=data))
    for finding in findings:
        if as_json:
            say(finding)
        else:
            colour = {"ok": "green", "warn": "yellow", "bad": "red"}[finding.state]
            click.echo(f"{click.style(f'{finding.state:4}', fg=colour)}  {finding.about}: {finding.says}")
            if finding.do:
                click.echo(f"      {finding.do}")
    if any(finding.state == "bad" for finding in findings):
        sys.exit(FOUND)


# --- people ----------------------------------------------------------------------------------------------------------


@main.command("sign-in-link")
@click.argument("name")
@data_option
@json_option
def sign_in_link(name: str, data: Path | None, as_json: bool) -> None:
    """Make a link that signs in once: for who has forgotten the password, and has no organiser to ask.

    NAME is the sign-in name, or a person's id. Hand the link over as you would a key; it is good for two days.
    """
    from daybook.services.league.clubs import OPERATOR
    from daybook.services.people import accounts, invitations

    with opened(data) as book:
        with refusing(accounts.BadAccount):
            made = invitations.sign_in_link(book, accounts.person_of(book, name) or name, by=OPERATOR)
        key, base = invitations.key_of(book, made), book.settings.base_url
    link = f"{base or ''}/invited#{key}"
    if as_json:
        say({"person": made.person, "link": link, "until": made.ends_at})
    else:
        click.echo(f"{link}\ngood until {made.ends_at}")


# --- clubs -----------------------------------------------------------------------------------------------------------


@main.group()
def club() -> None:
    """Clubs of the service, their seasons and standings."""


@club.command("list")
@data_option
@json_option
def list_clubs(data: Path | None, as_json: bool) -> None:
    """List every club with its seasons, by the ids that other commands take."""
    with opened(data) as book:
        found = book.clubs.all()
    for one in found:
        if as_json:
            say({"club": one.id, "name": one.name, "members": len(one.people()), "public": one.settings.public,
                 "seasons": [
                     {"season": season.id, "league": one.leagues[season.league].name, "name": season.name,
                      "kind": season.format.kind, "open": season.is_open} for season in one.seasons.values()]})
            continue
        click.echo(f"{one.id}  {one.name}, {len(one.people())} members")
        for season in one.seasons.values():
            state = "open" if season.is_open else "closed"
            click.echo(f"  {season.id:>3}  {one.leagues[season.league].name}, {season.name} ({state})")


@club.command("export")
@click.argument("club", type=click.UUID)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@data_option
def export_club(club: UUID, file: Path | None, data: Path | None) -> None:
    """Write all entries of a CLUB as a file, which `daybook verify` checks; without FILE it is printed."""
    from daybook.services.files import clubfile
    from daybook.services.store.folded import UnknownClub

    with opened(data) as book, refusing(UnknownClub, OSError):
        content = clubfile.export_club(book, club)
        if file is None:
            sys.stdout.buffer.write(content)
        else:
            file.write_bytes(content)


@club.command()
@click.argument("club", type=click.UUID)
@click.argument("season")
@click.option("--at", metavar="TIME", help="As they stood then, such as 2026-11-20 or 2026-11-20T19:30:00.000Z.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@data_option
@json_option
def standings(club: UUID, season: str, at: str | None, as_csv: bool, data: Path | None, as_json: bool) -> None:
    """Show the standings of a SEASON of a CLUB, with every tie-break and the reason of each place."""
    from daybook.domain.league.tiebreaks import figure
    from daybook.services.files.validate import Misfit, check_time
    from daybook.services.league import results, season_tables
    from daybook.services.store import as_of
    from daybook.services.store.folded import UnknownClub

    if at is not None and len(at) == len("2026-11-20"):
        at += "T23:59:59.999Z"
    with opened(data) as book, refusing(UnknownClub, results.UnknownSeason, Misfit):
        if at is not None:
            check_time(at)
        found = book.clubs.get(club)
        position = None if at is None else results.position_at(book, found, at)
        shown = results.standings_at(book, found, season, position)
        names = book.kept.names(list(shown.order))
        table = season_tables.standings_table(
            found, found.season(season), shown, names, at, as_of.club_at(book, found, position).step)
    if as_json or as_csv:
        sys.stdout.buffer.write(table.json() if as_json else table.csv())
        return
    for group in shown.groups:
        if len(shown.groups) > 1:
            click.echo(f"division {group.division}, group {group.group}")
        lines = [[str(row.place), names.get(row.person, row.person), str(row.played), *(
            "" if value is None else str(figure(value)) for value in map(row.columns.get, shown.chain))]
            for row in group.rows]
        for line in in_columns([["place", "name", "games", *shown.chain], *lines]):
            click.echo(line)


def in_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of words with their columns below one another."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(word.ljust(width) for word, width in zip(row, wide, strict=True)).rstrip()


# --- processes -------------------------------------------------------------------------------------------------------


@main.command()
@data_option
def init(data: Path | None) -> None:
    """Make the tables of a new data folder or database, or bring those of an older Daybook up to date.

    Names, links and accounts are copied before they get a newer version; docs/backup.md says where to.
    """
    prepare(settings_of(data=data), examples=False)


@main.command()
@data_option
@click.option("--host", help="Where pages are served; otherwise DAYBOOK_HOST, otherwise 127.0.0.1.")
@click.option("--port", type=int, help="Otherwise DAYBOOK_PORT, otherwise 8000.")
@click.option("--workers", type=int, help="How many processes carry out jobs; otherwise DAYBOOK_WORKERS, otherwise 2.")
@click.option("--examples/--no-examples", default=True, show_default=True, help="Show example games on a fresh start.")
def serve(data: Path | None, host: str | None, port: int | None, workers: int | None, examples: bool) -> None:
    """Run everything on this machine: pages, queue, follower and workers."""
    from daybook.workers import supervisor

    settings = settings_of(data=data, host=host, port=port, workers=workers)

    def ready() -> None:
        gc.disable()  # modules stay: looking for garbage among them would take a sixth of the time
        from daybook.web.server import serve as web_server  # noqa: F401  # what the parts need is imported once: they are forks of this process
        from daybook.workers import follower, worker  # noqa: F401

        gc.enable()
        prepare(settings, examples)
        require_durable(settings)

    with refusing(supervisor.CannotServe):
        supervisor.serve(settings, ready)


@main.command()
@data_option
@click.option("--host", help="Where pages are served; otherwise DAYBOOK_HOST, otherwise 127.0.0.1.")
@click.option("--port", type=int, help="Otherwise DAYBOOK_PORT, otherwise 8000.")
@click.option("--create", is_flag=True, help="First make the tables, or bring them up to date.")
def web(data: Path | None, host: str | None, port: int | None, create: bool) -> None:
    """Serve pages and the JSON API."""
    from daybook.web.server import serve as web_server
    from daybook.workers import supervisor

    settings = settings_of(data=data, host=host, port=port)
    with refusing(supervisor.CannotListen):
        supervisor.refuse_taken(settings)
    if create:
        prepare(settings, examples=False)
    require_durable(settings)  # said here: in a process of the server's it would be tried for ever
    require_secret(settings)
    web_server.run(settings)


@main.command()
@data_option
def follow(data: Path | None) -> None:
    """Turn what is recorded into read models and jobs; one process at a time does it, a second one waits."""
    from daybook.services.projections import OtherSchema
    from daybook.workers import follower

    settings = settings_of(data=data)
    require_durable(settings)
    with refusing(OtherSchema):
        follower.run(settings)


@main.command()
@data_option
def work(data: Path | None) -> None:
    """Carry out jobs; start as many as are needed."""
    from daybook.workers import worker

    settings = settings_of(data=data)
    require_durable(settings)
    worker.run(settings)


def require_durable(settings: Settings) -> None:
    """No process starts on tables of another version, or on a log that a power cut might take something back from."""
    from daybook.services.store.log import NotDurable, refuse_unless_durable

    with closing(open_book(settings)) as book, refusing(NotDurable):
        refuse_unless_durable(book.log)


def require_secret(settings: Settings) -> None:
    """No pages are served with another secret than links were signed with."""
    from daybook.services.settings import BadSetting
    from daybook.services.store import secret

    with closing(open_book(settings)) as book, refusing(BadSetting):
        secret.checked(book)


def prepare(settings: Settings, examples: bool) -> None:
    """Make the tables or bring them up to date, the read models too, and on a fresh start add the example games."""
    from daybook.services.files.examples import add_examples
    from daybook.services.projections import prepare as prepare_views
    from daybook.services.settings import BadSetting
    from daybook.services.store import secret

    with closing(open_book(settings, create=True)) as book:
        if settings.database_url is None:
            with refusing(BadSetting):
                secret.checked(book)
        with bar_of("rebuilding") as on:
            prepare_views(book, on)
        if examples:
            add_examples(book)


if __name__ == "__main__":
    main()
