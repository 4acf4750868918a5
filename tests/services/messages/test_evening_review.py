"""The evening in review: sent once, when the evening is over."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from daybook.domain.league.club_commands import EnterResult, ImportPlays, PlanEvening, SetTimeZone
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.plays import Play, PlayedGame, Player
from daybook.domain.league.results import Placed
from daybook.services import days
from daybook.services.clock import later_time, now
from daybook.services.following.projections import rebuild_read_models
from daybook.services.league import clubs, evening_plans, evening_reviews
from daybook.services.messages import outbox
from daybook.services.store.kept import kept_message, kept_outbox
from tests.played import key
from tests.receivers import receiver
from tests.services.clubbing import open_club_game
from tests.services.leagues import found_mill
from tests.services.messages.test_outbox import plan, send, send_to, texts, type_result

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def there():
    with receiver() as there:
        yield there


@pytest.fixture
def club(book, there):
    object.__setattr__(book.settings, "webhooks_to_private_networks", True)
    club = found_mill(book)
    zone = "Asia/Seoul" if now()[11:] < "12" else "Africa/Abidjan"  # six in the morning is hours away
    clubs.write(book, club, SetTimeZone(zone), by="olga", key=key())
    outbox.note_messages(book)
    send_to(book, club, there.address)
    return club


def in_hours(hours: float) -> str:
    return later_time(now(), hours=hours)


def reviews(book) -> list[str]:
    query = sa.select(kept_message.c.state).where(kept_message.c.occasion == "evening_review")
    return [*book.kept.engine.values(query)]


def play_game(book, club) -> None:
    """Type two results by hand, with a guest."""
    type_result(book, club, "anna", "ben")
    placed = (Placed("anna", None, 1, 9), Placed("gast", None, 2, 8))
    clubs.write(book, club, EnterResult(BESIDE, ":Azul", placed, guests={"gast": "Gerda"}), by="olga", key=key())
    rebuild_read_models(book)


@pytest.mark.both_databases
def test_review_is_sent_once_an_hour_after_the_last_tap(book, club, there):
    plan(book, club, hours=0.1)
    play_game(book, club)
    send(book)
    there.received.clear()
    for hours in (0.2, 0.9):
        outbox.note_evening_reviews(book, in_hours(hours))
    assert reviews(book) == []
    for hours in (1.2, 1.3, 30):
        outbox.note_evening_reviews(book, in_hours(hours))
    assert send(book) == 1 and reviews(book) == ["sent"]
    (text,) = texts(there)
    assert (
        "2 plays, 3 people" in text and "Making Profit: Anna before Ben" in text and "Most wins: Anna with 2." in text
    )
    assert "Azul: Anna before a guest" in text and "Gerda" not in text and "Mill Street" not in text
    rebuild_read_models(book)
    outbox.note_evening_reviews(book, in_hours(2))
    assert send(book) == 0


def test_open_table_delays_the_review_until_six(book, club, there):
    clubs.write(book, club, SetTimeZone("Asia/Tokyo"), by="olga", key=key())
    plan(book, club, hours=0.1)
    play_game(book, club)
    open_club_game(book, club, ("anna", "ben", "cleo"), by="sam")
    rebuild_read_models(book)
    evening = book.clubs.get(club).evenings["1"]
    six = evening_reviews.latest_time(book.clubs.get(club), evening)
    assert six[11:16] == "21:00" and now() < six <= in_hours(24.2)
    outbox.note_evening_reviews(book, later_time(six, minutes=-1))
    assert reviews(book) == []
    outbox.note_evening_reviews(book, six)
    assert reviews(book) == ["waiting"]


@pytest.mark.parametrize(("minutes", "expected"), [(-1, []), (0, ["waiting"])])
def test_given_end_decides(book, club, minutes, expected):
    end = in_hours(3)
    clubs.write(book, club, PlanEvening(in_hours(0.1), "12 Mill Street", until=end), by="olga", key=key())
    play_game(book, club)
    outbox.note_evening_reviews(book, later_time(end, minutes=minutes))
    assert reviews(book) == expected


def at_home(zone: str, when: str) -> str:
    """Return the next moment at which a zone's clocks show a time, a day ahead."""
    return days.moment_at(f"{later_time(now(), hours=24)[:10]}T{when}", zone)


def test_given_end_after_six_in_the_morning_decides(book, club):
    zone = book.clubs.get(club).zone
    begin, end = at_home(zone, "00:30"), at_home(zone, "09:30")
    clubs.write(book, club, PlanEvening(begin, "12 Mill Street", until=end), by="olga", key=key())
    held = book.clubs.get(club)
    evening = held.evenings["1"]
    assert not evening_reviews.is_due(book, held, evening, at_home(zone, "06:30"))
    assert evening_reviews.is_due(book, held, evening, end)
    assert evening_reviews.latest_time(held, evening) == later_time(at_home(zone, "06:00"), hours=24)


def test_game_that_ends_after_its_evening_belongs_to_it(book, club):
    for begin, end in ((1, 3), (10, 12)):
        command = PlanEvening(in_hours(begin), "12 Mill Street", until=in_hours(end))
        clubs.write(book, club, command, by="olga", key=key())
    held = book.clubs.get(club)
    found = evening_plans._evening_of(held, in_hours(5), in_hours(2))  # ended, entered
    assert found is held.evenings["1"]


def test_game_that_runs_past_the_end_is_waited_for(book, club):
    end = in_hours(0.5)
    clubs.write(book, club, PlanEvening(in_hours(-1), "12 Mill Street", until=end), by="olga", key=key())
    play_game(book, club)
    open_club_game(book, club, ("anna", "ben", "cleo"), by="sam")
    rebuild_read_models(book)
    outbox.note_evening_reviews(book, end)
    outbox.note_evening_reviews(book, later_time(end, minutes=30))
    assert reviews(book) == []
    held = book.clubs.get(club)
    outbox.note_evening_reviews(book, evening_reviews.latest_time(held, held.evenings["1"]))
    assert reviews(book) == ["waiting"]


def test_organiser_sends_it_earlier_or_not_at_all(book, club, there):
    plan(book, club, hours=0.1)
    play_game(book, club)
    held = book.clubs.get(club)
    outbox.send_evening_review(book, held, held.evenings["1"])
    outbox.send_evening_review(book, held, held.evenings["1"])
    outbox.skip_evening_review(book, held, held.evenings["1"])
    send(book)
    outbox.note_evening_reviews(book, in_hours(2))
    assert reviews(book) == ["sent"]
    plan(book, club, hours=7)
    held = book.clubs.get(club)
    outbox.skip_evening_review(book, held, held.evenings["2"])
    outbox.note_evening_reviews(book, in_hours(30))
    assert sorted(reviews(book)) == ["dropped", "sent"]


def test_evening_without_live_games_or_in_a_copy_is_silent(book, club, there):
    plan(book, club, hours=0.1)
    players = (Player("Anna", score=3), Player("Ben", score=2))
    plays = (Play("1", now()[:10], PlayedGame("Azul"), players),)
    clubs.write(book, club, ImportPlays("csv", plays, {"Anna": "anna", "Ben": "ben"}, {}), by="olga", key=key())
    rebuild_read_models(book)
    instance = book.kept.engine.value(sa.select(kept_outbox.c.instance))
    book.kept.engine.write(kept_outbox.update().values(instance="another machine"))
    held = book.clubs.get(club)
    six = evening_reviews.latest_time(held, held.evenings["1"])
    outbox.note_evening_reviews(book, six)
    assert reviews(book) == []
    book.kept.engine.write(kept_outbox.update().values(instance=instance))
    outbox.note_evening_reviews(book, six)
    assert reviews(book) == ["dropped"]


def test_record_is_a_score_above_all_earlier_ones(book, club):
    players = (Player("Anna", score=49), Player("Ben", score=20))
    plays = tuple(Play(str(n), "2026-01-01", PlayedGame("Azul"), players) for n in range(10))
    clubs.write(book, club, ImportPlays("csv", plays, {"Anna": "anna", "Ben": "ben"}, {}), by="olga", key=key())
    plan(book, club, hours=0.1)
    placed = (Placed("cleo", None, 1, 70), Placed("anna", None, 2, 60))
    clubs.write(book, club, EnterResult(BESIDE, ":Azul", placed), by="olga", key=key())
    rebuild_read_models(book)
    held = book.clubs.get(club)
    found = evening_reviews.review_evening(book, held, held.evenings["1"])
    assert [(record.person, record.score, record.before) for record in found.records] == [("cleo", 70, 49)]
    assert found.new == () and found.wins == (("cleo", 1),)
