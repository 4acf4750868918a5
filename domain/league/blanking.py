"""Removal of names from the texts of a club: parts of texts in earlier events are shown as "…".

The lines of a record never change, so an event (`TextsBlanked`) has the places of the removed parts. It contains no text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.league import club_events
from daybook.domain.league.club_events import BLANK, BlankedText
from daybook.domain.league.results import PlayDetails

Spans = Sequence[tuple[int, int]]  # first letter, and the one after the last
EVENT_TEXTS = frozenset({"name", "why", "place", "remark", "source_places"})  # fields of events in which people write
GAME_KEYS = frozenset({"ruleset", "rulesets", "games", "games_brought", "games_wanted"})  # fields of events with games
DETAIL_TEXTS = frozenset(
    {"place", "expansions", "variant", "comments", "roles", "teams", "scores", "colours"}
)  # of PlayDetails


def find_texts(club_event: club_events.AnyEvent, find: Callable[[str], Spans]) -> Iterator[BlankedText]:
    """Yield the parts of an event's texts that `find` finds."""
    for path, text in texts_of(club_event):
        if spans := find(text):
            yield BlankedText(club_event.step, path, tuple(spans))


def texts_of(club_event: club_events.AnyEvent) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every text that a person wrote into an event, with the path that leads to it."""
    for name in sorted(EVENT_TEXTS & {*club_event.__struct_fields__}):
        if isinstance(text := getattr(club_event, name), str | dict):
            yield from _texts_within((name,), text)
    for path, key in _games_of(club_event):
        if is_by_name(key):
            yield path, key
    for path, details in _details_of(club_event):
        for name in sorted(DETAIL_TEXTS):
            yield from _texts_within((*path, name), getattr(details, name))


def _games_of(club_event: club_events.AnyEvent) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the games that an event names, including those known by name only."""
    for name in sorted(GAME_KEYS & {*club_event.__struct_fields__}):
        yield from _texts_within((name,), getattr(club_event, name))
    if isinstance(club_event, club_events.EveningTablesSet):
        for n, table in enumerate(club_event.tables):
            yield ("tables", str(n), "game"), table.game
    if isinstance(club_event, club_events.PlaysImported | club_events.PlaysUpdated):
        for n, play in enumerate(club_event.plays):
            yield ("plays", str(n), "ruleset"), play.ruleset


def _details_of(club_event: club_events.AnyEvent) -> Iterator[tuple[tuple[str, ...], PlayDetails]]:
    match club_event:
        case club_events.ResultTyped():
            yield ("details",), club_event.details
        case club_events.PlaysImported() | club_events.PlaysUpdated():
            for n, play in enumerate(club_event.plays):
                yield ("plays", str(n), "details"), play.details


def _texts_within(path: tuple[str, ...], value: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, str):
        yield path, value
    else:
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, text in parts:
            yield (*path, str(key)), text


def blank_event(club_event: club_events.AnyEvent, texts: Iterable[BlankedText]) -> club_events.AnyEvent:
    """Return an event without these parts of its texts."""
    said = msgspec.json.decode(msgspec.json.encode(club_event))
    for text in texts:
        *path, last = text.path
        holder = said
        for key in path:
            holder = holder[_key_in(holder, key)]
        at = _key_in(holder, last)
        holder[at] = blank_spans(holder[at], text.spans)
    blanked: club_events.AnyEvent = msgspec.convert(said, club_events.AnyEvent)
    return blanked


def blank_spans(text: str, spans: Spans) -> str:
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + BLANK + text[end:]
    return text


def _key_in(holder: Any, key: str) -> Any:
    return key if isinstance(holder, dict) else int(key)


def is_text_of(club_event: club_events.AnyEvent, blanked: BlankedText) -> bool:
    """Check if a path leads to a text of an event, and the spans are parts of it in order."""
    text = dict(texts_of(club_event)).get(blanked.path)
    if text is None or not blanked.spans:
        return False
    ends = [0, *(place for span in blanked.spans for place in span), len(text)]
    return ends == sorted(ends) and all(start < end for start, end in blanked.spans)
