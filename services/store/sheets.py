"""Component sheets: the one a game comes with, and corrected ones that groups have published.

A published sheet is kept whole under the hash of its values and never changes: a later correction of the sheet
that Daybook comes with does not reach into it. Publishing the same numbers again is the same sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args, get_type_hints

import msgspec
import sqlalchemy as sa

from daybook.domain.games import RULESETS
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.sheet import BadSheet, Expectation, Number, Sheet, compared_with_box, differences, overridden
from daybook.domain.kernel.terms import IllegalDecision, Reason, because
from daybook.services.clock import now
from daybook.services.paging import ListPage, UnknownPlace
from daybook.services.store.kept import is_withheld
from daybook.services.store.printed_sheets import printed_sheet

SHEET_NAME_LIMIT = 120
BY_LIMIT = 64

metadata = sa.MetaData()

kept_sheet = sa.Table(
    "kept_sheet",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("overrides", sa.Text, nullable=False),  # JSON: path -> value
    sa.Column("numbers", sa.Text, nullable=False),  # JSON: path -> number with its source
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)


class UnknownSheet(LookupError):
    """No sheet of this hash is published for the game: choose one of the list, or publish it."""

    def __init__(self, ruleset_id: str, hash: str) -> None:
        super().__init__(f"no component sheet {hash!r} of {ruleset_id} is published here")
        self.ruleset = ruleset_id
        self.hash = hash


class PublishedSheet(msgspec.Struct, frozen=True):
    """A corrected sheet. overrides: what it prints differently from the sheet that Daybook came with."""

    hash: str
    ruleset: str
    name: str
    overrides: dict[str, Any]
    by: str
    at: str


class RuleFinding(msgspec.Struct, frozen=True):
    """What a rule says to the numbers of a sheet. barred: no game can be opened with them.

    paths: the numbers it is about, or what their paths begin with.
    """

    rule: str
    reason: Reason
    paths: tuple[str, ...] = ()
    barred: bool = False


class Unplayable(BadSheet):
    """No game can be opened with these numbers: change what the findings name."""

    def __init__(self, findings: list[RuleFinding]) -> None:
        first = findings[0]
        super().__init__("", "{rule}: {reason}", rule=first.rule, reason=first.reason)
        self.findings = findings


# --- do the numbers go together? -------------------------------------------------------------------------------------


def examine_sheet(ruleset: Ruleset[Any], sheet: Sheet) -> list[RuleFinding]:
    """What the rules say to a sheet: what makes it unplayable, or else the examples and totals that do not hold."""
    needed = [one for one in ruleset.integrity.consistency if one.needed]
    barred = list(_missed_expectations(needed, sheet)) or list(_openings_refused(ruleset, sheet))
    return barred or list(_missed_expectations([one for one in ruleset.integrity.consistency if not one.needed], sheet))


def _missed_expectations(expectations: list[Expectation], sheet: Sheet) -> Iterator[RuleFinding]:
    for one in expectations:
        expected, found = one.of(sheet)
        if expected != found:
            figures = {"expected": _figure_of(expected), "found": _figure_of(found), **one.figures}
            yield RuleFinding(one.rule, Reason("sheet", one.says, figures), one.paths, one.needed)


def _figure_of(value: Any) -> int | str:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _openings_refused(ruleset: Ruleset[Any], sheet: Sheet) -> Iterator[RuleFinding]:
    """Opens a game with every number of players, each way of playing once, and names what forbids it."""
    forbidden: dict[tuple[str, str], RuleFinding] = {}
    for seats in ruleset.seats_with(sheet):
        for options in ways_of_playing(ruleset):
            for rule, reason in _opening_faults(ruleset, sheet, seats, options):
                forbidden.setdefault((rule, str(reason)), RuleFinding(rule, reason, (), True))
    yield from forbidden.values()


def ways_of_playing(ruleset: Ruleset[Any]) -> list[dict[str, Any]]:
    """The usual options, and then each answer to each question of choice, the others as usual."""
    asked = get_type_hints(ruleset.types.options)
    return [{}, *({name: answer} for name, kind in asked.items() for answer in get_args(kind))]


def _opening_faults(
    ruleset: Ruleset[Any], sheet: Sheet, seats: int, options: dict[str, Any]
) -> list[tuple[str, Reason]]:
    try:
        colours = ruleset.colours(sheet)
        if len(colours) < seats:
            return [
                (
                    f"{ruleset.prefix}-1",
                    because(
                        "sheet",
                        "{colours} colours are not enough for {seats} players",
                        colours=len(colours),
                        seats=seats,
                    ),
                )
            ]
        board = ruleset.opening_board(ruleset.table(colours[:seats], options, sheet))
    except IllegalDecision as no:
        return [(no.rule, no.reason)]
    except (LookupError, TypeError, ValueError, ArithmeticError) as wrong:  # numbers nobody has seen together
        return [
            (
                f"{ruleset.prefix}-2",
                because("sheet", "no game opens with these numbers: {wrong}", wrong=f"{type(wrong).__name__} {wrong}"),
            )
        ]
    return [(breach.rule, breach.reason) for breach in ruleset.integrity.breaches(board)]


# --- publishing ------------------------------------------------------------------------------------------------------


class Sheets:
    """All sheets this service knows."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine

    def printed_sheet(self, ruleset_id: str) -> Sheet:
        """The sheet that Daybook comes with."""
        return printed_sheet(ruleset_id)

    def publish(self, ruleset_id: str, name: str, overrides: Mapping[str, Any], by: str, *, whole: bool = False) -> str:
        """Keep a corrected sheet; its hash. by: who publishes it; whole: nothing of it is assumed any more.

        Raises BadSheet, and Unplayable among them.
        """
        name = _checked_line("name", name, SHEET_NAME_LIMIT)
        by = _checked_line("by", by, BY_LIMIT) if by.strip() else ""
        sheet = overridden(printed_sheet(ruleset_id), overrides, name)
        if whole:
            sheet = compared_with_box(sheet, name)
        hash = sheet.digest()
        if hash == printed_sheet(ruleset_id).digest():
            raise BadSheet("", "every number is as on the sheet that Daybook comes with")
        barred = [finding for finding in examine_sheet(RULESETS[ruleset_id], sheet) if finding.barred]
        if barred:
            raise Unplayable(barred)
        row = {
            "hash": hash,
            "ruleset": ruleset_id,
            "name": name,
            "overrides": _json(differences(sheet, printed_sheet(ruleset_id))),
            "numbers": _json(sheet.numbers),
            "by": by,
            "at": now(),
        }
        try:
            with self.engine.begin() as c:
                c.execute(kept_sheet.insert().values(row))
        except sa.exc.IntegrityError:
            self.get(ruleset_id, hash)  # published before, under the name it was given then
            if self.published(ruleset_id, hash) is None:
                raise BadSheet(
                    "", "these numbers were published, and whoever runs this Daybook took them off"
                ) from None
        return hash

    def get(self, ruleset_id: str, hash: str) -> Sheet:
        """The sheet of a hash, the printed one's included. Raises UnknownSheet."""
        if hash == printed_sheet(ruleset_id).digest():
            return printed_sheet(ruleset_id)
        query = sa.select(kept_sheet.c.numbers).where(kept_sheet.c.hash == hash, kept_sheet.c.ruleset == ruleset_id)
        with self.engine.connect() as c:
            numbers = c.scalar(query)
        if numbers is None:
            raise UnknownSheet(ruleset_id, hash)
        return in_printed_order(printed_sheet(ruleset_id), msgspec.json.decode(numbers, type=dict[str, Number]))

    def count(self, ruleset_id: str) -> int:
        """How many sheets of a game are published, without those that were taken off the lists."""
        query = sa.select(sa.func.count()).select_from(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id, ~_is_off())
        with self.engine.connect() as c:
            return int(c.scalar(query) or 0)

    def list(self, ruleset_id: str, also_withheld: bool = False) -> list[PublishedSheet]:
        """The published sheets of a game, the oldest first; without those that were taken off the lists."""
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id)
        if not also_withheld:
            query = query.where(~_is_off())
        return _sheets_of(self.engine, query.order_by(kept_sheet.c.at, kept_sheet.c.hash))

    def page(self, ruleset_id: str, after: str, limit: int) -> ListPage[PublishedSheet]:
        """The same a page at a time. after: the hash of the last sheet of the page before. Raises UnknownPlace."""
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id)
        order = sa.tuple_(kept_sheet.c.at, kept_sheet.c.hash)
        if after:
            last = _sheets_of(self.engine, query.where(kept_sheet.c.hash == after))
            if not last:
                raise UnknownPlace(after)
            query = query.where(order > sa.tuple_(sa.literal(last[0].at), sa.literal(last[0].hash)))
        found = _sheets_of(
            self.engine, query.where(~_is_off()).order_by(kept_sheet.c.at, kept_sheet.c.hash).limit(limit + 1)
        )
        return ListPage(found[:limit], found[limit - 1].hash if len(found) > limit else "")

    def newest(self, ruleset_id: str, limit: int, by: str | None = None) -> Sequence[PublishedSheet]:
        """The sheets of a game that were published last, the newest first; by: those of one who published."""
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id, ~_is_off())
        if by is not None:
            query = query.where(kept_sheet.c.by == by)
        return _sheets_of(self.engine, query.order_by(kept_sheet.c.at.desc(), kept_sheet.c.hash.desc()).limit(limit))

    def published(self, ruleset_id: str, hash: str) -> PublishedSheet | None:
        """A published sheet; None: there is none of this hash, or it was taken off the lists."""
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id, kept_sheet.c.hash == hash, ~_is_off())
        return next(iter(_sheets_of(self.engine, query)), None)


def _sheets_of(engine: sa.Engine, query: sa.Select[Any]) -> list[PublishedSheet]:
    with engine.connect() as c:
        rows = c.execute(query).all()
    return [
        PublishedSheet(row.hash, row.ruleset, row.name, msgspec.json.decode(row.overrides), row.by, row.at)
        for row in rows
    ]


def _is_off() -> sa.ColumnElement[bool]:
    """Games that pinned such a sheet keep it."""
    return sa.exists().where(is_withheld("sheet", kept_sheet.c.hash)).correlate(kept_sheet)


def in_printed_order(printed: Sheet, numbers: Mapping[str, Number]) -> Sheet:
    """A sheet of these numbers in the order of the printed one; what that one does not have comes last."""
    known = [path for path in printed.numbers if path in numbers]
    return Sheet(printed.game, {path: numbers[path] for path in (*known, *numbers)}, printed.additions)


def _checked_line(field: str, text: str, limit: int) -> str:
    text = " ".join(text.split())
    if not text or len(text) > limit or not text.isprintable():
        raise BadSheet(field, LINES[field], limit=limit)
    return text


LINES = {
    "name": "a sheet has a name of 1 to {limit} characters, such as the printing of the box",
    "by": "who publishes it has a name of at most {limit} characters",
}


def _json(value: Any) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()
