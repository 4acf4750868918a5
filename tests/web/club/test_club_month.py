"""A month of a club, with real receivers: a chat, a feed reader, a mail server and a push service.

Each receiver fails once. In the end nothing is missing, repeated attempts have the same id, and nothing reached anyone
whom it does not concern.
"""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree as ET

import msgspec
import pytest
import sqlalchemy as sa

from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.league.club_commands import (
    AcceptResult,
    AnswerEvening,
    CallOffEvening,
    ChangeClubSettings,
    CloseSeason,
    EnterPlayers,
    EnterResult,
    OpenSeason,
    PlanEvening,
    PostponeTable,
    SeatSubstitute,
    SetEveningTables,
    SetRoundDeadline,
)
from daybook.domain.league.club_events import BESIDE, EveningTable
from daybook.domain.league.results import Placed
from daybook.domain.league.seasons import DEFAULTS, Entrant
from daybook.services.clock import later_time, now
from daybook.services.disputes import claims, umpires
from daybook.services.following.projections import rebuild_read_models
from daybook.services.league import calendars, clubs, evening_reviews
from daybook.services.messages import choices, outbox, push, webhooks
from daybook.services.messages.occasions import CHOSEN_BY_CLUBS
from daybook.services.people import accounts, mail_addresses
from daybook.services.store.kept import kept_message
from tests.mail_server import mail_server, use_mail
from tests.played import key, play
from tests.push_browser import PushBrowser
from tests.receivers import receiver
from tests.services.clubbing import open_club_game
from tests.services.disputes.test_claims import rule_on
from tests.services.files.test_disagreements import catch_up
from tests.services.messages.test_outbox import make_due, send
from tests.web.club.test_feeds import ATOM, titles
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand

pytestmark = [pytest.mark.sqlite_suffices, pytest.mark.slow]

SECRETS = ("Gerda", "Mill Street", "disputed", "claim", "one coin too many")


class Month:
    """The club and its receivers."""

    def __init__(self, mill: ClubAtHand, chat, phone, server) -> None:
        self.mill, self.book, self.chat, self.phone, self.server = mill, mill.book, chat, phone, server
        object.__setattr__(self.book.settings, "webhooks_to_private_networks", True)
        use_mail(self.book.settings, server)
        self.anna, self.ben, self.cleo = (mill.member(name) for name in ("Anna", "Ben", "Cleo"))
        self.eve = accounts.make_account(self.book, "Eve", sign_in="eve", password="a bag of green certificates")
        outbox.note_messages(self.book)
        webhooks.save_webhook(self.book, mill.id, "standard", chat.address, "en", CHOSEN_BY_CLUBS)
        for person in (self.anna, self.cleo, self.eve):
            mail_addresses.confirm(
                self.book, mail_addresses.set_address(self.book, person, f"{person}@example.org", "en")
            )
        choices.choose(self.book, self.cleo, "mail", ())
        session = accounts.session_of(self.book, accounts.begin_session(self.book, self.ben, "Firefox"))
        self.browser = PushBrowser(phone.address)
        push.subscribe(self.book, self.ben, session.id, self.browser.subscription, "Firefox", "en")

    def do(self, person, *commands) -> None:
        """Write commands, and send what they cause."""
        for command in commands:
            clubs.write(self.book, self.mill.id, command, by=person, key=key())
        self.send()

    def send(self) -> None:
        catch_up(self.book)
        while outbox.note_messages(self.book):
            pass
        make_due(self.book)
        send(self.book)

    def occasions(self, ids) -> Counter[str]:
        """Count the occasions of messages; each id counts once."""
        query = sa.select(kept_message.c.occasion).where(kept_message.c.id.in_({*ids}))
        return Counter(self.book.kept.engine.values(query))

    @property
    def to_chat(self) -> Counter[str]:
        return self.occasions(received.headers["webhook-id"] for received in self.chat.received)

    def to_mail(self, person) -> Counter[str]:
        mails = self.server.to(f"{person}@example.org")
        return self.occasions(mail.message["Message-ID"].strip("<>").partition("@")[0] for mail in mails)

    @property
    def to_phone(self) -> Counter[str]:
        return self.occasions(f"msg_{received.headers['Topic']}" for received in self.phone.received)


@pytest.fixture
def month(mill: ClubAtHand):
    with receiver() as chat, receiver() as phone, mail_server() as server:
        yield Month(mill, chat, phone, server)


def test_month_of_a_club_reaches_everyone_concerned(month: Month, app):
    mill, book, olga = month.mill, month.book, month.mill.olga
    anna, ben, cleo = month.anna, month.ben, month.cleo

    # an evening is planned, and no receiver answers at first
    month.chat.status, month.phone.status, month.server.answer = 500, 500, "451 later"
    mill.by_olga(PlanEvening(later_time(now(), hours=24 * 9), "12 Mill Street", chairs=2))
    catch_up(book)
    send(book)
    assert [len(month.chat.received), len(month.phone.received), len(month.server.delivered)] == [1, 1, 0]
    month.chat.status, month.phone.status, month.server.answer = 200, 201, "250 OK"
    month.do(anna, AnswerEvening("1", "yes"))
    month.do(ben, AnswerEvening("1", "yes"))
    month.do(cleo, AnswerEvening("1", "yes"))
    month.do(anna, AnswerEvening("1", "no"))  # Cleo, who waited, gets the chair
    tables = (EveningTable(":Azul", (ben, cleo)),)
    month.do(olga, SetEveningTables("1", tables))

    # tonight: two games, one with a guest
    mill.by_olga(PlanEvening(later_time(now(), hours=0.1), "12 Mill Street"))
    guests = mill.guests("Gerda")
    game = open_club_game(book, mill.id, (anna, ben, cleo), by=olga)
    play(book, game, 20)
    umpires.name_umpire(book, game, "Uli", by="scorekeeper", key=key())
    decided = [entry for entry in book.games.get(game).entries if isinstance(entry.event, DecisionRecorded)]
    step = next(entry.step for entry in decided if entry.event.seat == 0)
    claim = claims.raise_claim(book, game, step, "one coin too many", seat=1, by="seat:1", key=key()).step
    month.send()
    rule_on(book, game, claim)
    month.send()
    placed = (Placed(anna, None, 1, 9), Placed(*guests, None, 2, 8))
    month.do(olga, EnterResult(BESIDE, ":Azul", placed, guests=guests))
    rebuild_read_models(book)
    outbox.note_evening_reviews(book, evening_reviews.latest_time(mill.club, mill.club.evenings["2"]))
    month.send()

    # a season
    settings = msgspec.structs.replace(mill.club.settings, members_may=("report_results",))
    form = msgspec.structs.replace(DEFAULTS["rounds"], rounds=1, table_sizes=(3,))
    mill.by_olga(ChangeClubSettings(settings))
    mill.by_olga(OpenSeason("1", "Autumn", form))
    mill.by_olga(EnterPlayers("1", tuple(map(Entrant, (anna, ben, cleo))), {}))
    mill.draw()
    month.send()
    month.do(olga, SetRoundDeadline("1", 1, later_time(now(), days=9)[:10]))
    month.do(olga, PostponeTable("1", "1", later_time(now(), days=8), "snow"))
    month.do(olga, SeatSubstitute("1", "1", cleo, olga, "ill"))
    placed = tuple(Placed(person, None, place) for place, person in enumerate((ben, anna, olga), 1))
    month.do(anna, EnterResult("1", "making_profit", placed, "1"))
    month.do(ben, AcceptResult("1", "1", "yes"))
    month.do(olga, CloseSeason("1"))
    month.do(olga, PlanEvening(later_time(now(), hours=60)))
    month.do(olga, CallOffEvening("3", "ill"))

    assert month.to_chat == Counter(
        evening_planned=3,
        evening_in_a_week=1,
        evening_tomorrow=2,
        place_free=1,
        tables_drawn=1,
        result=2,
        evening_review=1,
        season_opened=1,
        round_drawn=1,
        round_ends=1,
        table_postponed=1,
        substitute_named=1,
        season_closed=1,
        evening_called_off=1,
    )
    every_member = Counter(evening_planned=3, evening_tomorrow=2, evening_called_off=1)
    every_member += Counter(round_drawn=1, round_ends=1, table_postponed=1, substitute_named=1)
    assert month.to_mail(anna) == every_member + Counter(claim=1, claim_ruled=1)
    assert month.to_phone == every_member + Counter(tables_drawn=1, result_to_confirm=1, claim_ruled=1)
    assert not month.to_mail(cleo) and not month.to_mail(month.eve)

    # nothing is there twice, except what was tried again with the same id
    tried = Counter(received.headers["webhook-id"] for received in month.chat.received)
    assert [tried[received.headers["webhook-id"]] for received in month.chat.received[:1]] == [2]
    assert sorted(tried.values())[:-1] == [1] * (len(tried) - 1)
    ids = [mail.message["Message-ID"] for mail in month.server.delivered]
    assert len(ids) == len({*ids})
    shown = [month.browser.read(received.body) for received in month.phone.received]
    assert Counter(Counter(message["id"] for message in shown).values()) == Counter({1: len(shown) - 2, 2: 1})

    # the feed has the same news for a member, with ids that stay
    member, feed = Visitor(app), f"{mill.path}/feed.atom?key={calendars.make_key(book, anna, by=anna)}"
    content = member.client.get(feed).data
    entries = [entry.findtext(f"{ATOM}id") for entry in ET.fromstring(content).iter(f"{ATOM}entry")]
    assert len(entries) == len({*entries}) == 8 and "The Mill: the season Autumn is open." in titles(member, feed)
    rebuild_read_models(book)
    again = member.client.get(feed).data
    assert [entry.findtext(f"{ATOM}id") for entry in ET.fromstring(again).iter(f"{ATOM}entry")] == entries

    # no guest, no street and no claim in a public channel
    public = [received.body.decode() for received in month.chat.received] + [content.decode()]
    assert not [secret for secret in SECRETS for text in public if secret in text]
    private = [mail.text for mail in month.server.delivered] + list(map(str, shown))
    assert not [secret for secret in ("Gerda", "Mill Street", "one coin") for text in private if secret in text]
    before = len(month.chat.received), len(month.phone.received), len(month.server.delivered)
    month.send()
    assert (len(month.chat.received), len(month.phone.received), len(month.server.delivered)) == before
