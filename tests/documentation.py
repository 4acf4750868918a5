"""The generated parts of the documentation: what stands in a file, from the types that read it, and what is counted.

`python -m tests.documentation` writes them anew; a test fails while they are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from daybook.domain.commands import LINKS, AddEntry, Decide, Line
from daybook.domain.games import RULESETS, STATISTICS
from daybook.domain.kernel import events
from daybook.domain.kernel.game_statistics import COMMON, Measure
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import kinds_in
from daybook.domain.league import club_events
from daybook.domain.league.club_events import ROLES
from daybook.domain.league.seasons import DEFAULTS, WORTH, Format
from daybook.domain.league.tiebreaks import ALL
from daybook.services.files import clubfile, recordfile
from daybook.services.permissions.actions import CLUBS, ClubAction
from daybook.web.api.schemas import field_comments
from tests import permanent_names
from tests.permanent_names import fields_of, nested_types

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "record-format.md"
PAGES = (PAGE, DOCS / "statistics.md", DOCS / "leagues.md", DOCS / "permanent-names.md")
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def document_game(ruleset: Ruleset[Any]) -> str:
    """Document the records of one game: options, decisions, effects, board."""
    columns, periods, types = ruleset.ledger.columns, ruleset.course.periods, ruleset.types
    return "\n".join(
        [
            f"`{ruleset.id}`, revision {ruleset.revision} of the rules, for {ruleset.seats[0]} to {ruleset.seats[-1]} "
            f"seats. Ledger columns: {_names(columns)}. Scored when they end: {_names(periods)}.",
            "",
            *_options(types.options),
            "**Decisions**",
            "",
            *_table(kinds_in(types.decisions)),
            "**Effects.** Each also has `rule`, the rule that caused it.",
            "",
            *_table(kinds_in(types.effects), left_out=("rule",)),
            "**Board**",
            "",
            *_structs(types.board),
        ]
    )


def documented_header() -> str:
    return "\n".join(_structs(recordfile.Header))


def documented_bare() -> str:
    beside = (*LINKS, "seat", "decision")
    fielded = [line for line in get_args(Line) if line not in (Decide, AddEntry)]
    return "\n".join(
        [
            "The header:",
            "",
            *_structs(recordfile.BareHeader),
            "Each line after it is one thing that happened. A decision is `seat` and `decision`, with `as_played` next to "
            "them if it stood against the rules; `entry` is an entry of a claim or a count, its `type` and its fields as "
            "in a full file. The others are a word and its fields:",
            "",
            *_table(fielded, left_out=beside),
            "Optional fields of every line:",
            "",
            *_structs(recordfile.LineFields),
        ]
    )


def documented_events() -> str:
    return _events(get_args(events.AnyEvent))


def _events(kinds: tuple[Any, ...]) -> str:
    nested = [kind for item in kinds for kind in nested_types(item)]
    return "\n".join(
        [
            *_table(kinds, left_out=events.OF_WRITING),
            *(line for kind in dict.fromkeys(nested) for line in _struct(kind)),
        ]
    )


def documented_club_header() -> str:
    return "\n".join(_structs(clubfile.ClubHeader))


def documented_club_events() -> str:
    return _events(get_args(club_events.AnyEvent))


def documented_games() -> str:
    return "\n".join(f"### {ruleset.title}\n\n{document_game(ruleset)}" for ruleset in RULESETS.values())


def documented_measures() -> str:
    """Return the measures of every game, and of each."""
    parts = [_measures("Every game", COMMON)]
    parts += [_measures(ruleset.title, STATISTICS[ruleset.id].measures) for ruleset in RULESETS.values()]
    return "\n".join(parts)


def documented_formats() -> str:
    """The kinds of seasons, as they open by default."""
    rows = [
        f"| `{kind}` | {', '.join(map(str, format.table_sizes))} | {format.rounds or 'open'} "
        f"| {', '.join(f'`{code}`' for code in format.tiebreaks)} |"
        for kind, format in DEFAULTS.items()
    ]
    return "\n".join(
        ["| kind | table sizes, the preferred first | rounds | what decides |", "|---|---|---|---|", *rows]
    )


def documented_format() -> str:
    return "\n".join(_structs(Format))


def documented_points() -> str:
    rows = [f"| {seats} | {'-'.join(map(str, worth))} |" for seats, worth in WORTH.items()]
    return "\n".join(["| seats | points of the places, the first place first |", "|---|---|", *rows])


def documented_tiebreaks() -> str:
    rows = [f"| `{item.code}` | {item.name.sentence} | {item.says.sentence} | {item.source} |" for item in ALL]
    return "\n".join(["| id | name | what its column says | source |", "|---|---|---|---|", *rows])


def documented_roles() -> str:
    rights = {action: [role for role in CLUBS[action].roles if role in ROLES] for action in get_args(ClubAction)}
    rows = [f"| `{action}` | {', '.join(roles)} |" for action, roles in rights.items()]
    return "\n".join(["| action | roles |", "|---|---|", *rows])


def _measures(title: str, measures: tuple[Measure, ...]) -> str:
    rows = [f"| `{measure.key}` | {measure.says} | {measure.unit} | {_splits_text(measure)} |" for measure in measures]
    return "\n".join([f"### {title}", "", "| measure | what it is | unit | split by |", "|---|---|---|---|", *rows, ""])


def _splits_text(measure: Measure) -> str:
    by = "period" if measure.by == "*" else measure.by
    return ", ".join(part for part in ("of the game as a whole" if measure.whole else "", measure.things, by) if part)


PARTS = {
    "header": documented_header,
    "club_header": documented_club_header,
    "club_events": documented_club_events,
    "events": documented_events,
    "bare": documented_bare,
    "games": documented_games,
    "measures": documented_measures,
    "formats": documented_formats,
    "format": documented_format,
    "points": documented_points,
    "tiebreaks": documented_tiebreaks,
    "roles": documented_roles,
    **{name: partial(permanent_names.table, name) for name in permanent_names.TABLES},
}


def rewrite_page(page: str) -> str:
    """The page with its generated parts as they should be."""
    return PART.sub(lambda found: f"{found[1]}\n{_tidy(PARTS[found[2]]())}\n\n{found[3]}", page)


def _tidy(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _names(names: Any) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _options(options: type) -> list[str]:
    fields = msgspec.structs.fields(options)
    if not fields:
        return []
    return ["**Options**", "", *_fields(options), *_docstring_line(options), ""]


def _table(kinds: Sequence[Any], left_out: tuple[str, ...] = ()) -> Iterator[str]:
    """One row for each tagged type."""
    yield "| type | fields | meaning |"
    yield "|---|---|---|"
    for kind in kinds:
        fields = "; ".join(
            f"`{field.name}`: {_type(kind, field.name)}{_optional(field)}{_comment(kind, field.name)}"
            for field in msgspec.structs.fields(kind)
            if field.name not in left_out
        )
        yield f"| `{tag_of(kind)}` | {fields or 'none'} | {' '.join(_docstring_line(kind))} |"
    yield ""


def _structs(kind: type) -> Iterator[str]:
    """A type without a tag, and those within it."""
    for each in dict.fromkeys((kind, *nested_types(kind))):
        yield from _struct(each, titled=each is not kind)


def _struct(kind: type, titled: bool = True) -> Iterator[str]:
    if titled:
        yield f"`{kind.__name__}`"
        yield ""
    yield from _fields(kind)
    yield from _docstring_line(kind)
    yield ""


def _fields(kind: type) -> Iterator[str]:
    yield "| field | contains |"
    yield "|---|---|"
    for field in msgspec.structs.fields(kind):
        yield f"| `{field.name}` | {_type(kind, field.name)}{_optional(field)}{_comment(kind, field.name)} |"
    yield ""


def _docstring_line(kind: type) -> list[str]:
    """A type's own docstring, in one line."""
    text = kind.__dict__.get("__doc__") or ""
    return [" ".join(text.split())] if text else []


def _comment(kind: type[msgspec.Struct], field: str) -> str:
    """Return the comment at a field of a Struct, in brackets."""
    comment = field_comments(kind).get(field, "").replace("|", "\\|")
    return f" [{comment}]" if comment else ""


def _optional(field: Any) -> str:
    return "" if field.required else " (optional)"


def _type(kind: type, field: str) -> str:
    return _type_in_words(fields_of(kind)[field])


def _type_in_words(info: inspect.Type) -> str:
    """A type in words."""
    match info:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "whole number"
        case inspect.FloatType():
            return "half"
        case inspect.StrType():
            return "text"
        case inspect.UUIDType():
            return "id (UUID)"
        case inspect.NoneType():
            return "null"
        case inspect.AnyType():
            return "any value"
        case inspect.LiteralType(values=values):
            return ", ".join(f"`{value}`" for value in values)
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return f"list of {_type_in_words(item)}"
        case inspect.TupleType(item_types=items):
            return f"list: {', '.join(map(_type_in_words, items))}"
        case inspect.DictType(value_type=value):
            return f"object of {_type_in_words(value)}"
        case inspect.StructType(cls=cls):
            return f"`{cls.__name__}`"
        case inspect.UnionType(types=several):
            return " or ".join(map(_type_in_words, several))
        case inspect.Metadata(type=inner):
            return _type_in_words(inner)
    raise AssertionError(f"no word for {info}")


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(rewrite_page(page.read_text(encoding="utf-8")), encoding="utf-8")
