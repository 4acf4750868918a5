"""Pages in Korean, read as people read them: nothing on them is left in English."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from daybook.domain.games.london_markets.printed import CODES
from daybook.services.permissions import access
from daybook.services.play import recording
from daybook.services.store.printed_sheets import ready_sheets
from daybook.web.site.summary import example_names
from tests.services.fixture_files import put_golden
from tests.web.conftest import Opened, Visitor

pytestmark = pytest.mark.slow

NAMES = ("하늘", "미나", "도윤", "서연", "지호", "예린")
GAMES_BY_SHEET = [name for name, _ in ready_sheets("score_sheet").values()]  # are called as their boxes are
READ_ALOUD = ("aria-label", "aria-valuetext", "title", "placeholder", "alt", "data-text", "data-full")
STAY = re.compile(
    r"""(?x)(?<![A-Za-z])(?:
    Daybook|daybook\ \w+|make\ run\ LAN=1|English|UTC|CSV|JSON|JPEG|PNG|WebP|SHA-?256|UTF-8|QR|Ed25519
    |friday-120\.receipt|RECORD\.daybook|RECEIPT\.receipt|certutil\ -hashfile|sha256sum|\.daybook|--\w+|"seal"
    |Making\ Profit|London\ Markets|Arkwright:\ Water\ Frame  # have no title of their own in Korean
    |(?:MP|LM|WF|ACG)-[\d.]+|[IVX]+|[0-9a-f]{4,}|https?:\S+
    |Enter|Escape|Ctrl\+[YZ]|⇧?⌘Z|Mac|Home|End|Shift|Page\ (?:Up|Down)  # what is printed on a keyboard
    |{named})(?![A-Za-z])""".replace("{named}", "|".join(map(re.escape, [*CODES, *CODES.values(), *GAMES_BY_SHEET])))
)
GAMES = {
    "making_profit": "friday-four",
    "london_markets": "market-day",
    "water_frame": "three-on-the-clyde",
    "arkwright_card": "all-expert-rules",
}
OF_A_GAME = (
    "",
    "/record",
    "/score",
    "/about",
    "/figures",
    "/claims",
    "/undone-steps",
    "/count",
    "/correct",
    "/adjust",
    "/as-played",
    "/compare",
    "/audit",
    "/receipt",
    "/links",
    "/what-if",
)
OF_A_RULESET = ("/new?game={}", "/practice?game={}", "/statistics/{}", "/statistics/{}/ask")
OF_ALL = (
    "/",
    "/help",
    "/new",
    "/import",
    "/join",
    "/audit",
    "/verifying",
    "/clubs",
    "/statistics",
    "/sign-in",
    "/sign-up",
    "/invited",
)


class _Texts(HTMLParser):
    """The texts of a page, including those for screen readers."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.hidden = 0  # depth in scripts and styles

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in ("script", "style")
        self.found += [text for name, text in attrs if name in READ_ALOUD and text]

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.found.append(" ".join(data.split()))


def left_in_english(html: str) -> set[str]:
    """Texts with words of two letters and more that are neither names nor signs."""
    reader = _Texts()
    reader.feed(html)
    return {text for text in reader.found if re.search("[A-Za-z]{2}", STAY.sub("", text))}


@pytest.fixture
def korean(visitor: Visitor) -> Visitor:
    visitor.post("/preferences", language="ko")
    return visitor


def test_what_is_left_in_english_is_found():
    page = '<p title="Go on">스텝 3 <b>MP-4.1</b></p><script>let it</script><p>하늘: tiles 0 kind</p><a>Daybook</a>'
    assert left_in_english(page) == {"Go on", "하늘: tiles 0 kind"}


@pytest.mark.parametrize("ruleset", GAMES)
def test_no_page_of_a_game_is_left_in_english(app, book, korean, ruleset):
    """Every step in the ledger, every place that can be counted, the boards, and the forms."""
    id = put_golden(book, GAMES[ruleset], public=True)
    recording.rename_game(book, id, "금요일", NAMES[: len(book.games.get(id).opening.seats)])
    access.make_grant(book, id, "scorekeeper")
    game = Opened(book, app, id)
    korean.join(game.key("scorekeeper"))
    halfway = f"?step={game.step // 2}"
    pages = [
        *(game.path + page for page in OF_A_GAME),
        f"{game.path}/why{halfway}",
        f"{game.path}/wrong{halfway}",
        *(page.format(ruleset) for page in OF_A_RULESET),
    ]
    left = {}
    for path in pages:
        page = korean.get(path)
        assert page.status == 200, path
        left[path] = left_in_english(page.html)
    assert {path: texts for path, texts in left.items() if texts} == {}


def test_no_page_of_the_house_is_left_in_english(korean):
    names = re.compile(r"\b(?:{})(?![A-Za-z])".format("|".join(example_names())))
    left = {path: left_in_english(names.sub("", korean.get(path).html)) for path in OF_ALL}
    assert {path: texts for path, texts in left.items() if texts} == {}
