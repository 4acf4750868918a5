"""Forms made from types: a game's options, the printed numbers of a sheet, places on a board."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from typing import Any, cast, get_args, get_type_hints
from uuid import UUID

import msgspec
from flask import abort, redirect, request, url_for
from msgspec import inspect
from werkzeug import Response

from daybook.domain.kernel import terms
from daybook.domain.kernel.events import Cause
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points, is_half
from daybook.domain.kernel.unique_keys import load_json
from daybook.domain.league.scores import read_score
from daybook.services.names import NOTHING_SEEN, BadNameError, clean_name, refuse_lookalikes
from daybook.services.people.writers import opening_writer
from daybook.services.play.recording import OtherGameError
from daybook.web.request.access import book
from daybook.web.request.security import form_token
from daybook.web.words import say
from daybook.web.words.places import AdjustablePlace

NUMBER = re.compile(r"-?[0-9]{1,9}")


def fresh_key() -> str:
    """Return an idempotency key for a form, so that sending it twice writes once."""
    return secrets.token_urlsafe(15)


def text_sent(field: str) -> str:
    """Return a field of the sent form; "" if missing."""
    return request.form.get(field, "")


def see_other(endpoint: str, **values: Any) -> Response:
    """Redirect to the page to show after a form."""
    return redirect(url_for(endpoint, **values), 303)


def key_sent() -> str:
    """Return the key of the sent form."""
    return text_sent("key")


def why_sent() -> str:
    return text_sent("why")


def parse_number(text: str) -> int | None:
    """Parse a whole number; None if invalid or too long."""
    return int(text) if NUMBER.fullmatch(text) else None


def whole_number_sent(name: str) -> int:
    """Return a whole number of the request; 400 if invalid."""
    number = parse_number(request.values.get(name, ""))
    return abort(400) if number is None else number


def cause_sent() -> Cause:
    """Return the cause of a correction in the form; 400 if invalid."""
    cause = request.form.get("cause", "")
    if cause not in get_args(Cause):
        abort(400)
    return cast(Cause, cause)


def opened_before(error: OtherGameError) -> UUID:
    """Return the game that this form opened before its sender signed in; 400 if another sender did."""
    if book().games.get(error.game).opening.by != opening_writer(None):
        abort(400)
    return error.game


class OptionField(Frozen):
    """An option of a game as a form field."""

    name: str
    kind: str  # "choice" (one of `choices`), "yes" (a checkbox) or "number"
    default: Any
    choices: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None


def option_fields(options: type[terms.Options]) -> list[OptionField]:
    """Return the form fields of a game's options, in order."""
    described, hints = inspect.type_info(options), get_type_hints(options)
    assert isinstance(described, inspect.StructType)
    return [_option_field(field, get_args(hints[field.name])) for field in described.fields]


def _option_field(field: inspect.Field, values: tuple[Any, ...]) -> OptionField:
    match field.type:
        case inspect.LiteralType():
            return OptionField(field.name, "choice", field.default, values)  # in the order they are written
        case inspect.BoolType():
            return OptionField(field.name, "yes", field.default)
        case inspect.IntType(ge=least, le=most):
            return OptionField(field.name, "number", field.default, least=least, most=most)
    raise TypeError(f"no form can ask for the option {field.name}: {field.type}")


def read_options(fields: list[OptionField], form: Mapping[str, str]) -> dict[str, Any]:
    """Return the chosen options unchecked; the rules check them."""
    chosen: dict[str, Any] = {}
    for field in fields:
        sent = form.get(f"option.{field.name}", "")
        if field.kind == "yes":
            chosen[field.name] = bool(sent)
        elif field.kind == "number":
            number = parse_number(sent.strip())
            chosen[field.name] = sent if number is None else number
        else:
            chosen[field.name] = next((value for value in field.choices if str(value) == sent), sent)
    return chosen


def wrong_options(fields: list[OptionField], chosen: Mapping[str, Any]) -> dict[str, str]:
    """Return sentences for options that are not on their list, by form field."""
    wrong: dict[str, str] = {}
    for field in fields:
        if field.kind == "choice" and chosen[field.name] not in field.choices:
            wrong[f"option.{field.name}"] = say("Choose one of these.")
        if field.kind == "number" and not isinstance(chosen[field.name], int):
            wrong[f"option.{field.name}"] = say("Enter a whole number.")
    return wrong


def text_fault(text: str, limit: int, empty: str) -> str | None:
    """Return why a title or name is invalid; None if it is valid.

    Args:
        empty: the sentence for an empty one.
    """
    try:
        clean_name("", text, limit)
    except BadNameError as wrong:
        if wrong.says == NOTHING_SEEN:
            return say("It contains no visible letter. Type a name.")
        length = len(" ".join(text.split()))
        if not length:
            return empty
        if length > limit:
            return say("{length} characters are too many: at most {limit}.", length=length, limit=limit)
        return say("It contains invisible characters. Type it again.")
    return None


def lookalike_fault(names: Sequence[str]) -> dict[int, str]:
    """Return the names at a table that are another one, or look like it, by place."""
    cleaned = [" ".join(name.split()) for name in names]
    for place, name in enumerate(cleaned):
        if name and name in cleaned[:place]:
            return {place: say("Another player at the table has this name. Add a letter to one of them.")}
    try:
        refuse_lookalikes(cleaned)
    except BadNameError as wrong:
        return {
            int(wrong.field.split(".")[1]): say("It looks the same as another name at the table. Change one of them.")
        }
    return {}


class BadTextError(ValueError):
    """Typed text of the wrong kind; the message says what is expected."""


def parse_value(text: str, like: Any) -> Any:
    """Parse a text as a value of the same type as `like`. Raises BadTextError."""
    text = text.strip()
    if isinstance(like, bool):
        if text in ("yes", "no"):
            return text == "yes"
        raise BadTextError(say("enter yes or no"))
    if isinstance(like, int | float):
        return parse_points(text)
    if like is None:
        return None if not text else text if read_score(text) is None else parse_points(text)
    if isinstance(like, list) and (not like or isinstance(like[0], str | int)) and not text.startswith("["):
        parts = [part.strip() for part in text.split(",")] if text else []
        return [parse_whole_number(part) for part in parts] if like and isinstance(like[0], int) else parts
    if isinstance(like, list | dict):
        return _parse_json(text, type(like))
    return text


def parse_points(text: str) -> Points:
    """Parse a typed whole number or half; the rules refuse a half where it does not fit. Raises BadTextError."""
    score = read_score(text)
    return score if is_half(score) else parse_whole_number(text)


def parse_whole_number(text: str) -> int:
    """Parse a typed whole number, with either minus sign. Raises BadTextError."""
    number = parse_number(text.strip().replace("−", "-"))
    if number is None:
        raise BadTextError(say("enter a whole number, not {text}", text=text[:20] or "–"))
    return number


def _parse_json(text: str, kind: type) -> Any:
    try:
        value = load_json(text)
    except (ValueError, RecursionError) as wrong:
        raise BadTextError(say("keep the brackets and quotes as they were")) from wrong
    if not isinstance(value, kind):
        raise BadTextError(say("keep the brackets and quotes as they were"))
    return value


def safe_path(address: str) -> str:
    """Return an address if it is on this site, else the first page."""
    own = address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    return address if own else url_for("home.home")


def record_key(sent: str, fields: Any = None) -> str:
    """Return the idempotency key for the record, made from the form's key, its fields, and this browser's token.

    Records are public, so a key in one must not open the links of another visitor's game. A restored page with other
    fields gets another key. The key stays the same after the sender signs in.
    """
    content = msgspec.json.encode(fields, order="deterministic")
    return hashlib.sha256(f"{form_token()} {sent} ".encode() + content).hexdigest()


def changed_values(
    places: Mapping[str, list[AdjustablePlace]], sent: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the typed values that differ from the board, and faults of those that are invalid."""
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for place in (place for group in places.values() for place in group):
        text = text_typed(place, sent)
        if text.strip() == place.text:
            continue
        try:
            values[place.path] = parse_value(text, place.like)
        except BadTextError as bad:
            wrong[place.path] = str(bad)
    return values, wrong


def with_typed_texts(
    places: Mapping[str, list[AdjustablePlace]], sent: Mapping[str, str]
) -> dict[str, list[AdjustablePlace]]:
    """Return the places with what was typed, for showing the form again."""
    return {
        group: [
            msgspec.structs.replace(place, text=text_typed(place, sent), was=place.was or place.text) for place in some
        ]
        for group, some in places.items()
    }


def text_typed(place: AdjustablePlace, sent: Mapping[str, str]) -> str:
    """Return what was typed for a place, the fields of a list together; its present text without a field."""
    parts = list(takewhile(sent.__contains__, (f"{place.path}#{part}" for part in count())))
    if parts:
        return ", ".join(text for part in parts if (text := sent[part].strip()))
    return sent.get(place.path, place.text)
