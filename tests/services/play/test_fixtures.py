"""The golden games: what happened in them never changes, and their scores are those of the day they were made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from daybook.domain import entries
from daybook.domain.games import PRACTISED
from daybook.domain.games.score_sheet.moves import TakeTeam
from daybook.domain.kernel.board import Document, deep_copy, unfold, value_at
from daybook.domain.kernel.events import DecisionRecorded, board_outlines
from daybook.domain.kernel.record import Game, documents_after
from daybook.services.files.audit import audit
from daybook.services.files.examples import EXAMPLES
from fixtures import make
from tests.services.fixture_files import FIXTURES, golden, read_fixture, written_at

pytestmark = pytest.mark.slow

ALL = sorted(FIXTURES.glob("*.daybook"))
BEFORE_TEAMS = FIXTURES.parent / "tests/domain/games/score_sheet/before_teams.daybook"


def name_of(path: Path) -> str:
    return str(path.relative_to(FIXTURES).with_suffix(""))


@pytest.mark.parametrize("file", ALL, ids=lambda path: path.stem)
def test_its_playthrough_is_as_it_was(file):
    assert make.playthrough_of(golden(file.stem)) == file.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("file", ALL, ids=name_of)
def test_fixture_folds_both_ways_and_columns_match_the_rules(file):
    game, laid = golden(name_of(file)).game, list[Document]()
    for entry, document in documents_after(game.entries):
        board = game.ruleset.typed_board(document, game.table)
        laid.append(board.document())
        assert document == laid[-1]
        assert game.figures_at(entry.step) == (game.ruleset.figures(board), game.ruleset.course.marks(board))
    document = deep_copy(game.document)
    for step, (_, what) in zip(reversed(range(len(laid))), board_outlines(reversed(game.entries)), strict=True):
        assert document == laid[step]
        unfold(document, what.changes or {})
    assert all(game.document_at(step) == laid[step] for step in range(0, len(laid), 10))
    assert game.document_at(0) == game.opening.board


@pytest.mark.parametrize("file", ALL, ids=name_of)
def test_the_newest_rules_agree_with_it(file):
    game, folded = read_fixture(file.read_bytes()).game, golden(name_of(file)).game
    assert (folded.document, folded.keys, folded.writers) == (game.document, game.keys, game.writers)
    assert folded.seal == game.seal or file.name == make.BY_HAND  # whose secret is drawn
    found = audit(game)
    assert found.clean
    assert found.decisions > 10
    assert found.recorded == found.today == game.ruleset.revision


@pytest.mark.parametrize("fixture", make.FIXTURES, ids=lambda fixture: fixture.file)
def test_making_it_again_gives_the_same_bytes(fixture):
    assert (FIXTURES / fixture.file).read_bytes() == make.fixture_file(fixture)


def test_a_record_of_before_teams_agrees_and_goes_on_with_them():
    """Its players have no field for a team; a reader gets none (SC-4.4)."""
    whole = read_fixture(BEFORE_TEAMS.read_bytes()).game
    assert "team" not in whole.opening.board["players"][0]
    assert audit(whole).clean
    game = Game(whole.id, whole.ruleset)
    for entry in whole.entries[:-3]:
        game.apply(entry)
    entry, _ = entries.decide(game, 1, TakeTeam(2), written_at(game.step + 1))
    game.apply(entry)
    assert game.document["players"][1]["team"] == 2
    assert audit(game).clean


def test_all_of_them_are_made_but_the_one_written_by_hand():
    assert {item.file for item in make.FIXTURES} | {make.BY_HAND} == {path.name for path in ALL}
    ((name, content),) = make.files(())
    assert (FIXTURES / name).read_bytes() == content and Path(name).stem == Path(make.BY_HAND).stem


def test_they_show_what_they_are_for():
    games = {path.stem: one for path in ALL if (one := golden(path.stem)).game.ruleset.id == "making_profit"}
    boards = {name: item.game.document for name, item in games.items()}
    assert {len(value.header.seats) for value in games.values()} == {2, 3, 4, 6}
    assert {file.game.opening.options["hands"] for file in games.values()} == {"open", "hidden"}
    assert {value_at(board, "/ended") for board in boards.values()} == {"level_ten", "no_development"}
    assert all(each_item.game.status == "closed" for each_item in games.values())
    assert all(file.header.kind == "practice" for name, file in games.items() if name != "by-hand")
    assert "nationalised" in (FIXTURES / "six-to-the-limit.txt").read_text(encoding="utf-8")
    topics = {entry.topic for entry in games["corrections"].game.entries}
    assert len(topics) == 8, "every kind of entry"
    causes = {getattr(entry.event, "cause", None) for entry in games["corrections"].game.entries}
    assert causes == {None, "table", "mistyped"}


def test_every_game_is_shown_on_a_fresh_start():
    shown = [golden(Path(name).stem).game.ruleset.id for name in EXAMPLES]
    assert set(shown) == set(PRACTISED)


def effects(name: str) -> list[tuple[int, dict[str, Any]]]:
    """Every effect of a golden game, with its step."""
    return [
        (entry.step, effect)
        for entry in golden(name).game.entries
        if isinstance(entry.event, DecisionRecorded)
        for effect in entry.event.effects
    ]


def test_london_markets_shows_what_it_is_for():
    sealed, told = golden("market-day"), golden("three-stalls")
    assert (len(sealed.header.seats), len(told.header.seats)) == (4, 3)
    assert (sealed.game.opening.options["hands"], told.game.opening.options["hands"]) == ("open", "hidden")
    for name in ("market-day", "three-stalls"):
        types = {effect["type"] for _, effect in effects(name)}
        assert {"tie_broken", "auction_shared", "phase_skipped", "special_paid", "money_shown"} <= types, name
        assert [effect["card"] for _, effect in effects(name) if effect["type"] == "market_card_turned"].count(
            "closed"
        ) == 2
    kinds = {entry.event.decision["type"] for entry in sealed.game.entries if isinstance(entry.event, DecisionRecorded)}
    assert {"offer", "hand_dealt", "special_stacked", "exchange", "special_or_money"} <= kinds
    assert "draw_goods" in kinds, "a pile was used up"
    told_kinds = {
        entry.event.decision["type"] for entry in told.game.entries if isinstance(entry.event, DecisionRecorded)
    }
    assert "offers_revealed" in told_kinds and "offer" not in told_kinds
    assert "?" in [effect["card"] for _, effect in effects("three-stalls") if effect["type"] == "special_taken"]


def test_london_markets_tie_is_decided_by_tiebreaker_and_cards():
    game = golden("three-stalls").game
    outcome = game.ruleset.scoring.outcome(game.board)
    assert outcome is not None
    assert [player["money"] for player in game.document["players"]] == [59, 59, 59]
    assert outcome.ranks == (2, 3, 1)
    assert [tie.values for tie in outcome.tiebreaks] == [(0, 0, 1), (19, 3, 13)]


def test_water_frame_shows_what_it_is_for():
    """Two to four players, both preparation rounds, ships and contracts, need and loans, all twenty turns each."""
    names = ("two-on-credit", "three-on-the-clyde", "four-mills")
    games = [golden(name) for name in names]
    assert [len(game.header.seats) for game in games] == [2, 3, 4]
    assert [item.game.opening.options["factories"] for item in games] == ["free", "free", "predetermined"]
    for name, value in zip(names, games, strict=True):
        told = [effect for _, effect in effects(name)]
        types = {effect["type"] for effect in told}
        turns = [effect for effect in told if effect["type"] in ("marker_placed", "marker_reused")]
        assert len(turns) == 20 * len(value.header.seats), name
        assert {"wages_reckoned", "call_out_ended", "share_value_moved", "decade_scored", "factory_obsolete"} <= types
        assert sum(effect["type"] == "decade_scored" for effect in told) == 5
    two, three = ({effect["type"] for _, effect in effects(name)} for name in names[:2])
    assert {"emergency_sale", "loans_taken", "loans_lost", "patron_sold"} <= two
    assert {"ship_taken", "contract_placed", "contract_fulfilled", "factory_founded"} <= three


def test_arkwright_the_card_game_shows_what_it_is_for():
    """Two to four players of the basic game, twelve turns each; all expert rules; the emergency fund; a bankruptcy."""
    for seats, name in enumerate(("two-and-a-neutral", "three-portfolios", "four-boards"), 2):
        one, told = golden(name), [effect for _, effect in effects(name)]
        assert len(one.header.seats) == seats
        assert not {option for option, on in one.game.opening.options.items() if on is True} - {"solo_automa_bonus"}
        assert sum(effect["type"] == "turn_begun" for effect in told) == 12 * seats, name
        assert {"shipped", "workers_employed", "top_point_won", "factory_upgraded"} <= {
            effect["type"] for effect in told
        }
        assert sum(effect["type"] == "scored" for effect in told) == seats
    expert = golden("all-expert-rules").game.opening.options
    assert all(expert[option] for option in make.EXPERT)
    told = {effect["type"] for _, effect in effects("all-expert-rules")}
    assert {"card_laid", "limit_lifted", "goods_loaded", "ships_regained", "shares_bought"} <= told
    assert {"neutral_placed", "neutral_moved"} <= {effect["type"] for _, effect in effects("two-and-a-neutral")}
    assert {"emergency_helped", "loans_repaid"} <= {effect["type"] for _, effect in effects("emergency-fund")}
    bankrupt = golden("bankrupt").game
    outcome = bankrupt.ruleset.scoring.outcome(bankrupt.board)
    assert outcome is not None
    assert [player["bankrupt"] for player in bankrupt.document["players"]] == [False, False, True]
    assert outcome.ranks[2] == 3


def test_the_solo_game_shows_what_it_is_for():
    """One is won, and all achievements that are fulfilled count; one is lost by a second place, with the variants."""
    won, lost = golden("alone-and-ahead").game, golden("alone-and-second").game
    for game, rank, reason in ((won, 1, "solo_won"), (lost, 2, "solo_lost")):
        outcome = game.ruleset.scoring.outcome(game.board)
        assert outcome is not None
        assert (len(game.opening.seats), outcome.ranks, outcome.reason.key) == (1, (rank,), reason)
        assert game.status == "closed"
    assert (len(won.document["solo"]["earned"]), len(lost.document["solo"]["earned"])) == (7, 1)
    assert all(lost.opening.options[option] for option in make.SOLO)
    told = {effect["type"] for _, effect in effects("alone-and-ahead")}
    assert {"automa_built", "automa_advanced", "disc_moved", "markers_returned", "achievement_lost", "solo_won"} <= told
    assert {"card_laid", "achievement_reached", "solo_lost"} <= {
        effect["type"] for _, effect in effects("alone-and-second")
    }
