"""The form for how a season is played: every setting of a format as a field, and back again."""

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
    Kind,
    Points,
    format_fault,
)
from daybook.web.request.forms import BadTextError, parse_whole_number
from daybook.web.words import reason_sentence, say
from daybook.web.words.places import text_of

SIZES = range(2, SEATS_LIMIT + 1)
DIVISIONS = 6  # that the form asks for
WHOLE = ("rounds", "promote", "relegate", "correction_days", "appeal_hours")

Sent = Mapping[str, str]


class SeasonForm(Frozen):
    """The form as it stands. wrong: field -> sentence; format: None while something is wrong."""

    kind: Kind
    fields: dict[str, str]
    wrong: dict[str, str]
    format: Format | None


def blank_form(kind: Kind, correction_days: int, appeal_hours: int, counts: tuple[Any, ...]) -> SeasonForm:
    """The form with what works for most, and what the club wants of its seasons."""
    return form_of_format(
        msgspec.structs.replace(
            DEFAULTS[kind], correction_days=correction_days, appeal_hours=appeal_hours, counts=counts
        )
    )


def form_of_format(format: Format) -> SeasonForm:
    """A format as the form shows it."""
    fields = {name: str(getattr(format, name)) for name in WHOLE}
    fields |= {
        "best": text_of(format.best),
        "withdrawn": format.withdrawn,
        "ties": format.points.ties,
        "drop": str(format.points.drop),
        "bye": str(format.points.bye),
        "preferred": str(format.table_sizes[0]),
    }
    fields |= {f"size.{size}": "yes" for size in format.table_sizes}
    fields |= {
        f"worth.{size}": "-".join(map(str, format.points.by_seats.get(str(size), WORTH[str(size)]))) for size in SIZES
    }
    fields |= {f"order.{code}": str(at) for at, code in enumerate(format.tiebreaks, 1)}
    fields |= {f"counts.{mark}": "yes" for mark in format.counts}
    for at, division in enumerate(format.divisions):
        fields |= {f"division.{at}.name": division.name, f"division.{at}.groups": text_of(list(division.groups))}
    return SeasonForm(format.kind, fields, {}, format)


def read_form(kind: Kind, form: Sent) -> SeasonForm:
    """What was sent, kept as it was typed, and the format it makes."""
    fields, wrong = {name: form[name] for name in form}, dict[str, str]()
    numbers = {name: _whole_number(form, name, wrong) for name in (*WHOLE, "drop", "bye")}
    sizes = _sizes(form)
    points = Points(
        {str(size): _worth(form, size, wrong) for size in SIZES if size in sizes},
        cast(Any, _one_of(form, "ties", ("split", "high", "low"), wrong)),
        numbers["drop"],
        numbers["bye"],
    )
    format = Format(
        kind=kind,
        table_sizes=sizes,
        rounds=numbers["rounds"],
        points=points,
        tiebreaks=_chain(form, wrong),
        best=_whole_number(form, "best", wrong) if form.get("best", "").strip() else None,
        divisions=_divisions(form, wrong) if kind == "divisions" else (),
        promote=numbers["promote"],
        relegate=numbers["relegate"],
        withdrawn=cast(Any, _one_of(form, "withdrawn", ("keep", "void", "zero"), wrong)),
        counts=tuple(mark for mark in MARKS if form.get(f"counts.{mark}")),
        correction_days=numbers["correction_days"],
        appeal_hours=numbers["appeal_hours"],
    )
    if not wrong and (reason := format_fault(format)) is not None:
        wrong["form"] = reason_sentence(reason)
    return SeasonForm(kind, fields, wrong, None if wrong else format)


def _sizes(form: Sent) -> tuple[int, ...]:
    """The table sizes, the preferred one first."""
    ticked = [size for size in SIZES if form.get(f"size.{size}")]
    return tuple(sorted(ticked, key=lambda size: (str(size) != form.get("preferred"), size)))


def _whole_number(form: Sent, name: str, wrong: dict[str, str]) -> int:
    text = form.get(name, "").strip()
    if not text and name in ("rounds", "drop", "bye"):
        return 0
    try:
        return parse_whole_number(text)
    except BadTextError:
        wrong[name] = say("Enter a whole number.")
        return 0


def _worth(form: Sent, size: int, wrong: dict[str, str]) -> tuple[int, ...]:
    """The points of the places at a table of this size: 10-6-3-1."""
    parts = form.get(f"worth.{size}", "").replace(",", "-").replace(" ", "-").split("-")
    parts = [part for part in parts if part]
    if len(parts) != size or not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in parts):
        wrong[f"worth.{size}"] = say("Enter {n} whole numbers with dashes between them, the best place first.", n=size)
        return (0,) * size
    return tuple(map(int, parts))


def _one_of(form: Sent, name: str, values: tuple[str, ...], wrong: dict[str, str]) -> str:
    if form.get(name) not in values:
        wrong[name] = say("Choose one of these.")
        return values[0]
    return form[name]


def _chain(form: Sent, wrong: dict[str, str]) -> tuple[str, ...]:
    """The tie-breaks by their numbers; one without a number decides nothing."""
    chosen: list[tuple[int, int, str]] = []
    for at, code in enumerate(TIEBREAKS):
        if form.get(f"order.{code}", "").strip():
            chosen.append((_whole_number(form, f"order.{code}", wrong), at, code))
    return tuple(code for _, _, code in sorted(chosen))


def _divisions(form: Sent, wrong: dict[str, str]) -> tuple[Division, ...]:
    found = []
    for at in range(DIVISIONS):
        name, groups = form.get(f"division.{at}.name", "").strip(), form.get(f"division.{at}.groups", "").strip()
        if not name and not groups:
            continue
        parts = [part.strip() for part in groups.replace("+", ",").split(",") if part.strip()]
        if not parts or not all(part.isascii() and part.isdecimal() and len(part) < 4 for part in parts):
            wrong[f"division.{at}.groups"] = say("Enter how many play in each group, with commas between them.")
            continue
        found.append(Division(name, tuple(map(int, parts))))
    return tuple(found)


__all__ = ["DIVISIONS", "ROUNDS_LIMIT", "SIZES", "SeasonForm", "blank_form", "form_of_format", "read_form"]
