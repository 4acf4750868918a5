"""Auditing: today's rules over a record name every step at which they disagree, and no other."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import read_line
from daybook.domain.kernel.record import Game
from daybook.services.files.audit import AuditResult, Finding, audit
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.store.game_cache import fold_game
from daybook.services.store.printed_sheets import printed_sheet
from tests.services.fixture_files import FIXTURES, entry, file_of, played_game, read_fixture, reseal_line, written_at

GAME = played_game(9)
FILE = file_of(GAME)
TABLES = [(ruleset.id, seats) for ruleset in RULESETS.values() for seats in ruleset.seats]
DECIDED = [x.step for x in GAME.entries if x.topic == "decision_recorded"]


def audit_file(content: bytes) -> AuditResult:
    """Return the audit of a file without an import's checks: its lines may contradict each other."""
    header, *lines = content.splitlines()
    game = Game(GAME.id if content is FILE else _id(header), GAME.ruleset)
    for version, line in enumerate(lines, 1):
        game.apply(read_line(game.id, version, line))
    return audit(game)


def _id(header: bytes) -> Any:
    return UUID(msgspec.json.decode(header)["game"])


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from(["open", "hidden"]))
def test_what_the_rules_wrote_they_agree_with(seed, seats, hands):
    assert audit(read_fixture(file_of(played_game(seed, seats, hands))).game).clean


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_a_game_read_again_is_judged_as_when_it_was_played(ruleset, seats):
    """A record keeps its dicts sorted by their keys, a table that was just opened has them as they were printed."""
    rules, sheet = RULESETS[ruleset], printed_sheet(ruleset)
    seated = [PracticeSeat(colour, colour, colour) for colour in rules.colours(sheet)[:seats]]
    for seed, on in enumerate((False, True)):
        switches = {field.name: on for field in msgspec.structs.fields(rules.types.options) if field.type is bool}
        game = open_practice_game(UUID(int=seed), rules, sheet, seated, switches, written_at(0))
        for _ in play_out(game, Dealer(seed), written_at):
            pass
        again = fold_game(game.id, [read_line(game.id, item.step + 1, item.line) for item in game.entries])
        assert audit(again).findings == ()


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(DECIDED), st.data())
def test_an_effect_that_was_tampered_with_and_sealed_again(step, data):
    effects = entry(FILE, step + 2)["effects"]
    if not effects:
        return
    effect = data.draw(st.sampled_from(effects))
    name = data.draw(st.sampled_from([name for name, value in effect.items() if isinstance(value, int)] or ["rule"]))
    effect[name] = effect[name] + 1 if isinstance(effect[name], int) else "MP-1.1"
    findings = audit_file(reseal_line(FILE, step + 2, effects=effects)).findings
    assert [(f.step, f.kind, [d.part for d in f.differences]) for f in findings] == [(step, "differs", ["effects"])]


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(DECIDED[:-1]))
def test_a_change_that_was_tampered_with_and_sealed_again(step):
    event = entry(FILE, step + 2)
    money = GAME.document_at(step)["players"][0]["money"]
    before = event["changes"].get("/players/0/money", [money, money])[0]
    findings = audit_file(
        reseal_line(FILE, step + 2, changes=event["changes"] | {"/players/0/money": [before, money + 100]})
    ).findings
    assert findings[0].step == step
    assert "changes" in [d.part for d in findings[0].differences]


@pytest.mark.parametrize("part", ["columns", "marks", "closed_periods"])
def test_a_figure_that_was_tampered_with_and_sealed_again(part):
    step = DECIDED[-1]
    tampered: dict[str, Any] = {
        "columns": entry(FILE, step + 2).get("columns", {}) | {"money": [1, 2, 3, 4]},
        "marks": {"round": 77, "turn": 1},
        "closed_periods": [["round", 77]],
    }
    findings = audit_file(reseal_line(FILE, step + 2, **{part: tampered[part]})).findings
    assert [(f.step, [d.part for d in f.differences]) for f in findings] == [(step, [part])]
    assert findings[0].says == f"the rules come to other {part}"


def test_a_decision_that_was_exchanged_and_sealed_again():
    step = next(s for s in DECIDED if entry(FILE, s + 2)["decision"]["type"] == "run")
    seat = entry(FILE, step + 2)["seat"]
    found = audit_file(reseal_line(FILE, step + 2, decision={"type": "end_turn"})).findings
    assert (found[0].step, found[0].kind) == (step, "differs")
    found = audit_file(reseal_line(FILE, step + 2, seat=(seat + 1) % 4)).findings
    assert (found[0].step, found[0].kind, found[0].rule) == (step, "refused", "MP-4.1.1")
    found = audit_file(reseal_line(FILE, step + 2, decision={"type": "pray"})).findings
    assert (found[0].step, found[0].kind) == (step, "unreadable")


def test_it_goes_on_from_the_recorded_board():
    """One tampered step is one finding, though everything after it was played on what it really came to."""
    step = next(s for s in DECIDED if entry(FILE, s + 2)["decision"]["type"] == "run")
    findings = audit_file(reseal_line(FILE, step + 2, decision={"type": "end_turn"})).findings
    assert [f.step for f in findings] == [step]


def test_the_opening_and_the_end_are_judged_too():
    board = entry(FILE, 2)["board"]
    board["players"][0]["money"] = 50
    findings = audit_file(reseal_line(FILE, 2, board=board)).findings
    assert findings[0].step == 0
    assert [d.part for d in findings[0].differences] == ["board/players/0/money"]
    last = GAME.step
    assert entry(FILE, last + 2)["type"] == "game_closed"
    assert audit_file(reseal_line(FILE, last + 2, ranks=[1, 1, 1, 1])).findings[0].step == last
    early = _closed_at(12)
    assert [(f.step, str(f.reason)) for f in audit(early).findings] == [(13, "the game is not over")]


def _closed_at(step: int) -> Game:
    from daybook.domain.kernel.events import GameClosed, write_entry

    game = played_game(9, limit=step)
    game.apply(
        write_entry(
            game.id,
            GameClosed(
                step=step + 1, at="2026-11-20T19:30:00.000Z", by="x", key="x", totals=[0, 0, 0, 0], ranks=[1, 1, 1, 1]
            ),
            game.seal,
        )
    )
    return game


def test_an_adjustment_of_what_is_worked_out():
    content = (FIXTURES / "corrections.daybook").read_bytes()
    line = next(n for n, text in enumerate(content.splitlines(), 1) if b'"board_adjusted"' in text)
    event = entry(content, line)
    changes = event["changes"] | {"/actions": [event["changes"].get("/actions", [2, 2])[0], 1]}
    findings = audit_file(reseal_line(content, line, changes=changes)).findings
    assert findings[0].step == line - 2
    assert "/actions cannot be adjusted" in findings[0].says
    below = event["changes"] | {"/players/1/money": [event["changes"]["/players/1/money"][0], -3]}
    assert audit_file(reseal_line(content, line, changes=below)).findings[0].rule == "MP-7.4"


def test_decisions_that_were_taken_back_are_judged_too():
    content = (FIXTURES / "corrections.daybook").read_bytes()
    struck = min(read_fixture(content).game.struck_steps())
    effects = entry(content, struck + 2)["effects"]
    findings = audit_file(reseal_line(content, struck + 2, effects=[])).findings
    assert effects and [f.step for f in findings] == [struck]


def test_another_revision_is_told():
    found = audit_file(reseal_line(FILE, 2, revision=0))
    assert (found.recorded, found.today, found.clean) == (0, GAME.ruleset.revision, True)


def test_a_finding_can_be_sent():
    step = DECIDED[3]
    finding = audit_file(reseal_line(FILE, step + 2, effects=[])).findings[0]
    assert msgspec.json.decode(msgspec.json.encode(finding), type=Finding) == finding
