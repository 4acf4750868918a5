"""Limits of what users send, checked while it is read: each file is refused before it fills the memory or the time."""

from __future__ import annotations

import json
import time
import tracemalloc

import pytest

from daybook.domain.kernel.sheet import InvalidSheetError
from daybook.services import reading_limits
from daybook.services.exchange import bgstats_file
from daybook.services.exchange.incoming import NotReadableError
from daybook.services.exchange.plays_file import read_plays
from daybook.services.reading_limits import COMMAND_JSON, PLAYS_JSON, LimitError, check_json, check_toml, read_rows
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sheetfile import read_sheet_file
from daybook.web.api.strict import BadJsonError, parse_json

NAMED = b'<play id="1" date="2026-01-01"><item name="G"/><players><player name="A"/></players></play>'
HOSTILE = {
    "plays within plays": b"<plays>" + b'<play id="1">' * 19_000 + b'<player name="a"/>' * 9_000 + b"</play>" * 19_000,
    "deep XML": b"<a>" * 300_000,
    "many attributes": b"<plays><play " + b" ".join(b'a%d=""' % n for n in range(200_000)) + b"/></plays>",
    "few attributes too many": b"<plays><play " + b" ".join(b'a%d=""' % n for n in range(60)) + b"/></plays>",
    "many lines of a comment": b'<plays><play id="1"><comments>' + b"\n" * 2_000_000 + b"</comments></play></plays>",
    "empty lists": b'{"plays":[' + b"[]," * 1_000_000 + b"[]]}",
    "deep JSON": b'{"plays":' + b"[" * 2_000_000,
    "many fields": b'{"plays":[{' + b",".join(b'"k%d":1' % n for n in range(200_000)) + b"}]}",
    "a long text": b'{"plays":[{"uuid":"' + b"\\t" * 1_000_000 + b'"}]}',
    "a long text of half surrogates": b'{"plays":[{"uuid":"' + b"\\ud800" * 400_000 + b'"}]}',
    "a long key": b'{"plays":[{"' + b"u" * 1_000_000 + b'":1}]}',
    "a long number": b'{"plays":[' + b"9" * 2_000_000 + b"]}",
    "short lines": b"game,player\n" + b"a\n" * 1_000_000,
    "blank lines": b"game,player\n" + b"\n" * 1_000_000,
    "lines ended by carriage returns": b"game,player\r" + b"a\r" * 1_000_000,
    "many columns": b"game,player\n" + b"," * 2_000_000,
    "few columns too many": b"game,player\n" + b"," * 110,
    "one row of many lines": b"game,player\n" + (b"," * 20 + b'"\n"') * 90_000,
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_plays_are_refused_in_little_memory(content, monkeypatch):
    monkeypatch.setattr(bgstats_file, "PLAYS_JSON", PLAYS_JSON._replace(values=50_000))
    monkeypatch.setattr(reading_limits, "TABLE_LINES", 5_000)
    tracemalloc.start()
    try:
        with pytest.raises(NotReadableError):
            read_plays(content)
        assert tracemalloc.get_traced_memory()[1] < 2 * len(content) + 5_000_000
    finally:
        tracemalloc.stop()


def row_of(cells: int) -> bytes:
    return b"G," + b";" * cells + b"\n"


@pytest.mark.parametrize(
    "content",
    [
        b"game,players\n" + row_of(40_000) * 60,
        b"game,players\n" + row_of(40_000).replace(b";", b",").replace(b"G,", b'G,"', 1)[:-1] + b'"\n',
        b"game,players,expansions\n" + (b"G,A," + b";" * 40_000 + b"\n") * 60,
        b"game,players,winner\n" + (b"G,A," + b"b;" * 20_000 + b"\n") * 60,
    ],
)
def test_long_lists_in_a_field_take_little_time(content):
    began = time.process_time()
    read_plays(content)
    assert time.process_time() - began < 1


def test_name_used_by_many_plays_is_read_once():
    plays = [{"uuid": f"{n}", "gameRefId": 1, "playerScores": [{"playerRefId": 1}] * 9} for n in range(2_000)]
    name = "\t" * 45_000
    file = {"games": [{"id": 1, "name": "G"}], "players": [{"id": 1, "name": name}], "plays": plays}
    began = time.process_time()
    assert len(read_plays(json.dumps(file).encode()).spoilt) == 2_000  # nobody can see the name
    assert time.process_time() - began < 2


def test_bgg_play_after_a_spoilt_one_is_read():
    crowd = b'<play id="2"><item name="G"/>' + b'<player name="a"/>' * 50 + b"</play>"
    found = read_plays(b"<plays>" + crowd + NAMED + b"</plays>")
    assert [play.id for play in found.plays] == ["bgg:1"]
    assert [(row.row, row.reason.key) for row in found.spoilt] == [(1, "seats")]


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b'{"a":' + b'"x[,{",' * 3_000 + b"1}", "name_twice"),
        (b"[" * 40 + b" " * 20_000, "too_deep"),
        (b'{"a":[' + b"[]," * 300_000 + b"[]]}", "values_many"),
        (b"{" + b",".join(b'"k%d":1' % n for n in range(30_000)) + b"}", "fields_many"),
        (b'{"a":' + b"9" * 20_000 + b"}", "digits_many"),
    ],
)
def test_body_beyond_a_limit_is_refused_with_its_code(content, key):
    with pytest.raises(BadJsonError) as refused:
        parse_json(content)
    assert refused.value.code in (key, "not_json")


def test_signs_within_texts_count_as_nothing():
    text = json.dumps({"text": '[{,"\\' * 50_000, "more": ["}]" * 20_000]}).encode()
    check_json(text, COMMAND_JSON._replace(depth=2, fields=2, values=10))
    assert len(text) > reading_limits.SMALL_BYTES


@pytest.mark.parametrize(
    "line",
    [
        b"a" + b".a" * 40 + b" = 1\n",
        b"[" + b".".join([b"a"] * 40) + b"]\n",
        b"a = " + b"[" * 500 + b"]" * 500 + b"\n",
        b"a = [\n" * 500,
        b"a = " + b"{ a = " * 40 + b"1" + b" }" * 40 + b"\n",
        b"a = [" + b"1," * 60_000 + b"1]\n",
        b"a = 1\n" * 6_000,
        b"# " + b"a" * 300_000,
    ],
)
def test_hostile_sheet_is_refused_before_its_parser(line):
    began = time.process_time()
    with pytest.raises(LimitError):
        check_toml(line)
    with pytest.raises(InvalidSheetError):
        read_sheet_file(printed_sheet("making_profit"), line)
    assert time.process_time() - began < 1


def test_sheet_of_repeated_tables_takes_little_time():
    head = b'[sheet]\nformat = 1\ngame = "making_profit"\n'
    lines = b"".join(b"t%d" % n + b".a" * 14 + b" = 1\n" for n in range(4_900))
    began = time.process_time()
    assert read_sheet_file(printed_sheet("making_profit"), head + lines).wrong
    assert time.process_time() - began < 3


def test_rows_keep_quoted_line_ends():
    assert [*read_rows(b'\xef\xbb\xbfa,"b\r\nc"\r\n\r\nd\r\n', ",")] == [["a", "b\r\nc"], [], ["d"]]
