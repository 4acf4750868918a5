"""What somebody wrote in words of their own, read as the one decision that explains all of it.

    “builds clothes level I, price £6”     Build clothes I at £6
    “runs the factory, $4 each, 8$”        Run the factory

A word or a figure is explained by the decision's own sentence, by a word of the table that means the same, or by what
follows from the decision. What follows counts only once the decision itself is named in full, so that no other row or
price is explained away. One word that nothing explains, or two decisions that explain everything, and it is asked: a
record does not guess.
"""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.kernel.frozen import Frozen
from daybook.web.words.fit import Candidate, Fits, Reading, best_reading
from daybook.web.words.phrases import LETTERS, MOST, spelled, typed_words, vocabulary, words_of


class Explained(Frozen):
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
    typed, known = typed_words(text), vocabulary(tuple(alike))
    if len(text) > LETTERS or len(typed) > MOST:
        return Explained()
    persons = {one.text for name in names for one in words_of(name)}
    said = {
        word.text
        for candidate in candidates
        for says in (candidate.says, candidate.name, *candidate.also)
        for word in words_of(says)
    }
    fits = Fits(spelled(typed, said | known.words | persons))
    readings = [best_reading(candidate, known, persons, fits) for candidate in candidates]
    most = max((len(reading.found) for reading in readings), default=0)
    if not most:
        return Explained()
    best = [reading for reading in readings if len(reading.found) == most]
    explaining = [reading for reading in readings if reading.found and not reading.left and reading.is_clear]
    meant = _narrowed(explaining, most)
    if not explaining and len(best) == 1 and best[0].is_meant_all_the_same:
        meant = best
    taken = meant[0] if len(_apart(meant, twins)) == 1 else None
    if taken is not None and any(_speaks_against(reading, taken) for reading in readings):
        taken = None
    if taken is not None and any(_says_more(best_reading(one, known, persons, fits), taken) for one in closed):
        return Explained()
    nearest = explaining or sorted(best, key=lambda one: len(one.places))
    return Explained(
        None if taken is None else readings.index(taken),
        [readings.index(one) for one in nearest],
        [] if explaining else min(([word.text for word in one.left] for one in best), key=len),
    )


def _narrowed(explaining: Sequence[Reading], most: int) -> Sequence[Reading]:
    """Of several that explain all of a text, those that are likelier meant, by the first sign that parts them."""
    own = [one for one in explaining if not one.unsaid]  # its own words before what follows
    meant = own or [one for one in explaining if len(one.found) == most]
    if len(meant) < 2:
        return meant
    counts = {at for one in meant for at in one.found if one.typed[at].kind == "ordinal"}
    meant = [one for one in meant if not one.idle & counts] or meant  # the first assistant is one of two
    return (
        [one for one in meant if one.named_in_full]
        or [one for one in meant if all(one.missing < other.missing for other in meant if other is not one)]
        or [one for one in meant if one.tells_what_is_chosen]
    )


def _apart(meant: Sequence[Reading], twins: Sequence[str]) -> set[tuple[str, ...]]:
    """What they come to, pieces that nobody tells apart being one."""
    return {_untwinned(one.of, twins) for one in meant} if len(meant) > 1 else {(one.says,) for one in meant}


def _speaks_against(one: Reading, taken: Reading) -> bool:
    """Whether another decision is said as well, or would be if less were left out."""
    return one.says_beside(taken) or (one.explains_unclearly and one.missing < taken.missing)


def _says_more(closed: Reading, taken: Reading) -> bool:
    """Whether what nobody can do now is said, in more words than what can be done."""
    return not closed.unsaid and closed.is_said_whole and closed.found.keys() > taken.found.keys()


def tells_all_chosen(text: str, one: Candidate, alike: Sequence[str] = ()) -> bool:
    """Whether a text says every number and choice of a decision."""
    fits = Fits(typed_words(text))
    return Reading(one, one.says, vocabulary(tuple(alike)), set(), fits).tells_what_is_chosen


def _untwinned(one: Candidate, twins: Sequence[str]) -> tuple[str, ...]:
    """Who decides it, what it says and brings, with one name for pieces that nobody tells apart."""
    told = ["" if one.is_for_all else one.name, one.says, *(one.follows() if twins else ())]
    for group in twins:
        first, *others = group.split(" = ")
        for other in others:
            told = [text.replace(other, first) for text in told]
    return tuple(told)
