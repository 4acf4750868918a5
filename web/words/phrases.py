"""Words of typed text and their possible meanings: inflected, abbreviated, misspelt or synonymous."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.texts import composed
from daybook.web.words import typed as sentences
from daybook.web.words.typed import AND_HALF, ORDINALS, normalize_digits, split_pieces, with_halves

MAX_WORDS, MAX_LETTERS = 25, 300  # of a typed decision with its effects
COINS = "£$€₩"
MONEY = r"(?:pounds?|quid|dollars?|bucks)\b|파운드|달러"
TOKEN = re.compile(  # money, an ordinal, a negative number, a word or card R1, a number
    rf"(?:[{COINS}]|\bl(?=\d))\s?(\d+)|(\d+)\s?(?:[{COINS}]|{MONEY})|(\d+)(?:st|nd|rd|th)\b"
    rf"|(?<![\w)])[-−]\s?(\d+{AND_HALF})|([^\W\d_]+)(\d*)|(\d+{AND_HALF})"
)
SEPARATORS = re.compile(r"[,;:()+/–&]")  # between parts of a list
CONJUNCTIONS = ("and", "or", "그리고", "및")  # words that separate like punctuation
CLAUSES = re.compile(r"[,;:]")  # separate statements about one thing
PARENTHESIS = re.compile(r"\(([^()]*)\)")  # optional part of a sentence
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
} | {"single": "1"}
COUNTED = re.compile(rf"\b(?:{'|'.join(word for word in NUMBERS if word != 'one')}|one(?=\s+(?:{MONEY})))\b")
TIMES_PREFIX = re.compile(r"\bx(?=\d)")  # silk x3
NEGATION = re.compile(r"\b(?:do|does|did|is|will|would)(?:n't|nt|\s+not)\b")  # doesn't
ARTICLES = ("a", "an")  # one
LETTER = "A"  # where “a” is no article: assistant A to Portobello
BEFORE_NO_NOUN = split_pieces("to on in into at of by for with from next and or")
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
NO_INFLECTION = ("engineering",)  # no form of engineer
ENDINGS = (("ment",), ("ing", "ed"), ("d", "e", "y"))  # at most one of each group: discarded, developments
KOREAN_ENDINGS = ("에서", "으로", "에게", "까지", "하기", "을", "를", "이", "가", "은", "는", "에", "로", "의")
PARTICLES = ("back", "up", "down", "off", "away", "out", "over")  # may be separated from their verb by its object
MIN_ROOT_LETTERS = 2
MIN_IZ_ROOT_LETTERS = 5  # of a root that may end in "is" or "iz"
MIN_PREFIX_LETTERS = 3  # of an abbreviated word
MIN_CONSONANTS = 3  # of a word without vowels
VOWELS = re.compile("[aeiouy]")
MIN_MISSPELT_LETTERS = 5
FILLERS = sentences.FILLERS.union(  # words without meaning, in all languages
    split_pieces(
        "from it this these he she they him them is are was be been has have had s again also too now then well"
    ),
    split_pieces(
        "do does did make makes made use uses used using want wants decide decides determine determines determined that here there who my our"
    ),
    split_pieces("we must should may shall got so new please fine further both there yet already once always ever"),
    split_pieces(
        "next finally after before instead still just some will would can could more of which when while so pcs pts"
    ),
    split_pieces(
        "onto upon towards toward rather own as so another more else both x per each one us time once 을 를 이 가 은 는 에 의 로 와 과 도 다시 또 더"
    ),
)

COMMON_SYNONYMS = (  # at every table
    "take = get = pick = choose = draw = gain = receive = select = acquire = grab = collect = claim = buy = 받기 = 가져오기",
    "place = lay down = put down = put = add = set = go = bring = lay = move = play = position = 놓기",
    "buy = purchase = acquire = get = take",
    "raise = improve = increase = boost = upgrade = up = better = more = higher",
    *(f"{word} = {n}s" for n, word in enumerate(["ones", "twos", "threes", "fours", "fives", "sixes"], 1)),
    "discard = give = give away = away = remove = exchange = throw away = throw = lose = give up = drop = toss = throw out = take away = take off = take out = out = pull = scrap = shed = part with = get rid of = put back = return = give back",
    "pay back = repay = return",
    "return = give back = hand back = put back = send back",
    "move = relocate = shift = transfer = bring",
    "hire = employ = recruit = take on = engage",
    "build = construct = erect = set up = open = found",
    "bank loan = loan = money",
    "take a bank loan = borrow = take a loan = borrow money = take 1 bank loan = take 1 loan = take bank loan",
    "no = not = not take = not get = not want = not claim = not ask for = not use = declines = refuses = without = skips = passes = none = no thanks",
    "turn = rotate = flip = 돌리기",
    "leave = keep = stay = confirm = stick with = 두기",
    "take back = lift = pick up = take up = back = remove = return = take away = take off = off = 도로 가져오기",
    "done = ok = okay = fine = that was it = stop = ready = enough = completed = passes = pass = finished = that is all = that’s all = that’s = nothing = nothing more = no more = no = nothing else = no changes = changes nothing = nothing to do = 마침 = 끝",
    "end = conclude = stop = ready = enough = complete = finish = passes = pass = done = finished = that is all = that’s all = that’s = nothing more = over = 끝내기 = 마치기",
    "price = price adjustment = price change = cost = price down = price up = 가격",
    "change = adjust = adjustment = alter = 바꾸기",
    "pay = cost = 내기",
    "paid = get = receive = earn = collect",
    "starts = first player = is first player = goes first = begins the game = is first = was first = was start player = was starting player = is drawn = is starting player = is the starting player = is start player = starting player = begins",
    "unseen = not shown = not seen = face down = secretly = secret = hidden = unknown",
    "start player = starting player = first player = 시작 플레이어",
)


class Word(Frozen):
    """Word of a text; `part` numbers the things said together."""

    text: str
    part: int
    kind: str = "word"  # or number, money, ordinal
    perhaps: bool = False  # “one”, which need not be a number

    @property
    def counts(self) -> bool:
        return self.kind in ("number", "money")


Phrase = tuple[Word, ...]


class Place(Frozen):
    """A place of a decision's sentence."""

    phrases: tuple[Phrase, ...]  # its own words, then their synonyms
    part: int
    aside: bool  # optional, in parentheses

    @property
    def number(self) -> Word | None:
        own = self.phrases[0]
        return own[0] if len(own) == 1 and own[0].counts else None


@lru_cache(maxsize=16384)
def words_of(text: str) -> Phrase:
    """Split a text into words."""
    result, at, part = list[Word](), 0, 0
    text = composed(with_halves(text)).casefold().replace("’", "'")
    text = NEGATION.sub("not", text)
    text = TIMES_PREFIX.sub("", TIMES.sub(r"\1 × ", text)).replace("thats ", "that's ")
    text = COUNTED.sub(lambda counted: NUMBERS[counted[0]], text)
    for token in TOKEN.finditer(text):
        part += SEPARATORS.search(text, at, token.start()) is not None or token[0] in CONJUNCTIONS
        at = token.end()
        if token[0] not in CONJUNCTIONS:
            result.append(_build_word(token, part))
    return tuple(
        msgspec.structs.replace(word, text=LETTER) if word.text == "a" and _is_letter(result, place) else word
        for place, word in enumerate(result)
    )


def _is_letter(words: Sequence[Word], place: int) -> bool:
    """Check that no noun follows an “a”, so that it names a card or a piece."""
    after = next((word for word in words[place + 1 : place + 2] if word.part == words[place].part), None)
    return after is None or after.counts or after.text in BEFORE_NO_NOUN or not after.text.isascii()


def _build_word(token: re.Match[str], part: int) -> Word:
    coin, coins, ordinal, below, word, card, number = token.groups()
    if coin or coins:
        return Word(_normalize_digits(coin or coins), part, "money")
    if ordinal or word in ORDINALS:
        return Word(ORDINALS[word] if word else _normalize_digits(ordinal), part, "ordinal")
    if below or number:
        return Word(f"-{_normalize_digits(below)}" if below else _normalize_digits(number), part, "number")
    if token[0] in NUMBERS:
        return Word(NUMBERS[word], part, "number", perhaps=word == "one")
    return Word(word + (_normalize_digits(card) if card else ""), part)


def _normalize_digits(number: str) -> str:
    whole, point, half = number.partition(".")
    return normalize_digits(whole) + point + half


@lru_cache(maxsize=16384)
def root_of(word: str) -> str:
    """Return a word's root: hire, hires, hiring."""
    if word in NO_INFLECTION:
        return word
    word = IRREGULAR.get(word, word)
    latin = word.isascii()
    if latin and word.endswith("s") and len(word) > MIN_ROOT_LETTERS:
        word = word[:-3] + "y" if word.endswith("ies") else word[:-1]
    for endings in ENDINGS if latin else (KOREAN_ENDINGS,):
        for ending in endings:
            if word.endswith(ending) and len(word) - len(ending) >= (MIN_ROOT_LETTERS if latin else 1):
                word = word.removesuffix(ending)
                break
    if latin and len(word) > MIN_IZ_ROOT_LETTERS and word.endswith("is"):
        word = word[:-1] + "z"  # modernise, modernize
    return (
        word[:-1] if latin and len(word) > MIN_ROOT_LETTERS and word[-1] == word[-2] != "i" else word
    )  # III is not II


def is_same_word(typed: Word, word: Word) -> bool:
    """Check if two words are the same, apart from inflection."""
    return typed.kind == word.kind and (
        typed.text == word.text or (typed.kind == "word" and root_of(typed.text) == root_of(word.text))
    )


def is_prefix(typed: Word, word: Word) -> bool:
    """Check if a word is the beginning of another."""
    return typed.kind == word.kind and len(typed.text) >= MIN_PREFIX_LETTERS and word.text.startswith(typed.text)


def matches_phrase(typed: Sequence[Word], phrase: Phrase) -> bool:
    """Check if words match a phrase in order."""
    return len(typed) == len(phrase) and all(
        word.part == typed[0].part and is_same_word(word, phrase_word)
        for word, phrase_word in zip(typed, phrase, strict=True)
    )


def find_phrase(typed: Sequence[Word], at: int, phrase: Phrase) -> tuple[int, ...]:
    """Return the positions of a phrase that begins at `at`; empty if it does not.

    Fillers may intervene ("off her factory"), and before a final particle the object ("takes her ships back").
    """
    if not is_same_word(typed[at], phrase[0]):
        return ()
    positions = [at]
    for phrase_word in phrase[1:]:
        parts = phrase_word is phrase[-1] and phrase_word.text in PARTICLES
        following = positions[-1] + 1
        while following < len(typed) and not is_same_word(typed[following], phrase_word):
            if not parts and typed[following].text not in FILLERS:
                return ()
            following += 1
        if following == len(typed) or typed[following].part != typed[at].part:
            return ()
        positions.append(following)
    return tuple(positions)


def is_same_number(typed: Word, number: Word) -> bool:
    """Check if numbers match; an amount of money may omit its currency."""
    return typed.text == number.text and (typed.kind == number.kind or typed.kind == "number")


class Vocabulary:
    """Groups of phrases that mean the same.

    Args:
        groups: each a text with "=" between its phrases: "take back = undo".
    """

    def __init__(self, groups: Iterable[str]) -> None:
        self.by_first: dict[str, list[tuple[Phrase, list[Phrase]]]] = {}
        self.words = set[str]()
        for group in groups:
            phrases = [phrase for text in group.split("=") if (phrase := words_of(text))]  # a name may hold no letter
            for phrase in phrases:
                self.by_first.setdefault(root_of(phrase[0].text), []).append((phrase, phrases))
                self.words |= {word.text for word in phrase if word.kind == "word"}
        self.places = lru_cache(maxsize=4096)(self._places)
        self.means = lru_cache(maxsize=4096)(self._means)

    def phrase_at(self, words: Phrase, at: int) -> tuple[Phrase, list[Phrase]]:
        """Return the longest known phrase at a place, or its word, and synonyms.

        A phrase that begins a group has only synonyms of such groups: "put = sell" is not "develop = put".
        """
        matches = [
            (phrase, group)
            for phrase, group in self.by_first.get(root_of(words[at].text), ())
            if matches_phrase(words[at : at + len(phrase)], phrase)
        ]
        longest = max((len(phrase) for phrase, _ in matches), default=1)
        groups = [(group[0] is phrase, group) for phrase, group in matches if len(phrase) == longest]
        begun = [group for begins, group in groups if begins] or [group for _, group in groups]
        return words[at : at + longest], [synonym for group in begun for synonym in group]

    def _places(self, sentence: str) -> tuple[Place, ...]:
        """Return the places of a sentence's meaningful words."""
        asides = {word.text for aside in PARENTHESIS.findall(sentence) for word in words_of(aside)}
        words, at, places = words_of(sentence), 0, list[Place]()
        while at < len(words):
            own, same = self.phrase_at(words, at)
            if len(own) > 1 or own[0].kind != "word" or own[0].text not in FILLERS:
                card = CARD.fullmatch(own[0].text) if len(own) == 1 else None
                ranks = [
                    (
                        msgspec.structs.replace(phrase[1], kind="ordinal", part=0),
                        msgspec.structs.replace(phrase[0], part=0),
                    )
                    for phrase in (own, *same)
                    if len(phrase) == 2 and phrase[0].kind == "word" and phrase[1].kind == "number"
                ]
                called = [words_of(f"{no} {card[2]}") for no in NUMBER_WORDS] if card else []
                aside = len(own) == 1 and own[0].text in asides
                places.append(Place((own, *same, *called, *ranks), own[0].part, aside))
            at += len(own)
        return tuple(places)

    def _means(self, text: str) -> frozenset[str]:
        """Return the roots of a text's words and of their synonyms."""
        text_words = words_of(text)
        same = [self.phrase_at(text_words, at) for at in range(len(text_words))]
        phrases = [
            phrase
            for own, group in same
            for phrase in group
            if len(phrase) == 1 or (len(phrase) == 2 and not {*own}.isdisjoint(phrase))
        ]
        words = [word.text for phrase in (text_words, *phrases) for word in phrase if word.kind == "word"]
        return frozenset(root_of(word) for word in words if len(word) > 1 or not word.isascii())


@lru_cache(maxsize=64)
def build_vocabulary(synonyms: tuple[str, ...]) -> Vocabulary:
    return Vocabulary((*COMMON_SYNONYMS, *synonyms))


def is_misspelt(typed: Word, meant: Word) -> bool:
    """Check if a word was corrected, and not only abbreviated."""
    return typed.text != meant.text and not _is_abbreviation(root_of(typed.text), meant.text)


def correct_spelling(typed: Phrase, known_words: set[str]) -> Phrase:
    """Replace misspelt words by known words that differ by one letter."""
    roots = {root_of(word) for word in known_words}

    def corrected(word: Word) -> Word:
        if (
            word.kind != "word"
            or len(word.text) < MIN_CONSONANTS
            or not word.text.isalpha()
            or root_of(word.text) in roots
        ):
            return word
        if word.text in FILLERS or any(candidate.startswith(word.text) for candidate in known_words):
            return word
        near = {
            root_of(candidate): candidate
            for candidate in sorted(known_words)
            if candidate[0] == word.text[0]
            and (
                _differs_by_one(word.text, candidate)
                or _differs_by_one(root_of(word.text), root_of(candidate))
                or _is_abbreviation(root_of(word.text), candidate)
            )
        }
        return msgspec.structs.replace(word, text=next(iter(near.values()))) if len(near) == 1 else word

    return tuple(map(corrected, typed))


def _differs_by_one(word: str, candidate: str) -> bool:
    """Check if two words differ by one letter: replaced, missing, or two swapped."""
    if (
        max(len(word), len(candidate)) < MIN_MISSPELT_LETTERS
        or min(len(word), len(candidate)) < MIN_MISSPELT_LETTERS - 1
    ):
        return False
    if len(word) > len(candidate):
        word, candidate = candidate, word
    same = next((at for at, (left, right) in enumerate(zip(word, candidate, strict=False)) if left != right), len(word))
    if len(word) < len(candidate):
        return len(candidate) == len(word) + 1 and word[same:] == candidate[same + 1 :]
    turned = word[same : same + 2] == candidate[same : same + 2][::-1] and word[same + 2 :] == candidate[same + 2 :]
    return turned or word[same + 1 :] == candidate[same + 1 :]


def _is_abbreviation(word: str, candidate: str) -> bool:
    """Check if a word is consonants of another in order: mkt, gdn."""
    letters = iter(candidate)
    return (
        VOWELS.search(word[1:]) is None
        and len(word) >= MIN_CONSONANTS
        and len(candidate) > len(word)
        and all(letter in letters for letter in word)
    )


def typed_words(text: str) -> Phrase:
    """Split typed text into words, without caching."""
    return words_of.__wrapped__(text[: MAX_LETTERS + 1])[: MAX_WORDS + 1]
