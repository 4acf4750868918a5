"""Fit of a decision to a text: words it says, words that follow from it, and unexplained words."""

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
    find_phrase,
    is_prefix,
    is_same_number,
    root_of,
    words_of,
)


class Candidate(Frozen, kw_only=True):
    """Decision that may be meant.

    Args:
        also: alternative sentences.
        about: name of its kind, and what it ends.
        asks: prompt it answers.
        values: its choices in words, each after its sort.
        name: player who decides.
        is_for_all: the player does not matter.
        verb: index of the verb in the sentence; -1 for the last word.
        unlisted: no choice may be omitted, for example because its kind has too many to list.
        told_in_short: players' names may be omitted.
        thing: what it is done to, if a text must say a word of that.
        follows: sentences of its effects.
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
    thing: str = ""
    values: Callable[[], Sequence[tuple[str, str]]] = lambda: ()
    follows: Callable[[], Sequence[str]] = lambda: ()


def roots_of(words: str) -> frozenset[str]:
    return frozenset(map(root_of, words.split()))


PAYMENT_VERBS = roots_of("get receive earn pay cost collect take make")  # verbs for sums of money
LIGHT = roots_of("get go come set put make let choose select pick play use place have give prefer")
SCENERY = roots_of("card board player bank deck hand table action turn round supply worth")
MUCH = 8
WEIGHTS = (  # of words that the decision's sentence lacks: fillers weigh nothing
    (SCENERY, 1),  # exists on every table
    (LIGHT, 5),  # a verb that fits everything
)
# Unexplained words that are accepted if the decision is named in full: one light verb and one word of scenery.
MAX_UNEXPLAINED_WEIGHT = 7


def weight_of(word: Word) -> int:
    """Return the weight of a word that a decision's sentence lacks."""
    if word.kind != "word":
        return MUCH
    return (
        0 if word.text in FILLERS else next((weight for words, weight in WEIGHTS if root_of(word.text) in words), MUCH)
    )


def best_reading(candidate: Candidate, vocabulary: Vocabulary, persons: set[str], fits: Fits) -> Reading:
    """Read a text with the sentence of a decision that leaves the fewest words unexplained."""
    readings = [Reading(candidate, says, vocabulary, persons, fits) for says in (candidate.says, *candidate.also)]
    return (
        min(readings, key=lambda reading: (len(reading.unsaid), not reading.is_clear, not reading.named_in_full))
        if candidate.also
        else readings[0]
    )


class Fits:
    """Positions of phrases in a text, cached."""

    def __init__(self, typed: Phrase) -> None:
        self.typed = typed
        self.known: dict[
            int, dict[int, tuple[tuple[int, ...], bool]]
        ] = {}  # by id(phrase); vocabularies keep their phrases

    def begins(self, phrase: Phrase) -> dict[int, tuple[tuple[int, ...], bool]]:
        """Return where a phrase begins: positions of its words, and whether they are complete."""
        if (positions := self.known.get(id(phrase))) is None:
            positions = self.known[id(phrase)] = {}
            for at, word in enumerate(self.typed):
                if len(phrase) == 1 and word.kind == "word" and word.text in FILLERS:
                    continue
                if places := find_phrase(self.typed, at, phrase):
                    positions[at] = places, True
                elif len(phrase) == 1 and is_prefix(word, phrase[0]):
                    positions[at] = (at,), False
        return positions


class Reading:
    """A text, read with the sentence of a decision.

    Args:
        says: the sentence.

    `found` has, for each word of the text that the sentence explains, the index of the place in the sentence.
    """

    def __init__(
        self, candidate: Candidate, sentence: str, vocabulary: Vocabulary, persons: set[str], fits: Fits
    ) -> None:
        self.typed, self.of, self.says, self.known, self.persons, self.fits = (
            fits.typed,
            candidate,
            sentence,
            vocabulary,
            persons,
            fits,
        )
        self.places = vocabulary.places(sentence)
        self.found, self.idle = dict[int, int](), set[int]()
        self.otherwise = False  # the text has another number than the decision
        self._find_phrases()
        if self.found or all(word.kind == "money" for word in self.typed):
            self._find_numbers()
            self._find_ordinals()

    def _find_phrases(self) -> None:
        """Match phrases in order, longest first and complete words first."""
        used, last = set[tuple[int, str]](), -1
        cards = [
            place
            for place, sentence_place in enumerate(self.places)
            if CARD.fullmatch(sentence_place.phrases[0][0].text)
        ]
        several = len(cards) > 1
        fitting = [
            (place, " ".join(word.text for word in phrase), begins)
            for place, sentence_place in enumerate(self.places)
            if sentence_place.number is None
            for phrase in sentence_place.phrases
            if (begins := self.fits.begins(phrase))
        ]
        for at in range(len(self.typed)):
            best = max(
                (
                    (
                        len(stands),
                        length,
                        all(place != sentence_place for sentence_place, _ in used),
                        place > last,
                        -place,
                        phrase,
                        stands,
                    )
                    for place, phrase, begins in fitting
                    if at in begins and not {(place, phrase), (place, "")} & used
                    for stands, length in (begins[at],)
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
        """Match numbers next to a word that has one in the sentence: row 3 is not £3."""
        for at, word in enumerate(self.typed):
            if word.text in ARTICLES and at + 1 in self.found:
                place = self.found[at + 1]
                if place - 1 in self._numbers_of(place) and self.places[place - 1].phrases[0][0].text == "1":
                    self.found[at] = place - 1
            if not word.counts or at in self.found:
                continue
            near = [self.found[neighbour] for neighbour in self._neighbours(at) if neighbour in self.found]
            bound = [n for place in near for n in self._numbers_of(place) if n not in self.found.values()]
            free = [
                n
                for n, place in enumerate(self.places)
                if place.number is not None and is_same_number(word, place.number) and n not in self.found.values()
            ]
            free = [n for n in free if self._counts_what_follows(n, at) and not self._counts_several(n, at)]
            meant = [n for n in free if (n in bound if bound else not near or self._is_apart(n, word, near))]
            if meant:
                self.found[at] = meant[0]
            elif (
                word.kind == "number"
                and word.text == "1"
                and not bound
                and any(neighbour > at and self._is_explained(neighbour) for neighbour in self._neighbours(at))
            ):
                self.idle.add(at)  # “takes 1 china”

    def _is_explained(self, at: int) -> bool:
        """Check if a typed word names a part of the decision, or the kind of the decision."""
        return at in self.found or root_of(self.typed[at].text) in self.known.means(self.of.about)

    def _counts_what_follows(self, n: int, at: int) -> bool:
        """Check that a number belongs to the word after it: "R2 and 2$" does not name two of M2."""
        after = next((position for position in self._neighbours(at) if position > at), None)
        if " × " not in self.says or after is None or self.typed[after].kind != "word":
            return True
        return self.found.get(after) == n + 1

    def _counts_several(self, n: int, at: int) -> bool:
        """Check if a number is a count where the sentence has an ordinal: two rows are not row 2."""
        after = at + 1
        if after not in self.found or self.found[after] != n - 1:
            return False
        text = self.typed[after].text
        return (
            text.endswith("s") and root_of(text) == root_of(text[:-1]) and text != self.places[n - 1].phrases[0][0].text
        )

    def _is_apart(self, n: int, word: Word, near: Sequence[int]) -> bool:
        """Check that no separate part of the text names what a number counts: "one R2 and two unseen".

        Args:
            near: places of the neighbouring words.
        """
        neighbours = [n + 1]
        if all(self.places[place].part != self.places[n].part for place in near):
            neighbours.append(n - 1)
        neighbours = [p for p in neighbours if 0 <= p < len(self.places) and self.places[p].part == self.places[n].part]
        return all(self.typed[at].part == word.part for at, place in self.found.items() if place in neighbours)

    def _find_ordinals(self) -> None:
        """Match ordinals: the 2nd row is row 2, the 2nd worker is a count."""
        for at, word in enumerate(self.typed):
            if word.kind != "ordinal" or at in self.found:
                continue
            near = [self.found[position] for position in reversed(self._neighbours(at)) if position in self.found]
            bound = [n for place in near for n in self._numbers_of(place)]
            if not bound:
                if at + 1 in self.found or at + 1 == len(self.typed) or self.typed[at + 1].text in FILLERS:
                    self.idle.add(at)
            elif self.places[bound[0]].phrases[0][0].text == word.text and bound[0] not in self.found.values():
                self.found[at] = bound[0]
            else:
                self.otherwise = True

    def _neighbours(self, at: int) -> list[int]:
        """Return the positions of the meaningful words before and after a word."""
        positions = []
        for step in (-1, 1):
            near = at + step
            while 0 <= near < len(self.typed) and self.typed[near].text in FILLERS and near not in self.found:
                near += step
            if 0 <= near < len(self.typed) and self.typed[near].part == self.typed[at].part:
                positions.append(near)
        return positions

    def _numbers_of(self, place: int) -> list[int]:
        """Return the places of numbers next to a word of the sentence."""
        return [
            n
            for n in (place - 1, place + 1)
            if 0 <= n < len(self.places)
            and self.places[n].part == self.places[place].part
            and self.places[n].number is not None
        ]

    @cached_property
    def _values(self) -> list[tuple[str, set[str]]]:
        return [(sort, {root_of(word.text) for word in words_of(text)}) for sort, text in self.of.values()]

    @cached_property
    def _in_order(self) -> bool:
        """Check that related words are together: "give coffee, take china" is not "give china, take coffee"."""
        order = [self.found[at] for at in sorted(self.found)]
        sorts = [sort for sort, _ in self._values]
        if order == sorted(order) or len(sorts) == len(set(sorts)):
            return True
        roots_by_part: dict[int, set[str]] = {}
        for word in words_of(self.says):
            roots_by_part.setdefault(word.part, set()).add(root_of(word.text))
        for part in roots_by_part.values():
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
    def names_verb(self) -> bool:
        """True if the text says the verb of the decision."""
        return bool(self.places) and self.of.verb % len(self.places) in self.found.values()

    @property
    def names_every_part(self) -> bool:
        """True if the text names every part of the decision that is not optional."""
        return {place for place, sentence_place in enumerate(self.places) if not sentence_place.aside} <= {
            *self.found.values()
        }

    def says_beside(self, reading: Reading) -> bool:
        """Check if the text also names this decision completely, with words that the other reading does not use."""
        own_positions = self.found.keys() - reading.found.keys()
        if reading.of.told_in_short or (
            reading.names_every_part and reading.of.unlisted
        ):  # both are named completely, one inside the other
            own_positions = {
                at for at in own_positions if root_of(self.typed[at].text) not in reading.known.means(reading.of.about)
            }
        return bool(self.names_every_part and own_positions and self.places != reading.places)

    @cached_property
    def named_in_full(self) -> bool:
        """Check if the text has every number and choice; the verb for a decision without choices."""
        counted = [
            n
            for n, sentence_place in enumerate(self.places)
            if not sentence_place.aside and any(x.counts for x in sentence_place.phrases[0])
        ]
        if not self._values:  # its verb is all there is to it
            verb = [self.of.verb % len(self.places)] if self.places else []
            return {*counted, *verb} <= {*self.found.values()}
        chosen = {word for _, words in self._values for word in words if len(word) > 1}
        if not self._shows_values:
            return self.names_every_part
        return all(
            place in self.found.values() or sentence_place.aside
            for place, sentence_place in enumerate(self.places)
            if any(word.counts or root_of(word.text) in chosen for word in sentence_place.phrases[0])
        )

    @cached_property
    def missing(self) -> frozenset[str]:
        """Choices that were not said."""
        matched = {*self.found.values()}
        chosen = {word for _, words in self._values for word in words if len(word) > 1}
        return frozenset(
            word.text
            for n, place in enumerate(self.places)
            if n not in matched and not place.aside
            for word in place.phrases[0]
            if word.counts or root_of(word.text) in chosen or not self._shows_values
        )

    @cached_property
    def _shows_values(self) -> bool:
        """Check if the sentence has a word or number of its choices: “Ship nothing” has no 0."""
        words = {root_of(word.text) for place in self.places for word in place.phrases[0]}
        return not self._values or any(not words.isdisjoint(of_value) for _, of_value in self._values)

    @property
    def explains_unclearly(self) -> bool:
        return bool(self.found) and not self.unsaid and not self.is_clear

    @cached_property
    def tells_what_is_chosen(self) -> bool:
        """Check if the text has every number and a word of every other choice."""
        if self.says != self.of.says:
            return self.names_every_part
        roots_said = {root_of(word.text) for place in self.found.values() for word in self.places[place].phrases[0]}
        return all(
            place in self.found.values()
            for place, sentence_place in enumerate(self.places)
            if any(word.counts for word in sentence_place.phrases[0]) and not sentence_place.aside
        ) and all(roots_said & words or all(map(str.isdecimal, words)) for _, words in self._values)

    @property
    def _tells_some_cards(self) -> bool:
        """Check if some but not all of several cards are named: discarding R1 is not selling a set."""
        cards = [n for n, place in enumerate(self.places) if CARD.fullmatch(place.phrases[0][0].text)]
        counted = {*cards, *(n for n, place in enumerate(self.places) if place.number is not None and n + 1 in cards)}
        matched = {*self.found.values()}
        return len(counted) > 1 and not matched.isdisjoint(cards) and not counted <= matched

    @property
    def _names_thing(self) -> bool:
        """Check if the text says a word of the thing that has to be named."""
        words = {root_of(word.text) for word in words_of(self.of.thing) if len(word.text) > 1}
        places = {self.places[place].phrases[0] for place in self.found.values()}
        return not words or any(root_of(word.text) in words for own in places for word in own)

    @property
    def is_clear(self) -> bool:
        """Check that nothing required is missing: choices, or the verb without them."""
        if not self._values:
            matched = {*self.found.values()}
            if self.says != self.of.says and any(
                place.number and n not in matched for n, place in enumerate(self.places)
            ):
                return False  # “price” alone leaves no price as it is
            return len(matched) > 1 or self.of.verb % max(len(self.places), 1) in matched
        if not self.of.told_in_short and any(
            place.phrases[0][0].text in self.persons and n not in self.found.values()
            for n, place in enumerate(self.places)
        ):
            return False
        if self._tells_some_cards or not self._names_thing:
            return False
        return not self.of.unlisted or self.tells_what_is_chosen

    @cached_property
    def unsaid(self) -> list[int]:
        """Words that neither the decision nor its prompt explains; all if a number contradicts it."""
        if self.otherwise or not self._in_order:
            return list(range(len(self.typed)))
        about = frozenset(root_of(word.text) for word in words_of(self.of.asks))
        own = {word.text for word in words_of(self.of.name)}
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
                    or self._introduces_number(at)
                    or (root_of(word.text) in about and word.text not in self.persons)
                )
            )
        ]

    def _introduces_number(self, at: int) -> bool:
        """Check if a word only introduces a number: pile no. 3."""
        return self.typed[at].text in NUMBER_WORDS and at + 1 in self.found and self.typed[at + 1].counts

    @cached_property
    def left(self) -> list[Word]:
        """The words that nothing explains."""
        left = self.unsaid
        if left and not self.otherwise and self._in_order and self.named_in_full:
            effects = [words_of(clause) for sentence in self.of.follows() for clause in CLAUSES.split(sentence)]
            left = [at for at in left if not self._is_effect(at, effects)]
            paid = [
                at
                for at in left
                if root_of(self.typed[at].text) in PAYMENT_VERBS and self._precedes_money(at + 1, left)
            ]
            left = [at for at in left if at not in paid]
        return [self.typed[at] for at in left]

    @property
    def is_meant_anyway(self) -> bool:
        """Check if it is named in full and the unexplained words weigh little: "sets", "goes"."""
        return self.named_in_full and self._names_thing and sum(map(weight_of, self.left)) <= MAX_UNEXPLAINED_WEIGHT

    def _precedes_money(self, at: int, left: Sequence[int]) -> bool:
        """Check if an explained sum follows."""
        while at < len(self.typed) and self.typed[at].text in FILLERS:
            at += 1
        return at < len(self.typed) and self.typed[at].counts and at not in left

    def _is_effect(self, at: int, effects: Sequence[Phrase]) -> bool:
        """Check if the effects mention a word as often as the text, or a number with its word."""
        word = self.typed[at]
        if word.kind == "word":
            if word.text in self.persons and self.persons & {name.text for name in words_of(self.says)}:
                return False
            many = sum(root_of(word.text) in self._meanings(clause) for clause in effects)
            return many >= sum(typed.text == word.text for typed in self.typed)
        near = {root_of(self.typed[near].text) for near in self._neighbours(at) if self.typed[near].kind == "word"}
        return word.perhaps or any(
            effect_word.counts
            and is_same_number(word, effect_word)
            and (word.kind == "money" or not near or near & self._meanings(clause))
            for clause in effects
            for effect_word in clause
        )

    def _meanings(self, clause: Phrase) -> frozenset[str]:
        return self.known.means(" ".join(word.text for word in clause))
