"""Titles and names of people, as anybody may type them.

A letter can be put together in several ways, and systems differ in which they type: here all are put together (NFC), so
that a name is found whoever looks for it. Some letters cannot be seen and yet count as ones that can.
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
LIST_SIGN = re.compile(r"^([-*•]|[0-9]{1,4}[.)])\s+")  # before a name in a list


NOTHING_SEEN = "it holds no letter that can be seen"
LOOKALIKE = "only a letter that cannot be seen tells it from another name at the table"


class BadName(ValueError):
    """A title or a name that is empty, too long or not text: give another. `field` says which."""

    def __init__(self, field: str, says: str) -> None:
        super().__init__(f"{field}: {says}")
        self.field = field
        self.says = says


def checked_name(field: str, text: str, limit: int) -> str:
    """A title or name fit to show: not empty, not too long, without control characters. Raises BadName."""
    text = " ".join(composed(text).split())
    if not text:
        raise BadName(field, "it is empty")
    if len(text) > limit:
        raise BadName(field, f"{len(text)} characters; at most {limit}")
    if not seen_of(text):
        raise BadName(field, NOTHING_SEEN)
    if not is_displayable(text):
        raise BadName(field, "it holds characters that cannot be shown")
    return text


def look_of(name: str) -> str:
    """What two names have in common that nobody can tell apart by looking; neither do capital letters."""
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
    """The names of people by their ids, each of several that look alike with a number that makes it another: Anna (2).

    first: when each of them came first, by which they are numbered.
    """
    alike = defaultdict[str, list[str]](list)
    for id in sorted(names, key=lambda id: (first.get(id, ""), id)):
        alike[look_of(names[id])].append(id)
    numbered = dict(names)
    for looks, ids in alike.items():
        if len(ids) > 1:
            free = (n for n in itertools.count(1) if with_number(looks, n) not in alike)
            numbered.update({id: with_number(names[id], n) for id, n in zip(ids, free, strict=False)})
    return numbered


def with_number(name: str, n: int) -> str:
    return f"{name} ({n})"


def refuse_lookalikes(names: Sequence[str]) -> None:
    """Refuses names at one table that nobody can tell apart by looking. Raises BadName, by seat."""
    known: dict[str, str] = {}
    for seat, name in enumerate(names):
        if known.setdefault(seen_of(name), name) != name:
            raise BadName(f"players.{seat}.name", LOOKALIKE)


class NamesRead(NamedTuple):
    """Names out of a pasted list. names: each once, in order; repeated: those that stood there again; blank: how many
    lines said nothing; bad: lines that hold no name, by number, with what is wrong.
    """

    names: list[str]
    repeated: list[str]
    blank: int
    bad: list[tuple[int, str, BadName]]


def read_names(text: str) -> NamesRead:
    """One name a line, as a list is pasted: of a table its first column, without the sign of a list before it."""
    read = NamesRead([], [], 0, [])
    known: set[str] = set()
    blank = 0
    for number, line in enumerate(text.splitlines(), 1):
        written = LIST_SIGN.sub("", line.split("\t")[0].strip()).strip(" ,;")
        if not written:
            blank += 1
            continue
        try:
            name = checked_name("name", written, NAME_LIMIT)
        except BadName as wrong:
            read.bad.append((number, written, wrong))
            continue
        (read.repeated if name.casefold() in known else read.names).append(name)
        known.add(name.casefold())
    return read._replace(blank=blank)
