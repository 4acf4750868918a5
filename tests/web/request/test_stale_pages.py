"""A page that was open while a person signed in or out in another tab, or keys changed: it loses nothing."""

from __future__ import annotations

import io
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from daybook.domain import disputes
from daybook.services.permissions import access
from tests.contexts import new_context
from tests.web.conftest import Form, Opened, VisitedPage, Visitor
from tests.web.people.test_sign_in import PASSWORD, sign_in, signed_up

pytestmark = pytest.mark.sqlite_suffices

OURS = {"Sec-Fetch-Site": "same-origin"}
TEXT = "Ben took three cards, and\nhe may take two"


def send_from(visitor: Visitor, form: Form, headers: dict[str, str], **more: Any) -> VisitedPage:
    """Send a form as a browser does, with the headers of its page."""
    return VisitedPage(
        visitor.client.post(form.action, data=form.fields | more, headers=headers, follow_redirects=True)
    )


def note_form(game: Opened, visitor: Visitor) -> Form:
    return visitor.get(f"{game.path}/record").form("Save the note")


def joined(game: Opened, visitor: Visitor) -> Visitor:
    visitor.join(game.key("scorekeeper"))
    return visitor


@pytest.mark.parametrize("headers", [OURS, {"Origin": "http://localhost"}], ids=["fetch-metadata", "origin"])
def test_what_was_written_before_signing_in_is_saved(friday, headers):
    keeper = friday.visitor()
    form = note_form(friday, keeper)
    anna = keeper.press(
        "/sign-up", "Create the account", name="Anna", sign_in="anna", password=PASSWORD, again=PASSWORD
    )
    assert anna.status == 200
    assert send_from(keeper, form, headers, text=TEXT).status == 200
    assert friday.game.entries[-1].event.text.split() == TEXT.split()
    assert "@" in friday.game.writers[-1], "by who is signed in now"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "null"},
        {"Origin": "http://localhost:8001"},
        {"Origin": "https://localhost"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    ],
)
def test_foreign_form_saves_and_shows_nothing(friday, headers):
    keeper, step = friday.visitor(), friday.step
    for word in ("wrong", "", "."):
        page = send_from(keeper, note_form(friday, keeper), headers, text=TEXT, csrf=word)
        assert (page.status, friday.step) == (403, step)
        assert "This form has expired" in page.text and "three cards" not in page.html


def test_draft_of_one_user_is_not_saved_as_anothers_unconfirmed(friday):
    anna = joined(friday, signed_up(friday.app))
    form, step = note_form(friday, anna), friday.step
    anna.press("/me", "Sign out")
    signed_up(friday.app, "Ben", "ben")
    sign_in(anna, "ben")
    page = send_from(anna, form, OURS, text=TEXT)
    assert (page.status, friday.step) == (403, step)
    assert "Someone signed in or out here in the meantime" in page.text and "Ben" in page.text
    again = page.form("Send it again")
    assert again.fields["text"].split() == TEXT.split()
    assert anna.send(again).status == 200
    assert anna.send(again).status == 200, "a second tap"
    assert friday.step == step + 1


def test_claim_with_photo_keeps_its_text_after_sign_out(friday):
    friday.decide(0, type="develop", card="R2")
    anna = joined(friday, signed_up(friday.app))
    form = anna.get(f"{friday.path}/claims/new", step=8).form_to("/claims/new")
    anna.press("/me", "Sign out")
    page = VisitedPage(
        anna.client.post(
            form.action,
            headers=OURS,
            content_type="multipart/form-data",
            data={**form.fields, "statement": TEXT, "photo": (io.BytesIO(b"a picture"), "table.png")},
        )
    )
    assert page.status == 403
    again = page.form("Send it again")
    assert again.fields["statement"].split() == TEXT.split()
    assert 'type="file"' in page.html and 'name="photo"' in page.html
    assert anna.send(again).status == 200
    assert [value.raised.statement.split() for value in disputes.claims(friday.game).values()] == [TEXT.split()]


def test_after_a_secret_change_a_new_link_resends_the_text(friday):
    keeper = friday.visitor()
    form, step = note_form(friday, keeper), friday.step
    keeper.client.application.secret_key = b"another"
    friday.app.session_interface = type(friday.app.session_interface)(friday.app)
    page = send_from(keeper, form, OURS, text=TEXT)
    assert (page.status, friday.step) == (403, step)
    again = page.form("Send it again")
    keeper.join(friday.key("scorekeeper"))
    assert send_from(keeper, again, OURS).status == 200
    assert friday.step == step + 1


def test_a_link_that_was_replaced_keeps_the_text_as_well(friday):
    keeper = friday.visitor()
    form, step = note_form(friday, keeper), friday.step
    for grant in access.grants_of_game(friday.book, friday.id):
        access.revoke(friday.book, grant.id)
    page = keeper.send(form, text=TEXT)
    assert (page.status, friday.step) == (403, step)
    access.make_grant(friday.book, friday.id, "scorekeeper")
    keeper.join(friday.key("scorekeeper"))
    assert send_from(keeper, page.form("Send it again"), OURS).status == 200
    assert friday.step == step + 1


def test_dead_key_and_password_are_not_offered_again(friday):
    visitor = Visitor(friday.app)
    page = visitor.post("/join", key="made up")
    assert page.status == 403 and "Send it again" not in page.text
    page = visitor.post("/me/password", old=PASSWORD, password=PASSWORD, again=PASSWORD, sign_in="anna")
    assert page.status == 401 and "Send it again" not in page.text and PASSWORD not in page.html


def test_user_signed_out_elsewhere_signs_in_from_an_old_page(friday):
    anna = signed_up(friday.app)
    form = anna.get("/sign-in").form_to("/sign-in")
    anna.press("/me", "Sign out")
    assert send_from(anna, form, OURS, sign_in="anna", password=PASSWORD).status == 200


# --- in a browser ----------------------------------------------------------------------------------------------------


def create_account(page: Page, site: str) -> None:
    page.goto(f"{site}/sign-up")
    for label, text in (("name", "Anna"), ("sign_in", "anna"), ("password", PASSWORD), ("again", PASSWORD)):
        page.locator(f"[name={label}]").fill(text)
    page.get_by_role("button", name="Create the account").click()
    page.wait_for_url("**/me")


def test_tap_and_claim_draft_survive_sign_in_in_another_tab(browser, site, friday):
    context = new_context(browser)
    desk, claim, other = context.new_page(), context.new_page(), context.new_page()
    friday.enter(desk, site)
    claim.goto(f"{site}{friday.path}/claims/new?step=7")
    claim.locator("[name=statement]").fill(TEXT)
    create_account(other, site)
    step = friday.step

    desk.get_by_role("button", name="Run the factory").click()
    desk.locator(f'#desk[data-at="{step + 1}"]').wait_for()
    assert "@" in friday.game.writers[-1]

    other.get_by_role("button", name="Sign out", exact=True).click()
    expect(other.get_by_text("You are signed out on this device.")).to_be_visible()
    desk.locator(".choices .pick").first.click()
    expect(desk.locator("[data-held]")).to_contain_text("Someone signed in or out here in the meantime")
    assert friday.step == step + 1
    desk.get_by_role("button", name="Send it again").click()
    desk.locator(f'#desk[data-at="{step + 2}"]').wait_for()
    expect(desk.locator("[data-held]")).to_be_hidden()
    assert "@" not in friday.game.writers[-1]

    claim.get_by_role("button", name="Raise the claim").click()
    expect(claim.get_by_text("he may take two").first).to_be_visible()
    assert [value.raised.statement.split() for value in disputes.claims(friday.game).values()] == [TEXT.split()]
    context.close()
