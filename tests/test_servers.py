from __future__ import annotations

import psycopg
import pytest

from tests import servers

pytestmark = pytest.mark.slow


def test_each_test_has_settings_on_a_fresh_place_of_its_own(settings):
    assert not settings.data.exists()
    if settings.database_url:
        with psycopg.connect(settings.database_url) as database:
            tables = database.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
        assert tables == (0,)


def test_a_page_is_looked_at_in_a_real_browser(page):
    page.set_content("<title>Daybook</title><p>written down once</p>")
    assert page.title() == "Daybook"
    assert page.inner_text("p") == "written down once"


def test_a_browser_that_is_not_there_is_not_found(monkeypatch):
    monkeypatch.setattr(servers, "CHROMIUM", ("CHROMIUM", "no-such-browser"))
    monkeypatch.delenv("CHROMIUM", raising=False)
    assert servers.chromium() is None
