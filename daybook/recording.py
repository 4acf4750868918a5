"""Opening a game, and recording into a file or into the running service."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from uuid import UUID

import click

from daybook.base import (
    FOUND,
    GAME,
    OPTIONS,
    CommandError,
    data_option,
    json_option,
    main,
    open_service,
    print_json,
    print_lines,
    refusing,
)

if TYPE_CHECKING:
    from daybook.services.files.recordfile import BareLine


def _player(_context: click.Context, _parameter: click.Parameter, given: Sequence[str]) -> list[tuple[str, str]]:
    """Parse players given as NAME:COLOUR."""
    players = []
    for text in given:
        name, colon, colour = text.rpartition(":")
        if not colon or not name or not colour:
            raise click.BadParameter(f"{text!r}: a seat is NAME:COLOUR, such as Anna:red")
        players.append((name, colour))
    return players


@main.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@GAME
@click.option(
    "--seat",
    "players",
    multiple=True,
    required=True,
    callback=_player,
    metavar="NAME:COLOUR",
    help="A player and their colour. Give one for each seat, clockwise.",
)
@click.option("--title", help="Default: the name of the game and the day.")
@OPTIONS
@click.option(
    "--recorded",
    type=click.Choice(["live", "notes", "memory"]),
    default="live",
    show_default=True,
    help="How the game is recorded: live, from notes or from memory.",
)
@click.option("--played", default="", metavar="DAY", help="The day it was played, such as 2026-11-20, if another one.")
@click.option("--bare", is_flag=True, help="Begin a bare file: only decisions, without seals and results.")
@data_option
@json_option
def new(
    file: Path | None,
    ruleset: str,
    players: list[tuple[str, str]],
    title: str | None,
    options: dict[str, Any],
    recorded: Any,
    played: str,
    bare: bool,
    data: Path | None,
    as_json: bool,
) -> None:
    """Open a game: in a record FILE, or without FILE in the data folder."""
    from daybook.services import days

    title = title or f"{ruleset.replace('_', ' ').capitalize()}, {days.today_of(days.LOCAL_ZONE)}"
    if file is None:
        _new_game(ruleset, title, players, options, recorded, played, data, as_json)
        return
    if data is not None:
        raise click.UsageError("give a FILE or --data, not both")
    from daybook.services.files import file_recording
    from daybook.services.files.recordfile import BARE_FORMAT, BadFileError, BareHeader, BareSeat

    header = BareHeader(
        daybook=BARE_FORMAT,
        ruleset=ruleset,
        title=title,
        seats=[BareSeat(name, colour) for name, colour in players],
        options=options,
        recorded=recorded,
        played_on=played,
    )
    try:
        with refusing(BadFileError, file_recording.RefusedDecisionError):
            placed = file_recording.start_file(file, header, bare)
    except FileExistsError as there:
        raise CommandError(f"{file} already exists: name another file") from there
    except OSError as wrong:
        raise CommandError(f"{file}: {wrong.strerror}") from wrong
    _show_placed(placed.step, placed.seal, as_json)


def _new_game(
    ruleset_id: str,
    title: str,
    players: list[tuple[str, str]],
    options: dict[str, Any],
    recorded: Any,
    played: str,
    data: Path | None,
    as_json: bool,
) -> None:
    from uuid import uuid4

    from daybook.domain.kernel.chronicle import Refused
    from daybook.domain.kernel.terms import IllegalDecision
    from daybook.services.names import BadNameError
    from daybook.services.permissions import access
    from daybook.services.play.recording import NewGame, SeatedPerson, open_game
    from daybook.services.store.game_cache import UnknownRulesetError

    with open_service(data) as book:
        with refusing(UnknownRulesetError, IllegalDecision, BadNameError, Refused):
            receipt = open_game(
                book,
                NewGame(
                    ruleset_id=ruleset_id,
                    title=title,
                    players=[SeatedPerson(*player) for player in players],
                    options=options,
                    recorded=recorded,
                    played_on=played,
                ),
                key=uuid4().hex,
            )
        key = access.key_of(book, access.make_first_grants(book, receipt.record)[0])
    if as_json:
        print_json({"game": receipt.record, "step": receipt.step, "seal": receipt.seal, "key": key})
    else:
        print_lines(f"game {receipt.record}", f"the scorekeeper's key: {key}")


@main.command()
@click.argument("target", metavar="FILE|GAME")
@click.argument("line", metavar="JSON")
@click.option("--seat", type=int, metavar="N", help="The seat that decides; -1 is the table.")
@click.option("--by", default="scorekeeper", show_default=True, help="Who records it.")
@data_option
@json_option
def record(target: str, line: str, seat: int | None, by: str, data: Path | None, as_json: bool) -> None:
    """Record the next step: in a record FILE, or in a GAME of the service.

    With --seat, JSON is a decision: '{"type":"run"}'. Without --seat, it is a line as in a bare file:
    '{"take_back":{"to_step":5}}', '{"adjust":{...}}', '{"note":{...}}', '{"count":{...}}', '{"close":{}}'.
    Exit code 1 if the rules refuse it.
    """
    import msgspec

    from daybook.domain.kernel.unique_keys import decode_json
    from daybook.services.files.recordfile import BadFileError, read_bare_line

    try:
        if seat is not None:
            line = msgspec.json.encode({"seat": seat, "decision": decode_json(line)}).decode()
        bare = read_bare_line(0, line.encode())
    except msgspec.DecodeError as wrong:
        raise CommandError(f"JSON: {wrong}") from wrong
    except BadFileError as wrong:
        raise CommandError(f"JSON: {wrong.says}") from wrong
    game_id = _as_game(target)
    if game_id is not None:
        _record_in_service(game_id, bare, by, data, as_json)
        return
    from daybook.services.files import file_recording

    try:
        with refusing(BadFileError, file_recording.NotALineError):
            placed = file_recording.append_line(Path(target), bare, by)
    except file_recording.RefusedDecisionError as no:
        _end_refused(no.rule, str(no.reason), as_json)
    except OSError as wrong:
        raise CommandError(f"{target}: {wrong.strerror}") from wrong
    _show_placed(placed.step, placed.seal, as_json)


def _as_game(target: str) -> UUID | None:
    try:
        return None if Path(target).exists() else UUID(target)
    except ValueError:
        return None


def _record_in_service(game_id: UUID, line: BareLine, by: str, data: Path | None, as_json: bool) -> None:
    from uuid import uuid4

    from daybook.domain.commands import NotAnEntryError
    from daybook.domain.kernel.chronicle import Refused
    from daybook.domain.kernel.decisions import NotADecisionError
    from daybook.domain.kernel.terms import IllegalDecision
    from daybook.services.files.recordfile import check_next
    from daybook.services.files.validate import MisfitError, check_author
    from daybook.services.play import recording
    from daybook.services.play.writing import Conflict
    from daybook.services.store.game_cache import UnknownGameError

    with open_service(data) as book:
        try:
            with refusing(NotADecisionError, NotAnEntryError, MisfitError, Conflict, UnknownGameError):
                step = book.games.get(game_id).step
                check_next(line, step + 1, dated=False)
                check_author(line.by or by)
                receipt = recording.append_command(
                    book, game_id, line.command, at=step, by=line.by or by, key=uuid4().hex
                )
        except (IllegalDecision, Refused) as no:
            _end_refused(no.rule, str(no.reason), as_json)
    _show_placed(receipt.step, receipt.seal, as_json)


def _end_refused(rule: str, reason: str, as_json: bool) -> NoReturn:
    if as_json:
        print_json({"refused": {"rule": rule, "reason": reason}})
    else:
        print_lines(f"refused: {rule}: {reason}" if rule else f"refused: {reason}", err=True)
    sys.exit(FOUND)


def _show_placed(step: int, seal: str | None, as_json: bool) -> None:
    if as_json:
        print_json({"step": step, "seal": seal})
    else:
        print_lines(f"step {step}" + (f", seal {seal}" if seal else ""))
