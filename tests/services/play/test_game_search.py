"""Search for games by facts and people, in pages; on both databases, also among many games."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest

from daybook.domain import entries
from daybook.domain.commands import Abandon, Note
from daybook.domain.league.club_commands import EnterGame
from daybook.services.play.game_search import (
    FIRST_BATCH_SIZES,
    GameFilter,
    Searcher,
    SearchQueries,
    like_patterns,
    parse_cursor,
    rulesets_named,
    search_games,
    split_words,
)
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.kept import kept_person, kept_seat
from daybook.services.written import new_written
from tests.many_games import lay_games
from tests.played import open_table_of, update_games, update_results, write
from tests.query_plans import statements_of
from tests.services.leagues import enter_as_keeper, found_mill, season

pytestmark = pytest.mark.sqlite_suffices

TITLES = [("making_profit", "Making Profit"), ("water_frame", "Arkwright: Water Frame")]
NOBODY = Searcher()


def filter_of(text: str = "", **more: object) -> GameFilter:
    words = split_words(text)
    return GameFilter(words=words, games_named=rulesets_named(words, TITLES), **more)  # type: ignore[arg-type]


def titles(book: Daybook, query: GameFilter, seeker: Searcher = NOBODY) -> list[str]:
    update_games(book)
    return sorted(row.title for row in search_games(book, seeker, query).rows)


def open_public(book: Daybook, names: str, title: str) -> UUID:
    id = open_table_of(book, names, title=title)
    book.kept.show(id, True)
    return id


@pytest.mark.both_databases
def test_game_is_found_by_people_title_and_ruleset(book):
    open_public(book, "Anna Ben", "Tuesday")
    open_public(book, "Cleo Dora", "At Anna’s")
    open_public(book, "Émile 민지", "100% _coal_")
    assert titles(book, filter_of("anna")) == ["At Anna’s", "Tuesday"]
    assert titles(book, filter_of("ANNA tues")) == ["Tuesday"], "each word is found, a part of one too"
    assert titles(book, filter_of("profit dora")) == ["At Anna’s"]
    assert (
        titles(book, filter_of("éMILE"))
        == titles(book, filter_of("민지"))
        == titles(book, filter_of("0%"))
        == ["100% _coal_"]
    )
    assert titles(book, filter_of("_coal_")) == ["100% _coal_"] and titles(book, filter_of("a_na")) == []
    assert titles(book, filter_of("water")) == titles(book, filter_of("anna zoe")) == []
    assert len(titles(book, filter_of())) == 3


def test_postgresql_finds_words_of_two_letters_by_an_index(postgres_daybook, tmp_path):
    book = open_daybook(Settings(data=tmp_path / "data", database_url=postgres_daybook), create=True)
    with book.search.connect() as c:
        with statements_of(book.search) as asked:
            for query in SearchQueries(NOBODY, filter_of("민지"), "postgresql").games_with("민지"):
                c.execute(query)
        c.exec_driver_sql("SET LOCAL enable_seqscan = off")
        plans = ["\n".join(row[0] for row in c.exec_driver_sql(f"EXPLAIN {text}", given)) for text, given in asked]
    assert len(plans) == 3 and all("_pairs" in plan and "Seq Scan" not in plan for plan in plans), plans
    book.close()


@pytest.mark.both_databases
def test_a_game_is_found_under_the_names_of_today_alone(book):
    id = open_public(book, "Anna Ben", "Tuesday")
    book.kept.rename_seat(id, 0, "Zoe")
    book.kept.rename(id, "Wednesday")
    assert titles(book, filter_of("zoe wednesday")) == ["Wednesday"]
    assert titles(book, filter_of("anna")) == titles(book, filter_of("tuesday")) == []
    with book.kept.engine.begin() as c:
        c.execute(kept_person.update().where(kept_person.c.name == "Ben").values(name="Anonymous 12ab"))
    assert titles(book, filter_of("ben")) == []


@pytest.mark.both_databases
def test_what_somebody_may_not_read_is_not_found_by_anything(book):
    hidden, shown = open_table_of(book, "Anna Ben", title="Secret"), open_public(book, "Anna Ben", "Open")
    for query in (
        filter_of(),
        filter_of("anna"),
        filter_of("secret"),
        filter_of(list="running"),
        filter_of(ruleset="making_profit"),
    ):
        assert "Secret" not in titles(book, query)
        assert "Secret" in titles(book, query, Searcher(links=frozenset({hidden})))
    book.kept.show(shown, False)
    assert titles(book, filter_of()) == []


@pytest.mark.both_databases
def test_clubs_games_are_found_by_its_name_by_who_may_see_it(book):
    from daybook.services.league.seekers import seeker_of

    club = found_mill(book)
    id = open_table_of(book, "Anna Ben Cleo", title="Club evening")
    held = season(book, club, "free", people=())
    enter_as_keeper(book, club, EnterGame(held, str(id), people=["anna", "ben", "cleo"]), by="olga")
    update_results(book)
    member, stranger = seeker_of(book, "anna", ()), seeker_of(book, None, ())
    for query in (filter_of("mill"), filter_of(club=club), filter_of("evening")):
        assert titles(book, query, member) == ["Club evening"]
        assert titles(book, query, stranger) == titles(book, query, seeker_of(book, "zoe", ())) == []
    book.kept.show(id, True)
    assert titles(book, filter_of(club=club), stranger) == [], "nor is it told which games are a closed club's"
    assert titles(book, filter_of("mill"), stranger) == [], (
        "the name of a club that shows itself to nobody finds nothing"
    )
    assert titles(book, filter_of("evening"), stranger) == ["Club evening"]


@pytest.mark.both_databases
def test_lists_days_and_own_games(book):
    running, ended = open_public(book, "Anna Ben", "Running"), open_public(book, "Cleo Dora", "Ended")
    write(book, ended, Abandon("late"))
    assert titles(book, filter_of(list="running")) == ["Running"] and titles(book, filter_of(list="finished")) == [
        "Ended"
    ]
    day = book.games.get(ended).entries[-1].event.at[:10]
    assert len(titles(book, filter_of(since=day, until=day))) == 2
    assert titles(book, filter_of(until="2020-01-01")) == titles(book, filter_of(since="2999-01-01")) == []
    with book.kept.engine.begin() as c:
        c.execute(kept_seat.update().where(kept_seat.c.game == running, kept_seat.c.seat == 0).values(person="anna"))
    assert titles(book, filter_of(mine=True), Searcher(people=("anna",))) == ["Running"]
    assert titles(book, filter_of(mine=True)) == []


def test_a_record_s_own_time_does_not_bring_it_to_the_front(book):
    """Anybody may write any time into a file."""
    first, second = open_public(book, "Anna Ben", "First"), open_public(book, "Cleo Dora", "Second")
    game = book.games.get(first)
    book.games.append(
        game, [entries.note(game, Note(0, "later"), new_written("scorekeeper", "late", "9999-12-31T23:59:59.999Z"))]
    )
    write(book, second, Abandon("late"))
    update_games(book)
    assert [row.title for row in search_games(book, NOBODY, filter_of()).rows] == ["Second", "First"]


@pytest.mark.both_databases
def test_an_address_from_before_leads_to_the_same_place(book):
    """It named the time and the id of the last game of a page."""
    games = [open_public(book, "Anna Ben", title) for title in ("One", "Two", "Three")]
    update_games(book)
    place = parse_cursor(f"2026-11-23T10:00:00.000Z_{games[1].hex}")
    assert [row.title for row in search_games(book, NOBODY, filter_of(), place).rows] == ["One"]
    assert len(search_games(book, NOBODY, filter_of(), uuid4()).rows) == 3, "a game that is gone: from the beginning"


@pytest.mark.parametrize(
    "text",
    ["", "x", "2026-11-23T10:00:00.000Z", "2026-11-23T10:00:00Z_zz", "'--_" + "0" * 32, "9" * 19, "-1", "\u0663"],
)
def test_what_names_no_place_is_none(text):
    assert parse_cursor(text) is None


def test_letters_outside_ascii_are_looked_for_in_both_cases():
    assert {"%müller%", "%mÜller%", "%MÜLLER%"} <= {*like_patterns("müller")}
    assert like_patterns("50%_\\") == ["%50\\%\\_\\\\%"]


# --- a great many ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def crowd(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daybook]:
    """Many times as many games as are ever tried at first, laid once for each database."""
    url = None
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_of_module")
    opened = open_daybook(Settings(data=tmp_path_factory.mktemp("crowd"), database_url=url), create=True)
    lay_games(opened, 3_000, seats=2)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def postgres_of_module(postgres_url: str) -> Iterator[str]:
    from tests.conftest import database_from

    with database_from(postgres_url, f"crowd_{uuid4().hex[:8]}", "template1") as url:
        yield url


def plan(book: Daybook, query: object) -> str:
    with book.search.connect() as c:
        compiled = query.compile(dialect=c.dialect, compile_kwargs={"literal_binds": True})  # type: ignore[attr-defined]
        text = (
            str(compiled).replace("kept.kept_", "daybook_kept.kept_")
            if c.dialect.name == "postgresql"
            else str(compiled)
        )
        explain = "EXPLAIN" if c.dialect.name == "postgresql" else "EXPLAIN QUERY PLAN"
        return "\n".join(str(line[-1]) for line in c.exec_driver_sql(f"{explain} {text.replace('%', '%%')}"))


@pytest.mark.slow
def test_pages_follow_one_another_without_gap_or_repetition(crowd):
    place, seen = None, list[tuple[str, UUID]]()
    for _ in range(6):
        page = search_games(crowd, NOBODY, filter_of("anna"), place, limit=7)
        seen += [(row.position, row.game) for row in page.rows]
        assert all(any("Anna" in name for name in row.names) for row in page.rows)
        place = page.next
    assert len(seen) == len({*seen}) == 42 and seen == sorted(seen, reverse=True)
    assert [(row.position, row.game) for row in search_games(crowd, NOBODY, filter_of("anna"), limit=42).rows] == seen


def test_one_game_among_all_is_found_by_a_players_name(crowd):
    found = search_games(crowd, NOBODY, filter_of("g1560"))
    assert found.next is None and {row.title for row in found.rows} >= {"Evening 1560"}
    assert all("1560" in " ".join((row.title, *row.names)) for row in found.rows)
    assert not search_games(crowd, NOBODY, filter_of("g2999")).rows, "that one is not public"
    assert search_games(crowd, NOBODY, filter_of("zzz")).rows == []


@pytest.mark.parametrize("query", [filter_of(), filter_of(list="finished"), filter_of(list="running")])
def test_the_newest_are_read_from_an_index(crowd, query):
    place = search_games(crowd, NOBODY, query, limit=5).next
    steps = plan(
        crowd, SearchQueries(NOBODY, query, crowd.search.dialect.name).newest_games(place, FIRST_BATCH_SIZES[0])
    )
    assert "ix_game_row_" in steps and "Sort" not in steps and "TEMP B-TREE" not in steps, steps


def test_games_are_put_together_from_the_seats_of_people(crowd):
    query = SearchQueries(NOBODY, filter_of("g1560"), crowd.search.dialect.name)
    steps = plan(crowd, [*query.candidate_sets()][-1].limit(10))
    assert "ix_kept_seat_person" in steps or "Hash" in steps, steps
    assert "sqlite_autoindex_game_row_1" in (steps := plan(crowd, query.matches_among([uuid4()]))) or (
        "game_row_pkey" in steps
    ), steps


def test_the_thousandth_page_reads_as_few_games_as_the_first(crowd):
    deep = search_games(crowd, NOBODY, filter_of(until="2016-02-01"), limit=1).next
    assert deep is not None
    query = SearchQueries(NOBODY, filter_of(), crowd.search.dialect.name)
    with crowd.search.connect() as c:
        stretch = c.execute(query.newest_games(deep, FIRST_BATCH_SIZES[0])).all()
        assert len(c.execute(query.matches_among([row.game for row in stretch])).all()) > 20, "one stretch is enough"
