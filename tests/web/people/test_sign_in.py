"""Signing in, one's own page, and what other people cannot do with either."""

from __future__ import annotations

import io
import json
import re

import pytest
from flask import Flask
from PIL import Image

from daybook.services.clock import now
from daybook.services.league import portraits
from daybook.services.people import accounts
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.services.store.kept import kept_key
from daybook.web.app import create_app
from tests.web.conftest import VisitedPage, Visitor
from tests.web.test_security import NASTY, harmless

PASSWORD = "seven looms at dawn"
OTHER = "eight looms at dawn"
FORMS = {  # what each form of one's own page sends
    "/me/name": {"name": "Anna B."},
    "/me/portrait": {"do": "remove"},
    "/me/password": {"old": PASSWORD, "sign_in": "anna", "password": OTHER, "again": OTHER},
    "/me/sessions": {"session": "others"},
    "/me/keys": {"key_name": "script", "key_password": PASSWORD},
    "/me/keys/revoke": {"key": "x"},
    "/sign-out": {},
}


def signed_up(app: Flask, name: str = "Anna", sign_in: str = "anna") -> Visitor:
    """Return a visitor who is signed in to a new account."""
    somebody = Visitor(app)
    book = app.extensions["daybook"]
    somebody.sign_in(accounts.make_account(book, name, sign_in=sign_in, password=PASSWORD))
    return somebody


def sign_in(somebody: Visitor, name: str = "anna", password: str = PASSWORD, **more: str) -> VisitedPage:
    return somebody.send(somebody.get("/sign-in").form_to("/sign-in"), sign_in=name, password=password, **more)


def is_in(somebody: Visitor) -> bool:
    return any(href.endswith("/me") for _, href in somebody.get("/help").links)


def cookie_of(somebody: Visitor) -> dict[str, object]:
    """Return the content of the browser's cookie."""
    with somebody.client.session_transaction() as session:
        return dict(session)


@pytest.fixture
def anna(app: Flask) -> Visitor:
    return signed_up(app)


def test_an_account_is_made_and_the_page_says_who_is_signed_in(visitor):
    anna, form = visitor, visitor.get("/sign-up").form("Create the account")
    assert anna.send(form, name="Anna", sign_in="anna", password=PASSWORD, again=PASSWORD).status == 200
    assert anna.get("/").link("Anna").endswith("/me")
    page = anna.press("/me", "Sign out")
    assert "You are signed out on this device." in page.text
    assert page.link("Sign in")
    assert not is_in(anna)
    assert "Anna" in sign_in(anna).text
    assert is_in(anna)


def test_refused_form_names_the_fault_and_keeps_typed_values(visitor):
    form = visitor.get("/sign-up").form("Create the account")
    page = visitor.send(form, name="Anna", sign_in="an", password=PASSWORD, again=PASSWORD)
    assert page.status == 422
    assert "A sign-in name has 3 to 40 characters." in page.text
    assert page.form("Create the account").fields["name"] == "Anna"
    assert PASSWORD not in page.html
    page = visitor.send(form, name="", sign_in="anna", password=PASSWORD, again=OTHER)
    assert "Enter your name" in page.text and "The two passwords differ" in page.text
    assert not is_in(visitor)


def test_a_name_nobody_has_and_a_wrong_password_are_told_alike(anna, visitor):
    unknown, wrong = sign_in(visitor, "nobody"), sign_in(visitor, "anna", "not the password")
    assert unknown.status == wrong.status == 422
    assert unknown.text.replace("nobody", "") == wrong.text.replace("anna", "")
    assert "The sign-in name or the password is wrong." in wrong.text


def test_too_many_wrong_ones_lock_a_stranger_out_and_nobody_else(app, anna, visitor):
    for somebody in (anna, visitor):
        somebody.client.environ_base["REMOTE_ADDR"] = "192.0.2.7"
    for _ in range(5):
        assert sign_in(visitor, password="not the password").status == 422
    page = sign_in(visitor)
    assert page.status == 429
    assert re.search(r"Too many wrong tries. Try again in (5\d|60) seconds.", page.text)
    assert is_in(anna), "who is signed in stays so"
    assert sign_in(Visitor(app)).status == 200, "from elsewhere"
    assert sign_in(anna).status == 200
    anna.press("/me", "Sign out")
    assert sign_in(anna).status == 200, "in a browser that has been signed in before, from the same network"


def test_sign_in_invalidates_what_a_browser_held_before(app, anna):
    """A cookie that another person put into this browser does not become a signed-in one."""
    victim, thief = Visitor(app), Visitor(app)
    thief.get("/sign-in")
    victim.cookie = thief.cookie
    sign_in(victim)
    assert is_in(victim) and not is_in(thief)
    before, after = cookie_of(thief), cookie_of(victim)
    victim.get("/me")
    after = cookie_of(victim)
    assert after["csrf"] != before["csrf"]
    first = after["signed_in"]
    sign_in(victim)
    assert cookie_of(victim)["signed_in"] != first, "each sign-in is a session of its own"
    somebody = accounts.person_of_sign_in(app.extensions["daybook"], "anna")
    assert somebody is not None
    assert len(accounts.sessions_of(app.extensions["daybook"], somebody)) == 2, "the one before it is ended"


def test_copied_cookie_opens_nothing_after_sign_out(app, anna):
    cookie = anna.cookie
    anna.press("/me", "Sign out")
    thief = Visitor(app)
    thief.cookie = cookie
    assert not is_in(thief)


def test_sign_out_keeps_device_links_unless_told_to_forget(app, friday):
    anna = signed_up(app)
    anna.join(friday.key("scorekeeper"))
    anna.press("/me", "Sign out")
    assert anna.get(f"{friday.path}/record").status == 200
    sign_in(anna)
    form = anna.get("/me").form("Sign out here, and let this device forget")
    anna.send(form, links="forget")
    assert not is_in(anna)
    assert anna.get(f"{friday.path}/record").status == 403


@pytest.mark.parametrize("path", FORMS)
def test_no_form_is_taken_without_its_token(anna, path):
    for token in ({}, {"csrf": ""}, {"csrf": "wrong"}):
        answer = anna.client.post(path, data=FORMS[path] | token)
        assert answer.status_code == 403
        assert "This form has expired" in answer.text
    assert is_in(anna)


@pytest.mark.parametrize("path", [path for path in FORMS if path != "/sign-out"])
def test_nobody_changes_anything_without_being_signed_in(visitor, path):
    page = visitor.post(path, **FORMS[path])
    assert page.status == 401
    assert "Sign in first" in page.text


def test_who_is_not_signed_in_is_asked_to_and_led_on(anna, visitor):
    page = visitor.get("/me")
    form = page.form_to("/sign-in")
    assert form.fields["next"] == "/me"
    page = visitor.send(form, sign_in="anna", password=PASSWORD)
    assert "Where you are signed in" in page.text
    assert visitor.get("/me/file").status == 200


@pytest.mark.parametrize(
    "target",
    [
        "https://example.org/",
        "//example.org",
        "/\\example.org",
        "javascript:alert(1)",
        "/\n\\example.org",
        "/\t/example.org",
        "//[example.org",
    ],
)
def test_signing_in_leads_nowhere_else(anna, visitor, target):
    answer = visitor.client.post(
        "/sign-in", data={"csrf": visitor.token(), "sign_in": "anna", "password": PASSWORD, "next": target}
    )
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_cookie_is_secure_where_the_address_is_https(tmp_path):
    book = open_daybook(Settings(data=tmp_path / "secure", base_url="https://daybook.example.org"), create=True)
    somebody = Visitor(create_app(book))
    cookie = somebody.client.get("/sign-in").headers["Set-Cookie"]
    assert all(flag in cookie for flag in ("Secure", "HttpOnly", "SameSite=Lax"))
    book.close()


def test_pages_about_a_person_are_kept_in_no_cache(anna):
    for path in ("/sign-in", "/sign-up", "/me", "/me/file"):
        assert anna.client.get(path).headers["Cache-Control"] == "no-store", path


def test_new_password_needs_the_old_and_signs_others_out(app, anna):
    other = Visitor(app)
    sign_in(other)
    form = anna.get("/me").form("Set the new password")
    page = anna.send(form, old="not the password", password=OTHER, again=OTHER)
    assert (page.status, "That is not your current password." in page.text) == (422, True)
    assert is_in(other)
    page = anna.press("/me", "Set the new password", old=PASSWORD, password=OTHER, again=OTHER)
    assert "The new password is set." in page.text
    assert is_in(anna) and not is_in(other)
    assert sign_in(other).status == 422
    assert sign_in(other, password=OTHER).status == 200


def test_guessing_the_old_password_on_ones_own_page_locks_too(anna):
    for _ in range(5):
        anna.press("/me", "Set the new password", old="guess of a thief", password=OTHER, again=OTHER)
    page = anna.press("/me", "Set the new password", old=PASSWORD, password=OTHER, again=OTHER)
    assert page.status == 429


def test_devices_are_listed_and_signed_out_one_by_one(app, anna):
    other = Visitor(app)
    other.client.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (Android 14; Mobile) Gecko/130.0 Firefox/130.0"
    sign_in(other)
    page = anna.get("/me")
    assert "Firefox, Android" in page.text
    button = re.search(r'name="session" value="([0-9a-f]{64})"', page.html)
    assert button is not None
    anna.send(page.form("Sign out there"), session=button[1])
    assert is_in(anna) and not is_in(other)
    assert anna.post("/me/sessions", session=button[1]).status == 404


def test_a_key_is_shown_once_and_opens_no_page_of_ones_own(app, anna, visitor):
    for wrong in ("", OTHER):
        refused = anna.press("/me", "Create a key", key_name="my script", key_password=wrong)
        assert (refused.status, "That is not your current password" in refused.text) == (422, True)
        assert "dbk_" not in refused.html
    page = anna.press("/me", "Create a key", key_name="my script", key_password=PASSWORD, key_scope="organise")
    found = re.search(r"dbk_[\w-]+", page.html)
    assert found is not None
    assert page.status == 201
    assert found[0] not in anna.get("/me").html and "my script" in anna.get("/me").text
    bearer = {"Authorization": f"Bearer {found[0]}"}
    for path in ("/me", "/me/file"):
        assert visitor.client.get(path, headers=bearer).status_code == 401
    for path, fields in FORMS.items():
        if path != "/sign-out":
            assert anna.client.post(path, data=fields, headers=bearer).status_code == 401, "nor with a cookie beside it"
    button = re.search(r'name="key" value="([0-9a-f]{64})"', anna.get("/me").html)
    assert button is not None
    anna.press("/me", "Revoke it", key=button[1])
    assert "my script" not in anna.get("/me").text


def test_key_has_an_expiry_and_opens_nothing_after_it(app, book, anna):
    form = anna.get("/me").form("Create a key")
    assert form.fields["key_days"] == "90"
    refused = anna.send(form, key_name="my script", key_password=PASSWORD, key_days="100000")
    assert (refused.status, "dbk_" in refused.html) == (422, False)
    page = anna.send(form, key_name="my script", key_password=PASSWORD, key_days="30")
    [key] = re.findall(r"dbk_[\w-]+", page.html)
    bearer = {"Authorization": f"Bearer {key}"}
    assert app.test_client().get("/api/v1/clubs", headers=bearer).status_code == 200
    with book.kept.engine.begin() as c:
        c.execute(kept_key.update().values(ends_at=now()))
    answer = app.test_client().get("/api/v1/clubs", headers=bearer)
    assert (answer.status_code, "expired" in answer.get_json()["error"]["reason"]) == (401, True)
    assert "expired" in anna.get("/me").text


def test_another_name_stands_in_all_games(book, anna):
    page = anna.press("/me", "Change it", name="Anna of the Mill", address="anna@example.org")
    assert "Anna of the Mill" in page.text
    assert anna.press("/me", "Change it", name=" ").status == 422
    assert anna.get("/").link("Anna of the Mill")


def photo(width: int = 900, height: int = 600) -> bytes:
    out = io.BytesIO()
    image = Image.new("RGB", (width, height), "teal")
    exif = image.getexif()
    exif[0x010E] = "taken at home"
    image.save(out, "JPEG", exif=exif)
    return out.getvalue()


def test_photo_is_reencoded_and_seen_only_in_shared_clubs(app, book, anna, visitor):
    form = anna.get("/me").form("Upload this photo")
    answer = anna.client.post(
        form.action,
        data=form.fields | {"portrait": (io.BytesIO(photo()), "me.jpg")},
        content_type="multipart/form-data",
        follow_redirects=True,
    )
    assert "The photo is saved" in answer.get_data(as_text=True)
    address = re.search(r'src="(/people/[0-9a-f]+/portrait)"', anna.get("/me").html)
    assert address is not None
    shown = anna.client.get(address[1])
    assert shown.mimetype == "image/jpeg" and b"taken at home" not in shown.data
    assert max(Image.open(io.BytesIO(shown.data)).size) == portraits.PORTRAIT_SIDE
    ben = signed_up(app, "Ben", "ben")
    for somebody in (visitor, ben):
        assert somebody.get(address[1]).status == 404
    anna.press("/me", "Upload this photo", do="remove")
    assert anna.get(address[1]).status == 404


def test_what_is_no_photo_is_refused(anna):
    form = anna.get("/me").form("Upload this photo")
    for content in (b"", b"GIF89a", b"<svg xmlns='http://www.w3.org/2000/svg'/>"):
        answer = anna.client.post(
            form.action,
            data=form.fields | {"portrait": (io.BytesIO(content), "me.jpg")},
            content_type="multipart/form-data",
        )
        assert answer.status_code == 422


def test_personal_data_is_one_file_without_a_secret(app, anna):
    anna.press("/me", "Create a key", key_name="my script", key_password=PASSWORD)
    answer = anna.client.get("/me/file")
    told = json.loads(answer.data)
    assert (told["name"], told["account"]["sign_in"], told["keys"][0]["name"]) == ("Anna", "anna", "my script")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="daybook-anna.json"'
    cookie = cookie_of(anna)
    for secret in (str(cookie["signed_in"]), "argon2", PASSWORD, "dbk_"):
        assert secret not in answer.text


@pytest.mark.parametrize("nasty", NASTY)
def test_what_people_type_about_themselves_is_text_everywhere(app, nasty):
    anna = signed_up(app)
    harmless(anna.press("/me", "Change it", name=nasty, address=nasty), nasty)
    harmless(anna.press("/me", "Create a key", key_name=nasty, key_password=PASSWORD), nasty)
    harmless(sign_in(Visitor(app), nasty, nasty, next=nasty), nasty)
    for path in ("/", "/me", "/help"):
        harmless(anna.get(path), nasty)


def test_accounts_are_named_in_no_log_and_no_address(anna):
    for form in anna.get("/me").forms:
        assert form.method == "post"
        assert not re.search(r"[?#].*(key|token|password)", form.action)


def test_sign_out_clears_read_data_and_nothing_of_other_hosts(anna):
    answer = anna.client.post("/sign-out", data={"csrf": anna.token()})
    assert answer.headers["Clear-Site-Data"] == '"cache"', "not cookies, not games kept on the device, not other tabs"


def test_rights_that_are_refused_are_logged_without_a_key(friday, app, caplog):
    anna = signed_up(app)
    anna.client.environ_base["REMOTE_ADDR"] = "192.0.2.7"
    somebody = accounts.person_of_sign_in(app.extensions["daybook"], "anna")
    anna.get(f"{friday.path}/record")
    anna.client.post(f"{friday.path}/close", data={"csrf": anna.token(), "key": "made-up-key"})
    anna.client.get(f"/api/v1{friday.path}/links", headers={"Authorization": "Bearer made-up-key"})
    anna.client.get("/a\nb")
    told = [record.getMessage() for record in caplog.records if record.getMessage().startswith("refused")]
    assert told == [
        f"refused with 403: GET {friday.path}/record, for {somebody}, from 192.0.2.7",
        f"refused with 403: POST {friday.path}/close, for {somebody}, from 192.0.2.7",
        f"refused with 401: GET /api/v1{friday.path}/links, for nobody, from 192.0.2.7",
    ]
    assert "made-up-key" not in caplog.text
