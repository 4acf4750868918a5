"""Values that no rule knows: refused by hand with those there are, and shown where an older record holds one."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any
from uuid import UUID

import pytest
from click.testing import CliRunner
from flask import Flask

from daybook import cli
from daybook.domain import entries
from daybook.domain.commands import Adjust, Count, RecordAsPlayed
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.naming import at_places, strangers
from daybook.domain.kernel.record import Game, documents_after
from daybook.services.disputes import as_played
from daybook.services.files import import_export, recordfile
from daybook.services.files.recordfile import BareLine, RefusedLineError
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.services.written import new_written
from daybook.web.app import begin
from tests.played import write
from tests.services.fixture_files import FIXTURES, bare_file_of, golden, read_fixture
from tests.web.api.conftest import Caller
from tests.web.conftest import Opened, open_table

Values = dict[str, Any]

STRANGE: dict[str, list[Values]] = {
    "making_profit": [{"/players/0/factory": ["R1", "R9"]}, {"/developer": 9}, {"/bank": {"red": 3, "pink": 1}}],
    "london_markets": [
        {"/traded/PORT": "chinaa"},
        {"/merchants/stack": "SOHO"},
        {"/players/0/specials": ["monopoly:SOHO"]},
        {"/revealed": ["M99"]},
        {"/stacks/PORT": [[9, 0, 0]]},
        {"/used": ["Q"]},
        {"/assistants/A": 90},
    ],
    "water_frame": [
        {"/players/0/chart/2": "telescope"},
        {"/players/0/markers": ["quality:pink"]},
        {"/economy/food": ["9/9"]},
        {"/players/0/tiles": [{"kind": "zeppelin"}]},
        {"/events": ["doomsday"]},
        {"/players/0/space": 9999},
        {"/players/0/ships": [77]},
        {"/mat/0/markers": ["steam"]},
    ],
    "arkwright_card": [
        {"SLOT": 41},
        {"/players/0/cards": ["time_machine"]},
        {"/wages": 99},
        {"/demand/food": 99},
        {"/players/0/levels/ship": 9},
        {"/turn/good": "books"},
    ],
}
EVERY = [(ruleset, values) for ruleset, some in STRANGE.items() for values in some]


@pytest.fixture(scope="module")
def recorded(
    tmp_path_factory: pytest.TempPathFactory, signing_data: Path, built_app: Flask
) -> Callable[[str], tuple[Path, UUID]]:
    """A data folder with a game under way, to be copied, and the game's id."""

    @cache
    def data_with(ruleset: str) -> tuple[Path, UUID]:
        data = Path(copytree(signing_data, tmp_path_factory.mktemp(ruleset) / "data"))
        book = open_daybook(Settings(data=data))
        game = open_table(book, built_app, ruleset_id=ruleset, public=True)
        game.play(60 if ruleset != "water_frame" else 120)
        assert game.game.ruleset.course.to_act(game.game.board)
        book.close()
        return data, game.id

    return data_with


@pytest.fixture
def game_under_way(
    recorded: Callable[[str], tuple[Path, UUID]], built_app: Flask, tmp_path: Path
) -> Iterator[Callable[[str], Opened]]:
    with ExitStack() as opened:

        def game_of(ruleset: str) -> Opened:
            data, id = recorded(ruleset)
            book = open_daybook(Settings(data=Path(copytree(data, tmp_path / "data"))))
            opened.callback(book.close)
            begin(built_app, book)
            built_app.testing = True
            return Opened(book, built_app, id)

        yield game_of


def put(game: Game, values: Values) -> Values:
    """The values with a place for a slot: of the first factory there is."""
    if "SLOT" not in values:
        return values
    place = next(
        f"/players/{seat}/factories/{good}/slot"
        for seat, player in enumerate(game.document["players"])
        for good, factory in player["factories"].items()
        if factory
    )
    return {place: values["SLOT"]}


def refused_decision(game: Game) -> tuple[int, dict[str, Any]]:
    """Something that the rules refuse now: what another seat might decide."""
    rules, acting = game.ruleset, game.ruleset.course.to_act(game.board)
    other = next((seat for seat in range(len(game.opening.seats)) if seat not in acting), None)
    if other is not None:
        decision = plain(rules.legal(game.board, acting[0])[0])
        if game.objections(other, rules.decision(decision)):
            return other, decision
    for entry in game.entries[1:]:
        event = entry.event
        if game.objections(event.seat, rules.decision(event.decision)):
            return event.seat, event.decision
    raise AssertionError("everything is legal")


# --- refused, through every way in -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "values"), EVERY, ids=str)
def test_value_unknown_to_the_game_is_refused_with_known_ones(game_under_way, ruleset, values):
    game = game_under_way(ruleset)
    book, id, values = game.book, game.id, put(game.game, values)
    seat, decision = refused_decision(game.game)
    ways: list[Callable[[], Any]] = [
        lambda: write(
            book, id, RecordAsPlayed(seat, decision, values, "so", rules_applied=False), at=game.step, key="a"
        ),
        lambda: as_played.preview_as_played(book, id, seat, decision, values, computed=False),
    ]
    by_adjusting = [
        lambda: write(book, id, Adjust(values, "so", "table"), at=game.step),
        lambda: write(book, id, Count(values), at=game.step),
    ]
    for way in (*ways, *by_adjusting):
        with pytest.raises(Refused) as no:
            way()
        if no.value.reason.key != "not_a_cause":
            assert no.value.reason.key in ("unknown_name", "wrong_type"), no.value
            assert (
                way in by_adjusting
                or no.value.reason.key == "wrong_type"
                or len(str(no.value.reason.figures["known"])) > 3
            )
    assert game.step == len(game.game.entries) - 1 and not list(
        strangers(game.game.ruleset.integrity.names, game.game.board, game.game.document)
    )


def test_the_refusal_names_the_place_and_what_there_is(game_under_way):
    game = game_under_way("london_markets")
    with pytest.raises(Refused, match=r"/traded/PORT cannot be chinaa: there is .*china, coffee, general, silk, soap"):
        game.write(Adjust({"/traded/PORT": "chinaa"}, "so", "table"), by="x", key="a")


def test_over_the_api_on_the_page_and_on_the_command_line(game_under_way):
    game = game_under_way("london_markets")
    values, before = {"/traded/PORT": "chinaa"}, game.step
    seat, decision = refused_decision(game.game)
    caller, keeper = Caller(game.app.test_client()), game.key("scorekeeper")
    where = f"/games/{game.id}"
    stands = {"seat": seat, "decision": decision, "values": values, "rules_applied": False}
    for path, body in (
        ("/adjustments", {"values": values, "why": "so", "cause": "table", "at": before}),
        ("/counts", {"values": values, "at": before}),
        ("/as-played/preview", stands),
        ("/as-played", stands | {"why": "so", "at": before}),
    ):
        answer = caller.post(where + path, body, keeper)
        assert (answer.status_code, answer.json["error"]["code"]) == (422, "unknown_name"), answer.text
        assert "soap" in answer.json["error"]["reason"]
    page = game.visitor().post(f"{game.path}/adjust", **{"value:/traded/PORT": "chinaa", "why": "so"})
    assert game.step == before, page.text[:300]
    result = CliRunner().invoke(
        cli.main,
        [
            "record",
            str(game.id),
            json.dumps({"adjust": {"values": values, "why": "so"}}),
            "--data",
            str(game.book.settings.data),
        ],
    )
    assert result.exit_code == 1 and "there is" in result.output
    assert game.step == before


def test_in_a_bare_file_that_is_brought(game_under_way):
    game, values = game_under_way("london_markets"), {"/traded/PORT": "chinaa"}
    seat, decision = refused_decision(game.game)
    header, *lines = bare_file_of(game.game).splitlines(keepends=True)
    fresh = json.loads(header)
    del fresh["game"]
    for line in (
        BareLine(Adjust(values, "so")),
        BareLine(Count(values)),
        BareLine(RecordAsPlayed(seat, decision, values, "so", False)),
    ):
        content = json.dumps(fresh).encode() + b"\n" + b"".join(lines) + recordfile.encode_line(line) + b"\n"
        with pytest.raises(RefusedLineError, match="chinaa"):
            import_export.import_file(game.book, content)


# --- what is on record already ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "values"), dict(EVERY).items(), ids=str)  # one value of each game
def test_an_older_record_that_holds_one_is_read_and_replayed(game_under_way, ruleset, values):
    game = game_under_way(ruleset)
    older = game.game.twin()
    rules = older.ruleset
    older.ruleset = dataclasses.replace(
        rules, integrity=dataclasses.replace(rules.integrity, names=())
    )  # as Daybook took it before
    seat, decision = refused_decision(older)
    try:
        entry, _ = entries.as_played(
            older,
            seat,
            older.ruleset.decision(decision),
            put(older, values),
            "so",
            new_written("scorekeeper", "old"),
            computed=False,
        )
    except Refused as no:
        pytest.skip(f"was refused before as well: {no}")
    game.book.log.append(entry)
    assert game.step == entry.step
    anybody = game.app.test_client()
    for path in ("", "/replay.json", f"?step={entry.step}", "/score", "/counts", "/undone-steps", "/receipt"):
        answer = anybody.get(f"{game.path}{path}", follow_redirects=True)
        assert answer.status_code in (200, 403, 404), (path, answer.get_data(as_text=True)[:300])
        assert path not in ("", "/replay.json", f"?step={entry.step}", "/score") or answer.status_code == 200, path
    keeper = game.visitor()
    for path in ("/record", "/adjust", "/correct", "/count", f"/steps/{entry.step}"):
        assert keeper.get(f"{game.path}{path}").status < 500, path
    api = Caller(game.app.test_client())
    for path in ("", "/replay", "/position", "/scores", "/record", "/verify", "/audit"):
        assert api.get(f"/games/{game.id}{path}", game.key("scorekeeper")).status_code == 200, path
    whole = import_export.export_game(game.book, game.id)
    assert read_fixture(whole).game.document == game.game.document
    assert json.loads(anybody.get(f"{game.path}/replay.json").data)["newest"] == entry.step


# --- the lists themselves --------------------------------------------------------------------------------------------


def boards() -> Iterator[tuple[Game, Any, dict[str, Any]]]:
    for file in sorted(FIXTURES.glob("*.daybook")):
        game = golden(file).game
        for entry, document in documents_after(game.entries):
            if entry.step % 9 == 0:
                yield game, game.ruleset.typed_board(document, game.table), document


def test_every_name_on_the_boards_of_the_recorded_games_is_known():
    places: dict[str, set[str]] = {}
    for game, board, document in boards():
        assert list(strangers(game.ruleset.integrity.names, board, document)) == []
        seen = game.ruleset.secrecy.redact_board(board, None)
        assert list(strangers(game.ruleset.integrity.names, seen, seen.document())) == []
        for kind in game.ruleset.integrity.names:
            for place in kind.places:
                if meets(place, document):
                    places.setdefault(game.ruleset.id, set()).add(place)
    for id, rules in RULESETS.items():
        named = {place for kind in rules.integrity.names for place in kind.places}
        assert named == places[id], "each is a place of its boards"


def meets(place: str, document: dict[str, Any]) -> bool:
    return any(True for _ in at_places(place, document))
