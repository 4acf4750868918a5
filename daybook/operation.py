"""Looking after a data folder: keys and secrets, audits, backups, rebuilding, the doctor."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import click

from daybook.base import (
    FOUND,
    CommandError,
    bar_of,
    data_option,
    game_id,
    json_option,
    main,
    open_service,
    print_json,
    print_lines,
    refusing,
    settings_of,
)
from daybook.domain.kernel.texts import on_one_line
from daybook.services.counted import counted

if TYPE_CHECKING:
    from daybook.services.operation.backup_checks import Backup

workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="How many processes of this machine share the games.",
)


@main.command()
@click.argument("game", callback=game_id)
@click.option("--step", type=int, metavar="N", help="After this step. Default: now.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write it. Default: print it.",
)
@data_option
def receipt(game: UUID, step: int | None, out: Path | None, data: Path | None) -> None:
    """Issue a signed receipt of a GAME."""
    from daybook.domain.kernel.chronicle import Refused
    from daybook.services.files import receipts
    from daybook.services.files.receipt_keys import BadSigningKeyError
    from daybook.services.store.game_cache import UnknownGameError

    with open_service(data) as book, refusing(UnknownGameError, Refused, BadSigningKeyError, OSError):
        content = receipts.encode_receipt(receipts.issue_receipt(book, game, step))
        if out is None:
            sys.stdout.buffer.write(content)
        else:
            out.write_bytes(content)


@main.command("new-receipt-key")
@data_option
@json_option
def new_receipt_key(data: Path | None, as_json: bool) -> None:
    """Replace the key that signs receipts. Earlier public keys stay published, and old receipts stay valid.

    With several web hosts, copy the new file to all of them.
    """
    from daybook.services.files import receipt_keys

    with open_service(data) as book, refusing(OSError):
        public = receipt_keys.renew_key(book)
        file = book.settings.receipt_key_path
    if as_json:
        print_json({"public_key": public, "file": str(file)})
    else:
        print_lines(f"receipts are now signed with {public}; its private key is in {file}")


@main.command("new-secret")
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option
def new_secret(yes: bool, data: Path | None) -> None:
    """Replace the secret that signs links and cookies. Earlier links, invitations and sign-ins stop working.

    If DAYBOOK_SECRET_FILE already names another secret, that one is used; otherwise a new one is created.
    """
    from daybook.services.settings import BadSettingError
    from daybook.services.store import secret

    with open_service(data) as book, refusing(BadSettingError, OSError):
        print_lines(secret.what_would_end(book))
        if not yes:
            click.confirm("Replace the secret?", abort=True)
        secret.replace_secret(book)
    print_lines("done; restart all web processes. `daybook links GAME` shows the new links of a game")


@main.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@workers_option
@data_option
@json_option
def audit(games: Sequence[str], workers: int, data: Path | None, as_json: bool) -> None:
    """Run today's rules over all records, or over those of the GAMEs, and list where they disagree.

    Findings are grouped by rule; no record changes. Exit code 1 if the rules disagree with a step, or if a record
    cannot be read: the others are audited, and that one is named at the end.
    """
    from daybook.services.files import audits
    from daybook.services.store.game_cache import UnknownGameError
    from daybook.services.store.sharing_out import ProcessLostError

    ids = [game_id(click.get_current_context(), click.Argument(["games"]), game) for game in games]
    with open_service(data) as book, refusing(UnknownGameError, ProcessLostError), bar_of("auditing") as on:
        found = audits.audit_all(book, ids or None, on, workers)
    if as_json:
        print_json(
            {
                "audited": found.audited,
                "clean": found.clean,
                "groups": [
                    {
                        "ruleset": group.ruleset,
                        "rule": group.rule,
                        "games": group.games,
                        "steps": [
                            {
                                "game": place.game,
                                "step": place.finding.step,
                                "kind": place.finding.kind,
                                "message": place.finding.says,
                            }
                            for place in group.places
                        ],
                    }
                    for group in found.groups
                ],
                "unread": {str(game): says for game, says in found.unread.items()},
            }
        )
    else:
        for group in found.groups:
            where = f"{counted(len(group.places), 'step')} of {counted(group.games, 'game')}"
            print_lines(f"{group.ruleset} {group.rule or 'no rule'}: {where}")
            for place in group.places:
                print_lines(f"  game {place.game}: step {place.finding.step}: {place.finding.says}")
        for place in found.firsts:
            print_lines(f"game {place.game}: the first step that disagrees is {place.finding.step}")
        for game, says in found.unread.items():
            print_lines(f"game {game} cannot be read: {says}")
        print_lines(
            f"{counted(found.audited, 'game')} audited, {counted(found.clean, 'agrees', 'agree')} with today's rules"
            + (f"; {len(found.unread)} cannot be read" if found.unread else "")
        )
    sys.exit(FOUND if found.firsts or found.unread else 0)


@main.command()
@click.argument("destination", metavar="DEST", type=click.Path(path_type=Path))
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="Keep N backups in the folder of DEST and remove older ones, unless this one holds less or is damaged.",
)
@data_option
@json_option
def backup(destination: Path, keep: int | None, data: Path | None, as_json: bool) -> None:
    """Back up the data folder to a new folder DEST, while people record.

    DEST appears when it is complete and verified. Exit code 1 if the log itself has damaged games, or if a backup next
    to DEST holds more: then keep the earlier backups.
    """
    from daybook.services.atomic_files import OccupiedError
    from daybook.services.operation import backups
    from daybook.services.store.history import LostDataError
    from daybook.services.store.log import NoLogError

    with (
        refusing(backups.UsesPostgresError, backups.BadBackupError, NoLogError, LostDataError, OccupiedError),
        bar_of("verifying") as on,
    ):
        taken = backups.take_backup(settings_of(data=data), destination, on)
    _show_backup(taken, as_json)
    reasons = backups.why_not_to_rely_on(destination, taken)
    for reason in reasons:
        print_lines(f"keep the earlier backups: {reason}", err=True)
    for removed in backups.remove_older(destination, taken, keep) if keep else ():
        print_lines(f"removed {removed}", err=as_json)
    sys.exit(FOUND if reasons else 0)


@main.command()
@click.argument("source", metavar="SOURCE", type=click.Path(path_type=Path))
@click.option(
    "--code", metavar="CODE", help="The check code of the backup, or its beginning. Another backup is refused."
)
@click.option("--damaged", is_flag=True, help="Accept a backup of damaged games.")
@data_option
@json_option
def restore(source: Path, code: str | None, damaged: bool, data: Path | None, as_json: bool) -> None:
    """Restore the backup in the folder SOURCE to a data folder that is empty or does not exist yet.

    The data folder appears when the copy is complete and verified. The first start rebuilds the read models.
    """
    from daybook.services.atomic_files import OccupiedError
    from daybook.services.operation import backups

    settings = settings_of(data=data)
    with refusing(backups.UsesPostgresError, backups.BadBackupError, OccupiedError), bar_of("verifying") as on:
        restored = backups.restore_backup(source, settings, code and "".join(code.split()).lower(), damaged, on)
    _show_backup(restored, as_json)


@main.command("automatic-backup")
@click.option("--if-due", is_flag=True, help="Only if the newest one is older than a day.")
@data_option
def automatic_backup(if_due: bool, data: Path | None) -> None:
    """Create an automatic backup now, as `daybook serve` does once a day.

    It goes to `backups` in the data folder, or to DAYBOOK_BACKUP_FOLDER. DAYBOOK_BACKUP_COMMAND copies it onward.
    Exit code 1 if that command fails.
    """
    from daybook.services.operation import automatic_backups, backup_state, backups
    from daybook.services.store.history import LostDataError
    from daybook.services.store.log import NoLogError
    from daybook.workers.children import yield_processor

    if if_due:
        yield_processor()
    settings = settings_of(data=data)
    with refusing(
        backups.UsesPostgresError,
        backups.BadBackupError,
        automatic_backups.NoSpaceError,
        automatic_backups.BackupFolderError,
        NoLogError,
        LostDataError,
    ):
        created = automatic_backups.take_automatic_backup(settings, if_due)
    if created is None:
        print_lines("no backup is due")
        return
    print_lines(f"created {created}")
    if error := backup_state.read_state(settings).copy_error:
        print_lines(f"it was not copied onward: {error}", err=True)
        sys.exit(FOUND)


@main.command()
@data_option
@json_option
def backups(data: Path | None, as_json: bool) -> None:
    """List the automatic backups, the newest first. `daybook restore` takes the folder of each."""
    from daybook.services.operation import backup_state

    settings = settings_of(data=data)
    if not backup_state.is_automatic(settings):
        raise CommandError("there are no automatic backups: the data is in PostgreSQL, or they are switched off")
    with refusing(FileNotFoundError):
        found = backup_state.summarise(settings)
    if as_json:
        print_json(found)
        return
    for path in backup_state.stored_backups(found.folder).values():
        print_lines(str(path))
    print_lines(f"{counted(found.count, 'backup')}, {found.bytes // 10**6:,} MB together")
    for error in filter(None, (found.state.error, found.state.copy_error)):
        print_lines(error, err=True)
    if found.shares_disk and settings.backup_command is None:
        print_lines(f"{backup_state.SAME_DISK}: {backup_state.SAME_DISK_REMEDY}", err=True)


@main.command("rehearse-restore")
@click.argument("source", metavar="[SOURCE]", type=click.Path(path_type=Path), required=False)
@click.option("--code", metavar="CODE", help="The check code that the backup must have, or its beginning.")
@data_option
def rehearse_restore(source: Path | None, code: str | None, data: Path | None) -> None:
    """Restore a backup to a temporary folder, check it there, and remove it again.

    SOURCE is the folder of a backup; the default is the newest automatic one. The data folder stays as it is. Exit code
    1 if a game cannot be read there.
    """
    from daybook.services.operation import backup_state, backups, rehearsal

    settings = settings_of(data=data)
    if source is None:
        source = next(iter(backup_state.stored_backups(backup_state.folder_of(settings)).values()), None)
        if source is None:
            raise CommandError("there is no automatic backup yet: name the folder of a backup")
    with refusing(backups.BadBackupError), bar_of("verifying") as on:
        found = rehearsal.rehearse_restore(source, settings, code, on)
    for line in found.lines():
        print_lines(line)
    sys.exit(FOUND if found.unreadable else 0)


def _show_backup(shown: Backup, as_json: bool) -> None:
    from daybook.services.operation.backup_checks import backup_lines

    if as_json:
        print_json({"made_at": shown.made_at, "found": shown.found, "files": sorted(shown.files), "code": shown.code})
        return
    for line in backup_lines(shown):
        print_lines(line)


@main.command()
@workers_option
@data_option
def rebuild(workers: int, data: Path | None) -> None:
    """Rebuild all read models from the log, while the service runs.

    Exit code 1 if something cannot be read: it is left out and listed.
    """
    from daybook.services.following.projections import AlreadyRebuildingError, rebuild_read_models
    from daybook.services.store.sharing_out import ProcessLostError

    with open_service(data) as book, refusing(ProcessLostError):
        with bar_of("rebuilding") as on:
            try:
                left_out = rebuild_read_models(book, on, workers)
            except AlreadyRebuildingError as other:
                raise CommandError("another process is rebuilding; wait for it") from other
        for game_id, why in left_out.items():
            print_lines(f"left out: {game_id}: {why}", err=True)
    if left_out:
        sys.exit(1)


@main.command()
@click.option("--thorough", is_flag=True, help="Also check every seal of every record, which takes a while.")
@data_option
@json_option
def doctor(thorough: bool, data: Path | None, as_json: bool) -> None:
    """Check the installation, and say what to do about each problem.

    Exit code 1 if something is bad.
    """
    from daybook.services.operation.doctor import run_checks

    findings = run_checks(settings_of(data=data), thorough)
    for finding in findings:
        if as_json:
            print_json(finding)
        else:
            colour = {"ok": "green", "warn": "yellow", "bad": "red"}[finding.state]
            told = on_one_line(f"{finding.about}: {finding.says}")
            click.echo(f"{click.style(f'{finding.state:4}', fg=colour)}  {told}")
            if finding.do:
                print_lines(f"      {finding.do}")
    if any(finding.state == "bad" for finding in findings):
        sys.exit(FOUND)
