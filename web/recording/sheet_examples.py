"""Describe the worked examples of a rulebook: the position, and the result with a sheet's numbers."""

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
    """Example on the page.

    Args:
        comes: results, sentence by sentence.
        instead: sentences of the rulebook if they differ.
    """

    rule: str
    lies: str
    comes: list[str]
    instead: list[str]


def example_shown(ruleset_id: str, played: PlayedExample) -> ExampleShown:
    example, result = played.example, played.found
    names = [begin(words.colour_label(ruleset_id, colour), ()) for colour in played.colours]
    return ExampleShown(
        example.rule,
        "; ".join(_places(ruleset_id, example.lies, names)),
        [say("This cannot be played with these numbers.")]
        if result is None
        else _result_sentences(ruleset_id, result, names),
        [] if played.agrees else _result_sentences(ruleset_id, example.expected, names),
    )


def example_sentence(ruleset_id: str, played: PlayedExample) -> str:
    """Describe where an example differs from the rulebook."""
    shown = example_shown(ruleset_id, played)
    return say(
        "with these numbers: {found} – in the rulebook: {expected}",
        found=" ".join(text for text in shown.comes if text not in shown.instead) or "–",
        expected=" ".join(text for text in shown.instead if text not in shown.comes) or "–",
    )


def _places(ruleset_id: str, values: Mapping[str, Any], names: Names) -> list[str]:
    """Describe values at places that the game can name."""
    sentences = []
    for path, value in (leaf for prefix, part in values.items() for leaf in _iter_parts(prefix, part)):
        label = words.place_label(ruleset_id, path, names)
        if label is not None:
            sentences.append(
                say("{place}: {value}", place=label, value=words.value_at_place(ruleset_id, path, value, names))
            )
    return sentences


def _iter_parts(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a place, or the non-empty places of a factory or card."""
    if not isinstance(value, Mapping):
        yield path, value
        return
    for key, part in value.items():
        if any(part) if isinstance(part, list) else part:
            yield from _iter_parts(f"{path}/{key}", part)


def _result_sentences(ruleset_id: str, comes: ComesTo, names: Names) -> list[str]:
    sentences = [words.sentence(ruleset_id, plain(effect), names) + "." for effect in comes.effects]
    sentences += [f"{place}." for place in _places(ruleset_id, comes.leaves, names)]
    if comes.refused is not None:
        sentences.append(_refusal_sentence(ruleset_id, comes.refused, names))
    return sentences


def _refusal_sentence(ruleset_id: str, refused: Refusal, names: Names) -> str:
    label = words.sentence(ruleset_id, plain(refused.decision), names)
    if refused.reason is None:
        return say("Refused: {decision} ({rule}).", decision=label, rule=refused.rule)
    reason = words.reason_sentence(refused.reason, ruleset_id, names)
    return say("Refused: {decision} ({rule}): {reason}.", decision=label, rule=refused.rule, reason=reason)
