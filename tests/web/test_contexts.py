"""Lent parts of a browser (tests/contexts.py) are as if new, or are not lent again."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

FOUND = """async () => ({
  kept: [Object.keys(localStorage), Object.keys(sessionStorage), name, (await caches.keys()).length],
  size: [innerWidth, innerHeight],
  looks: ["print", "(prefers-color-scheme: dark)", "(prefers-reduced-motion)"].map((one) => matchMedia(one).matches),
  hidden: document.hidden,
})"""
LEFT = """() => {
  localStorage.setItem("left", "yes");
  sessionStorage.setItem("left", "yes");
  document.cookie = "left=yes";
  name = "left";
}"""


def found(page: Page, site: str) -> tuple[Any, list[Any]]:
    """Return what a page finds, and what its context has stored for it."""
    page.goto(f"{site}/help")
    return page.evaluate(FOUND), [cookie["name"] for cookie in page.context.cookies() if cookie["name"] == "left"]


def test_a_page_that_is_lent_again_is_as_if_it_were_new(browser, site):
    heard: list[str] = []
    page = browser.new_context().new_page()
    as_new = found(page, site)
    page.evaluate(LEFT)
    page.on("request", lambda request: heard.append(request.url))
    page.route("**/help", lambda route: route.abort())
    page.context.route("**/about", lambda route: route.abort())
    page.goto = lambda *_, **__: None  # type: ignore[assignment, method-assign]
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(media="print", color_scheme="dark", reduced_motion="reduce")
    page.mouse.move(200, 200)
    page.context.new_page().goto(f"{site}/help")
    page.context.set_offline(True)
    page.context.close()
    so_far = len(heard)

    again = browser.new_context().new_page()
    assert again is page, "it is lent again"
    assert found(again, site) == as_new
    assert again.locator("main :hover").count() == 0
    assert len(heard) == so_far
    again.context.close()

    with browser.new_context(viewport={"width": 360, "height": 640}, reduced_motion="reduce") as context:
        small = context.new_page()
        assert small is page, "and to who asks for another size"
        seen, _ = found(small, site)
        assert (seen["size"], seen["looks"]) == ([360, 640], [False, False, True])


@pytest.mark.parametrize(
    "deed",
    [
        pytest.param(lambda page: page.clock.install(), id="its clock"),
        pytest.param(lambda page: page.add_init_script("0"), id="a script", marks=pytest.mark.drill),
        pytest.param(lambda page: page.evaluate("caches.open('left')"), id="a cache"),
        pytest.param(
            lambda page: page.goto(page.url.replace("127.0.0.1", "localhost")),
            id="another origin",
            marks=pytest.mark.drill,
        ),
        pytest.param(lambda page: page.close(), id="closed", marks=pytest.mark.drill),
    ],
)
def test_what_is_not_cleaned_is_lent_to_nobody(browser, site, deed):
    page = browser.new_context().new_page()
    page.goto(f"{site}/help")
    deed(page)
    page.context.close()
    with browser.new_context() as context:
        assert context.new_page() is not page


def test_in_one_context_each_page_has_its_size(browser, site):
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        pages = [context.new_page(), context.new_page()]
        assert [found(page, site)[0]["size"] for page in pages] == [[390, 844]] * 2
