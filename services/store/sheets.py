"""Component sheets: the one a game comes with, and corrected ones that groups have published.

A published sheet is stored completely under the hash of its values and never changes, also if the sheet that Daybook
comes with is corrected later. The same numbers are the same sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec
import sqlalchemy as sa

from daybook.domain.games import RULESETS, rules_of
from daybook.domain.kernel.board import difference, plain
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import name_in_key
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.sheet import InvalidSheetError, Number, Sheet, compared_with_box, differences, overridden
from daybook.domain.kernel.terms import IllegalDecision, Reason, because
from daybook.domain.kernel.texts import is_displayable
from daybook.domain.kernel.worked_examples import ComesTo, WorkedExample
from daybook.services.clock import now
from daybook.services.names import seen_of
from daybook.services.paging import ListPage, UnknownPlaceError
from daybook.services.store.columns import column, key
from daybook.services.store.database import StoreEngine
from daybook.services.store.kept import is_withheld
from daybook.services.store.printed_sheets import printed_sheet, ready_sheets
from daybook.services.store.stranger_marks import mark_import, unmark_import
from daybook.services.structs import copy_fields

SHEET_NAME_LIMIT = 120
BY_LIMIT = 64
SHEETS_PER_NAME_LIMIT = 12  # published sheets to search for a name
MAX_BLAMED_NUMBERS = 3

metadata = sa.MetaData()

kept_sheet = sa.Table(
    "kept_sheet",
    metadata,
    key("hash"),
    column("ruleset", index=True),
    column("name"),
    column("overrides"),  # JSON: path -> value
    column("numbers"),  # JSON: path -> number with its source
    column("by"),  # the name that its publisher gave; of an account `by_person`
    column("at"),
    column("unlisted", server_default=""),  # the reason, one of UNLISTED; empty: listed
)
UNLISTED = ("account", "name", "trial")  # published without an account; has the name of a game; its games take too long


def by_person(person: str) -> str:
    """Return the publisher of a sheet for an account; typed names never begin with a space."""
    return f" {person}"


class UnknownSheetError(LookupError):
    """No sheet of this hash is published for the game: choose one of the list, or publish it."""

    def __init__(self, ruleset_id: str, sheet_hash: str) -> None:
        super().__init__(f"no component sheet {sheet_hash!r} of {ruleset_id} is published here")
        self.ruleset = ruleset_id
        self.hash = sheet_hash


class PublishedSheet(Frozen):
    """A corrected sheet.

    overrides: numbers that differ from the printed sheet; by: the name that its publisher gave, empty for an account;
    unlisted: why only holders of its link find it.
    """

    hash: str
    ruleset: str
    name: str
    overrides: dict[str, Any]
    by: str
    at: str
    unlisted: str = ""


class PlayedExample(NamedTuple):
    """A worked example of the rule text, its players, and its result with a sheet's numbers; None: not playable."""

    example: WorkedExample
    colours: tuple[str, ...]
    found: ComesTo | None

    @property
    def agrees(self) -> bool:
        return self.found is not None and self.example.expected.agrees(self.found)


class RuleFinding(Frozen):
    """A conflict between a rule and the numbers of a sheet. barred: no game can be opened with them.

    paths: the numbers, or prefixes of their paths; example: the worked example with another result.
    """

    rule: str
    reason: Reason
    paths: tuple[str, ...] = ()
    barred: bool = False
    example: PlayedExample | None = None


class UnplayableError(InvalidSheetError):
    """No game can be opened with these numbers: change those that the findings name."""

    def __init__(self, findings: list[RuleFinding]) -> None:
        first = findings[0]
        super().__init__("", "{rule}: {reason}", rule=first.rule, reason=first.reason)
        self.findings = findings


# --- do the numbers go together? -------------------------------------------------------------------------------------


def examine_sheet(ruleset: AnyRuleset, sheet: Sheet) -> list[RuleFinding]:
    """Return the conflicts that make a sheet unplayable, or otherwise the examples and totals that do not hold."""
    refused = list(_openings_refused(ruleset, sheet))
    return refused or [*_missed_expectations(ruleset, sheet), *_examples_otherwise(ruleset, sheet)]


def _missed_expectations(ruleset: AnyRuleset, sheet: Sheet) -> Iterator[RuleFinding]:
    for expectation in ruleset.integrity.consistency:
        expected, found = expectation.of(sheet)
        if expected != found:
            figures = {"expected": _figure_of(expected), "found": _figure_of(found), **expectation.figures}
            yield RuleFinding(expectation.rule, Reason("sheet", expectation.says, figures), expectation.paths)


def play_examples(ruleset: AnyRuleset, sheet: Sheet) -> list[PlayedExample]:
    """Return the worked examples of the rule text, played with the numbers of a sheet, once for each sheet.

    Examples with colours that the sheet does not have are left out.
    """
    played: list[PlayedExample] | None = sheet.__dict__.get("played_examples")
    if played is None:
        colours = {*ruleset.colours(sheet)}
        played = sheet.__dict__["played_examples"] = [
            _played(ruleset, example, sheet)
            for example in ruleset.integrity.examples
            if colours.issuperset(example.colours)
        ]
    return played


def _played(ruleset: AnyRuleset, example: WorkedExample, sheet: Sheet) -> PlayedExample:
    """Play a worked example on a sheet."""
    return PlayedExample(example, ruleset.colours_of(example, sheet), ruleset.work_out(example, sheet))


def _examples_otherwise(ruleset: AnyRuleset, sheet: Sheet) -> Iterator[RuleFinding]:
    for played in play_examples(ruleset, sheet):
        if played.agrees:
            continue
        blamed = numbers_to_blame(ruleset, sheet, partial(_result_differs, ruleset, played.example))
        yield RuleFinding(played.example.rule, _what_came_out(played), tuple(blamed), example=played)


def _result_differs(ruleset: AnyRuleset, example: WorkedExample, sheet: Sheet) -> bool:
    """Check if a worked example has another result than the rulebook's with this sheet."""
    return not _played(ruleset, example, sheet).agrees


def _what_came_out(played: PlayedExample) -> Reason:
    if played.found is None:
        return because("sheet", "an example of the rulebook cannot be played with these numbers")
    return because(
        "sheet",
        "with these numbers, an example of the rulebook has a different result: {apart}",
        apart=_difference_text(played.example.expected, played.found),
    )


def _difference_text(expected: ComesTo, actual: ComesTo) -> str:
    """Return the differences of two results for programs: "price 6, not 5"."""
    if actual.refused and not expected.refused:
        return f"{actual.refused.rule}: {actual.refused.reason}"
    results = ({"effects": plain(result.effects), "leaves": {**result.leaves}} for result in (expected, actual))
    apart = difference(*results)
    numbers = [
        (path.replace("~1", "/").rpartition("/")[2], was, now)
        for path, (was, now) in apart.items()
        if isinstance(now, int | str)
    ]
    return "; ".join(f"{name} {now}, not {was}" for name, was, now in numbers) or "other things happen"


def numbers_to_blame(ruleset: AnyRuleset, sheet: Sheet, breaks: Callable[[Sheet], bool]) -> list[str]:
    """Return the paths of a few changed numbers that are enough to break something, at most MAX_BLAMED_NUMBERS.

    If more and more numbers are changed, in the order of the sheet, one of them breaks it: that number is to blame,
    together with those that it needs.
    """
    printed = printed_sheet(ruleset.id)
    changed = differences(sheet, printed)

    def broken_by(paths: list[str]) -> bool:
        try:
            return breaks(overridden(printed, {path: changed[path] for path in paths}))
        except InvalidSheetError:  # half of an added row
            return False

    blamed: list[str] = []
    while len(blamed) < MAX_BLAMED_NUMBERS and not broken_by(blamed):
        rest = [path for path in changed if path not in blamed]
        fine, broken = 0, len(rest)
        while broken - fine > 1:
            middle = (fine + broken) // 2
            if broken_by([*blamed, *rest[:middle]]):
                broken = middle
            else:
                fine = middle
        blamed.append(rest[broken - 1])
    return blamed


def _figure_of(value: Any) -> int | str:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _openings_refused(ruleset: AnyRuleset, sheet: Sheet) -> Iterator[RuleFinding]:
    """Open a game for each number of players and way of playing; yield what forbids it."""
    forbidden: dict[tuple[str, str], RuleFinding] = {}
    for seats in ruleset.seats_with(sheet):
        for options in ways_of_playing(ruleset):
            for rule, reason in _opening_faults(ruleset, sheet, seats, options):
                forbidden.setdefault((rule, str(reason)), RuleFinding(rule, reason, (), True))
    yield from forbidden.values()


def ways_of_playing(ruleset: AnyRuleset) -> list[dict[str, Any]]:
    """Return the default options, and then each other value of each option, the others by default."""
    option_types = get_type_hints(ruleset.types.options)
    return [{}, *({name: answer} for name, kind in option_types.items() for answer in get_args(kind))]


def _opening_faults(ruleset: AnyRuleset, sheet: Sheet, seats: int, options: dict[str, Any]) -> list[tuple[str, Reason]]:
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
    except (LookupError, TypeError, ValueError, ArithmeticError) as wrong:  # an untried combination of numbers
        return [
            (
                f"{ruleset.prefix}-2",
                because("sheet", "no game opens with these numbers: {wrong}", wrong=f"{type(wrong).__name__} {wrong}"),
            )
        ]
    return [(breach.rule, breach.reason) for breach in ruleset.integrity.breaches(board)]


# --- publishing ------------------------------------------------------------------------------------------------------


class Sheets:
    """The printed and published sheets of this service."""

    def __init__(self, engine: StoreEngine) -> None:
        self.engine = engine

    def printed_sheet(self, ruleset_id: str) -> Sheet:
        """Return the sheet that Daybook comes with."""
        return printed_sheet(ruleset_id)

    def publish(
        self,
        ruleset_id: str,
        name: str,
        overrides: Mapping[str, Any],
        by: str,
        *,
        person: str = "",
        is_complete: bool = False,
        unlisted: str = "",
        stranger: str = "",
    ) -> str:
        """Store a corrected sheet; return its hash.

        A sheet that was published without an account belongs to the person who publishes it again.

        Args:
            by: name of the publisher, as typed.
            person: id of the account that publishes it.
            is_complete: all numbers were compared with the box.
            unlisted: why it is in no list, one of UNLISTED.
            stranger: client id of a visitor whose imports are marked.

        Raises InvalidSheetError, or its subclass UnplayableError.
        """
        name = _checked_line("name", name, SHEET_NAME_LIMIT)
        by = by_person(person) if person else _checked_line("by", by, BY_LIMIT) if by.strip() else ""
        sheet = overridden(printed_sheet(ruleset_id), overrides, name)
        if is_complete:
            sheet = compared_with_box(sheet, name)
        sheet_hash = sheet.digest()
        if sheet_hash == printed_sheet(ruleset_id).digest():
            raise InvalidSheetError("", "every number is as on the sheet that Daybook comes with")
        if sheet_hash in ready_sheets(ruleset_id):
            return sheet_hash
        if not seen_of(RULESETS[ruleset_id].title_with(sheet)):
            raise InvalidSheetError("name", LINES["name"], limit=SHEET_NAME_LIMIT)
        barred = [finding for finding in examine_sheet(RULESETS[ruleset_id], sheet) if finding.barred]
        if barred:
            raise UnplayableError(barred)
        row = {
            "hash": sheet_hash,
            "ruleset": ruleset_id,
            "name": name,
            "overrides": _json(differences(sheet, printed_sheet(ruleset_id))),
            "numbers": _json(sheet.numbers),
            "by": by,
            "at": now(),
            "unlisted": unlisted,
        }
        try:
            with self.engine.begin() as c:
                c.execute(kept_sheet.insert().values(row))
                if stranger:
                    mark_import(c, "sheet", sheet_hash, len(row["numbers"]) + len(row["overrides"]), stranger)
        except sa.exc.IntegrityError:
            self.get(ruleset_id, sheet_hash)  # published before, under another name
            if self.published(ruleset_id, sheet_hash) is None:
                raise InvalidSheetError("", "the administrator removed these numbers from the lists") from None
            if person:
                mine = {name: row[name] for name in ("name", "by", "unlisted")}
                is_nobodys = kept_sheet.c.hash == sheet_hash, kept_sheet.c.unlisted == "account"
                with self.engine.begin() as c:
                    if c.execute(kept_sheet.update().where(*is_nobodys).values(mine)).rowcount:
                        unmark_import(c, "sheet", sheet_hash)
        return sheet_hash

    def get(self, ruleset_id: str, sheet_hash: str) -> Sheet:
        """Return the printed, ready or published sheet of a hash. Raises UnknownSheetError."""
        if sheet_hash == printed_sheet(ruleset_id).digest():
            return printed_sheet(ruleset_id)
        if sheet_hash in (ready := ready_sheets(ruleset_id)):
            return ready[sheet_hash][1]
        query = sa.select(kept_sheet.c.numbers).where(
            kept_sheet.c.hash == sheet_hash, kept_sheet.c.ruleset == ruleset_id
        )
        numbers = self.engine.value(query)
        if numbers is None:
            raise UnknownSheetError(ruleset_id, sheet_hash)
        return in_printed_order(printed_sheet(ruleset_id), msgspec.json.decode(numbers, type=dict[str, Number]))

    def ready(self, ruleset_id: str) -> list[PublishedSheet]:
        """Return the further sheets that the game comes with."""
        printed = printed_sheet(ruleset_id)
        return [
            PublishedSheet(sheet_hash, ruleset_id, name, differences(sheet, printed), "", "")
            for sheet_hash, (name, sheet) in ready_sheets(ruleset_id).items()
        ]

    def count(self, ruleset_id: str) -> int:
        """Return the number of listed sheets of a game."""
        query = (
            sa.select(sa.func.count()).select_from(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id, _is_listed())
        )
        return int(self.engine.value(query) or 0)

    def list(self, ruleset_id: str, also_withheld: bool = False) -> list[PublishedSheet]:
        """Return all published sheets of a game, oldest first; withheld ones only on request."""
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id)
        if not also_withheld:
            query = query.where(~_is_off())
        return _sheets_of(self.engine, query.order_by(kept_sheet.c.at, kept_sheet.c.hash))

    def page(self, ruleset_id: str, after: str, limit: int) -> ListPage[PublishedSheet]:
        """Return a page of the game's list. after: hash of the last sheet of the page before. Raises UnknownPlaceError."""
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id)
        order = sa.tuple_(kept_sheet.c.at, kept_sheet.c.hash)
        if after:
            last = _sheets_of(self.engine, query.where(kept_sheet.c.hash == after))
            if not last:
                raise UnknownPlaceError(after)
            query = query.where(order > sa.tuple_(sa.literal(last[0].at), sa.literal(last[0].hash)))
        found = _sheets_of(
            self.engine, query.where(_is_listed()).order_by(kept_sheet.c.at, kept_sheet.c.hash).limit(limit + 1)
        )
        return ListPage(found[:limit], found[limit - 1].hash if len(found) > limit else "")

    def newest(self, ruleset_id: str, limit: int, by: str | None = None, named: str = "") -> Sequence[PublishedSheet]:
        """Return the newest listed sheets of a game. by: a person's own, listed or not; named: text in their names."""
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id)
        query = query.where(_is_listed() if by is None else sa.and_(kept_sheet.c.by == by_person(by), ~_is_off()))
        if named:
            # spaces do not count: "7wonders" finds "7 Wonders"
            name = sa.func.replace(kept_sheet.c.name, " ", "", type_=sa.Text)
            query = query.where(name.icontains("".join(named.split()), autoescape=True))
        return _sheets_of(self.engine, query.order_by(kept_sheet.c.at.desc(), kept_sheet.c.hash.desc()).limit(limit))

    def hash_by_name(self, key: str, by: str = "", before: Sequence[str] = ()) -> str | None:
        """Return the sheet for a game that has a name of its own; None if there is no sheet of this name.

        It is the first of those used before (`before`), a ready one, the newest of the person's own (`by`), or the newest
        listed one.
        """
        rules, name = rules_of(key), name_in_key(key)
        if rules is None or not name:
            return None
        own = self.newest(rules.id, SHEETS_PER_NAME_LIMIT, by, name) if by else ()
        again = filter(None, (self.published(rules.id, sheet_hash) for sheet_hash in before))
        found = (*again, *self.ready(rules.id), *own, *self.newest(rules.id, SHEETS_PER_NAME_LIMIT, named=name))
        return next((sheet.hash for sheet in found if rules.title_with(self.get(rules.id, sheet.hash)) == name), None)

    def find(self, sheet_hash: str) -> PublishedSheet:
        """Return the published sheet of a hash, also one that was taken off the lists. Raises UnknownSheetError."""
        found = _sheets_of(self.engine, sa.select(kept_sheet).where(kept_sheet.c.hash == sheet_hash))
        if not found:
            raise UnknownSheetError("any game", sheet_hash)
        return found[0]

    def published(self, ruleset_id: str, sheet_hash: str) -> PublishedSheet | None:
        """Return a published or ready sheet; None if the hash is unknown or withheld."""
        if sheet_hash in ready_sheets(ruleset_id):
            return next(sheet for sheet in self.ready(ruleset_id) if sheet.hash == sheet_hash)
        query = sa.select(kept_sheet).where(
            kept_sheet.c.ruleset == ruleset_id, kept_sheet.c.hash == sheet_hash, ~_is_off()
        )
        return next(iter(_sheets_of(self.engine, query)), None)


def _sheets_of(engine: StoreEngine, query: sa.Select[Any]) -> list[PublishedSheet]:
    rows = engine.rows(query)
    return [
        copy_fields(
            PublishedSheet,
            row,
            overrides=msgspec.json.decode(row.overrides),
            by="" if row.by.startswith(by_person("")) else row.by,
        )
        for row in rows
    ]


def _is_off() -> sa.ColumnElement[bool]:
    """Return the condition that a sheet is withheld; games that pinned it keep it."""
    return sa.exists().where(is_withheld("sheet", kept_sheet.c.hash)).correlate(kept_sheet)


def _is_listed() -> sa.ColumnElement[bool]:
    return sa.and_(kept_sheet.c.unlisted == "", ~_is_off())


def in_printed_order(printed: Sheet, numbers: Mapping[str, Number]) -> Sheet:
    """Return a sheet with the numbers in the order of the printed one, others at the end."""
    known = [path for path in printed.numbers if path in numbers]
    return Sheet(printed.game, {path: numbers[path] for path in (*known, *numbers)}, printed.additions)


def _checked_line(field: str, text: str, limit: int) -> str:
    text = " ".join(text.split())
    if not seen_of(text) or len(text) > limit or not is_displayable(text):
        raise InvalidSheetError(field, LINES[field], limit=limit)
    return text


LINES = {
    "name": "a sheet has a name of 1 to {limit} characters, such as the printing of the box",
    "by": "who publishes it has a name of at most {limit} characters",
}


def _json(value: Any) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()
