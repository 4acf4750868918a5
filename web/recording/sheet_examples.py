"""The worked examples of the rule text in words: what lies on the table, and what comes of it with a sheet's numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from daybook.domain.kernel.board import plain
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.worked_examples import ComesTo, Refusal
from daybook.services.store.sheets import PlayedExample
from daybook.web import words
from daybook.web.words import Names, begin, say


class ExampleShown(Frozen):
    """An example on the page. comes: what comes of it, sentence by sentence; instead: the rulebook's sentences where
    it comes out otherwise.
    """

    rule: str
    lies: str
    comes: list[str]
    instead: list[str]


def example_shown(ruleset_id: str, played: PlayedExample) -> ExampleShown:
    example, found = played.example, played.found
    names = [begin(words.colour_label(ruleset_id, colour), ()) for colour in played.colours]
    return ExampleShown(
        example.rule,
        "; ".join(_places(ruleset_id, example.lies, names)),
        [say("This cannot be played with these numbers.")] if found is None else _told(ruleset_id, found, names),
        [] if played.agrees else _told(ruleset_id, example.expected, names),
    )


def example_sentence(ruleset_id: str, played: PlayedExample) -> str:
    """Where an example comes out otherwise than in the rulebook, in what is not alike."""
    shown = example_shown(ruleset_id, played)
    return say(
        "with these numbers: {found} – in the rulebook: {expected}",
        found=" ".join(text for text in shown.comes if text not in shown.instead) or "–",
        expected=" ".join(text for text in shown.instead if text not in shown.comes) or "–",
    )


def _places(ruleset_id: str, lies: Mapping[str, Any], names: Names) -> list[str]:
    """What lies at places of the board, as far as the game has words for them."""
    said = []
    for path, value in (leaf for whole, part in lies.items() for leaf in _parts(whole, part)):
        label = words.place_label(ruleset_id, path, names)
        if label is not None:
            said.append(
                say("{place}: {value}", place=label, value=words.value_at_place(ruleset_id, path, value, names))
            )
    return said


def _parts(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A place, or the places of a factory or a card that are not empty."""
    if not isinstance(value, Mapping):
        yield path, value
        return
    for key, part in value.items():
        if any(part) if isinstance(part, list) else part:
            yield from _parts(f"{path}/{key}", part)


def _told(ruleset_id: str, comes: ComesTo, names: Names) -> list[str]:
    said = [words.effect_sentence(ruleset_id, plain(effect), names) + "." for effect in comes.effects]
    said += [f"{place}." for place in _places(ruleset_id, comes.leaves, names)]
    if comes.refused is not None:
        said.append(_refusal_told(ruleset_id, comes.refused, names))
    return said


def _refusal_told(ruleset_id: str, refused: Refusal, names: Names) -> str:
    label = words.decision_label(ruleset_id, plain(refused.decision), names)
    if refused.reason is None:
        return say("Refused: {decision} ({rule}).", decision=label, rule=refused.rule)
    reason = words.reason_sentence(refused.reason, ruleset_id, names)
    return say("Refused: {decision} ({rule}): {reason}.", decision=label, rule=refused.rule, reason=reason)
