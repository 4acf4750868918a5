"""Boards are drawn in parts, each again exactly when what it shows has changed, and a step's changes are marked."""

from __future__ import annotations

import re

from daybook.domain.games.making_profit.board import printed_numbers
from daybook.domain.kernel.board import deep_copy
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.services.play import replay
from daybook.web import boards
from daybook.web.boards import BoardPart, DrawnPart, Mark, Picture, Scene, find_marks, table_privacy
from daybook.web.boards.drawing import draw_mark
from daybook.web.boards.pen import DrawnPlace, Pen
from daybook.web.games.making_profit.drawing import MAX_FAN_BACKS, fan, runs_for
from daybook.web.words.game_pages import NOTHING
from tests.web.conftest import Opened
from tests.web.drawings import aloud


def scene(opened: Opened, sight: Sight = EVERYTHING) -> Scene:
    names = tuple(seat.name for seat in replay.build_header(opened.game, opened.book.kept.game(opened.id)).seats)
    return Scene("making_profit", opened.game.table, names, sight, "en")


def whole(opened: Opened, step: int | None = None, sight: Sight = EVERYTHING) -> dict[str, DrawnPart]:
    board = replay.position_at(opened.game, step, sight).board
    return Picture(scene(opened, sight)).draw_all(board)


def test_a_part_that_looks_the_same_is_drawn_once(friday, in_request):
    before = whole(friday)
    friday.decide(0, type="run")
    after = whole(friday)
    assert after["bank"] is before["bank"]
    assert after["course"] is not before["course"]


def test_what_a_step_changed_is_marked_with_the_difference(friday, in_request):
    before = whole(friday)
    friday.decide(0, type="develop", card="R2")
    found = find_marks(before, whole(friday))
    assert found["/players/0/factory"] == Mark("0", "+1")
    assert found["/players/0/hand"] == Mark("2", "−1")
    assert found["/players/0/factory/0"] == Mark("", "")
    assert "/players/1/money" not in found


def test_marked_figure_shows_old_value_struck_and_difference():
    html = Pen(table_privacy.NOTHING).draw_part(money, (12,), {"/players/0/money": Mark("6", "+6")}).html
    assert 'class="figure  changed"' in html
    assert '<span class="delta" aria-hidden="true"><s>6</s> <i class="gain">+6</i></span>$12</b>' in html


def money(pen: Pen, amount: int) -> str:
    return str(pen.figure("/players/0/money", amount, f"${amount}"))


def test_places_hold_text_that_is_text():
    drawn = Pen(table_privacy.NOTHING).draw_part(lambda pen: str(pen.figure("/players/0/<b>", 3, "<i>", "<u>")), ())
    assert not re.search("<[biu]>", drawn.html)
    assert drawn.places == {"/players/0/<b>": DrawnPlace("figure", "3")}
    thing = Pen(table_privacy.NOTHING).draw_part(lambda pen: str(pen.place('/"', "<b>", '"')), ())
    assert thing.html == 'class="thing &#34;" data-at="/&#34;"'
    assert thing.places == {'/"': DrawnPlace("thing", "<b>")}


def test_drawn_card_stays_marked_after_the_board_changed(friday, in_request):
    """Its origin is stored apart from the board, which is folded on."""
    picture, board = Picture(scene(friday)), deep_copy(friday.game.document)
    part = BoardPart(
        "head",
        ("/bank",),
        lambda document: (document["bank"],),
        lambda pen, bank: str(pen.figure("/bank/red", bank["red"])),
    )
    drawn, left = picture.draw_parts([part], board)["head"], board["bank"]["red"]
    board["bank"]["red"] += 90
    marked = picture.mark_changes(part, drawn, {"/bank/red": Mark("6", "+2")})
    assert f"</span>{left}</b>" in marked
    assert drawn.html in picture.mark_changes(part, drawn, {"/bank/blue": Mark("", "")})


def test_what_cannot_be_drawn_is_told_in_words_and_marked(friday, app, caplog):
    def cannot(pen: Pen, bank: dict[str, int]) -> str:
        raise LookupError("a colour that nobody has")

    part = BoardPart("bank", ("/bank", "/nowhere"), lambda document: (document["bank"],), cannot)
    with app.test_request_context("/"):
        picture = Picture(scene(friday))
        drawn = picture.draw_parts([part], friday.game.document)["bank"]
        marked = picture.mark_changes(part, drawn, {"/bank/red": Mark("6", "+2")})
    assert "This board cannot be drawn as it is." in marked and '<i class="gain">+2</i>' in marked
    assert set(drawn.places) == {f"/bank/{colour}" for colour in friday.game.document["bank"]}
    assert "cannot be drawn" in caplog.text


def test_viewer_sees_own_hand_as_cards_and_others_as_backs(friday, in_request):
    seen = whole(friday, sight=1)
    assert aloud(seen["hand-1"].html) == "Hand 2 R1 0 1 M1 0 1", "a type that is not held is named, faded"
    assert "card-back" not in seen["hand-1"].html
    assert seen["hand-0"].html.count("card-back") == 2
    assert not re.search(r"#card-[RM]", seen["hand-0"].html)


def test_a_spectator_sees_no_hand(friday, in_request):
    seen = whole(friday, sight=None)
    assert not re.search(r"#card-[RM]", "".join(seen[f"hand-{seat}"].html for seat in range(3)))


def test_fan_holds_only_fitting_backs_and_its_figure_counts_all():
    count, held = fan({"R1": 1, "R2": 0, "M1": 0, "M2": 0, "?": 19})
    assert (count, len(held)) == (20, MAX_FAN_BACKS)
    assert held[-1].card == "R1", "known cards are held in front"
    assert held[0].turn == -held[-1].turn


def test_mp_4_5_2_the_sign_says_what_a_run_would_yield(friday):
    assert runs_for(["M2", "M2", "M1", "R2", "R2"], printed_numbers(friday.game.table)) == (5, 4)


def test_mp_4_2_2_the_bank_names_the_prices(friday, in_request):
    friday.decide(0, type="develop", card="R2")
    bank = aloud(whole(friday)["bank"].html)
    assert bank.startswith("A red in the bank 8 buy $2 sell $1 B blue in the bank 8 buy $2 sell $0")


def test_middle_shows_whose_turn_and_how_many_actions_are_left(friday, in_request):
    friday.decide(0, type="run")
    html = whole(friday)["course"].html
    assert "Anna’s turn" in html
    assert 'aria-label="Actions left: 1"' in html


def test_every_drawing_of_a_card_says_in_words_what_it_is(friday, in_request):
    friday.decide(0, type="develop", card="R2")
    html = whole(friday)["factory-0"].html
    assert 'role="img" aria-label="R2"' in html


def test_seat_marks_are_told_apart_without_colour(in_request):
    assert draw_mark(0) != draw_mark(1)
    assert 'aria-label="Anna"' in draw_mark(0, "Anna")


def test_a_game_without_a_drawing_is_shown_in_words_and_figures(friday, in_request, monkeypatch):
    monkeypatch.setattr(boards, "pages_of", lambda game: NOTHING)
    picture = Picture(scene(friday))
    drawings = picture.draw_all(friday.game.document)
    html = picture.frame(drawings, {})
    assert re.search(r'data-at="/players/1/hand/R2"[^>]*>1<', html)
    assert 'data-part="bank"' in html
