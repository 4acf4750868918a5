"""Assertions on refusals and their reasons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from daybook.domain.kernel.chronicle import Refused


@contextmanager
def refused_for(reason: str, kind: type[Exception] = Refused) -> Iterator[None]:
    """Assert that the block is refused for the reason of this key."""
    with pytest.raises(kind) as refused:
        yield
    assert refused.value.reason.key == reason  # type: ignore[attr-defined]
