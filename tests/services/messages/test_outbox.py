"""Messages of clubs: noted once for each entry, sent at least once with one id, and never from a copy."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Iterator
from uuid import UUID

import pytest
import sqlalchemy as sa

from daybook.domain.league.club_commands import (
    AnswerEvening,
    CallOffEvening,
    CloseSeason,
    EnterResult,
    FoundLeague,
    ImportPlays,
    PlanEvening,
    SetRoundDeadline,
)
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.plays import Play, PlayedGame, Player
from daybook.domain.league.results import Placed, PlayDetails
from daybook.domain.league.seasons import Fixture
from daybook.services.clock import later_time, now
from daybook.services.following.projections import rebuild_read_models
from daybook.services.league import clubs, results, year_reviews
from daybook.services.messages import outbox, webhooks
from daybook.services.messages.occasions import CHOSEN_BY_CLUBS
from daybook.services.messages.webhooks import BadAddressError, Kind
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_message, kept_outbox, kept_webhook
from daybook.web.club.message_words import message_writer
from tests.played import key, play
from tests.receivers import Receiver, receiver
from tests.services.clubbing import open_club_game
from tests.services.files.test_disagreements import catch_up
from tests.services.leagues import draw, found_mill, season

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def there() -> Iterator[Receiver]:
    with receiver() as there:
        yield there


@pytest.fixture
def club(book: Daybook) -> UUID:
    object.__setattr__(book.settings, "webhooks_to_private_networks", True)
    club = found_mill(book)
    outbox.note_messages(book)
    return club


def send_to(book: Daybook, club: UUID, address: str, kind: Kind = "standard") -> str:
    return webhooks.save_webhook(book, club, kind, address, "en", CHOSEN_BY_CLUBS)


def plan(book: Daybook, club: UUID, hours: float = 300, evening: str = "", **fields: object) -> None:
    when = later_time(now(), hours=hours)
    clubs.write(book, club, PlanEvening(when, "12 Mill Street", (), evening, **fields), by="olga", key=key())


def type_result(book: Daybook, club: UUID, *people: str, table: str | None = None) -> None:
    placed = tuple(Placed(person, None, place, 50 - place) for place, person in enumerate(people, 1))
    clubs.write(book, club, EnterResult(BESIDE, "making_profit", placed, table, why="late"), by="olga", key=key())


def note(book: Daybook) -> None:
    while outbox.note_messages(book):
        pass


def send(book: Daybook) -> int:
    """Note and send everything that is due; return how many were tried."""
    note(book)
    write, tried = message_writer(lambda: book), 0
    while due := outbox.messages_due(book):
        for message_id in due:
            outbox.send_message(book, message_id, write)
            tried += 1
    return tried


def make_due(book: Daybook) -> None:
    book.kept.engine.write(kept_message.update().where(kept_message.c.state == "waiting").values(due=now()))


def states(book: Daybook) -> list[tuple[str, str]]:
    query = sa.select(kept_message.c.occasion, kept_message.c.state).order_by(kept_message.c.due, kept_message.c.at)
    return [tuple(row) for row in book.kept.engine.rows(query)]


def texts(there: Receiver) -> list[str]:
    return [received.said["data"]["text"] for received in there.received]


@pytest.mark.both_databases
def test_evening_is_announced_with_reminders_and_called_off(book, club, there):
    signing = send_to(book, club, there.address)
    plan(book, club)
    assert send(book) == 1
    (received,) = there.received
    body, headers = received.said, received.headers
    assert body["type"] == "evening.planned" and body["data"]["text"].startswith("The Mill meets on ")
    assert "Mill Street" not in received.body.decode()
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + received.body
    secret = base64.b64decode(signing.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert states(book)[1:] == [("evening_in_a_week", "waiting"), ("evening_tomorrow", "waiting")]
    clubs.write(book, club, CallOffEvening("1", "ill"), by="olga", key=key())
    assert send(book) == 1 and texts(there)[-1].endswith("is called off.")
    assert [state for _, state in states(book)].count("dropped") == 2


@pytest.mark.both_databases
def test_messages_are_noted_once_when_two_followers_run(book, club, there):
    send_to(book, club, there.address)
    plan(book, club)
    type_result(book, club, "anna", "ben")
    for _ in range(3):
        note(book)
    position = book.kept.engine.value(sa.select(kept_outbox.c.position))
    book.kept.engine.write(kept_outbox.update().values(position=0))  # a follower that has not seen the newest note
    note(book)
    assert send(book) == 2 and len(there.received) == 2
    assert book.kept.engine.value(sa.select(kept_outbox.c.position)) == position


def test_rebuild_restore_and_old_entries_send_nothing(book, club, there):
    send_to(book, club, there.address)
    plan(book, club)
    book.kept.engine.write(kept_outbox.update().values(instance="another machine"))
    assert outbox.is_paused(book) and send(book) == 0
    rebuild_read_models(book)
    assert send(book) == 0 and there.received == []
    outbox.permit_sending(book)
    assert not outbox.is_paused(book) and send(book) == 0
    plan(book, club)
    assert send(book) == 1


def test_person_who_waited_is_named_when_a_chair_is_free(book, club, there):
    plan(book, club, chairs=2)
    for person in ("anna", "ben", "cleo", "dan"):
        clubs.write(book, club, AnswerEvening("1", "yes"), by=person, key=key())
    evening = book.clubs.get(club).evenings["1"]
    assert book.clubs.get(club).coming(evening) == ["anna", "ben"]
    assert book.clubs.get(club).waiting(evening) == ["cleo", "dan"]
    note(book)
    send_to(book, club, there.address)
    clubs.write(book, club, AnswerEvening("1", "no"), by="dan", key=key())
    assert send(book) == 0
    clubs.write(book, club, AnswerEvening("1", "maybe"), by="anna", key=key())
    assert send(book) == 1 and texts(there)[0].startswith("The Mill: Cleo gets a chair on ")
    clubs.write(book, club, AnswerEvening("1", "yes"), by="anna", key=key())
    assert book.clubs.get(club).waiting(book.clubs.get(club).evenings["1"]) == ["anna"]


def test_first_start_sends_nothing_recorded_before(book, there):
    object.__setattr__(book.settings, "webhooks_to_private_networks", True)
    club = found_mill(book)
    send_to(book, club, there.address)
    plan(book, club)
    assert send(book) == 0 and there.received == []


def test_result_names_members_and_hides_guests(book, club, there):
    send_to(book, club, there.address)
    guests = {"gast": "Gerda"}
    placed = (Placed("gast", None, 1, 9), Placed("anna", None, 2, 8))
    clubs.write(book, club, EnterResult(BESIDE, "making_profit", placed, guests=guests), by="olga", key=key())
    assert send(book) == 1 and "Gerda" not in there.received[0].body.decode()
    assert "guest" in texts(there)[0] and "Anna" in texts(there)[0]


def test_closed_game_of_a_club_sends_its_result(book, club, there):
    send_to(book, club, there.address)
    game = open_club_game(book, club, ("anna", "ben", "cleo"), by="sam")
    note(book)
    play(book, game, 1_000, seed=1, close=True)
    rebuild_read_models(book)
    note(book)
    make_due(book)
    assert send(book) >= 1 and len(there.received) == 1 and texts(there)[0].startswith("The Mill: Making Profit: ")


def test_chat_has_results_after_the_delay_of_the_league(book, club, there, monkeypatch):
    clubs.write(book, club, FoundLeague("Mills", ("making_profit",), 600), by="olga", key=key())
    send_to(book, club, there.address)
    opened = season(book, club)
    draw(book, club, opened, (1,), [Fixture("1", 1, ("anna", "ben", "cleo"))])
    game = open_club_game(book, club, ("anna", "ben", "cleo"), opened, "1", by="sam")
    note(book)
    play(book, game, 1_000, seed=1, close=True)
    rebuild_read_models(book)
    note(book)
    later = {minutes: later_time(now(), seconds=60 * minutes) for minutes in (8, 12)}
    waiting = sa.select(kept_message.c.due).where(
        kept_message.c.occasion == "result", kept_message.c.state == "waiting"
    )
    (due,) = book.kept.engine.values(waiting)
    assert later[8] < due < later[12]
    make_due(book)
    monkeypatch.setattr(outbox, "now", lambda: later[12])
    monkeypatch.setattr(results, "now", lambda: later[12])
    send(book)
    assert any("Making Profit: " in text for text in texts(there))


def test_corrected_result_edits_the_message_where_possible(book, club, there):
    send_to(book, club, there.address, "discord")
    there.answer = b'{"id": "123456"}'
    type_result(book, club, "anna", "ben")
    send(book)
    table = book.clubs.get(club).beside.tables
    type_result(book, club, "ben", "anna", table=next(iter(table)))
    send(book)
    first, second = there.received
    assert (first.method, second.method) == ("POST", "PATCH") and second.path.endswith("/messages/123456")
    assert first.path.endswith("?wait=true") and first.said["allowed_mentions"] == {"parse": []}
    assert second.said["content"].index("Ben") < second.said["content"].index("Anna")


def test_result_whose_message_was_deleted_is_sent_again(book, club, there):
    send_to(book, club, there.address, "discord")
    there.answer = b'{"id": "123456"}'
    type_result(book, club, "anna", "ben")
    send(book)
    type_result(book, club, "ben", "anna", table=next(iter(book.clubs.get(club).beside.tables)))
    note(book)
    (message,) = outbox.messages_due(book)
    there.status = 404
    outbox.send_message(book, message, message_writer(lambda: book))
    there.status = 200
    assert send(book) == 1 and webhooks.webhook_of(book, club).off_why is None
    assert [received.method for received in there.received] == ["POST", "PATCH", "POST"]


def test_new_webhook_edits_no_message_of_the_earlier_one(book, club, there):
    send_to(book, club, there.address, "discord")
    there.answer = b'{"id": "123456"}'
    type_result(book, club, "anna", "ben")
    send(book)
    send_to(book, club, there.address, "discord")
    type_result(book, club, "ben", "anna", table=next(iter(book.clubs.get(club).beside.tables)))
    send(book)
    assert [received.method for received in there.received] == ["POST", "POST"]


@pytest.mark.parametrize("status", [500, 429, 302])
def test_failed_message_is_retried_with_the_same_id(book, club, there, status):
    send_to(book, club, there.address)
    there.status, there.headers = status, {"Retry-After": "120", "Location": there.address}
    plan(book, club)
    assert send(book) == 1 and outbox.messages_due(book) == []
    row = book.kept.engine.row(sa.select(kept_message).where(kept_message.c.attempts == 1))
    assert row.state == "waiting" and row.answer.startswith(str(status)) and row.due > later_time(now(), seconds=100)
    assert webhooks.webhook_of(book, club).failing_since is not None
    there.status = 204
    book.kept.engine.write(kept_message.update().where(kept_message.c.attempts == 1).values(due=now()))
    assert send(book) == 1
    assert len({received.headers["webhook-id"] for received in there.received}) == 1
    assert webhooks.webhook_of(book, club).failing_since is None


def test_receiver_that_fails_for_three_days_is_switched_off(book, club, there):
    send_to(book, club, there.address)
    there.status = 500
    plan(book, club)
    send(book)
    long_ago = later_time(now(), hours=-outbox.GIVE_UP_HOURS - 1)
    book.kept.engine.write(kept_webhook.update().values(failing_since=long_ago))
    make_due(book)
    send(book)
    assert webhooks.webhook_of(book, club).off_why.startswith("500") and outbox.messages_due(book) == []
    there.status = 200
    plan(book, club)
    assert send(book) == 0
    webhooks.change_webhook(book, club, "en", CHOSEN_BY_CLUBS)
    plan(book, club)
    assert send(book) == 1


def test_receiver_that_is_gone_is_switched_off_at_once(book, club, there):
    send_to(book, club, there.address)
    there.status = 410
    plan(book, club)
    send(book)
    assert webhooks.webhook_of(book, club).off_why.startswith("410")


def test_slow_receiver_is_ended_after_five_seconds(book, club, there):
    send_to(book, club, there.address)
    there.answer, there.delay_seconds = b"x" * 600, 0.1
    plan(book, club)
    began = time.monotonic()
    send(book)
    assert time.monotonic() - began < webhooks.TIMEOUT_SECONDS + 3
    assert states(book)[0][1] in ("waiting", "sent")


@pytest.mark.parametrize(
    ("kind", "address", "fault"),
    [
        ("standard", "http://example.org/x", "not_https"),
        ("standard", "https://127.0.0.1/x", "private"),
        ("standard", "https://[::1]/x", "private"),
        ("standard", "https://10.1.2.3/x", "private"),
        ("standard", "https://[64:ff9b::a00:1]/x", "private"),
        ("standard", "https://user:pw@example.org/x", "no_address"),
        ("standard", "ftp://example.org", "no_address"),
        ("standard", "https://example.org/\r\nHost: a", "no_address"),
        ("discord", "https://discord.com.example.org/api/webhooks/1/a", "not_discord"),
        ("discord", "https://discord.com/api/users", "not_discord"),
        ("slack", "https://hooks.slack.com.example.org/x", "not_slack"),
    ],
)
def test_unsafe_address_is_refused(kind, address, fault):
    with pytest.raises(BadAddressError) as refused:
        webhooks.check_address(kind, address, allows_private=False)
    assert refused.value.key == fault


def test_name_that_leads_into_a_private_network_is_refused_when_sending(book, club):
    sealed = webhooks.Sealed("https://localhost/x", "whsec_" + base64.b64encode(b"k" * 32).decode())
    message = webhooks.OutgoingMessage("msg_1", "test", now(), "The Mill", "hello")
    answer = webhooks.post_message("standard", sealed, message, allows_private=False)
    assert answer.status == 0 and "private network" in answer.text


def test_address_is_stored_encrypted_and_ends_with_the_secret(book, club, there):
    send_to(book, club, there.address)
    stored = book.kept.engine.value(sa.select(kept_webhook.c.sealed))
    assert b"hook" not in bytes(stored)
    assert webhooks.secrets_of(book, club).address == there.address
    book.kept.engine.write(kept_webhook.update().values(sealed=bytes(stored)[:-1] + b"\0"))
    assert webhooks.secrets_of(book, club) is None
    plan(book, club)
    send(book)
    assert webhooks.webhook_of(book, club).off_why == "secret" and there.received == []


def test_season_draw_and_close_are_announced(book, club, there):
    note(book)
    send_to(book, club, there.address)
    opened = season(book, club)
    assert send(book) == 1 and texts(there) == ["The Mill: the season Season 1 is open."]
    draw(book, club, opened, [1], [Fixture("1", 1, ("anna", "ben", "cleo"))])
    send(book)
    assert texts(there)[1:] == ["The Mill, Season 1: round 1 is drawn.\nRound 1, table 1: Anna, Ben and Cleo"]
    placed = tuple(Placed(person, None, place) for place, person in enumerate(("ben", "anna", "cleo"), 1))
    clubs.write(book, club, EnterResult(opened, "making_profit", placed, "1"), by="olga", key=key())
    clubs.write(book, club, CloseSeason(opened), by="olga", key=key())
    send(book)
    assert texts(there)[2:] == [
        "Season 1: Making Profit: Ben before Anna and Cleo",
        "The Mill: the season Season 1 is over. It was won by Ben.",
    ]


def date_round(book: Daybook, club: UUID, days: int) -> str:
    day = later_time(now(), days=days)[:10]
    clubs.write(book, club, SetRoundDeadline("1", 1, day), by="olga", key=key())
    return day


@pytest.mark.both_databases
def test_round_is_reminded_of_once_before_its_end(book, club, there):
    send_to(book, club, there.address)
    season(book, club)
    draw(book, club, "1", [1], [Fixture("1", 1, ("anna", "ben", "cleo"))])
    assert send(book) == 2
    date_round(book, club, 9)
    moved = date_round(book, club, 12)
    date_round(book, club, 9)
    day = date_round(book, club, 12)
    assert day == moved and send(book) == 0
    due = f"{later_time(now(), days=10)[:10]}T10:00:00.000Z"
    query = sa.select(kept_message.c.state).where(kept_message.c.occasion == "round_ends", kept_message.c.due == due)
    assert sorted(book.kept.engine.values(query)) == ["dropped", "waiting"]
    make_due(book)
    send(book)
    (text,) = texts(there)[2:]
    assert text.startswith("The Mill, Season 1: round 1 ends on ") and "Anna" in text
    rebuild_read_models(book)
    assert send(book) == 0


def test_played_removed_or_near_round_sends_no_reminder(book, club, there):
    send_to(book, club, there.address)
    season(book, club)
    draw(book, club, "1", [1], [Fixture("1", 1, ("anna", "ben", "cleo"))])
    send(book)
    date_round(book, club, 1)
    assert send(book) == 0 and "round_ends" not in dict(states(book))
    date_round(book, club, 9)
    clubs.write(book, club, SetRoundDeadline("1", 1), by="olga", key=key())
    note(book)
    make_due(book)
    sent = len(there.received)
    send(book)
    assert len(there.received) == sent
    date_round(book, club, 9)
    placed = tuple(Placed(person, seat, seat + 1) for seat, person in enumerate(("anna", "ben", "cleo")))
    clubs.write(book, club, EnterResult("1", "making_profit", placed, "1"), by="olga", key=key())
    make_due(book)
    send(book)
    assert not any("ends on" in text for text in texts(there))


def test_new_webhook_reminds_of_a_round_with_a_day(book, club, there):
    season(book, club)
    draw(book, club, "1", [1], [Fixture("1", 1, ("anna", "ben", "cleo"))])
    date_round(book, club, 9)
    note(book)
    send_to(book, club, there.address)
    for _ in range(2):
        outbox.note_reminders(book, book.clubs.get(club))
    assert [occasion for occasion, _ in states(book)].count("round_ends") == 1


@pytest.mark.both_databases
def test_entries_noted_together_are_sent_in_their_order(book, club, there):
    send_to(book, club, there.address)
    opened = season(book, club)
    draw(book, club, opened, [1], [Fixture("1", 1, ("anna", "ben", "cleo"))])
    note(book)
    first, due = kept_message.c.occasion == "season_opened", book.kept.engine.value(sa.select(kept_message.c.due))
    for moved in (later_time(due, hours=1), due):  # the row is now the last one of this time in the table and its index
        book.kept.engine.write(kept_message.update().where(first).values(due=moved))
    assert send(book) == 2
    assert ["is open" in text for text in texts(there)] == [True, False]


def test_many_messages_of_one_club_wait_for_the_hour(book, club, there):
    send_to(book, club, there.address)
    for _ in range(outbox.MAX_PER_HOUR + 2):
        outbox.note_test(book, club, key())
    assert send(book) == outbox.MAX_PER_HOUR + 2 and len(there.received) == outbox.MAX_PER_HOUR
    assert [state for _, state in states(book)].count("waiting") == 2


def review_year(book, club):
    catch_up(book)
    year_reviews.review_club(book, club)


def type_on(book, club, day, *people):
    placed = tuple(Placed(person, None, place) for place, person in enumerate(people, 1))
    command = EnterResult(BESIDE, ":Azul", placed, ended_at=f"{day}T10:00:00.000Z")
    clubs.write(book, club, command, by="olga", key=key())


@pytest.mark.both_databases
def test_year_in_review_is_sent_once_every_january(book, club, there):
    type_on(book, club, "2025-05-02", "anna", "ben")
    review_year(book, club)
    send_to(book, club, there.address)
    note(book)
    for at in (
        "2025-12-31T23:59:00.000Z",
        "2026-01-02T11:59:00.000Z",
        "2026-01-07T12:00:00.000Z",
        "2026-02-02T12:00:00.000Z",
    ):
        outbox.note_year_reviews(book, at)
    assert states(book) == []
    for at in ("2026-01-02T12:00:00.000Z", "2026-01-02T12:00:10.000Z", "2026-01-06T12:00:00.000Z"):
        outbox.note_year_reviews(book, at)
    assert send(book) == 1 and states(book) == [("year_in_review", "sent")]
    rebuild_read_models(book)
    outbox.note_year_reviews(book, "2026-01-06T12:00:00.000Z")
    assert send(book) == 0
    (received,) = there.received
    text = received.said["data"]["text"]
    assert "2025 in review. 1 play, 1 game, 2 people. Game of the year: Azul." in text and "Anna" in text
    assert received.said["type"] == "year.in_review"


def test_year_in_review_is_not_sent_for_imports_or_copies(book, club, there):
    send_to(book, club, there.address)
    players = (Player("Anna", score=3), Player("Ben", score=2))
    play = Play("1", "2025-05-02", PlayedGame("Azul"), players)
    command = ImportPlays("csv", (play,), {"Anna": "anna", "Ben": "ben"}, {})
    clubs.write(book, club, command, by="olga", key=key())
    review_year(book, club)
    note(book)
    outbox.note_year_reviews(book, "2026-01-03T12:00:00.000Z")
    assert year_reviews.find_review(book, book.clubs.get(club), "2025").live == 0
    assert states(book) == []
    type_on(book, club, "2025-06-02", "anna", "ben")
    review_year(book, club)
    note(book)
    book.kept.engine.write(kept_outbox.update().values(instance="another machine"))
    outbox.note_year_reviews(book, "2026-01-03T12:00:00.000Z")
    assert states(book) == []


def test_year_in_review_names_no_guest_and_no_place(book, club, there):
    placed = (Placed("gast", None, 1), Placed("anna", None, 2))
    day, details = "2025-05-02T10:00:00.000Z", PlayDetails(place="12 Mill Street")
    command = EnterResult(BESIDE, ":Azul", placed, ended_at=day, details=details, guests={"gast": "Gast"})
    clubs.write(book, club, command, by="olga", key=key())
    review_year(book, club)
    send_to(book, club, there.address)
    note(book)
    outbox.note_year_reviews(book, "2026-01-03T12:00:00.000Z")
    assert send(book) == 1
    (text,) = texts(there)
    assert "Gast" not in text and "Mill Street" not in text and "a guest" in text
