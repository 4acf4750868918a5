"""Accounts: signing in, its duration, too many attempts, and the history of changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher

from daybook.services import limits
from daybook.services.clock import later_time, now
from daybook.services.league import calendars
from daybook.services.limits import Caller, Counts, LimitExceededError
from daybook.services.names import BadNameError
from daybook.services.people import accounts, invitations, passwords, sign_in_limits
from daybook.services.people.accounts import InvalidAccountError, WrongCredentialsError
from daybook.services.people.invitations import InvalidInvitationError
from daybook.services.people.passwords import PasswordsBusyError
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.kept import kept_account, kept_attempt, kept_invitation, kept_key, kept_session, metadata
from tests.refusals import refused_for

pytestmark = pytest.mark.sqlite_suffices

PASSWORD = "seven looms at dawn"
SERVED = passwords.hasher()  # before a test puts a quicker one in its place


@pytest.fixture
def anna(book: Daybook) -> str:
    return accounts.make_account(book, "Anna", sign_in="anna", password=PASSWORD)


def sign_in(book: Daybook, name: str = "anna", password: str = PASSWORD, origin: str = "10.0.0.1", **more: Any) -> str:
    return accounts.sign_in(book, name, password, origin=origin, device="Firefox, Linux", **more)


def test_person_signs_in_with_the_name_in_any_case(book, anna):
    token = sign_in(book, " ANNA ")
    session = accounts.session_of(book, token)
    assert session is not None
    assert (session.person, session.device) == (anna, "Firefox, Linux")
    assert accounts.session_of(book, token + "x") is None
    assert accounts.session_of(book, session.id) is None, "what the table holds opens nothing"


@pytest.mark.parametrize(("name", "password"), [("anna", "seven looms at dusk"), ("ben", PASSWORD), ("", "")])
def test_a_wrong_name_and_a_wrong_password_are_told_alike(book, anna, name, password):
    with pytest.raises(WrongCredentialsError):
        sign_in(book, name, password)
    assert accounts.sessions_of(book, anna) == []


def test_an_unknown_name_has_a_password_checked_all_the_same(book, anna, monkeypatch):
    checked: list[str] = []

    class Counting(PasswordHasher):
        def verify(self, digest: str | bytes, password: str | bytes) -> bool:  # type: ignore[override]
            checked.append(str(digest))
            return super().verify(digest, password)

    counting = Counting(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(passwords, "hasher", lambda: counting)
    for name in ("anna", "nobody"):
        with pytest.raises(WrongCredentialsError):
            sign_in(book, name, "not the password")
    assert len(checked) == 2
    assert checked[0].rpartition("$p=")[0] == checked[1].rpartition("$p=")[0], "both cost the same"


def test_the_table_holds_neither_passwords_nor_cookies_nor_keys(book, anna):
    token, key = sign_in(book), accounts.make_key(book, anna, "my script")
    with book.kept.engine.connect() as c:
        held = [str(row) for table in metadata.sorted_tables for row in c.execute(sa.select(table))]
    for secret in (PASSWORD, token, key):
        assert not any(secret in row for row in held)


@pytest.mark.parametrize(
    ("sign_in_name", "password", "field", "key"),
    [
        ("an", PASSWORD, "sign_in", "length"),
        ("a" * 41, PASSWORD, "sign_in", "length"),
        ("anna b", PASSWORD, "sign_in", "signs"),
        ("anna\n", "short", "password", "too_short"),
        ("anna", "x" * 201, "password", "too_long"),
        ("anna", "a" * 12, "password", "too_plain"),
        *(
            ("anna-of-mills", common, "password", "common")
            for common in (
                "password12",
                "Password123!",
                "P@ssw0rd2026",
                "1234567890",
                "qwertyuiop",
                "1q2w3e4r5t6y",
                "iloveyou12",
                "liverpool123",
                "daybook2026",
                "anna-of-mills1",
            )
        ),
        ("anna-of-the-mill", "Anna-of-the-mill", "password", "sign_in_name"),
        ("", PASSWORD, "sign_in", "length"),
        ("anna", "", "password", "too_short"),
    ],
)
def test_invalid_sign_in_name_or_password_is_refused_with_reason(book, sign_in_name, password, field, key):
    with pytest.raises(InvalidAccountError) as refused:
        accounts.make_account(book, "Anna", sign_in=sign_in_name, password=password)
    assert (refused.value.field, refused.value.reason.key) == (field, key)
    with book.kept.engine.connect() as c:
        assert c.execute(sa.select(kept_account)).all() == []


def test_a_sign_in_name_is_one_persons(book, anna):
    with refused_for("taken", InvalidAccountError):
        accounts.make_account(book, "Other Anna", sign_in="Anna", password=PASSWORD)
    with refused_for("has_account", InvalidAccountError):
        accounts.make_account(book, "Anna", sign_in="anna2", password=PASSWORD, person=anna)
    with pytest.raises(BadNameError):
        accounts.make_account(book, "  ")


@pytest.mark.both_databases
def test_hash_with_old_parameters_is_renewed_at_the_next_sign_in(book, anna, monkeypatch):
    def kept_password() -> str:
        with book.kept.engine.connect() as c:
            return str(c.scalar(sa.select(kept_account.c.password).where(kept_account.c.person == anna)))

    before = kept_password()
    sign_in(book)
    assert kept_password() == before
    slower = PasswordHasher(time_cost=2, memory_cost=128, parallelism=1)
    monkeypatch.setattr(passwords, "hasher", lambda: slower)
    sign_in(book)
    assert "m=128,t=2" in kept_password()
    sign_in(book)


# --- too many tries --------------------------------------------------------------------------------------------------


def wrong(
    book: Daybook,
    times: int,
    name: str = "anna",
    origin: str = "10.0.0.1",
    wait: Callable[[float], object] = time.sleep,
) -> None:
    for _ in range(times):
        with pytest.raises(WrongCredentialsError):
            sign_in(book, name, "not the password", origin, wait=wait)


def never(seconds: float) -> None:
    """Do not wait."""


def refuse(seconds: float) -> None:
    raise AssertionError(f"{seconds} seconds")


def unlock(book: Daybook) -> None:
    """Let the time of every lock pass."""
    with book.kept.engine.begin() as c:
        c.execute(kept_attempt.update().values(until=later_time(now(), seconds=-1)))


@pytest.mark.both_databases
def test_five_wrong_passwords_lock_name_and_address_ever_longer(book, anna):
    wrong(book, 5)
    with pytest.raises(LimitExceededError) as locked:
        sign_in(book)
    assert 55 <= locked.value.seconds <= 60
    for minutes in (2, 4, 8, 16, 32, 60, 60):
        unlock(book)
        wrong(book, 1)
        with pytest.raises(LimitExceededError) as locked:
            sign_in(book)
        assert minutes * 60 - 5 <= locked.value.seconds <= minutes * 60
    unlock(book)
    sign_in(book)
    wrong(book, 4)
    sign_in(book)


def test_wrong_passwords_lock_their_address_only(book, anna):
    for n in range(3):
        wrong(book, 5, origin=f"198.51.100.{n}")
    sign_in(book, wait=refuse)
    wrong(book, 5)
    with pytest.raises(LimitExceededError):
        sign_in(book)
    assert accounts.check_sign_in(book, "anna", PASSWORD, "10.0.0.1", seen_before=True) == anna, (
        "nor in their own network"
    )


def test_tries_for_one_name_from_everywhere_take_turns(book, anna):
    """Each address waits for one turn at a time; an address that has not tried the name has turns apart."""
    guessers = [f"198.51.{n}.7" for n in range(limits.FAILURES_PER_NAME_BEFORE_TURNS)]
    for guesser in guessers:
        wrong(book, 1, origin=guesser, wait=never)
    waits = list[float]()
    for guesser in guessers:
        wrong(book, 1, origin=guesser, wait=waits.append)
    assert all(0 < wait <= limits.MAX_TURN_WAIT_SECONDS for wait in waits[1:]) and waits == sorted(waits)
    with pytest.raises(PasswordsBusyError):
        sign_in(book, origin=guessers[-1], wait=never)
    waits.clear()
    sign_in(book, origin="203.0.113.1", wait=waits.append)
    assert not waits, "the owner is the first who has not tried the name before"


def test_turns_that_are_too_far_off_are_refused(book, anna):
    for n in range(limits.FAILURES_PER_NAME_BEFORE_TURNS):
        wrong(book, 1, origin=f"198.51.{n}.7", wait=never)
    turns = int(limits.MAX_TURN_WAIT_SECONDS / limits.SECONDS_PER_TURN)
    with pytest.raises(PasswordsBusyError):
        for n in range(turns + 5):
            wrong(book, 1, origin=f"203.0.{n}.7", wait=never)
    assert accounts.check_sign_in(book, "anna", PASSWORD, "203.0.113.1", seen_before=True) == anna


def test_a_name_is_locked_for_a_whole_48_of_ipv6(book, anna):
    for n in range(4 * limits.MAX_FAILURES_PER_NAME_AND_ADDRESS):
        wrong(book, 1, origin=f"2001:db8:1:{n:x}::/64", wait=never)
    with pytest.raises(LimitExceededError):
        sign_in(book, origin="2001:db8:1:ffff::/64")
    sign_in(book, origin="2001:db8:2:1::/64", wait=never)


def test_a_new_password_opens_what_was_locked_from_everywhere(book, anna):
    wrong(book, 5)
    accounts.set_password(book, anna, "anna", "another loom at dawn", by=anna)
    assert accounts.check_sign_in(book, "anna", "another loom at dawn", "10.0.0.1") == anna


def test_what_fails_is_logged_without_what_was_typed(book, anna, caplog):
    wrong(book, 5)
    with pytest.raises(LimitExceededError):
        sign_in(book)
    assert caplog.text.count("sign-in failed: wrong name or password") == 5
    assert caplog.text.count("sign-in failed: too many tries") == 1
    assert "10.0.0.1" in caplog.text
    assert not any(typed in caplog.text for typed in ("anna", PASSWORD, "not the password"))


def test_lock_survives_a_restart_and_covers_unknown_names(settings):
    book = open_daybook(settings, create=True)
    wrong(book, 5, "nobody")
    book.close()
    book = open_daybook(settings)
    with pytest.raises(LimitExceededError):
        sign_in(book, "nobody")
    book.close()


@pytest.mark.both_databases
def test_wrong_ones_of_long_ago_are_forgotten(book, anna):
    wrong(book, 4)
    with book.kept.engine.begin() as c:
        c.execute(kept_attempt.update().values(last_at=later_time(now(), hours=-25)))
    wrong(book, 4)
    sign_in(book)


@pytest.mark.both_databases
def test_nobody_is_kept_waiting_by_a_clock_that_was_ahead(book, anna):
    """A machine whose clock used another zone until it reached the network, or one that began in 2036."""
    wrong(book, limits.MAX_FAILURES_PER_NAME_AND_ADDRESS)
    caller = Caller(address="10.0.0.1")
    for _ in range(limits.LIMITS["game"].browser):
        Counts(book).take("game", caller)
    for attempt in (lambda: sign_in(book), lambda: Counts(book).take("game", caller)):
        with pytest.raises(LimitExceededError):
            attempt()
    ahead = later_time(now(), hours=9)
    with book.kept.engine.begin() as c:
        c.execute(kept_attempt.update().values(first_at=ahead, last_at=ahead, until=later_time(ahead, minutes=1)))
    sign_in(book)
    Counts(book).take("game", caller)


def spray(book: Daybook, times: int, origin: str = "10.0.0.1") -> None:
    """Try a password for as many names."""
    for n in range(times):
        wrong(book, 1, f"name{n}", origin, wait=never)


@pytest.mark.slow
def test_an_address_that_tries_many_names_is_slowed_down(book, anna):
    spray(book, limits.FAILURES_PER_ADDRESS_BEFORE_TURNS + 4)
    waits = list[float]()
    sign_in(book, wait=waits.append)
    assert 0 < waits[0] < 5 * limits.SECONDS_PER_TURN
    sign_in(book, origin="10.0.0.2", wait=waits.append)
    assert len(waits) == 1


def test_links_take_turns_apart_from_their_address(book, anna):
    spray(book, limits.FAILURES_PER_ADDRESS_BEFORE_TURNS + 20)
    waits = list[float]()
    sign_in(book, link="a link", wait=waits.append)
    assert not waits


def test_thirty_phones_that_mistype_twice_get_in(book, anna):
    for n in range(30):
        accounts.make_account(book, f"Guest {n}", sign_in=f"guest{n}", password=PASSWORD)
    for n in range(30):
        wrong(book, 2, f"guest{n}", wait=never)
    for n in range(30):
        sign_in(book, f"guest{n}", wait=never)


@pytest.mark.slow
def test_right_passwords_do_not_use_up_an_address(book, anna):
    for _ in range(limits.FAILURES_PER_ADDRESS_BEFORE_TURNS + 5):
        accounts.check_sign_in(book, "anna", PASSWORD, "10.0.0.1", wait=refuse)


def test_a_right_password_takes_back_only_what_was_counted(book, anna):
    """While a password is checked, the window in which its try counted may end."""
    sign_in_limits.count_sign_in(book, "anna", "10.0.0.1")
    for _ in range(3):
        sign_in_limits.uncount_sign_in(book, "anna", "10.0.0.1")
    for n in range(limits.FAILURES_PER_ADDRESS_BEFORE_TURNS + 1):
        sign_in_limits.count_sign_in(book, f"name{n}", "10.0.0.1")
    assert sign_in_limits.count_sign_in(book, "anna", "10.0.0.1") > 0


def test_many_tries_at_once_are_many_tries(book, anna):
    outcomes: list[type[Exception]] = []

    def attempt() -> None:
        try:
            sign_in(book, password="not the password")
        except (WrongCredentialsError, LimitExceededError) as no:
            outcomes.append(type(no))

    threads = [Thread(target=attempt) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count(WrongCredentialsError) == limits.MAX_FAILURES_PER_NAME_AND_ADDRESS
    assert outcomes.count(LimitExceededError) == 12 - limits.MAX_FAILURES_PER_NAME_AND_ADDRESS


def test_concurrent_right_sign_in_loses_nothing(book, anna):
    """Between reading the row and locking it another sign-in may clear the wrong attempts."""
    wrong(book, 1)
    if book.kept.engine.dialect.name == "sqlite":  # one writes at a time
        sign_in(book)
        return
    forgotten: list[bool] = []

    @sa.event.listens_for(book.kept.engine, "after_cursor_execute")
    def meanwhile(connection: sa.Connection, cursor: object, statement: str, *_: object) -> None:
        if not forgotten and "INSERT INTO kept_attempt" in statement:
            forgotten.append(True)
            sign_in_limits.forget_tries(book, "anna")

    assert accounts.check_sign_in(book, "anna", PASSWORD, "10.0.0.1") == anna
    assert forgotten


def test_what_is_counted_names_nobody(book, anna):
    wrong(book, 1)
    with book.kept.engine.connect() as c:
        rows = str(c.execute(sa.select(kept_attempt)).all())
    assert "anna" not in rows and "10.0.0.1" not in rows


# --- sessions and keys -----------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_sessions_are_listed_and_ended_one_by_one_or_all(book, anna):
    tokens = [sign_in(book) for _ in range(4)]
    mine = accounts.session_of(book, tokens[0])
    other = accounts.session_of(book, tokens[1])
    assert mine is not None and other is not None
    assert len(accounts.sessions_of(book, anna)) == 4
    ben = accounts.make_account(book, "Ben", sign_in="ben", password=PASSWORD)
    assert not accounts.end_session(book, ben, other.id, by=ben), "nobody ends another's"
    assert accounts.end_session(book, anna, other.id, by=anna)
    assert accounts.session_of(book, tokens[1]) is None
    assert accounts.end_sessions(book, anna, but=mine.id, by=anna) == 2
    assert [accounts.session_of(book, token) is not None for token in tokens] == [True, False, False, False]


@pytest.mark.both_databases
def test_session_expires_unless_visited_and_has_a_limit(book, anna):
    token = sign_in(book)

    def put(**values: str) -> None:
        with book.kept.engine.begin() as c:
            c.execute(kept_session.update().values(**values))

    put(seen_at=later_time(now(), hours=-2))
    accounts.session_of(book, token)
    (session,) = accounts.sessions_of(book, anna)
    assert session.ends_at > later_time(now(), days=accounts.SESSION_DAYS - 1)
    put(made_at=later_time(now(), days=-179), seen_at=later_time(now(), hours=-2))
    accounts.session_of(book, token)
    (session,) = accounts.sessions_of(book, anna)
    assert session.ends_at < later_time(now(), days=2)
    put(ends_at=now())
    assert accounts.session_of(book, token) is None
    assert accounts.sessions_of(book, anna) == []


def test_new_password_ends_other_sessions_and_opens_a_lock(book, anna):
    old, mine = sign_in(book), sign_in(book)
    session = accounts.session_of(book, mine)
    assert session is not None
    wrong(book, 5)
    accounts.set_password(book, anna, "anna", "eight looms at dawn", but=session.id, by=anna)
    assert accounts.session_of(book, old) is None
    assert accounts.session_of(book, mine) is not None
    assert sign_in(book, password="eight looms at dawn")
    with pytest.raises(WrongCredentialsError):
        sign_in(book)


def test_a_new_password_ends_whatever_else_let_somebody_in(book, anna):
    """A person with the old one may have made a key, a link or a way back."""
    ben = accounts.make_account(book, "Ben")
    keys, others = [accounts.make_key(book, anna, name) for name in ("one", "two")], accounts.make_key(book, ben, "his")
    address = calendars.make_key(book, anna, by=anna)
    link = invitations.key_of(book, invitations.sign_in_link(book, anna, by="whoever"))
    into = invitations.key_of(book, invitations.invite_to_club(book, uuid4(), (), person=anna, by="whoever"))
    assert accounts.set_password(book, anna, "anna", "eight looms at dawn", by=anna) == 3
    assert [accounts.read_key(book, key) for key in keys] == [None, None]
    assert accounts.read_key(book, others) is not None, "nobody else's"
    assert calendars.person_of_key(book, address) is None
    with refused_for("revoked", InvalidInvitationError):
        invitations.read_invitation(book, link)
    assert invitations.read_invitation(book, into).person == anna, "it lets into a club, not into an account"
    said = [change.what for change in accounts.changes_of(book, [anna])]
    assert (said.count("key_revoked"), said.count("calendar_revoked")) == (2, 1)


@pytest.mark.both_databases
def test_the_oldest_of_very_many_sessions_makes_room(book, anna):
    first = accounts.begin_session(book, anna, "first")
    for _ in range(accounts.SESSIONS_LIMIT):
        accounts.begin_session(book, anna, "more")
    assert len(accounts.sessions_of(book, anna)) == accounts.SESSIONS_LIMIT
    assert accounts.session_of(book, first) is None


def test_a_person_has_so_many_keys_and_no_more(book, anna, monkeypatch):
    monkeypatch.setattr(accounts, "KEYS_LIMIT", 2)
    for name in ("one", "two"):
        accounts.make_key(book, anna, name)
    with pytest.raises(accounts.InvalidAccountError, match="at most 2 keys"):
        accounts.make_key(book, anna, "three")
    accounts.make_key(book, accounts.make_account(book, "Ben", sign_in="ben", password=PASSWORD), "one")
    assert accounts.revoke_key(book, anna, accounts.keys_of_person(book, anna)[0].id, by=anna)
    accounts.make_key(book, anna, "three")


@pytest.mark.both_databases
def test_a_key_is_told_once_listed_and_revoked(book, anna):
    key = accounts.make_key(book, anna, "my script")
    (listed,) = accounts.keys_of_person(book, anna)
    assert (listed.name, listed.seen_at) == ("my script", None)
    read = accounts.read_key(book, key)
    assert read is not None and read.person == anna
    assert accounts.keys_of_person(book, anna)[0].seen_at is not None
    for wrong_key in (listed.id, key + "x", key.removeprefix(accounts.KEY_PREFIX), ""):
        assert accounts.read_key(book, wrong_key) is None
    ben = accounts.make_account(book, "Ben")
    assert not accounts.revoke_key(book, ben, listed.id, by=ben)
    assert accounts.revoke_key(book, anna, listed.id, by=anna)
    assert accounts.read_key(book, key) is None


def test_every_change_is_logged_with_its_author_without_a_name(book, anna):
    accounts.rename_person(book, anna, "Anna B.", by=anna)
    accounts.set_address(book, anna, "anna@example.org", by=anna)
    accounts.set_address(book, anna, "anna@example.org", by=anna)
    accounts.set_password(book, anna, "annab", "eight looms at dawn", by="operator")
    assert [(change.what, change.by == anna) for change in accounts.changes_of(book, [anna])] == [
        ("password_set", False),
        ("sign_in_changed", False),
        ("address_changed", True),
        ("name_changed", True),
        ("account_made", True),
    ]
    told = str(accounts.changes_of(book, [anna]))
    assert "Anna" not in told and "annab" not in told and "example" not in told


# --- links that let in once ------------------------------------------------------------------------------------------


def test_link_signs_a_person_in_once_and_is_replaced_by_a_newer(book, anna):
    older = invitations.key_of(book, invitations.sign_in_link(book, anna, by="operator"))
    key = invitations.key_of(book, invitations.sign_in_link(book, anna, by="operator"))
    with refused_for("revoked", InvalidInvitationError):
        invitations.read_invitation(book, older)
    found = invitations.read_invitation(book, key)
    assert (found.person, found.club) == (anna, None)
    invitations.use_invitation(book, found, anna)
    with pytest.raises(InvalidInvitationError):
        invitations.use_invitation(book, found, anna)
    with refused_for("used", InvalidInvitationError):
        invitations.read_invitation(book, key)


@pytest.mark.both_databases
def test_a_link_that_was_bent_or_has_run_out_lets_nobody_in(book, anna):
    link = invitations.sign_in_link(book, anna, by="operator")
    key = invitations.key_of(book, link)
    for bent in (key[:-1], key + "x", link.id, "", "é", f"{link.id}.x"):
        with refused_for("unknown", InvalidInvitationError):
            invitations.read_invitation(book, bent)
    with book.kept.engine.begin() as c:
        c.execute(kept_invitation.update().values(ends_at=later_time(now(), seconds=-1)))
    with refused_for("over", InvalidInvitationError):
        invitations.read_invitation(book, key)


def test_link_is_used_up_with_its_session_or_not_at_all(book, anna):
    spend = partial(
        invitations.spend_invitation, invitation=invitations.sign_in_link(book, anna, by="operator"), person=anna
    )
    accounts.begin_session(book, anna, "Firefox", along=spend)
    with pytest.raises(InvalidInvitationError):
        accounts.begin_session(book, anna, "Firefox", along=spend)
    assert len(accounts.sessions_of(book, anna)) == 1


def test_nobody_without_an_account_gets_a_link_for_signing_in(book):
    with pytest.raises(InvalidAccountError):
        invitations.sign_in_link(book, "nobody", by="operator")


def test_a_password_costs_three_rounds_of_32_mebibytes():
    assert (SERVED.time_cost, SERVED.memory_cost, SERVED.parallelism) == (3, 32 * 1024, 1)
    assert SERVED.verify(SERVED.hash(PASSWORD), PASSWORD)


@pytest.mark.both_databases
def test_old_failures_are_forgotten_where_no_one_signs_in(book, monkeypatch):
    """Each address, and each name that is tried, is a row."""
    monkeypatch.setattr(limits, "CLEANUP_PREFIX", "")
    monkeypatch.setattr(limits, "now", lambda: later_time(now(), days=-3))
    for number in range(5):
        Counts(book).take("game", Caller(address=f"192.0.2.{number}"))
    monkeypatch.setattr(limits, "now", now)
    Counts(book).take("game", Caller(address="198.51.100.7"))
    counted = [row.failures for row in book.kept.engine.rows(sa.select(kept_attempt))]
    assert counted == [1], "its browser; the count of the address is batched"


def test_failure_is_counted_while_old_ones_are_purged(book, monkeypatch):
    monkeypatch.setattr(limits, "CLEANUP_PREFIX", "")
    for times in (1, 2):
        sign_in_limits.count_sign_in(book, "anna", "192.0.2.1")
        assert [row.failures for row in book.kept.engine.rows(sa.select(kept_attempt))] == [times] * 3


# --- expiry of keys ---------------------------------------------------------------------------------------------------


def expire_keys(book: Daybook) -> None:
    with book.kept.engine.begin() as c:
        c.execute(kept_key.update().values(ends_at=later_time(now(), seconds=-1)))


@pytest.mark.both_databases
def test_key_expires_and_makes_room_for_another(book, anna, monkeypatch):
    monkeypatch.setattr(accounts, "KEYS_LIMIT", 1)
    key = accounts.make_key(book, anna, "my script", 30)
    read = accounts.read_key(book, key)
    assert read is not None
    assert later_time(now(), days=29) < read.ends_at <= later_time(now(), days=30)
    assert accounts.is_still_valid(book, read)
    expire_keys(book)
    assert accounts.read_key(book, key) is None and not accounts.is_still_valid(book, read)
    assert [value.has_ended for value in accounts.keys_of_person(book, anna)] == [True]
    accounts.make_key(book, anna, "another")
    assert [item.name for item in accounts.keys_of_person(book, anna)] == ["another"]


@pytest.mark.parametrize("days", [0, -1, 31, 366, 10**9])
def test_key_lives_for_an_offered_time_only(book, anna, days):
    with pytest.raises(InvalidAccountError):
        accounts.make_key(book, anna, "my script", days)
