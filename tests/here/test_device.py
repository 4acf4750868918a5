"""Daybook in a real browser without a network: opened, recorded, closed, killed, full, in two tabs, thrown away."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile, copytree

import pytest
from playwright.sync_api import BrowserType, Frame, Page, expect

from daybook.services.files.verify import verify_file
from tests import servers
from tests.here.phone import ARGUMENTS, frame_of, is_no_wider_than_the_screen, open_application, until

pytestmark = [pytest.mark.slow, pytest.mark.server]

WRITE_NOTES = """async ([game, notes]) => {
  const text = (answer) => new TextDecoder().decode(answer.content);
  const page = new DOMParser().parseFromString(text(await ask("GET", `/here/app/games/${game}/record`)), "text/html");
  const csrf = page.querySelector("[name=csrf]").value;
  window.acknowledged = 0;
  for (let n = 0; n < notes; n++) {
    const body = new URLSearchParams({ csrf, about_step: "0", text: "x".repeat(400), key: crypto.randomUUID() });
    const answer = await ask("POST", `/here/app/games/${game}/note`,
      { "Content-Type": "application/x-www-form-urlencoded" }, new TextEncoder().encode(body.toString()).buffer);
    if (answer.status !== 303) return answer.status;
    window.acknowledged++;
    if (notes > 100) console.log(`acknowledged ${window.acknowledged}`);
  }
  return 303; }"""
STEP = """async (game) => JSON.parse(new TextDecoder().decode(
  (await ask("GET", `/here/app/games/${game}/newest.json`)).content)).step"""
MEMORY = """(async () => {
  for await (const folder of (await navigator.storage.getDirectory()).values())
    for await (const one of folder.values()) if (one.name.startsWith("memory-")) return one;
  return null; })()"""
SPOIL = f"""async () => {{
  const one = await {MEMORY}, size = (await one.getFile()).size;
  const to = await one.createWritable({{ keepExistingData: true }});
  for (let at = size / 4; at < size / 2; at += 1 << 18)
    await to.write({{ type: "write", position: at, data: "spoiled" }});
  await to.close(); }}"""
KEPT = """async () => {
  let bytes = 0;
  for await (const folder of (await navigator.storage.getDirectory()).values())
    for await (const one of folder.values())
      if (one.name.endsWith(".db")) bytes += await one.getFile().then((file) => file.size, () => 0); // it is gone
  return bytes; }"""
ABANDON = """async ([game, at]) => {
  const page = new DOMParser().parseFromString(new TextDecoder().decode(
    (await ask("GET", `/here/app/games/${game}/record`)).content), "text/html");
  const body = new URLSearchParams(
    { csrf: page.querySelector("[name=csrf]").value, at, why: "late", key: crypto.randomUUID() });
  const answer = await ask("POST", `/here/app/games/${game}/abandon`,
    { "Content-Type": "application/x-www-form-urlencoded" }, new TextEncoder().encode(body.toString()).buffer);
  return answer.status; }"""


WRITTEN = """# game: Making Profit
# seat: Anna (red)
# seat: Ben (blue)
the table: R1; r1; r1
M1
Anna begins
Anna hops about"""


def begin_game(page: Page, frame: Frame, address: str) -> str:
    """A game opened with the form; its id."""
    frame.goto(f"{address}app/new?game=making_profit")
    frame.fill("[name=title]", "No network")
    for seat, name in enumerate(("Anna", "Ben", "Cleo")):
        frame.fill(f'[name="name.{seat}"]', name)
    frame.locator("main form button").last.click()
    frame.wait_for_url("**/games/**")
    found = re.search(r"games/([0-9a-f-]{36})", frame.url)
    assert found
    return found[1]


def test_an_evening_without_a_network(phone, address, tmp_path):
    page = phone.new_page()
    frame = open_application(page, address)
    phone.set_offline(True)
    game = begin_game(page, frame, address)
    frame.goto(f"{address}app/games/{game}/type")
    frame.get_by_label("What was decided?").fill("Ben is the starting player")
    expect(frame.locator("#read")).to_contain_text("Read as: Ben starts")
    frame.goto(f"{address}app/import")
    frame.get_by_text("Or paste a game that is written as text").click()
    frame.get_by_label("The game, a line for each decision").fill(WRITTEN)
    frame.get_by_role("button", name="Import").click()
    expect(frame.locator("#text")).to_have_value("Anna hops about")  # all before it is played
    expect(frame.locator("ol.steps").last).to_contain_text("Anna is the starting player")
    frame.goto(f"{address}app/games/{game}/record")
    before = page.evaluate(STEP, game)
    frame.locator("#desk .choices .pick, #desk form[data-swap][method=post] button").first.click()
    until(page, f"({STEP})('{game}').then((step) => step > {before})")
    expect(frame.locator("[data-cut]")).to_be_hidden()
    at = page.evaluate(STEP, game)
    assert page.evaluate(f"({KEPT})()") > 0

    page.reload()
    until(page, "window.marks?.page")
    assert page.evaluate(STEP, game) == at, "after a reload"
    assert game in page.url, "and on the same page"

    second = phone.new_page()
    second.goto(address)
    expect(second.locator("#state")).to_have_text("Daybook is open in another tab of this device.")
    page.close()
    until(second, "window.marks?.page")  # it goes on by itself
    assert second.evaluate(STEP, game) == at

    frame = frame_of(second)
    frame.goto(f"{address}app/device")
    expect(frame.locator("[data-taken]")).to_contain_text("MB")
    with second.expect_download() as waiting:
        frame.locator(f'a[href*="{game}"]', has_text="Save as a file").click()
    waiting.value.save_as(tmp_path / "saved.daybook")
    with (tmp_path / "saved.daybook").open("rb") as file:
        checked = verify_file(file)
    assert (checked.intact, checked.steps - 1) == (True, at)

    frame.select_option("[name=language]", "ko")
    frame.locator("footer form button").click()
    expect(frame.locator("html")).to_have_attribute("lang", "ko")
    assert is_no_wider_than_the_screen(frame)
    frame.select_option("[name=language]", "en")
    frame.locator("footer form button").click()
    expect(frame.locator("html")).to_have_attribute("lang", "en")

    frame.fill("#word", "keep")
    frame.locator("[data-throw-away] button").click()
    expect(frame.locator("[data-other-word]")).to_be_visible()
    assert second.evaluate(STEP, game) == at, "another word throws nothing away"
    frame.fill("#word", "delete")
    frame.locator("[data-throw-away] button").click()
    until(second, f"({KEPT})().then((bytes) => bytes === 0)")  # and it starts as on its first day
    until(second, "window.marks?.begun && !window.marks.page")


def test_a_full_storage_refuses_and_loses_nothing(shell, address):
    page = shell
    game = begin_game(page, frame_of(page), address)
    assert page.evaluate(WRITE_NOTES, [game, 3]) == 303
    browser = page.context.new_cdp_session(page)
    used = page.evaluate("navigator.storage.estimate().then((told) => told.usage)")
    origin = address.removesuffix("/here/")
    browser.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": used + 20_000})
    assert page.evaluate(WRITE_NOTES, [game, 100]) == 507, "it is refused, and said why"
    written = page.evaluate("window.acknowledged")
    there = page.evaluate(STEP, game)
    browser.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    assert page.evaluate(WRITE_NOTES, [game, 2]) == 303, "with room again it goes on"
    assert page.evaluate(STEP, game) == there + 2
    assert there >= written + 3


def test_python_memory_is_restored_or_python_starts_again(shell, address):
    page = shell
    assert "import" not in page.evaluate("window.marks"), "put back, and not imported anew"
    game = begin_game(page, frame_of(page), address)
    assert page.evaluate(WRITE_NOTES, [game, 2]) == 303
    written = page.evaluate(STEP, game)
    page.goto(f"{address}../help")
    page.evaluate(SPOIL)
    open_application(page, address)
    assert "import" in page.evaluate("window.marks"), "nothing is said of it"
    assert page.evaluate(STEP, game) == written


def test_a_newer_version_waits_until_the_game_is_over(phone, built_folder, service, tmp_path):
    address = service.address
    page = phone.new_page()
    frame = open_application(page, address)
    game = begin_game(page, frame, address)
    old = page.evaluate("caches.keys()")
    with another_version(built_folder, service.link, tmp_path):
        page.evaluate("caches.open('of somebody else')")
        page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
        until(page, "navigator.serviceWorker.getRegistration().then((one) => Boolean(one.waiting))")
        frame.goto(f"{address}app/games/{game}/record")
        expect(page.locator("#newer")).to_be_hidden()
        assert {*old} < {*page.evaluate("caches.keys()")}, "the version of the game is kept while it is recorded"

        assert page.evaluate(ABANDON, [game, page.evaluate(STEP, game)]) == 303
        frame.goto(f"{address}app/")
        expect(page.locator("#newer button")).to_be_visible()
        page.evaluate("window.older = true")  # the caches may be cleared before it goes
        page.locator("#newer button").click()
        until(page, "!window.older && window.marks?.page && caches.keys().then((names) => names.length === 2)")
        names = page.evaluate("caches.keys()")
        assert "of somebody else" in names and not {*old} & {*names}, "its own caches alone are cleared"
        assert page.evaluate(STEP, game) > 0, "and the game is there"


@contextmanager
def another_version(built: Path, link: Path, tmp_path: Path) -> Iterator[None]:
    """Meanwhile the server has a newer version of the folder."""
    newer = tmp_path / "newer"
    copytree(built, newer, copy_function=copyfile)
    version = re.findall(r'VERSION = "(\w+)"', (newer / "sw.js").read_text())[0]
    for name in ("sw.js", "version.js"):
        (newer / name).write_text((newer / name).read_text().replace(version, version[::-1]))
    link.unlink()
    link.symlink_to(newer)
    yield
    link.unlink()
    link.symlink_to(built)


def test_killed_browser_has_kept_what_it_acknowledged(chromium, profile, address):
    assert kills(chromium, profile, address, times=1) == []


def kills(chromium: BrowserType, profile: Path, address: str, times: int) -> list[str]:
    """Kill the browser this many times while it writes; return the lost entries."""
    game, expected, missing = "", 0, []
    for number in range(times + 1):
        with killable(chromium, profile) as (page, kill):
            frame = open_application(page, address)
            game = game or begin_game(page, frame, address)
            there = page.evaluate(STEP, game)
            if there < expected:
                missing.append(f"kill {number}: {expected} were acknowledged, {there} are there")
            if number == times:
                break
            acknowledged = [0]
            page.on("console", lambda said, heard=acknowledged: heard.extend(numbers_of(said.text)))  # type: ignore[misc]
            enough = 40 + 370 * number // times  # another moment of the log each time
            with page.expect_console_message(lambda said, enough=enough: numbers_of(said.text) == [enough]):
                page.evaluate(f"void ({WRITE_NOTES})(['{game}', 100000])")
            kill()
            expected = there + acknowledged[-1]
    return missing


def numbers_of(line: str) -> list[int]:
    """Return the numbers that a console line acknowledges."""
    return [int(number) for number in re.findall(r"^acknowledged (\d+)$", line)]


@contextmanager
def killable(chromium: BrowserType, profile: Path) -> Iterator[tuple[Page, Callable[[], None]]]:
    """A page of a browser, and what kills the browser with all its processes."""
    port = servers.free_port()
    program = servers.chromium()
    assert program
    process = subprocess.Popen(
        [
            program,
            "--headless",
            *ARGUMENTS,
            f"--user-data-dir={profile}",
            f"--remote-debugging-port={port}",
            "--no-first-run",
            "about:blank",
        ],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def kill() -> None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    try:
        servers.wait_until(lambda: servers.listens(port), "the browser")
        browser = chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        context = browser.contexts[0]
        context.set_default_timeout(servers.PATIENCE_SECONDS * 1000)
        yield context.new_page(), kill
    finally:
        if process.poll() is None:
            kill()
