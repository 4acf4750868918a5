"""A record that the disk changed: it is shown, and takes no more entries by any way until it is restored."""

from __future__ import annotations

import pytest

from daybook.services.clock import now
from daybook.services.files import leases
from daybook.services.operation import scrub
from daybook.services.people import accounts
from daybook.services.permissions import access
from daybook.services.store.damage import damaged_step
from daybook.services.store.daybook import Daybook
from tests.played import key
from tests.services.operation.test_scrub import CHANGES, damage, mark_damaged
from tests.web.conftest import Opened
from tests.web.leagues import ClubAtHand

V1 = "/api/v1"
pytestmark = pytest.mark.sqlite_suffices  # tests/services/operation/test_scrub.py writes to both databases


@pytest.fixture
def damaged(book: Daybook, friday: Opened) -> Opened:
    """Return a game whose fourth entry is stored altered, as the background check has found."""
    friday.play(6)
    damage(book.settings, friday.id, CHANGES["topic"])
    scrub.note_check(book, friday.id)
    assert damaged_step(book, friday.id) == 3
    return friday


def test_damaged_game_refuses_a_tap_and_shows_why(damaged, book):
    browser, step = damaged.visitor(), damaged.step
    page = browser.get(f"{damaged.path}/record")
    assert "This record is damaged" in page.text and "Nothing more can be saved here" in page.text
    forms = [form for form in page.forms if form.action.endswith("/record") and form.method == "post"]
    answer = browser.send(forms[0])
    assert answer.status == 422 and "step 3 of the stored record is damaged" in answer.text
    assert damaged.step == step


@pytest.mark.parametrize("part", ["note", "close", "abandon", "claims", "undo", "count", "lease"])
def test_damaged_game_refuses_other_entries(damaged, part):
    browser, step = damaged.visitor(), damaged.step
    fields = {
        "at": str(step),
        "about_step": "0",
        "text": "x",
        "why": "late",
        "key": key(),
        "seat": "0",
        "to_step": str(step - 1),
    }
    answer = browser.post(f"{damaged.path}/{part}", **fields)
    assert answer.status < 500
    assert damaged.step == step


def test_damaged_game_is_named_by_api_and_refuses(damaged, app):
    client, headers = app.test_client(), {"Authorization": f"Bearer {damaged.key('scorekeeper')}"}
    assert client.get(f"{V1}{damaged.path}", headers=headers).json["damaged_at"] == 3
    body = {"about_step": 0, "text": "still there"}
    answer = client.post(f"{V1}{damaged.path}/notes", json=body, headers=headers | {"Idempotency-Key": key()})
    error = answer.json["error"]
    assert (answer.status_code, error["code"]) == (409, "damaged")
    assert "step 3" in error["reason"] and "daybook doctor" in error["next"]


def test_whole_game_is_not_called_damaged_by_api(friday, app):
    answer = app.test_client().get(
        f"{V1}{friday.path}", headers={"Authorization": f"Bearer {friday.key('scorekeeper')}"}
    )
    assert answer.json["damaged_at"] is None


def test_device_that_hands_back_to_a_damaged_game_is_told(friday, book):
    lease = leases.take_lease(book, friday.id, "phone", by="scorekeeper", key=key())
    held = leases.lease_of_key(book, leases.hand_back_key(book, lease, ""))
    address = f"{friday.path}/lease/return"
    mark_damaged(book, friday.id)
    browser = friday.visitor()
    link = leases.hand_back_key(book, held, friday_grant(friday))
    answer = browser.client.post(address, headers={"Authorization": f"Bearer {link}"}, data={"clock": now()})
    assert answer.status_code == 422 and "is damaged" in answer.json["wrong"]


def friday_grant(friday: Opened) -> str:
    return next(grant.id for grant in access.grants_of_game(friday.book, friday.id) if grant.role == "scorekeeper")


def test_damaged_club_refuses_entries_on_pages_and_api(book, app):
    club = ClubAtHand(book, app)
    mark_damaged(book, club.id)
    olga, step = club.signed_in(), club.club.step
    assert "This record is damaged" in olga.get(club.path).text
    answer = olga.post(f"{club.path}/people/add", name="Zoe", key=key())
    assert answer.status < 500 and "is damaged" in answer.text
    headers = {"Authorization": f"Bearer {accounts.make_key(book, club.olga, 'script')}", "Idempotency-Key": key()}
    client = app.test_client()
    assert client.get(f"{V1}{club.path}", headers=headers).json["damaged_at"] == 0
    body = {"when": "2027-01-04T19:00:00.000Z", "place": "The Mill"}
    answer = client.post(f"{V1}{club.path}/evenings", json=body, headers=headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "damaged")
    assert book.clubs.get(club.id).step == step
