"""Contexts of a browser, which one test after another has, each as if it were new.

To begin a context and its first page takes a third of a second of the processor, most of it for a process, for a blank page
that the first real one replaces, and for styles, scripts and letters that are fetched and compiled anew. So a context that
is closed is cleaned and lent to the next who asks for the same: of what a test did in it the immutable files stay that any
page fetches. Where it cannot be cleaned it is closed for good: its page is gone or was at several origins, its clock was
set, scripts were added, its server does not answer, more is kept there than an ordinary page keeps, or it was lent often.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Frame, Locator, Page, ViewportSize

from tests.browsing import SLOWED, slow
from tests.servers import PATIENCE_SECONDS

KEPT = 6  # contexts that nobody has; each has a process
TIMES = 20  # that one is lent: by then its process is large
VIEWPORT: ViewportSize = {"width": 1280, "height": 720}
AS_EMULATED = {"media": "null", "color_scheme": "light", "reduced_motion": "no-preference"}
AT_REST = "/static/OFL.txt"  # of the same origin and without a script: what is opened next belongs to the same process
RETRY_SOON = """
const { setTimeout: wait } = globalThis;
globalThis.setTimeout = (run, ms, ...more) => wait(run, [2000, 4000].includes(ms) ? ms / 10 : ms, ...more);
"""  # the pauses of pages before they ask again
FORGET = """async () => {
  name = "";
  localStorage.clear();
  sessionStorage.clear();
  const kept = await Promise.all([
    globalThis.caches?.keys() ?? [], indexedDB.databases(), navigator.serviceWorker?.getRegistrations() ?? []]);
  return kept.every((all) => all.length === 0) && !("__pwClock" in globalThis);
}"""


def close_dialog(dialog: Locator) -> None:
    """Close a game's full-screen dialog with a tap, as a viewer would."""
    dialog.evaluate("(dialog) => dialog.close()")


class Looks(NamedTuple):
    """The settings of a page that is lent."""

    viewport: ViewportSize
    emulated: dict[str, Any]

    def of(self, page: Page) -> None:
        if page.viewport_size != self.viewport:
            page.set_viewport_size(self.viewport)
        page.emulate_media(**self.emulated)


class Kept:
    """A context and its first page, lent to one after another."""

    def __init__(self, context: BrowserContext, pool: Contexts, key: str) -> None:
        self.context, self.pool, self.key = context, pool, key
        self.close_for_good, self.open_page, self.add_script = context.close, context.new_page, context.add_init_script
        self.page: Page | None = None
        self.times = 0
        self.origins = set[str]()
        self.heard: list[tuple[str, Any]] = []
        context.new_page = self.new_page  # type: ignore[method-assign]
        context.close = self.close  # type: ignore[method-assign]
        context.add_init_script = self.noting(self.add_script)  # type: ignore[method-assign]
        context.on("page", lambda page: page.on("framenavigated", self.note))

    def lend(self, looks: Looks) -> BrowserContext:
        self.looks, self.is_lent, self.is_opened, self.is_scripted = looks, True, False, False
        self.times += 1
        return self.context

    def new_page(self) -> Page:
        """Return the lent page, then further pages while the context is lent."""
        first, self.is_opened = not self.is_opened, True
        if not first or self.page is None:
            page = self.open_page()
            page.add_locator_handler(page.locator("dialog.reveal"), close_dialog, no_wait_after=True)
            if first:
                self.keep(page)
        else:
            page = self.page
        self.looks.of(page)
        return page

    def noting(self, add_script: Any) -> Any:
        """Return a function that adds a script and notes it: a script cannot be removed again."""

        def add_init_script(*given: Any, **named: Any) -> None:
            self.is_scripted = True
            add_script(*given, **named)

        return add_init_script

    def keep(self, page: Page) -> None:
        self.page, listen = page, page.on

        def on(event: Any, f: Any) -> None:
            self.heard.append((event, f))
            listen(event, f)

        page.add_init_script = self.noting(page.add_init_script)  # type: ignore[method-assign]
        page.on = on  # type: ignore[assignment, method-assign]
        self.as_new = {*vars(page)}

    def note(self, frame: Frame) -> None:
        parts = urlsplit(frame.url)
        if parts.netloc:
            self.origins.add(f"{parts.scheme}://{parts.netloc}")

    def close(self, **_: Any) -> None:
        """Puts it back."""
        if not self.is_lent:
            return
        self.is_lent = False
        clean = False
        with suppress(Error):
            clean = self.is_opened and self.cleaned()
        self.pool.put_back(self, clean)

    def cleaned(self) -> bool:
        """Return whether the context is as clean as a new one."""
        page = self.page
        if page is None or page.is_closed() or self.is_scripted or self.times == TIMES or len(self.origins) != 1:
            return False
        for other in self.context.pages:
            if other is not page:
                other.close()
                page.bring_to_front()
        for name in vars(page).keys() - self.as_new:
            delattr(page, name)
        self.context.unroute_all()
        page.unroute_all()
        self.context.set_offline(False)
        page.goto(self.origins.pop() + AT_REST)
        if not page.evaluate(FORGET):
            return False
        self.context.clear_cookies()
        page.mouse.move(-1, -1)
        for event, f in self.heard:
            with suppress(KeyError, ValueError):  # the test has removed it
                page.remove_listener(event, f)
        self.heard.clear()
        self.origins.clear()
        return True


class Contexts:
    """Browser contexts that are lent from test to test."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: list[Kept] = []
        self.lent: list[Kept] = []
        browser.new_context = self.new_context  # type: ignore[method-assign]
        browser.new_page = self.new_page  # type: ignore[method-assign]

    def new_context(self, hurried: bool = False, **options: Any) -> BrowserContext:
        """Lend a context. hurried: its pages ask again after a tenth of the usual pause."""
        looks = Looks(
            options.pop("viewport", VIEWPORT),
            AS_EMULATED | {name: options.pop(name) for name in AS_EMULATED.keys() & options.keys()},
        )
        options = {"locale": "en-GB"} | options
        key = repr([hurried, *sorted(options.items())])
        kept = next((item for item in reversed(self.free) if item.key == key), None)
        if kept is None:
            kept = Kept(new_context(self.browser, **options), self, key)
            if hurried:
                kept.add_script(RETRY_SOON)
        else:
            self.free.remove(kept)
        self.lent.append(kept)
        return kept.lend(looks)

    def new_page(self, **options: Any) -> Page:
        context = self.new_context(**options)
        page = context.new_page()
        page.close = context.close  # type: ignore[method-assign]
        return page

    def put_back(self, storage: Kept, clean: bool) -> None:
        self.lent.remove(storage)
        if clean:
            self.free.append(storage)
        else:
            storage.close_for_good()
        if len(self.free) > KEPT:
            self.free.pop(0).close_for_good()

    def take_back(self) -> None:
        """Close what a test left open."""
        for kept in [*self.lent]:
            kept.close()


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """Return an unused context, for tests of a first visit or of several pages at once: a lent page is hidden by the
    next one. Timeouts suit a busy machine, or the environment's setting."""
    context = cast(BrowserContext, Browser.new_context(browser, **options))
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    if SLOWED != 1:
        context.on("page", slow)
    return context
