"""Jobs of games and clubs that were erased while they waited: they end without doing anything."""

from __future__ import annotations

import pytest

from daybook.services.operation import erasing
from daybook.workers import jobs
from tests.played import open_table_of
from tests.services.leagues import found_mill

pytestmark = pytest.mark.sqlite_suffices


@pytest.mark.parametrize(
    "work", [jobs.score, jobs.audit, jobs.count, jobs.rate, jobs.review, jobs.practise, jobs.analyse]
)
def test_job_of_erased_record_ends_without_error(queue, book, settings, work):
    id = found_mill(book) if work in (jobs.rate, jobs.review) else open_table_of(book)
    erasing.erase_record(book, id, "spam")
    more = {jobs.score: (1,), jobs.practise: (1,), jobs.analyse: ("position", 1)}.get(work, ())
    jobs.use(settings)
    try:
        work(str(id), *more)
    finally:
        jobs.close()
