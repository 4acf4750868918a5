"""Statistics against a second computation straight from the records, on both databases."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import sqrt
from statistics import stdev, variance
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa

from daybook.domain.commands import Adjust, Close, Note, Reopen
from daybook.domain.games import PRACTISED, RULESETS, STATISTICS
from daybook.domain.kernel.game_statistics import FIGURE_LIMIT, Fact, is_countable
from daybook.domain.kernel.terms import TABLE
from daybook.domain.league.club_commands import ChangeClubSettings, EnterGame, FoundLeague, OpenSeason
from daybook.domain.league.club_events import BESIDE, ClubSettings
from daybook.domain.league.seasons import Format
from daybook.services.following import projections
from daybook.services.league import clubs
from daybook.services.play import simulate
from daybook.services.settings import Settings
from daybook.services.statistics import collect, explorer, figure_questions, openings, queries, reports
from daybook.services.statistics.collect import count_all, games_due
from daybook.services.statistics.figure_questions import (
    Filter,
    InvalidQuestionError,
    Question,
    compute_table,
    games_behind,
)
from daybook.services.statistics.table import FigureTable
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from tests.played import key, play_game, update_games, update_results, write
from tests.query_plans import plans_of
from tests.rows import all_rows
from tests.services import recount
from tests.services.fixture_files import FIXTURES, put_golden
from tests.services.leagues import enter_as_keeper
from tests.services.recount import FEW, Books

pytestmark = pytest.mark.slow

ALL = Filter(practice="yes")
FIRST = 16  # recorded games: of every ruleset one
every_ruleset = pytest.mark.parametrize("ruleset", [*sorted(PRACTISED), ":Wingspan"])


@pytest.fixture(scope="module")
def counted_book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Daybook, Books]]:
    """A data folder with every fixture and some demonstration games, counted; and what its lines tell."""
    book = open_daybook(Settings(data=tmp_path_factory.mktemp("filled") / "data", workers=1), create=True)
    fill(book)
    yield book, recount.read(book)
    book.close()


def fill(book: Daybook) -> None:
    for path in sorted(FIXTURES.glob("*.daybook")):
        put_golden(book, path.stem)
    people = simulate.demonstration_players(6, 1)
    for seats in (3, 4):
        games = list(simulate.simulate_games(RULESETS["making_profit"], seats, 5, seats, {}))
        list(simulate.insert_copies(book, games, 20, people, seats))
    update_games(book)
    count_all(book)


def of(ruleset: str) -> Filter:
    return Filter(ruleset=ruleset, practice="yes")


def rows(table: FigureTable, *headings: str) -> list[tuple[object, ...]]:
    return list(zip(*(table.column(heading) for heading in headings), strict=True))


# --- against the second computation ----------------------------------------------------------------------------------


@every_ruleset
def test_results_by_seat_and_players_stand_beside_expected_wins(counted_book, ruleset):
    book, books = counted_book
    table = compute_table(book, Question("score", ("seats", "seat"), of(ruleset)))
    expected = recount.by_seat(books.of(ruleset))
    found = rows(table, "seats", "seat", "n", "mean", "wins", "expected", "rate")
    assert [(seats, seat) for seats, seat, *_ in found] == sorted(expected)
    for seats, seat, n, mean, wins, beside, rate in found:
        many, points, won, due_wins = expected[seats, seat]  # type: ignore[index]
        assert (n, mean, wins, beside) == (
            many,
            round(points / many, 2),
            round(float(won), 2),
            round(float(due_wins), 2),
        )
        assert rate == (round(float(won) / many, 4) if many >= FEW else None)
    assert table.n == len(books.of(ruleset))


SUMS = (  # measure, ruleset, effect, amount, what
    ("dividends", "making_profit", "dividend_paid", "amount", "colour"),
    ("certificates_bought", "making_profit", "stock_bought", "", "colour"),
    ("developments", "making_profit", "card_developed", "", "card"),
    ("profit", "london_markets", "profit_gained", "amount", "market"),
    ("specials_played", "london_markets", "special_played", "", "card"),
    ("goods_sold", "water_frame", "sales_paid", "count", "good"),
    ("expenses", "water_frame", "paid", "amount", "expense"),
    ("machines_installed", "water_frame", "machine_installed", "", "good"),
    ("sales", "arkwright_card", "sold_home", "amount", "good"),
    ("cards_taken", "arkwright_card", "card_taken", "", "card"),
)


@pytest.mark.parametrize(("measure", "ruleset", "tag", "amount", "what"), SUMS, ids=lambda one: str(one))
def test_measures_add_up_what_the_lines_tell(counted_book, measure, ruleset, tag, amount, what):
    book, books = counted_book
    games = books.of(ruleset)
    period = STATISTICS[ruleset].measure(measure).by
    seats = sum(game.seats for game in games)

    def much(effect: dict[str, int]) -> int:
        return effect[amount] if amount else 1

    total = sum(recount.sums_of(games, tag, much).values())
    (whole,) = compute_table(book, Question(measure, (), of(ruleset))).rows
    assert whole.cells[:2] == (seats, round(total / seats, 2))

    by_what = recount.sums_of(games, tag, much, lambda effect, marks: (effect[what],))
    found = rows(compute_table(book, Question(measure, ("what",), of(ruleset))), "what", "n", "mean")
    assert found == [(thing, seats, round(value / seats, 2)) for (thing,), value in sorted(by_what.items())]
    if not period:
        return
    both = recount.sums_of(games, tag, much, lambda effect, marks: (effect[what], marks.get(period, 0)))
    table = compute_table(book, Question(measure, ("what", "number"), of(ruleset)))
    assert list(rows(table, "what", "number")) == sorted(both)
    for row in table.rows:
        behind = games_behind(book, Question(measure, ("what", "number"), of(ruleset)), row.key, 10_000)
        assert sum(item.value for item in behind) == both[row.cells[0], row.cells[1]]
        assert len(behind) == row.cells[3] == row.n


def test_auctions_are_counted_with_what_they_cost(counted_book):
    book, books = counted_book
    games = books.of("london_markets")
    won: dict[tuple[str, int], int] = defaultdict(int)
    paid: dict[tuple[str, int], int] = defaultdict(int)
    for game in games:
        for effect, _ in game.effects("auction_won"):
            won[game.id, effect["seat"]] += 1
            paid[game.id, effect["seat"]] += effect["count"]
        for effect, _ in game.effects("auction_shared"):
            for seat in effect["seats"]:
                won[game.id, seat] += 1
                paid[game.id, seat] += effect["count"]
    for measure, expected in (("auctions_won", won), ("cards_paid", paid)):
        behind = games_behind(book, Question(measure, ("seats", "seat"), of("london_markets")), "", 10_000)
        assert {(str(item.game), item.seat): item.value for item in behind if item.value} == expected


def test_first_special_markers_and_who_won_with_them(counted_book):
    book, books = counted_book
    found: dict[str, list[Fraction]] = defaultdict(list)
    for game in books.of("water_frame"):
        had = set[int]()
        for effect, _ in game.effects("grey_marker_taken"):
            if effect["seat"] not in had:
                had.add(effect["seat"])
                found[effect["name"]].append(game.win_share(effect["seat"]))
    table = compute_table(book, Question("first_marker", ("what",), of("water_frame")))
    assert rows(table, "what", "with", "wins") == [
        (name, len(wins), round(float(sum(wins)), 2)) for name, wins in sorted(found.items())
    ]


def test_what_winners_do_differently(counted_book):
    book, books = counted_book
    games = books.of("making_profit")
    runs: dict[bool, list[int]] = {True: [], False: []}
    for game in games:
        for seat in range(game.seats):
            times = sum(effect["seat"] == seat for effect, _ in game.effects("factory_run"))
            runs[game.win_share(seat) > 0].append(times)
    table = reports.compare_winners(book, of("making_profit"))
    (row,) = [row for row in table.rows if row.key == "runs"]
    means = [sum(of_them) / len(of_them) for of_them in (runs[True], runs[False])]
    assert row.cells[1:6] == (
        len(runs[True]),
        round(means[0], 2),
        len(runs[False]),
        round(means[1], 2),
        round(means[0] - means[1], 2),
    )
    both = runs[True] + runs[False]
    spread, error = stdev(both), sqrt(sum(variance(of_them) / len(of_them) for of_them in runs.values()))
    assert row.cells[6] == pytest.approx((means[0] - means[1]) / spread, abs=0.01)
    reach = (row.cells[8] - row.cells[7]) / 2 * spread / error
    assert 1.96 < reach < 2.2, "nineteen of twenty lie within about two standard errors"
    sure = [abs(row.cells[6]) / (row.cells[8] - row.cells[7]) for row in table.rows if row.cells[6] is not None]
    assert sure == pytest.approx(sorted(sure, reverse=True), abs=0.05), "the surest difference first"
    assert sure != sorted(sure) and max(sure) > 0.5 > min(sure)
    hidden = [row.cells[6] is None for row in table.rows]
    assert hidden == sorted(hidden), "what rests on few comes last"


def test_meetings_and_rivals(counted_book):
    book, books = counted_book
    games = books.of("")
    table = reports.head_to_head(book, ALL)
    expected = recount.meetings(games)
    assert {
        (item, other): (n, ahead, behind)
        for item, other, n, ahead, behind in rows(table, "person", "other", "n", "ahead", "behind")
    } == expected  # type: ignore[misc]
    one, other = table.rows[0].key.split("|")
    assert len(reports.games_of_pair(book, ALL, one, other)) == expected[one, other][0]
    for person in {row.cells[0] for row in table.rows}:
        found = reports.find_rivals(table.rows, person)
        mine = {pair[1]: figures_of for pair, figures_of in expected.items() if pair[0] == person}
        assert found.companion is not None
        assert found.companion.cells[2] == max(n for n, _, _ in mine.values())
        assert (found.rival.cells[3] if found.rival else 0) == max(ahead for _, ahead, _ in mine.values())
        assert (found.nemesis.cells[4] if found.nemesis else 0) == max(behind for _, _, behind in mine.values())


def test_of_equal_streaks_the_first_counts_and_people_sort_by_id(counted_book):
    book, books = counted_book
    expected = recount.runs(books.of(""))
    table = reports.win_streaks(book, ALL)
    assert [row.cells[0] for row in table.rows] == sorted(
        expected, key=lambda person: (-expected[person].longest, person)
    )
    for row in table.rows:
        one = expected[row.key]
        first = one.first
        since, until, game = (
            (first[0].opening["at"], first[-1].opening["at"], UUID(first[-1].id)) if first else ("", "", None)
        )
        assert row.cells == (row.key, len(one.line), one.longest, since, until, one.now, one.without), row
        assert row.game == game
    assert any(value.again for value in expected.values()), "somebody has won as often in a row again"
    longest = [item.longest for item in expected.values()]
    assert len(set(longest)) < len(longest), "some people's longest runs are equal"
    assert any(0 < game.win_share(seat) < 1 for game in books.of("") for seat in range(game.seats)), "a shared win"


def test_records_point_to_their_game_and_step(counted_book):
    book, books = counted_book
    table = reports.record_values(book, of("making_profit"))
    games = {game.id: game for game in books.of("making_profit")}
    by_key = {(row.cells[0], row.cells[1]): row for row in table.rows}
    best = max(total for game in games.values() for total in game.closed["totals"])
    assert by_key["score", "most"].cells[2] == best
    dividends = [
        (effect["amount"], game.id, event["step"])
        for game in games.values()
        for event in game.standing
        for effect in event.get("effects", ())
        if effect["type"] == "dividend_paid"
    ]
    row = by_key["best_dividend", "most"]
    assert row.cells[2] == max(amount for amount, _, _ in dividends)
    assert (row.cells[2], str(row.game), row.step) in dividends
    margins = [sorted(game.closed["totals"])[-1] - sorted(game.closed["totals"])[-2] for game in games.values()]
    assert by_key["winning_margin", "most"].cells[2] == max(margins)
    assert by_key["winning_margin", "least"].cells[2] == min(margins)


@every_ruleset
@pytest.mark.slow
def test_every_preset_and_split_answers_and_opens_its_games(counted_book, ruleset):
    book, books = counted_book
    there = {UUID(game.id) for game in books.of(ruleset)}
    questions = [
        figure_questions.question_of_preset(preset, of(ruleset)) for preset in figure_questions.presets(ruleset)
    ]
    for measure in figure_questions.measures(ruleset):
        questions += [Question(measure.key, (split,), of(ruleset)) for split in figure_questions.splits_of(measure)]
    for question in questions:
        table = compute_table(book, question)
        for row in table.rows[:: max(1, len(table.rows) // 3)]:
            behind = games_behind(book, question, row.key, 10_000)
            assert len(behind) == row.n
            assert {item.game for item in behind} <= there
        seats = sum(game.seats for game in books.of(ruleset))
        assert sum(row.n for row in table.rows if not {"what", "number"} & set(question.splits)) <= seats


# --- which games count -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [*figure_questions.COLUMNS_OF_SEATS])
def test_figure_of_seat_rows_equals_the_counted_one(counted_book, monkeypatch, measure):
    book, _ = counted_book
    splits = [
        split for split in figure_questions.splits_of(collect.GENERAL_STATISTICS.measure(measure)) if split != "number"
    ]
    questions = [
        Question(measure, both, some)
        for ruleset in ("", "making_profit", ":Wingspan")
        for some in (of(ruleset), Filter(ruleset), Filter(ruleset, practice="yes", typed="yes", readable=frozenset()))
        for both in ((), *((split,) for split in splits), ("seats", "value"), ("person", "value"))
    ]
    found = [compute_table(book, question) for question in questions]
    assert sum(len(table.rows) for table in found) > 100
    monkeypatch.setattr(figure_questions, "COLUMNS_OF_SEATS", {})
    assert [compute_table(book, question) for question in questions] == found


def test_a_filter_leaves_out_and_deletes_nothing(book):
    for name in ("short-duel", "friday-four", "alone-and-ahead"):
        put_golden(book, name)
    id = play_game(book, 3)  # at a table
    update_games(book)
    count_all(book)

    def games(**given: object) -> int:
        return compute_table(book, Question("score", ("person",), Filter(**given))).n  # type: ignore[arg-type]

    assert games() == 1 and games(practice="only") == 2 and games(practice="yes") == 3
    assert games(practice="yes", seats=1) == 1  # alone, and apart from all others
    assert games(practice="yes", seats=2) == 1 and games(practice="yes", games=frozenset({id})) == 1
    assert games(practice="yes", games=frozenset()) == 0
    assert games(practice="only", since="2026-10-10") == 1 and games(practice="only", until="2026-10-10") == 1
    person = book.games.get(id).opening.seats[0].person
    assert games(people=(person,)) == 1 and games(people=("nobody",)) == 0
    assert len(all_rows(book.views, [read_models.counted_game])["counted_game"]) == 4


def test_moves_that_stood_and_open_claims_can_be_excluded(counted_book):
    book, books = counted_book
    for part, left_out in (("as_played", "as_played"), ("provisional", "claims")):
        games = [game for game in books.of("") if not getattr(game, left_out)]
        assert compute_table(book, Question("score", (), Filter(practice="yes", **{part: False}))).n == len(games)  # type: ignore[arg-type]


def test_people_that_were_merged_count_as_one(counted_book):
    book, _ = counted_book
    before = {row.cells[0]: row for row in compute_table(book, Question("score", ("person",), ALL)).rows}
    one, other = sorted(before, key=lambda person: -before[person].n)[:2]
    merged = Filter(practice="yes", same={other: one})
    after = {row.cells[0]: row for row in compute_table(book, Question("score", ("person",), merged)).rows}
    assert other not in after and after[one].n == before[one].n + before[other].n
    assert len(games_behind(book, Question("score", ("person",), merged), one, 10_000)) == after[one].n
    assert not any({one, other} == {row.cells[0], row.cells[1]} for row in reports.head_to_head(book, merged).rows)


def test_a_club_counts_its_own_games_as_its_settings_say(book):
    club = clubs.found_club(book, "Mill Club", "olga", by="olga", key=key()).record
    mine, beside, other = (play_game(book, seed) for seed in (3, 4, 5))
    put_golden(book, "friday-four")
    practice = next(id for id in book.log.game_ids() if book.games.get(id).opening.kind == "practice")
    league = clubs.write(book, club, FoundLeague("League", ["making_profit"]), by="olga", key=key()).step
    opened = clubs.write(
        book,
        club,
        OpenSeason(clubs.league_at(book.clubs.get(club), league), "Autumn", Format("free", table_sizes=(3,))),
        by="olga",
        key=key(),
    ).step
    season = clubs.season_at(book.clubs.get(club), opened).id
    people = ("anna", "ben", "cleo")
    enter_as_keeper(book, club, EnterGame(season, str(mine), people=people), by="olga")
    enter_as_keeper(book, club, EnterGame(BESIDE, str(beside), people=people), by="olga")
    enter_as_keeper(book, club, EnterGame(BESIDE, str(practice)), by="olga")
    update_games(book)
    update_results(book)
    assert count_all(book) == 4  # one of them is of no club

    def games(filters: Filter) -> set[UUID]:
        return {item.game for item in games_behind(book, Question("score", ("person",), filters))}

    found = book.clubs.get(club)
    assert games(figure_questions.club_filter(found)) == {mine, beside} and other not in games(
        figure_questions.club_filter(found)
    )
    assert games(figure_questions.club_filter(found, season)) == {mine}
    assert games(figure_questions.club_filter(found, BESIDE)) == {beside}
    assert games(figure_questions.club_filter(found, people=["anna"])) == {mine, beside}
    assert games(figure_questions.club_filter(found, people=["nobody"])) == set()
    assert {
        row.cells[0]
        for row in compute_table(book, Question("score", ("person",), figure_questions.club_filter(found))).rows
    } == {*people}
    clubs.write(book, club, ChangeClubSettings(ClubSettings(simulated=True)), by="olga", key=key())
    assert games(figure_questions.club_filter(book.clubs.get(club))) == {mine, beside, practice}
    with pytest.raises(KeyError):
        figure_questions.club_filter(found, "no such season")


def test_what_cannot_be_asked_is_refused(counted_book):
    book, _ = counted_book
    for question in (
        Question("luck", (), ALL),
        Question("loans_taken", (), of("making_profit")),
        Question("runs", ("what",), of("making_profit")),
        Question("winning_score", ("seat",), ALL),
        Question("score", ("seat", "seat"), ALL),
        Question("score", ("seats", "seat", "person"), ALL),
    ):
        with pytest.raises(InvalidQuestionError):
            compute_table(book, question)
    with pytest.raises(InvalidQuestionError):
        games_behind(book, Question("score", ("seat",), ALL), "first")
    with pytest.raises(InvalidQuestionError):
        games_behind(book, Question("score", ("seat",), ALL), "1|2")
    with pytest.raises(InvalidQuestionError):
        reports.compare_winners(book, ALL)


def test_large_clubs_answer_is_cached_until_something_is_counted(book):
    id = play_game(book, 3)
    count_all(book, [id])
    games = frozenset({id, *(uuid4() for _ in range(900))})
    question = Question("place", ("seat",), Filter(practice="yes", games=games))
    asked = list[str]()
    sa.event.listen(book.views, "before_cursor_execute", lambda *of: asked.append(of[2]))

    def times_asked() -> int:
        asked.clear()
        with queries.remember_answers(book):
            assert compute_table(book, question).n == 1
        return sum(id.hex in text for text in asked)

    assert times_asked() == 2 and times_asked() == 0
    collect.count_game(book, id)
    assert times_asked() == 2


# --- counting --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_both_databases_and_a_rebuild_come_to_the_same_rows(book, counted_book):
    for path in sorted(FIXTURES.glob("*.daybook"))[:FIRST]:  # in the same order: a row tells its position in the log
        put_golden(book, path.stem)
    update_games(book)
    waiting = games_due(book)
    assert {book.games.get(id).ruleset.id for id in waiting} == {*RULESETS}
    assert len(waiting) == count_all(book) and games_due(book) == []
    live = all_rows(book.views, read_models.COUNTED)
    count_all(book, waiting)  # a job may run twice
    assert all_rows(book.views, read_models.COUNTED) == live
    projections.rebuild_read_models(book)
    rebuilt = all_rows(book.views, read_models.COUNTED)
    assert rebuilt == live
    games = {row[0] for row in live["counted_game"]}
    other = all_rows(counted_book[0].views, read_models.COUNTED)
    for name, place in (("seat_summary", 0), ("game_fact", 2), ("game_part", 2)):
        assert sorted(row for row in other[name] if row[place] in games) == sorted(live[name])


def test_reopened_game_loses_its_figures_until_it_is_closed(book):
    id = play_game(book, 3)

    def moved_on() -> list[UUID]:
        update_games(book)
        return games_due(book)

    assert moved_on() == [id]
    count_all(book)
    assert moved_on() == [] and len(all_rows(book.views, [read_models.seat_summary])["seat_summary"]) == 3
    write(book, id, Note(3, "after the game"))
    assert moved_on() == [id]  # it might have been a claim
    count_all(book)
    write(book, id, Reopen("a slip"))
    assert moved_on() == [id]
    count_all(book)
    assert moved_on() == []
    rows = all_rows(book.views, read_models.COUNTED)
    assert [len(rows[table.name]) for table in read_models.COUNTED] == [1, 0, 0, 0, 0]


def test_the_look_for_games_that_are_due_reads_none_that_are_not(book):
    ids = [play_game(book, seed) for seed in (1, 2)]
    update_games(book)
    assert sorted(games_due(book)) == sorted(ids)
    collect.count_game(book, ids[0])
    waiting = all_rows(book.views, [read_models.uncounted_game])["uncounted_game"]
    assert games_due(book) == ids[1:] == [game for game, _ in waiting]
    if book.views.file is not None:  # PostgreSQL reads a table of two rows whole
        assert not [
            plan
            for plan in plans_of(book, partial(games_due, book))
            if re.search(r"^SCAN (game_row|counted_game)", plan)
        ]


def test_game_counted_by_a_worker_ahead_of_follower_is_not_due(book):
    id = play_game(book, 1)
    collect.count_game(book, id)
    update_games(book)
    assert games_due(book) == [] == all_rows(book.views, [read_models.uncounted_game])["uncounted_game"]


def test_a_game_is_due_again_when_its_measures_change(book):
    id = play_game(book, 3)
    update_games(book)
    count_all(book)
    with book.views.begin() as connection:
        connection.execute(read_models.counted_game.update().values(measures="of another version"))
    assert games_due(book) == [id]
    count_all(book)
    assert games_due(book) == []


def test_a_late_job_does_not_undo_a_newer_one(book):
    id = play_game(book, 3)
    game = book.games.get(id)
    late = collect.rows_of(game, book.log.position(game.id, 0), True)
    write(book, id, Reopen("a slip"))
    collect.count_game(book, id)
    with book.views.begin() as connection:
        collect.write_rows(connection, game, late)
    assert all_rows(book.views, [read_models.seat_summary])["seat_summary"] == []


# --- tables ----------------------------------------------------------------------------------------------------------


def test_every_table_comes_as_csv_and_json(counted_book):
    book, _ = counted_book
    person = compute_table(book, Question("score", ("person",), ALL)).rows[0].cells[0]
    names = {person: "=Ada"}
    questions = (("place", ("person",)), ("score", ("colour",)), ("length", ("ruleset",)), ("place", ("seats", "seat")))
    tables = [compute_table(book, Question(measure, by, ALL)) for measure, by in questions]
    tables += [report(book, ALL) for report in (reports.head_to_head, reports.win_streaks, reports.record_values)]
    for table in tables:
        lines = list(csv.reader(io.StringIO(table.csv(names).decode("utf-8-sig"))))
        assert len(lines) == len(table.rows) + 1
        assert lines[0][: len(table.headings)] == [heading.key for heading in table.headings]
        assert all(len(line) == len(lines[0]) for line in lines)
        again = json.loads(table.json(names))
        assert len(again["rows"]) == len(table.rows) and again["n"] == table.n
        for heading in table.headings:
            if heading.kind == "person" and person in table.column(heading.key):
                assert "'=Ada" in {line[lines[0].index(heading.key)] for line in lines}  # no formula for a spreadsheet
                assert "=Ada" in {row["cells"][heading.key] for row in again["rows"]}
    assert person in reports.people_in(tables)


def test_a_rate_of_few_games_is_hidden_and_n_is_shown(counted_book):
    book, _ = counted_book
    found = rows(compute_table(book, Question("score", ("person",), ALL)), "n", "rate", "wins")
    assert {n for n, _, _ in found} > {1}
    for n, rate, wins in found:
        assert (rate is None) == (n < FEW), (n, rate)  # type: ignore[operator]
        assert wins is not None


def test_a_rate_rests_on_games_and_not_on_seats(book):
    """Four games of four are sixteen seats and say nothing yet, nor do they say what winners do differently."""
    asked = {"score": ("seats",), "place": (), "dividends": ("what",)}
    seen, apart = [], []
    for many in (FEW - 1, FEW):
        for seed in range(many - len(book.log.game_ids())):
            play_game(book, seed, names="Anna Ben Cleo Dan")
        update_games(book)
        count_all(book)
        seen += [
            rows(compute_table(book, Question(measure, splits, of("making_profit"))), "n", "rate")[0]  # type: ignore[arg-type]
            for measure, splits in asked.items()
        ]
        winners = reports.compare_winners(book, of("making_profit"))
        assert set(winners.column("n_winners")) == {many}
        apart.append({*winners.column("effect")})
    assert [n for n, _ in seen] == [16, 16, 16, 20, 20, 20]
    assert [rate is None for _, rate in seen] == [True, True, True, False, False, False]
    assert apart[0] == {None} and apart[1] > {None}


# --- the explorer ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["every", "seats"])
def test_games_with_one_opening_are_found_by_first_decisions(counted_book, way):
    """Told a second time: the lists of first decisions themselves, compared with one another."""
    book, books = counted_book
    filter = of("making_profit")
    table = explorer.find_setups(book, filter)
    assert sum(table.column("n")) == len(books.of("making_profit"))
    for setup in table.rows[:2]:
        games = [
            game
            for game in books.of("making_profit")
            if (game.seats, game.opening["options"]) == (setup.cells[1], setup.cells[2])
        ]
        lines = {game.id: first_decisions(game, way) for game in games}
        at, path = "", []
        for _ in range(12):
            node = explorer.explore_opening(book, setup.key, way, at, filter)
            here = [id for id, line in lines.items() if line[: len(path)] == path]
            assert node.n == len(here)
            assert {str(id) for id in explorer.games_at(book, setup.key, way, at, filter)} == set(here)
            came = [lines[id][len(path)] for id in here if len(lines[id]) > len(path)]
            assert sorted(row.n for row in node.next.rows) == sorted(came.count(value) for value in set(came))
            assert sum(wins for wins in node.seats.column("wins")) == pytest.approx(len(here), abs=0.05)
            if not node.next.rows:
                break
            row = node.next.rows[0]
            at, path = row.key, [*path, json.dumps([row.cells[0], row.cells[1]], sort_keys=True)]
            assert explorer.explore_opening(book, setup.key, way, at, filter).path[-1].decision == row.cells[1]


def first_decisions(game: recount.Told, way: str) -> list[str]:
    made = [(event["seat"], event["decision"]) for event in game.standing if "decision" in event]
    if way == "seats":
        made = [(seat, said) for seat, said in made if seat != TABLE]
        first = made[0][0]
        colours = [seat["colour"] for seat in game.opening["seats"]]
        turned = {colour: f"seat:{(place - first) % game.seats}" for place, colour in enumerate(colours)}
        made = [
            (
                (seat - first) % game.seats,
                {
                    name: turned.get(value, value) if isinstance(value, str) and name != "type" else value
                    for name, value in said.items()
                },
            )
            for seat, said in made
        ]
    return [json.dumps([seat, said], sort_keys=True) for seat, said in made[: openings.DEPTH]]


def test_the_explorer_says_how_deep_it_looks(counted_book):
    book, _ = counted_book
    setup = explorer.find_setups(book, of("arkwright_card")).rows[0]
    at = ""
    for depth in range(openings.DEPTH + 1):
        node = explorer.explore_opening(book, setup.key, "every", at, of("arkwright_card"))
        assert len(node.path) == depth and node.deepest == (depth == openings.DEPTH)
        at = node.next.rows[0].key if node.next.rows else at
    assert node.next.rows == ()
    with pytest.raises(explorer.UnknownOpeningError):
        explorer.explore_opening(book, setup.key, "every", "0" * 16, of("arkwright_card"))
    with pytest.raises(explorer.UnknownOpeningError):
        explorer.explore_opening(book, uuid4().hex[:16], "every", "", of("arkwright_card"))


def test_impossible_figures_of_a_game_spoil_nothing(book):
    """Sums of squares end where a database's numbers end, and with them every answer about the game."""
    honest, rich = play_game(book, 3), play_game(book, 4)
    write(book, rich, Reopen("the purse is counted"))
    write(book, rich, Adjust({"/players/0/money": 2**52}, "so much"))
    write(book, rich, Close())
    update_games(book)
    count_all(book)
    assert games_due(book) == []
    with book.views.connect() as c:
        assert {*c.scalars(sa.select(read_models.seat_summary.c.game))} == {honest}
        assert {*c.scalars(sa.select(read_models.game_fact.c.game))} == {honest}
    assert compute_table(book, Question("score", (), of("making_profit"))).n == 1
    parts = [Fact(0, "sold", FIGURE_LIMIT // 2 + 1, 1, what) for what in ("food", "soap")]
    assert is_countable(parts[:1]) and not is_countable(parts), "they are added up"
