"""Checks of titles and of people's names, as typed.

Letters are normalized to NFC, since systems compose them differently, so that searches find names. Invisible letters
are recognized.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from unicodedata import normalize

from daybook.domain.kernel.texts import composed, is_displayable
from daybook.domain.kernel.texts import seen_of as seen_of

TITLE_LIMIT = 120
NAME_LIMIT = 60
LIST_MARKER = re.compile(r"^([-*•]|[0-9]{1,4}[.)])\s+")  # before a name in a list


NOTHING_SEEN = "it holds no letter that can be seen"
LOOKALIKE = "only a letter that cannot be seen tells it from another name at the table"


class BadNameError(ValueError):
    """The title or name is empty, too long or not text. `field` names it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.says = message


def clean_name(field: str, text: str, limit: int) -> str:
    """Return a valid title or name: not empty, not too long, no control characters. Raises BadNameError."""
    text = " ".join(composed(text).split())
    if not text:
        raise BadNameError(field, "it is empty")
    if len(text) > limit:
        raise BadNameError(field, f"{len(text)} characters; at most {limit}")
    if not seen_of(text):
        raise BadNameError(field, NOTHING_SEEN)
    if not is_displayable(text):
        raise BadNameError(field, "it holds characters that cannot be shown")
    return text


def appearance_key(name: str) -> str:
    """Return a key that is equal for names that look alike, ignoring case."""
    return seen_of(name).casefold()


_LOOKALIKES = """
    ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa γy εe ηn ιi κk νv οo ρp σo τt υu χx ωw ϲc ϳj
    АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ҪC ԌG ԚQ ԜW ҒF ҺH ӀI ҮY аa вb еe кk мm нh оo пn рp сc тt уy хx гr
    ѕs іi јj ӏl ԁd ԍg ԛq ԝw һh ғf үy ҝk ОO ՕO ՏS ՍU օo սu ոn հh ցg զq քp յj աw
    ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᎻH ᏆI ᎫJ ᏦK ᏞL ᎷM ᎤO ᏢP ᏒR ᏚS ᎢT ᏙV ᏔW ᎩY ᏃZ
    ıi ɑa ɡg ɩi ɪi ʟl ʀr ɴn ɢg ꜰf ᴀa ᴋk ᴍm ᴏo ᴘp ᴛt 0o 1i |i li Li
"""
_LATIN_LOOKS = str.maketrans({pair[0]: pair[1] for pair in _LOOKALIKES.split()})


def skeleton_of(title: str) -> str:
    """Return what titles that look alike have in common: their letters as the Latin ones that they look like.

    Marks, spaces and punctuation do not count. Letters of other scripts that look like no Latin one stay as they are.
    """
    plain = normalize("NFKD", seen_of(title)).translate(_LATIN_LOOKS).casefold()
    return "".join(sign for sign in plain.translate(_LATIN_LOOKS) if sign.isalnum())


def number_namesakes(names: Mapping[str, str], first: Mapping[str, str]) -> dict[str, str]:
    """Return names by id; names that look alike get a number: Anna (2).

    Args:
        first: first appearance of each person, which determines the numbers.
    """
    alike = defaultdict[str, list[str]](list)
    for person in sorted(names, key=lambda person: (first.get(person, ""), person)):
        alike[appearance_key(names[person])].append(person)
    numbered = dict(names)
    for looks, ids in alike.items():
        if len(ids) > 1:
            free = (n for n in itertools.count(1) if with_number(looks, n) not in alike)
            numbered.update({person: with_number(names[person], n) for person, n in zip(ids, free, strict=False)})
    return numbered


def with_number(name: str, n: int) -> str:
    return f"{name} ({n})"


def refuse_lookalikes(names: Sequence[str]) -> None:
    """Raise BadNameError, with the seat, if two names at a table look alike."""
    seen: dict[str, str] = {}
    for seat, name in enumerate(names):
        if seen.setdefault(seen_of(name), name) != name:
            raise BadNameError(f"players.{seat}.name", LOOKALIKE)


class ParsedNames(NamedTuple):
    """Names of a pasted list.

    Args:
        names: unique, in order.
        repeated: names that occurred again.
        blank: number of empty lines.
        bad: lines without a valid name, by number, with the error.
    """

    names: list[str]
    repeated: list[str]
    blank: int
    bad: list[tuple[int, str, BadNameError]]


def read_names(text: str) -> ParsedNames:
    """One name a line, as a list is pasted: of a table its first column, without the sign of a list before it."""
    read = ParsedNames([], [], 0, [])
    known: set[str] = set()
    blank = 0
    for number, line in enumerate(text.splitlines(), 1):
        written = LIST_MARKER.sub("", line.split("\t")[0].strip()).strip(" ,;")
        if not written:
            blank += 1
            continue
        try:
            name = clean_name("name", written, NAME_LIMIT)
        except BadNameError as wrong:
            read.bad.append((number, written, wrong))
            continue
        look = appearance_key(name)
        (read.repeated if look in known else read.names).append(name)
        known.add(look)
    return read._replace(blank=blank)
