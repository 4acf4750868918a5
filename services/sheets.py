"""Component sheets: the one a game comes with, and corrected ones that groups have published.

A published sheet is kept whole under the hash of its values and never changes: a later correction of the sheet
that Daybook comes with does not reach into it. Publishing the same numbers again is the same sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import sqlalchemy as sa

from domain.sheet import BadSheet, Number, Sheet, overridden
from services.clock import now
from services.printed import printed

NAME_LIMIT = 120

metadata = sa.MetaData()

kept_sheet = sa.Table(
    "kept_sheet", metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("overrides", sa.Text, nullable=False),  # JSON: path -> value
    sa.Column("numbers", sa.Text, nullable=False),  # JSON: path -> number with its source
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)


class UnknownSheet(LookupError):
    """No sheet of this hash is published for the game: choose one of the list, or publish it."""

    def __init__(self, ruleset: str, hash: str) -> None:
        super().__init__(f"no component sheet {hash!r} of {ruleset} is published here")
        self.ruleset = ruleset
        self.hash = hash


class Published(msgspec.Struct, frozen=True):
    """A corrected sheet. overrides: what it prints differently from the sheet that Daybook came with."""

    hash: str
    ruleset: str
    name: str
    overrides: dict[str, Any]
    by: str
    at: str


class Sheets:
    """All sheets this service knows."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine

    def printed(self, ruleset: str) -> Sheet:
        """The sheet that Daybook comes with."""
        return printed(ruleset)

    def publish(self, ruleset: str, name: str, overrides: Mapping[str, Any], by: str) -> str:
        """Keep a corrected sheet; its hash. Raises BadSheet."""
        name = " ".join(name.split())
        if not name or len(name) > NAME_LIMIT or not name.isprintable():
            raise BadSheet(f"a sheet has a name of 1 to {NAME_LIMIT} characters, such as the printing of the box")
        sheet = overridden(printed(ruleset), overrides, name)
        hash = sheet.digest()
        if hash == printed(ruleset).digest():
            raise BadSheet("every number is as on the sheet that Daybook comes with")
        differing = {path: number.value for path, number in sheet.numbers.items()
                     if number.value != printed(ruleset)[path]}
        row = {
            "hash": hash, "ruleset": ruleset, "name": name, "overrides": _json(differing),
            "numbers": _json(sheet.numbers), "by": by, "at": now(),
        }
        try:
            with self.engine.begin() as c:
                c.execute(kept_sheet.insert().values(row))
        except sa.exc.IntegrityError:
            self.get(ruleset, hash)  # published before, under the name it was given then
        return hash

    def get(self, ruleset: str, hash: str) -> Sheet:
        """The sheet of a hash, the printed one's included. Raises UnknownSheet."""
        if hash == printed(ruleset).digest():
            return printed(ruleset)
        query = sa.select(kept_sheet.c.numbers).where(kept_sheet.c.hash == hash, kept_sheet.c.ruleset == ruleset)
        with self.engine.connect() as c:
            numbers = c.scalar(query)
        if numbers is None:
            raise UnknownSheet(ruleset, hash)
        return Sheet(ruleset, msgspec.json.decode(numbers, type=dict[str, Number]))

    def list(self, ruleset: str) -> list[Published]:
        """The published sheets of a game, the oldest first."""
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset)
        with self.engine.connect() as c:
            rows = c.execute(query.order_by(kept_sheet.c.at, kept_sheet.c.hash)).all()
        return [
            Published(row.hash, row.ruleset, row.name, msgspec.json.decode(row.overrides), row.by, row.at)
            for row in rows
        ]


def _json(value: Any) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()
