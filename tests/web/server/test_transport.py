"""Bytes on the wire: text is compressed where that reveals nothing, and files are fetched once."""

from __future__ import annotations

import gzip
import re

import pytest

from daybook.web.server.assets import FOLDER, version_of
from tests.browsing import open_replay, wait_for_step
from tests.contexts import new_context

OWN = {"Accept-Encoding": "gzip", "Sec-Fetch-Site": "same-origin"}


# --- files ----------------------------------------------------------------------------------------------------------


def test_every_file_has_a_hashed_address_cached_for_a_year(app):
    client = app.test_client()
    named = set(re.findall(r'"(/static/[^"]+)"', client.get("/help").text))
    assert len(named) >= 3
    for address in named:
        answer = client.get(address, headers=OWN)
        assert answer.status_code == 200
        kept = answer.cache_control
        assert (kept.public, kept.immutable, kept.max_age) == (True, True, 31536000)
        plain = (FOLDER / address.rpartition("/")[2]).read_bytes()
        packed = answer.headers.get("Content-Encoding") == "gzip"
        assert packed != address.endswith((".png", ".woff2")), "what is compressed in itself is sent as it is"
        assert (gzip.decompress(answer.data) if packed else answer.data) == plain
        assert client.get(address).data == plain
        assert client.get(address, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_modules_find_one_another_under_the_same_hash(app):
    client = app.test_client()
    [page] = re.findall(r'"(/static/[^"]+/)page.js"', client.get("/help").text)
    for script in FOLDER.glob("*.js"):
        for other in re.findall(r'from "(\./[^"]+)"', script.read_text()):
            assert client.get(page + other.removeprefix("./")).status_code == 200


def test_a_hash_of_another_version_is_answered_and_not_kept(app):
    client = app.test_client()
    for address in ("/static/0123456789abcdef/daybook.css", "/static/daybook.css"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("name", ["no.css", "../app.py", "0123456789abcdef/../../app.py", "%2e%2e/app.py", ""])
def test_what_is_no_file_of_ours_is_not_there(app, name):
    assert app.test_client().get(f"/static/{name}").status_code == 404


def test_the_hash_changes_with_a_file_and_with_its_name(tmp_path):
    (tmp_path / "a.css").write_text("one")
    first = version_of(*tmp_path.iterdir())
    assert version_of(*tmp_path.iterdir()) == first
    (tmp_path / "a.css").write_text("two")
    second = version_of(*tmp_path.iterdir())
    (tmp_path / "a.css").rename(tmp_path / "b.css")
    assert len({first, second, version_of(*tmp_path.iterdir())}) == 3


def test_a_replay_fetches_each_file_once(open_game, site, browser, caplog):
    public = open_game(public=True)
    public.deal()
    context = new_context(browser, locale="en-GB")
    page = context.new_page()
    with caplog.at_level("INFO", logger="daybook.access"):
        open_replay(page, f"{site}{public.path}")
        for step in range(public.step - 1, public.step - 5, -1):
            page.keyboard.press("ArrowLeft")
            wait_for_step(page, step)
        page.goto(f"{site}/help")
        page.goto(f"{site}{public.path}")
    context.close()
    files = re.findall(r'"GET (/static/\S+)" 200', "\n".join(caplog.messages))
    assert len(files) >= 5
    assert len(files) == len(set(files))


# --- compression ----------------------------------------------------------------------------------------------------


def test_what_our_own_pages_ask_for_is_made_smaller(app):
    client = app.test_client()
    plain = client.get("/help")
    assert "Content-Encoding" not in plain.headers
    small = client.get("/help", headers=OWN)
    assert small.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in small.headers["Vary"]
    assert len(small.data) < len(plain.data) / 2
    assert int(small.headers["Content-Length"]) == len(small.data)


@pytest.mark.parametrize("site", ["cross-site", "same-site", None])
def test_length_leaks_nothing_of_what_other_sites_request(app, site):
    """A length that depends on the page's content beside a requester's text reveals it letter by letter."""
    headers = {"Accept-Encoding": "gzip"} | ({"Sec-Fetch-Site": site} if site else {})
    assert "Content-Encoding" not in app.test_client().get("/join?next=guess", headers=headers).headers


def test_programs_get_small_answers(friday, app):
    answer = app.test_client().get("/api/v1/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    key = friday.key("scorekeeper")
    headers = {"Accept-Encoding": "gzip", "Authorization": f"Bearer {key}"}
    assert app.test_client().get(friday.path, headers=headers).headers["Content-Encoding"] == "gzip"


def test_streams_and_short_answers_go_out_as_they_are(open_game, app):
    public = open_game(public=True)
    client = app.test_client()
    assert "Content-Encoding" not in client.get(f"{public.path}/newest.json", headers=OWN).headers
    assert "Content-Encoding" not in client.head(f"{public.path}/events", headers=OWN).headers
