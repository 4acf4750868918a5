"""Where photos lie: moved between the kept tables and a bucket, and whose the bucket is."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import click

from daybook.base import bar_of, data_option, main, open_service, refusing, tell
from daybook.services.counted import counted


@main.group()
def photos() -> None:
    """Move photos between the kept tables and the bucket of DAYBOOK_PHOTOS_URL, and look after the bucket."""


@photos.command()
@click.option("--into-tables", is_flag=True, help="From the bucket back into the kept tables.")
@data_option
def move(into_tables: bool, data: Path | None) -> None:
    """Move all photos into the bucket, while people record. If it is ended, run it again: it goes on."""
    from daybook.services.people import photo_moves
    from daybook.services.settings import BadSetting

    with open_service(data) as book, refusing(BadSetting):
        with bar_of("moving") as on:
            done = [*(photo_moves.move_into_tables if into_tables else photo_moves.move_into_bucket)(book, on)]
        _tell(done, "the kept tables" if into_tables else "the bucket")


def _tell(done: Collection[bool], to: str) -> None:
    tell(f"{counted(sum(done), 'photo')} moved into {to}")
    if left := len(done) - sum(done):
        gone = counted(left, "was removed meanwhile, or is", "were removed meanwhile, or are")
        tell(f"{gone} missing: `daybook doctor` says which")


@photos.command()
@data_option
def check(data: Path | None) -> None:
    """Check that the bucket is there, is this Daybook's, and takes, gives and removes photos."""
    from daybook.services.people import photo_moves
    from daybook.services.settings import BadSetting

    with open_service(data) as book, refusing(BadSetting):
        photo_moves.check(book)
        assert book.bucket is not None
        tell(f"{book.bucket.address} is this Daybook's, and takes, gives and removes photos")


@photos.command("take-over")
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option
def take_over(yes: bool, data: Path | None) -> None:
    """Make the bucket this Daybook's, after a backup was restored and the one before is gone for good."""
    from daybook.services.people import bucket_owner
    from daybook.services.settings import BadSetting

    with open_service(data) as book, refusing(BadSetting):
        if not yes:
            click.confirm(
                "From then on photos removed here are gone from the other Daybook too. Take over?", abort=True
            )
        bucket_owner.take_over(book)
    tell("done; `daybook doctor` says what is missing, and what no photo of this Daybook names")


@photos.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option
def tidy(yes: bool, data: Path | None) -> None:
    """Remove from the bucket what no photo of this Daybook names: it came after the backup that was restored."""
    from daybook.services.people import photo_moves
    from daybook.services.settings import BadSetting

    with open_service(data) as book, refusing(BadSetting):
        strange = photo_moves.look(book).strange
        if strange and not yes:
            click.confirm(f"Remove {counted(len(strange), 'object')} for good?", abort=True)
        photo_moves.remove_strange(book, strange)
    tell(f"{counted(len(strange), 'object is', 'objects are')} removed")
