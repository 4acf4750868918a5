"""Forms made from types: a game's options, the printed numbers of a sheet, places on a board."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args, get_type_hints
from uuid import UUID

import msgspec
from flask import abort, redirect, request, url_for
from msgspec import inspect
from werkzeug import Response

from daybook.domain.kernel import terms
from daybook.domain.kernel.events import Cause
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.unique_keys import load_json
from daybook.services.names import NOTHING_SEEN, BadName, checked_name, refuse_lookalikes
from daybook.services.people.access import opening_writer
from daybook.services.play.recording import OtherGameError
from daybook.web.request.access import book
from daybook.web.request.security import word_of_forms
from daybook.web.words import say
from daybook.web.words.places import AdjustablePlace

NUMBER = re.compile(r"-?[0-9]{1,9}")


def fresh_key() -> str:
    """An idempotency key for one form: sent twice, it is written once."""
    return secrets.token_urlsafe(15)


def text_sent(field: str) -> str:
    """What the form that was sent says in a field; empty: nothing."""
    return request.form.get(field, "")


def see_other(endpoint: str, **values: Any) -> Response:
    """The answer to a form that was done: the page to look at now."""
    return redirect(url_for(endpoint, **values), 303)


def key_sent() -> str:
    """The key of the form that was sent."""
    return text_sent("key")


def why_sent() -> str:
    return text_sent("why")


def number_in(text: str) -> int | None:
    """The whole number that a text is; None: it is none, or longer than anything that is counted here."""
    return int(text) if NUMBER.fullmatch(text) else None


def whole_number_sent(name: str) -> int:
    """A whole number that the request carries under a name; anything else is a bad request."""
    number = number_in(request.values.get(name, ""))
    return abort(400) if number is None else number


def cause_sent() -> Cause:
    """Why something is put right, as the form says."""
    cause = request.form.get("cause", "")
    if cause not in get_args(Cause):
        abort(400)
    return cast(Cause, cause)


def opened_before(other: OtherGameError) -> UUID:
    """The game that this very form has opened already, before whoever sent it signed in. 400 where somebody else did."""
    if book().games.get(other.game).opening.by != opening_writer(None):
        abort(400)
    return other.game


class OptionField(Frozen):
    """One option of a game. kind: "choice" (one of `choices`), "yes" (a box to tick) or "number"."""

    name: str
    kind: str
    default: Any
    choices: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None


def option_fields(options: type[terms.Options]) -> list[OptionField]:
    """What a game's options ask, in their order."""
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
    """What was chosen, as it was sent; the rules check it."""
    chosen: dict[str, Any] = {}
    for field in fields:
        sent = form.get(f"option.{field.name}", "")
        if field.kind == "yes":
            chosen[field.name] = bool(sent)
        elif field.kind == "number":
            number = number_in(sent.strip())
            chosen[field.name] = sent if number is None else number
        else:
            chosen[field.name] = next((value for value in field.choices if str(value) == sent), sent)
    return chosen


def wrong_options(fields: list[OptionField], chosen: Mapping[str, Any]) -> dict[str, str]:
    """What was chosen and is on no list: field of the form -> sentence."""
    wrong: dict[str, str] = {}
    for field in fields:
        if field.kind == "choice" and chosen[field.name] not in field.choices:
            wrong[f"option.{field.name}"] = say("Choose one of these.")
        if field.kind == "number" and not isinstance(chosen[field.name], int):
            wrong[f"option.{field.name}"] = say("Enter a whole number.")
    return wrong


def text_fault(text: str, limit: int, empty: str) -> str | None:
    """Why a title or a name cannot be taken; None: it can. empty: what to say where nothing was written."""
    try:
        checked_name("", text, limit)
    except BadName as wrong:
        if wrong.says == NOTHING_SEEN:
            return say("No letter of it can be seen.")
        length = len(" ".join(text.split()))
        if not length:
            return empty
        if length > limit:
            return say("{length} characters; at most {limit}.", length=length, limit=limit)
        return say("It contains characters that cannot be shown.")
    return None


def lookalike_fault(names: Sequence[str]) -> dict[int, str]:
    """Which of the names at one table nobody can tell from another by looking; by its place."""
    try:
        refuse_lookalikes([" ".join(name.split()) for name in names])
    except BadName as wrong:
        return {
            int(wrong.field.split(".")[1]): say(
                "Only a letter that cannot be seen tells it from another name at the table."
            )
        }
    return {}


class BadText(ValueError):
    """A typed text that is not of the kind asked for; the message says what is."""


def value_of(text: str, like: Any) -> Any:
    """The value a text stands for, of the kind of `like`. Raises BadText."""
    text = text.strip()
    if isinstance(like, bool):
        if text in ("yes", "no"):
            return text == "yes"
        raise BadText(say("write yes or no"))
    if isinstance(like, int):
        return whole_number(text)
    if like is None:
        return None if not text else whole_number(text) if text.lstrip("-").isdecimal() else text
    if isinstance(like, list) and (not like or isinstance(like[0], str | int)) and not text.startswith("["):
        parts = [part.strip() for part in text.split(",")] if text else []
        return [whole_number(part) for part in parts] if like and isinstance(like[0], int) else parts
    if isinstance(like, list | dict):
        return _json(text, type(like))
    return text


def whole_number(text: str) -> int:
    """A whole number as people type it, with either minus. Raises BadText."""
    number = number_in(text.strip().replace("−", "-"))
    if number is None:
        raise BadText(say("write a whole number, not {text}", text=text[:20] or "–"))
    return number


def _json(text: str, kind: type) -> Any:
    try:
        value = load_json(text)
    except (ValueError, RecursionError) as wrong:
        raise BadText(say("write it as it was: with the same brackets and quotes")) from wrong
    if not isinstance(value, kind):
        raise BadText(say("write it as it was: with the same brackets and quotes"))
    return value


def own_path(address: str) -> str:
    """An address of this site, or the first page. What cannot be shown stands in no header."""
    own = address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    return address if own else url_for("home.home")


def own_key(sent: str, asked: Any = None) -> str:
    """The key of a form as a record keeps it: made from the form's and this browser's own.

    Records are shared, and a key read out of one must not open its links again. asked: all that the form says; a page
    that a browser kept and that says something else now asks for another game. A form that was sent before its sender
    signed in is the same one afterwards.
    """
    content = msgspec.json.encode(asked, order="deterministic")
    return hashlib.sha256(f"{word_of_forms()} {sent} ".encode() + content).hexdigest()


def values_typed(
    places: Mapping[str, list[AdjustablePlace]], sent: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """What was typed differently from what lies there, and what of it cannot be read."""
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for place in (place for some in places.values() for place in some):
        text = sent.get(place.path, place.text)
        if text.strip() == place.text:
            continue
        try:
            values[place.path] = value_of(text, None if place.seat else place.value)
        except BadText as bad:
            wrong[place.path] = str(bad)
    return values, wrong


def with_texts(
    places: Mapping[str, list[AdjustablePlace]], sent: Mapping[str, str]
) -> dict[str, list[AdjustablePlace]]:
    """The places with what was typed, as the form shows it again."""
    return {
        group: [msgspec.structs.replace(place, text=sent.get(place.path, place.text)) for place in some]
        for group, some in places.items()
    }
