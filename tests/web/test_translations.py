"""Every language there is a catalogue for is whole: nothing is left in English, and no figure is lost."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from shutil import copytree
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from daybook.web import words
from daybook.web.app import create_app
from daybook.web.words import language_choice
from daybook.web.words.korean import choose_particles
from daybook.web.words.marked_texts import extract
from daybook.web.words.say import say, say_n

ROOT = Path(__file__).parents[2]
CATALOGUES = sorted((ROOT / "web/translations").glob("*/LC_MESSAGES/messages.po"))
MARKS = {  # what marks a text, and which argument it is
    "say": (0,),
    "says": (1,),
    "decides": (1, 2),
    "say_n": (0,),
    "tell": (0,),
    "tell_n": (0, 1),
    "say_n_in": (1,),
    "by_number": (1, 2),
    "because": (1,),
    "refuse_unless": (2,),
    "unplayable": (1,),
    "holds": (0,),
    "Awaits": (1,),
    "N_": (0,),
    "fault": (0,),
    "MisfitError": (0,),
    "NotADecisionError": (0,),
    "NotAnEntryError": (0,),
    "BadFileError": (1,),
    "NotALineError": (0,),
    "InvalidLineError": (0,),
    "NotComparableError": (0,),
    "InvalidSheetError": (1,),
    "Expectation": (1,),
    "Measure": (1,),
    "sum_of": (1,),
    "greatest_of": (1,),
    "first_round_of": (1,),
    "column_of": (1,),
    "PresetQuestion": (1,),
    "Heading": (1,),
    "FigureTable": (1,),
}
MARKED = re.compile(rf"\b(?:{'|'.join(MARKS)})\(")

KOREAN = ROOT / "web/translations/ko/LC_MESSAGES/messages.po"

every_language = pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])


@pytest.fixture(scope="module")
def found_texts(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """All texts that `make translations` collects."""
    out = tmp_path_factory.mktemp("texts") / "found.pot"
    recipe = (ROOT / "Makefile").read_text().replace("\\\n", "")
    options = re.search(r"pybabel -q extract (.*) -o \S+ (.*)", recipe)
    assert options is not None
    arguments = ["pybabel", "-q", "extract", *options[1].split(), "-o", str(out)]
    sources = [str(ROOT / folder) for folder in options[2].split()]
    CommandLineInterface().run([str(ROOT / part) if part == "babel.cfg" else part for part in arguments] + sources)
    with out.open("rb") as file:
        return read_po(file)


@cache
def catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def texts(message: Message) -> tuple[str, ...]:
    return message.id if isinstance(message.id, tuple) else (message.id,)


def key(message: Message) -> tuple[str, str]:
    """Return the key of a text: the same English may occur several times, in different contexts."""
    return message.context or "", texts(message)[0]


def texts_of(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


def figures(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def every_message(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


GIVEN_UP = {  # words that Korean had beside another for the same thing: docs/glossary.md
    "휴대폰": "휴대전화",
    "단추": "버튼",
    "탁자": "테이블",
    "표시물": "마커",
    "매력도": "매력",
    "까닭": "이유",
    "주가": "주식 가치",
    "현금": "자금",
    "포트폴리오": "주식 총액",
    "수순": "수",
    "이벤트": "사건",
    "아이디": "id",
    "당신": "내",
    "이의 제기가": "이의가",
    "주식 사기": "주식 매수하기",
    "증서 사기": "증서 구매하기",
}
OTHERWISE_SPOKEN = re.compile(  # pages speak as 합니다 and 하십시오
    r"(?:세요|나요|까요|어요|아요|해요|예요)(?:[.?!,:;)]|$)|(?<![니마보])다(?:[.?!:;]|$)(?<!둘 다)"
)


def test_korean_has_one_word_for_one_thing_and_one_register():
    said = [text for message in every_message(catalogue(KOREAN)) for text in texts_of(message)]
    assert [text for text in said for word in GIVEN_UP if word in text] == []
    assert [text for text in said if OTHERWISE_SPOKEN.search(text)] == []


def test_every_marked_text_is_found(found_texts):
    known = {text for message in every_message(found_texts) for text in texts(message)}
    unseen = []
    for path in sorted({*ROOT.glob("web/**/*.py"), *ROOT.glob("domain/**/*.py"), *ROOT.glob("services/**/*.py")}):
        source = path.read_text()
        if not MARKED.search(source):
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                for given in (node.args[at] for at in MARKS.get(name, ()) if at < len(node.args)):
                    if isinstance(given, ast.Constant) and given.value and given.value not in known:
                        unseen.append(f"{path.relative_to(ROOT)}:{node.lineno}: {given.value}")
    assert unseen == []


MODULE = b"""
TABLE: Texts = {"a": "one", "b": "two" if TABLE else "three"}
PLAIN = {"c": "none of them"}
PAIRS: dict[str, tuple[str, str]] = N_({"d": ("four", "five"), "e": (say("six"), PLAIN["f"])})
ROWS = (says(Chopped, "seven", wood="trees"), says(Sold, lambda e: say_n("{n} eight", "{n} eights", e.n)))
PAGE = FigureTable(title="nine", rows="ten", columns={"path": "eleven"}, adds="trees", row=numbered(N_("twelve")))
said = say("{who} thirteen", who=say("fourteen" "-fifteen"))
"""


def test_a_text_is_marked_where_it_stands_or_with_its_table():
    """Each in a table that is declared to hold texts or that is marked, each in its place of a row, each inside another."""
    options = {"singular": "N_:1 say:1 says:2 FigureTable:title,rows,columns,hint", "plural": "say_n:1,2"}
    found = [(keyword, texts) for _, keyword, texts, _ in extract(BytesIO(MODULE), {}, (), options)]
    singular = [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "fourteen-fifteen",
    ]
    assert {texts for keyword, texts in found if keyword == "gettext"} == {
        *((text,) for text in singular),
        ("{who} thirteen",),
    }
    assert {texts for keyword, texts in found if keyword == "ngettext"} == {("{n} eight", "{n} eights")}


def test_the_words_of_code_templates_and_rules_are_found(found_texts):
    found = {text for message in every_message(found_texts) for text in texts(message)}
    assert {
        "the bank has no {colour} certificate",  # a reason
        "{seat} is the starting player",  # an effect
        "Save",  # a template
        "{n} card",
        "{n} cards",  # two forms
        "the game is over",
    } <= found
    assert [text for text in found if "%" in text] == []


@every_language
def test_every_text_is_translated(path, found_texts):
    here = {key(message): message for message in every_message(catalogue(path))}
    missing = [
        one
        for message in every_message(found_texts)
        if (one := key(message)) not in here or not all(texts_of(here[one])) or here[one].fuzzy
    ]
    assert missing == []


@every_language
def test_no_text_is_left_over(path, found_texts):
    known = {key(message) for message in every_message(found_texts)}
    assert [one for message in every_message(catalogue(path)) if (one := key(message)) not in known] == []
    assert not catalogue(path).obsolete


@every_language
def test_translations_keep_their_figures(path):
    lost = [
        (texts_of(message), texts(message))
        for message in every_message(catalogue(path))
        for translation in texts_of(message)
        if figures(translation) not in map(figures, texts(message)) or "%" in translation
    ]
    assert lost == []


@every_language
def test_what_is_compiled_is_what_is_written(path):
    compiled = BytesIO()
    write_mo(compiled, catalogue(path))
    assert path.with_suffix(".mo").read_bytes() == compiled.getvalue()


@every_language
def test_browser_language_is_used_and_another_can_be_chosen(path, app, visitor):
    language = path.parts[-3].replace("_", "-")
    client = app.test_client()
    page = client.get("/help", headers={"Accept-Language": f"{language}, en;q=0.5"}).text
    assert f'<html lang="{language}"' in page
    assert "How to use Daybook" not in page
    assert '<html lang="en"' in client.get("/help", headers={"Accept-Language": "en"}).text
    visitor.post("/preferences", language=path.parts[-3])
    assert f'<html lang="{language}"' in visitor.client.get("/help").text
    visitor.post("/preferences", language="en")
    assert '<html lang="en"' in visitor.client.get("/help").text


def test_a_number_decides_what_follows_it_in_korean():
    texts = {
        "공장": "공장을 공장이 공장은 공장으로",
        "카드": "카드를 카드가 카드는 카드로",
        "연필": "연필을 연필이 연필은 연필로",
        "3": "3을 3이 3은 3으로",
        "7": "7을 7이 7은 7로",
        "12": "12를 12가 12는 12로",
        "£30": "£30를 £30가 £30는 £30로",
        "3장 (공장)": "3장 (공장)을 3장 (공장)이 3장 (공장)은 3장 (공장)으로",
        "R": "R을 R이 R은 R로",
        "창고 B": "창고 B를 창고 B가 창고 B는 창고 B로",
        "Ann": "Ann을(를) Ann이(가) Ann은(는) Ann(으)로",
        "램프 II": "램프 II를 램프 II가 램프 II는 램프 II로",
        "I": "I을 I이 I은 I로",
    }
    for word, told in texts.items():
        assert choose_particles("{x}을(를) {x}이(가) {x}은(는) {x}(으)로", {"x": word}).format(x=word) == told


def test_korean_particles_after_figures_stay_open_except_pounds():
    """£25 is read as 25 pounds, which ends with a vowel; other figures' endings are known only when spoken."""
    after = re.compile(r"([£$]?)\{\w+\}(을|를|은|는|이|가|과|와|으로|로|이면)(?=[ ,.:;)?]|$)")
    fits = {("£", particle) for particle in "를는가와로"} | {("$", particle) for particle in "를는가와로"}
    wrong = [
        text
        for message in every_message(catalogue(KOREAN))
        for text in texts_of(message)
        if not set(after.findall(text)) <= fits
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("context", "text", "korean"),
    [
        ("ruling", "Appeal", "재심 청구"),
        ("appeal", "to", "담당:"),
        ("record", "Step {n}", "스텝 {n}"),
        ("", "From", "어디에서"),
        ("day", "From", "언제부터"),
        ("day", "To", "언제까지"),
        ("season", "closed", "마감됨"),
        ("", "closed", "닫힘"),
    ],
)
def test_a_text_with_two_meanings_has_two_translations(context, text, korean):
    assert catalogue(KOREAN).get(text, context or None).string == korean


def test_a_game_is_called_by_the_title_of_its_korean_edition(visitor):
    visitor.post("/preferences", language="ko")
    assert "아크라이트: 카드 게임" in visitor.client.get("/new").text
    assert "L645: 맞는 카드" in visitor.client.get("/sheets/arkwright_card").text


def test_particles_are_chosen_after_figures_alone(app):
    """People's own texts are unchanged."""
    with app.test_request_context(headers={"Accept-Language": "ko"}):
        assert say("On step {about}: {text}", about=3, text="{x}을(를)") == "스텝 3에 대하여: {x}을(를)"
        assert words.join_words(["공장", "카드"]) == "공장, 카드"


def test_a_language_is_added_by_a_file(book, tmp_path, monkeypatch):
    """A begun language: the file's texts are used, others are English, and it can be chosen."""
    folder = tmp_path / "translations"
    copytree(ROOT / "web/translations", folder)
    begun = Catalog(locale="da")
    begun.add("How to use Daybook", "Sådan bruges Daybook")
    begun.add(("{n} share", "{n} shares"), ("{n} aktie", "{n} aktier"))
    file = folder / "da" / "LC_MESSAGES" / "messages.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as opened:
        write_mo(opened, begun)
    monkeypatch.setattr(language_choice, "TRANSLATIONS", folder)
    app = create_app(book)
    page = app.test_client().get("/help", headers={"Accept-Language": "da, en;q=0.5"}).text
    assert '<html lang="da"' in page
    assert "Sådan bruges Daybook" in page
    assert '<option value="da" lang="da" selected>dansk</option>' in page
    assert '<option value="ko" lang="ko">한국어</option>' in page
    with app.test_request_context(headers={"Accept-Language": "da"}):
        assert [say_n("{n} share", "{n} shares", n) for n in (1, 2)] == ["1 aktie", "2 aktier"]
        assert say("Buy a share") == "Buy a share"
