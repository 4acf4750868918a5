"""The folder on any web server, without a Daybook: a running game is brought as a file, recorded offline, killed, saved
as a file, and taken in by a server. test_lease.py records a whole decade in `make test`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from daybook.services.files.audit import audit
from daybook.services.files.import_export import export_game, import_file
from daybook.services.files.verify import verify_game
from daybook.services.play.practice import Dealer
from daybook.services.store.game_cache import fold_game
from tests import servers
from tests.here.phone import PHONE, is_no_wider_than_the_screen, open_application
from tests.here.test_device import STEP, killable
from tests.here.test_lease import WRITE, begin_game, deal, start_shell

pytestmark = [pytest.mark.drill, pytest.mark.server]


@contextmanager
def served_as_files(folder: Path) -> Iterator[str]:
    """The address of a folder on a server that knows nothing but files."""
    port = servers.free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        servers.wait_until(lambda: servers.listens(port), "the web server")
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait()


def test_a_game_goes_on_from_nothing_but_the_folder(chromium, built_folder, book, tmp_path):
    id = begin_game(book)
    (tmp_path / "game.daybook").write_bytes(export_game(book, id))
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "here").symlink_to(built_folder)
    profile, before = tmp_path / "profile", book.games.get(id).step
    game, dealer = fold_game(id, [*book.games.get(id).entries]), Dealer(8)
    first, second = deal(game, dealer, limit=25), deal(game, dealer, limit=5)
    with served_as_files(tmp_path / "web") as web:
        address = f"{web}here/"
        with killable(chromium, profile) as (page, kill):
            page.set_viewport_size(PHONE)
            frame = open_application(page, address)
            page.context.set_offline(True)
            frame.goto(f"{address}app/import")
            frame.set_input_files("[name=record]", tmp_path / "game.daybook")
            frame.get_by_role("button", name="Import").click()
            frame.wait_for_url(f"**/games/{id}")
            assert page.evaluate(WRITE, [str(id), first]) == ""
            kill()
    with killable(chromium, profile) as (page, _):  # the server is gone: what is here is enough
        page.set_viewport_size(PHONE)
        frame = start_shell(page, address)
        assert page.evaluate(STEP, str(id)) == before + 25, "nothing that was acknowledged is missing"
        assert page.evaluate(WRITE, [str(id), second]) == ""
        frame.goto(f"{address}app/device")
        assert is_no_wider_than_the_screen(frame)
        expect(frame.get_by_role("link", name="Save as a file")).to_be_visible()
        saved = bytes(
            frame.evaluate(
                """async () => [...new Uint8Array(await (await fetch(
              document.querySelector("a[download]").href)).arrayBuffer())]"""
            )
        )
    import_file(book, saved)
    back = book.games.get(id)
    assert back.step == before + len(first) + len(second)
    assert back.document == game.document
    assert verify_game(book, id).intact
    assert audit(back).clean
