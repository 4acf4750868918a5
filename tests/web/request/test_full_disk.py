"""Recording on a disk that is really full: the page says so and keeps what was entered."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from daybook.domain.commands import Note
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.disk import CannotWriteError
from daybook.web.app import create_app
from daybook.web.request.outage import ResendableForm, resendable_form
from tests.small_disk import close_for_writing, disk, fill
from tests.web.conftest import Opened

pytestmark = pytest.mark.slow


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Path]:
    with disk(tmp_path / "disk", "6m") as at:
        yield at


@pytest.fixture
def book(room: Path) -> Iterator[Daybook]:
    with closing(open_daybook(Settings(data=room / "data"), create=True)) as book:
        yield book


def fill_disk(game: Opened, room: Path) -> Path:
    """The disk is full, for the log as for everything else."""
    ballast = fill(room)
    with pytest.raises(CannotWriteError):
        while True:
            game.write(Note(1, "x" * 1500))
    return ballast


def test_a_form_says_that_nothing_was_written_and_is_sent_again(friday, room):
    keeper = friday.visitor()
    ballast = fill_disk(friday, room)
    step, page = friday.step, keeper.get(f"{friday.path}/record")
    form = next(form for form in page.forms if "text" in form.fields)
    said = keeper.send(form, text="The dog ate a card: " + "x" * 1500)
    assert (said.status, friday.step) == (507, step)
    assert "The disk is full" in said.text and "Nothing was saved" in said.text
    again = said.form("Send it again")
    assert again.fields["text"].startswith("The dog ate a card")
    assert keeper.send(again).status == 507
    ballast.unlink()
    assert keeper.send(again).status == 200
    assert keeper.send(again).status == 200  # a second tap
    assert friday.step == step + 1 and friday.game.entries[-1].event.text.startswith("The dog")


def test_pages_are_read_all_the_same(friday, room):
    keeper = friday.visitor()
    fill_disk(friday, room)
    for path in ("/", friday.path, f"{friday.path}/record", f"{friday.path}/replay.json"):
        assert keeper.get(path).status == 200, path


def test_a_password_is_not_put_into_a_page(app):
    with app.test_request_context("/sign-in", method="POST", data={"name": "anna", "password": "hers"}):
        assert resendable_form() is None
    with app.test_request_context("/sign-in", method="POST", data={"name": "anna"}):
        assert resendable_form() == ResendableForm([("name", "anna")], [], [])


def test_a_program_is_told_so(app, friday, room):
    client, key = app.test_client(), friday.key("scorekeeper")
    ballast = fill_disk(friday, room)
    once, step = secrets.token_hex(8), friday.step
    headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": once}

    def send():
        return client.post(
            f"/api/v1/games/{friday.id}/notes", json={"about_step": 1, "text": "x" * 1500}, headers=headers
        )

    answer = send()
    assert answer.status_code == 507 and answer.json["error"]["code"] == "disk_full"
    ballast.unlink()
    assert send().status_code == 201 and friday.step == step + 1


@pytest.fixture
def closed(friday: Opened, tmp_path: Path) -> Iterator[Opened]:
    """The game as a crash left it, on a disk that was mounted for reading alone then."""
    with disk(tmp_path / "closed", "6m") as at:
        shutil.copytree(friday.book.settings.data, at / "data")
        close_for_writing(at)
        with closing(open_daybook(Settings(data=at / "data"))) as book:
            yield Opened(book, create_app(book), friday.id)


def test_read_only_disk_is_not_called_full(closed):
    friday, keeper, client = closed, closed.visitor(), closed.app.test_client()
    form = next(form for form in keeper.get(f"{friday.path}/record").forms if "text" in form.fields)
    step, said = friday.step, keeper.send(form, text="The dog ate a card")
    assert (said.status, friday.step) == (507, step)
    assert "The disk cannot be written" in said.text and "The disk is full" not in said.text
    headers = {"Authorization": f"Bearer {friday.key('scorekeeper')}", "Idempotency-Key": secrets.token_hex(8)}
    answer = client.post(f"/api/v1/games/{friday.id}/notes", json={"about_step": 0, "text": "A card"}, headers=headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (507, "disk_closed")
    assert keeper.get(friday.path).status == 200
    health = client.get("/api/v1/health")
    assert (health.status_code, health.json["ok"], health.json["disk"]) == (503, False, "closed")


def test_health_says_that_the_disk_is_full(app, friday, room):
    client, ballast = app.test_client(), fill_disk(friday, room)
    full = client.get("/api/v1/health")
    assert (full.status_code, full.json["ok"], full.json["disk"]) == (503, False, "full")
    ballast.unlink()
    whole = client.get("/api/v1/health")
    assert (whole.status_code, whole.json["ok"], whole.json["disk"]) == (200, True, "")


def test_on_the_page_for_recording_the_entry_waits_and_says_why(browser, site, friday, room):
    page = browser.new_page()  # one whose console may speak of what the server answers
    page.set_viewport_size({"width": 390, "height": 844})
    friday.enter(page, site)
    ballast = fill_disk(friday, room)
    step = friday.step
    page.get_by_role("button", name="Run the factory").click()
    expect(page.locator("[data-waiting]")).to_contain_text("The disk is full. Nothing was saved")
    assert friday.step == step
    ballast.unlink()
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.locator(f'#desk[data-at="{step + 1}"]').wait_for()
    page.locator("[data-waiting]").wait_for(state="hidden")
    assert friday.step == step + 1
