"""The form for the format of a season: each setting is a field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.results import MARKS, SEATS_LIMIT
from daybook.domain.league.seasons import (
    DEFAULTS,
    ROUNDS_LIMIT,
    TIEBREAKS,
    WORTH,
    Division,
    Format,
    Points,
    SeasonKind,
    format_fault,
)
from daybook.web.request.forms import BadTextError, parse_whole_number
from daybook.web.words import reason_sentence, say
from daybook.web.words.places import text_of

SIZES = range(2, SEATS_LIMIT + 1)
DIVISIONS = 6  # rows in the form
OUTCOME_POINTS = ("late_entry", "excused", "forfeit", "substituted")  # of Points
WHOLE_NUMBERS = ("rounds", "promote", "relegate", "correction_days", "appeal_hours", "advance_per_table", "lives")
USUAL_NUMBERS = {"advance_per_table": 2, "lives": 1}  # in forms of other kinds, which do not show these fields

Sent = Mapping[str, str]


class SeasonForm(Frozen):
    """The fields as they were typed, and the format that they make."""

    kind: SeasonKind
    fields: dict[str, str]
    wrong: dict[str, str]  # the sentence of an error, by field
    format: Format | None  # None if a field has an error


def blank_form(kind: SeasonKind, correction_days: int, appeal_hours: int, counts: tuple[Any, ...]) -> SeasonForm:
    """Build the form with the defaults of a kind and the club's own preferences."""
    return form_of_format(
        msgspec.structs.replace(
            DEFAULTS[kind], correction_days=correction_days, appeal_hours=appeal_hours, counts=counts
        )
    )


def form_of_format(season_format: Format) -> SeasonForm:
    fields = {name: str(getattr(season_format, name)) for name in WHOLE_NUMBERS}
    fields |= {
        "best": text_of(season_format.best),
        "withdrawn": season_format.withdrawn,
        "ties": season_format.points.ties,
        "drop": str(season_format.points.drop),
        "bye": str(season_format.points.bye),
        "preferred": str(season_format.table_sizes[0]),
        "substitute_result": season_format.substitute_result,
    }
    fields |= {name: str(getattr(season_format.points, name)) for name in OUTCOME_POINTS}
    fields |= {f"size.{size}": "yes" for size in season_format.table_sizes}
    fields |= {
        f"worth.{size}": "-".join(map(str, season_format.points.by_seats.get(str(size), WORTH[str(size)])))
        for size in SIZES
    }
    fields |= {f"order.{code}": str(at) for at, code in enumerate(season_format.tiebreaks, 1)}
    fields |= {f"counts.{mark}": "yes" for mark in season_format.counts}
    for at, division in enumerate(season_format.divisions):
        fields |= {f"division.{at}.name": division.name, f"division.{at}.groups": text_of(list(division.groups))}
    return SeasonForm(season_format.kind, fields, {}, season_format)


def read_form(kind: SeasonKind, form: Sent) -> SeasonForm:
    """Read the form: the fields as they were typed, and the format that they make."""
    fields, errors = {name: form[name] for name in form}, dict[str, str]()
    numbers = {name: _whole_number(form, name, errors) for name in (*WHOLE_NUMBERS, "drop", "bye", *OUTCOME_POINTS)}
    sizes = _sizes(form)
    points = Points(
        {str(size): _worth(form, size, errors) for size in SIZES if size in sizes},
        cast(Any, _choice(form, "ties", ("split", "high", "low"), errors)),
        numbers["drop"],
        numbers["bye"],
        **{name: numbers[name] for name in OUTCOME_POINTS},
    )
    season_format = Format(
        kind=kind,
        table_sizes=sizes,
        rounds=numbers["rounds"],
        points=points,
        tiebreaks=_chain(form, errors),
        best=_whole_number(form, "best", errors) if form.get("best", "").strip() else None,
        divisions=_divisions(form, errors) if kind == "divisions" else (),
        promote=numbers["promote"],
        relegate=numbers["relegate"],
        withdrawn=cast(Any, _choice(form, "withdrawn", ("keep", "void", "zero"), errors)),
        counts=tuple(mark for mark in MARKS if form.get(f"counts.{mark}")),
        correction_days=numbers["correction_days"],
        appeal_hours=numbers["appeal_hours"],
        advance_per_table=numbers["advance_per_table"],
        lives=numbers["lives"],
        substitute_result=cast(
            Any,
            _choice(
                {"substitute_result": "member", **form}, "substitute_result", ("member", "none", "substitute"), errors
            ),
        ),
    )
    if not errors and (reason := format_fault(season_format)) is not None:
        errors["form"] = reason_sentence(reason)
    return SeasonForm(kind, fields, errors, None if errors else season_format)


def _sizes(form: Sent) -> tuple[int, ...]:
    """Return the table sizes, the preferred size first."""
    ticked = [size for size in SIZES if form.get(f"size.{size}")]
    return tuple(sorted(ticked, key=lambda size: (str(size) != form.get("preferred"), size)))


def _whole_number(form: Sent, name: str, errors: dict[str, str]) -> int:
    text = form.get(name, "").strip()
    if not text and name in USUAL_NUMBERS:
        return USUAL_NUMBERS[name]
    if not text and name in ("rounds", "drop", "bye", *OUTCOME_POINTS):
        return 0
    try:
        return parse_whole_number(text)
    except BadTextError:
        errors[name] = say("Enter a whole number.")
        return 0


def _worth(form: Sent, size: int, errors: dict[str, str]) -> tuple[int, ...]:
    """Return the points of each place at a table of this size, typed as 10-6-3-1."""
    parts = form.get(f"worth.{size}", "").replace(",", "-").replace(" ", "-").split("-")
    parts = [part for part in parts if part]
    if len(parts) != size or not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in parts):
        errors[f"worth.{size}"] = say("Enter {n} whole numbers with dashes between them, the best place first.", n=size)
        return (0,) * size
    return tuple(map(int, parts))


def _choice(form: Sent, name: str, values: tuple[str, ...], errors: dict[str, str]) -> str:
    if form.get(name) not in values:
        errors[name] = say("Choose one of these.")
        return values[0]
    return form[name]


def _chain(form: Sent, errors: dict[str, str]) -> tuple[str, ...]:
    """Return the tie-breaks in the order of their numbers, without those that have no number."""
    chosen: list[tuple[int, int, str]] = []
    for at, code in enumerate(TIEBREAKS):
        if form.get(f"order.{code}", "").strip():
            chosen.append((_whole_number(form, f"order.{code}", errors), at, code))
    return tuple(code for _, _, code in sorted(chosen))


def _divisions(form: Sent, errors: dict[str, str]) -> tuple[Division, ...]:
    """Parse the divisions; a name or group sizes make one."""
    divisions = []
    for at in range(DIVISIONS):
        name, groups = form.get(f"division.{at}.name", "").strip(), form.get(f"division.{at}.groups", "").strip()
        if not name and not groups:
            continue
        parts = [part.strip() for part in groups.replace("+", ",").split(",") if part.strip()]
        if not parts or not all(part.isascii() and part.isdecimal() and len(part) < 4 for part in parts):
            errors[f"division.{at}.groups"] = say("Enter how many play in each group, with commas between them.")
            continue
        divisions.append(Division(name, tuple(map(int, parts))))
    return tuple(divisions)


__all__ = ["DIVISIONS", "ROUNDS_LIMIT", "SIZES", "SeasonForm", "blank_form", "form_of_format", "read_form"]
