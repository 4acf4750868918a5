"""Messages to members by mail, with a real mail server."""

from __future__ import annotations

import msgspec
import pytest
import sqlalchemy as sa

from daybook.domain.league.club_commands import (
    AnswerEvening,
    CallOffEvening,
    ChangeClubSettings,
    DissolveClub,
    EndMembership,
    EnterResult,
    ImportPlays,
    SetEveningTables,
)
from daybook.domain.league.club_events import EveningTable
from daybook.domain.league.plays import Play, PlayedGame, Player
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import Fixture
from daybook.services.clock import now
from daybook.services.following.projections import rebuild_read_models
from daybook.services.league import anonymity, clubs
from daybook.services.limits import LimitExceededError
from daybook.services.messages import choices, mail, outbox
from daybook.services.messages.occasions import CHOSEN_BY_PEOPLE
from daybook.services.people import mail_addresses
from daybook.services.settings import BadSettingError, read_settings
from daybook.services.store.kept import kept_mail, kept_message, kept_outbox
from tests.mail_server import mail_server, use_mail
from tests.played import key
from tests.receivers import receiver
from tests.services.clubbing import account
from tests.services.leagues import draw, found_mill, join, season
from tests.services.messages.test_outbox import make_due, plan, send, send_to

pytestmark = pytest.mark.sqlite_suffices
ANNA, BEN = "anna@example.org", "Ben@example.org"


@pytest.fixture
def server():
    with mail_server() as server:
        yield server


@pytest.fixture
def club(book, server):
    use_mail(book.settings, server)
    club = found_mill(book)
    outbox.note_messages(book)
    return club


def give_address(book, person, address, language="en"):
    given = mail_addresses.set_address(book, person, address, language)
    mail_addresses.confirm(book, given)
    return given


@pytest.mark.both_databases
def test_only_confirmed_addresses_of_members_get_mail(book, club, server):
    give_address(book, "anna", ANNA)
    mail_addresses.set_address(book, "ben", BEN, "en")
    give_address(book, account(book, "Eve"), "eve@example.org")
    plan(book, club)
    assert send(book) == 1
    (mail,) = server.delivered
    assert mail.to == ANNA and mail.message["Subject"].startswith("The Mill meets on ") and "Street" not in mail.text
    assert mail.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    evening, stop = mail.links
    assert evening == f"/clubs/{club}/evenings/1" and mail.message["List-Unsubscribe"].endswith(f"{stop}>")
    assert ANNA.encode() not in bytes(book.kept.engine.value(sa.select(kept_mail.c.sealed)))


def test_people_choose_by_occasion_and_stop_with_one_key(book, club, server):
    anna, ben = give_address(book, "anna", ANNA), give_address(book, "ben", BEN, "ko")
    choices.choose(book, "anna", "mail", ["evening_called_off"])
    plan(book, club)
    send(book)
    assert [mail.to for mail in server.delivered] == [BEN] and "The Mill" in server.delivered[0].text
    key_of_ben = mail_addresses.key_of(book, mail_addresses.STOP, ben.id)
    assert mail_addresses.find_by_key(book, mail_addresses.STOP, key_of_ben).person == "ben"
    for forged in (ben.id, key_of_ben[:-1], mail_addresses.key_of(book, mail_addresses.CONFIRM, anna.id)):
        assert mail_addresses.find_by_key(book, mail_addresses.STOP, forged) is None
    choices.choose(book, "ben", "mail", ())
    clubs.write(book, club, CallOffEvening("1", "ill"), by="olga", key=key())
    send(book)
    assert [mail.to for mail in server.delivered[1:]] == [ANNA]


def test_those_who_decline_are_not_reminded(book, club, server):
    for person, address in (("anna", ANNA), ("ben", BEN)):
        give_address(book, person, address)
    plan(book, club)
    send(book)
    clubs.write(book, club, AnswerEvening("1", "no"), by="ben", key=key())
    make_due(book)
    send(book)
    assert [mail.to for mail in server.delivered[2:]] == [ANNA]


def test_players_hear_of_their_own_tables(book, club, server):
    give_address(book, "anna", ANNA)
    give_address(book, "dan", "dan@example.org")
    plan(book, club)
    tables = (EveningTable("", ("anna", "ben")), EveningTable("making_profit", ("cleo", "dan")))
    clubs.write(book, club, SetEveningTables("1", tables), by="olga", key=key())
    draw(book, club, season(book, club), [1], [Fixture("1", 1, ("anna", "ben", "cleo"))])
    make_due(book)
    choices.choose(book, "anna", "mail", ["tables_drawn", "round_drawn"])
    choices.choose(book, "dan", "mail", ["tables_drawn", "round_drawn"])
    send(book)
    make_due(book)
    send(book)
    told = [mail.text.partition("\n\n")[0].splitlines()[1:] for mail in server.to(ANNA)]
    assert sorted(told) == [["Round 1, table 1: Anna, Ben and Cleo"], ["Table 1: Anna and Ben"]]
    (only,) = server.to("dan@example.org")
    assert "Table 2: Cleo and Dan (Making Profit)" in only.text and "Anna" not in only.text


@pytest.mark.parametrize(("answer", "state"), [("451 try later", "waiting"), ("550 no such user", "failed")])
def test_refused_mail_is_retried_or_switches_the_address_off(book, club, server, answer, state):
    give_address(book, "anna", ANNA)
    server.answer = answer
    plan(book, club)
    assert send(book) == 1
    row = book.kept.engine.row(sa.select(kept_message).where(kept_message.c.attempts == 1))
    assert row.state == state and row.answer.startswith(answer[:3])
    assert mail_addresses.address_of(book, "anna").is_active == (state == "waiting")
    server.answer = "250 OK"
    make_due(book)
    assert send(book) == (3 if state == "waiting" else 2)
    ids = [mail.message["Message-ID"] for mail in server.delivered]
    assert len(set(ids)) == len(ids) == (2 if state == "waiting" else 0)
    if state == "waiting":
        assert f"<{row.id}@daybook.example.org>" in ids


@pytest.mark.both_databases
def test_rebuild_copy_and_import_send_no_mail(book, club, server):
    give_address(book, "anna", ANNA)
    choices.choose(book, "anna", "mail", CHOSEN_BY_PEOPLE)
    players = (Player("Anna", score=3), Player("Ben", score=2))
    plays = tuple(Play(str(n), now()[:10], PlayedGame("Azul"), players) for n in range(3_000))
    command = ImportPlays("csv", plays, {"Anna": "anna", "Ben": "ben"}, {})
    clubs.write(book, club, command, by="olga", key=key())
    assert send(book) == 0
    plan(book, club)
    outbox.note_messages(book)
    rebuild_read_models(book)
    book.kept.engine.write(kept_outbox.update().values(instance="another machine"))
    assert send(book) == 0 and server.delivered == []
    outbox.permit_sending(book)
    assert send(book) == 0 and server.delivered == []


def test_reported_result_asks_only_the_other_players(book, club, server):
    for person in ("anna", "ben", "cleo", "dan"):
        give_address(book, person, f"{person}@example.org")
    opened = season(book, club)
    draw(book, club, opened, [1], [Fixture("1", 1, ("anna", "ben", "cleo"))])
    make_due(book)
    send(book)
    sent = len(server.delivered)
    settings = msgspec.structs.replace(book.clubs.get(club).settings, members_may=("report_results",))
    clubs.write(book, club, ChangeClubSettings(settings), by="olga", key=key())
    placed = tuple(Placed(person, None, place) for place, person in enumerate(("ben", "anna", "cleo"), 1))
    clubs.write(book, club, EnterResult(opened, "making_profit", placed, "1"), by="anna", key=key())
    make_due(book)
    send(book)
    asked = server.delivered[sent:]
    assert sorted(mail.to for mail in asked) == ["ben@example.org", "cleo@example.org"]
    assert all("confirm the result" in mail.text for mail in asked)


def test_limits_hold_for_one_address(book, club):
    for _ in range(mail_addresses.MAX_PER_ADDRESS_AND_DAY):
        mail_addresses.count_mail(book, ANNA)
    with pytest.raises(LimitExceededError):
        mail_addresses.set_address(book, "ben", ANNA.upper(), "en")


@pytest.mark.parametrize(
    ("values", "variable"),
    [
        ({"smtp_url": "http://host"}, "DAYBOOK_SMTP_URL"),
        ({"smtp_url": "smtp://host", "base_url": "https://a.example"}, "DAYBOOK_MAIL_SENDER"),
        ({"smtp_url": "smtp://host", "mail_sender": "a@b.example"}, "DAYBOOK_BASE_URL"),
        ({"smtp_url": "smtp://host", "mail_sender": "a b@c"}, "DAYBOOK_MAIL_SENDER"),
    ],
)
def test_unusable_mail_settings_are_refused(values, variable):
    with pytest.raises(BadSettingError) as wrong:
        read_settings({}, **values)
    assert wrong.value.variable == variable


def test_organisers_hear_of_a_chat_that_is_gone(book, club, server):
    give_address(book, "olga", "olga@example.org")
    give_address(book, "anna", ANNA)
    object.__setattr__(book.settings, "webhooks_to_private_networks", True)
    with receiver() as chat:
        chat.status = 410
        send_to(book, club, chat.address)
        choices.choose(book, "olga", "mail", ["webhook_off"])
        plan(book, club)
        send(book)
    assert [mail.text.partition("\n")[0] for mail in server.to("olga@example.org")] == [
        "The Mill: messages no longer reach the chat."
    ]
    assert all("no longer" not in mail.text for mail in server.to(ANNA))


@pytest.mark.parametrize(("password", "status"), [("p%40ss", 250), ("wrong", 0)])
def test_daybook_signs_in_to_the_mail_server(settings, monkeypatch, password, status):
    monkeypatch.setattr(mail, "TIMEOUT_SECONDS", 1.0)  # a refused password is answered late
    with mail_server(password="p@ss") as server:
        use_mail(settings, server)
        object.__setattr__(settings, "smtp_url", server.url.replace("//", f"//daybook:{password}@"))
        answer = mail.send_mail(settings, mail.Mail("msg_1", ANNA, "안녕하세요"))
        assert answer.status == status and "p@ss" not in answer.text
        assert [delivered.message["Subject"] for delivered in server.delivered] == ["안녕하세요"] * (status == 250)


def leave(book, club, person):
    clubs.write(book, club, EndMembership(person, "moved"), by="olga", key=key())


def dissolve(book, club, person):
    clubs.write(book, club, DissolveClub("over"), by="olga", key=key())


def make_anonymous(book, club, person):
    anonymity.make_anonymous(book, person, by=person)


@pytest.mark.parametrize("end", [leave, dissolve, make_anonymous])
def test_waiting_mail_ends_with_membership_club_and_account(book, club, server, end):
    person = account(book, "Nia")
    join(book, club, person, by="olga")
    give_address(book, person, ANNA)
    plan(book, club)
    outbox.note_messages(book)
    end(book, club, person)
    make_due(book)
    send(book)
    assert server.delivered == []
    if end is make_anonymous:
        assert mail_addresses.address_of(book, person) is None
        assert book.kept.engine.row(sa.select(kept_message).where(kept_message.c.person == person)) is None


def test_own_log_sends_no_messages(book, club, server):
    person = account(book, "Nia")
    give_address(book, person, ANNA)
    choices.choose(book, person, "mail", CHOSEN_BY_PEOPLE)
    log = clubs.found_own_log(book, "My plays", person)
    placed = (Placed(person, None, 1), Placed("gast", None, 2))
    clubs.write(book, log, EnterResult("", ":Azul", placed, guests={"gast": "Gerda"}), by=person, key=key())
    assert send(book) == 0 and server.delivered == []
