"""A game for one against two automas, in Korean: begun by taps on a phone, played on, replayed and scored."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from tests.axe import examine_page
from tests.browser.conftest import PHONE, ServedDaybook, accessible, fits, tap_at_desk
from tests.browser.planned import open_scores, played_on
from tests.browser.test_evening import exported_and_checked, step_of
from tests.browsing import errors_of

pytestmark = pytest.mark.drill

LEFT = re.compile(r"[A-Za-z]{4,}")
NOT_TRANSLATED = re.compile(  # names, keys of a keyboard, and codes of seals and sheets
    r"Daybook|BG Stats|English|Home|Page Up|Page Down|Shift|Arkwright: The Card Game|\b(?:[0-9a-f]{4}|[0-9a-f]{12})\b"
)
TO_READ = """() => [document.title, document.body.innerText,
    ...[...document.querySelectorAll('[aria-label]')].map(one => one.getAttribute('aria-label')),
    ...[...document.querySelectorAll('[title]')].map(one => one.title)].join('\\n')"""


def in_korean(page: Page) -> None:
    """Nothing on the page is left in English, and nothing sticks out."""
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    left = [line for line in page.evaluate(TO_READ).split("\n") if LEFT.search(NOT_TRANSLATED.sub("", line))]
    assert left == [], page.url
    fits(page)


def open_game(page: Page) -> None:
    page.goto("/new?game=arkwright_card")
    page.get_by_label("이 게임의 이름").fill("방직 카드의 저녁")
    page.locator("input[name='name.0']").fill("지민")
    in_korean(page)
    page.get_by_role("button", name="게임 열기").tap()
    expect(page).to_have_url(re.compile("/links"))
    page.get_by_role("link", name="기록 시작하기").tap()
    page.locator("#desk").wait_for()


def tap(page: Page, text: str = "") -> None:
    """Tap the first place or button that says this, and wait for the desk it leads to.

    Without a text and without choices a turn of several parts is complete: its button saves it.
    """
    offered = page.locator("#desk .cell, #desk .choices .pick")
    is_complete = not text and not offered.count()
    tap_at_desk(page, page.locator("#desk button.write") if is_complete else offered.filter(has_text=text).first)


def test_solo_game_is_recorded_replayed_and_scored_in_korean(served_daybook, browser, tmp_path):
    context = browser.new_context(
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        locale="ko-KR",
        reduced_motion="reduce",  # type: ignore[arg-type]
        base_url=served_daybook.address,
        accept_downloads=True,
    )
    page = context.new_page()
    wrong = errors_of(page)
    open_game(page)
    asked = page.locator("#desk h1")

    # the table's draws are recorded as facts, the player's choices as decisions
    while "시작 개발" not in asked.inner_text():
        tap(page)
    in_korean(page)
    accessible(page)
    tap(page, "품질")
    expect(asked).to_contain_text("지민: 액션을 고르십시오. 활성화 상품은 식품입니다")
    for development, marker in (("기계", "주황색"), ("선적", "보라색")):
        for part in ("4 → 6", "매력 3", development):  # workers, price and appeal, a step on the board
            tap(page, part)
            in_korean(page)
        expect(asked).to_contain_text("주머니에서 어느 마커가 나왔습니까?")
        tap(page, marker)
        in_korean(page)
        while "액션" not in asked.inner_text():
            tap(page)
    game = (page.locator("#desk").get_attribute("data-game") or "").rsplit("/", 1)[1]
    page.goto("about:blank")  # that pages follow is seen in test_evening
    played_on(served_daybook, UUID(game))
    page.goto(f"/games/{game}/record")
    expect(page.locator(".masthead")).to_contain_text("게임이 끝났습니다")
    in_korean(page)
    page.get_by_role("button", name="끝내기").tap()
    expect(page.get_by_text("기록이 완성되었습니다", exact=False).first).to_be_visible()
    newest = step_of(page)

    look_at_replay(page, game, newest)
    look_at_scores(served_daybook, page, game)
    exported_and_checked(served_daybook, page, game, tmp_path, newest)
    in_korean(page)
    context.close()
    assert wrong == []


def look_at_replay(page: Page, game: str, newest: int) -> None:
    """Open a step of every period, and check the automas, the bag, the grid and the achievements."""
    page.goto(f"/games/{game}")
    page.locator("#plate").wait_for()
    where = page.locator("#where")
    page.keyboard.press("Home")
    expect(where).to_contain_text(f"스텝 0 / {newest}")
    in_korean(page)
    for _ in range(4):
        page.keyboard.press("PageDown")
        expect(page.locator("#caption")).not_to_be_empty()
        in_korean(page)
    page.keyboard.press("End")
    expect(where).to_contain_text(f"스텝 {newest} / {newest}")
    page.locator(".tabs label").filter(has_text="오토마").tap()
    for text in ("주머니", "업적", "신사/숙녀"):
        expect(page.locator("#plate")).to_contain_text(text)
    in_korean(page)
    assert examine_page(page, "#plate").serious == []


def look_at_scores(served: ServedDaybook, page: Page, game: str) -> None:
    """Every decade has a sheet that a worker has made, and the last one tells the automas' scores."""
    open_scores(served, page, game)
    sheets = page.locator(".periods a")
    decades = [text for text in sheets.all_text_contents() if re.fullmatch(r"시대 I+", text.strip())]
    assert decades == ["시대 I", "시대 II", "시대 III"]
    expect(page.get_by_text("잠정")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("넘어야 할 점수")
    in_korean(page)
    page.get_by_text("다른 점수표").tap()
    accessible(page)
    sheets.filter(has_text=re.compile(r"^\s*시대 II\s*$")).tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("시대 II")
    in_korean(page)
