"""The short form of `python -m tests.bench.drill upgrade`: an upgrade while people record."""

from __future__ import annotations

from urllib.parse import urlsplit

import psycopg
import pytest

from tests import servers
from tests.bench.drill.upgrade import TODAY, Version, drill, tomorrow

pytestmark = [pytest.mark.server, pytest.mark.drill]


def test_nothing_fails_while_parts_are_replaced_one_by_one(tmp_path, queue_url):
    with servers.postgres({"fsync": "on", "full_page_writes": "on"}) as url:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute("CREATE DATABASE daybook")
        own = urlsplit(url)._replace(path="/daybook").geturl()
        told = drill(Version(TODAY), tomorrow(), tmp_path, own, queue_url, writers=1, full=False)
    assert told.writers.lost == []
    assert [page for page in told.writers.pages if page[0].isdigit()] == [], "no page failed"
    assert told.form == 200, "what was sent from a page of the older version is taken by the newer one"
    assert (told.found["missing"], told.found["twice"]) == (0, 0)
