"""Schemas derived from Structs: marshmallow's and the document's agree, with limits and comments from the Struct."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args
from uuid import UUID

import jsonschema_rs
import marshmallow as ma
import msgspec
import pytest
from msgspec import Meta

from daybook.domain.commands import Command
from daybook.domain.kernel.events import Move
from daybook.domain.kernel.field_types import Day, Step
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.web.api import SECTIONS
from daybook.web.api.clubs import SET_BY_DAYBOOK
from daybook.web.api.schemas import SOURCES, body_of, component_schemas, field_comments, parameters_of, schema_of
from daybook.web.api.writing import NOT_SENT


class Part(Exact):
    size: Annotated[int, Meta(ge=1, le=3)]


class Whole(Exact):
    step: Step  # the newest step
    # above the field,
    # in two lines
    name: Annotated[str, Meta(min_length=1, max_length=5, pattern="^[a-z]+$")] | None = None
    parts: Annotated[tuple[Part, ...], Meta(max_length=2)] = ()
    by_step: dict[Step, Part] = {}
    word: Literal["a", "b"] = "a"
    sure: bool = False
    day: Day = ""
    file: bytes = b""
    game: UUID | None = None
    anything: Any = None


class Asked(Frozen):
    step: Step | None = None  # the step to show
    names: list[str] = []
    sure: bool = False


GOOD = {"step": 3}
FIT = [
    {"name": "abc"},
    {"name": None},
    {"parts": [{"size": 1}, {"size": 3}]},
    {"by_step": {"12": {"size": 2}}},
    {"word": "b", "sure": True},
    {"day": "2026-02-28"},
    {"file": "YWI="},
    {"game": "5f0d9a8e-54f0-4d4f-9c3e-6f6b1c1c7d11"},
    {"anything": [None, {"x": 1}]},
]
MISFIT = [
    {"step": -1},
    {"step": 2**31},
    {"step": "3"},
    {"step": True},
    {"step": None},
    {"name": ""},
    {"name": "abcdef"},
    {"name": "ABC"},
    {"name": 7},
    {"parts": [{"size": 1}] * 3},
    {"parts": [{"size": 4}]},
    {"parts": [{"size": 1, "more": 1}]},
    {"parts": {}},
    {"by_step": {"x": {"size": 2}}},
    {"by_step": {"1": {"size": 0}}},
    {"word": "c"},
    {"sure": 1},
    {"sure": "true"},
    {"day": "2026-2-1"},
    {"day": "2026-02-30"},
    {"file": "???"},
    {"game": "x"},
    {"more": 1},
]


@pytest.fixture(scope="module")
def document() -> jsonschema_rs.Validator:
    components = {"schemas": component_schemas([Whole])}
    return jsonschema_rs.validator_for(
        {"$ref": "#/components/schemas/Whole", "components": components}, validate_formats=True
    )


@pytest.mark.parametrize("body", FIT)
def test_body_that_fits_is_loaded_as_its_struct(document, body):
    sent = GOOD | body
    assert document.is_valid(sent)
    assert schema_of(Whole)().load(sent) == msgspec.json.decode(msgspec.json.encode(sent), type=Whole)


@pytest.mark.parametrize("body", MISFIT)
def test_body_that_does_not_fit_is_refused_by_both(document, body):
    sent = GOOD | body
    assert not document.is_valid(sent)
    with pytest.raises(ma.ValidationError) as refused:
        schema_of(Whole)().load(sent)
    assert list(refused.value.messages) == list(body)


def test_missing_field_is_refused_and_named(document):
    assert not document.is_valid({})
    with pytest.raises(ma.ValidationError) as refused:
        schema_of(Whole)().load({})
    assert list(refused.value.messages) == ["step"]


def test_line_end_after_a_pattern_is_refused():
    for body in ({"day": "2026-02-28\n"}, {"name": "abc\n"}):
        with pytest.raises(ma.ValidationError):
            schema_of(Whole)().load(GOOD | body)


def test_query_reads_numbers_and_booleans_from_text():
    schema = schema_of(Asked, from_text=True)()
    assert schema.load({"step": "12", "names": ["a"], "sure": "true"}) == Asked(12, ["a"], sure=True)
    assert schema.load({}) == Asked()
    for query in ({"step": "1.0"}, {"step": "+1"}, {"step": "٣"}, {"step": 1}, {"sure": "yes"}, {"step": ""}):
        with pytest.raises(ma.ValidationError):
            schema.load(query)


def test_query_parameters_are_never_null_and_have_comments():
    step, *_ = parameters_of(Asked, "query")
    assert step == {
        "in": "query",
        "name": "step",
        "required": False,
        "schema": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1, "description": "the step to show"},
    }


def test_help_is_the_comment_behind_or_above_a_field():
    assert field_comments(Whole) == {"step": "the newest step", "name": "above the field, in two lines"}
    properties = component_schemas([Whole])["Whole"]["properties"]
    assert properties["step"]["description"] == "the newest step"


def test_body_of_several_structs_keeps_limits_and_comments():
    body = body_of("Several", Whole, Asked, without={"parts"})
    assert {*body.__struct_fields__} == {*Whole.__struct_fields__, "names"} - {"parts"}
    assert field_comments(body)["step"] == "the step to show"
    assert schema_of(body)().load({"word": "b"}).word == "b"
    with pytest.raises(ma.ValidationError):
        schema_of(body)().load({"parts": []})


def test_decision_of_a_body_is_one_of_all_games():
    schema = component_schemas([Move])["Move"]["properties"]["decision"]
    assert schema["$ref"].endswith("/Decision")
    assert schema_of(Move)().load({"seat": 0, "decision": {"type": "x"}}) == Move(0, {"type": "x"})


@pytest.mark.parametrize("kind", get_args(Command), ids=lambda kind: kind.__name__)
def test_every_command_has_a_schema(kind: type[msgspec.Struct]):
    assert {*schema_of(kind)().fields} == {*kind.__struct_fields__}
    assert component_schemas([kind])[kind.__name__]["properties"].keys() >= {*kind.__struct_fields__}


def test_fields_that_only_daybook_sets_are_in_no_body():
    assert {name for kind in get_args(Command) for name in kind.__struct_fields__} >= NOT_SENT
    bodies = [kind for section in SECTIONS for kind in section.answer_types if kind in SOURCES]
    assert len(bodies) > 20
    assert {name for body in bodies for name in body.__struct_fields__} & (NOT_SENT | SET_BY_DAYBOOK) == set()
