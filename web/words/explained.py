"""Reading of free text as the one decision that explains all of it.

    “builds clothes level I, price £6”     Build clothes I at £6
    “runs the factory, $4 each, 8$”        Run the factory

A word or figure is explained by the decision's sentence, by a synonym, or by an effect of the decision. Effects count
only once the decision itself is named in full, so that they never explain another row or price. An unexplained word, or
two decisions that explain everything, leads to a question: a record never guesses.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.web.words.fit import Candidate, Fits, Reading, best_reading
from daybook.web.words.phrases import (
    LETTER,
    MAX_LETTERS,
    MAX_WORDS,
    build_vocabulary,
    correct_spelling,
    is_misspelt,
    typed_words,
    words_of,
)


class Explained(Frozen):
    """The decisions that explain a text, as indices."""

    taken: int | None = None  # the decision that explains everything
    nearest: list[int] = []  # those that explain the most
    left: list[str] = []  # the words that these do not explain
    is_guess: bool = False  # a word was misspelt


def explain_text(
    text: str,
    candidates: Sequence[Candidate],
    synonyms: Sequence[str] = (),
    twins: Sequence[str] = (),
    names: Sequence[str] = (),
    closed: Sequence[Candidate] = (),
) -> Explained:
    """Find the candidate that explains all of a text.

    Args:
        synonyms: phrases of the same meaning, separated by "=".
        twins: indistinguishable pieces.
        names: of the players.
        closed: kinds of decisions that are impossible now; a text that names one means nothing else.
    """
    typed, vocabulary = typed_words(text), build_vocabulary(tuple(synonyms))
    if len(text) > MAX_LETTERS or len(typed) > MAX_WORDS:
        return Explained()
    persons = {word.text for name in names for word in words_of(name)}
    known_words = {
        word.text
        for candidate in candidates
        for says in (candidate.says, candidate.name, *candidate.also)
        for word in words_of(says)
    }
    if LETTER not in known_words:
        typed = tuple(msgspec.structs.replace(word, text="a") if word.text == LETTER else word for word in typed)
    spelled = correct_spelling(typed, known_words | vocabulary.words | persons)
    fits = Fits(spelled)
    readings = [best_reading(candidate, vocabulary, persons, fits) for candidate in candidates]
    most = max((len(reading.found) for reading in readings), default=0)
    if not most:
        return Explained()
    best = [reading for reading in readings if len(reading.found) == most]
    explaining = [reading for reading in readings if reading.found and not reading.left and reading.is_clear]
    meant = _narrow_readings(explaining, most)
    if not explaining and len(best) == 1 and best[0].is_meant_anyway:
        meant = best
    taken = meant[0] if len(_distinct_meanings(meant, twins)) == 1 else None
    if taken is not None and any(_contradicts(reading, taken) for reading in readings):
        taken = None
    if taken is not None and any(_is_as_likely(reading, taken) for reading in explaining):
        taken = None
    if taken is not None and any(_says_more(best_reading(kind, vocabulary, persons, fits), taken) for kind in closed):
        return Explained()
    nearest = explaining or sorted(best, key=lambda reading: len(reading.places))
    return Explained(
        None if taken is None else readings.index(taken),
        [readings.index(reading) for reading in nearest],
        [] if explaining else min(([word.text for word in reading.left] for reading in best), key=len),
        any(is_misspelt(word, meant_word) for word, meant_word in zip(typed, spelled, strict=True)),
    )


def _narrow_readings(explaining: Sequence[Reading], most_words: int) -> Sequence[Reading]:
    """Keep the likelier ones of several complete readings, by the first criterion that separates them."""
    own = [reading for reading in explaining if not reading.unsaid]  # its own words before what follows
    meant = own or [reading for reading in explaining if len(reading.found) == most_words]
    if len(meant) < 2:
        return meant
    counts = {at for reading in meant for at in reading.found if reading.typed[at].kind == "ordinal"}
    meant = [reading for reading in meant if not reading.idle & counts] or meant  # the first assistant is one of two
    return (
        [reading for reading in meant if reading.named_in_full]
        or [
            reading
            for reading in meant
            if all(reading.missing < other.missing for other in meant if other is not reading)
        ]
        or [reading for reading in meant if reading.tells_what_is_chosen]
    )


def _distinct_meanings(meant: Sequence[Reading], twins: Sequence[str]) -> set[tuple[str, ...]]:
    """Return distinct meanings, with indistinguishable pieces as one."""
    return (
        {_normalize_twins(reading.of, twins) for reading in meant}
        if len(meant) > 1
        else {(reading.says,) for reading in meant}
    )


def _contradicts(reading: Reading, taken: Reading) -> bool:
    """Check if a text also names another decision, or names it with fewer omissions."""
    return reading.says_beside(taken) or (reading.explains_unclearly and reading.missing < taken.missing)


def _is_as_likely(reading: Reading, taken: Reading) -> bool:
    """Check if a text without a verb fits a decision of another kind too: "food" may be hire or fire."""
    return reading.of.about != taken.of.about and not reading.unsaid and not taken.names_verb


def _says_more(closed: Reading, taken: Reading) -> bool:
    """Check if a text names an impossible decision with more words than the possible one."""
    return not closed.unsaid and closed.names_every_part and closed.found.keys() > taken.found.keys()


def tells_all_chosen(text: str, candidate: Candidate, synonyms: Sequence[str] = ()) -> bool:
    """Check if a text says every number and choice of a decision."""
    fits = Fits(typed_words(text))
    return Reading(candidate, candidate.says, build_vocabulary(tuple(synonyms)), set(), fits).tells_what_is_chosen


def _normalize_twins(candidate: Candidate, twins: Sequence[str]) -> tuple[str, ...]:
    """Return player, sentence and effects with one name for indistinguishable pieces."""
    texts = ["" if candidate.is_for_all else candidate.name, candidate.says, *(candidate.follows() if twins else ())]
    for group in twins:
        first, *others = group.split(" = ")
        for other in others:
            texts = [text.replace(other, first) for text in texts]
    return tuple(texts)
