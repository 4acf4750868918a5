"""Files as members of a club really have them: scores, names and marks that each member writes in another way."""

from __future__ import annotations

import pytest

from daybook.services.exchange.incoming import find_oddities
from daybook.services.exchange.plays_file import read_plays
from daybook.services.league import club_imports
from tests.played import key
from tests.services.exchange.test_merging import bgstats

pytestmark = pytest.mark.sqlite_suffices


def bring(book, club, content: bytes, by: str):
    return club_imports.import_plays(book, club, read_plays(content), by=by, key=key())


def placed(book, club) -> list[list[tuple[str, int]]]:
    """Return the players of each play with their places, the oldest play first."""
    now = book.clubs.get(club)
    names = book.kept.names(now.everybody())
    plays = club_imports.club_plays(book, now)
    assert len(plays) == len(now.beside.tables)
    return [
        sorted((names[now.person(each.person)].title(), each.place) for each in table.typed.placed)
        for table in now.beside.tables.values()
    ]


@pytest.mark.parametrize(
    ("first", "second", "plays"),
    [
        (("12,5", "40"), ("12.5", "40"), 1),
        (("12½", "40"), ("12.5", "40"), 1),
        (("12+30", "40"), ("42", "40"), 1),
        (("-", "40"), ("", "40"), 1),
        (("?", "–"), ("50", "40"), 2),
        (("49-46ish", "40"), ("49", "40"), 2),
        (("12.5", "40"), ("12", "40"), 2),
    ],
)
def test_scores_written_in_two_ways_are_one_play(book, club, anna, first, second, plays):
    bring(book, club, bgstats({"1": ("2026-05-01", "Azul", first)}), anna)
    bring(book, club, bgstats({"2": ("2026-05-01", "Azul", second)}, device="b"), anna)
    assert len(book.clubs.get(club).beside.tables) == plays


def test_name_with_a_symbol_is_matched_by_its_letters(book, club, anna):
    bring(book, club, bgstats({"1": ("2026-05-01", "Azul", ("50", "40"))}, people=("Anna", "Cem 🎲")), anna)
    other = read_plays(bgstats({"2": ("2026-05-02", "Azul", ("50", "41"))}, people=("Anna", "cem"), device="b"))
    preview = club_imports.preview_import(book, book.clubs.get(club), other)
    assert [person.by for person in preview.people if person.name == "cem"] == ["name"], "a choice in the preview"
    two = bgstats({"3": ("2026-05-03", "Azul", ("50", "42"))}, people=("Cem!", "CEM?"), device="c")
    bring(book, club, two, anna)
    assert [len({name for name, _ in play}) for play in placed(book, club)] == [2, 2], (
        "two ids of a file are two people"
    )


def test_spreadsheet_says_less_than_the_club_knows(book, club, anna):
    content = (
        "Datum;Spiel;Anna;Ben;Cem\n"
        "01.05.2026;Hearts;26;0;13\n"
        "02.05.2026;Azul;12,5;12;-\n"
        "03.05.2026;Azul;40*;60;\n"
        "04.05.2026;Azul;12+30;41½;\n"
    ).encode("cp1252")
    incoming = read_plays(content)
    assert not any("no_winner" in find_oddities(play) for play in incoming.plays), "the scores say who won"
    bring(book, club, content, anna)
    assert placed(book, club) == [
        [("Anna", 3), ("Ben", 1), ("Cem", 2)],  # the sheet of Hearts: the lowest wins
        [("Anna", 1), ("Ben", 2)],
        [("Anna", 1), ("Ben", 2)],  # a star marks the winner
        [("Anna", 1), ("Ben", 2)],
    ]
    table = next(iter(book.clubs.get(club).beside.tables.values()))
    assert table.typed.details.lowest_wins
    assert bring(book, club, content, anna).receipt is None, "nothing is new"


def test_game_is_cooperative_where_the_club_plays_it_so(book, club, anna):
    table = "date,game,players,winner,cooperative\n2026-05-01,Pandemic,Anna; Ben,Anna; Ben,yes\n"
    bring(book, club, table.encode(), anna)
    player = '<player username="" userid="0" name="{}" score="" win="{}"/>'
    plays = [
        f'<play id="{number}" date="2026-05-0{number}" quantity="1"><item name="Pandemic" objectid="30549"/><players>'
        + "".join(player.format(name, won) for name, won in zip(("Anna", "Ben"), wins, strict=True))
        + "</players></play>"
        for number, wins in enumerate((("1", "1"), ("0", "0"), ("1", "0")), 3)
    ]
    bring(book, club, f'<plays username="anna" userid="7">{"".join(plays)}</plays>'.encode(), anna)
    tables = book.clubs.get(club).beside.tables.values()
    assert [table.typed.details.cooperative for table in tables] == [True, True, True, False], (
        "one winner: not together"
    )


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        ("Golf,41,38*,52", (2, 1, 3)),
        ("Golf,41,38*,52\nGolf,60*,50,40\nGolf,44,33*,39", (2, 1, 3)),  # one winner is marked by mistake
        ("Golf,41,38,52*", (2, 3, 1)),
        ("Golf,41,45*,52", (3, 1, 2)),  # a score in the middle says nothing
        ("Azul,41,38*,52", (3, 1, 2)),  # its sheet says that the highest wins, whoever is marked
        ("Hearts,41,38,52*", (3, 2, 1)),
    ],
)
def test_marked_winners_say_which_score_wins(book, club, anna, rows, places):
    lines = [f"2026-05-0{number},{row}" for number, row in enumerate(rows.splitlines(), 1)]
    bring(book, club, "\n".join(["date,game,Anna,Ben,Cem", *lines]).encode(), anna)
    assert dict(placed(book, club)[0]) == dict(zip(("Anna", "Ben", "Cem"), places, strict=True))
