"""Lists of large clubs and seasons come a page at a time, and cost no query for each row."""

from __future__ import annotations

import re

import pytest

from daybook.domain.league.club_commands import AddMembers, AnswerEvening, MergePeople, PlanEvening
from daybook.domain.league.schedule import schedule_fairness
from daybook.domain.league.seasons import Fixture
from daybook.services.clock import later_time, now
from daybook.services.league import clubs, ratings, season_tables
from daybook.services.league.season_tables import count_meetings
from daybook.services.people import accounts, link_consent
from daybook.web.club import closing, draw, evenings
from daybook.web.request import clubs as request_clubs
from daybook.web.request import lists
from tests.played import key, update_results
from tests.reads import count_reads
from tests.services.clubbing import bring_in
from tests.services.leagues import join
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand

NAMES = "Anna Ben Cleo Dora Emil Fritz Gisa Hana"


@pytest.fixture
def season(mill: ClubAtHand) -> ClubAtHand:
    """A drawn season of eight, all tables of its first round played."""
    mill.open_season(names=NAMES, rounds=3, table_sizes=(4,))
    mill.draw(rounds=3)
    for table in [table.id for table in mill.season.tables.values() if table.round == 1]:
        mill.type(table, *mill.club.seats(mill.season.tables[table]))
    update_results(mill.book)
    ratings.rate_club(mill.book, mill.id)
    return mill


def rows_of_pages(visitor: Visitor, path: str, row: str, size: int) -> list[str]:
    """The rows of all pages of a list, each page with no more than a size."""
    found: list[str] = []
    while path:
        page = visitor.get(path)
        here = re.findall(row, page.html)
        assert 0 < len(here) <= size, path
        found += here
        path = next((to for says, to in page.links if says == "More"), "")
    return found


NAME = f"<bdi>({'|'.join(NAMES.split())})</bdi>"
LISTS = {  # the end of the address, its endpoint, and how a row is found
    "standings": ("/seasons/1", "season.standings", rf"<summary>{NAME}", 8),
    "league": ("/leagues/1", "club.league", rf"<summary>{NAME}", 8),
    "schedule": ("/seasons/1/tables", "season.schedule", r'<span class="title"><a href="[^"]*/tables/(\d+)"', 6),
    "round": ("/seasons/1/rounds/2", "season.round", r'<span class="title"><a href="[^"]*/tables/(\d+)"', 2),
    "ratings": ("/ratings", "ratings.ratings", rf'<tr><th scope="row"><a[^>]*>{NAME}', 8),
    "opponents": ("/people/{person}?tab=opponents", "person.person", rf'<tr><th scope="row"><a[^>]*>{NAME}', 3),
}


@pytest.mark.parametrize("name", LISTS)
def test_long_list_comes_in_pages(season, monkeypatch, name):
    path, endpoint, row, in_all = LISTS[name]
    monkeypatch.setitem(lists.ROWS_FROM, endpoint, 1 if in_all < 4 else 3)
    path = season.path + path.format(person=season.club.entrants(season.season)[0].person)
    found = rows_of_pages(season.signed_in(), path, row, lists.ROWS_FROM[endpoint])
    assert len(found) == len({*found}) == in_all


def test_table_of_meetings_is_left_out_of_large_groups(season, monkeypatch):
    olga = season.signed_in()
    assert "Who meets whom" in olga.get(season.at("/tables")).text
    monkeypatch.setattr(season_tables, "MAX_PEOPLE_IN_MEETINGS", 7)
    assert "Who meets whom" not in olga.get(season.at("/tables")).text


def test_preview_of_a_large_draw_shows_its_first_tables(mill, monkeypatch):
    mill.open_season(names=NAMES, rounds=3, table_sizes=(4,))
    olga = mill.signed_in()
    assert "meetings small" in olga.get(mill.at("/draw?seed=1")).html
    monkeypatch.setattr(draw, "MAX_TABLES_SHOWN", 5)
    monkeypatch.setattr(draw, "MAX_PEOPLE_IN_MEETINGS", 7)
    page = olga.get(mill.at("/draw?seed=1"))
    assert "meetings small" not in page.html
    assert page.html.count('<li class="table-row">') == 5
    assert "and 1 more" in page.text


def test_meetings_are_counted_once_for_each_table():
    met = count_meetings("abcd", ["abc", "cba", "xad"])
    assert met.met == {
        "a": {"b": 2, "c": 2, "d": 1},
        "b": {"a": 2, "c": 2, "d": 0},
        "c": {"a": 2, "b": 2, "d": 0},
        "d": {"a": 1, "b": 0, "c": 0},
    }
    assert met.seats == {"a": (1, 1, 1), "b": (0, 2, 0), "c": (1, 0, 1), "d": (0, 0, 1)}


def test_fairness_of_two_thousand_players_lists_no_pairs():
    people = [f"{number:04}" for number in range(2_000)]
    fixtures = [Fixture(str(at), 1, tuple(people[at : at + 4])) for at in range(0, 2_000, 4)]
    fair = schedule_fairness([*people, "x"], fixtures)
    assert fair.never == 2_001 * 2_000 // 2 - 500 * 6
    assert (fair.meetings, fair.games) == ((0, 1), (0, 1))


def test_people_page_asks_no_table_for_each_person_or_merge(mill):
    """Also an organiser's page, which shows for whom they may act."""
    olga = mill.signed_in()

    def reads(people: int) -> int:
        names = [f"Guest {people} {number}" for number in range(people)]
        mill.by_olga(AddMembers(tuple(names)))
        ids = [*mill.club.people()]
        for at in range(1, people, 2):
            mill.by_olga(MergePeople(ids[-at], ids[-at - 1], "one"))
        with count_reads(mill.book) as counted:
            page = olga.get(f"{mill.path}/people")
        assert page.text.count("Change the name") >= people // 2
        return len(counted.tables) + len(counted.log)

    assert reads(6) == reads(30)


def test_people_page_asks_no_table_for_each_member(mill):
    """Members with accounts of every kind: of the club's invitation, with consent to links, with a photo, of two clubs."""
    olga, in_all = mill.signed_in(), 0
    other = clubs.found_club(mill.book, "The Dam", mill.olga, by=mill.olga, key=key()).record

    def reads(people: int) -> int:
        nonlocal in_all
        in_all += people
        for number in range(people):
            person = accounts.make_account(mill.book, f"Member {people} {number}", club=mill.id)
            bring_in(mill.book, mill.id, person, by=mill.olga)
            accounts.set_address(mill.book, person, "by letter", by=person)
            if number % 2:
                link_consent.allow_links(mill.book, person, mill.id)
            if number % 3:
                join(mill.book, other, person, by=mill.olga)
        with count_reads(mill.book) as counted:
            page = olga.get(f"{mill.path}/people")
        assert page.text.count("A link that signs the person in once") == page.text.count("by letter") == in_all
        return len(counted.tables) + len(counted.log)

    assert reads(6) == reads(93)


def test_merges_are_listed_with_the_people_of_the_page(mill, monkeypatch):
    mill.by_olga(AddMembers(tuple(f"Person {number}" for number in range(8))))
    ids = [*mill.club.people()][1:]
    mill.by_olga(MergePeople(ids[0], ids[1], "one"))
    mill.by_olga(MergePeople(ids[6], ids[7], "one"))
    monkeypatch.setitem(lists.ROWS_FROM, "people.people", 4)
    found = rows_of_pages(mill.signed_in(), f"{mill.path}/people", r"Separate Person (\d)", 1)
    assert sorted(found) == ["0", "6"]


def test_evening_names_the_first_who_come(mill, monkeypatch):
    mill.by_olga(PlanEvening(later_time(now(), days=7)))
    evening = next(iter(mill.club.evenings))
    mill.by_olga(AddMembers(("Ann", "Bea", "Cid")))
    for person in [*mill.club.people()][1:]:
        mill.by_olga(AnswerEvening(evening, "yes", person))
    monkeypatch.setattr(evenings, "PEOPLE_SHOWN", 2)
    page = mill.signed_in().get(f"{mill.path}/evenings/{evening}")
    assert "Ann" in page.text and "and 1 more" in page.text


def test_penalty_of_a_large_season_is_given_by_name(season, monkeypatch):
    for module in (closing, request_clubs):
        monkeypatch.setattr(module, "MAX_PEOPLE_LISTED", 5)
    olga = season.signed_in()
    page = olga.get(season.at("/run"))
    assert "and 3 more" in page.text
    olga.send(page.form("Take them off"), person_name="cleo", points="2", why="late")
    (penalty,) = season.club.penalties(season.season)
    assert season.book.kept.names([penalty.person])[penalty.person] == "Cleo"
