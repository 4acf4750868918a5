"""Tables of an evening: the draw, changes by hand, and opening their games."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import (
    AnswerEvening,
    CallOffEvening,
    EnterResult,
    PlanEvening,
    RemoveGame,
    SetEveningTables,
)
from daybook.domain.league.club_events import BESIDE, EveningTable
from daybook.domain.league.results import Placed
from daybook.services.clock import later_time, now
from daybook.services.league import clubs, evening_draw
from daybook.services.league.schedule_search import CannotDrawError
from daybook.services.limits import LIMITS
from daybook.services.people import accounts
from daybook.services.permissions.actions import MayNotError
from tests.played import key, update_results
from tests.web.api.conftest import Caller
from tests.web.leagues import ClubAtHand

TOMORROW = later_time(now(), days=1)


@pytest.fixture
def mill(book, app):
    club = ClubAtHand(book, app)
    club.by_olga(PlanEvening(TOMORROW, "Swan"))
    club.guest_ids = [f"{name}-1" for name in ["anna", "ben", "cleo", "dora", "eva", "finn", "gus", "hana"]]
    return club


def come(mill, n=8, wants=()):
    for number, person in enumerate(mill.guest_ids[:n]):
        name = person.split("-")[0].capitalize()
        wish = (wants[number],) if wants else ()
        mill.by_olga(AnswerEvening("1", "yes", person, {person: name}, games_wanted=wish))


def draw(mill, seed=1):
    return evening_draw.propose_tables(mill.book, mill.club, mill.club.evenings["1"], seed)


def test_draw_seats_everyone_once_and_repeats_for_one_seed(mill):
    come(mill)
    drawn = draw(mill)
    assert sorted(person for table in drawn.tables for person in table.people) == sorted(mill.guest_ids)
    assert [len(table.people) for table in drawn.tables] == [4, 4] and drawn == draw(mill)


def test_draw_seats_people_by_what_they_want(mill):
    come(mill, wants=["Go", "Chess"] * 4)
    for seed in range(1, 6):
        for table in draw(mill, seed).tables:
            wanted = {mill.guest_ids.index(person) % 2 for person in table.people}
            assert len(wanted) == 1


def test_draw_separates_people_who_met_recently(mill):
    come(mill)
    first, second = mill.guest_ids[:4], mill.guest_ids[4:]
    for people in (first, second):
        placed = tuple(Placed(person, seat, seat + 1) for seat, person in enumerate(people))
        mill.by_olga(EnterResult(BESIDE, ":Azul", placed))
    update_results(mill.book)
    for table in draw(mill).tables:
        assert len({*table.people} & {*first}) == 2


def test_draw_uses_sizes_that_the_games_allow(mill):
    come(mill, 6)
    mill.by_olga(PlanEvening(TOMORROW, "Swan", ("making_profit",), "1"))
    drawn = draw(mill)
    assert {table.game for table in drawn.tables} == {"making_profit"}
    assert all(len(table.people) in evening_draw.RULESETS["making_profit"].seats for table in drawn.tables)


def test_brought_copy_of_a_game_is_at_one_table(mill):
    come(mill)
    mill.by_olga(AnswerEvening("1", "yes", mill.guest_ids[0], games_brought=("Azul",)))
    assert sorted(table.game for table in draw(mill).tables) == ["", ":Azul"]


@pytest.mark.parametrize("n", [0, 1])
def test_draw_needs_two_people(mill, n):
    come(mill, n)
    with pytest.raises(CannotDrawError):
        draw(mill)


def test_wrong_tables_are_refused(mill):
    come(mill, 4)
    anna, ben = mill.guest_ids[:2]
    for tables in (
        (EveningTable(":Go", (anna, ben)), EveningTable(":Go", (ben,))),
        (EveningTable(":Go", ("stranger",)),),
        (EveningTable(":Go", ()),),
        (EveningTable(":\u200b", (anna,)),),
    ):
        with pytest.raises(Refused):
            mill.by_olga(SetEveningTables("1", tables))
    member = mill.member("Mia")
    with pytest.raises(MayNotError):
        clubs.write(mill.book, mill.id, SetEveningTables("1", ()), by=member, key=key())
    mill.by_olga(CallOffEvening("1"))
    with pytest.raises(Refused, match="called off"):
        mill.by_olga(SetEveningTables("1", (EveningTable(":Go", (anna, ben)),)))


def test_pages_draw_change_and_open_all_tables(mill):
    come(mill)
    olga = mill.signed_in()
    page = olga.get(olga.get(f"{mill.path}/evenings/1").link("Draw the tables"))
    form = page.form("Save the tables")
    moved = mill.guest_ids[0]
    other = "2" if form.fields[f"at.{moved}"] == "1" else "1"
    page = olga.send(form, **{f"at.{moved}": other, "game.1": "Making Profit", "game.2": "Carcassonne"})
    tables = mill.club.evenings["1"].tables
    assert sorted(len(table.people) for table in tables) == [3, 5] and moved in tables[int(other) - 1].people
    assert [table.game for table in tables] == ["making_profit", ":Carcassonne"]
    assert "Table 1 · Making Profit" in page.text and "Type in a result" in page.text
    typed = olga.get(page.link("Type in a result"))
    assert 'value="Carcassonne"' in typed.html
    page = olga.send(page.form("Open the game"), table="1")
    assert page.status == 200 and len(mill.club.games) == 1
    page = olga.get(f"{mill.path}/evenings/1")
    assert not [form for form in page.forms if "Open the game" in form.buttons]


def test_several_tables_open_with_one_tap_and_once(mill):
    come(mill)
    tables = tuple(EveningTable("making_profit", tuple(mill.guest_ids[at : at + 4])) for at in (0, 4))
    mill.by_olga(SetEveningTables("1", tables))
    olga = mill.signed_in()
    form = olga.get(f"{mill.path}/evenings/1").form("Open all games")
    assert "2 games are open." in olga.send(form).text and len(mill.club.games) == 2
    olga.send(form)
    assert len(mill.club.games) == 2


def test_api_draws_and_sets_tables(mill, app):
    come(mill)
    caller = Caller(app.test_client())
    olga, mia = (accounts.make_key(mill.book, person, "script") for person in (mill.olga, mill.member("Mia")))
    where = f"/clubs/{mill.id}/evenings/1"
    drawn = caller.get(f"{where}/draw", olga, seed=5).json
    assert caller.get(f"{where}/draw", mia, seed=5).status_code == 403
    assert caller.post(f"{where}/tables", {"tables": drawn["tables"], "seed": 5}, mia).status_code == 403
    assert caller.post(f"{where}/tables", {"tables": drawn["tables"], "seed": 5}, olga).status_code == 201
    assert caller.get(where, mia).json["tables"] == drawn["tables"]


def test_table_opened_by_several_at_once_is_one_game(mill):
    come(mill)
    mill.member("Paul", "organiser")
    mill.by_olga(SetEveningTables("1", (EveningTable("making_profit", tuple(mill.guest_ids[:4])),)))
    users = [mill.signed_in(name) for name in ("olga", "paul") * 2]
    forms = [user.get(f"{mill.path}/evenings/1").form("Open the game") for user in users]
    with ThreadPoolExecutor(len(users)) as pool:
        pages = [*pool.map(lambda user, form: user.send(form, table="1"), users, forms)]
    assert len(mill.club.games) == 1 and {page.status for page in pages} <= {200, 422}
    for refused in (page for page in pages if page.status == 422):
        assert "Someone else changed this club" in refused.text and "Open the game" not in refused.text
    (table,) = mill.club.beside.tables.values()
    mill.by_olga(RemoveGame(BESIDE, table.id, table.game, "wrong game"))
    users[0].send(users[0].get(f"{mill.path}/evenings/1").form("Open the game"), table="1")
    assert len(mill.club.games) == 1 and table.game not in mill.club.games


def test_each_game_of_an_evening_counts_for_the_limit(mill, monkeypatch):
    come(mill)
    tables = tuple(EveningTable("making_profit", tuple(mill.guest_ids[at : at + 4])) for at in (0, 4))
    mill.by_olga(SetEveningTables("1", tables))
    monkeypatch.setitem(LIMITS, "game", msgspec.structs.replace(LIMITS["game"], account=1))
    olga = mill.signed_in()
    page = olga.send(olga.get(f"{mill.path}/evenings/1").form("Open all games"))
    assert page.status == 429 and len(mill.club.games) == 1
