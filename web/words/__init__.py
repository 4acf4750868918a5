"""Words for everything in a record: effects, decisions, refusals, score lines, marks, colours, cards.

Sentences use the spoken words of players, and show sums. Each goes through gettext. The words of a game are in
its own module. `ruleset_id` is a ruleset's id, `names` the names by seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any

from babel.dates import format_timedelta
from flask_babel import get_locale
from msgspec import Struct, json, structs

from daybook.domain.games import RULESETS, rules_of
from daybook.domain.kernel.by_hand import is_cause
from daybook.domain.kernel.errors import Fault, unread
from daybook.domain.kernel.events import LeaseTaken
from daybook.domain.kernel.game_names import name_in_key
from daybook.domain.kernel.points import Points, as_points, is_points
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Board, Effect, Outcome, Reason, Score, ScoreLine, Seat
from daybook.services.play.period_scores import FINAL
from daybook.services.play.replay import StepShown
from daybook.web.words import plain
from daybook.web.words.checks import check_label
from daybook.web.words.game_pages import pages_of
from daybook.web.words.game_words import PLAIN, CountedLine, GameWords, LineOfRound
from daybook.web.words.language_choice import chosen_language, init_translations, language, languages
from daybook.web.words.record_words import (
    ADJUSTED,
    CLAIM_CLOSED,
    CLAIM_WITHDRAWN,
    CLOCK_AHEAD,
    CLOCK_BEHIND,
    COUNTED,
    COUNTED_ALIKE,
    COUNTED_OTHERWISE,
    FIRST_RULING,
    LEASE_TAKEN,
    LEASED_TO,
    REDONE,
    RULINGS,
    STATUSES,
    TAKEN_BACK,
    TAKEN_BACK_ONE,
    TOLERATED_CLOCK_SECONDS,
    USUAL_STATEMENTS,
    by_label,
    cause_label,
    day_of_play_sentence,
    kind_of_game_label,
    recorded_label,
    source_label,
    status_label,
)
from daybook.web.words.say import (
    N_,
    Names,
    Plain,
    Sentences,
    begin,
    fill_sentence,
    join_words,
    name_or_number,
    number,
    say,
    say_n,
    say_reason,
    seat_name,
    sentence_for,
    signed_amount,
    translations,
    with_sign,
)
from daybook.web.words.sheets import current_sheet_hash, note_label, number_label, publisher_label, source_word

__all__ = [
    "GAMES",
    "N_",
    "GameWords",
    "Names",
    "begin",
    "by_label",
    "card_label",
    "cause_label",
    "change_label",
    "check_label",
    "chosen_language",
    "colour_label",
    "column_label",
    "column_value",
    "effect_sentence",
    "explanation_of_line",
    "fault_sentence",
    "field_label",
    "gain_label",
    "game_title",
    "init_translations",
    "is_score_pad",
    "join_words",
    "kind_label",
    "kind_of_game_label",
    "language",
    "languages",
    "lease_label",
    "line_label",
    "mark_label",
    "marks_label",
    "note_label",
    "number_label",
    "option_hint",
    "option_label",
    "options_grouped",
    "outcome_sentence",
    "part_label",
    "path_label",
    "place_in_game",
    "points_label",
    "prompt",
    "publisher_label",
    "quickest_choice",
    "reason_sentence",
    "recorded_label",
    "result_sentence",
    "rule_sentence",
    "say",
    "say_n",
    "score_sentences",
    "seat_name",
    "sentence",
    "source_label",
    "source_word",
    "stand_label",
    "status_label",
    "step_sentences",
    "tiebreak_label",
    "unranked_label",
    "value_label",
    "with_sign",
    "won_label",
]


class _Vocabularies(dict[str, GameWords]):
    """Words of each installed game, built on first use; common words for games without their own."""

    def __missing__(self, ruleset_id: str) -> GameWords:
        rules = rules_of(ruleset_id)
        if rules is None:
            raise KeyError(ruleset_id)
        if rules.id != ruleset_id:  # games made from a sheet share their ruleset's words
            return self[rules.id]
        self[ruleset_id] = vocabulary = pages_of(ruleset_id).words or PLAIN
        return vocabulary


GAMES = _Vocabularies()
SENTENCE_CACHE_SIZE = 8192  # of effects, and of decisions
RULE = "rule"  # field that every effect has, and no decision
FORECAST = "would score"  # label of the score while a game is played

IN_TEMPLATES = [name for name in __all__ if name not in ("GAMES", "N_", "GameWords", "Names", "init_translations")]


def _rules(key: str) -> AnyRuleset:
    rules = rules_of(key)
    if rules is None:
        raise KeyError(key)
    return rules


def game_title(ruleset_id: str) -> str:
    """Return a game's title in the user's language; the name in a sheet's key, or the id of an unknown game."""
    if ruleset_id not in RULESETS:
        return name_in_key(ruleset_id) or ruleset_id
    title = GAMES[ruleset_id].title
    return say(title) if title else RULESETS[ruleset_id].title


# --- values ----------------------------------------------------------------------------------------------------------


def value_label(ruleset_id: str, name: str, value: Any, names: Names) -> str:
    """Format a field's value in the game's words: a colour, a card, a seat, several cards."""
    return GAMES[ruleset_id].value(name, value, names)


def colour_label(ruleset_id: str, colour: str) -> str:
    return GAMES[ruleset_id].value("colour", colour, ())


def card_label(ruleset_id: str, card: str) -> str:
    return GAMES[ruleset_id].value("card", card, ())


def column_label(ruleset_id: str, column: str, is_over: bool = False) -> str:
    """Name a ledger figure. is_over: the game is over, so its score is not a forecast."""
    labels = GAMES[ruleset_id].ledger.columns
    return say("final score") if is_over and labels.get(column) == FORECAST else plain.label(labels, column)


def column_value(ruleset_id: str, column: str, n: Points) -> str:
    """Format a ledger figure with its unit."""
    words = GAMES[ruleset_id]
    if column not in words.ledger.money:
        return number(n)
    return say(words.coin, n=n) if n >= 0 else signed_amount("−", say(words.coin, n=-n))


def change_label(ruleset_id: str, column: str, by: Points) -> str:
    """Format a change of a ledger figure: +$10, level +1."""
    if column in GAMES[ruleset_id].ledger.money:
        return gain_label(ruleset_id, column, by)
    return say("{column} {by}", column=column_label(ruleset_id, column), by=with_sign(by))


def gain_label(ruleset_id: str, column: str, by: Points) -> str:
    """Format a change next to the figure's name: +$10, +1."""
    words = GAMES[ruleset_id]
    if not by or column not in words.ledger.money:
        return with_sign(by)
    return signed_amount("+" if by > 0 else "−", say(words.coin, n=abs(by)))


def sum_sentence(ruleset_id: str, column: str, was: Points, parts: Mapping[str, Points], now: Points) -> str:
    """Add up a figure: "£41 + £18 sales − £1 production costs = £58".

    Args:
        parts: what is added, by cause; "" for one that needs none.
    """
    added = [
        f"{'+' if n > 0 else '−'}\N{NO-BREAK SPACE}"
        + (say("{amount} {cause}", amount=amount, cause=cause) if cause else amount)
        for cause, n in parts.items()
        for amount in [column_value(ruleset_id, column, abs(n))]
    ]
    return " ".join(
        [column_value(ruleset_id, column, was), *added, f"=\N{NO-BREAK SPACE}{column_value(ruleset_id, column, now)}"]
    )


def mark_label(ruleset_id: str, mark: str, n: int) -> str:
    """Format one mark of progress: round 3."""
    if mark == FINAL:
        return say("the end")
    text = GAMES[ruleset_id].marks.labels.get(mark)
    if text is None:
        return f"{plain.spaced_name(mark)} {n}"
    return text(n) if callable(text) else say(text, n=n)


def marks_label(ruleset_id: str, marks: Mapping[str, int]) -> str:
    """Format all marks of progress, coarsest first."""
    words = GAMES[ruleset_id]
    here = [mark for mark in words.marks.labels or marks if mark in marks]
    shown = [mark for mark in here if mark not in words.marks.told_by_finer or mark == here[-1]]
    shown = [mark for mark in shown if marks[mark] or mark == shown[0]]  # none of its turns has begun yet
    return ", ".join(mark_label(ruleset_id, mark, marks[mark]) for mark in shown)


def place_in_game(ruleset_id: str, board: Board, marks: Mapping[str, int]) -> str:
    """Describe the progress of a running game, with the phase instead of the finest mark between turns."""
    phase = GAMES[ruleset_id].marks.phase(board)
    if not phase:
        return marks_label(ruleset_id, marks)
    periods = {mark: marks[mark] for mark in _rules(ruleset_id).course.periods if mark in marks}
    return ", ".join(filter(None, (marks_label(ruleset_id, periods), phase)))


def stand_label(ruleset_id: str, marks: Mapping[str, int]) -> str:
    """Describe the progress by scored periods; "set-up" before the first."""
    periods = {mark: marks[mark] for mark in _rules(ruleset_id).course.periods if mark in marks}
    return marks_label(ruleset_id, periods) or say("set-up")


def option_label(ruleset_id: str, option: str, value: Any = None) -> str:
    """Return an option's question, or, with a value, that answer."""
    options = GAMES[ruleset_id].setup.options
    if value is None:
        return plain.label(options, option)
    key = f"{option}.{value}"
    return say(options[key]) if key in options else plain.spaced_name(str(value))


def options_label(ruleset_id: str, options: Mapping[str, Any]) -> str:
    """Describe a game's options."""
    parts = []
    for name, value in options.items():
        question = option_label(ruleset_id, name)
        answer = (
            option_label(ruleset_id, name, value)
            if isinstance(value, str)
            else (say("yes") if value is True else say("no") if value is False else json.encode(value).decode())
        )
        parts.append(say("{question}: {answer}", question=question, answer=answer))
    return "; ".join(parts)


def option_hint(ruleset_id: str, option: str) -> str:
    """Return an option's explanation; "" if the question is enough."""
    hint = GAMES[ruleset_id].setup.hints.get(option, "")
    return say(hint) if hint else ""


def quickest_choice(ruleset_id: str, option: str) -> str | None:
    """Return the choice of an option with the shortest set-up, or None if all are equal."""
    return GAMES[ruleset_id].setup.quickest.get(option)


def options_grouped(ruleset_id: str, fields: Sequence[Any]) -> list[tuple[str, list[Any]]]:
    """Return the option fields under their headings; a heading may be empty."""
    groups = GAMES[ruleset_id].setup.groups
    named = {field.name: field for field in fields}
    return [(say(heading), [named[name] for name in names]) for heading, names in groups] or [("", list(fields))]


class PathLabels:
    """Names of the places on a game's board, with a cache for the keys of their paths."""

    def __init__(self, ruleset_id: str, names: Names) -> None:
        self._words, self._names = GAMES[ruleset_id], names
        paths = self._words.board.paths
        self._patterns = tuple(sorted(paths, key=lambda path: (-len(path), path.count("*"))))  # the closest first
        self._keys: dict[tuple[str, str], str] = {}  # by (part before the key, key)

    def label(self, path: str) -> str:
        """Return the name of a place: Anna's money. Raises KeyError for a place that the game does not name."""
        if not self._patterns:
            return plain.spaced_name(path.removeprefix("/").replace("/", " "))
        fits = _longest_match(self._patterns, path)
        if fits is None:
            raise KeyError(path)
        pattern, keys, rest = fits
        wild = {}
        for n, key in enumerate(keys):
            if key not in self._keys:
                self._keys[key] = self._key_in_words(*key)
            wild[f"k{n}"] = self._keys[key]
            if key[1].isdigit():
                wild[f"n{n}"] = str(int(key[1]) + 1)
        label = say(self._words.board.paths[pattern], **wild)
        return " ".join([label, *(self._words.value("", key, self._names) for key in rest)]) if rest else label

    def name(self, path: str) -> str:
        """Return the name of a figure; "" for one that the game does not name, or names only on a certain board."""
        try:
            return self.label(path) if self._words.board.called is None else ""
        except KeyError:
            return ""

    def _key_in_words(self, before: str, key: str) -> str:
        is_seat = key.isdigit() and before in self._words.seat_fields
        return self._words.value(before, int(key) if is_seat else key, self._names)


def path_label(ruleset_id: str, path: str, names: Names) -> str:
    """Return the name of a place: Anna's money. Raises KeyError for a place that the game does not name."""
    return PathLabels(ruleset_id, names).label(path)


def place_label(ruleset_id: str, path: str, names: Names) -> str | None:
    """Return the name of a place, or None if the game has none for it."""
    try:
        return path_label(ruleset_id, path, names)
    except KeyError:
        return None


def value_at_place(ruleset_id: str, path: str, value: Any, names: Names) -> str:
    """Describe the value at a place."""
    if value is None or value == []:
        return "–"
    if GAMES[ruleset_id].board.holds_seat(path):
        return name_or_number(value, names)
    name = path.rsplit("/", 1)[-1]
    if is_points(value) and name in GAMES[ruleset_id].ledger.money:
        return column_value(ruleset_id, name, value)
    if is_points(value) and is_cause(path, GAMES[ruleset_id].board.money_paths):
        return points_label(ruleset_id, value)
    if is_points(value) and name.isdigit():  # a figure by seat: of crates, not of players
        return number(value)
    try:
        text = value_label(ruleset_id, name, value, names)
    except (KeyError, TypeError, IndexError):  # a decision uses the name for something else
        text = str(value)
    return number(value) if is_points(value) and text == str(value) else text


def points_label(ruleset_id: str, n: Points) -> str:
    """Return a number of points with its unit."""
    return ("−" if n < 0 else "") + say(GAMES[ruleset_id].points, n=abs(as_points(n)))


def points_with_unit(ruleset_id: str, n: Points) -> str:
    """Return a number of points for a sentence, with “points” if the game has no other unit."""
    if GAMES[ruleset_id].points != "{n}":
        return points_label(ruleset_id, n)
    return ("−" if n < 0 else "") + say_n("{n} point", "{n} points", abs(as_points(n)))


def ranked_by(ruleset_id: str) -> str:
    """Return what decides places in a running game; "" for the totals."""
    text = GAMES[ruleset_id].score.ranked_by
    return say(text) if text else ""


@lru_cache(maxsize=16384)
def _longest_match(patterns: tuple[str, ...], path: str) -> tuple[str, list[tuple[str, str]], list[str]] | None:
    """Find the longest pattern that matches the beginning of a path.

    Args:
        patterns: the longest first.

    Returns:
        the pattern, the keys at its `*` (each after the part before it) or `@`, and the keys after the pattern; or None.
    """
    keys = path.strip("/").split("/")
    for pattern in patterns:
        parts = pattern.replace(".", "/").strip("/").split("/")
        if len(parts) <= len(keys) and all(part in ("*", "@", key) for part, key in zip(parts, keys, strict=False)):
            around = zip(["", *parts], parts, keys, strict=False)
            return (
                pattern,
                [("seat" if part == "@" else before, key) for before, part, key in around if part in "*@"],
                keys[len(parts) :],
            )
    return None


# --- decisions and what followed -------------------------------------------------------------------------------------


def kind_label(ruleset_id: str, tag: str) -> str:
    """Return the label of the button of a kind of decision."""
    return plain.label(GAMES[ruleset_id].decisions.kinds, tag)


def field_label(ruleset_id: str, tag: str, name: str) -> str:
    """Return the question that a field of a decision answers."""
    labels, key = GAMES[ruleset_id].decisions.fields, f"{tag}.{name}"
    return say(labels[key] or name) if key in labels else plain.spaced_name(name)


def part_label(ruleset_id: str, tag: str) -> str:
    """Return the name of a part of a list in a decision."""
    return plain.label(GAMES[ruleset_id].decisions.parts, tag)


def sentence(ruleset_id: str, what: StepShown | Plain, names: Names, seat: Seat | None = None) -> str:
    """Put a step, an effect or a decision into one sentence.

    An effect says what happened, without its rule: "Anna sells 2 red certificates: 2 × $5 = $10". A decision is what
    its button says: "Buy a red certificate". A step says what its player did.

    Args:
        what: a step, an effect or a decision as the viewer may see it.
        seat: of a step, whose score the sentence explains; of a decision, who takes it.
    """
    if isinstance(what, StepShown):
        return (
            _step_sentence(ruleset_id, what, names) if seat is None else _score_sentence(ruleset_id, what, names, seat)
        )
    key = GAMES[ruleset_id], ruleset_id, json.encode(what), tuple(names), translations(), current_sheet_hash()
    if RULE in what:
        return _effect_sentence(*key)
    label = _decision_sentence(*key)
    if seat == TABLE:
        return begin(label, names)
    return label if seat is None else say("{name}: {decision}", name=names[seat], decision=label)


def _score_sentence(ruleset_id: str, step: StepShown, names: Names, seat: Seat) -> str:
    """Say what changed a seat's score in a step; what the step's player did if no effect says it."""
    return "; ".join(score_sentences(ruleset_id, step, names, seat)) or sentence(ruleset_id, step, names)


def explain_cards(ruleset_id: str, decision: Plain, printed: Mapping[str, Any]) -> list[str]:
    """Explain the cards that a decision names, by the printed numbers of the game."""
    aside = GAMES[ruleset_id].choosing.aside
    return [shows for field, value in decision.items() if field != "type" and (shows := aside(field, value, printed))]


def score_sentences(ruleset_id: str, step: StepShown, names: Names, seat: Seat) -> list[str]:
    """Return the effects of a step that changed a seat's score, most important first."""
    return sentences_of_kinds(ruleset_id, step, names, seat, GAMES[ruleset_id].score.moved_by)


def sentences_of_kinds(
    ruleset_id: str, step: StepShown, names: Names, seat: Seat, moving: tuple[type[Effect], ...]
) -> list[str]:
    """Return the sentences of a step's effects of these kinds on a seat, in the order of the kinds."""
    ranked = [
        (moving.index(type(effect)), place)
        for place, effect in enumerate(_rules(ruleset_id).typed_effects(step.effects))
        if type(effect) in moving and seat in getattr(effect, "seats", (getattr(effect, "seat", None),))
    ]
    return [effect_sentence(ruleset_id, step, step.effects[place], names) for _, place in sorted(ranked)]


@lru_cache(SENTENCE_CACHE_SIZE)
def _effect_sentence(words: GameWords, ruleset_id: str, effect: bytes, names: Names, language: Any, sheet: str) -> str:
    """Put an effect into words; cached, because each page shows the last steps again."""
    typed = _rules(ruleset_id).effect(json.decode(effect))
    return begin(sentence_by_kind(ruleset_id, typed, words.effects, names), names)


@lru_cache(SENTENCE_CACHE_SIZE)
def _decision_sentence(
    words: GameWords, ruleset_id: str, decision: bytes, names: Names, language: Any, sheet: str
) -> str:
    """Put a decision into words; cached, because most decisions stay legal from step to step."""
    typed = _rules(ruleset_id).decision(json.decode(decision))
    return sentence_by_kind(ruleset_id, typed, words.decisions.sentences, names)


def sentence_by_kind(ruleset_id: str, struct: Struct, by_kind: Sentences, names: Names) -> str:
    """Describe a decision or an effect in the game's words, or by its field names if the game has none for it."""
    if type(struct) not in by_kind:
        return plain.sentence(struct, names)
    return sentence_for(struct, by_kind, GAMES[ruleset_id].value, names)


def rule_sentence(ruleset_id: str, rule: str) -> str:
    """Return a rule in one sentence, or the rule above it: MP-4.7 for MP-4.7.1; "" if the game has neither."""
    rules = GAMES[ruleset_id].rules if rules_of(ruleset_id) else {}
    while rule and rule not in rules:
        rule = rule.rpartition(".")[0]
    return say(rules[rule]) if rule else ""


def prompt(ruleset_id: str, board: Board, seat: Seat, names: Names) -> str:
    """Return the prompt of a seat on one line: action 1 of 2."""
    return GAMES[ruleset_id].seat.prompt(board, seat, names)


def step_sentences(ruleset_id: str, step: StepShown, names: Names) -> list[str]:
    """Return all sentences of a step; the first says what was done."""
    if step.decision is None or not step.effects:
        return [sentence(ruleset_id, step, names)]
    return [effect_sentence(ruleset_id, step, effect, names) for effect in step.effects]


def effect_sentence(ruleset_id: str, step: StepShown, effect: Plain, names: Names) -> str:
    """Describe an effect of a step; a figure of an earlier period than the step's names its period."""
    rules, text = _rules(ruleset_id), sentence(ruleset_id, effect, names)
    cell = rules.course.figure(rules.effect(effect)) if rules.course.figure is not None else None
    period = rules.course.periods[-1] if rules.course.periods else ""
    if cell is None or not 0 < cell[0][1] < step.marks.get(period, 0):
        return text
    return begin(say("{period}, {sentence}", period=mark_label(ruleset_id, period, cell[0][1]), sentence=text), names)


def lease_label(lease: LeaseTaken, names: Names, writers: Mapping[str, str] = {}) -> str:
    """Name the user and the kind of device that record the game."""
    name = writers.get(lease.by.partition("@")[2], "") or by_label(lease.by, names)
    return say(LEASED_TO[lease.device], name=name)


def _deed_sentence(ruleset_id: str, step: StepShown, names: Names) -> str:
    """Say what a player did, or what the table turned up."""
    assert step.decision is not None
    seat = TABLE if step.seat is None else step.seat
    words = GAMES[ruleset_id]
    telling = {*map(tag_of, words.deed_effects)}
    first = next((effect for effect in step.effects if effect["type"] in telling), next(iter(step.effects), None))
    deed = words.decisions.deeds.get(step.decision["type"], "")
    says_deed = first is not None and first.get("seat") == seat and "to" not in first  # "to" is the next player
    if deed and not says_deed:
        return begin(fill_sentence(deed, {**step.decision, "seat": seat}, words.value, names), names)
    if first:
        return effect_sentence(ruleset_id, step, first, names)
    return sentence(ruleset_id, step.decision, names, seat)


def draw_sentence(step: StepShown) -> str:
    """Say if Daybook drew a fact, or if the table entered it after undoing a draw; empty for other steps."""
    if step.drawn_by_daybook:
        return say("drawn by Daybook")
    if step.replaces_drawn_step is not None:
        return say("entered by hand after Daybook’s draw in step {step} was undone", step=step.replaces_drawn_step)
    return ""


def _step_sentence(ruleset_id: str, step: StepShown, names: Names) -> str:
    """Say what a step of any kind did."""
    match step.type:
        case "decision_recorded" | "decision_as_played":
            if step.decision is None:
                if step.seat in (None, TABLE):
                    return say("Something against the rules was turned up, and the table let it stand")
                return say("{name} made an illegal move, and the table let it stand", name=names[step.seat])
            return _deed_sentence(ruleset_id, step, names)
        case "game_opened":
            return say("The game begins: {names}", names=join_words(list(names)))
        case "decisions_taken_back":
            text = REDONE if step.redone else TAKEN_BACK[step.cause]
            if not step.redone and step.step - (step.to_step or 0) == 2:
                text = TAKEN_BACK_ONE[step.cause]
            return say(text, to=step.to_step, n=step.step - 1) + _reason_clause(step.why)
        case "board_adjusted":
            places = join_words(
                [
                    _corrected_place(ruleset_id, path, before, after, names)
                    for path, (before, after) in step.changes.items()
                    if place_label(ruleset_id, path, names) is not None
                ]
            )
            return say(ADJUSTED[step.cause], places=places) + _reason_clause(step.why)
        case "note_added":
            return say("On step {about}: {text}", about=step.about_step, text=step.text)
        case "table_counted":
            places = join_words(
                [
                    _corrected_place(ruleset_id, path, recorded, counted, names)
                    for path, (recorded, counted) in step.entry["differences"].items()
                    if place_label(ruleset_id, path, names) is not None
                ]
            )
            unsaid = COUNTED_OTHERWISE if step.entry["differences"] else COUNTED_ALIKE
            return say(COUNTED if places else unsaid, places=places)
        case "count_accepted":
            sentence = say(
                "The difference found by the count in step {count} is accepted", count=step.entry["count_step"]
            )
            return sentence + _reason_clause(step.entry["why"])
        case "umpire_named":
            return say("Umpire {number} is named", number=step.entry["umpire"] + 1)
        case "claim_raised":
            return _claim_sentence(ruleset_id, step.entry, names)
        case "ruling_proposed" | "claim_ruled":
            first = step.entry.get("appealed_changes")
            ruled = say(
                RULINGS[step.type][step.entry["ruling"]], claim=step.entry["claim"], to=step.entry.get("to_step")
            )
            of_first = f" ({say(FIRST_RULING[first])})" if first else ""
            return ruled + of_first + _reason_clause(step.entry.get("why", ""))
        case "ruling_consented":
            return say(
                "{name} agrees to the proposal of step {proposal}",
                name=seat_name(step.entry["seat"], names),
                proposal=step.entry["proposal"],
            )
        case "ruling_appealed":
            return say(
                "The ruling on claim {claim} is appealed to umpire {number}",
                claim=step.entry["claim"],
                number=step.entry["umpire"] + 1,
            ) + _reason_clause(step.entry["why"])
        case "claim_closed":
            withdrawn = step.entry.get("withdrawn", False)
            return say(CLAIM_WITHDRAWN if withdrawn else CLAIM_CLOSED, claim=step.entry["claim"]) + _reason_clause(
                step.entry.get("why", "")
            )
        case "lease_taken":
            return say(LEASE_TAKEN[step.entry["device"]])
        case "lease_ended":
            if step.entry.get("revoked"):
                return say("Recording on the device was ended here") + _reason_clause(step.entry.get("why", ""))
            return say("The device handed the game back") + _clock_clause(step.entry.get("clock_ahead_seconds", 0))
        case "day_of_play_set":
            return day_of_play_sentence(step.entry["day"], step.entry.get("previous_day", ""))
        case "game_closed":
            return say("The game was closed: the record is complete")
        case "game_abandoned":
            return say("The game was abandoned") + _reason_clause(step.why)
        case "game_reopened":
            return say("The record was reopened") + _reason_clause(step.why)
        case "game_revealed":
            return say("All covered cards are revealed, and the game cannot continue")
    raise KeyError(step.type)


def _claim_sentence(ruleset_id: str, claim: Mapping[str, Any], names: Names) -> str:
    """Say what was claimed about which steps, and what was proposed."""
    about, last, what = claim["about_step"], claim.get("last_step"), usual_text(claim["statement"])
    if last is None:
        claimed = say("Claim on step {about}: {what}", about=about, what=what)
    else:
        claimed = say("Claim on steps {about} to {last}: {what}", about=about, last=last, what=what)
    if claim.get("leaves_out"):
        return say("{claim} (proposed: leave it out)", claim=claimed)
    if claim.get("figures"):
        pairs = claim["figures"].items()
        named = [
            _corrected_place(ruleset_id, path, recorded, right, names)
            for path, (recorded, right) in pairs
            if place_label(ruleset_id, path, names) is not None
        ]
        return say("{claim} (proposed: {instead})", claim=claimed, instead=join_words(named)) if named else claimed
    if not claim.get("moves"):
        return claimed
    instead = join_words([sentence(ruleset_id, move["decision"], names) for move in claim["moves"]])
    return say("{claim} (proposed: {instead})", claim=claimed, instead=instead)


def usual_text(text: str) -> str:
    """Return a text that Daybook suggested in the viewer's language; another text as it is."""
    return say(text) if text in USUAL_STATEMENTS else text


def _reason_clause(why: str) -> str:
    return f": {usual_text(why)}" if why else ""


def _clock_clause(ahead: int) -> str:
    """Say by how much the device's clock was wrong when it handed the game back.

    Args:
        ahead: seconds.
    """
    if abs(ahead) < TOLERATED_CLOCK_SECONDS:
        return ""
    words = format_timedelta(timedelta(seconds=abs(ahead)), locale=get_locale())
    return "; " + say(CLOCK_AHEAD if ahead > 0 else CLOCK_BEHIND, time=words)


def _corrected_place(ruleset_id: str, path: str, before: Any, after: Any, names: Names) -> str:
    """Name a corrected place; for a number, also the values before and after."""
    place = path_label(ruleset_id, path, names)
    if GAMES[ruleset_id].board.holds_seat(path) or not (is_points(before) and is_points(after)):
        return place
    was, now = (value_at_place(ruleset_id, path, value, names) for value in (before, after))
    return say("{place} {before} → {after}", place=place, before=was, after=now)


# --- refusals --------------------------------------------------------------------------------------------------------


def reason_sentence(reason: Reason, ruleset_id: str = "", names: Names = ()) -> str:
    """Describe a refusal's reason, in the words of its game if one is given."""
    if reason.sentence == READER_SAYS:
        return fault_sentence(unread(str(reason.figures["wrong"])))
    words = GAMES[ruleset_id] if rules_of(ruleset_id) else None
    format_value = _in_words if words is None else words.refusals.figure or words.value
    figures = {
        name: name_or_number(value, names)
        if name == plain.SEAT and isinstance(value, int)
        else format_value(name, value, names)
        for name, value in reason.figures.items()
    }
    sentence = reason.forms or reason.sentence
    if words is not None:
        sentence = words.refusals.reasons.get(reason.sentence, sentence)
    return say_reason(sentence, figures, reason.figures)


READER_SAYS = "{wrong}"  # sentence of a reason that only repeats the error of the JSON parser


def fault_sentence(fault: Fault) -> str:
    """Describe the error in an uploaded text, with all sentences inside it."""
    return say(fault.says, **{name: _in_words(name, figure) for name, figure in fault.figures.items()})


def _in_words(name: str, figure: Any, names: Names = ()) -> Any:
    if isinstance(figure, Fault):
        return fault_sentence(figure)
    if isinstance(figure, Reason):
        return reason_sentence(figure)
    return say(STATUSES[figure]) if name == "status" and figure in STATUSES else figure


# --- scores ----------------------------------------------------------------------------------------------------------


def line_label(ruleset_id: str, line: ScoreLine, names: Names) -> str:
    """Describe a score line with its sum."""
    lines = GAMES[ruleset_id].score.lines
    sentence = lines.get(line.name) or lines.get(line.name.partition(".")[0])
    if sentence is None:
        return plain.spaced_name(line.name)
    fields: Plain = {"name": line.name, "amount": line.amount, **line.figures}
    if callable(sentence):
        return sentence(fields, names)
    return fill_sentence(sentence, fields, GAMES[ruleset_id].value, names)


def explanation_of_line(ruleset_id: str, line: ScoreLine) -> str:
    """Explain a score line in a sentence; "" if the game has none."""
    explanation = GAMES[ruleset_id].score.explanations.get(line.name.partition(".")[0])
    return say(explanation) if explanation else ""


def rounds_of_line(ruleset_id: str, board: Any, seat: Seat, line: ScoreLine) -> list[LineOfRound]:
    """Return what a calculated score line counts in each round; empty for other lines."""
    return GAMES[ruleset_id].score.rounds(board, seat, line)


def is_score_pad(ruleset_id: str) -> bool:
    """Check if the steps of a game are figures that players type."""
    return ruleset_id in GAMES and GAMES[ruleset_id].choosing.grid is not None


def counting_scores(ruleset_id: str, board: Any, scores: Sequence[Score]) -> list[Score]:
    """Return scores without lines that never count."""
    counts = GAMES[ruleset_id].score.counts
    return [
        structs.replace(score, lines=tuple(line for line in score.lines if counts(board, line))) for score in scores
    ]


def counted_at(ruleset_id: str, board: Any, path: str, names: Names) -> list[CountedLine]:
    """Return how a named figure of the board counts, or is calculated."""
    return GAMES[ruleset_id].score.counted_at(board, path, names)


def formula_of_line(ruleset_id: str, board: Any, line: ScoreLine) -> str:
    """Return the formula of a calculated score line; "" for other lines."""
    return GAMES[ruleset_id].score.formula(board, line)


def tiebreak_label(ruleset_id: str, name: str) -> str:
    return plain.label(GAMES[ruleset_id].score.tiebreaks, name)


def won_label(names: Names, ranks: Sequence[int]) -> str:
    """Name the winners, several if they share the win; "lost" if no player won."""
    winners = [names[seat] for seat, rank in enumerate(ranks) if rank == 1]
    return say("{winners} won", winners=join_words(winners)) if winners else say("lost")


def result_sentence(ruleset_id: str, outcome: Outcome, totals: Sequence[Points], names: Names) -> str:
    """Describe the result: "Bert wins with £175, 53 ahead of Clara"."""
    winners = [seat for seat, rank in enumerate(outcome.ranks) if rank == 1]
    if len(outcome.ranks) == 1:
        return say("{name} ends with {score}", name=names[0], score=points_with_unit(ruleset_id, totals[0]))
    if not winners:
        return say("No one wins")
    score, won = points_with_unit(ruleset_id, totals[winners[0]]), join_words([names[seat] for seat in winners])
    if len(winners) > 1:
        return say("{winners} share the win with {score}", winners=won, score=score)
    ranked = {seat: rank for seat, rank in enumerate(outcome.ranks) if rank != 1 and seat not in outcome.unranked}
    if not ranked and (reason := GAMES[ruleset_id].score.unranked):
        return say("{winner} wins with {score}; everyone else is {reason}", winner=won, score=score, reason=say(reason))
    if not ranked:
        return say("{winner} wins with {score}, the only one in the ranking", winner=won, score=score)
    others = [seat for seat, rank in ranked.items() if rank == min(ranked.values())]
    ahead = as_points(totals[winners[0]] - totals[others[0]])
    behind = join_words([names[seat] for seat in others])
    if ahead > 0:
        lead = points_label(ruleset_id, ahead)
        return say("{winner} wins with {score}, {n} ahead of {others}", winner=won, score=score, n=lead, others=behind)
    decided = next((tie for tie in outcome.tiebreaks if tie.values[winners[0]] != tie.values[others[0]]), None)
    if ahead < 0 or decided is None:
        return say(
            "{winner} wins with {score}, before {others} with {other}",
            winner=won,
            score=score,
            others=behind,
            other=points_with_unit(ruleset_id, totals[others[0]]),
        )
    return say(
        "{winner} wins with {score}, level with {others}: {tiebreak} decides",
        winner=won,
        score=score,
        others=behind,
        tiebreak=tiebreak_label(ruleset_id, decided.name),
    )


def unranked_label(ruleset_id: str, outcome: Outcome | None, seat: Seat) -> str:
    """Say why the rules do not rank a seat; empty for a ranked seat."""
    if outcome is None or seat not in outcome.unranked:
        return ""
    return say(GAMES[ruleset_id].score.unranked or N_("not ranked"))


def outcome_sentence(ruleset_id: str, outcome: Outcome, names: Names) -> str:
    """Say why the game ended."""
    return reason_sentence(outcome.reason, ruleset_id, names)
