"""Answers with sums of months equal those without, whatever changes after the months were summed."""

from __future__ import annotations

from itertools import permutations, product
from uuid import UUID

import msgspec
import pytest
import sqlalchemy as sa

from daybook.domain.games import RULESETS
from daybook.services.play import simulate
from daybook.services.statistics import collect, month_sums, person_sums, reports
from daybook.services.statistics.collect import count_all, statistics_of
from daybook.services.statistics.figure_questions import Filter, Question, compute_table, splits_of
from daybook.services.store import read_models
from daybook.services.store.read_models import figure_sum, game_fact, game_part, seat_summary, summed_month
from tests.played import update_games

pytestmark = [pytest.mark.both_databases, pytest.mark.slow]

GAME, RARE_GAME = "making_profit", "london_markets"
MONTHS = ("2026-01", "2026-02", "2026-03")


@pytest.fixture
def games(book, monkeypatch) -> list[UUID]:
    """Count games of three months; the first month and the last have sums."""
    monkeypatch.setattr(month_sums, "MIN_GAMES", 5)
    people = simulate.demonstration_players(5, 1)
    for seats in (2, 3):
        played = list(simulate.simulate_games(RULESETS[GAME], seats, 4, seats, {}))
        list(simulate.insert_copies(book, played, 9, people, seats))
    update_games(book)
    count_all(book)
    ids = sorted(book.views.values(sa.select(seat_summary.c.game).distinct()))
    with book.views.begin() as connection:
        for number, game in enumerate(ids):
            at = f"{MONTHS[number % 3]}-{10 + number % 4}T10:00:00.000Z"
            of_game = seat_summary.c.game == game
            shown = {"at": at, "in_order": at, "kind": "table", "public": int(number % 5 > 0)}
            connection.execute(seat_summary.update().where(of_game).values(**shown))
        for table in (seat_summary, game_fact, game_part):  # a few games of a kind without sums
            connection.execute(table.update().where(table.c.game.in_(ids[-4:])).values(ruleset=RARE_GAME))
    sum_all(book)
    with book.views.begin() as connection:
        connection.execute(summed_month.delete().where(summed_month.c.month == MONTHS[1]))
    return ids


def sum_all(book) -> None:
    for ruleset_id, month in month_sums.find_unsummed(book):
        month_sums.sum_month(book, ruleset_id, month)
    for ruleset_id, group in person_sums.find_unsummed(book):
        person_sums.sum_people(book, ruleset_id, group)


def filters(book, games):
    every = Filter(ruleset=GAME, readable=frozenset())
    private = book.views.values(sa.select(seat_summary.c.game).where(seat_summary.c.public == 0))
    yield msgspec.structs.replace(every, readable=frozenset(private))
    yield msgspec.structs.replace(every, seats=2)
    yield msgspec.structs.replace(every, ruleset="", readable=frozenset(private))
    yield msgspec.structs.replace(every, since="2026-01-12", seats=3)
    yield msgspec.structs.replace(every, since="2025-12-31T15:00", until="2026-03-31T24", zone="Asia/Seoul")


def answers(book, game_filter):
    """Return the tables of every measure and pair of splits, winners and records."""
    for measure in statistics_of(game_filter.ruleset).all:
        splits = [split for split in splits_of(measure) if split in month_sums.SPLITS | person_sums.SPLITS]
        pairs = [(), *product(splits), *permutations(splits, 2)]
        step = 17 if measure.key in ("dividends", "level", "lead_changes", "place", "score") else 61
        for pair in pairs[len(measure.key) % step :: step]:
            yield compute_table(book, Question(measure.key, pair, game_filter))
    if game_filter.ruleset:
        yield reports.compare_winners(book, game_filter)
    yield reports.record_values(book, game_filter)


def rounded(table):
    return [
        (row.cells, row.n, row.key, row.game, row.step, row.others, row.games, round(row.variance, 6))
        for row in table.rows
    ]


def check(book, games, monkeypatch) -> None:
    for game_filter in filters(book, games):
        *summed, _ = month_sums.divide_by_ruleset(book, game_filter) if not game_filter.ruleset else (game_filter, None)
        assert [of_game.ruleset for of_game in summed] == [GAME]
        assert month_sums.split_filter(book, summed[0]) is not None
        by_person = person_sums.split_filter(book, summed[0])
        assert (by_person is None) == bool(game_filter.since)
        found = [rounded(table) for table in answers(book, game_filter)]
        with monkeypatch.context() as without:
            for sums in (month_sums, person_sums):
                without.setattr(sums, "split_filter", lambda book, game_filter: None)
            assert found == [rounded(table) for table in answers(book, game_filter)]


def test_answers_with_sums_equal_those_without(book, games, monkeypatch):
    assert book.views.value(sa.select(sa.func.count()).select_from(figure_sum)) > 1_000
    check(book, games, monkeypatch)


def test_changed_games_are_read_until_their_month_is_summed(book, games, monkeypatch):
    months = sa.select(summed_month.c.month).order_by(summed_month.c.month)
    collect.note_public(book, games[0], True)  # of the first month
    assert book.views.values(months) == [MONTHS[2]]
    check(book, games, monkeypatch)
    sum_all(book)
    with book.views.begin() as connection:
        read_models.remove_games(connection, [games[1]])
    assert book.views.values(months) == [MONTHS[0], MONTHS[2]]
    check(book, games, monkeypatch)
    collect.count_game(book, games[2])  # its record has another day than its rows
    assert MONTHS[2] not in book.views.values(months)
