"""Fixtures of the tests of the command line."""

from __future__ import annotations

import pytest

from tests.servers import free_port


@pytest.fixture(autouse=True)
def port_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Daybook that is served on this machine meanwhile, as by `make run`, has the usual one."""
    monkeypatch.setenv("DAYBOOK_PORT", str(free_port()))
