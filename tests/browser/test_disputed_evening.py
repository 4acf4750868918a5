"""One evening full of disputes, through the pages at phone size, and a later verification by a stranger: an illegal
move that stood, a mistyped step far back, a miscounted purse, a claim with ruling and appeal, a receipt."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from daybook import cli
from daybook.domain.commands import Decide, Resolution
from daybook.domain.games.making_profit.moves import Develop, Run
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import DecisionRecorded, Move
from daybook.domain.kernel.record import Game
from daybook.services.disputes import corrections
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from tests.browser.conftest import DESKTOP, PHONE, Person, ServedDaybook, accessible, fits, photo_of_table
from tests.browser.test_evening import link_of, open_game, step_of
from tests.browsing import click_through
from tests.played import write

pytestmark = pytest.mark.drill

NAMES = ("Anna", "Berta", "Cleo")


class DisputedEvening:
    """The evening: the scorekeeper's phone and every player's links.

    With PICTURES=FOLDER in the environment each page is drawn there, and the scorekeeper's on a wide screen too.
    """

    def __init__(self, served: ServedDaybook, person: Person) -> None:
        self.served, self.person = served, person
        self.pictures = Path(os.environ["PICTURES"]) if "PICTURES" in os.environ else None
        self.idle = 0
        self.keeper = person(PHONE)
        open_game(self.keeper, "A disputed evening", list(NAMES), hands="open")
        self.links = self.keeper.url
        self.game = self.links.split("/links")[0]
        self.of = {name: link_of(self.keeper, name) for name in NAMES}
        self.scorekeeper = link_of(self.keeper, "Scorekeeper")

    def sits_down(self, link: str, viewport: dict[str, int] = PHONE) -> Page:
        page = self.person(viewport)
        page.goto(link)
        page.wait_for_url(re.compile("/games/"))
        return page

    def umpire(self, name: str) -> Page:
        self.keeper.goto(self.links)
        if not self.keeper.get_by_label("The next umpire").is_visible():
            self.keeper.locator(".rest > summary").tap()
        self.keeper.get_by_label("The next umpire").fill(name)
        self.keeper.get_by_role("button", name="Name the umpire").tap()
        return self.sits_down(link_of(self.keeper, name))

    def play(self, to: int) -> None:
        """Play to a step through another program beside the pages: factories run, and are developed now and then.

        How a phone records is test_evening's subject.
        """
        self.keeper.goto("about:blank")  # how a page follows is test_evening's subject too
        with self.book() as book:
            while (game := book.games.get(self.id)).step < to:
                seat = game.ruleset.course.to_act(game.board)[0]
                offered = game.ruleset.legal(game.board, seat)
                developing = [item for item in offered if isinstance(item, Develop)]
                earning = [value for value in offered if isinstance(value, Run)]
                first, then = (developing, earning) if self.idle > 0 else (earning, developing)
                chosen = (first or then or offered)[0]
                self.idle = 0 if chosen in developing else self.idle + bool(developing)  # else the game ends
                write(book, self.id, Decide(seat, plain(chosen)), at=game.step, key=f"beside-{game.step + 1}")
        self.keeper.goto(f"{self.game}/record")

    def look(self, page: Page, name: str) -> None:
        accessible(page)
        fits(page)
        if self.pictures is None:
            return
        page.screenshot(path=str(self.pictures / f"{name}-390.png"), full_page=True)
        if page is self.keeper:
            wide = self.sits_down(self.scorekeeper, DESKTOP)
            wide.goto(page.url)
            accessible(wide)
            fits(wide)
            wide.screenshot(path=str(self.pictures / f"{name}-1280.png"), full_page=True)
            wide.context.close()

    @property
    def id(self) -> UUID:
        return UUID(self.game.rsplit("/", 1)[1])

    def book(self) -> closing[Daybook]:
        """Open the served data in another process."""
        return closing(open_daybook(Settings(data=self.served.data)))

    def fold_game(self) -> Game:
        with self.book() as book:
            return book.games.get(self.id)

    def misread(self) -> tuple[int, Move, list[int]] | None:
        """Return a step far back, its true decision, and the money that follows.

        Only one purse differs, by the amount of that step; the rest of the record fits.
        """
        with self.book() as book:
            game = book.games.get(self.id)
            for step in game.line()[7:]:
                event = game.entries[step].event
                assert isinstance(event, DecisionRecorded)
                for move in _others(game, event):
                    plan = corrections.compute_correction_plan(book, game.id, {step: Resolution([move])})
                    by = plan.column_changes["money"]
                    if (
                        plan.stop is None
                        and sum(map(bool, by)) == 1
                        and len(plan.carried) > 8
                        and by
                        == [
                            now - was
                            for was, now in zip(
                                plan.carried[0].columns_recorded["money"], plan.carried[0].columns["money"], strict=True
                            )
                        ]
                    ):
                        return step, move, plan.columns["money"]
        return None


def _others(game: Game, event: DecisionRecorded) -> Iterator[Move]:
    board = game.ruleset.typed_board(game.document_at(game.parents[event.step]), game.table)
    for other in game.ruleset.legal(board, event.seat):
        move = Move(event.seat, plain(other))
        if move.decision != event.decision:
            yield move


@pytest.fixture
def table(served_daybook: ServedDaybook, person: Person) -> DisputedEvening:
    return DisputedEvening(served_daybook, person)


def test_what_was_written_down_wrong_is_put_right_on_the_pages(table):
    table.play(14)
    illegal_move_that_stood(table)
    table.play(24)
    mistyped_step_found_late(table)
    table.play(table.fold_game().step + 2)
    miscounted_purse(table)


def test_claim_is_ruled_on_twice_and_a_stranger_verifies(table, tmp_path):
    uli, vera = table.umpire("Uli"), table.umpire("Vera")
    table.play(22)
    claim_ruled_on_and_appealed(table, uli, vera)
    verified_by_a_stranger(table, tmp_path)


def illegal_move_that_stood(table: DisputedEvening) -> None:
    keeper = table.keeper
    before = step_of(keeper)
    keeper.get_by_text("Fix…").tap()
    click_through(keeper.get_by_role("link", name="Record it as played"))
    click_through(keeper.locator(".tell .pick").nth(1))
    keeper.get_by_role("button", name="Run the factory", exact=False).first.tap()
    expect(keeper.get_by_role("button", name="Check with the rules")).to_be_visible()
    table.look(keeper, "stood-told")
    keeper.get_by_role("button", name="Check with the rules").tap()
    expect(keeper.get_by_role("heading", name="What the rules say against it")).to_be_visible()
    keeper.get_by_label("Why did you let it stand?").fill("Nobody saw it until two rounds later")
    table.look(keeper, "stood-found")
    keeper.get_by_role("button", name="Preview the board").tap()
    expect(keeper.get_by_role("button", name="Save it as played")).to_be_visible()
    table.look(keeper, "stood-looked-at")
    keeper.get_by_role("button", name="Save it as played").tap()
    expect(keeper).to_have_url(re.compile(f"step={before + 1}"))
    expect(keeper.locator("#caption")).to_contain_text("Against the rules, but the table let it stand")
    table.look(keeper, "stood-replayed")


def mistyped_step_found_late(table: DisputedEvening) -> None:
    """Find a mistyped step: a count differs from the record and names the step; its correction is previewed first."""
    keeper = table.keeper
    while (found := table.misread()) is None:
        table.play(table.fold_game().step + 2)
    step, move, money = found
    counted = count(table, money)
    expect(keeper.get_by_role("heading", name="The record says something else")).to_be_visible()
    slip = keeper.locator(".slips > li").filter(has_text=f"Step {step} was a different decision").first
    expect(slip).to_be_visible()
    expect(keeper.locator("#search")).to_have_attribute("data-done", "")
    table.look(keeper, "purse-explained")
    slip.get_by_role("link", name=f"Step {step}").tap()
    expect(keeper.locator("#where")).to_contain_text(f"step {step} of")
    keeper.go_back()
    expect(keeper.locator("#search")).to_have_attribute("data-done", "")  # its list changes
    slip.get_by_role("link", name="Preview this correction").tap()
    expect(keeper.get_by_role("heading", name="What it changes for every player")).to_be_visible()
    expect(keeper.locator(".carried > li")).to_have_count(
        len([value for value in table.fold_game().line() if value >= step])
    )
    table.look(keeper, "correction-looked-at")
    keeper.get_by_label("What was wrong?").fill("It was typed as something else")
    click_through(keeper.get_by_role("button", name="Save the correction"))
    game = table.fold_game()
    assert game.figures_at(game.step)[0]["money"] == money
    assert step in game.struck_steps()
    new = next(entry.event for entry in game.entries if getattr(entry.event, "corrects_step", None) == step)
    assert isinstance(new, DecisionRecorded) and new.decision == move.decision
    keeper.goto(f"{table.game}?step={step}")
    expect(keeper.locator("#caption")).to_contain_text("It was typed as something else")
    table.look(keeper, "corrected-replayed")
    keeper.goto(f"{table.game}/counts/{counted}")
    expect(keeper.get_by_text(f"Settled by step {counted + 1}")).to_be_visible()
    table.look(keeper, "counted-and-corrected")


def count(table: DisputedEvening, money: list[int]) -> int:
    """Count every player's money; return the step of the count."""
    keeper = table.keeper
    keeper.goto(f"{table.game}/count")
    for seat, coins in enumerate(money):
        field = keeper.locator(f"input[name='/players/{seat}/money']")
        if not field.is_visible():
            keeper.locator("details:not([open]) > summary", has_text=NAMES[seat]).tap()
        field.fill(str(coins))
    table.look(keeper, "count")
    keeper.get_by_role("button", name="Save the count").tap()
    keeper.wait_for_url(re.compile(r"/counts/\d+"))
    return int(re.findall(r"/counts/(\d+)", keeper.url)[0])


def miscounted_purse(table: DisputedEvening) -> None:
    """Settle a purse with a coin too many that nobody can explain: the record follows the table."""
    keeper, game = table.keeper, table.fold_game()
    money = [*game.figures_at(game.step)[0]["money"]]
    money[2] += 1
    counted = count(table, money)
    expect(keeper.locator("#search")).to_have_attribute("data-done", "")
    keeper.get_by_label("Change the record to match the table, because").fill("nobody knows where it comes from")
    keeper.get_by_role("button", name="Correct the board as counted").tap()
    expect(keeper.get_by_text(f"Settled by step {counted + 1}")).to_be_visible()
    table.look(keeper, "counted-and-adjusted")
    game = table.fold_game()
    assert game.figures_at(game.step)[0]["money"] == money


def claim_ruled_on_and_appealed(table: DisputedEvening, uli: Page, vera: Page) -> None:
    anna, keeper, about = table.sits_down(table.of["Anna"]), table.keeper, table.fold_game().step - 2
    anna.goto(f"{table.game}?step={about}")
    anna.locator("#caption + .door button").tap()
    expect(anna.get_by_role("heading", name="Which step is wrong?")).to_be_visible()
    anna.locator(f"a[href$='wrong?step={about}']").tap()
    expect(anna.get_by_role("heading", name="What is wrong with step")).to_be_visible()
    table.look(anna, "wrong")
    click_through(anna.get_by_role("link", name="A rule was broken"))
    anna.get_by_label("What is wrong?").fill("she had one card less")
    anna.get_by_label("Photos of the table").set_input_files(photo_of_table())
    table.look(anna, "claim-new")
    anna.get_by_role("button", name="Raise the claim").tap()
    expect(anna.get_by_text("Not ruled yet")).to_be_visible()
    claim = anna.url
    keeper.goto(claim)
    opinion = keeper.locator("#opinion")
    expect(opinion.get_by_text("checks that hold")).to_be_visible()
    expect(opinion).to_contain_text("Go back to before")
    table.look(keeper, "claim-open")
    keeper.goto(f"{table.game}/record")
    expect(keeper.get_by_role("link", name="Look closer")).to_be_visible()
    table.look(keeper, "record")
    turn = keeper.locator(".turn-line", has=keeper.locator(f"[aria-label='Something is wrong with step {about}']"))
    turn.locator("summary").tap()
    turn.get_by_role("link", name=f"Something is wrong with step {about}").tap()
    expect(keeper.get_by_role("link", name="Count it")).to_be_visible()
    table.look(keeper, "wrong-keeper")

    uli.goto(claim)
    click_through(uli.get_by_role("link", name="Keep it as recorded"))
    uli.get_by_label("Why?").fill("the photo shows it in her hand")
    table.look(uli, "ruling")
    uli.get_by_role("button", name="Uli makes this ruling").tap()
    expect(uli.get_by_text("Ruled on, and it may be appealed")).to_be_visible()

    anna.goto(claim)
    anna.locator("#appeal").get_by_label("Why?").fill("the photo was taken later")
    table.look(anna, "appeal")
    anna.get_by_role("button", name="Appeal").tap()
    expect(anna.get_by_text("Appealed: another umpire has to rule")).to_be_visible()
    uli.goto(claim)
    expect(uli.get_by_role("link", name="Keep it as recorded")).to_have_count(0)

    vera.goto(claim)
    vera.get_by_role("link", name="Go back").tap()
    expect(vera.get_by_text("It strikes out")).to_be_visible()
    vera.get_by_label("Why?").fill("nobody knows what she held")
    table.look(vera, "ruling-back")
    vera.get_by_role("button", name="Vera makes this ruling").tap()
    expect(vera.locator(".state")).to_have_text("Closed")
    keeper.goto(claim)
    table.look(keeper, "claim-closed")
    keeper.goto(f"{table.game}/record")
    expect(keeper.locator(".claims-open")).to_have_count(0)
    keeper.goto(f"{table.game}/undone-steps")
    table.look(keeper, "struck")
    keeper.goto(f"{table.game}?step=12")
    struck = table.fold_game().struck_steps()
    keeper.locator('[data-slide="ledger"]').first.tap()
    keeper.locator("label[for='only-struck']").tap()
    expect(keeper.locator(f"#step-{min(struck)}")).to_be_visible()
    expect(keeper.locator("#step-2")).to_be_hidden()


# --- a stranger, later, with nothing but files -----------------------------------------------------------------------


def verified_by_a_stranger(table: DisputedEvening, folder: Path) -> None:
    keeper = table.keeper
    keeper.goto(f"{table.game}/receipt")
    table.look(keeper, "receipt")
    receipt = save_file(keeper, "Save the receipt", folder / "evening.receipt")
    code = keeper.locator(".receipt .code").inner_text()
    keeper.goto(f"{table.game}/about")
    then = save_file(keeper, "Download the record", folder / "then.daybook")
    table.play(table.fold_game().step + 2)
    keeper.goto(f"{table.game}/about")
    later = save_file(keeper, "Download the record", folder / "later.daybook")

    told = json.loads(receipt.read_text(encoding="utf-8"))

    away = folder / "away"  # another machine: the files, and no server
    away.mkdir()
    for file in (receipt, then, later):
        shutil.copy(file, away)
    assert says(away, "then.daybook", "evening.receipt") == (0, "unchanged")
    assert says(away, "later.daybook", "evening.receipt") == (0, "extended")
    seal_alone = verify_there(away, "later.daybook", code.replace(" ", ""))
    assert (seal_alone.returncode, f"that of step {told['step']}" in seal_alone.stdout) == (0, True)
    lines = later.read_bytes().splitlines(keepends=True)
    for step in (4, 17):
        (away / "altered.daybook").write_bytes(
            b"".join(
                line.replace(b'"at":"20', b'"at":"19') if place == step + 1 else line
                for place, line in enumerate(lines)
            )
        )
        assert says(away, "altered.daybook", "evening.receipt") == (1, f"step {step}")
    (away / "anew.daybook").write_bytes(sealed_anew(lines, 17))
    assert by_hand(away / "anew.daybook")[1], "whoever knows how seals are made can seal a record anew"
    assert says(away, "anew.daybook", "evening.receipt") == (1, "step 17")

    seals, whole = by_hand(away / "later.daybook")
    assert whole
    assert seals[told["step"]] == told["seal"] and told["seal"].startswith(code.replace(" ", ""))
    assert [seal[:16] for seal in seals[: told["step"] + 1]] == told["chain"]
    anew, _ = by_hand(away / "anew.daybook")
    assert (
        next(step for step, (seal, kept) in enumerate(zip(anew, told["chain"], strict=False)) if seal[:16] != kept)
        == 17
    )


def save_file(page: Page, link: str, file: Path) -> Path:
    with page.expect_download() as saving:
        page.get_by_role("link", name=link).tap()
    saving.value.save_as(file)
    return file


def verify_there(folder: Path, record: str, receipt: str) -> subprocess.CompletedProcess[str]:
    """The command line on a machine that has the files and no data folder."""
    return subprocess.run(
        [sys.executable, "-m", "daybook", "verify", record, "--receipt", receipt],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2])},
    )


def says(folder: Path, record: str, receipt: str) -> tuple[int, str]:
    """Verify a file; return the exit code and the verdict."""
    done = CliRunner().invoke(cli.main, ["verify", str(folder / record), "--receipt", str(folder / receipt), "--json"])
    assert isinstance(done.exception, SystemExit | None), done.exception
    found = json.loads(done.output)
    return done.exit_code, found["state"] if found["altered_at"] is None else f"step {found['altered_at']}"


def by_hand(file: Path) -> tuple[list[str], bool]:
    """The steps of docs/verifying.md, with a text editor's means and SHA-256: the seals, and whether all fit."""
    _, *steps = file.read_text(encoding="utf-8").splitlines()
    seals, fits_all, before = [], True, ""
    for line in steps:
        cut = line.rindex(',"seal":"')
        seal = line[cut + len(',"seal":"') : line.rindex('"')]
        fits_all &= hashlib.sha256((before + line[:cut] + "}").encode()).hexdigest() == seal
        seals.append(seal)
        before = seal
    return seals, fits_all


def sealed_anew(lines: list[bytes], step: int) -> bytes:
    """A forger's work: one step altered, and every seal from there on made again."""
    made, before = [lines[0]], ""
    for place, line in enumerate(lines[1:]):
        body = line[: line.rindex(b',"seal":"')] + b"}"
        if place == step:
            body = body.replace(b'"at":"20', b'"at":"19')
        before = hashlib.sha256(before.encode() + body).hexdigest()
        made.append(body[:-1] + f',"seal":"{before}"}}\n'.encode())
    return b"".join(made)
