"""A daybook that tests of a module begin with: filled once on each database, and copied for every test."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copytree
from typing import Generic, TypeVar

import pytest

from daybook.services.settings import Settings
from tests.conftest import database_from

T = TypeVar("T")


@contextmanager
def filled_once(fill: Callable[[Settings], T]) -> Iterator[Filled[T]]:
    """Copy a filled data folder. fill: fills the empty daybook of some settings, and returns facts for tests."""
    with ExitStack() as held:
        yield Filled(fill, held)


@dataclass
class Filled(Generic[T]):
    fill: Callable[[Settings], T]
    held: ExitStack
    on_sqlite: Laid[T] | None = None
    on_postgres: Laid[T] | None = None

    def told(self, settings: Settings) -> T:
        """Return the facts about the copy of a test."""
        filled = self.on_sqlite if settings.database_url is None else self.on_postgres
        assert filled is not None
        return filled.told

    @contextmanager
    def copied(self, settings: Settings, request: pytest.FixtureRequest) -> Iterator[Settings]:
        """The settings of a test, on a copy."""
        folder = request.getfixturevalue("tmp_path_factory").mktemp("filled") / "data"
        if settings.database_url is None:
            if self.on_sqlite is None:
                begun = replace(settings, data=Path(copytree(request.getfixturevalue("empty_data"), folder)))
                self.on_sqlite = Laid(folder, "", self.fill(begun))
            copytree(self.on_sqlite.data, settings.data, dirs_exist_ok=True)
            yield settings
            return
        server = request.getfixturevalue("postgres_url")
        if self.on_postgres is None:
            folder.mkdir()
            name = f"filled_{secrets.token_hex(6)}"
            url = self.held.enter_context(database_from(server, name, request.getfixturevalue("empty_database")))
            self.on_postgres = Laid(folder, name, self.fill(replace(settings, data=folder, database_url=url)))
        copytree(self.on_postgres.data, settings.data, dirs_exist_ok=True)
        with database_from(server, f"test_{secrets.token_hex(6)}", self.on_postgres.database) as url:
            yield replace(settings, database_url=url)


@dataclass
class Laid(Generic[T]):
    """A filled daybook: its data folder, with its secret, and the name of its database on PostgreSQL."""

    data: Path
    database: str
    told: T
