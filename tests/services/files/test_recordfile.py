"""Record files: what is written is read back byte for byte; what is no record is refused with its line."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from daybook.domain import entries
from daybook.domain.commands import Abandon, Note
from daybook.domain.kernel.board import value_at
from daybook.domain.kernel.chronicle import ENTRIES_LIMIT, body_of, seal_line
from daybook.domain.kernel.events import GameOpened
from daybook.domain.writing import FOR_THE_END
from daybook.services.files import recordfile
from daybook.services.files.recordfile import BadFileError, RefusedLineError
from daybook.services.reading_limits import RECORD_LINES
from tests.services.fixture_files import (
    FIXTURES,
    NAMES,
    NOW,
    bare_file_of,
    entry,
    file_of,
    golden,
    played_game,
    read_fixture,
    reseal_line,
    written_at,
)

GAME = played_game(9)
FILE = file_of(GAME)
HEADER = {
    "daybook": 1,
    "ruleset": "making_profit",
    "title": "Tuesday",
    "seats": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    "options": {"hands": "hidden"},
}
DECISIONS = {
    kind.__struct_config__.tag: [field.name for field in msgspec.structs.fields(kind)]
    for kind in get_args(GAME.ruleset.types.decisions)
}
BEGUN = ({"seat": -1, "decision": {"type": "start_player_drawn", "seat": 0}},)


def lines(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


# --- there and back --------------------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from(["open", "hidden"]))
def test_a_file_read_and_written_again_has_the_same_bytes(seed, seats, hands):
    game = played_game(seed, seats, hands)
    content = file_of(game)
    record = read_fixture(content)
    assert b"".join(recordfile.write_full_file(record.header, record.game.entries)) == content
    assert record.game.document == game.document
    assert [x.line for x in record.game.entries] == [x.line for x in game.entries]
    assert [x.event for x in record.game.entries] == [x.event for x in game.entries], "no tuple where JSON has a list"


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from(["open", "hidden"]))
def test_a_bare_file_comes_to_the_same_game(seed, seats, hands):
    game = played_game(seed, seats, hands)
    record = read_fixture(bare_file_of(game))
    assert record.bare
    assert record.game.document == game.document
    assert record.game.id == game.id
    assert b"".join(recordfile.bare_file(record.header, record.game.entries)) == bare_file_of(game)


@pytest.mark.parametrize("file", sorted(FIXTURES.glob("*.daybook")), ids=lambda path: path.stem)
def test_a_fixture_survives_the_way_over_a_bare_file(file):
    game = golden(file).game
    assert read_fixture(bare_file_of(game)).game.document == game.document


def test_the_names_stand_in_the_header_alone():
    header, *rest = FILE.splitlines()
    assert all(name.encode() in header for name in NAMES[:4])
    assert not any(f'"{name}"'.encode() in line for name in NAMES[:4] for line in rest)


def test_a_bare_header_without_an_id_is_the_same_game_every_time():
    once, again = read_fixture(lines(HEADER, *BEGUN)), read_fixture(lines(HEADER))
    assert once.game.id == again.game.id
    assert once.game.opening.seats == again.game.opening.seats
    assert read_fixture(lines(HEADER | {"title": "Wednesday"})).game.id != once.game.id


def test_bare_line_takes_time_and_writer_from_header_or_reader():
    at = {"at": "2026-11-01T10:00:00.000Z", "by": "seat:0"}
    game = read_fixture(lines(HEADER, BEGUN[0] | at, {"note": {"about_step": 0, "text": "begun"}})).game
    assert [(x.event.at, by) for x, by in zip(game.entries, game.writers, strict=True)] == [
        (NOW, "import"),
        ("2026-11-01T10:00:00.000Z", "seat:0"),
        (NOW, "import"),
    ]


def test_every_kind_of_bare_line():
    game = read_fixture(
        lines(
            HEADER,
            *BEGUN,
            {"step": 2, "seat": 0, "decision": {"type": "develop", "card": "M2"}},
            {"take_back": {"to_step": 1, "cause": "mistyped", "why": "it was an M1"}},
            {"seat": 0, "decision": {"type": "develop", "card": "M1"}},
            {"adjust": {"values": {"/players/1/money": 3}, "why": "three coins were on the floor"}},
            {"note": {"about_step": 4, "text": "a fine card"}},
            {"abandon": {"why": "the cat"}},
            {"reopen": {"why": "the cat is asleep"}},
            {"seat": 0, "decision": {"type": "end_turn"}},
        )
    ).game
    assert game.document["players"][0]["factory"] == ["M1"]
    assert game.document["players"][1]["money"] == 3
    assert game.status == "running" and game.step == 9


def test_a_games_own_numbers_ride_along():
    header = HEADER | {"sheet": {"overrides": {"start.money": 5}}}
    game = read_fixture(lines(header)).game
    assert [player["money"] for player in game.document["players"]] == [5, 5]
    assert game.opening.sheet.overrides == {"start.money": 5}
    content = b"".join(recordfile.write_full_file(recordfile.build_header(game, "x", ["a", "b"]), game.entries))
    assert read_fixture(content).header.sheet.overrides == {"start.money": 5}


# --- what is no record -----------------------------------------------------------------------------------------------

DEEP = b'{"daybook":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", 1, "the file is empty"),
        (b"\n", 1, "the line is empty"),
        (b"\xef\xbb\xbf" + FILE, 1, "byte order mark"),
        (FILE.replace(b"\n", b"\r\n"), 1, "carriage return"),
        (FILE.replace(b"\n", b"\r"), 1, "carriage return"),
        (FILE.decode().encode("utf-16"), 1, "not UTF-8"),
        (lines(HEADER) + b'{"note": {"about_step": 0, "text": "\xff"}}\n', 2, "byte 37 is not UTF-8"),
        (lines(HEADER) + b'{"note": {"about_step": 0, "text": "\\ud800"}}\n', 2, ""),
        (lines(HEADER) + b"\n", 2, "the line is empty"),
        (lines(HEADER) + b"{}\n", 2, "a line is one of"),
        (lines(HEADER) + b"[]\n", 2, "a list; it should be an object"),
        (lines(HEADER) + b"{\n", 2, "breaks off before its end"),
        (lines(HEADER) + b'{"note": {"about_step": 0, "text": "x"}} x\n', 2, "on it is not JSON"),
        (
            lines(HEADER) + b'{"note": {"about_step": 0, "text": "x", "text": "y"}}\n',
            2,
            "an object has 'text' more than once",
        ),
        (lines(HEADER) + b'{"close": {}, "close": {}}\n', 2, "an object has 'close' more than once"),
        (lines(HEADER).replace(b"{", b'{"title":"first",', 1), 1, "an object has 'title' more than once"),
        (
            lines(HEADER) + b'{"note": {"about_step": 0.0, "text": "x"}}\n',
            2,
            "note.about_step: it is a number with a fraction; it should be a whole number",
        ),
        (lines(HEADER) + b'{"note": {"about_step": NaN, "text": "x"}}\n', 2, "from byte 25 on it is not JSON"),
        (lines(HEADER) + b'{"adjust": {"values": {"/players/0/money": 1.25}, "why": "x"}}\n', 2, "not a whole number"),
        (lines(HEADER) + b'{"adjust": {"values": {"/players/0/money": 1e400}, "why": "x"}}\n', 2, "out of range"),
        (lines(HEADER) + b'{"adjust": {"values": {"/players/0/money": %d}, "why": "x"}}\n' % 10**30, 2, "too large"),
        (lines(HEADER) + b'{"note": {"about_step": 0, "text": "\\u0000"}}\n', 2, "NUL"),
        (lines(HEADER) + b'{"note": {"about_step": 0, "text": "%b"}}\n' % (b"x" * 2001), 2, "too long: at most 2000"),
        (lines(HEADER) + b'{"note": {"about_step": 0, "text": "%b"}}\n' % (b"x" * 2_000_000), 2, "longer than"),
        (DEEP, 1, "nested too deeply"),
        (
            lines(HEADER) + b'{"adjust": {"why": "x", "values": ' + b'{"a":' * 500 + b"1" + b"}" * 502 + b"\n",
            2,
            "nested too deeply",
        ),
        (lines(HEADER | {"colour": "red"}), 1, "no field 'colour'"),
        (lines(HEADER | {"daybook": 2}), 1, "format 2"),
        (lines(HEADER | {"ruleset": "chess"}), 1, "does not know the game 'chess'"),
        (lines(HEADER | {"title": ""}), 1, "title: it is too short: at least 1"),
        (lines(HEADER | {"title": "a\x1b[0m"}), 1, "cannot be shown"),
        (lines(HEADER | {"at": "yesterday"}), 1, "'yesterday' is not a time"),
        (lines(HEADER | {"at": "2026-13-01T00:00:00.000Z"}), 1, "is not a time"),
        (lines(HEADER | {"sheet": {"overrides": {"start.cash": 5}}}), 1, "no such number"),
        (
            lines(HEADER | {"seats": [{"name": "Ada", "colour": "red", "age": 7}]}),
            1,
            "seats[0]: there is no field 'age'",
        ),
        (lines(HEADER | {"sheet": {"overrides": {"start.certificates": 99}}}), 1, "cannot be opened: MP-7.1"),
        (lines({**HEADER, "revision": 1}), 1, "' is missing"),
        (lines(HEADER, BEGUN[0] | {"step": 2}), 2, "it says step 2; line 2 is step 1"),
        (lines(HEADER, {"seat": 0}), 2, "a line is one of"),
        (lines(HEADER, {"decision": {"type": "run"}}), 2, "a decision has a seat"),
        (lines(HEADER, {"seat": 0, "note": {"about_step": 0, "text": "x"}}), 2, "a decision has a seat"),
        (lines(HEADER, {"seat": 2, "decision": {"type": "run"}}), 2, "there is no seat 2"),
        (
            lines(HEADER, {"seat": 0, "decision": {"type": "pray"}}),
            2,
            "'pray' is not a decision of Making Profit; it has: buy_stock, develop, discard_factory, discard_hand, drawn, ",
        ),
        (lines(HEADER, {"seat": 0, "decision": {"kind": "run"}}), 2, "the decision has no type; Making Profit has: "),
        (lines(HEADER, {"seat": 0, "decision": {"type": ["run"]}}), 2, "['run'] is not a decision of Making Profit"),
        (
            lines(HEADER, {"seat": 0, "decision": {"type": "develop", "cart": "R1"}}),
            2,
            "develop: it has no field 'cart'; it has: card, factory",
        ),
        (
            lines(HEADER, {"seat": 0, "decision": {"type": "sell_done", "now": True}}),
            2,
            "sell_done: it has no field 'now'; it has none",
        ),
        (lines(HEADER, {"seat": 0, "decision": {"type": "buy_stock"}}), 2, "buy_stock: the field 'colour' is missing"),
        (
            lines(HEADER, {"seat": 0, "decision": {"type": "buy_stock", "colour": 3}}),
            2,
            "buy_stock: colour is a whole number; it should be a text",
        ),
        (
            lines(HEADER, {"seat": 0, "decision": {"type": "run", "twice": True}}),
            2,
            "run: it has no field 'twice'; it has: factory",
        ),
        (lines(HEADER, {"seat": 0, "decision": {"type": "run"}, "dance": 1}), 2, "no field 'dance'"),
        (lines(HEADER, {"type": "decision_recorded"}), 2, "no field 'type'"),
    ],
)
def test_refused_with_its_line(content, line, message):
    with pytest.raises(BadFileError) as wrong:
        read_fixture(content)
    assert wrong.value.line == line
    assert message in wrong.value.says


@pytest.mark.parametrize(
    ("content", "line", "rule", "reason"),
    [
        (lines(HEADER, {"seat": 0, "decision": {"type": "run"}}), 2, "MP-4.1.1", "the game has not begun"),
        (lines(HEADER, *BEGUN, {"seat": 1, "decision": {"type": "run"}}), 3, "MP-4.1.1", "it is the turn of seat 0"),
        (
            lines(HEADER, *BEGUN, {"seat": 0, "decision": {"type": "develop", "card": "?"}}),
            3,
            "MP-3.4.2",
            "name its type",
        ),
        (lines(HEADER, {"take_back": {"to_step": 3}}), 2, "", "steps 0 to 0, not 3"),
        (lines(HEADER, {"close": {}}), 2, "", "the game is not over"),
        (lines(HEADER, {"adjust": {"values": {"/turn": 3}, "why": "x"}}), 2, "", "cannot be adjusted"),
        (lines(HEADER, {"adjust": {"values": {"/players/0/money": -1}, "why": "x"}}), 2, "MP-7.4", ""),
        (lines(HEADER, {"abandon": {"why": "x"}}, *BEGUN), 3, "", "the game is abandoned"),
        (lines(HEADER | {"seats": HEADER["seats"][:1]}), 1, "MP-1", "2 to 6 players"),  # type: ignore[index]
        (lines(HEADER | {"options": {"hands": "shut"}}), 1, "MP-1", "hands"),
    ],
)
def test_the_rules_refuse_a_bare_line(content, line, rule, reason):
    with pytest.raises(RefusedLineError) as no:
        read_fixture(content)
    assert (no.value.line, no.value.step, no.value.rule) == (line, line - 1, rule)
    assert reason in str(no.value.reason)


# --- full files that do not hold together, though their seals do -----------------------------------------------------


def header_with(**parts: Any) -> bytes:
    header, rest = FILE.split(b"\n", 1)
    return lines(json.loads(header) | parts) + rest


@pytest.mark.parametrize(
    "parts",
    [
        {"revision": 99},
        {"kind": "table"},
        {"recorded": "memory"},
        {"options": {"hands": "hidden"}},
        {"sheet": {"hash": "0" * 64, "overrides": {}}},
        {"sheet": {"hash": GAME.opening.sheet.hash, "overrides": {"a": 1}}},
        {"seats": json.loads(FILE.split(b"\n", 1)[0])["seats"][:3]},
        {"seats": [seat | {"person": "nobody"} for seat in json.loads(FILE.split(b"\n", 1)[0])["seats"]]},
    ],
)
def test_a_header_that_says_something_else_than_the_opening(parts):
    with pytest.raises(BadFileError, match="does not agree"):
        read_fixture(header_with(**parts))


def test_the_title_and_the_names_may_be_put_right():
    seats = [seat | {"name": "X"} for seat in json.loads(FILE.split(b"\n", 1)[0])["seats"]]
    assert read_fixture(header_with(title="Wednesday", seats=seats)).game.seal == GAME.seal


def line_of(matches: Callable[[Any], bool]) -> int:
    """Return the first line of FILE with such an entry."""
    return next(x.step + 2 for x in GAME.entries if matches(x.event))


DECISION = line_of(lambda e: getattr(e, "seat", -1) >= 0)
EFFECTS = entry(FILE, DECISION)["effects"]
CHANGES = entry(FILE, DECISION)["changes"]
SHEET = entry(FILE, 2)["sheet"]
COLUMNS = entry(FILE, DECISION)["columns"]


@pytest.mark.parametrize(
    ("line", "parts", "message"),
    [
        (2, {"step": 1}, "it says step 1"),
        (2, {"format": 4}, "format 4: this Daybook reads format 3"),
        (2, {"game": "00000000-0000-0000-0000-00000000ffff"}, "it opens game"),
        (2, {"board": {}}, "the field 'players' is missing"),
        (2, {"board": entry(FILE, 2)["board"] | {"dragons": 3}}, "a part that this game does not know"),
        (2, {"columns": {"money": [0]}}, "1 values for 4 seats"),
        (2, {"sheet": SHEET | {"hash": "0" * 64}}, "not the one its hash names"),
        (2, {"sheet": SHEET | {"values": {}}}, "is missing"),
        (2, {"sheet": SHEET | {"overrides": {"start.money": 9}}}, "is not 9 among the values"),
        (2, {"sheet": SHEET | {"values": SHEET["values"] | {"start.money": "none"}}}, "a whole number"),
        (DECISION, {"step": 5000}, "it says step 5000"),
        (DECISION, {"at": "now"}, "is not a time"),
        (DECISION, {"by": "a\nb"}, "by: 1 to 64 characters"),
        (DECISION, {"key": "step 1"}, "key:"),
        (DECISION, {"key": "step-1"}, "step 1 has the same one"),
        (DECISION, {"seat": 4}, "there is no seat 4"),
        (DECISION, {"decision": {"type": "pray"}}, "'pray' is not as making_profit has it"),
        (DECISION, {"decision": {"type": "run", "factory": None}}, "a part that making_profit does not know"),
        (DECISION, {"effects": [{"type": "rained", "rule": "MP-1"}]}, "'rained' is not as"),
        (DECISION, {"effects": [EFFECTS[0] | {"seat": 1.0}]}, "is not a whole number"),
        (DECISION, {"changes": CHANGES | {"/players/0/money": [77, 78]}}, "was not 77"),
        (DECISION, {"changes": CHANGES | {"/players/0/dragons": [1, 2]}}, "was not 1"),
        (DECISION, {"changes": CHANGES | {"/players/0/money": [0]}}, "it is too short: at least 2"),
        (DECISION, {"changes": {"/players/0/money": [0, "much"]}}, "not a board of this game"),
        (DECISION, {"changes": {"/sale": [entry(FILE, 2)["board"]["sale"], 5], "/sale/red": [0, 1]}}, "overlap"),
        (DECISION, {"changes": {"/nationalising": [0, 1]}}, "stepping back"),
        (DECISION, {"changes": {"/players/0/money": [0, -5]}}, "the board cannot be: MP-7.4"),
        (
            DECISION,
            {"changes": {"/players/0/certificates": [entry(FILE, 2)["board"]["players"][0]["certificates"], {}]}},
            "the board cannot be",
        ),
        (DECISION, {"columns": {"gold": [0, 0, 0, 0]}}, "not those of the opening"),
        (DECISION, {"columns": COLUMNS | {"money": None}}, "it should be a list"),
        (DECISION, {"columns": COLUMNS | {"money": [1, 2, 3]}}, "3 values for 4 seats"),
        (DECISION, {"columns": {}}, "not those of the opening"),
        (DECISION, {"columns": None}, "columns"),
        (DECISION, {"marks": {"moon": None}}, "marks"),
        (DECISION, {"by": ""}, "by: 1 to 64 characters"),
        (DECISION, {"copied_from_step": DECISION - 2}, "it names step"),
        (DECISION, {"corrects_step": DECISION - 2}, "it names step"),
        (DECISION, {"answers_step": DECISION - 2}, "it names step"),
        (DECISION, {"type": "game_opened"}, "there is no field"),
        (DECISION, {"luck": 3}, "there is no field 'luck'"),
    ],
)
def test_a_sealed_line_that_is_none_of_this_record(line, parts, message):
    with pytest.raises(BadFileError) as wrong:
        read_fixture(reseal_line(FILE, line, **parts))
    assert wrong.value.line == line
    assert message in wrong.value.says


@pytest.mark.parametrize("field", ["type", "by", "columns", "marks"])
def test_a_line_without_a_field_is_refused(field):
    with pytest.raises(BadFileError) as wrong:
        read_fixture(reseal_line(FILE, DECISION, left_out=[field]))
    assert wrong.value.line == DECISION and field in wrong.value.says


@pytest.mark.parametrize("given", [1, 2])
def test_a_file_of_daybook_0_is_refused_by_its_header(given):
    with pytest.raises(BadFileError) as wrong:
        read_fixture(header_with(daybook=given))
    assert wrong.value.says == f"format {given}: Daybook 0.2.0 is the last version that reads it"


def test_a_file_of_a_later_format_is_refused_by_its_header():
    with pytest.raises(BadFileError) as wrong:
        read_fixture(header_with(daybook=4))
    assert wrong.value.says == "format 4: this Daybook reads format 3"


def test_a_bare_file_has_its_own_format():
    header = json.loads(bare_file_of(GAME).split(b"\n", 1)[0])
    assert header["daybook"] == 1


def test_an_entry_that_is_not_in_canonical_form():
    header, *rest = FILE.splitlines()
    spaced = b"\n".join([header, rest[0].replace(b'"step":0', b'"step": 0'), *rest[1:]])
    with pytest.raises(BadFileError, match="its seal is wrong"):
        read_fixture(spaced)
    with pytest.raises(BadFileError, match="canonical form"):
        read_fixture(reseal_line(FILE, DECISION, closed_periods=[]))


def test_a_note_is_about_a_step_before_it():
    game = played_game(9, limit=60)
    note = entries.note(game, Note(60, "well played"), written_at(61)).event
    content = file_of(game)
    assert read_fixture(_with(content, note, game.seal, 61)).game.step == 61
    for about in (61, 62, -1):
        with pytest.raises(BadFileError, match=f"about_step: step {about} is not before this one"):
            read_fixture(_with(content, msgspec.structs.replace(note, about_step=about), game.seal, 61))


def test_a_take_back_leads_where_it_says():
    content = (FIXTURES / "corrections.daybook").read_bytes()
    line = next(n for n, text in enumerate(content.splitlines(), 1) if b'"decisions_taken_back"' in text)
    back = entry(content, line)
    for parts, says in (
        ({"to_step": back["step"]}, "is not before this one"),
        ({"to_step": back["to_step"] - 1}, "do not lead back"),
        ({"columns": back["columns"] | {"money": [9, 9, 9]}}, "not those of step"),
    ):
        with pytest.raises(BadFileError, match=says):
            read_fixture(reseal_line(content, line, **parts))


def test_nothing_is_played_in_a_closed_game():
    game = played_game(9, limit=60)
    game.apply(entries.abandon(game, Abandon("late"), written_at(61)))
    entry_after, _ = entries.decide(played_game(9, limit=60), *_next(game), written_at(62))
    body = entry_after.event
    with pytest.raises(BadFileError, match="the game is abandoned"):
        read_fixture(_with(file_of(game), body, game.seal, game.step + 1))


def _next(game: Any) -> tuple[int, Any]:
    seat = game.ruleset.course.to_act(game.board)[0]
    return seat, game.ruleset.legal(game.board, seat)[0]


def _with(content: bytes, event: Any, seal: str, step: int) -> bytes:
    """A file with one more sealed line."""
    return content + seal_line(body_of(msgspec.structs.replace(event, step=step)), seal)[0] + b"\n"


ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    7,
    10**15,
    "",
    "red",
    "pink",
    "R1",
    "?",
    "Z9",
    [],
    ["R1"] * 50,
    {},
    {"R1": -5},
    {"R1": 10**15, "?": 3},
    {"pink": 3},
    "level_ten",
    [[]],
]
HIDDEN = (FIXTURES / "hidden-four.daybook").read_bytes()
HIDDEN_GAME = golden("hidden-four").game
PLACES = [
    "/players",
    "/players/1",
    "/bank",
    "/deck",
    "/discard",
    "/sale",
    "/stocks",
    "/start",
    "/drawer",
    "/draws",
    "/turn",
    "/developer",
    "/players/0/hand",
    "/players/0/certificates",
    "/players/0/factory",
    "/players/2/hand/?",
]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PLACES), st.sampled_from(ODD), st.integers(1, HIDDEN_GAME.step))
def test_no_odd_board_comes_in(place, odd, step):
    """Whatever is sealed, what is read can be shown; everything else is refused in order."""
    content = b"".join(HIDDEN.splitlines(keepends=True)[: step + 2])
    assume(entry(content, step + 2)["type"] == "decision_recorded")
    there = value_at(HIDDEN_GAME.document_at(step - 1), place)
    try:
        game = read_fixture(reseal_line(content, step + 2, changes={place: [there, odd]})).game
    except BadFileError as wrong:
        assert wrong.line == step + 2
        return
    for seat in (-1, 0, 1, 2, 3):
        game.ruleset.legal(game.board, seat)
    assert len(game.ruleset.scoring.standing(game.board)) == 4


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(-1, 3), st.sampled_from(sorted(DECISIONS)), st.data(), st.integers(1, HIDDEN_GAME.step))
def test_no_odd_decision_comes_in(seat, kind, data, step):
    decision = {"type": kind} | {name: data.draw(st.sampled_from(ODD)) for name in DECISIONS[kind]}
    begun = b"".join(bare_file_of(HIDDEN_GAME).splitlines(keepends=True)[:step])
    try:
        game = read_fixture(begun + lines({"seat": seat, "decision": decision})).game
    except BadFileError as wrong:
        assert wrong.line == step + 1
        return
    assert game.step == step


def test_reading_changes_nothing_and_stops_at_the_first_bad_line():
    header, *rest = FILE.splitlines()
    source = io.BytesIO(b"\n".join([header, *rest[:3], b"rubbish", *rest[4:]]))
    with pytest.raises(BadFileError) as wrong:
        recordfile.read_record_file(source, NOW)
    assert wrong.value.line == 5
    assert len(source.read().splitlines()) == len(rest) - 4  # what follows was never looked at


def test_the_opening_stands_once():
    event = GAME.entries[0].event
    assert isinstance(event, GameOpened)
    with pytest.raises(BadFileError, match="the same one"):
        read_fixture(_with(FILE, msgspec.structs.replace(event, by="somebody"), GAME.seal, GAME.step + 1))
    with pytest.raises(BadFileError, match="missing"):
        read_fixture(FILE.splitlines()[0])


def test_a_file_has_an_end():
    note = b'{"note": {"about_step": 0, "text": "x"}}\n'
    with pytest.raises(RefusedLineError) as full:
        read_fixture(lines(HEADER) + note * ENTRIES_LIMIT)
    assert (full.value.line, full.value.reason.key) == (ENTRIES_LIMIT - FOR_THE_END + 1, "record_full")
    with pytest.raises(BadFileError) as wrong:
        list(recordfile.numbered_lines(io.BytesIO(note * (RECORD_LINES + 1))))
    assert wrong.value.line == RECORD_LINES + 1
