"""Tables as clubs keep them: days, encodings, headings and layouts of spreadsheet programs."""

from __future__ import annotations

import pytest

from daybook.services.exchange.incoming import NotReadableError
from daybook.services.exchange.plays_file import read_plays
from daybook.services.exchange.table import read_table


def days_of(*texts, game="Azul"):
    lines = "\n".join(f'"{text}",{game} {number},Anna' for number, text in enumerate(texts))
    found = read_table(f"date,game,player\n{lines}\n".encode())
    return [play.at for play in found.plays], [row.reason.key for row in found.spoilt]


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2026-11-28", "2026-11-28"),
        ("28.11.2026", "2026-11-28"),
        ("3.4.2026", "2026-04-03"),
        ("2026/4/3", "2026-04-03"),
        ("20261128", "2026-11-28"),
        ("2026. 11. 28.", "2026-11-28"),
        ("2026년 11월 28일", "2026-11-28"),
        ("2026-11-28 19:30", "2026-11-28T19:30:00"),
        ("28.11.2026 7:05 PM", "2026-11-28T19:05:00"),
        ("11/28/2026 12:05 am", "2026-11-28T00:05:00"),
    ],
)
def test_day_is_read_as_spreadsheets_write_it(written, day):
    assert days_of(written) == ([day], [])


def test_order_of_slashes_is_the_columns():
    assert days_of("03/04/2026", "28/11/2026")[0] == ["2026-04-03", "2026-11-28"]
    assert days_of("03/04/2026", "11/28/2026")[0] == ["2026-03-04", "2026-11-28"]
    assert days_of("04/04/2026")[0] == ["2026-04-04"], "one day whatever the order"


@pytest.mark.parametrize("column", [["03/04/2026"], ["28/11/2026", "11/28/2026"]])
def test_unclear_order_of_slashes_is_refused(column):
    with pytest.raises(NotReadableError) as refused:
        days_of(*column)
    assert refused.value.reason.key == "unclear_days"


TABLE = "Datum;Spiel;Mitspieler;Punkte;Ort\n28.11.2026;Café;Jürgen;12;Köln\n28.11.2026;Café;Zoë;9;Köln\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_german_headings_and_encodings_are_recognised(encoding):
    [play] = read_plays(TABLE.encode(encoding)).plays
    assert (play.game.name, play.at, play.place) == ("Café", "2026-11-28", "Köln")
    assert [(player.name, player.score) for player in play.players] == [("Jürgen", 12), ("Zoë", 9)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "cp949"])
def test_korean_headings_and_encodings_are_recognised(encoding):
    text = "날짜,게임,플레이어,점수\n2026년 11월 28일,아줄,안나,12\n2026년 11월 28일,아줄,벤,9\n"
    bom = "\ufeff" if encoding == "utf-16-le" else ""
    [play] = read_plays((bom + text).encode(encoding)).plays
    assert (play.game.name, [player.name for player in play.players]) == ("아줄", ["안나", "벤"])


def test_column_for_each_player_is_read_with_scores_and_absent_players():
    text = "date,game,Anna,Ben,Bartholomäus,location\n2026-05-01,Azul,44,,45,Hafen\n2026-05-02,Go,x,-,0,\n2026-05-03,Go,,,,\n"
    found = read_table(text.encode())
    assert [[(player.name, player.score, player.score_text) for player in play.players] for play in found.plays] == [
        [("Anna", 44, ""), ("Bartholomäus", 45, "")],
        [("Anna", None, "x"), ("Bartholomäus", 0, "")],
    ]
    assert [row.reason.key for row in found.spoilt] == ["no_name"] or [row.reason.key for row in found.spoilt] == [
        "seats"
    ]


def test_two_plays_of_one_game_on_one_day_stay_two():
    rows = [("Anna", 1), ("Ben", 2), ("Anna", 3), ("Ben", 4)]
    text = "date,game,player,score\n" + "".join(f"2026-05-01,Azul,{name},{score}\n" for name, score in rows)
    assert [[player.score for player in play.players] for play in read_table(text.encode()).plays] == [[1, 2], [3, 4]]


def test_play_id_keeps_a_player_who_is_named_twice():
    text = "play,date,game,player\na,2026-05-01,Azul,Anna\na,2026-05-01,Azul,Anna\n"
    assert [len(play.players) for play in read_table(text.encode()).plays] == [2]
