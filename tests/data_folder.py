"""Data folders of each version of the kept tables, for later versions to open.

`python -m tests.data_folder VERSION` keeps one in `fixtures/data_folders/VERSION`: a little of everything that cannot be
rebuilt, as SQL for SQLite and PostgreSQL, with the secret, the key of receipts, and `known.json` (passwords, links and
ids of its users). It is made once, by the code of that version. `fill_new_folder` makes one with the code of today.
"""

from __future__ import annotations

import io
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest
from PIL import Image

from daybook.services.analysis.kept_chances import archive_chances
from daybook.services.disputes import claims, forks, umpires
from daybook.services.files import receipts
from daybook.services.league import anonymity, calendars, clubs, joining, members, portraits, told_apart
from daybook.services.league.clubs import OPERATOR
from daybook.services.operation import withheld
from daybook.services.people import accounts, invitations, operators
from daybook.services.people.seated import id_within
from daybook.services.permissions import access, club_roles
from daybook.services.permissions.access import Grant
from daybook.services.settings import Settings
from daybook.services.store import secret
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.held_leases import HeldLease, store_lease
from daybook.services.store.kept import Person
from daybook.services.store.sqlite import sqlite
from tests import servers
from tests.played import play
from tests.services.clubbing import open_club_game

FOLDERS = Path(__file__).parent.parent / "fixtures" / "data_folders"
KINDS = ("sqlite", "postgresql")
STORES = ("log", "kept")
PASSWORD = "seven looms at dawn"
STEPS = 6


class Known(msgspec.Struct, frozen=True):
    """The knowledge of a folder's users: ids, keys and addresses."""

    anna: str
    ben: str
    anonymous: str
    password: str  # of the sign-in "anna"
    session: str
    api_key: str
    calendar: str
    grant: str  # the key of a scorekeeper's link
    invitation: str
    club: UUID
    game: UUID
    seal: str
    claim: int
    fork: str
    sheet: str
    receipt: str


# --- making one ------------------------------------------------------------------------------------------------------


def fill(book: Daybook) -> Known:
    """Use a new daybook as people do."""
    secret.checked_secret(book)
    anna, ben, mina = (
        accounts.make_account(book, name, sign_in=name.lower(), password=PASSWORD) for name in ("Anna", "Ben", "Mina")
    )
    anonymity.make_anonymous(book, mina, by=mina)
    accounts.set_address(book, anna, "anna@example.org", by=anna)
    portraits.store_portrait(book, anna, _photo("teal"), by=anna)
    with pytest.raises(accounts.WrongCredentialsError):
        accounts.sign_in(book, "anna", "six looms at noon", origin="192.0.2.1", device="Firefox")
    club = clubs.found_club(book, "Mill Club", anna, by=anna, key=uuid4().hex).record
    joining.accept_invitation(book, members.invite(book, club, by=anna), ben)
    game = open_club_game(book, club, [anna, ben], by=anna, hands="open")
    play(book, game, STEPS, seed=7)
    claim = claims.raise_claim(
        book, game, 2, "the coin lay there", images=[_photo("maroon")], by="scorekeeper", key=uuid4().hex
    )
    umpires.set_appeal_hours(book, game, 24)
    fork = forks.create_fork(book, game, 3, owner=club_roles.role_grant_id(ben), title="and then")
    fork = forks.add_practice_moves(book, fork.id, fork.owner, 2, seed=1)
    archive_chances(book, book.games.get(game))
    store_lease(book, HeldLease(game, 3, "its key", anna, "2026-11-20T19:40:00.000Z"), "Anna")
    book.kept.keep(UUID(int=7), "From a file", False, [Person(id_within(UUID(int=7), 0), "Nemo")])
    book.kept.note_imported(UUID(int=7), [(0, 9)])
    book.kept.rename_seat(UUID(int=7), 0, "Captain")
    withheld.take_off(book, withheld.Withholdable("game", str(UUID(int=7))), "an offending title", by=OPERATOR)
    operators.name_operator(book, anna, by=OPERATOR)
    told_apart.say_apart(book, (game, UUID(int=7)), "a rematch", Grant("", game, "scorekeeper", person=anna))
    return Known(
        anna,
        ben,
        mina,
        PASSWORD,
        accounts.begin_session(book, anna, "Firefox"),
        accounts.make_key(book, anna, "script"),
        calendars.make_key(book, anna, by=anna),
        access.key_of(book, access.make_grant(book, game, "scorekeeper")),
        invitations.key_of(book, members.invite(book, club, by=anna)),
        club,
        game,
        book.games.get(game).seal,
        claim.step,
        fork.id,
        book.sheets.publish("making_profit", "our box", {"start.money": 3}, "Anna"),
        receipts.encode_receipt(receipts.issue_receipt(book, game)).decode(),
    )


def _photo(colour: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(out, "JPEG")
    return out.getvalue()


def make(settings: Settings, to: Path) -> None:
    """Fill a new daybook and keep it as SQL."""
    known = fill_new_folder(settings)
    to.mkdir(parents=True)
    (to / "known.json").write_bytes(msgspec.json.format(msgspec.json.encode(known), indent=1) + b"\n")
    for path in (settings.secret_path, settings.receipt_key_path):
        shutil.copyfile(path, to / path.name)
    if settings.database_url is not None:
        dump = subprocess.run(
            [
                servers.postgres_programs() / "pg_dump",
                "--no-owner",
                "--inserts",
                f"--dbname={settings.database_url}",
                *(f"--schema=daybook_{name}" for name in STORES),
            ],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        lines = [line for line in dump.splitlines() if line and not line.startswith(("--", "\\", "SET "))]
        (to / "dump.sql").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    for name in STORES:
        with closing(sqlite3.connect(settings.data / f"{name}.db")) as connection:  # the other one writes no dumps
            layout = connection.execute("PRAGMA user_version").fetchone()[0]
            lines = [*connection.iterdump(), f"PRAGMA user_version = {layout};"]
        (to / f"{name}.sql").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(version: str) -> None:
    to = FOLDERS / str(int(version))
    with tempfile.TemporaryDirectory() as folder:
        make(Settings(data=Path(folder) / "data"), to / "sqlite")
        with servers.postgres() as url:
            with psycopg.connect(url, autocommit=True) as server:
                server.execute("CREATE DATABASE daybook")
            own = urlsplit(url)._replace(path="/daybook").geturl()
            make(Settings(data=Path(folder) / "beside", database_url=own), to / "postgresql")


# --- opening one -----------------------------------------------------------------------------------------------------


def versions() -> list[int]:
    return sorted(int(path.name) for path in FOLDERS.iterdir())


def fill_new_folder(settings: Settings) -> Known:
    """Fill a new data folder at these settings with the code of today."""
    with closing(open_daybook(settings, create=True)) as book:
        return fill(book)


def lay_folder(version: int, settings: Settings) -> Known:
    """Copy a kept folder to these settings, on either database."""
    folder = FOLDERS / str(version) / KINDS[settings.database_url is not None]
    settings.folder()
    for name in ("secret", "receipt-key.pem"):
        shutil.copyfile(folder / name, settings.data / name)
        (settings.data / name).chmod(0o600)
    if settings.database_url is not None:
        with psycopg.connect(settings.database_url, autocommit=True) as connection:
            connection.execute((folder / "dump.sql").read_bytes())
    else:
        for name in STORES:
            with closing(sqlite.connect(settings.data / f"{name}.db")) as connection:
                connection.executescript((folder / f"{name}.sql").read_text(encoding="utf-8"))
    return msgspec.json.decode((folder / "known.json").read_bytes(), type=Known)


if __name__ == "__main__":
    main(*sys.argv[1:])
