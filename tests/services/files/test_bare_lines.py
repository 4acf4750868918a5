"""Lines of bare files as they have always been written: each is read as it was, and written to the byte."""

from __future__ import annotations

import msgspec
import pytest

from daybook.domain import commands
from daybook.services.files.recordfile import BadFileError, BareLine, encode_line, read_bare_line

RUN = {"type": "run"}

GOLDEN: list[tuple[bytes, commands.Line]] = [  # as bare files of all versions have them
    (
        b'{"seat":-1,"decision":{"seat":0,"type":"start_player_drawn"}}',
        commands.Decide(-1, {"type": "start_player_drawn", "seat": 0}),
    ),
    (
        b'{"seat":0,"decision":{"type":"run"},"copied_from_step":3,"corrects_step":4,"answers_step":5}',
        commands.Decide(0, RUN, 3, 4, 5),
    ),
    (b'{"seat":0,"decision":{"type":"run"},"as_played":{}}', commands.RecordAsPlayed(0, RUN)),
    (
        b'{"seat":0,"decision":{"type":"run"},"as_played":{"values":{"/a":1,"/b":null},"why":"so","rules_applied":false},'
        b'"corrects_step":2}',
        commands.RecordAsPlayed(0, RUN, {"/b": None, "/a": 1}, "so", False, corrects_step=2),
    ),
    (b'{"take_back":{"to_step":5,"cause":"table","why":""}}', commands.TakeBack(5)),
    (
        b'{"take_back":{"to_step":5,"cause":"ruling","why":"so"},"answers_step":7}',
        commands.TakeBack(5, "ruling", "so", 7),
    ),
    (
        b'{"adjust":{"values":{"/a":1},"why":"so","cause":"mistyped"},"copied_from_step":2,"answers_step":4}',
        commands.Adjust({"/a": 1}, "so", "mistyped", 2, 4),
    ),
    (b'{"note":{"about_step":3,"text":"x"}}', commands.Note(3, "x")),
    (b'{"count":{"values":{"/a":1}}}', commands.Count({"/a": 1})),
    (b'{"count":{"values":{"/a":1},"text":"x"}}', commands.Count({"/a": 1}, "x")),
    (
        b'{"entry":{"about_step":1,"statement":"x","type":"claim_raised"}}',
        commands.AddEntry({"type": "claim_raised", "about_step": 1, "statement": "x"}),
    ),
    (b'{"close":{}}', commands.Close()),
    (b'{"abandon":{"why":"x"}}', commands.Abandon("x")),
    (b'{"reopen":{"why":"x"}}', commands.Reopen("x")),
]


@pytest.mark.parametrize(("line", "command"), GOLDEN)
def test_a_line_is_its_command_and_a_command_its_line(line, command):
    assert read_bare_line(2, line) == BareLine(command)
    assert encode_line(BareLine(command)) == line


@pytest.mark.parametrize(("line", "command"), GOLDEN)
def test_writer_and_time_may_be_in_a_line_and_null_is_left_out(line, command):
    given = msgspec.json.decode(line)
    words = (
        "seat",
        "decision",
        "as_played",
        "take_back",
        "adjust",
        "note",
        "count",
        "entry",
        "close",
        "abandon",
        "reopen",
        "copied_from_step",
        "corrects_step",
        "answers_step",
    )
    whole = dict.fromkeys(words) | given | {"step": 1, "at": "2026-11-01T10:00:00.000Z", "by": "seat:0"}
    read = read_bare_line(2, msgspec.json.encode(whole))
    assert read == BareLine(command, 1, "2026-11-01T10:00:00.000Z", "seat:0")
    assert read_bare_line(2, encode_line(read)) == read


def test_entry_copied_from_a_full_file_names_its_writer_and_time():
    copied = {
        "entry": {
            "type": "claim_raised",
            "step": 9,
            "at": "2026-11-01T10:00:00.000Z",
            "by": "seat:1",
            "key": "k",
            "nonce": "n",
            "about_step": 1,
            "statement": "x",
        }
    }
    assert read_bare_line(2, msgspec.json.encode(copied)) == BareLine(
        commands.AddEntry({"type": "claim_raised", "about_step": 1, "statement": "x"}),
        None,
        "2026-11-01T10:00:00.000Z",
        "seat:1",
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"note": {"about_step": 0, "text": "x", "colour": "red"}}, "note: there is no field 'colour'"),
        ({"note": {"about_step": 0, "text": "x", "command": "note"}}, "note: there is no field 'command'"),
        ({"note": {"about_step": 0}}, "note: the field 'text' is missing"),
        ({"note": "x"}, "note: it is a text; it should be an object"),
        ({"take_back": {"to_step": 1, "answers_step": 1}}, "take_back: there is no field 'answers_step'"),
        ({"take_back": {"to_step": 1}, "corrects_step": 1}, "there is no field 'corrects_step'"),
        ({"take_back": {"to_step": 1, "cause": "luck"}}, "take_back.cause: it cannot be 'luck'"),
        ({"seat": "red", "decision": RUN}, "seat: it is a text; it should be a whole number"),
        ({"seat": 0, "decision": "run"}, "decision: it is a text; it should be an object"),
        ({"seat": 0, "decision": RUN, "as_played": {"seat": 1}}, "as_played: there is no field 'seat'"),
        (
            {"seat": 0, "decision": RUN, "as_played": {"rules_applied": 1}},
            "as_played.rules_applied: it is a whole number",
        ),
        ({"seat": 0, "decision": RUN, "answers_step": "x"}, "answers_step: it is a text"),
        ({"note": {"about_step": 0, "text": "x"}, "as_played": {}}, "only a decision is as_played"),
        ({"note": {"about_step": 0, "text": "x"}, "by": 5}, "by: it is a whole number"),
        (
            {"note": {"about_step": 0, "text": "x"}, "close": {}},
            "a line is one of: decision (with seat), take_back, adjust",
        ),
        ({"entry": "x"}, "entry: it is a text"),
        ({"dance": None}, "there is no field 'dance'"),
    ],
)
def test_what_a_line_cannot_say_is_named(given, message):
    with pytest.raises(BadFileError) as wrong:
        read_bare_line(2, msgspec.json.encode(given))
    assert message in wrong.value.says
