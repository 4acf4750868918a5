"""A daybook that tests of a module begin with: filled once on each database, and copied for every test."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
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
    """fill: fills the empty daybook of some settings, and says what tests are told of it."""
    with ExitStack() as held:
        yield Filled(fill, held)


@dataclass
class Filled(Generic[T]):
    fill: Callable[[Settings], T]
    held: ExitStack
    folder: tuple[Path, T] | None = None
    database: tuple[str, T] | None = None

    def told(self, settings: Settings) -> T:
        """What is told of the copy that a test has."""
        filled = self.folder if settings.database_url is None else self.database
        assert filled is not None
        return filled[1]

    @contextmanager
    def copied(self, settings: Settings, request: pytest.FixtureRequest) -> Iterator[Settings]:
        """The settings of a test, on a copy."""
        if settings.database_url is None:
            self.folder = self.folder or self._fill_folder(settings, request)
            copytree(self.folder[0], settings.data, dirs_exist_ok=True)
            yield settings
        else:
            self.database = self.database or self._fill_database(settings, request)
            with _copy_of(self.database[0], f"test_{secrets.token_hex(6)}", request) as url:
                yield replace(settings, database_url=url)

    def _fill_folder(self, settings: Settings, request: pytest.FixtureRequest) -> tuple[Path, T]:
        data = Path(copytree(request.getfixturevalue("empty_data"), _folder(request)))
        return data, self.fill(replace(settings, data=data))

    def _fill_database(self, settings: Settings, request: pytest.FixtureRequest) -> tuple[str, T]:
        name = f"filled_{secrets.token_hex(6)}"
        url = self.held.enter_context(_copy_of(request.getfixturevalue("empty_database"), name, request))
        return name, self.fill(replace(settings, data=_folder(request), database_url=url))


def _folder(request: pytest.FixtureRequest) -> Path:
    return Path(request.getfixturevalue("tmp_path_factory").mktemp("filled")) / "data"


def _copy_of(database: str, name: str, request: pytest.FixtureRequest) -> AbstractContextManager[str]:
    return database_from(request.getfixturevalue("postgres_url"), name, database)
