"""The form of a practice game: options, number of players, and their level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from flask import render_template, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.games import PACKAGES, PRACTISED
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.limits import LimitExceededError
from daybook.services.names import BadNameError
from daybook.services.play.practice import Level
from daybook.web import words
from daybook.web.request.access import current_person
from daybook.web.request.forms import OptionField, fresh_key, parse_number, read_options, text_sent, wrong_options
from daybook.web.words import say
from daybook.web.words.sign_in import too_many_games


class PracticeForm(msgspec.Struct):
    """Form for practice games.

    Args:
        counts: possible numbers of players.
        levels: possible levels.
        seats: chosen number, 0 for none.
        level: chosen level.
        wrong: sentences by invalid field.
    """

    rules: AnyRuleset
    options: list[OptionField]
    counts: Sequence[int]
    levels: Sequence[Level]
    chosen: dict[str, Any]
    seats: int
    level: Level | None
    wrong: dict[str, str]


def read_practice_form(
    rules: AnyRuleset, options: list[OptionField], counts: Sequence[int], levels: Sequence[Level], seats: int
) -> PracticeForm:
    """Return the sent form, or the defaults: strongest players."""
    if PACKAGES[rules.id].policy is None:
        levels = levels[:1]
    if request.method != "POST":
        usual = {field.name: field.default for field in options}
        return PracticeForm(rules, options, counts, levels, usual, seats, levels[-1], {})
    chosen, seats = read_options(options, request.form), parse_number(text_sent("seats").strip()) or 0
    level = next((level for level in levels if level == (text_sent("level") or levels[0])), None)
    errors = wrong_options(options, chosen)
    errors |= {
        name: say("Choose one of these.")
        for name, is_valid in (("seats", seats in counts), ("level", level))
        if not is_valid
    }
    return PracticeForm(rules, options, counts, levels, chosen, seats, level, errors)


def run_practice_form(
    template: str, form: PracticeForm, play: Callable[[Level], Response], **shown: Any
) -> ResponseReturnValue:
    """Run a valid form, or render the page with its faults."""
    if request.method != "POST":
        return _form_page(template, form, shown)
    status = 422
    if not form.wrong and form.level is not None:
        try:
            return play(form.level)
        except LimitExceededError as locked:
            form.wrong["form"], status = too_many_games(locked, current_person()), 429
        except IllegalDecision as no:
            form.wrong["form"] = words.reason_sentence(no.reason)
        except BadNameError as bad:
            form.wrong["form"] = bad.says
    return _form_page(template, form, shown), status


def _form_page(template: str, form: PracticeForm, shown: dict[str, Any]) -> str:
    return render_template(
        template, key=fresh_key(), several=len(PRACTISED) > 1, **msgspec.structs.asdict(form), **shown
    )
