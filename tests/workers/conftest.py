"""A service with a real queue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from rq import Queue

from daybook.services.following import projections
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.workers import jobs


@pytest.fixture
def settings(settings: Settings, queue_url: str) -> Settings:
    return replace(settings, redis_url=queue_url)


@pytest.fixture
def book(settings: Settings) -> Iterator[Daybook]:
    book = open_daybook(settings, accept_loss=True)  # a whole copy, of which nothing can be lost
    projections.prepare_read_models(book)
    yield book
    book.close()


@pytest.fixture
def queue(settings: Settings) -> Iterator[Queue]:
    queue = jobs.queue_at(settings)
    yield queue
    queue.connection.close()
