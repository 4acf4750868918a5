"""How far one decision explains a text: which of its words it says, which follow from it, and which nothing explains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise

from daybook.domain.kernel.frozen import Frozen
from daybook.web.words.phrases import (
    ARTICLES,
    CARD,
    CLAUSES,
    FILLERS,
    NUMBER_WORDS,
    Phrase,
    Vocabulary,
    Word,
    is_begun,
    places_of_phrase,
    root,
    same_number,
    words_of,
)


class Candidate(Frozen, kw_only=True):
    """A decision that may be meant. also: other sentences for it; about: what its kind is called, and what it ends;
    asks: for what; values: what it chooses, in words, each after its sort; name: who decides it; is_for_all: whoever says it; verb: which word of
    the sentence is it, -1: the last; unlisted: there are more of its kind than any list has, so that nothing that is
    chosen can be left out; told_in_short: except players' names; follows: what comes of it, sentence by sentence.
    """

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


def roots(words: str) -> frozenset[str]:
    return frozenset(map(root, words.split()))


PAYS = roots("get receive earn pay cost collect take make")  # what is said of a sum
LIGHT = roots("get go come set put make let choose select pick play use place have give prefer")
SCENERY = roots("card board player bank deck hand table action turn round supply worth")
MUCH = 8
WEIGHTS = (  # what a word carries that a decision’s sentence does not have: a filler nothing, every other much
    (SCENERY, 1),  # lies on every table
    (LIGHT, 5),  # a verb that can be said of everything
)
# What a text may carry beside a decision that is named in full: one such verb, and what lies there.
MEANT_ALL_THE_SAME = 7


def weight_of(word: Word) -> int:
    """What a word carries that a decision's sentence does not have."""
    if word.kind != "word":
        return MUCH
    return 0 if word.text in FILLERS else next((weight for words, weight in WEIGHTS if root(word.text) in words), MUCH)


def best_reading(of: Candidate, known: Vocabulary, persons: set[str], fits: Fits) -> Reading:
    """A text, held against whichever sentence of a decision leaves the fewest of its words."""
    readings = [Reading(of, says, known, persons, fits) for says in (of.says, *of.also)]
    return (
        min(readings, key=lambda one: (len(one.unsaid), not one.is_clear, not one.named_in_full))
        if of.also
        else readings[0]
    )


class Fits:
    """Where in a text phrases stand, each looked for once."""

    def __init__(self, typed: Phrase) -> None:
        self.typed = typed
        self.known: dict[int, dict[int, tuple[tuple[int, ...], bool]]] = {}  # by the phrase's identity: it is kept

    def begins(self, phrase: Phrase) -> dict[int, tuple[tuple[int, ...], bool]]:
        """Where it begins: where its words stand, and whether whole."""
        if (found := self.known.get(id(phrase))) is None:
            found = self.known[id(phrase)] = {}
            for at, word in enumerate(self.typed):
                if len(phrase) == 1 and word.kind == "word" and word.text in FILLERS:
                    continue
                if places := places_of_phrase(self.typed, at, phrase):
                    found[at] = places, True
                elif len(phrase) == 1 and is_begun(word, phrase[0]):
                    found[at] = (at,), False
        return found


class Reading:
    """found: the place of the sentence that each word of the text names, both by their numbers. says: the sentence."""

    def __init__(self, of: Candidate, says: str, known: Vocabulary, persons: set[str], fits: Fits) -> None:
        self.typed, self.of, self.says, self.known, self.persons, self.fits = fits.typed, of, says, known, persons, fits
        self.places = known.places(says)
        self.found, self.idle = dict[int, int](), set[int]()
        self.otherwise = False  # it says another number than the decision has
        self._find_phrases()
        if self.found:
            self._find_numbers()
            self._find_ordinals()

    def _find_phrases(self) -> None:
        """Words one after the other: the longest phrase first, whole words before begun ones, and in their order."""
        used, last = set[tuple[int, str]](), -1
        cards = [place for place, one in enumerate(self.places) if CARD.fullmatch(one.phrases[0][0].text)]
        several = len(cards) > 1
        fitting = [
            (place, " ".join(word.text for word in phrase), begins)
            for place, one in enumerate(self.places)
            if one.number is None
            for phrase in one.phrases
            if (begins := self.fits.begins(phrase))
        ]
        for at in range(len(self.typed)):
            best = max(
                (
                    (len(stands), whole, all(place != one for one, _ in used), place > last, -place, phrase, stands)
                    for place, phrase, begins in fitting
                    if at in begins and not {(place, phrase), (place, "")} & used
                    for stands, whole in (begins[at],)
                    if self.found.keys().isdisjoint(stands)
                ),
                default=None,
                key=lambda fit: fit[:5],
            )
            if best is not None:
                last = -best[4]
                used.add((last, "" if several and last in cards else best[5]))  # a card that is named twice is two
                self.found |= dict.fromkeys(best[6], last)

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
                if place.number is not None and same_number(word, place.number) and n not in self.found.values()
            ]
            free = [n for n in free if self._counts_what_follows(n, at) and not self._counts_several(n, at)]
            meant = [n for n in free if (n in bound if bound else not near or self._is_apart(n, word, near))]
            if meant:
                self.found[at] = meant[0]
            elif (
                word.kind == "number"
                and word.text == "1"
                and not bound
                and any(one > at and self._is_told(one) for one in self._beside(at))
            ):
                self.idle.add(at)  # “takes 1 china”

    def _is_told(self, at: int) -> bool:
        return at in self.found or root(self.typed[at].text) in self.known.means(self.of.about)

    def _counts_what_follows(self, n: int, at: int) -> bool:
        """Whether a number before a word is not another one’s: in “R2 and 2$” no two of M2 are told."""
        after = next((one for one in self._beside(at) if one > at), None)
        if " × " not in self.says or after is None or self.typed[after].kind != "word":
            return True
        return self.found.get(after) == n + 1

    def _counts_several(self, n: int, at: int) -> bool:
        """Whether a number says how many there are, and that of the sentence which: two rows are not row 2."""
        after = at + 1
        if after not in self.found or self.found[after] != n - 1:
            return False
        said = self.typed[after].text
        return said.endswith("s") and root(said) == root(said[:-1]) and said != self.places[n - 1].phrases[0][0].text

    def _is_apart(self, n: int, word: Word, near: Sequence[int]) -> bool:
        """Whether a number of the sentence counts nothing that was said apart from this one: “one R2 and two unseen”,
        “coffee 4, soap 3”. near: the places of the words beside this one.
        """
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

    def says_beside(self, other: Reading) -> bool:
        """Whether the whole of this decision is said too, in words that the other one does not have."""
        apart = self.found.keys() - other.found.keys()
        if other.of.told_in_short or (other.is_said_whole and other.of.unlisted):  # of two wholes, one in the other
            apart = {at for at in apart if root(self.typed[at].text) not in other.known.means(other.of.about)}
        return bool(self.is_said_whole and apart and self.places != other.places)

    @cached_property
    def named_in_full(self) -> bool:
        """Whether every number was said, and every word for what is chosen but single letters; where nothing is chosen,
        what is done.
        """
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
    def _tells_some_cards(self) -> bool:
        """Whether it names a card of several, and not all of them: who discards R1 does not sell a set."""
        cards = [n for n, place in enumerate(self.places) if CARD.fullmatch(place.phrases[0][0].text)]
        counted = {*cards, *(n for n, place in enumerate(self.places) if place.number is not None and n + 1 in cards)}
        said = {*self.found.values()}
        return len(counted) > 1 and not said.isdisjoint(cards) and not counted <= said

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
        if self._tells_some_cards:
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
                    weight_of(word) == 0
                    or word.text in own
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

    @property
    def is_meant_all_the_same(self) -> bool:
        """Whether it is named in full, and what nothing explains weighs little: “sets”, “goes”."""
        return self.named_in_full and sum(map(weight_of, self.left)) <= MEANT_ALL_THE_SAME

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
            one.counts and same_number(word, one) and (word.kind == "money" or not near or near & self._means(clause))
            for clause in told
            for one in clause
        )

    def _means(self, clause: Phrase) -> frozenset[str]:
        return self.known.means(" ".join(one.text for one in clause))
