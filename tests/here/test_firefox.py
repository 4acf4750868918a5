"""Daybook on a device in Firefox, where this machine has one."""

from __future__ import annotations

import pytest

from tests.here.marionette import firefox, opened_firefox
from tests.here.phone import MEMORY_IS_KEPT
from tests.here.test_device import STEP, WRITE_NOTES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.server,
    pytest.mark.skipif(firefox() is None, reason="there is no Firefox here"),
]

PAGE = "window.marks?.page || window.failed || window.refused"
WRONG = "window.failed ?? window.refused ?? null"
BEGIN = """async (fields) => {
  const text = (answer) => new TextDecoder().decode(answer.content);
  const form = new DOMParser().parseFromString(text(await ask("GET", "/here/app/new?game=making_profit")), "text/html")
    .querySelector("main form[method=post]");
  const given = new URLSearchParams(new FormData(form));
  for (const name of [...given.keys()]) if (name.startsWith("name.")) given.set(name, fields[name] ?? "");
  given.set("title", "An evening");
  const answer = await ask("POST", "/here/app/new", { "Content-Type": "application/x-www-form-urlencoded" },
    new TextEncoder().encode(given.toString()).buffer);
  return answer.headers.find(([name]) => name === "Location")[1].match(/games\\/([0-9a-f-]{36})/)[1]; }"""
GAME = '{ "name.0": "Anna", "name.1": "Ben", "name.2": "Cleo" }'


def test_firefox_keeps_recorded_steps_and_starts_from_memory(address, tmp_path):
    program = firefox()
    assert program
    with opened_firefox(program, tmp_path / "profile") as browser:
        browser.open(address)
        browser.until(PAGE)
        assert browser.ask(WRONG) is None
        game = browser.ask(f"({BEGIN})({GAME})")
        assert browser.ask(f"({WRITE_NOTES})(['{game}', 3])") == 303
        step = browser.ask(f"({STEP})('{game}')")
        browser.until(MEMORY_IS_KEPT)
    with opened_firefox(program, tmp_path / "profile") as browser:
        browser.open(address)
        browser.until(PAGE)
        assert browser.ask(WRONG) is None
        assert "import" not in browser.ask("window.marks"), "put back, and not imported anew"
        assert browser.ask(f"({STEP})('{game}')") == step
