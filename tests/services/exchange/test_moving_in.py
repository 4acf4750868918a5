"""A club moves in: four files one after another, and the next month with changes. Every play is there once."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from random import Random
from xml.etree import ElementTree

import pytest

from daybook.services.exchange.plays_file import read_plays
from daybook.services.league import club_imports, results
from daybook.services.league.club_imports import ImportAnswers
from daybook.services.league.clubs.import_plan import ONE
from tests.played import key
from tests.services.clubbing import found_club
from tests.services.exchange.test_merging import bgstats

pytestmark = pytest.mark.sqlite_suffices

PEOPLE = ("Anna", "Ben", "Cem")


def month(number: int, seed: int) -> dict[str, tuple[str, str, list[str]]]:
    """Return the plays of a month: two evenings, some games played twice with other scores."""
    chance = Random(f"{seed} {number}")
    found = {}
    for evening in (8, 22):
        for play in range(chance.randint(3, 6)):
            scores = [str(points) for points in chance.sample(range(10, 99), 3)]
            found[f"{number}-{evening}-{play}"] = (
                f"2026-{number:02}-{evening:02}",
                chance.choice(("Azul", "Hearts", "Catan")),
                scores,
            )
    return found


def bgg(plays) -> bytes:
    rows = []
    for number, (day, game, scores) in enumerate(plays.values(), 1):
        players = "".join(
            f'<player username="" userid="0" name="{name}" score="{score}" win="{int(score == max(scores))}"/>'
            for name, score in zip(PEOPLE, scores, strict=True)
        )
        ident = 1000 * int(day[5:7]) + number
        rows.append(
            f'<play id="{ident}" date="{day}" quantity="1"><item name="{game}" objectid="{len(game)}"/>'
            f"<players>{players}</players></play>"
        )
    return f'<plays username="cem" userid="3">{"".join(rows)}</plays>'.encode()


def spreadsheet(plays) -> bytes:
    lines = [f"{day},{game},{','.join(scores)}" for day, game, scores in plays.values()]
    return "\n".join([f"date,game,{','.join(PEOPLE)}", *lines, ""]).encode()


def files(plays, without_scores=()):
    """Return the files of a club: two members' BG Stats, BoardGameGeek and a spreadsheet, each with a part."""
    names = [*plays]
    second = {
        name: (plays[name][0], plays[name][1], ["", "", ""]) if name in without_scores else plays[name]
        for name in names[::2]
    }
    return (
        bgstats({name: plays[name] for name in names[:-1]}, PEOPLE, "anna"),
        bgstats(second, PEOPLE, "ben"),
        bgg(plays),
        spreadsheet({name: plays[name] for name in names[1:]}),
    )


def move_in(book, club_id, anna, contents):
    for content in contents:
        incoming = read_plays(content)
        shown = club_imports.preview_import(book, book.clubs.get(club_id), incoming)
        answers = {pair.id: ONE for pair in shown.unsure if pair.why != "in_file"}
        club_imports.import_plays(book, club_id, incoming, ImportAnswers(plays=answers), by=anna, key=key())


def stored(book, club_id):
    club = book.clubs.get(club_id)
    names = book.kept.names(club.everybody())
    return Counter(
        (
            result.at[:10],
            result.ruleset,
            tuple(sorted((names[each.person].title(), each.score) for each in result.placed)),
        )
        for result in results.club_results(book, club)
    )


def expected(plays):
    return Counter(
        (day, f":{game}", tuple(sorted(zip(PEOPLE, map(int, scores), strict=True))))
        for day, game, scores in plays.values()
    )


@pytest.mark.parametrize("order", [*permutations(range(4))][::8])
def test_every_play_of_four_files_exists_once(book, anna, order):
    for seed in range(3):
        club_id = found_club(book, anna, f"Club {order} {seed}")
        first = month(1, seed)
        contents = files(first)
        move_in(book, club_id, anna, [contents[number] for number in order])
        assert stored(book, club_id) == expected(first)
        corrected = dict(first)
        name = [*first][1]
        day, game, scores = first[name]
        corrected[name] = day, game, ["99", *scores[1:]]
        both = corrected | month(2, seed)
        later = files(both)
        move_in(book, club_id, anna, [later[number] for number in order])
        assert stored(book, club_id) == expected(both)
        steps = len(book.clubs.get(club_id).entries)
        move_in(book, club_id, anna, [later[number] for number in order])
        assert len(book.clubs.get(club_id).entries) == steps, "no question is asked again"


def test_play_without_scores_gets_those_of_another_source(book, club, anna):
    plays = month(1, 7)
    contents = files(plays, without_scores=[*plays][:1])
    move_in(book, club, anna, [contents[1], contents[0], contents[3], contents[2]])
    assert stored(book, club) == expected(plays)


def test_row_removed_from_a_spreadsheet_changes_no_other(book, club, anna):
    """Rows of one day, game and people have no ids but their scores."""
    day = ("2026-03-08", "Hearts")
    plays = {"1": (*day, ["80", "86", "78"]), "2": (*day, ["35", "37", "96"]), "3": (*day, ["12", "14", "16"])}
    move_in(book, club, anna, [spreadsheet(plays)])
    later = {"2": plays["2"], "3": (*day, ["12", "14", "61"]), "4": (*day, ["50", "51", "52"])}
    shown = club_imports.preview_import(book, book.clubs.get(club), read_plays(spreadsheet({"2": plays["2"]})))
    assert shown.is_empty and shown.already_imported == 1
    move_in(book, club, anna, [spreadsheet(later)])
    now = stored(book, club)
    assert {scores for _, _, scores in now} >= {scores for _, _, scores in expected({"2": plays["2"]})}
    assert sum(now.values()) == 3  # two rows with unknown scores are the two other rows, in order


def test_exported_plays_are_read_elsewhere_with_their_ids(book, club, anna):
    plays = month(1, 1)
    move_in(book, club, anna, files(plays))
    out = json.loads(club_imports.export_plays(book, book.clubs.get(club), "json", anna, days_only=False))
    ids = {row["uuid"] for row in out["plays"]}
    assert len(out["plays"]) == len(plays) and {f"anna-{name}" for name in [*plays][:-1]} <= ids
    assert out["userInfo"]["meRefId"] in {row["id"] for row in out["players"]}
    for kind in club_imports.PLAYS_FORMATS:
        content = club_imports.export_plays(book, book.clubs.get(club), kind, anna, days_only=False)
        assert club_imports.preview_import(book, book.clubs.get(club), read_plays(content)).is_empty, kind


def test_exported_xml_has_owner_and_whole_number_ids(book, club, anna):
    other = (
        b'<plays username="anna" userid="7" total="1"><play id="5" date="2026-01-02"><item name="Go"/></play></plays>'
    )
    odd = bgg(month(1, 2)).replace(b'userid="0" name="Ben"', b'userid="b%n" name="Ben"')
    for content in (other, odd):
        club_imports.import_plays(book, club, read_plays(content), by=anna, key=key())
    root = ElementTree.fromstring(club_imports.export_plays(book, book.clubs.get(club), "xml", anna, days_only=False))
    assert root.attrib == {"username": "anna", "userid": "7", "total": str(len(root)), "page": "1"}
    numbers = [play.get("id") for play in root] + [player.get("userid") for player in root.iter("player")]
    assert all(str(int(number)) == number for number in numbers)
