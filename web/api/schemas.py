"""Schemas derived from Structs: those of marshmallow check requests, the others are for the OpenAPI document.

The type and limits of a field come from the Struct (`msgspec.Meta`), its help from the comment at the field. A request
that marshmallow refuses never reaches a view.
"""

from __future__ import annotations

import ast
import base64
import inspect
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from types import ModuleType
from typing import Any, ClassVar

import marshmallow as ma
import msgspec
from marshmallow import ValidationError, fields, validate
from msgspec import NODEFAULT
from msgspec import inspect as types

from daybook.domain.kernel.field_types import DECISION_FORMAT
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points, is_points
from daybook.services.days import read_day

REF = "#/components/schemas/{name}"
DECISION = REF.format(name="Decision")
BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
SMALL_NUMBER = "^(0|[1-9][0-9]{0,8})$"  # a number that names a property
SOURCES: dict[type[msgspec.Struct], tuple[type[msgspec.Struct], ...]] = {}  # the sources of each Struct of `body_of`


def body_of(name: str, *kinds: type[msgspec.Struct], without: Iterable[str] = ()) -> type[msgspec.Struct]:
    """Return a Struct with the fields of several Structs; later ones replace earlier ones.

    Args:
        without: fields that a request does not send.
    """
    found = {field.name: field for kind in kinds for field in msgspec.structs.fields(kind)}
    body = msgspec.defstruct(
        name,
        [(field.name, field.type, _default_of(field)) for field in found.values() if field.name not in without],
        bases=(Frozen,),
        kw_only=True,
        forbid_unknown_fields=True,
    )
    SOURCES[body] = kinds
    return body


def _default_of(field: msgspec.structs.FieldInfo) -> Any:
    factory, name = field.default_factory, field.encode_name
    return (
        msgspec.field(name=name, default=field.default)
        if factory is NODEFAULT
        else msgspec.field(name=name, default_factory=factory)
    )


# --- marshmallow -----------------------------------------------------------------------------------------------------


class StructSchema(ma.Schema):
    """A schema that loads a Struct. Unknown fields are refused."""

    struct_type: ClassVar[type[msgspec.Struct]]

    class Meta:
        unknown = ma.RAISE

    @ma.post_load
    def build(self, data: dict[str, Any], **_: Any) -> msgspec.Struct:
        return self.struct_type(**data)


@cache
def schema_of(kind: type[msgspec.Struct], *, from_text: bool = False) -> type[StructSchema]:
    """Make the marshmallow schema of a Struct.

    Args:
        from_text: numbers and booleans are sent as text, as in a query.
    """
    declared = {
        field.name: _field_of(field.type, from_text, required=field.required, data_key=field.encode_name)
        for field in _fields_of(kind)
    }
    return type(f"{kind.__name__}Schema", (StructSchema,), {"struct_type": kind, **declared})


def _fields_of(kind: type[msgspec.Struct]) -> tuple[types.Field, ...]:
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    return info.fields


def _without_metadata(kind: types.Type) -> types.Type:
    return kind.type if isinstance(kind, types.Metadata) else kind


def _field_of(kind: types.Type, from_text: bool = False, **more: Any) -> fields.Field[Any]:
    """Make the marshmallow field of a type."""
    match kind:
        case types.Metadata(type=inner, extra_json_schema=extra):
            field = _field_of(inner, from_text, **more)
            if (extra or {}).get("format") == "date":
                field.validators.append(_check_day)
            return field
        case types.UnionType(types=(types.IntType(), types.FloatType())):
            return PointsField(**more)
        case types.UnionType(types=several):
            (inner,) = (each for each in several if not isinstance(each, types.NoneType))
            return _field_of(inner, from_text, **more, allow_none=not from_text)
        case types.AnyType():
            return fields.Raw(allow_none=True, **more)
        case types.BoolType():
            return fields.Boolean(truthy={"true"}, falsy={"false"}, **more) if from_text else JsonBoolean(**more)
        case types.IntType(ge=least, le=most):
            limits = [validate.Range(least, most)]
            return (
                TextInteger(validate=limits, **more)
                if from_text
                else fields.Integer(strict=True, validate=limits, **more)
            )
        case types.StrType(min_length=least, max_length=most, pattern=pattern):
            checks: list[validate.Validator] = [validate.Length(least, most)]
            return fields.String(validate=[*checks, Pattern(pattern)] if pattern else checks, **more)
        case types.LiteralType(values=values):
            return fields.String(validate=validate.OneOf(values), **more)
        case types.UUIDType():
            return fields.UUID(**more)
        case types.BytesType():
            return Base64File(**more)
        case types.ListType(item_type=item, min_length=least, max_length=most):
            return fields.List(_field_of(item, from_text), validate=validate.Length(least, most), **more)
        case types.VarTupleType(item_type=item, min_length=least, max_length=most):
            return TupleOf(_field_of(item, from_text), validate=validate.Length(least, most), **more)
        case types.DictType(key_type=key, value_type=value, min_length=least, max_length=most):
            return fields.Dict(
                _field_of(key, from_text=True), _field_of(value), validate=validate.Length(least, most), **more
            )
        case types.StructType(cls=cls):
            return fields.Nested(schema_of(cls), **more)
    raise TypeError(f"no field for {kind}")


def _check_day(day: str) -> None:
    if read_day(day) is None:
        raise ValidationError("There is no such day.")


class Pattern(validate.Validator):
    """A pattern for the whole text; no line end may follow."""

    def __init__(self, pattern: str) -> None:
        self.regex = re.compile(pattern.removeprefix("^").removesuffix("$"))

    def __call__(self, value: str) -> str:
        if not self.regex.fullmatch(value):
            raise ValidationError("Does not have the form that the document describes.")
        return value


class TextInteger(fields.Integer):
    """An integer sent as text: ASCII digits and nothing else."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"-?(0|[1-9][0-9]{0,18})", value):
            raise ValidationError("Not a whole number.")
        return int(value)


class PointsField(fields.Number[Points]):
    """A whole number or a half."""

    num_type = float

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Points:
        if not is_points(value):
            raise ValidationError("Not a whole number or a half.")
        return value


class JsonBoolean(fields.Boolean):
    """JSON's true or false."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("Not true or false.")
        return value


class TupleOf(fields.List[Any]):
    """A list that is loaded as a tuple."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        return tuple(super()._deserialize(value, attr, data, **kwargs))


class Base64File(fields.String):
    """The bytes of a file, in Base64."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            return base64.b64decode(super()._deserialize(value, attr, data, **kwargs), validate=True)
        except ValueError as wrong:
            if isinstance(wrong, ValidationError):
                raise
            raise ValidationError("Not Base64.") from wrong


# --- the document ----------------------------------------------------------------------------------------------------


def component_schemas(kinds: Sequence[type[msgspec.Struct]]) -> dict[str, dict[str, Any]]:
    """Return the schemas of Structs and of those within them, by name, with the comments at their fields."""
    components = msgspec.json.schema_components(kinds, ref_template=REF)[1]
    for kind in _structs_in(kinds):
        comments = field_comments(kind)
        for field in _fields_of(kind):
            part = components[kind.__name__]["properties"][field.encode_name]
            if field.name in comments:
                part["description"] = comments[field.name]
            match _without_metadata(field.type):
                case types.DictType(key_type=types.IntType()):
                    part["propertyNames"] = {"pattern": SMALL_NUMBER}
    return {name: _refined(component) for name, component in components.items()}


def parameters_of(kind: type[msgspec.Struct], location: str) -> list[dict[str, Any]]:
    """Return the parameters of the document for a query or headers."""
    schema = component_schemas([kind])[kind.__name__]
    return [
        {"in": location, "name": name, "required": name in schema["required"], "schema": _without_null(part)}
        for name, part in schema["properties"].items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter, which is sent or missing, and never null."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) != 1:
        return schema
    more = {name: part for name, part in schema.items() if name != "anyOf" and (name, part) != ("default", None)}
    return {**kinds[0], **more}


def _refined(schema: Any) -> Any:
    """Return a part of a schema with the decisions of all games and the pattern of Base64 filled in."""
    if isinstance(schema, list | tuple):
        return [_refined(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("format") == DECISION_FORMAT:
        return {"$ref": DECISION, "description": schema["description"]}
    found = {name: _refined(part) for name, part in schema.items()}
    return found | {"pattern": BASE64} if schema.get("contentEncoding") == "base64" else found


def _structs_in(kinds: Iterable[Any]) -> set[type[msgspec.Struct]]:
    """Return Structs and all Structs within them."""
    found: set[type[msgspec.Struct]] = set()
    waiting: list[types.Type] = [*types.multi_type_info(kinds)]
    while waiting:
        info = waiting.pop()
        if isinstance(info, types.StructType):
            if info.cls in found:
                continue
            found.add(info.cls)
            waiting += (field.type for field in info.fields)
        else:
            waiting += _inner_types(info)
    return found


def _inner_types(info: types.Type) -> Iterator[types.Type]:
    """Yield the types that a type contains, one level deep."""
    for name in ("type", "item_type", "key_type", "value_type"):
        if isinstance(part := getattr(info, name, None), types.Type):
            yield part
    for name in ("types", "item_types"):
        yield from getattr(info, name, ())


# --- comments --------------------------------------------------------------------------------------------------------


@cache
def field_comments(kind: type[msgspec.Struct]) -> dict[str, str]:
    """Return the comments at the fields of a Struct: behind a field, or above it."""
    found: dict[str, str] = {}
    for part in SOURCES.get(kind, (kind,)):
        for base in reversed(part.__mro__):
            if issubclass(base, msgspec.Struct) and base is not msgspec.Struct and base not in SOURCES:
                found |= _comments_of_module(sys.modules[base.__module__]).get(base.__qualname__, {})
    return found


@cache
def _comments_of_module(module: ModuleType) -> dict[str, dict[str, str]]:
    """Return the comments at the fields of all classes of a module, by class and field."""
    source = inspect.getsource(module)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {token.start[0]: token for token in tokens if token.type == tokenize.COMMENT}
    whole_lines = {line for line, token in comments.items() if not token.line[: token.start[1]].strip()}

    def comment_at(node: ast.AnnAssign) -> str:
        lines = [line for line in range(node.lineno, (node.end_lineno or 0) + 1) if line in comments]
        above = node.lineno - 1
        while above in whole_lines and lines in ([], [*range(above + 1, node.lineno)]):
            lines.insert(0, above)
            above -= 1
        return " ".join(comments[line].string.lstrip("# ") for line in lines)

    return {
        item.name: {
            field.target.id: comment
            for field in item.body
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and (comment := comment_at(field))
        }
        for item in ast.parse(source).body
        if isinstance(item, ast.ClassDef)
    }
