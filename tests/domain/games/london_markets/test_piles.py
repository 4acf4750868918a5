"""LM-3.3: the pile of each special card is public; records made before piles were recorded."""

from __future__ import annotations

import itertools
from io import BytesIO
from pathlib import Path

import pytest

from daybook.domain import entries
from daybook.domain.commands import Adjust, TakeBack
from daybook.domain.games.london_markets import LONDON_MARKETS
from daybook.domain.games.london_markets.board import Player, none_of_each
from daybook.domain.games.london_markets.moves import PlaySpecial, TakePile, TakeSpecial
from daybook.domain.kernel.board import deep_copy
from daybook.domain.kernel.events import BoardAdjusted, DecisionRecorded
from daybook.domain.kernel.record import Game, documents_after
from daybook.services.files import recordfile
from daybook.services.files.audit import audit
from daybook.services.files.verify import verify_file
from daybook.services.play import replay
from daybook.services.play.practice import Dealer, play_out
from tests.domain.games.london_markets.playing import (
    after,
    board_at_first_card,
    broken,
    game,
    offering,
    offers,
    opening_board,
    player,
    set_up,
    written_at,
)
from tests.refusals import refused_for
from tests.services.fixture_files import read_fixture

OLD = Path(__file__).parent / "three-stalls-revision-1.daybook"  # of a time when no pile was written on the board


# --- taking and playing ---


def holding(specials: str, piles: list[int], **fields) -> Player:
    return Player(
        money=0, bars=17, hand=none_of_each(), unseen=None, specials=specials.split(), specials_from=piles, **fields
    )


def test_lm_3_3_taken_card_keeps_the_number_of_its_pile():
    b = after(offering(player(hand="1 china"), player(), player()), *offers("1 china", "", ""))
    card = b.specials[1][0]
    b = after(b, (0, TakePile(2)), (0, TakeSpecial(card)))
    assert (b.players[0].specials, b.players[0].specials_from) == ([card], [2])
    assert LONDON_MARKETS.secrecy.redact_board(b, None).players[0].specials_from == [2]


def test_lm_3_3_staying_card_keeps_its_pile_a_gone_one_none():
    b = set_up(player(9, specials="tiebreaker clientele:PORT"), player(), player())
    b.players[0].specials_from = [4, 1]
    b = after(b, (0, PlaySpecial("tiebreaker")))
    assert (b.players[0].specials_from, b.players[0].in_play_from) == ([1], [4])
    b = after(b, (0, PlaySpecial("clientele:PORT")))
    assert (b.players[0].specials, b.players[0].specials_from, b.players[0].in_play_from) == ([], [], [4])


@pytest.mark.parametrize(
    ("piles", "left", "gone"),
    [
        ([2, 2, 2], [2, 2], 2),  # all unseen cards came from one pile
        ([2, 2, 4], [2, 0], 0),  # one of the three: one of pile 2 is still there, the other may be of either
        ([1, 2, 3], [0, 0], 0),
        ([2, 0], [0], 0),
        ([3], [0, 0], 0),  # the record began before piles were written down
    ],
)
def test_lm_3_3_record_does_not_guess_unseen_cards(piles, left, gone):
    player = holding("? " * (len(left) + 1), piles)
    assert player.part_with("any_market") == gone
    assert (player.specials_from, player.specials) == (left, ["?"] * len(left))


def test_lm_3_3_known_card_goes_with_its_own_number():
    player = holding("? tiebreaker ?", [1, 2, 3])
    assert player.part_with("tiebreaker") == 2
    assert (player.specials, player.specials_from) == (["?", "?"], [1, 3])


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_lm_3_3_every_card_has_a_number_in_whole_games(hands):
    for b, *_ in game(opening_board(4, hands), 21):
        for item in b.players:
            assert len(item.specials) == len(item.specials_from) and len(item.in_play) == len(item.in_play_from)
            assert hands == "hidden" or 0 not in (*item.specials_from, *item.in_play_from)


def test_lm_3_3_no_pile_is_told_of_a_card_that_is_not_there():
    b = board_at_first_card()
    b.players[0].specials_from = [1]
    assert broken(b) == ["LM-3.3"]


# --- records from before ---


def old(steps: int | None = None) -> Game:
    """The game of the old record, whole or up to a step."""
    whole = read_fixture(OLD.read_bytes()).game
    cut = Game(whole.id, LONDON_MARKETS)
    for entry in whole.entries[:steps]:
        cut.apply(entry)
    return cut


def test_an_old_record_is_read_verified_and_replayed():
    content = OLD.read_bytes()
    assert verify_file(BytesIO(content)).intact
    found = read_fixture(content)
    assert found.game.status == "closed" and "specials_from" not in found.game.document["players"][0]
    assert b"".join(recordfile.write_full_file(found.header, found.game.entries)) == content
    for entry, document in documents_after(found.game.entries):
        assert found.game.document_at(entry.step) == document
        board = LONDON_MARKETS.typed_board(document, found.game.table)
        assert found.game.figures_at(entry.step) == (LONDON_MARKETS.figures(board), LONDON_MARKETS.course.marks(board))
    for sight in (None, 0, -2):
        assert len(list(replay.iter_steps(found.game, sight))) == len(found.game.entries)


def test_an_old_record_is_judged_as_it_was():
    """Fields that came later are no disagreement: nothing that was written down is otherwise today."""
    found = audit(old())
    assert found.recorded == found.today == 1
    assert found.findings == ()


def taken_first(game: Game) -> int:
    """The step at which the first special card was taken."""
    return next(
        entry.step
        for entry in game.entries
        if isinstance(entry.event, DecisionRecorded) and entry.event.decision["type"] == "take_special"
    )


def test_old_running_game_continues_and_then_tells_piles():
    game = old(taken_first(old()) + 1)
    holder = next(seat for seat, player in enumerate(game.board.players) if player.specials)
    assert game.board.players[holder].specials_from == []
    for _ in itertools.takewhile(
        lambda _: not any(any(each_item.specials_from) for each_item in game.board.players),
        play_out(game, Dealer(5), written_at),
    ):
        pass
    told = game.board.players
    assert any(any(item.specials_from) for item in told)
    assert all(len(value.specials_from) <= len(value.specials) for value in told)
    *_, (_, document) = documents_after(game.entries)
    assert document == game.document == LONDON_MARKETS.typed_board(document, game.table).document()
    for step in range(game.step):
        assert LONDON_MARKETS.typed_board(game.document_at(step), game.table)


def test_an_old_running_game_is_put_right_like_any_other():
    game = old(60)
    before = deep_copy(game.document)
    bars = game.board.players[0].money
    entry = entries.adjust(game, Adjust({"/players/0/money": bars + 1}, "a coin on the floor"), written_at(60))
    assert isinstance(entry.event, BoardAdjusted)
    game.apply(entry)
    assert game.board.players[0].money == bars + 1
    game.apply(entries.take_back(game, TakeBack(59), written_at(61)))
    assert game.document == before
    with refused_for("nothing_adjusted"):
        entries.adjust(game, Adjust({"/players/0/money": bars}, "as it was"), written_at(62))
