"""Component sheets: the one a game comes with, and corrected ones that groups have published.

A published sheet is kept whole under the hash of its values and never changes: a later correction of the sheet
that Daybook comes with does not reach into it. Publishing the same numbers again is the same sheet.
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
from daybook.domain.kernel.sheet import BadSheet, Expectation, Number, Sheet, compared_with_box, differences, overridden
from daybook.domain.kernel.terms import IllegalDecision, Reason, because
from daybook.domain.kernel.texts import is_displayable
from daybook.domain.kernel.worked_examples import ComesTo, WorkedExample
from daybook.services.clock import now
from daybook.services.names import seen_of
from daybook.services.paging import ListPage, UnknownPlace
from daybook.services.store.columns import column, key
from daybook.services.store.database import StoreEngine
from daybook.services.store.kept import is_withheld
from daybook.services.store.printed_sheets import printed_sheet, ready_sheets
from daybook.services.store.stranger_marks import mark, unmark
from daybook.services.structs import struct_of

SHEET_NAME_LIMIT = 120
BY_LIMIT = 64
NAMED_ALIKE = 12  # published sheets among which one of a name is looked for
MOST_NAMED = 3  # numbers that something is blamed on

metadata = sa.MetaData()

kept_sheet = sa.Table(
    "kept_sheet",
    metadata,
    key("hash"),
    column("ruleset", index=True),
    column("name"),
    column("overrides"),  # JSON: path -> value
    column("numbers"),  # JSON: path -> number with its source
    column("by"),  # as who published it says; of who was signed in `by_person`
    column("at"),
    column("unlisted", server_default=""),  # why it is in no list, one of UNLISTED; empty: it is in all
)
UNLISTED = ("account", "name", "trial")  # nobody was signed in; called as a game of Daybook; its games take too long


def by_person(person: str) -> str:
    """How a sheet names who was signed in: nothing that somebody types begins with a space."""
    return f" {person}"


class UnknownSheet(LookupError):
    """No sheet of this hash is published for the game: choose one of the list, or publish it."""

    def __init__(self, ruleset_id: str, hash: str) -> None:
        super().__init__(f"no component sheet {hash!r} of {ruleset_id} is published here")
        self.ruleset = ruleset_id
        self.hash = hash


class PublishedSheet(Frozen):
    """A corrected sheet. overrides: what it prints differently from the sheet that Daybook came with; by: who published
    it, as they say; empty where that is their account's to tell; unlisted: why only who has its link finds it."""

    hash: str
    ruleset: str
    name: str
    overrides: dict[str, Any]
    by: str
    at: str
    unlisted: str = ""


class PlayedExample(NamedTuple):
    """A worked example of the rule text, who plays it, and what it comes to with a sheet's numbers; None: it cannot
    be played."""

    example: WorkedExample
    colours: tuple[str, ...]
    found: ComesTo | None

    @property
    def agrees(self) -> bool:
        return self.found is not None and self.example.expected.agrees(self.found)


class RuleFinding(Frozen):
    """What a rule says to the numbers of a sheet. barred: no game can be opened with them.

    paths: the numbers it is about, or what their paths begin with; example: the one that comes out otherwise.
    """

    rule: str
    reason: Reason
    paths: tuple[str, ...] = ()
    barred: bool = False
    example: PlayedExample | None = None


class Unplayable(BadSheet):
    """No game can be opened with these numbers: change what the findings name."""

    def __init__(self, findings: list[RuleFinding]) -> None:
        first = findings[0]
        super().__init__("", "{rule}: {reason}", rule=first.rule, reason=first.reason)
        self.findings = findings


# --- do the numbers go together? -------------------------------------------------------------------------------------


def examine_sheet(ruleset: AnyRuleset, sheet: Sheet) -> list[RuleFinding]:
    """What the rules say to a sheet: what makes it unplayable, or else the examples and totals that do not hold."""
    needed = [one for one in ruleset.integrity.consistency if one.needed]
    barred = list(_missed_expectations(needed, sheet)) or list(_openings_refused(ruleset, sheet))
    if barred:
        return barred
    told = [one for one in ruleset.integrity.consistency if not one.needed]
    return [*_missed_expectations(told, sheet), *_examples_otherwise(ruleset, sheet)]


def _missed_expectations(expectations: list[Expectation], sheet: Sheet) -> Iterator[RuleFinding]:
    for one in expectations:
        expected, found = one.of(sheet)
        if expected != found:
            figures = {"expected": _figure_of(expected), "found": _figure_of(found), **one.figures}
            yield RuleFinding(one.rule, Reason("sheet", one.says, figures), one.paths, one.needed)


def play_examples(ruleset: AnyRuleset, sheet: Sheet) -> list[PlayedExample]:
    """The worked examples of the rule text with the numbers of a sheet, worked out once for each sheet. Those of
    colours that it does not have are left out."""
    played: list[PlayedExample] | None = sheet.__dict__.get("played_examples")
    if played is None:
        there = {*ruleset.colours(sheet)}
        played = sheet.__dict__["played_examples"] = [
            _played(ruleset, example, sheet)
            for example in ruleset.integrity.examples
            if there.issuperset(example.colours)
        ]
    return played


def _played(ruleset: AnyRuleset, example: WorkedExample, sheet: Sheet) -> PlayedExample:
    return PlayedExample(example, ruleset.colours_of(example, sheet), ruleset.work_out(example, sheet))


def _examples_otherwise(ruleset: AnyRuleset, sheet: Sheet) -> Iterator[RuleFinding]:
    for one in play_examples(ruleset, sheet):
        if one.agrees:
            continue
        blamed = numbers_to_blame(ruleset, sheet, partial(_comes_out_otherwise, ruleset, one.example))
        yield RuleFinding(one.example.rule, _what_came_out(one), tuple(blamed), example=one)


def _comes_out_otherwise(ruleset: AnyRuleset, example: WorkedExample, sheet: Sheet) -> bool:
    return not _played(ruleset, example, sheet).agrees


def _what_came_out(played: PlayedExample) -> Reason:
    if played.found is None:
        return because("sheet", "an example of the rulebook cannot be played with these numbers")
    return because(
        "sheet",
        "an example of the rulebook comes out otherwise with these numbers: {apart}",
        apart=_told_apart(played.example.expected, played.found),
    )


def _told_apart(expected: ComesTo, found: ComesTo) -> str:
    """What is not alike, for programs: "price 6, not 5"."""
    if found.refused and not expected.refused:
        return f"{found.refused.rule}: {found.refused.reason}"
    apart = difference(*({"effects": plain(one.effects), "leaves": {**one.leaves}} for one in (expected, found)))
    numbers = [
        (path.replace("~1", "/").rpartition("/")[2], was, now)
        for path, (was, now) in apart.items()
        if isinstance(now, int | str)
    ]
    return "; ".join(f"{name} {now}, not {was}" for name, was, now in numbers) or "other things happen"


def numbers_to_blame(ruleset: AnyRuleset, sheet: Sheet, breaks: Callable[[Sheet], bool]) -> list[str]:
    """The paths of few changed numbers with which alone something does not hold, at most MOST_NAMED.

    With more and more of the numbers changed, in the order of the sheet, it does not hold from one of them on: that
    one is to blame, and with it whatever it still needs.
    """
    printed = printed_sheet(ruleset.id)
    changed = differences(sheet, printed)

    def broken_by(paths: list[str]) -> bool:
        try:
            return breaks(overridden(printed, {path: changed[path] for path in paths}))
        except BadSheet:  # half of an added row
            return False

    blamed: list[str] = []
    while len(blamed) < MOST_NAMED and not broken_by(blamed):
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
    """Opens a game with every number of players, each way of playing once, and names what forbids it."""
    forbidden: dict[tuple[str, str], RuleFinding] = {}
    for seats in ruleset.seats_with(sheet):
        for options in ways_of_playing(ruleset):
            for rule, reason in _opening_faults(ruleset, sheet, seats, options):
                forbidden.setdefault((rule, str(reason)), RuleFinding(rule, reason, (), True))
    yield from forbidden.values()


def ways_of_playing(ruleset: AnyRuleset) -> list[dict[str, Any]]:
    """The usual options, and then each answer to each question of choice, the others as usual."""
    asked = get_type_hints(ruleset.types.options)
    return [{}, *({name: answer} for name, kind in asked.items() for answer in get_args(kind))]


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

    def __init__(self, engine: StoreEngine) -> None:
        self.engine = engine

    def printed_sheet(self, ruleset_id: str) -> Sheet:
        """The sheet that Daybook comes with."""
        return printed_sheet(ruleset_id)

    def publish(
        self,
        ruleset_id: str,
        name: str,
        overrides: Mapping[str, Any],
        by: str,
        *,
        person: str = "",
        whole: bool = False,
        unlisted: str = "",
        stranger: str = "",
    ) -> str:
        """Keep a corrected sheet; its hash. by: who publishes it, as they say; person: the id of who is signed in,
        whose own it is to be; whole: nothing of it is assumed any more; unlisted: why it is in no list,
        one of UNLISTED. A sheet that was published without an account becomes the person's who publishes it again.
        stranger: as whom a visitor is counted, if the sheet is to be marked as brought in.

        Raises BadSheet, and Unplayable among them.
        """
        name = _checked_line("name", name, SHEET_NAME_LIMIT)
        by = by_person(person) if person else _checked_line("by", by, BY_LIMIT) if by.strip() else ""
        sheet = overridden(printed_sheet(ruleset_id), overrides, name)
        if whole:
            sheet = compared_with_box(sheet, name)
        hash = sheet.digest()
        if hash == printed_sheet(ruleset_id).digest():
            raise BadSheet("", "every number is as on the sheet that Daybook comes with")
        if hash in ready_sheets(ruleset_id):
            return hash
        if not seen_of(RULESETS[ruleset_id].title_with(sheet)):
            raise BadSheet("name", LINES["name"], limit=SHEET_NAME_LIMIT)
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
            "unlisted": unlisted,
        }
        try:
            with self.engine.begin() as c:
                c.execute(kept_sheet.insert().values(row))
                if stranger:
                    mark(c, "sheet", hash, len(row["numbers"]) + len(row["overrides"]), stranger)
        except sa.exc.IntegrityError:
            self.get(ruleset_id, hash)  # published before, under the name it was given then
            if self.published(ruleset_id, hash) is None:
                raise BadSheet(
                    "", "these numbers were published, and whoever runs this Daybook took them off"
                ) from None
            if person:
                mine = {name: row[name] for name in ("name", "by", "unlisted")}
                is_nobodys = kept_sheet.c.hash == hash, kept_sheet.c.unlisted == "account"
                with self.engine.begin() as c:
                    if c.execute(kept_sheet.update().where(*is_nobodys).values(mine)).rowcount:
                        unmark(c, "sheet", hash)
        return hash

    def get(self, ruleset_id: str, hash: str) -> Sheet:
        """The sheet of a hash, the printed one's included. Raises UnknownSheet."""
        if hash == printed_sheet(ruleset_id).digest():
            return printed_sheet(ruleset_id)
        if hash in (ready := ready_sheets(ruleset_id)):
            return ready[hash][1]
        query = sa.select(kept_sheet.c.numbers).where(kept_sheet.c.hash == hash, kept_sheet.c.ruleset == ruleset_id)
        numbers = self.engine.value(query)
        if numbers is None:
            raise UnknownSheet(ruleset_id, hash)
        return in_printed_order(printed_sheet(ruleset_id), msgspec.json.decode(numbers, type=dict[str, Number]))

    def ready(self, ruleset_id: str) -> list[PublishedSheet]:
        """Further sheets that the game comes with, which nobody has published."""
        printed = printed_sheet(ruleset_id)
        return [
            PublishedSheet(hash, ruleset_id, name, differences(sheet, printed), "", "")
            for hash, (name, sheet) in ready_sheets(ruleset_id).items()
        ]

    def count(self, ruleset_id: str) -> int:
        """How many published sheets of a game are in its lists."""
        query = (
            sa.select(sa.func.count()).select_from(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id, _is_listed())
        )
        return int(self.engine.value(query) or 0)

    def list(self, ruleset_id: str, also_withheld: bool = False) -> list[PublishedSheet]:
        """All published sheets of a game, the oldest first; without those that were taken off the lists."""
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id)
        if not also_withheld:
            query = query.where(~_is_off())
        return _sheets_of(self.engine, query.order_by(kept_sheet.c.at, kept_sheet.c.hash))

    def page(self, ruleset_id: str, after: str, limit: int) -> ListPage[PublishedSheet]:
        """Those in the game's list, a page at a time. after: the hash of the last sheet of the page before. Raises UnknownPlace."""
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id)
        order = sa.tuple_(kept_sheet.c.at, kept_sheet.c.hash)
        if after:
            last = _sheets_of(self.engine, query.where(kept_sheet.c.hash == after))
            if not last:
                raise UnknownPlace(after)
            query = query.where(order > sa.tuple_(sa.literal(last[0].at), sa.literal(last[0].hash)))
        found = _sheets_of(
            self.engine, query.where(_is_listed()).order_by(kept_sheet.c.at, kept_sheet.c.hash).limit(limit + 1)
        )
        return ListPage(found[:limit], found[limit - 1].hash if len(found) > limit else "")

    def newest(self, ruleset_id: str, limit: int, by: str | None = None, named: str = "") -> Sequence[PublishedSheet]:
        """The listed sheets of a game that were published last, the newest first; by: a person's own, listed or not; named:
        those in whose name this stands."""
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id)
        query = query.where(_is_listed() if by is None else sa.and_(kept_sheet.c.by == by_person(by), ~_is_off()))
        if named:
            query = query.where(kept_sheet.c.name.icontains(named, autoescape=True))
        return _sheets_of(self.engine, query.order_by(kept_sheet.c.at.desc(), kept_sheet.c.hash.desc()).limit(limit))

    def hash_by_name(self, key: str, by: str = "", before: Sequence[str] = ()) -> str | None:
        """With which sheet a game is played that is known by its name: the first of those with which it was played
        before, a ready one, the newest of one's own (by), or the newest that is listed; None: there is none of this
        name."""
        rules, name = rules_of(key), name_in_key(key)
        if rules is None or not name:
            return None
        own = self.newest(rules.id, NAMED_ALIKE, by, name) if by else ()
        again = filter(None, (self.published(rules.id, hash) for hash in before))
        found = (*again, *self.ready(rules.id), *own, *self.newest(rules.id, NAMED_ALIKE, named=name))
        return next((one.hash for one in found if rules.title_with(self.get(rules.id, one.hash)) == name), None)

    def find(self, hash: str) -> PublishedSheet:
        """Return the published sheet of a hash, also one that was taken off the lists. Raises UnknownSheet."""
        found = _sheets_of(self.engine, sa.select(kept_sheet).where(kept_sheet.c.hash == hash))
        if not found:
            raise UnknownSheet("any game", hash)
        return found[0]

    def published(self, ruleset_id: str, hash: str) -> PublishedSheet | None:
        """A published sheet, or a ready one; None: there is none of this hash, or it was taken off the lists."""
        if hash in ready_sheets(ruleset_id):
            return next(one for one in self.ready(ruleset_id) if one.hash == hash)
        query = sa.select(kept_sheet).where(kept_sheet.c.ruleset == ruleset_id, kept_sheet.c.hash == hash, ~_is_off())
        return next(iter(_sheets_of(self.engine, query)), None)


def _sheets_of(engine: StoreEngine, query: sa.Select[Any]) -> list[PublishedSheet]:
    rows = engine.rows(query)
    return [
        struct_of(
            PublishedSheet,
            row,
            overrides=msgspec.json.decode(row.overrides),
            by="" if row.by.startswith(by_person("")) else row.by,
        )
        for row in rows
    ]


def _is_off() -> sa.ColumnElement[bool]:
    """Games that pinned such a sheet keep it."""
    return sa.exists().where(is_withheld("sheet", kept_sheet.c.hash)).correlate(kept_sheet)


def _is_listed() -> sa.ColumnElement[bool]:
    return sa.and_(kept_sheet.c.unlisted == "", ~_is_off())


def in_printed_order(printed: Sheet, numbers: Mapping[str, Number]) -> Sheet:
    """A sheet of these numbers in the order of the printed one; what that one does not have comes last."""
    known = [path for path in printed.numbers if path in numbers]
    return Sheet(printed.game, {path: numbers[path] for path in (*known, *numbers)}, printed.additions)


def _checked_line(field: str, text: str, limit: int) -> str:
    text = " ".join(text.split())
    if not seen_of(text) or len(text) > limit or not is_displayable(text):
        raise BadSheet(field, LINES[field], limit=limit)
    return text


LINES = {
    "name": "a sheet has a name of 1 to {limit} characters, such as the printing of the box",
    "by": "who publishes it has a name of at most {limit} characters",
}


def _json(value: Any) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()
