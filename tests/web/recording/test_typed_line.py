"""A line that is typed: every decision by the words of its button, in each language, and what cannot be read."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from daybook.domain.commands import (
    Abandon,
    Adjust,
    Correct,
    Count,
    Decide,
    Note,
    ProposeRuling,
    RaiseClaim,
    Reopen,
    Resolution,
    WithdrawClaim,
    command_of,
)
from daybook.domain.corrections import Correction, correctable
from daybook.domain.games import RULESETS
from daybook.domain.games.london_markets.moves import GoodsCards, Offer, OffersRevealed
from daybook.domain.games.london_markets.printed import GOODS
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.events import ClaimRaised, DecisionRecorded, Entry, Move
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.services.files.recordfile import BadFileError
from daybook.services.play.practice import Dealer
from daybook.services.play.replay import legal_decisions
from daybook.web import words
from daybook.web.words.line_in_words import read_in_words
from daybook.web.words.typed import read_text, split_pieces
from daybook.web.words.typist import Typist, note_of
from daybook.web.words.written_game import header_of_text, read_game, typist_of, write_game
from tests.axe import faults
from tests.played import TRIO
from tests.services.fixture_files import NOW, golden
from tests.web.conftest import NAMES, Opened, VisitedPage, Visitor, with_three_unseen_cards
from tests.web.recording.desk import decision_types

POSITIONS = 150  # of a game by chance
HIRES = ("Hire a worker: clothes, row 3", "Hire a worker: food, row 3", "Hire a worker: food, row 4")
OFFERS = ("Offer 1 coffee", "Offer 1 coffee and 1 silk", "Give coffee, take china", "Give china, take coffee")


@pytest.mark.parametrize(
    ("typed", "sentences", "taken", "among"),
    [
        ("hire food 3", HIRES, 1, [1]),
        ("H f 4", HIRES, 2, [2]),
        ("hire 3", HIRES, None, [0, 1]),
        ("3 food hire", HIRES, None, [1]),
        ("give coffee china", OFFERS[3:], None, [0]),
        ("sell 2 r1", ("Sell 2 × R2 and M1",), None, []),
        ("clothes 5", ("clothes at £3, food at £5",), None, [0]),
        ("hire food 30", HIRES, None, []),
        ("hires a worker for the food, 4th row", HIRES, 2, [2]),
        ("hires food, 4th row", HIRES, 2, [2]),
        ("gives the coffee, takes the china", OFFERS[3:], None, [0]),
        ("offer 1 coffee", OFFERS, 0, [0]),
        ("o 1 c", OFFERS, 0, [0, 1]),
        ("give china coffee", OFFERS, 3, [3]),
        ("cash -1", ("Cash +1", "Cash −1"), 1, [1]),
        ("£8", ("clothes at £8", "clothes at £18"), 0, [0]),
        ("r1", ("Develop R1", "Develop R2"), 0, [0]),
        ("m1", ("The bottom card is M01", "The bottom card is M10"), 0, [0]),
        ("hire food 03", HIRES, 1, [1]),
        ("hire food ３", HIRES, 1, [1]),
        ("hire food " + "9" * 5_000, HIRES, None, []),
        ("hire " * 5_000, HIRES, None, []),
        ("", HIRES, None, []),
        ("?!", HIRES, None, []),
    ],
)
def test_a_text_is_taken_where_one_sentence_alone_can_be_meant(typed, sentences, taken, among):
    found = read_text(typed, sentences)
    assert (found.taken, sorted(found.among)) == (taken, among)


def test_what_fits_nothing_is_told_what_comes_nearest():
    assert read_text("hire food 9", HIRES).nearest == [1, 2]
    assert read_text("sell", HIRES).nearest == []


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_each_legal_decision_has_its_own_readable_sentence(open_game, app, ruleset, language):
    game = open_game(TRIO, ruleset_id=ruleset).game
    board, dealer = game.board, Dealer(7)
    with app.test_request_context("/", headers={"Accept-Language": language}):
        for _ in range(POSITIONS):
            following = dealer.next_decision(game.ruleset, board)
            if following is None:
                break
            seat, decision = following
            sentences = [
                words.sentence(ruleset, builtin, TRIO)
                for builtin in msgspec.to_builtins(game.ruleset.legal(board, seat))
            ]
            assert len({split_pieces(sentence) for sentence in sentences}) == len(sentences)
            for place in {0, len(sentences) // 2, len(sentences) - 1} if sentences else ():
                assert read_text(sentences[place].upper(), sentences).taken == place
            board, _ = game.ruleset.play(board, seat, decision)


def typing(game: Opened, somebody: Visitor | None = None) -> tuple[Visitor, VisitedPage]:
    visitor = somebody or game.visitor()
    return visitor, visitor.get(f"{game.path}/type")


def type_line(game: Opened, text: str, do: str = "record", somebody: Visitor | None = None) -> VisitedPage:
    visitor, page = typing(game, somebody)
    return visitor.send(page.form("Save"), text=text, do=do)


def test_decisions_in_a_line_are_written_one_after_the_other(friday):
    step = friday.game.step
    page = type_line(friday, "develop m1; run; end")
    assert page.status == 200
    assert decision_types(friday)[-3:] == ["develop", "run", "end_turn"]
    assert friday.game.step == step + 3


def test_unreadable_part_and_what_follows_stay_the_rest_is_saved(friday):
    step = friday.game.step
    page = type_line(friday, "develop m1; hop about; run")
    assert page.status == 422 and friday.game.step == step + 1
    assert page.form("Save").fields["text"] == "hop about; run"
    assert "“hop about” is not possible now. Possible decisions" in page.text
    assert page.form("Develop R2").fields["text"] == "Develop R2; run"


def test_what_may_mean_several_is_asked_and_one_tap_says_which(friday):
    somebody, _ = typing(friday)
    page = type_line(friday, "develop; run", somebody=somebody)
    assert page.status == 422 and "Which one?" in page.text
    page = somebody.send(page.form("Develop M1"), do="record")
    assert page.status == 200 and decision_types(friday)[-2:] == ["develop", "run"]


def test_misspelt_line_is_asked_and_saved_line_says_what_it_did(friday):
    keeper = friday.visitor()
    page = keeper.get(f"{friday.path}/type")
    assert "as short as you like: “Develop" in page.text and "hire food" not in page.text
    step = friday.step
    page = keeper.send(page.form_to("/type"), text="develp M1", do="record")
    assert friday.step == step and "“develp M1” is not saved yet. Is this what you mean?" in page.text
    page = keeper.send(page.form("Develop M1"), do="record")
    assert friday.step == step + 1 and "Saved: Anna develops M1: the factory is at level 1" in page.text
    page = keeper.send(page.form_to("/undo"))
    assert "What was decided?" in page.text and friday.game.board.players[0].level == 0


def test_reading_writes_nothing_and_follows_the_future_board(friday):
    step = friday.game.step
    page = type_line(friday, "develop m1; develop; hop", do="read")
    assert friday.game.step == step
    assert "Read as: Develop M1 Read as: Develop R2 “hop”" in page.text


WRITTEN = (  # a record of each kind of game and of entry
    "alone-and-ahead",
    "by-hand",
    "corrections",
    "four-boards",
    "four-mills",
    "friday-four",
    "hidden-four",
    "market-day",
    "three-aviaries",
)


def test_what_is_closed_says_its_rule(friday):
    page = type_line(friday, "finish the sale")
    assert page.status == 422 and "MP-" in page.text


@pytest.mark.parametrize("file", [Path(f"fixtures/{name}.daybook") for name in WRITTEN], ids=lambda file: file.stem)
def test_recorded_game_written_as_text_reads_back_the_same(file):
    record = golden(file)
    game = record.game
    text = list(write_game(game, record.header.title, [seat.name for seat in record.header.seats]))
    found = read_game("\n".join(text), NOW)
    assert (found.left, found.wrong) == ("", None)
    assert (found.game.document, found.game.writers[1:]) == (game.document, game.writers[1:])
    assert [said(found.game, entry) for entry in found.game.entries[1:]] == [
        said(game, entry) for entry in game.entries[1:]
    ]
    assert [line for line in text if line.startswith("{")] == []
    kinds = {line.partition(":")[0] for line in text if line.startswith("* ")}
    assert kinds <= {"* adjust", "* abandon", "* reopen", "* decision"}
    assert all("offers revealed" in line for line in text if line.startswith("* decision"))


@pytest.mark.parametrize("seed", range(6))
def test_transcript_after_a_correction_is_words_and_reads_back(open_game, seed):
    friday = open_game(NAMES)
    friday.play(24, seed=seed)
    for _ in range(2):
        instead, digest = next(corrections_that_carry_steps(friday.game))
        friday.write(Correct(instead, "mistyped", digest))
    game = friday.game
    text = list(write_game(game, "Friday", list(NAMES)))
    assert any("(copied from step " in line for line in text)
    assert [line for line in text if line.startswith("{")] == []
    found = read_game("\n".join(text), NOW)
    assert (found.left, found.wrong) == ("", None) and found.game.document == game.document
    assert [linked(entry) for entry in found.game.entries[1:]] == [linked(entry) for entry in game.entries[1:]]


STATEMENTS = (
    "one coin; or two?",
    "“4”, not 3 (see MP-4.2)",
    'she said "run"\n* close',
    "동전이 하나 많습니다",
    "yes",
    "[1], {a}",
)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("language", ["en", "ko"])
def test_disputed_game_in_words_reads_back_the_same(open_game, app, seed, language):
    """Claims, proposals, rulings, counts, adjustments and corrections at random places of a random game."""
    friday, chance, amounts = open_game(NAMES), random.Random(seed), count(100)
    friday.play(12, seed=seed)
    for _ in range(3):
        friday.play(chance.randrange(1, 4), seed=seed)
        if friday.game.status != "running":
            break
        says, money = chance.choice(STATEMENTS), {"/players/2/money": next(amounts)}
        first, last = friday.game.line()[-2:]
        proposals: list[dict[str, Any]] = [{}, {"last_step": last}]
        if isinstance(decided := friday.game.entries[first].event, DecisionRecorded):
            moves = [Move(decided.seat, decided.decision)]
            proposals += [{"leaves_out": True}, {"leaves_out": True, "last_step": last}, {"moves": moves}]
        proposed = proposals[seed % len(proposals)]
        claim = friday.write(RaiseClaim(first, says, "MP-4.2", says, 0, **proposed), by="seat:0").step
        if chance.random() < 0.5:
            friday.write(ProposeRuling(claim, "adjusted", values=money, why=says), by="seat:1")
        if chance.random() < 0.5:
            friday.write(WithdrawClaim(claim, says), by="seat:0")
        friday.write(Count(money, says))
        friday.write(Adjust(money | {"/players/0/money": next(amounts)}, says))
    if friday.game.status != "running":
        friday.write(Reopen(STATEMENTS[0]))
    instead, digest = next(corrections_that_carry_steps(friday.game))
    friday.write(Correct(instead, "mistyped", digest))
    game = friday.game
    with app.test_request_context(headers={"Accept-Language": language}):
        text = list(write_game(game, "Friday", list(NAMES)))
        assert [line for line in text if line.startswith("{")] == []
        found = read_game("\n".join(text), NOW)
        kept = [line for line in text if not line.startswith("~")]
        assert [line for line in kept if line.startswith(("undo to", "Undo"))] == []
    assert (found.left, found.wrong) == ("", None) and found.game.document == game.document
    assert [said(found.game, entry) for entry in found.game.entries[1:]] == [
        said(game, entry) for entry in game.entries[1:]
    ]


def corrections_that_carry_steps(game: Game) -> Iterator[tuple[dict[int, Resolution], str]]:
    for step in reversed(correctable(game)[:-1]):
        event = game.entries[step].event
        if not isinstance(event, DecisionRecorded):
            continue
        for decision in legal_decisions(game, game.parents[step], event.seat):
            instead = {step: Resolution([Move(event.seat, decision)])}
            plan = Correction(game, instead, "", Written(NOW, "", "plan"))
            if decision != event.decision and any(carried.fate in ("same", "differs") for carried in plan.carried):
                yield instead, plan.digest


def linked(entry: Entry) -> list[Any]:
    return [entry.event.type if hasattr(entry.event, "type") else type(entry.event)] + [
        getattr(entry.event, field, None) for field in ("copied_from_step", "corrects_step", "drawn_by_daybook")
    ]


def said(game: Game, entry: Entry) -> Any:
    """Return the decision of an entry as the rules read it."""
    command = command_of(entry.event)
    return (command.seat, read_decision(game, command.decision)) if isinstance(command, Decide) else command


ODD_TEXTS = (
    "Sunday; it rained",
    "# title: Friday",
    "A; undo; close the game",
    '{"close": {}}',
    "Anna: run",
    "Ann (red)",
    "note this",
    "“Ann”, 2 × R1",
    "a=b=c; d",
    "Undo",
    "; ;",
    "~ Anna",
    "R1",
    "12",
)


@pytest.mark.parametrize("odd", ODD_TEXTS)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_transcript_with_odd_title_and_names_reads_back(app, odd, language):
    record = golden("short-duel")
    names = [odd if seat == 0 else f"{odd} {seat}" for seat in range(len(record.header.seats))]
    with app.test_request_context(headers={"Accept-Language": language}):
        text = list(write_game(record.game, odd, names, writers={"p7": odd}))
        written = read_game("\n".join(text), NOW)
    assert (written.left, written.wrong) == ("", None)
    assert written.header.title == odd and [seat.name for seat in written.header.seats] == names
    assert written.game.document == record.game.document
    assert [said(written.game, entry) for entry in written.game.entries[1:]] == [
        said(record.game, entry) for entry in record.game.entries[1:]
    ]


OPENS = "# game: Making Profit\n# seat: Anna (red)\n# seat: Ben (blue)\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Anna: run", "line 1: the game and the players are missing"),
        ("# game: Chess\n# seat: Anna (red)", "line 1: Daybook does not know the game 'Chess'"),
        ("# game: Making Profit\n# seat: Anna", "line 2: a seat is a name and a colour"),
        (f"{OPENS}# option: hands", "line 4: this is not “name=value”"),
        (f"{OPENS}# option: hands=closed", "line 1: MP-1"),
        (f"{OPENS}# seat: Cleo (pink)", "line 1: MP-1"),
    ],
)
def test_a_text_that_opens_no_game_says_which_line(text, message):
    with pytest.raises(BadFileError) as wrong:
        read_game(text, NOW)
    assert str(wrong.value).startswith(message)


def test_written_game_names_writers_and_bridges_with_a_board():
    table = "# by: Ben\nthe table: R1; the table: R1; the table: R1; the table: M1\nAnna starts\n# by: Anna\n"
    found = read_game(f"{OPENS}{table}correct the board: Anna's money 15 (round 1 is lost)\nAnna: develop R1", NOW)
    assert (found.left, found.wrong) == ("", None)
    assert found.game.writers[1:] == ["Ben"] * 5 + ["Anna"] * 2
    adjusted = command_of(found.game.entries[-2].event)
    assert isinstance(adjusted, Adjust) and (adjusted.values, adjusted.why) == (
        {"/players/0/money": 15},
        "round 1 is lost",
    )


def test_unknown_line_becomes_a_note_and_the_round_is_bridged():
    table = "the table: R1; the table: R1; the table: R1; the table: M1\nAnna starts\n"
    text = f"{OPENS}{table}somebody sold 2\ncorrect the board: Anna's money 4 (who sold is not known)\nAnna: develop R1"
    assert read_game(text, NOW).left.startswith("somebody sold 2")
    found = read_game(text, NOW, lambda _line, text, _meaning: note_of(text))
    assert (found.left, found.wrong) == ("", None)
    note = command_of(found.game.entries[-3].event)
    assert isinstance(note, Note) and (note.about_step, note.text) == (5, "“somebody sold 2”")
    assert msgspec.to_builtins(found.game.board)["players"][0]["money"] == 4
    again = list(write_game(found.game, "Friday", ["Anna", "Ben"]))
    assert "note on 5: “somebody sold 2”" in again


@pytest.mark.parametrize(("by", "written"), [("Ben", "Ben"), ("seat:1@p7", "Pia"), ("seat:1", "Ben"), ("x@p8", "x")])
def test_a_transcript_says_by_name_who_wrote_each_line(by, written):
    game = read_game(f"{OPENS}r1; r1\n# by: {by}\nr1\n# by: import\nm1", NOW).game
    text = list(write_game(game, "Friday", ["Anna", "Ben"], writers={"p7": "Pia"}))
    assert [line for line in text if line.startswith("# by")] == [f"# by: {written}", "# by: import"]
    assert read_game("\n".join(text), NOW).game.writers[1:] == ["import", "import", written, "import"]


def test_so_many_are_read_and_the_rest_is_left():
    game = read_game(OPENS, NOW).game
    typist = typist_of(game, ("Anna", "Ben"))
    read_so_far, left = typist.read_all("r1; note a break; r1; r1", 3)
    assert ([item.says for item in read_so_far], left) == (["R1", "A note on step 0", "R1"], "r1")


def test_unreadable_line_is_left_and_all_before_it_is_played():
    table = "the table: R1; the table: R1\nthe table: R1; the table: M1\n"
    found = read_game(f"{OPENS}\n{table}Anna starts\n# a break\nhop about\nrun", NOW)
    assert (found.line, found.left, found.game.step) == (9, "hop about\nrun", 5)
    asked = list[str]()
    read_game(f"{OPENS}\n{table}Anna starts\nhop about", NOW, lambda line, text, meaning: asked.append(text))
    assert asked == ["hop about"]


def test_a_transcript_that_is_typed_in_gives_the_same_game(friday, open_game):
    friday.play(40, seed=11)
    somebody = friday.visitor()
    text = somebody.client.get(f"{friday.path}/transcript").text
    assert text.splitlines()[:3] == ["# game: Making Profit", "# title: Friday", "# seat: Anna (red)"]
    again = open_game()
    visitor, page = typing(again)
    assert visitor.send(page.form("Save"), text=text, do="record").status == 200
    assert decisions(again) == decisions(friday)


def test_long_text_is_written_in_parts_without_loss(friday):
    step = friday.game.step
    page = type_line(friday, "\n".join(["develop m1", "undo"] * 40))
    assert friday.game.step == step + 60 and page.form("Save").fields["text"].split() == ["develop", "m1", "undo"] * 10
    assert "60 were saved." in page.text


def test_a_transcript_names_what_is_covered_to_nobody_else(open_game):
    game = with_three_unseen_cards(open_game)
    assert game.visitor("reader").get(f"{game.path}/transcript").status == 403


def decisions(game: Opened) -> list[Any]:
    return [entry.event.decision for entry in game.game.entries if isinstance(entry.event, DecisionRecorded)]


def test_undo_redo_and_a_note_are_typed_too(friday):
    step = friday.game.step
    type_line(friday, "develop m1; undo; redo; note The rain began; it stopped")
    kinds = [entry.topic for entry in friday.game.entries[step + 1 :]]
    assert kinds[:3] == ["decision_recorded", "decisions_taken_back", "decisions_taken_back"]
    assert kinds[3] == "note_added"


@pytest.mark.parametrize("n", ["2", "9" * 5_000])
def test_unlisted_offer_is_typed_and_no_number_stops_the_page(open_game, n):
    game = open_game(ruleset_id="london_markets", hands="hidden")
    while game.game.board.stage != "offers":
        game.play(1, seed=3)
    seat = game.game.ruleset.course.to_act(game.game.board)[0]
    step = game.step
    page = type_line(game, f"{NAMES[seat]} offer 1 coffee {n} silk", do="read")
    assert page.status == 200 and game.step == step
    assert ("1 coffee and 2 silk" in page.text) == (n == "2")
    page = type_line(game, f"{NAMES[seat]} coffee", do="read")
    assert "Which one?" in page.text, "no list has all of its offers: the number says which"


def test_a_line_that_nobody_can_record_any_more_is_not_lost(friday):
    somebody, page = typing(friday)
    friday.write(Abandon("late"))
    assert "end the turn" in somebody.send(page.form("Save"), text="end the turn", do="record").html


def test_what_somebody_may_not_write_stays_in_the_line(friday):
    friday.play(20, seed=3)
    while (seat := friday.game.ruleset.course.to_act(friday.game.board)[0]) < 0:
        friday.play(1, seed=3)
    step = friday.game.step
    page = type_line(friday, "undo to 0: all of it", somebody=friday.visitor("seat", seat))
    assert page.status == 403 and friday.game.step == step
    assert page.form("Save").fields["text"] == "undo to 0: all of it"


def test_line_from_before_anothers_entry_is_kept_not_written(friday):
    somebody, page = typing(friday)
    friday.play(1, seed=3)
    step = friday.game.step
    page = somebody.send(page.form("Save"), text="end", do="record")
    assert page.status == 409 and friday.game.step == step
    assert page.form("Save").fields["text"] == "end"


def test_a_line_too_long_is_said_and_who_only_reads_may_not_type(friday):
    assert type_line(friday, "x" * 30_000).status == 422
    assert friday.visitor("reader").get(f"{friday.path}/type").status == 403


def test_line_is_parsed_while_typed_completed_and_saved_by_keys(friday, site, page):
    friday.enter(page, site)
    page.goto(f"{site}{friday.path}/record")
    page.locator("#desk").focus()
    page.keyboard.press("/")
    line = page.get_by_label("What was decided?")
    expect(line).to_be_focused()
    page.keyboard.type("develop")
    expect(page.locator("#read")).to_contain_text("Which one?")
    page.keyboard.type(" m")
    expect(page.locator("#read")).to_contain_text("Read as: Develop M1")
    page.keyboard.press("Tab")
    expect(line).to_have_value("Develop M1")
    page.keyboard.type("; hop")
    expect(page.locator("#read")).to_contain_text("“hop” is not possible now.")
    assert faults(page) == []
    page.reload()  # what was typed and not saved is there again
    expect(page.locator("#read")).to_contain_text("“hop” is not possible now.")
    line.press("End")
    for _ in "hop":
        page.keyboard.press("Backspace")
    page.keyboard.type("run")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(line).to_have_value("")
    page.reload()
    expect(line).to_have_value("")
    assert decision_types(friday)[-2:] == ["develop", "run"]


def test_steps_fill_the_page_of_a_waiting_seat(friday, site, page):
    """The board is not there then, and leaves no empty column on a wide screen."""
    waiting = next(seat for seat in range(3) if seat not in friday.game.ruleset.waits_for(friday.game.board))
    page.set_viewport_size({"width": 1280, "height": 900})
    friday.enter(page, site, "seat", waiting)
    page.goto(f"{site}{friday.path}/type")
    expect(page.get_by_text("Nothing can be recorded here now.")).to_be_visible()
    box, around = page.locator(".last").bounding_box(), page.locator("main").bounding_box()
    assert box and around
    assert box["width"] > 0.8 * around["width"]


def test_what_was_counted_lies_otherwise_or_is_claimed_is_typed(friday):
    step = friday.game.step
    page = type_line(friday, "count Anna's money 12, Ben money 7 (a note under the board); note a break")
    assert page.status == 200
    count, _ = friday.game.entries[step + 1 :]
    assert command_of(count.event) == Count({"/players/0/money": 12, "/players/1/money": 7}, "a note under the board")
    page = type_line(friday, "correct the board: Anna's money $12 (paid twice)")
    assert page.status == 200
    assert friday.game.board.players[0].money == 12
    page = type_line(friday, "played on 2026-11-20")
    assert page.status == 200 and friday.game.day_of_play() == "2026-11-20"
    page = type_line(friday, f"claim on {step}: no card was drawn")
    assert page.status == 200
    claimed = friday.game.entries[-1].event
    assert isinstance(claimed, ClaimRaised) and (claimed.about_step, claimed.statement) == (step, "no card was drawn")


@pytest.mark.parametrize(
    ("text", "unclear"),
    [
        ("count Anna's hat 12", "Anna's hat 12"),
        ("count Anna's money many", "Anna's money many"),
        ("count money 12", "money 12"),
        ("count Anna's money --5", "Anna's money --5"),
        ("count Anna's money " + "9" * 5_000, "Anna's money " + "9" * 5_000),
        ("correct the board: Anna's money 12, Ben's", "Ben's"),
    ],
)
def test_what_says_no_place_or_no_figure_is_not_written(friday, text, unclear):
    step = friday.game.step
    page = type_line(friday, text)
    assert page.status == 422 and f"Daybook cannot read “{unclear}” here." in page.text
    assert friday.game.step == step


def test_who_keeps_no_record_types_no_correction(friday):
    step = friday.game.step
    page = type_line(friday, "correct the board: Anna's money 12 (mine)", somebody=friday.visitor("seat", 0))
    assert page.status == 403 and friday.game.step == step


@pytest.mark.parametrize("name", ["🐙", "…", "!?"])
def test_name_without_letters_is_a_word_of_no_decision(open_game, name):
    game = open_game([name, "Ben", "Cleo"])
    game.deal()
    page = type_line(game, "develops M1; runs; is done; somebody did something")
    assert page.status == 422 and decision_types(game)[-3:] == ["develop", "run", "end_turn"]
    keeper = game.visitor()
    assert keeper.get(f"{game.path}/transcript").status == 200


LETTERS = 20_000
MANY = [
    "count a" + ":" * LETTERS + "b c",
    "count a" + " " * LETTERS + "b c",
    "count a 1" + " " * LETTERS + "b",
    "correct the board: " + "(" * LETTERS,
    "note" + " " * LETTERS + "x",
    "undo" + " " * LETTERS + "x",
    "Anna" + ": " * (LETTERS // 2),
    "first " * (LETTERS // 6),
    "\n" * LETTERS + "x",
    "# by: a" + " " * LETTERS + "b",
]


def seconds_to_read(typist: Typist, text: str) -> float:
    began = time.process_time()
    typist.read_all(text, 9)
    header_of_text(f"{OPENS}{text}")
    read_game(f"{OPENS}{text}", NOW)
    return time.process_time() - began


@pytest.mark.parametrize("text", MANY, ids=lambda text: text[:12])
def test_a_text_takes_as_long_to_read_as_it_is_and_no_longer(text):
    """Any player can type: a text that took minutes would stop every player's evening."""
    typist = typist_of(read_game(OPENS, NOW).game, ["Anna", "Ben"])
    usual = min(seconds_to_read(typist, "note " + "the rain began " * (LETTERS // 15)) for _ in range(3))
    assert min(seconds_to_read(typist, text) for _ in range(2)) < 0.2 + 20 * usual


def test_what_opens_a_game_may_be_nested_however_deeply():
    with pytest.raises(BadFileError):
        read_game(f"{OPENS}# option: hands=" + "[" * 50_000, NOW)
    with pytest.raises(BadFileError):
        read_game("# game: Making Profit\n# seat: a" + " " * LETTERS + "b", NOW)
    named = read_game("# game: Making Profit\n# seat: Anna (2) (red)\n# seat: Ben  (blue)", NOW)
    assert [seat.name for seat in named.header.seats] == ["Anna (2)", "Ben"]


def test_several_decisions_with_and_are_read_one_by_one(friday):
    visitor = friday.visitor()
    form = visitor.get(f"{friday.path}/type").form("Save")
    page = visitor.send(form, text="Anna develops M1 and runs the factory", do="read")
    assert page.text.count("Read as: ") == 2
    step = friday.step
    visitor.send(form, text="develop M1, and then run the factory", do="record")
    made = [entry.event.decision["type"] for entry in friday.game.entries[step + 1 :]]
    assert made == ["develop", "run"]
    assert visitor.send(form, text="note this and that", do="read").text.count("A note on step") == 1


def test_and_inside_one_decision_separates_nothing(friday):
    typist = typist_of(friday.game, NAMES)
    assert typist.separate("note develop M1 and run the factory") == ["note develop M1 and run the factory"]
    assert typist.separate("develop M1 and fly") == ["develop M1 and fly"]


@pytest.fixture
def mill_owner(open_game) -> Typist:
    """Return the scorekeeper of a card game in which a player may choose the stock exchange next."""
    game = open_game(["Anna", "Ben", "Cleo"], ruleset_id="arkwright_card")

    def may_trade(game: Game) -> bool:
        said = [sentence.says for sentence in typist_of(game, NAMES).sentences()]
        return "Action: stock exchange" in said and "Buy a share" not in said

    game.play(may_trade)
    return typist_of(game.game, ["Anna", "Ben", "Cleo"])


@pytest.mark.parametrize("line", ["take 2 bank loans", "takes two loans"])
def test_a_number_after_the_verb_counts_equal_decisions(mill_owner, line):
    parts = mill_owner.separate(line)
    read, left = mill_owner.read_all("; ".join(parts), 5)
    assert [text.says for text in read] == ["Action: stock exchange", *["Take a bank loan"] * 2]
    assert not left


@pytest.mark.parametrize(
    "line",
    [
        "round 2 take loans",
        "pile 2 loans",
        "2 loans",
        "loan 2",
        "take 2",
        "take 2 for Anna",
        "buy 9 shares",
        "Anna takes a loan 2 times",
        "turn 5 pass",
        "round 2 pass",
        "loan",
        "employ 2 workers",
        "buy 2 machines",
        "note: take 2 loans",
    ],
)
def test_a_line_never_stands_for_decisions_that_it_does_not_name(mill_owner, line):
    assert mill_owner.separate(line) == [line]


def test_enter_takes_the_nearest_decision_once_it_is_shown(page, site, friday):
    friday.enter(page, site)
    page.goto(f"{site}{friday.path}/type")
    step = friday.step
    page.get_by_label("What was decided?").fill("develop M1 zzz")
    nearest = page.locator("#read [data-nearest]")
    nearest.wait_for()
    page.get_by_label("What was decided?").press("Enter")
    page.locator(".last").get_by_text("develops M1").first.wait_for()
    assert friday.step > step
    assert friday.game.entries[step + 1].event.decision == {"type": "develop", "card": "M1"}


def legal_now(game: Game) -> list[dict[str, Any]]:
    seats = game.ruleset.course.to_act(game.board)
    return [legal for seat in seats for legal in msgspec.to_builtins(game.ruleset.legal(game.board, seat))]


def test_enter_takes_no_decision_with_another_number(open_game):
    game = open_game(TRIO, ruleset_id="making_profit")
    game.play(lambda game: any(legal["type"] == "sell_add" for legal in legal_now(game)))
    visitor = game.visitor()
    form = visitor.get(f"{game.path}/type").form("Save")
    for line in ("buy 9 red zzz", "sell 9 red", "sell 9 blue", "sell 9 green"):
        page = visitor.send(form, text=line, do="record")
        assert page.status == 422 and "data-nearest" not in page.html, line


@pytest.mark.parametrize("value", ["9" * 5000, "1e999", "-1e999", '"\\ud800"', "[" * 5000])
def test_values_that_no_record_has_are_not_in_words(value):
    assert read_in_words(f"* adjust: values {value}", NAMES) is None


@pytest.mark.parametrize("language", ["en", "ko"])
def test_offers_of_several_goods_are_read_as_shown(open_game, app, language):
    chance, names = random.Random(5), ["Anna", "벤", "Cleo"]
    game = open_game(names, ruleset_id="london_markets", hands="hidden")
    game.play(lambda game: game.board.stage == "offers")
    board, rules = game.game.board, game.game.ruleset
    typist = typist_of(game.game, names)
    decisions = []
    while len(decisions) < 40:
        offers = [{goods: chance.randrange(3) for goods in chance.sample(GOODS, 3)} for _ in names]
        offered = OffersRevealed(tuple(GoodsCards(**offer) for offer in offers))
        decisions += [
            (seat, decision)
            for seat, decision in ((TABLE, offered), (1, Offer(**offers[1])))
            if rules.first_refusal(board, seat, decision) is None
        ]
    with app.test_request_context(headers={"Accept-Language": language}):
        for seat, decision in decisions:
            says = words.sentence(rules.id, msgspec.to_builtins(decision), names)
            meant = typist.read(says if seat == TABLE else f"{names[seat]}: {says}", board).taken
            assert meant is not None and rules.decision(meant.decision) == decision, says
