"""A club's season through the pages: founded, joined, drawn, played, disputed, corrected, closed.

The tables are played by the practice player in a process of its own beside the running service; follower and workers
are those of the service. What axe finds on most of these pages is asked in tests/web/club/test_season.py.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterator
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from daybook.domain.commands import Adjust, Close, CloseClaim, Reopen, RuleOnClaim
from daybook.services.disputes import claims, umpires
from daybook.services.disputes.umpires import appeal_hours
from daybook.services.league import ratings
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from tests.browser.conftest import DESKTOP, PHONE, ServedDaybook, fits, look_at
from tests.browsing import click_through
from tests.played import key, play, write
from tests.servers import wait_until

pytestmark = pytest.mark.drill

PASSWORD = "a bag of red certificates"


@pytest.fixture
def book(served_daybook: ServedDaybook) -> Iterator[Daybook]:
    """The same daybook, from another process than those that serve it."""
    opened = open_daybook(Settings(data=served_daybook.data))
    yield opened
    opened.close()


def open_details(page: Page, summary: str) -> None:
    page.locator("summary", has_text=summary).first.click()


def club_of(page: Page) -> UUID:
    found = re.search(r"/clubs/([0-9a-f-]{36})", page.url)
    assert found is not None, page.url
    return UUID(found[1])


def found_club(page: Page) -> UUID:
    """Olga makes an account and founds a club."""
    page.goto("/clubs/new")
    page.get_by_role("link", name="Create an account").click()
    page.get_by_label("Your name").fill("Olga")
    page.get_by_label("Sign-in name").fill("olga.season")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("The same password again").fill(PASSWORD)
    page.get_by_role("button", name="Create the account").click()
    page.get_by_label("Name of the club").fill("The Mill")
    page.get_by_label("Everyone").check()
    fits(page)
    page.get_by_role("button", name="Create the club").click()
    expect(page.get_by_role("heading", name="The Mill")).to_be_visible()
    fits(page)
    return club_of(page)


def invite(page: Page, other: Page, name: str) -> None:
    """Invite a person into the club by a link."""
    click_through(page.get_by_role("link", name="People"))
    page.get_by_role("button", name="Create a link").click()
    link = page.locator(".notice [data-copied]").input_value()
    click_through(page.get_by_role("link", name="The Mill"))
    other.goto(link)
    other.get_by_label("Your name").fill(name)
    other.get_by_role("button", name="Join The Mill").click()
    expect(other.get_by_text("Welcome to The Mill")).to_be_visible()


def open_season(page: Page) -> None:
    """A league with a season of three rounds, for Olga, Ben and two guests."""
    page.get_by_role("link", name="Start a league").click()
    page.get_by_label("Name of the league").fill("Winter league")
    page.get_by_label("Making Profit").check()
    look_at(page)
    click_through(page.get_by_role("button", name="Start the league"))
    click_through(page.get_by_role("link", name="Rounds"))
    page.get_by_label("Name of the season").fill("Autumn 2026")
    page.get_by_label("How many rounds").fill("3")
    look_at(page)
    page.get_by_role("button", name="Open the season").click()
    page.get_by_label("Olga").check()
    page.get_by_label("Ben").check()
    page.get_by_label("Guests, one name on each line").fill("Cleo\nDora")
    fits(page)
    page.get_by_role("button", name="Enter them").click()
    expect(page.locator(".player-row")).to_have_count(4)


def draw(page: Page) -> None:
    click_through(page.get_by_role("link", name="Tables", exact=True))
    page.get_by_role("link", name=re.compile("^Draw (the schedule|again)$")).click()
    expect(page.get_by_text("This is a preview")).to_be_visible()
    fits(page)
    page.get_by_role("button", name="Save this schedule").click()
    expect(page.get_by_text("The schedule is drawn")).to_be_visible()


def play_table(page: Page, book: Daybook, table: str, seed: int) -> UUID:
    """The game of a table is opened with one tap, and played to its end."""
    click_through(page.get_by_role("link", name="Tables", exact=True))
    click_through(page.get_by_role("link", name=re.compile(f"Table {table}$")))
    fits(page)
    page.get_by_role("button", name="Open the game").click()
    expect(page).to_have_url(re.compile("/links"))
    found = re.search(r"/games/([0-9a-f-]{36})", page.url)
    assert found is not None
    game = UUID(found[1])
    play(book, game, seed=seed, close=True)
    return game


def standings(page: Page, club: UUID) -> None:
    page.goto(f"/clubs/{club}/seasons/1")


def test_a_season_from_its_founding_to_its_archive(person, served_daybook, book, tmp_path):
    olga = person(PHONE)
    club = found_club(olga)
    invite(olga, person(PHONE), "Ben")
    open_season(olga)
    draw(olga)

    game = play_table(olga, book, "1", seed=5)
    standings(olga, club)
    first = olga.locator("table.standings tbody tr").first
    expect(first.locator(".place")).to_have_text("1")
    first.locator("summary").click()
    expect(first.locator(".account-of")).to_contain_text("comes before")
    expect(first.locator(".account-of")).to_contain_text(re.compile(r"Round 1, table 1: place 1 \(\d+\)"))
    fits(olga)
    wait_until(lambda: len(ratings.current_ratings(book, club)) == 4, "a worker has rated the club")
    click_through(olga.get_by_role("link", name="The Mill"))
    click_through(olga.get_by_role("link", name="Ratings"))
    expect(olga.locator("tbody tr")).to_have_count(4)
    fits(olga)

    # Dora drops out: the rounds to come are drawn anew for three
    standings(olga, club)
    click_through(olga.get_by_role("link", name="Players", exact=True))
    row = olga.locator(".player-row", has_text="Dora")
    row.locator("summary").click()
    row.get_by_label("Why?").fill("moved away")
    row.get_by_role("button", name="Withdraws from the season").click()
    expect(olga.get_by_text("withdrew: moved away")).to_be_visible()
    draw(olga)
    expect(olga.locator(".round").nth(1).locator(".placed li")).to_have_count(3)

    # the purse was miscounted: the record is put right, and the page says what that changed
    before = lines_of(olga, club)
    write(book, game, Reopen("the purse was counted"))
    ended = book.games.get(game)
    lowest = min(range(4), key=lambda seat: ended.ruleset.scoring.standing(ended.board)[seat].total)
    write(book, game, Adjust({f"/players/{lowest}/money": 999}, "miscounted", "mistyped"), at=book.games.get(game).step)
    write(book, game, Close())
    assert lines_of(olga, club) != before
    olga.goto(f"/clubs/{club}/seasons/1/tables/1")
    expect(olga.get_by_role("heading", name="The record was corrected")).to_be_visible()
    expect(olga.locator(".change-of li").filter(has_text=re.compile(r"place 4 → 1, points 1 → 10"))).to_have_count(1)

    # a claim makes it provisional, and its ruling flows through
    umpires.set_appeal_hours(book, game, 0)
    umpires.name_umpire(book, game, "Uli", by="scorekeeper", key=key())
    claim = claims.raise_claim(book, game, 9, "one coin too many", seat=1, by="seat:1", key=key()).step
    standings(olga, club)
    expect(olga.get_by_text("Provisional: in 1 game a claim is open")).to_be_visible()
    write(
        book,
        game,
        RuleOnClaim(
            claim,
            "adjusted",
            "so it is",
            umpire=0,
            values={f"/players/{lowest}/money": 1},
            appeal_hours=appeal_hours(book, game),
        ),
        at=book.games.get(game).step,
        by="umpire:0",
    )
    olga.goto(f"/clubs/{club}/seasons/1/tables/1")
    expect(olga.get_by_role("heading", name="A claim was ruled on")).to_be_visible()
    look_at(olga)

    # the last rounds are typed in or made void, and the season is closed
    olga.goto(f"/clubs/{club}/seasons/1/tables/2")
    open_details(olga, "Type in a result")
    for seat, score in enumerate((41, 38, 38)):
        olga.locator(f"input[name='score.{seat}']").fill(str(score))
    olga.get_by_role("button", name="Save the result").click()
    expect(olga.get_by_text("typed in").first).to_be_visible()
    olga.goto(f"/clubs/{club}/seasons/1/tables/3")
    open_details(olga, "Make it void")
    olga.locator("#why-void").fill("snow")
    olga.get_by_role("button", name="Make it void").click()
    expect(olga.get_by_text("This table is void")).to_be_visible()
    standings(olga, club)
    olga.get_by_role("link", name="Manage").click()
    expect(olga.get_by_text("A claim is open about the game of table 1: settle it first.")).to_be_visible()
    look_at(olga)
    write(book, game, CloseClaim(claim, "nobody appeals"))
    olga.reload()
    olga.get_by_role("button", name="Close the season like this").click()
    expect(olga.get_by_role("heading", name="The season is closed")).to_be_visible()

    # kept as one file, whose parts verify by themselves
    standings(olga, club)
    with olga.expect_download() as saving:
        olga.get_by_role("link", name="The whole season as one file").click()
    saved = tmp_path / "season.zip"
    saving.value.save_as(saved)
    with zipfile.ZipFile(saved) as file:
        file.extractall(tmp_path)
    for line in (tmp_path / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest, name
    verified = served_daybook.daybook(
        "verify", str(tmp_path / "games/1.daybook"), "--receipt", str(tmp_path / "receipts/1.receipt")
    )
    assert verified.exit_code == 0, verified.output

    # whoever has the link reads the standings, on a desk, without any script and without the record
    stranger = person(DESKTOP, script=False)
    standings(stranger, club)
    expect(stranger.locator("table.standings tbody tr")).to_have_count(4)
    stranger.goto(f"/clubs/{club}/seasons/1/tables/1")
    expect(stranger.get_by_text("You need a link to read its record")).to_be_visible()
    assert str(game) not in stranger.content()


def lines_of(page: Page, club: UUID) -> list[str]:
    """Names and points as the standings have them."""
    standings(page, club)
    return page.locator("table.standings tbody tr").all_inner_texts()
