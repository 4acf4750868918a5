"""Sections of the API: requests are checked strictly, answers are Structs.

The OpenAPI document is generated from the same Structs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import wraps
from http import HTTPStatus
from typing import Any, NoReturn, TypeVar, cast

import marshmallow as ma
import msgspec
from flask import Request, Response, current_app, request
from flask_smorest import Blueprint
from webargs.flaskparser import FlaskParser
from werkzeug.datastructures import MultiDict

from daybook.services.reading_limits import COMMAND_BYTES
from daybook.web.api import errors
from daybook.web.api.errors import FRESH_KEY, ApiError
from daybook.web.api.schemas import REF, parameters_of, schema_of
from daybook.web.api.strict import parse_json
from daybook.web.request.access import book as book
from daybook.web.request.body_limits import limit_bodies

View = TypeVar("View", bound=Callable[..., Any])

READ = (400, 401, 403, 404, 410, 422, 429, 503)  # failures of a request that reads a game
ASK = (*READ, 413, 415)  # failures of a request that sends a body and writes nothing
WRITE = (*ASK, 409)


class Strict(FlaskParser):
    """Parser that reads bodies with `strict`, and refuses repeated and unknown parameters."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": ma.RAISE}

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        return parse_json(body(req, ("application/json",)))

    def load_querystring(self, req: Request, schema: ma.Schema) -> Any:
        for name, values in req.args.lists():
            field = schema.fields.get(name)
            if len(values) > 1 and not isinstance(field, ma.fields.List):
                raise ApiError(
                    422,
                    "name_twice",
                    f"the parameter {name[:40]!a} is sent more than once",
                    "send it once",
                    fields={name: ["Given more than once."]},
                )
        return super().load_querystring(req, schema)

    def load_headers(self, req: Request, schema: ma.Schema) -> Any:
        """Load only the headers of the schema."""
        wanted = (field.data_key or name for name, field in schema.fields.items())
        return MultiDict((name, req.headers[name]) for name in wanted if name in req.headers)

    def handle_error(self, error: ma.ValidationError, req: Request, schema: ma.Schema, **_: Any) -> NoReturn:
        location, fields = next(iter(cast(dict[str, Any], error.messages).items()))
        if location == "headers":
            raise ApiError(400, "bad_idempotency_key", _first_complaint(fields), FRESH_KEY, fields=fields)
        raise ApiError(
            422, "bad_fields", _first_complaint(fields), "correct the fields named in details", fields=fields
        )


def body(req: Request, kinds: tuple[str, ...]) -> bytes:
    """Return a request's body. Raises ApiError (415) for another media type."""
    if req.mimetype not in kinds or req.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise ApiError(
            415,
            "wrong_media_type",
            f"the body is {req.mimetype[:80]!a}, not {' or '.join(kinds)}",
            f"send the header Content-Type: {kinds[0]}",
        )
    return req.get_data(cache=True)


def _first_complaint(fields: Any, path: str = "") -> str:
    """Return the first complaint of marshmallow, with its path."""
    if isinstance(fields, list):
        return f"{path}: {fields[0]}" if path else str(fields[0])
    name, part = next(iter(fields.items()))
    return _first_complaint(part, path if name == "_schema" else f"{path}.{name}" if path else f"{name}")


class Section(Blueprint):
    """A chapter of the API and of its document. `answer_types` are the Structs of its bodies and answers."""

    ARGUMENTS_PARSER = Strict()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.answer_types: list[type[msgspec.Struct]] = []

    def arguments(self, kind: type[msgspec.Struct], *, location: str = "json", **_: Any) -> Callable[[View], View]:
        """Load a Struct from a request's body, query or headers, and hand it to the view."""
        schema = schema_of(kind, from_text=location != "json")()
        if location == "json":
            self.answer_types.append(kind)

        def decorator(view: View) -> View:
            loaded: Any = self.ARGUMENTS_PARSER.use_args(schema, location=location)(view)
            described: dict[str, Any] = deepcopy(getattr(view, "_apidoc", {}))
            described.setdefault("requests", []).append((location, kind))
            loaded._apidoc = described
            if location == "query":
                loaded.parameters = {field.data_key or name: field for name, field in schema.fields.items()}
            return cast(View, loaded)

        return decorator

    def _prepare_arguments_doc(self, doc: Any, doc_info: Any, **more: Any) -> Any:
        doc = super()._prepare_arguments_doc(doc, doc_info, **more)
        for location, kind in doc_info.get("requests", ()):
            if location == "json":
                schema = {"$ref": REF.format(name=kind.__name__)}
                doc["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
            else:
                doc.setdefault("parameters", []).extend(
                    parameters_of(kind, "header" if location == "headers" else location)
                )
        return doc

    def answers(
        self, status: int, kind: type[msgspec.Struct], description: str, fails: tuple[int, ...] = ()
    ) -> Callable[[View], View]:
        """Encode the view's value as the answer. `fails` lists the statuses of its failures."""
        self.answer_types.append(kind)

        def decorator(view: View) -> View:
            @wraps(view)
            def with_json_answer(*args: Any, **kwargs: Any) -> Response:
                return json_answer(view(*args, **kwargs), status)

            described = self.response(status, kind.__name__, description=description)(with_json_answer)
            return cast(View, self.failing(*fails)(described))

        return decorator

    def reads(
        self,
        path: str,
        answer: type[msgspec.Struct],
        description: str,
        *,
        query: type[msgspec.Struct] | None = None,
        key: bool = False,
        fails: tuple[int, ...] = READ,
    ) -> Callable[[View], View]:
        """Route a view that reads.

        Args:
            description: of the answer.
            key: the view needs a key.
        """

        def decorator(view: View) -> View:
            view = self.answers(200, answer, description, fails=fails)(view)
            if query is not None:
                view = self.arguments(query, location="query")(view)
            return cast(View, self.route(path)(self.needs_key(view) if key else view))

        return decorator

    def acts(
        self,
        path: str,
        answer: type[msgspec.Struct],
        description: str,
        *,
        body: type[msgspec.Struct] | None = None,
        method: str = "POST",
        status: int = 200,
        fails: tuple[int, ...] = WRITE,
    ) -> Callable[[View], View]:
        """Route a view that needs a key and changes something. Writes into a record use `writes`."""

        def decorator(view: View) -> View:
            view = self.answers(status, answer, description, fails=fails)(view)
            if body is not None:
                view = self.arguments(body)(view)
            return cast(View, self.route(path, methods=[method])(self.needs_key(view)))

        return decorator

    def needs_key(self, view: View) -> View:
        """Document that a view needs a key."""
        return cast(View, self.doc(security=[{"key": []}])(view))

    def failing(self, *statuses: int) -> Callable[[View], View]:
        """Document the statuses of a view's failures."""
        named = {str(status): HTTPStatus(status).name for status in (*statuses, 500)}
        return cast(Callable[[View], View], self.doc(responses=named))


def section(name: str, description: str) -> Section:
    new = Section(name, __name__, url_prefix="/api/v1", description=description)
    limit_bodies(new, COMMAND_BYTES)
    new.before_request(_refuse_unknown_parameters)
    errors.answer_for(new)
    return new


def _refuse_unknown_parameters() -> None:
    """Raise ApiError for unknown query parameters."""
    known = getattr(current_app.view_functions[request.endpoint or ""], "parameters", ())
    for name in request.args:
        if name not in known:
            allowed = f"the parameters here are {', '.join(known)}" if known else "this address takes no parameters"
            raise ApiError(
                422,
                "unknown_parameter",
                f"there is no parameter {name[:40]!a}: {allowed}",
                "leave it out; the API document lists the parameters of each address",
                fields={name[:40]: ["Unknown field."]},
                known=list(known),
            )


def json_answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a value as JSON. No cache may store it: another key may see less."""
    answer = Response(msgspec.json.encode(value), status, headers, mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer
