"""What somebody wrote in words of their own, read as the one decision that explains all of it.

    “builds clothes level I, price £6”     Build clothes I at £6
    “runs the factory, $4 each, 8$”        Run the factory

A word or a figure is explained by the decision's own sentence, by a word of the table that means the same, or by what
follows from the decision. What follows counts only once the decision itself is named in full, so that no other row or
price is explained away. One word that nothing explains, or two decisions that explain everything, and it is asked: a
record does not guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from unicodedata import decimal, normalize

import msgspec

from daybook.web.words import typed as sentences
from daybook.web.words.typed import ORDINALS, pieces

MOST, LETTERS = 25, 300  # words, letters of a decision that somebody tells with what followed
COINS = "£$€₩"
MONEY = r"(?:pounds?|quid|dollars?|bucks)\b|파운드|달러"
TOKEN = re.compile(  # money, an ordinal, a number below nothing, a word or card R1, a number
    rf"(?:[{COINS}]|\bl(?=\d))\s?(\d+)|(\d+)\s?(?:[{COINS}]|{MONEY})|(\d+)(?:st|nd|rd|th)\b"
    r"|(?<![\w)])[-−]\s?(\d+)|([^\W\d_]+)(\d*)|(\d+)"
)
PARTED = re.compile(r"[,;:()+/–&]")  # parts what is said together
JOINTS = ("and", "or", "그리고", "및")  # words that do it too
CLAUSES = re.compile(r"[,;:]")  # part what is told of one thing
ASIDE = re.compile(r"\(([^()]*)\)")  # what a sentence adds, and nobody has to say
CARD = re.compile(r"([^\W\d_]+)(\d+)")
NUMBERS = {
    word: str(n)
    for n, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ],
        1,
    )
}
COUNTED = re.compile(rf"\b(?:{'|'.join(word for word in NUMBERS if word != 'one')}|one(?=\s+(?:{MONEY})))\b")
SO_MANY = re.compile(r"\bx(?=\d)")  # silk x3
ARTICLES = ("a", "an")  # one
NUMBER_WORDS = ("no", "nr", "number", "번호")
TIMES = re.compile(r"(\d)\s*[x×*]\s*\+?\s*(?=\d)")  # 2x +1$
IRREGULAR = {
    bent: word
    for word, *forms in (
        row.split()
        for row in (
            "begin began begun",
            "build built",
            "buy bought",
            "choose chose chosen",
            "draw drew drawn",
            "get got gotten",
            "give gave given",
            "go went gone",
            "keep kept",
            "lay laid",
            "lose lost",
            "pay paid",
            "run ran",
            "sell sold",
            "stand stood",
            "take took taken",
            "throw threw thrown",
        )
    )
    for bent in forms
}
ENDINGS = (("ment",), ("ing", "ed"), ("d", "e", "y"))  # one of each: discarded, developments
KOREAN_ENDINGS = ("에서", "으로", "에게", "까지", "하기", "을", "를", "이", "가", "은", "는", "에", "로", "의")
ROOT = 2  # letters that are left of a word at the least
BEGUN = 3  # letters of a word that is cut short, at the least
SHORTENED = 3  # consonants that are left of a word, at the least
VOWELS = re.compile("[aeiouy]")
MISSPELT = 5  # letters of a word that is mistyped, at the least
FILLERS = sentences.FILLERS.union(  # words that say nothing of their own, in every language
    pieces("from it this these he she they him them is are was be been has have had s again also too now then well"),
    pieces("do does did make makes made use uses used using want wants decide decides that here there who my our"),
    pieces("we must should may shall got so new please fine further both there yet already once always ever"),
    pieces(
        "next finally after before instead still just some will would can could more of which when while so pcs pts"
    ),
    pieces(
        "own as so another more else both x per each one us time once 을 를 이 가 은 는 에 의 로 와 과 도 다시 또 더"
    ),
)

EVERYWHERE = (  # what means the same at every table
    "take = get = pick = choose = draw = gain = receive = select = acquire = grab = collect = claim = 받기 = 가져오기",
    "place = lay down = put down = put = add = set = go = bring = lay = move = 놓기",
    "buy = purchase = acquire = get = take",
    "raise = improve = increase = upgrade = up = better = more = higher",
    *(f"{word} = {n}s" for n, word in enumerate(["ones", "twos", "threes", "fours", "fives", "sixes"], 1)),
    "discard = give = give away = away = remove = exchange = throw away = throw = lose = give up = drop = toss = get rid of = put back = return = give back",
    "pay back = repay = return",
    "no = not = doesn’t take = doesn’t get = doesn’t want = declines = refuses = without = skips = passes = none = no thanks",
    "turn = rotate = flip = 돌리기",
    "leave = keep = stay = 두기",
    "take back = back = remove = return = take away = take off = off = 도로 가져오기",
    "done = ok = okay = fine = that was it = stop = ready = enough = completed = passes = pass = finished = that is all = that’s all = that’s = nothing = nothing more = no more = no = nothing else = no changes = changes nothing = nothing to do = 마침 = 끝",
    "end = stop = ready = enough = complete = finish = passes = pass = done = finished = that is all = that’s all = that’s = nothing more = over = 끝내기 = 마치기",
    "price = price adjustment = price change = cost = price down = price up = 가격",
    "change = adjust = adjustment = alter = 바꾸기",
    "pay = cost = 내기",
    "paid = get = receive = earn = collect",
    "starts = goes first = begins the game = is first = was first = was start player = was starting player = is drawn = is starting player = is the starting player = is start player = starting player = begins",
    "unseen = not shown = not seen = face down = secretly = secret = hidden = unknown",
    "start player = starting player = 시작 플레이어",
)


class Word(msgspec.Struct, frozen=True):
    """part: which of the things that are said together it belongs to."""

    text: str
    part: int
    kind: str = "word"  # or number, money, ordinal
    perhaps: bool = False  # “one”, which may be no number

    @property
    def counts(self) -> bool:
        return self.kind in ("number", "money")


Phrase = tuple[Word, ...]


class Place(msgspec.Struct, frozen=True):
    """A place of a decision's sentence. phrases: what names what stands there, its own words first."""

    phrases: tuple[Phrase, ...]
    part: int
    aside: bool

    @property
    def number(self) -> Word | None:
        own = self.phrases[0]
        return own[0] if len(own) == 1 and own[0].counts else None


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that may be meant. also: other sentences for it; about: what its kind is called, and what it ends;
    asks: for what; values: what it chooses, in words, each after its sort; name: who decides it; is_for_all: whoever says it; verb: which word of
    the sentence is it, -1: the last; unlisted: there are more of its kind than any list has, so that nothing that is
    chosen can be left out; told_in_short: except players' names; follows: what comes of it, sentence by sentence."""

    says: str
    also: Sequence[str] = ()
    about: str = ""
    asks: str = ""
    name: str = ""
    verb: int = 0
    is_for_all: bool = False
    unlisted: bool = False
    told_in_short: bool = False
    values: Callable[[], Sequence[tuple[str, str]]] = lambda: ()
    follows: Callable[[], Sequence[str]] = lambda: ()


class Explained(msgspec.Struct, frozen=True):
    """taken: the one that explains everything; nearest: those that explain the most; left: what these do not."""

    taken: int | None = None
    nearest: list[int] = []
    left: list[str] = []


def explain(
    text: str,
    candidates: Sequence[Candidate],
    alike: Sequence[str] = (),
    twins: Sequence[str] = (),
    names: Sequence[str] = (),
    closed: Sequence[Candidate] = (),
) -> Explained:
    """Which of the candidates explains all that a text says.

    alike: words of this table that mean the same, parted by “=”; twins: pieces that nobody tells apart; names: the
    players'; closed: kinds of decisions that nobody can make now: what says one of them says nothing else.
    """
    typed, known = _typed(text), vocabulary(tuple(alike))
    if len(text) > LETTERS or len(typed) > MOST:
        return Explained()
    persons = {one.text for name in names for one in words_of(name)}
    typed = _spelled(typed, known, persons, candidates)
    fits = Fits(typed)
    readings = [_best_reading(typed, one, known, persons, fits) for one in candidates]
    most = max((len(one.found) for one in readings), default=0)
    if not most:
        return Explained()
    best = [at for at, one in enumerate(readings) if len(one.found) == most]
    explains = [at for at, one in enumerate(readings) if one.found and not one.left and one.is_clear]
    own = [at for at in explains if not readings[at].unsaid]  # its own words before what follows
    meant = own or [at for at in explains if at in best]
    if len(meant) > 1:
        counts = {word for at in meant for word in readings[at].found if typed[word].kind == "ordinal"}
        meant = [at for at in meant if not readings[at].idle & counts] or meant  # the first assistant is one of two
        meant = (
            [at for at in meant if readings[at].named_in_full]
            or [
                at
                for at in meant
                if all(readings[at].missing < readings[other].missing for other in meant if other != at)
            ]
            or [at for at in meant if readings[at].tells_what_is_chosen]
        )
    same = {_untwinned(candidates[at], twins) for at in meant} if len(meant) > 1 else {*meant}
    if not explains:  # “sets”, “goes”: verbs that nearly nothing is left of, where all else is said
        meant = [at for at in best if len(best) == 1 and readings[at].named_in_full and _are_light(readings[at].left)]
        same = {*meant}
    if any(one.explains_unclearly and one.missing < readings[at].missing for at in meant[:1] for one in readings):
        same = set()
    sure = len(same) == 1 and not any(one.says_beside(readings[meant[0]]) for one in readings)
    if sure and any(
        not one.unsaid and one.is_said_whole and one.found.keys() > readings[meant[0]].found.keys()
        for one in (_best_reading(typed, kind, known, persons, fits) for kind in closed)
    ):
        return Explained()
    return Explained(
        meant[0] if sure else None,
        explains or sorted(best, key=lambda at: len(readings[at].places)),
        [] if explains else min(([one.text for one in readings[at].left] for at in best), key=len),
    )


def tells_all_chosen(text: str, one: Candidate, alike: Sequence[str] = ()) -> bool:
    """Whether a text says every number and choice of a decision."""
    typed = _typed(text)
    return _Reading(typed, one, one.says, vocabulary(tuple(alike)), set(), Fits(typed)).tells_what_is_chosen


def _are_light(left: Sequence[Word]) -> bool:
    """Whether these are a verb that can be said of everything, and what lies on every table."""
    verbs = [one for one in left if root(one.text) in LIGHT]
    return len(verbs) < 2 and all(root(one.text) in LIGHT | SCENERY for one in left)


def _spelled(typed: Phrase, known: Vocabulary, persons: set[str], candidates: Sequence[Candidate]) -> Phrase:
    """What was typed, with a word that this table has for one that is a single letter off."""
    said = {word.text for one in candidates for says in (one.says, one.name, *one.also) for word in words_of(says)}
    said |= known.words | persons
    roots = {root(word) for word in said}

    def spelled(word: Word) -> Word:
        if word.kind != "word" or len(word.text) < SHORTENED or not word.text.isalpha() or root(word.text) in roots:
            return word
        if word.text in FILLERS or any(one.startswith(word.text) for one in said):
            return word
        near = {
            root(one)
            for one in said
            if one[0] == word.text[0] and (_is_one_off(word.text, one) or _is_shortened(word.text, one))
        }
        return msgspec.structs.replace(word, text=near.pop()) if len(near) == 1 else word

    return tuple(map(spelled, typed))


def _is_one_off(word: str, other: str) -> bool:
    """Whether two words differ by one letter: another, one more or less, or two that stand the wrong way round."""
    if max(len(word), len(other)) < MISSPELT or min(len(word), len(other)) < MISSPELT - 1:
        return False
    if len(word) > len(other):
        word, other = other, word
    same = next((at for at, (one, of) in enumerate(zip(word, other, strict=False)) if one != of), len(word))
    if len(word) < len(other):
        return len(other) == len(word) + 1 and word[same:] == other[same + 1 :]
    turned = word[same : same + 2] == other[same : same + 2][::-1] and word[same + 2 :] == other[same + 2 :]
    return turned or word[same + 1 :] == other[same + 1 :]


def _is_shortened(word: str, other: str) -> bool:
    """Whether a word is the consonants of another, or some of them: mkt, gdn."""
    letters = iter(other)
    return VOWELS.search(word) is None and len(other) > len(word) and all(letter in letters for letter in word)


def _untwinned(one: Candidate, twins: Sequence[str]) -> tuple[str, ...]:
    """Who decides it, what it says and brings, with one name for pieces that nobody tells apart."""
    told = ["" if one.is_for_all else one.name, one.says, *(one.follows() if twins else ())]
    for group in twins:
        first, *others = group.split(" = ")
        for other in others:
            told = [text.replace(other, first) for text in told]
    return tuple(told)


def _typed(text: str) -> Phrase:
    """The words of what somebody typed, of which nothing is kept."""
    return words_of.__wrapped__(text[: LETTERS + 1])[: MOST + 1]


# --- words -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16384)
def words_of(text: str) -> Phrase:
    """The words of a text."""
    found, at, part = list[Word](), 0, 0
    text = normalize("NFC", text).casefold().replace("’", "'")
    text = SO_MANY.sub("", TIMES.sub(r"\1 × ", text)).replace("thats ", "that's ")
    text = COUNTED.sub(lambda counted: NUMBERS[counted[0]], text)
    for token in TOKEN.finditer(text):
        part += PARTED.search(text, at, token.start()) is not None or token[0] in JOINTS
        at = token.end()
        if token[0] not in JOINTS:
            found.append(_word(token, part))
    return tuple(found)


def _word(token: re.Match[str], part: int) -> Word:
    coin, coins, ordinal, below, word, card, number = token.groups()
    if coin or coins:
        return Word(_digits(coin or coins), part, "money")
    if ordinal or word in ORDINALS:
        return Word(ORDINALS[word] if word else _digits(ordinal), part, "ordinal")
    if below or number:
        return Word(f"-{_digits(below)}" if below else _digits(number), part, "number")
    if token[0] in NUMBERS:
        return Word(NUMBERS[word], part, "number", perhaps=word == "one")
    return Word(word + (_digits(card) if card else ""), part)


def _digits(number: str) -> str:
    return "".join(str(decimal(one)) for one in number).lstrip("0") or "0"


@lru_cache(maxsize=16384)
def root(word: str) -> str:
    """A word without what bends it: hire, hires, hiring."""
    word = IRREGULAR.get(word, word)
    latin = word.isascii()
    if latin and word.endswith("s") and len(word) > ROOT:
        word = word[:-3] + "y" if word.endswith("ies") else word[:-1]
    for endings in ENDINGS if latin else (KOREAN_ENDINGS,):
        for ending in endings:
            if word.endswith(ending) and len(word) - len(ending) >= (ROOT if latin else 1):
                word = word.removesuffix(ending)
                break
    return word[:-1] if latin and len(word) > ROOT and word[-1] == word[-2] else word


def _fits(typed: Sequence[Word], said: Phrase, whole: bool = True) -> bool:
    """Whether words are those of a phrase, however they are bent; a word alone may be cut short unless it must be
    whole."""
    return len(typed) == len(said) and all(
        one.part == typed[0].part
        and one.kind == of.kind
        and (
            one.text == of.text
            or (one.kind == "word" and root(one.text) == root(of.text))
            or (not whole and len(said) == 1 and len(one.text) >= BEGUN and of.text.startswith(one.text))
        )
        for one, of in zip(typed, said, strict=True)
    )


def _same_number(typed: Word, said: Word) -> bool:
    """A sum of money may be told without its coin; what is told with one is money."""
    return typed.text == said.text and (typed.kind == said.kind or typed.kind == "number")


class Vocabulary:
    """Groups of phrases that mean the same."""

    def __init__(self, groups: Iterable[str]) -> None:
        self.by_first: dict[str, list[tuple[Phrase, list[Phrase]]]] = {}
        self.words = set[str]()
        for group in groups:
            phrases = [words_of(phrase) for phrase in group.split("=")]
            for phrase in phrases:
                self.by_first.setdefault(root(phrase[0].text), []).append((phrase, phrases))
                self.words |= {one.text for one in phrase if one.kind == "word"}
        self.places = lru_cache(maxsize=4096)(self._places)
        self.means = lru_cache(maxsize=4096)(self._means)

    def phrase_at(self, said: Phrase, at: int) -> tuple[Phrase, list[Phrase]]:
        """The longest phrase that is known there, or the one word, and what means the same."""
        found = [
            (said[at : at + len(phrase)], group)
            for phrase, group in self.by_first.get(root(said[at].text), ())
            if _fits(said[at : at + len(phrase)], phrase)
        ]
        longest = max((len(own) for own, _ in found), default=1)
        return said[at : at + longest], [one for own, group in found if len(own) == longest for one in group]

    def _places(self, says: str) -> tuple[Place, ...]:
        """The places of a sentence; what says nothing has none."""
        asides = {one.text for aside in ASIDE.findall(says) for one in words_of(aside)}
        said, at, places = words_of(says), 0, list[Place]()
        while at < len(said):
            own, same = self.phrase_at(said, at)
            if len(own) > 1 or own[0].kind != "word" or own[0].text not in FILLERS:
                card = CARD.fullmatch(own[0].text) if len(own) == 1 else None
                ranks = [
                    (msgspec.structs.replace(one[1], kind="ordinal", part=0), msgspec.structs.replace(one[0], part=0))
                    for one in (own, *same)
                    if len(one) == 2 and one[0].kind == "word" and one[1].kind == "number"
                ]
                called = [words_of(f"{no} {card[2]}") for no in NUMBER_WORDS] if card else []
                aside = len(own) == 1 and own[0].text in asides
                places.append(Place((own, *same, *called, *ranks), own[0].part, aside))
            at += len(own)
        return tuple(places)

    def _means(self, text: str) -> frozenset[str]:
        """The roots of the words of a text, and of those that mean the same."""
        said = words_of(text)
        same = [self.phrase_at(said, at) for at in range(len(said))]
        phrases = [
            one
            for own, group in same
            for one in group
            if len(one) == 1 or (len(one) == 2 and not {*own}.isdisjoint(one))
        ]
        return frozenset(root(one.text) for phrase in (said, *phrases) for one in phrase if one.kind == "word")


PAYS = frozenset(
    map(root, ["get", "receive", "earn", "pay", "cost", "collect", "take", "make"])
)  # what is said of a sum
LIGHT = frozenset(
    map(
        root,
        [
            "get",
            "go",
            "come",
            "set",
            "put",
            "make",
            "let",
            "choose",
            "select",
            "pick",
            "play",
            "use",
            "place",
            "have",
            "give",
        ],
    )
)

SCENERY = frozenset(map(root, ["card", "board", "player", "bank", "deck", "hand", "table", "action", "turn", "round"]))


@lru_cache(maxsize=64)
def vocabulary(alike: tuple[str, ...]) -> Vocabulary:
    return Vocabulary((*EVERYWHERE, *alike))


# --- a text, held against one decision -------------------------------------------------------------------------------


def _best_reading(typed: Phrase, of: Candidate, known: Vocabulary, persons: set[str], fits: Fits) -> _Reading:
    """A text, held against whichever sentence of a decision leaves the fewest of its words."""
    readings = [_Reading(typed, of, says, known, persons, fits) for says in (of.says, *of.also)]
    return min(readings, key=lambda one: (len(one.unsaid), not one.is_clear)) if of.also else readings[0]


class Fits:
    """Where in a text phrases stand, each looked for once."""

    def __init__(self, typed: Phrase) -> None:
        self.typed = typed
        self.known: dict[int, dict[int, bool]] = {}  # by the phrase's identity: the vocabulary keeps it

    def begins(self, phrase: Phrase) -> dict[int, bool]:
        """Where it begins, and whether as whole words."""
        if (found := self.known.get(id(phrase))) is None:
            found = self.known[id(phrase)] = {
                at: _fits(here, phrase)
                for at, word in enumerate(self.typed)
                if _fits(here := self.typed[at : at + len(phrase)], phrase, whole=False)
                and (len(phrase) > 1 or word.kind != "word" or word.text not in FILLERS)
            }
        return found


class _Reading:
    """found: the place of the sentence that each word of the text names, both by their numbers. says: the sentence."""

    def __init__(
        self, typed: Phrase, of: Candidate, says: str, known: Vocabulary, persons: set[str], fits: Fits
    ) -> None:
        self.typed, self.of, self.says, self.known, self.persons, self.fits = typed, of, says, known, persons, fits
        self.places = known.places(says)
        self.found, self.idle = dict[int, int](), set[int]()
        self.otherwise = False  # it says another number than the decision has
        self._find_phrases()
        if self.found:
            self._find_numbers()
            self._find_ordinals()

    def _find_phrases(self) -> None:
        """Words one after the other: the longest phrase first, whole words before begun ones, and in their order."""
        used, at, last = set[tuple[int, Phrase]](), 0, -1
        fitting = [
            (place, phrase, begins)
            for place, one in enumerate(self.places)
            if one.number is None
            for phrase in one.phrases
            if (begins := self.fits.begins(phrase))
        ]
        while at < len(self.typed):
            best = max(
                (
                    (len(phrase), begins[at], all(place != one for one, _ in used), place > last, -place, phrase)
                    for place, phrase, begins in fitting
                    if at in begins and (place, phrase) not in used
                ),
                default=None,
                key=lambda fit: fit[:5],
            )
            if best is not None:
                last = -best[4]
                used.add((last, best[5]))
                self.found |= dict.fromkeys(range(at, at + best[0]), last)
            at += 1 if best is None else best[0]

    def _find_numbers(self) -> None:
        """A number beside a word that has one in the sentence is that one: row 3 is not £3."""
        for at, word in enumerate(self.typed):
            if word.text in ARTICLES and at + 1 in self.found:
                place = self.found[at + 1]
                if place - 1 in self._numbers_of(place) and self.places[place - 1].phrases[0][0].text == "1":
                    self.found[at] = place - 1
            if not word.counts or at in self.found:
                continue
            near = [self.found[one] for one in self._beside(at) if one in self.found]
            bound = [n for place in near for n in self._numbers_of(place) if n not in self.found.values()]
            free = [
                n
                for n, place in enumerate(self.places)
                if place.number is not None and _same_number(word, place.number) and n not in self.found.values()
            ]
            free = [n for n in free if self._counts_what_follows(n, at)]
            meant = [n for n in free if (n in bound if bound else not near or self._is_apart(n, word, near))]
            if meant:
                self.found[at] = meant[0]
            elif (
                word.kind == "number"
                and word.text == "1"
                and not bound
                and any(one > at and one in self.found for one in self._beside(at))
            ):
                self.idle.add(at)  # “takes 1 china”

    def _counts_what_follows(self, n: int, at: int) -> bool:
        """Whether a number before a word is not another one’s: in “R2 and 2$” no two of M2 are told."""
        after = next((one for one in self._beside(at) if one > at), None)
        if " × " not in self.says or after is None or self.typed[after].kind != "word":
            return True
        return self.found.get(after) == n + 1

    def _is_apart(self, n: int, word: Word, near: Sequence[int]) -> bool:
        """Whether a number of the sentence counts nothing that was said apart from this one: “one R2 and two unseen”,
        “coffee 4, soap 3”. near: the places of the words beside this one."""
        beside = [n + 1]
        if all(self.places[place].part != self.places[n].part for place in near):
            beside.append(n - 1)
        beside = [p for p in beside if 0 <= p < len(self.places) and self.places[p].part == self.places[n].part]
        return all(self.typed[at].part == word.part for at, place in self.found.items() if place in beside)

    def _find_ordinals(self) -> None:
        """The 2nd row is row 2; the 2nd worker only counts."""
        for at, word in enumerate(self.typed):
            if word.kind != "ordinal" or at in self.found:
                continue
            near = [self.found[one] for one in reversed(self._beside(at)) if one in self.found]
            bound = [n for place in near for n in self._numbers_of(place)]
            if not bound:
                if at + 1 in self.found or at + 1 == len(self.typed) or self.typed[at + 1].text in FILLERS:
                    self.idle.add(at)
            elif self.places[bound[0]].phrases[0][0].text == word.text and bound[0] not in self.found.values():
                self.found[at] = bound[0]
            else:
                self.otherwise = True

    def _beside(self, at: int) -> list[int]:
        """The words next to one, of those that say something: before it, after it."""
        found = []
        for step in (-1, 1):
            near = at + step
            while 0 <= near < len(self.typed) and self.typed[near].text in FILLERS and near not in self.found:
                near += step
            if 0 <= near < len(self.typed) and self.typed[near].part == self.typed[at].part:
                found.append(near)
        return found

    def _numbers_of(self, place: int) -> list[int]:
        """The places of the numbers beside a word of the sentence."""
        return [
            n
            for n in (place - 1, place + 1)
            if 0 <= n < len(self.places)
            and self.places[n].part == self.places[place].part
            and self.places[n].number is not None
        ]

    @cached_property
    def _values(self) -> list[tuple[str, set[str]]]:
        return [(sort, {root(one.text) for one in words_of(text)}) for sort, text in self.of.values()]

    @cached_property
    def _in_order(self) -> bool:
        """Whether what belongs together stands together: “give coffee, take china” is not “give china, take coffee”."""
        order = [self.found[at] for at in sorted(self.found)]
        sorts = [sort for sort, _ in self._values]
        if order == sorted(order) or len(sorts) == len(set(sorts)):
            return True
        said: dict[int, set[str]] = {}
        for one in words_of(self.says):
            said.setdefault(one.part, set()).add(root(one.text))
        for part in said.values():
            alike = [sort for sort, words in self._values if words <= part and not all(map(str.isdecimal, words))]
            if len(alike) > len(set(alike)):  # “move a worker from food to clothes”
                return False
        parts = [self.places[place].part for place in order]
        changes = sum(part != before for before, part in pairwise(parts))
        together: dict[int, set[int]] = {}
        for at, place in self.found.items():
            together.setdefault(self.typed[at].part, set()).add(self.places[place].part)
        return changes < len(set(parts)) or all(len(parts) == 1 for parts in together.values())

    @property
    def is_said_whole(self) -> bool:
        return {place for place, one in enumerate(self.places) if not one.aside} <= {*self.found.values()}

    def says_beside(self, other: _Reading) -> bool:
        """Whether the whole of this decision is said too, in words that the other one does not have."""
        apart = self.found.keys() - other.found.keys()
        if other.of.told_in_short or (other.is_said_whole and other.of.unlisted):  # of two wholes, one in the other
            apart = {at for at in apart if root(self.typed[at].text) not in other.known.means(other.of.about)}
        return bool(self.is_said_whole and apart and self.places != other.places)

    @cached_property
    def named_in_full(self) -> bool:
        """Whether every number was said, and every word for what is chosen but single letters; where nothing is chosen,
        what is done."""
        counted = [n for n, one in enumerate(self.places) if not one.aside and any(x.counts for x in one.phrases[0])]
        if not self._values:  # its verb is all there is to it
            verb = [self.of.verb % len(self.places)] if self.places else []
            return {*counted, *verb} <= {*self.found.values()}
        chosen = {one for _, words in self._values for one in words if len(one) > 1}
        return all(
            place in self.found.values() or one.aside
            for place, one in enumerate(self.places)
            if any(word.counts or root(word.text) in chosen for word in one.phrases[0])
        )

    @cached_property
    def missing(self) -> frozenset[str]:
        """What is chosen and was not said."""
        said = {*self.found.values()}
        chosen = {one for _, words in self._values for one in words if len(one) > 1}
        return frozenset(
            word.text
            for n, place in enumerate(self.places)
            if n not in said and not place.aside
            for word in place.phrases[0]
            if word.counts or root(word.text) in chosen
        )

    @property
    def explains_unclearly(self) -> bool:
        return bool(self.found) and not self.unsaid and not self.is_clear

    @cached_property
    def tells_what_is_chosen(self) -> bool:
        """Whether every number was said, and a word of everything else that is chosen."""
        if self.says != self.of.says:
            return self.is_said_whole
        said = {root(word.text) for place in self.found.values() for word in self.places[place].phrases[0]}
        return all(
            place in self.found.values() for place, one in enumerate(self.places) if one.number and not one.aside
        ) and all(said & words or all(map(str.isdecimal, words)) for _, words in self._values)

    @property
    def is_clear(self) -> bool:
        """Whether nothing that has to be said is left out: of who chooses nothing, what they do."""
        if not self._values:
            said = {*self.found.values()}
            return len(said) > 1 or self.of.verb % max(len(self.places), 1) in said
        if not self.of.told_in_short and any(
            place.phrases[0][0].text in self.persons and n not in self.found.values()
            for n, place in enumerate(self.places)
        ):
            return False
        return not self.of.unlisted or self.tells_what_is_chosen

    @cached_property
    def unsaid(self) -> list[int]:
        """The words that neither the decision's own explain, nor what it is about; all, where it says otherwise."""
        if self.otherwise or not self._in_order:
            return list(range(len(self.typed)))
        about = frozenset(root(one.text) for one in words_of(self.of.asks))
        own = {one.text for one in words_of(self.of.name)}
        if self._values or self.named_in_full:
            about |= self.known.means(self.of.about)
        return [
            at
            for at, word in enumerate(self.typed)
            if at not in self.found
            and at not in self.idle
            and not (
                word.kind == "word"
                and (
                    word.text in FILLERS | own
                    or self._numbers(at)
                    or (root(word.text) in about and word.text not in self.persons)
                )
            )
        ]

    def _numbers(self, at: int) -> bool:
        """Whether a word only says that a number follows: pile no. 3."""
        return self.typed[at].text in NUMBER_WORDS and at + 1 in self.found and self.typed[at + 1].counts

    @cached_property
    def left(self) -> list[Word]:
        """The words that nothing explains."""
        left = self.unsaid
        if left and not self.otherwise and self._in_order and self.named_in_full:
            told = [words_of(clause) for sentence in self.of.follows() for clause in CLAUSES.split(sentence)]
            left = [at for at in left if not self._follows(at, told)]
            paid = [at for at in left if root(self.typed[at].text) in PAYS and self._is_money(at + 1, left)]
            left = [at for at in left if at not in paid]
        return [self.typed[at] for at in left]

    def _is_money(self, at: int, left: Sequence[int]) -> bool:
        """Whether a sum that is explained follows there."""
        while at < len(self.typed) and self.typed[at].text in FILLERS:
            at += 1
        return at < len(self.typed) and self.typed[at].counts and at not in left

    def _follows(self, at: int, told: Sequence[Phrase]) -> bool:
        """Whether what follows tells a word as often as the text has it, or a number of the same thing."""
        word = self.typed[at]
        if word.kind == "word":
            if word.text in self.persons and self.persons & {one.text for one in words_of(self.says)}:
                return False
            many = sum(root(word.text) in self._means(clause) for clause in told)
            return many >= sum(one.text == word.text for one in self.typed)
        near = {root(self.typed[one].text) for one in self._beside(at) if self.typed[one].kind == "word"}
        return word.perhaps or any(
            one.counts and _same_number(word, one) and (word.kind == "money" or not near or near & self._means(clause))
            for clause in told
            for one in clause
        )

    def _means(self, clause: Phrase) -> frozenset[str]:
        return self.known.means(" ".join(one.text for one in clause))
