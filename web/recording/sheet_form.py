"""The component sheet as a form: tables of fields as the game's layout has them, and what was typed into them.

A field is named after its place on the sheet, "cards.M2.copies" or "tracks.A.actions[3]". A row that is not on the
sheet yet has a key of its own, "events.+1.name", until its name gives it one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.sheet import NAME, Number, Sheet, at_first, differences, faults, key_of, overridden, row_of
from daybook.web.request.forms import BadText, number_in, value_of
from daybook.web.words import say, sheet_layout
from daybook.web.words.places import text_of
from daybook.web.words.say import Texts
from daybook.web.words.sheet_layout import Keys, SheetLines, SheetTable, Words
from daybook.web.words.sheets import layout_of

LONG = 28  # characters; a longer text is written on several lines
BROAD = 10  # characters of a choice
YES_OR_NO: Texts = {"yes": "yes", "no": "no"}
WRITTEN = "~"  # the choice of what is written out; with a field's name, the field of the text
NEW = "+"  # begins the key of a row without a name


class SheetField(Frozen):
    """One field. kind: "number", "choice", "text" or "long".

    was: what the sheet that Daybook comes with says there, where this one says something else. written: of a choice
    that can be written out instead, the text; None: it cannot. empty: what stands there if the field is left empty.
    """

    field: str
    label: str
    heading: str
    kind: str
    text: str
    choices: tuple[tuple[str, str], ...]
    number: Number
    was: str | None
    wrong: str
    written: str | None = None
    empty: str = ""

    @property
    def broad(self) -> bool:
        """Whether it takes the room of two."""
        return self.kind in ("text", "long") or any(len(word) > BROAD for _, word in self.choices)


class SheetRow(Frozen):
    """new: a row that the sheet did not come with; named: it is more than a place for one."""

    name: str
    cells: tuple[SheetField | None, ...]
    new: bool = False
    named: bool = False

    @property
    def there(self) -> list[SheetField]:
        return [cell for cell in self.cells if cell is not None]

    @property
    def has_assumed(self) -> bool:
        return (self.new and not self.named) or any(cell.number.tag == "assumed" or cell.wrong for cell in self.there)

    @property
    def has_changed(self) -> bool:
        return self.named or any(cell.was is not None or cell.wrong for cell in self.there)

    @property
    def wrong(self) -> list[SheetField]:
        return [cell for cell in self.there if cell.wrong]


class Source(Frozen):
    """Where several numbers of a table were read. names: of which, where it is not all of them."""

    tag: str
    where: str
    rules: tuple[str, ...]
    names: tuple[str, ...]


class Block(Frozen):
    """named: rows are added to it by a name; further: there is a field for one more, and not for all that can be."""

    part: SheetLines | SheetTable
    headings: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    sources: tuple[Source, ...]
    named: bool = False
    further: bool = False

    @property
    def has_assumed(self) -> bool:
        return any(row.has_assumed for row in self.rows)

    @property
    def has_changed(self) -> bool:
        return any(row.has_changed for row in self.rows)


class SheetChapter(Frozen):
    """A chapter. assumed: how many of its numbers are; changed: how many differ from the sheet Daybook comes with."""

    id: str
    title: str
    hint: str
    blocks: tuple[Block, ...]
    assumed: int
    changed: int

    @property
    def fields(self) -> list[str]:
        return [cell.field for block in self.blocks for row in block.rows for cell in row.there]


class TypedSheet(Frozen):
    """What was typed: by path what differs from the printed sheet, and by field what is wrong."""

    overrides: dict[str, Any]
    wrong: dict[str, str]


# --- reading ---------------------------------------------------------------------------------------------------------


def read_sheet_form(ruleset_id: str, printed: Sheet, form: Mapping[str, str]) -> TypedSheet:
    """Reads every field of the form; a field that was not sent is as printed."""
    overrides: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for path, number in printed.numbers.items():
        ways = _ways(ruleset_id, path)
        try:
            value = (
                _whole_list(form, path, number.value, ways)
                if _is_split(ruleset_id, path)
                else _read_field(form, path, number.value, ways)
            )
        except _WrongField as bad:
            wrong[bad.field] = bad.says
        else:
            if value != number.value:
                overrides[path] = value
    fields = _read_added_rows(ruleset_id, printed, form, overrides, wrong)
    for fault in faults(printed, overrides):
        field = fields.get(fault.path, fault.path)
        if field not in form:
            field = next((name for name in form if sheet_layout.apart(name)[0] == field), field)
        wrong.setdefault(field, say(fault.says, **fault.figures))
    return TypedSheet(overrides, wrong)


def fitting_sheet(printed: Sheet, what: TypedSheet, where: str) -> Sheet:
    """The printed sheet with as much of what was typed as can be taken."""
    wrong = {fault.path for fault in faults(printed, what.overrides)}
    rows = {path.rpartition(".")[0] for path in wrong if path not in printed.numbers}
    return overridden(
        printed,
        {
            path: value
            for path, value in what.overrides.items()
            if path not in wrong and (path in printed.numbers or path.rpartition(".")[0] not in rows)
        },
        where,
    )


class _WrongField(Exception):
    def __init__(self, field: str, says: str) -> None:
        super().__init__(field, says)
        self.field = field
        self.says = says


class Ways(Frozen):
    """How a value is told: in these words, or written out. unwritten: why a text is nothing of that kind, or ""."""

    words: Words
    unwritten: Callable[[str], str] | None


def _read_field(form: Mapping[str, str], field: str, like: Any, ways: Ways) -> Any:
    """The value of one field. Raises _Wrong."""
    text = form.get(field)
    if text == WRITTEN and ways.unwritten is not None:
        return _written_out(form, field, ways.unwritten)
    if text is None or _plain(text) == _plain(field_text(like, ways.words)):
        return like
    try:
        return value_of_text(text, like, ways.words)
    except BadText as bad:
        raise _WrongField(field, str(bad)) from bad


def _written_out(form: Mapping[str, str], field: str, unwritten: Callable[[str], str]) -> str:
    """What stands beside a choice. Raises _Wrong."""
    text = _plain(form.get(field + WRITTEN, ""))
    why = unwritten(text)
    if why:
        raise _WrongField(field, why)
    return text


def _plain(text: str) -> str:
    return " ".join(text.split())


PLACES_LIMIT = 200  # of a list: who names a place far behind would have all before it made


def _whole_list(form: Mapping[str, str], path: str, like: Any, ways: Ways) -> Any:
    """A list, or a table of its own, whose parts have a field each. Places left empty at the end are no part of it."""
    sent = {
        part: form[field]
        for field in form
        if (part := sheet_layout.apart(field)[1]) and sheet_layout.apart(field)[0] == path
    }
    if not sent:
        return like
    if isinstance(like, dict):
        return {part: _read_field(form, f"{path}[{part}]", of, ways) for part, of in like.items()}
    places = [place for part in sent if (place := number_in(part)) is not None and 0 <= place < PLACES_LIMIT]
    texts = [sent.get(str(place), "") for place in range(1 + max(places, default=-1))]
    while texts and not texts[-1].strip():
        texts.pop()
    return [
        _read_part(form, f"{path}[{place}]", text, like[place] if place < len(like) else like[0], ways)
        for place, text in enumerate(texts)
    ]


def _read_part(form: Mapping[str, str], field: str, text: str, like: Any, ways: Ways) -> Any:
    if not text.strip():
        raise _WrongField(field, say("fill this in, or move the next ones up"))
    return _read_field(form, field, like, ways)


def value_of_text(text: str, like: Any, words: Words) -> Any:
    """The value a text stands for; where it has words, by them or as it is written down. Raises BadText."""
    if not words or not isinstance(like, str | list):
        return value_of(text, like)
    known = {_fold_text(word): key for key, said in words.items() for word in (str(key), say(said))}
    parts = [part.strip() for part in text.split(",") if part.strip()] if isinstance(like, list) else [text.strip()]
    for part in parts:
        if _fold_text(part) not in known:
            raise BadText(
                say(
                    "{text} is not one of: {several}",
                    text=part[:20] or "–",
                    several=", ".join(say(said) for said in words.values()),
                )
            )
    found = [known[_fold_text(part)] for part in parts]
    return found if isinstance(like, list) else found[0]


def _fold_text(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split())


def field_text(of: Any, words: Words = {}) -> str:  # noqa: B006 (it is only read)
    """A value as its field shows it: lists in words."""
    if isinstance(of, list) and words:
        return ", ".join(say(words[part]) if part in words else str(part) for part in of)
    return text_of(of)


def number_text(ruleset_id: str, path: str, of: Any) -> str:
    """The value of a number in words."""
    words = _ways(ruleset_id, path).words
    return say(words[of]) if isinstance(of, str) and of in words else field_text(of, words)


def _read_added_rows(
    ruleset_id: str, printed: Sheet, form: Mapping[str, str], overrides: dict[str, Any], wrong: dict[str, str]
) -> dict[str, str]:
    """Reads the rows that are not on the printed sheet into `overrides`; by path the field of each number."""
    fields: dict[str, str] = {}
    for table, addition in printed.additions.items():
        for key in added_keys(printed, table, form):
            texts = {column: form.get(f"{table}.{key}.{column}", "") for column in addition.row}
            if addition.keys:
                first = at_first(printed, table, key, overrides)
                if _is_row_touched(texts, first):
                    empty = {
                        f"{table}.{key}.{column}": str(first[column])
                        for column, text in texts.items()
                        if addition.like and not text.strip()
                    }
                    _read_row(ruleset_id, table, key, key, first, {**form, **empty}, overrides, wrong, fields)
                continue
            name = " ".join(texts[NAME].split())
            if not name:
                if key.startswith(NEW) and _is_row_touched(texts, addition.row):
                    wrong[f"{table}.{key}.{NAME}"] = say("what is it called?")
                continue
            row = key_of(name) or key
            if f"{table}.{row}.{NAME}" in overrides or row in printed.rows(table):
                wrong[f"{table}.{key}.{NAME}"] = say("there is one called {name} already", name=name)
                continue
            _read_row(ruleset_id, table, key, row, addition.row, form, overrides, wrong, fields)
            overrides[f"{table}.{row}.{NAME}"] = name
    return fields


def _read_row(
    ruleset_id: str,
    table: str,
    key: str,
    row: str,
    columns: Mapping[str, Any],
    form: Mapping[str, str],
    overrides: dict[str, Any],
    wrong: dict[str, str],
    fields: dict[str, str],
) -> None:
    """Reads one row that was added. key: as in the form; row: as on the sheet."""
    for column, like in columns.items():
        path, field = f"{table}.{row}.{column}", f"{table}.{key}.{column}"
        fields[path] = field
        try:
            overrides[path] = _read_field(form, field, like, _ways(ruleset_id, path))
        except _WrongField as bad:
            wrong[bad.field] = bad.says


def _is_row_touched(texts: Mapping[str, str], row: Mapping[str, Any]) -> bool:
    """Whether anything of a row without a name differs from what stands there at first."""
    return any(
        texts[column] and _plain(texts[column]) not in (_plain(field_text(like)), str(like))
        for column, like in row.items()
    )


def added_keys(printed: Sheet, table: str, form: Mapping[str, str]) -> list[str]:
    """The keys of rows in a form that the printed sheet does not have, in the order of the form."""
    known, addition = set(printed.rows(table)), printed.additions[table]
    if addition.keys:
        return [
            key
            for key in addition.keys
            if key not in known and any(f"{table}.{key}.{column}" in form for column in addition.row)
        ]
    pattern = re.compile(rf"{re.escape(table)}\.([^.\[\]]+)\.{NAME}")
    found = [match[1] for field in form if (match := pattern.fullmatch(field))]
    return [key for key in dict.fromkeys(found) if key not in known]


@lru_cache(maxsize=4096)
def _ways(ruleset_id: str, path: str) -> Ways:
    parts = list(sheet_layout.parts(layout_of(ruleset_id)))
    return Ways(
        next((words for part in parts if (words := sheet_layout.words_of(part, path))), {}),
        next((free for part in parts if (free := sheet_layout.free_at(part, path))), None),
    )


@lru_cache(maxsize=4096)
def _is_split(ruleset_id: str, path: str) -> bool:
    return any(
        sheet_layout.is_split(part, path)
        for part in sheet_layout.parts(layout_of(ruleset_id))
        if isinstance(part, SheetTable)
    )


# --- showing ---------------------------------------------------------------------------------------------------------


class Showing:
    """A sheet laid out. sent: the fields of a form that is shown again, with what is wrong by field."""

    def __init__(
        self, ruleset_id: str, sheet: Sheet, printed: Sheet, sent: Mapping[str, str], wrong: Mapping[str, str]
    ) -> None:
        self.game = ruleset_id
        self.sheet = sheet
        self.printed = printed
        self.sent = sent
        self.wrong = wrong
        self.changed = differences(sheet, printed)
        self.values = sheet.values()

    def sections(self) -> list[SheetChapter]:
        chapters = [
            self._section(f"chapter-{n}", say(chapter.title), say(chapter.hint) if chapter.hint else "", chapter.parts)
            for n, chapter in enumerate(layout_of(self.game), 1)
        ]
        shown = {sheet_layout.apart(field)[0] for chapter in chapters for field in chapter.fields}
        others = [path for path in self.sheet.numbers if path not in shown and row_of(self.printed, path) is None]
        if others:  # a number that the layout does not know yet is shown all the same
            chapters.append(
                self._section(
                    "chapter-others", say("Other numbers"), "", (SheetLines(numbers={path: path for path in others}),)
                )
            )
        return chapters

    def _section(self, id: str, title: str, hint: str, parts: Sequence[SheetLines | SheetTable]) -> SheetChapter:
        blocks = tuple(self._lines(part) if isinstance(part, SheetLines) else self._table(part) for part in parts)
        cells = [cell for block in blocks for row in block.rows for cell in row.there]
        paths = {sheet_layout.apart(cell.field)[0] for cell in cells if cell.number.tag == "assumed"}
        return SheetChapter(id, title, hint, blocks, len(paths), sum(cell.was is not None for cell in cells))

    def _lines(self, part: SheetLines) -> Block:
        rows = tuple(
            SheetRow(label, (self._cell(path, label, "", part),))
            for path, text in part.numbers.items()
            if path in self.sheet.numbers and (label := say(text))
        )
        return Block(part, (), rows, ())

    def _table(self, part: SheetTable) -> Block:
        found = {keys: self._row(part, keys) for keys in self._keys(part)}
        addition = self.printed.additions.get(part.adds)
        if addition is not None:
            found |= {(key,): self._new_row(part, key) for key in self._new_keys(part.adds)}
            places: dict[Keys, int] = {(key,): place for place, key in enumerate(addition.keys)}
            found = {keys: found[keys] for keys in sorted(found, key=lambda keys: places.get(keys, -1))}
        cells = [(row, cell) for row in found.values() for cell in row.there]
        return Block(
            part,
            tuple(map(say, part.columns.values())),
            tuple(found.values()),
            tuple(_sources(cells)),
            addition is not None and not addition.keys,
            addition is not None and not addition.like,
        )

    def _keys(self, part: SheetTable) -> Iterator[Keys]:
        """The rows of the sheet; those that were sent with the form instead of those a group has added by a name."""
        addition = self.printed.additions.get(part.adds)
        instead = addition is not None and not addition.keys and self.sent
        known = set(self.printed.rows(part.adds))
        for keys in sheet_layout.rows(part, self.sheet):
            if not instead or keys[0] in known:
                yield keys
        if part.grows:
            longest = max((int(keys[-1]) for keys in sheet_layout.rows(part, self.sheet)), default=-1)
            yield (str(longest + 1),)

    def _new_keys(self, table: str) -> list[str]:
        """The keys of rows that were typed, and of one more for the next; where no order is in them, of all."""
        addition = self.printed.additions[table]
        if addition.keys:
            free = [key for key in addition.keys if key not in self.sheet.rows(table)]
            wrong = [key for key in free if any(f"{table}.{key}.{column}" in self.wrong for column in addition.row)]
            return free if addition.like else [*wrong, *[key for key in free if key not in wrong][:1]]
        keys = [
            key
            for key in added_keys(self.printed, table, self.sent)
            if not key.startswith(NEW)
            or self.sent.get(f"{table}.{key}.{NAME}", "").strip()
            or any(field.startswith(f"{table}.{key}.") for field in self.wrong)
        ]
        used = {number for key in keys if (number := number_in(key[1:])) is not None}
        return [*keys, f"{NEW}{max(used, default=0) + 1}"]

    def _row(self, part: SheetTable, keys: Keys) -> SheetRow:
        name = sheet_layout.row_label(part, keys, self.values)
        new = bool(part.adds) and keys[0] not in self.printed.rows(part.adds)
        return SheetRow(
            name,
            tuple(
                self._cell(sheet_layout.path_of_row(pattern, keys), f"{name}, {say(heading)}", say(heading), part)
                for pattern, heading in part.columns.items()
            ),
            new,
            new,
        )

    def _new_row(self, part: SheetTable, key: str) -> SheetRow:
        typed = self.sent.get(f"{part.adds}.{key}.{NAME}", "").strip()
        addition = self.printed.additions[part.adds]
        name = typed or (part.row(key) if addition.keys else say(part.another))
        cells = []
        for pattern, heading in part.columns.items():
            place = sheet_layout.path_of_row(pattern, (key,))
            like = addition.row[place.rpartition(".")[2]]
            number = Number(None if addition.like else like, "box", "", addition.rule)
            cells.append(
                self._make_field(place, f"{name}, {say(heading)}", say(heading), part, number, None, like_of=like)
            )
        return SheetRow(name, tuple(cells), True, bool(typed))

    def _cell(self, place: str, label: str, heading: str, part: SheetLines | SheetTable) -> SheetField | None:
        path, index = sheet_layout.apart(place)
        if path not in self.sheet.numbers:
            return None
        number, was = self.sheet.numbers[path], None
        whole = number.value
        if index is None:
            return self._make_field(place, label, heading, part, number, self._was(part, path))
        inside = part_of(whole, index)
        if path in self.changed and path in self.printed.numbers:
            before = part_of(self.printed[path], index)
            was = None if before == inside else field_text(before, sheet_layout.words_of(part, path))
        like = msgspec.structs.replace(number, value=inside)
        return self._make_field(place, label, heading, part, like, was, like_of=next(iter(_parts_of_value(whole)), ""))

    def _was(self, part: SheetLines | SheetTable, path: str) -> str | None:
        """What the sheet that Daybook comes with has instead; of a row that it lacks, what holds there for it."""
        before = self.printed.numbers.get(like_path(self.printed, path))
        if path not in self.changed or (before is not None and before.value == self.sheet[path]):
            return None
        return field_text(before.value, sheet_layout.words_of(part, path)) if before is not None else ""

    def _make_field(
        self,
        place: str,
        label: str,
        heading: str,
        part: SheetLines | SheetTable,
        number: Number,
        was: str | None,
        like_of: Any = None,
    ) -> SheetField:
        path = sheet_layout.apart(place)[0]
        words, free = sheet_layout.words_of(part, path), sheet_layout.free_at(part, path) is not None
        like = like_of if number.value is None else number.value
        kind, text, choices = self._field(place, number.value, like, words)
        written = self.sent.get(place + WRITTEN, "" if number.value in words else str(number.value)) if free else None
        if free:
            text = text if text in words or place in self.sent else WRITTEN
            known = [choice for choice in choices if choice[0] in words or choice[0] == text != WRITTEN]
            choices = (*known, (WRITTEN, say("written out:")))
        empty = like_path(self.printed, path)
        return SheetField(
            place,
            label,
            heading,
            kind,
            text,
            choices,
            number,
            _in_words(was, words),
            self.wrong.get(place, ""),
            written,
            "" if empty == path else field_text(self.sheet[empty]),
        )

    def _field(self, place: str, of: Any, like: Any, words: Words) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        """The kind of a field, the text in it, and what can be chosen."""
        text = self.sent.get(place, field_text(of, words))
        if isinstance(like, bool) or (words and isinstance(like, str)):
            choices = YES_OR_NO if isinstance(like, bool) else words
            known = [(str(key), say(word)) for key, word in choices.items()]
            if of is None or text not in choices:  # a place without anything, or something else that was typed
                known.insert(0, ("" if of is None else text, "–" if of is None else text or "–"))
            return "choice", text, tuple(known)
        if isinstance(like, int):
            return "number", text, ()
        return "long" if len(text) > LONG else "text", text, ()


def _in_words(was: str | None, words: Words) -> str | None:
    return say(words[was]) if was is not None and was in words else was


def _parts_of_value(whole: Any) -> list[Any]:
    return list(whole.values()) if isinstance(whole, dict) else list(whole)


def like_path(printed: Sheet, path: str) -> str:
    """Where that stands which holds until a row of its own is added, "output.I.1" for "output.food.I.1", or `path`."""
    row = row_of(printed, path)
    like = printed.additions[row[0]].like if row else ""
    return f"{like}.{row[1]}.{path.rpartition('.')[2]}" if row and like else path


def part_of(whole: Any, index: str) -> Any:
    """One part of a list or a table; None where it has no such place."""
    if isinstance(whole, dict):
        return whole.get(index)
    return whole[int(index)] if int(index) < len(whole) else None


def _sources(cells: list[tuple[SheetRow, SheetField]]) -> Iterator[Source]:
    """Where the numbers of a table were read, each place once, in the order of the table."""
    found: dict[tuple[str, str], list[SheetField]] = {}
    for row, cell in cells:
        if not row.new and cell.number.value is not None:
            found.setdefault((cell.number.tag, cell.number.where), []).append(cell)
    for (tag, where), those in found.items():
        rules = tuple(dict.fromkeys(cell.number.rule for cell in those if cell.number.rule))
        yield Source(tag, where, rules, () if len(found) == 1 else tuple(cell.label for cell in those))
