"""Kept tables under concurrent writes: each row once, and no lost write."""

from __future__ import annotations

from uuid import uuid4

import sqlalchemy as sa

from daybook.services.disputes import umpires
from daybook.services.league import portraits
from daybook.services.store.kept import Person, kept_appeal, kept_person, kept_portrait
from tests.services.at_once import ROUNDS, at_once
from tests.services.clubbing import guest
from tests.web.people.test_sign_in import photo


def test_a_game_is_kept_once_by_whoever_comes_first(book):
    ids = [uuid4() for _ in range(ROUNDS)]
    at_once(
        lambda number: book.kept.keep(
            ids[number], "Friday", True, [Person(uuid4().hex, name) for name in ("Anna", "Ben")]
        )
    )
    assert [(game.title, game.names) for game in book.kept.games_of(ids)] == [("Friday", ("Anna", "Ben"))] * ROUNDS
    with book.kept.engine.connect() as c:
        assert c.scalar(sa.select(sa.func.count()).select_from(kept_person)) == 2 * ROUNDS


def test_a_person_is_kept_once_by_whoever_comes_first(book):
    at_once(lambda number: book.kept.keep_person(f"guest-{number}", "Ben"))
    assert len(book.kept.names([f"guest-{number}" for number in range(ROUNDS)])) == ROUNDS


def test_names_are_found_of_more_people_than_one_query_can_name(book):
    anna = guest(book, "Anna")
    assert book.kept.names([*map(str, range(70_000)), anna]) == {anna: "Anna"}


def test_a_photo_sent_twice_at_one_moment_is_kept(book):
    ben, sent = guest(book, "Ben"), photo()
    at_once(lambda number: portraits.store_portrait(book, ben, sent, by=ben))
    assert portraits.read_portrait(book, ben) is not None
    portraits.remove_portrait(book, ben, by=ben)
    with book.kept.engine.connect() as c:
        assert c.scalar(sa.select(sa.func.count()).select_from(kept_portrait)) == 0


def test_the_time_for_appeals_can_be_set_by_two_at_once(book):
    game = uuid4()
    at_once(lambda number: umpires.set_appeal_hours(book, game, number))
    assert umpires.appeal_hours(book, game) == ROUNDS - 1
    with book.kept.engine.connect() as c:
        assert c.scalar(sa.select(sa.func.count()).select_from(kept_appeal)) == 1
