"""Commands on record files. They need no service and start fast."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn

import click

from daybook.base import (
    FILE,
    FILES,
    FOUND,
    UNUSABLE,
    each,
    json_of,
    json_option,
    known_step,
    main,
    print_json,
    print_lines,
    read_file,
    refusing,
    step_option,
)
from daybook.services.counted import counted

if TYPE_CHECKING:
    from daybook.services.files.audit import AuditResult


@main.command()
@click.argument("file", type=FILE)
@step_option
@json_option
def replay(file: BinaryIO, step: int | None, as_json: bool) -> None:
    """Replay a record file: all steps in words, or the board after one step.

    With --json and without --step, each step is a line of JSON.
    """
    from daybook.domain.kernel.events import GameClosed
    from daybook.services.play.transcript import write_transcript

    record = read_file(file)
    game, names = record.game, [seat.name for seat in record.header.seats]
    if step is not None:
        board = game.ruleset.typed_board(game.document_at(known_step(game, step)), game.table)
        columns, marks = game.figures_at(step)
        closed = any(isinstance(entry.event, GameClosed) for entry in game.entries[: step + 1])
        shown = {
            "step": step,
            "board_step": game.heads[step],
            "closed": closed,
            "to_act": game.ruleset.course.to_act(board),
            "marks": marks,
            "columns": columns,
            "board": game.document_at(step),
        }
        click.echo(json_of(shown, indent=0 if as_json else 2))
    elif as_json:
        struck = game.struck_steps()
        for entry in game.entries:
            print_json(
                {"taken_back_by": struck.get(entry.step), "board_step": game.heads[entry.step], "entry": entry.event}
            )
    else:
        for line in write_transcript(game, record.header.title, names):
            print_lines(line)


@main.command()
@click.argument("file", type=FILE)
@step_option
@json_option
def legal(file: BinaryIO, step: int | None, as_json: bool) -> None:
    """List every legal decision after a step, with the seat that may make it.

    What the table may turn up has a weight: how many of the remaining cards it stands for.
    """
    from daybook.domain.kernel.board import plain
    from daybook.domain.kernel.terms import TABLE

    game = read_file(file).game
    step = known_step(game, step)
    rules, board = game.ruleset, game.ruleset.typed_board(game.document_at(step), game.table)
    seats = rules.course.to_act(board)
    found = [
        {"seat": seat, "decision": plain(decision)}
        for seat in seats
        if seat != TABLE
        for decision in rules.legal(board, seat)
    ]
    found += [{"seat": TABLE, "decision": plain(fact), "weight": weight} for fact, weight in rules.facts(board)]
    if as_json:
        print_json({"step": step, "to_act": seats, "legal": found})
        return
    for line in found:
        print_json(line)


@main.command()
@click.argument("file", type=FILE)
@step_option
@json_option
def score(file: BinaryIO, step: int | None, as_json: bool) -> None:
    """Show the score after a step, line by line, as if the game ended there."""
    from daybook.services.play.transcript import score_text

    record = read_file(file)
    game, names = record.game, [seat.name for seat in record.header.seats]
    step = known_step(game, step)
    board = game.ruleset.typed_board(game.document_at(step), game.table)
    outcome = game.ruleset.scoring.outcome(board)
    scores = game.ruleset.scoring.standing(board)
    if as_json:
        print_json(
            {
                "step": step,
                "over": outcome is not None,
                "outcome": outcome,
                "scores": [
                    {"seat": score.seat, "name": names[score.seat], "total": score.total, "lines": score.lines}
                    for score in scores
                ],
            }
        )
        return
    for score in scores:
        print_lines(score_text(names, score))
    if outcome is not None:
        print_lines(f"{outcome.reason} ({outcome.rule})")
        print_lines(
            "ranks: " + ", ".join(f"{names[seat]} {outcome.place(seat) or 'out'}" for seat in range(len(names)))
        )


@main.command()
@FILES
@json_option
def check(files: Sequence[BinaryIO], as_json: bool) -> None:
    """Check record files against today's rules.

    Each step that the rules disagree with is named, with the rule and the reason. No record changes. Exit code 1 if
    there is one.
    """
    exits = [0]
    for file in each("checking", files):
        audited = audit_of(file)
        if audited is None:
            exits.append(UNUSABLE)
            continue
        exits.append(0 if audited.clean else FOUND)
        if as_json:
            print_json(
                {
                    "file": file.name,
                    "clean": audited.clean,
                    "ruleset": audited.ruleset,
                    "recorded": audited.recorded,
                    "today": audited.today,
                    "decisions": audited.decisions,
                    "findings": [
                        {"step": f.step, "kind": f.kind, "rule": f.rule, "reason": f.says, "differences": f.differences}
                        for f in audited.findings
                    ],
                }
            )
            continue
        for finding in audited.findings:
            by_rule = f"{finding.rule}: " if finding.rule else ""
            print_lines(f"{file.name}: step {finding.step}: {by_rule}{finding.says}")
            for part in finding.differences:
                print_lines(f"  {part.part}: recorded {part.recorded!r}, today {part.today!r}")
        if audited.clean:
            print_lines(f"{file.name}: {counted(audited.decisions, 'decision')}, all agree with today's rules")
        if audited.recorded != audited.today:
            print_lines(
                f"{file.name}: recorded with revision {audited.recorded} of the rules; today's is {audited.today}"
            )
    sys.exit(max(exits))


def audit_of(file: BinaryIO) -> AuditResult | None:
    """Audit a record file; print an error and return None if it cannot be read.

    A bare file that the rules refuse is audited up to the refused line.
    """
    from daybook.services.clock import now
    from daybook.services.files.audit import AuditResult, Finding, audit
    from daybook.services.files.recordfile import BadFileError, RefusedLineError, read_record_file

    try:
        return audit(read_record_file(file, now()).game)
    except RefusedLineError as error:
        return AuditResult("", 0, 0, error.step, (Finding(error.step, "refused", error.rule, error.reason),))
    except BadFileError as error:
        print_lines(f"Error: {file.name}: {error}", err=True)
        return None


@main.command()
@FILES
@click.option("--receipt", metavar="R", help="A receipt file, or a seal: at least its first 12 characters.")
@click.option(
    "--key",
    "keys",
    multiple=True,
    metavar="HEX|FILE",
    help="The public key that must have signed the "
    "receipt file, or a file of the keys that the service publishes (/api/v1/receipt-key). Repeatable.",
)
@json_option
def verify(files: Sequence[BinaryIO], receipt: str | None, keys: Sequence[str], as_json: bool) -> None:
    """Verify the seals of record files and club files, or compare a record with a receipt.

    The first altered step is named. A receipt tells whether the record is unchanged, extended since, or altered,
    whether the names are those of the receipt, and whether the receipt is signed. Exit code 1 if something is wrong.
    """
    from daybook.services.files.recordfile import BadFileError
    from daybook.services.files.verify import BadReceiptError, verify_file

    if receipt is not None and Path(receipt).is_file():
        _against_receipt(files, Path(receipt), keys, as_json)
    if keys:
        raise click.UsageError("--key is for a receipt file: name one with --receipt")
    receipt = receipt and "".join(receipt.split()).lower()
    exits = [0]
    for file in each("verifying", files):
        try:
            with refusing(BadReceiptError):
                found = verify_file(file, receipt)
        except BadFileError as wrong:
            print_lines(f"Error: {file.name}: {wrong}", err=True)
            exits.append(UNUSABLE)
            continue
        exits.append(0 if found.intact else FOUND)
        if as_json:
            print_json(
                {
                    "file": file.name,
                    "intact": found.intact,
                    "steps": found.steps,
                    "seal": found.seal,
                    "broken_at": found.broken_at,
                    "message": found.message,
                    "received": found.received,
                }
            )
        elif found.intact:
            print_lines(f"{file.name}: whole, steps 0 to {found.steps - 1}, seal {found.seal}")
            if found.received is not None:
                print_lines(f"{file.name}: the receipt is that of step {found.received}")
        else:
            print_lines(f"{file.name}: broken at step {found.broken_at}: {found.message}")
    sys.exit(max(exits))


def _against_receipt(files: Sequence[BinaryIO], path: Path, keys: Sequence[str], as_json: bool) -> NoReturn:
    from daybook.services.files import receipts
    from daybook.services.files.recordfile import BadFileError

    with refusing(receipts.BadReceiptFileError, OSError, about=str(path)):
        receipt = receipts.read_receipt(path.read_bytes())
    trusted = {public_key for key in keys for public_key in _public_keys(key)} if keys else None
    exits = [0]
    for file in each("verifying", files):
        try:
            found = receipts.check_file(file, receipt, trusted)
        except BadFileError as wrong:
            print_lines(f"Error: {file.name}: {wrong}", err=True)
            exits.append(UNUSABLE)
            continue
        exits.append(0 if found.holds else FOUND)
        if as_json:
            print_json(
                {
                    "file": file.name,
                    "holds": found.holds,
                    "state": found.state,
                    "step": found.step,
                    "message": found.message,
                    "signed": found.signed,
                    "trusted": found.trusted,
                    "altered_at": found.altered_at,
                    "newest": found.newest,
                    "renamed": [
                        {"seat": renamed.seat, "then": renamed.then, "now": renamed.now} for renamed in found.renamed
                    ],
                }
            )
            continue
        print_lines(f"{file.name}: {found.state}: {found.message}")
        for renamed in found.renamed:
            print_lines(
                f"{file.name}: seat {renamed.seat} is {renamed.now} here and {renamed.then} in the receipt: no seal covers "
                "names; ask who corrected it"
            )
        if not found.signed:
            print_lines(f"{path}: the signature is wrong: the receipt itself was altered")
        elif found.trusted is False:
            print_lines(f"{path}: signed with another key, {receipt.public_key}")
        else:
            print_lines(f"{path}: signed with the key {receipt.public_key}")
    sys.exit(max(exits))


def _public_keys(given: str) -> Collection[str]:
    from daybook.services.files import receipt_keys
    from daybook.services.files.receipts import normalize_code

    if not Path(given).is_file():
        return [normalize_code(given)]
    with refusing(ValueError, OSError, about=given):
        return receipt_keys.parse_published_keys(Path(given).read_bytes())


@main.command(name="compare")
@click.argument("first", type=FILE)
@click.argument("second", type=FILE)
@json_option
def compare_files(first: BinaryIO, second: BinaryIO, as_json: bool) -> None:
    """Compare two record files of the same evening: the first difference, and all of them.

    Exit code 1 if they differ.
    """
    from daybook.services.disputes import compare

    with refusing(compare.NotComparableError):
        found = compare.compare_records(read_file(first).game, read_file(second).game)
    if as_json:
        print_json(found)
        sys.exit(0 if found.same else FOUND)
    for part in found.parts:
        mine, its = (", ".join(map(str, steps)) or "nothing" for steps in (part.one, part.other))
        print_lines(f"after steps {part.after[0]} and {part.after[1]}: {mine} against {its}")
    if found.figures is not None:
        print_lines(f"steps {found.figures[0]} and {found.figures[1]} say the same and come to other figures")
    print_lines(f"{counted(found.alike, 'step says', 'steps say')} the same")
    sys.exit(0 if found.same else FOUND)
