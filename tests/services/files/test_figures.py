"""Columns and marks in record files: what is altered or left out is found, though every line is sealed again."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybook.services.files.audit import audit
from daybook.services.files.recordfile import BadFileError
from tests.services.fixture_files import FIXTURES, read_fixture, reseal_line

pytestmark = [pytest.mark.sqlite_suffices, pytest.mark.slow]

GAMES = ("friday-four", "market-day", "four-mills", "four-boards")


def first_lines(name: str, entries: int = 120) -> bytes:
    return b"".join((FIXTURES / f"{name}.daybook").read_bytes().splitlines(keepends=True)[: entries + 2])


def first_told(content: bytes) -> set[tuple[int, str, str]]:
    """The first line that says each figure, its part and name: without it, it could have come later."""
    first: dict[tuple[str, str], int] = {}
    for place, line in enumerate(map(msgspec.json.decode, content.splitlines()[1:]), 2):
        for part in ("columns", "marks"):
            for figure in line.get(part) or ():
                first.setdefault((part, figure), place)
    return {(place, *key) for key, place in first.items()}


def test_mark_left_out_after_it_came_back_is_found():
    """Water Frame has no cycle between decades; without the mark, line 87 looks older than cycles."""
    content = first_lines("four-mills")
    findings = audit(read_fixture(reseal_line(content, 87, marks={"decade": 1780, "turn": 16})).game).findings
    assert (findings[0].step, [difference.part for difference in findings[0].differences]) == (85, ["marks"])


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_figure_left_out_or_altered_is_found(name, data):
    """Although every line is sealed again, as an informed forger would."""
    content = first_lines(name)
    lines = {place: msgspec.json.decode(line) for place, line in enumerate(content.splitlines(), 1) if place > 2}
    first = first_told(content)
    place, part, figure = data.draw(
        st.sampled_from(
            [
                (place, part, figure)
                for place, line in lines.items()
                for part in ("columns", "marks")
                for figure in sorted(line.get(part, ()))
                if (place, part, figure) not in first
            ]
        )
    )
    said = lines[place][part]
    less = {item: value for item, value in said.items() if item != figure}
    if data.draw(st.booleans()):
        forged = reseal_line(content, place, **{part: less}) if less else reseal_line(content, place, left_out=[part])
    else:
        wrong = [value + 1 for value in said[figure]] if part == "columns" else (said[figure] or 0) + 1
        forged = reseal_line(content, place, **{part: said | {figure: wrong}})
    try:
        findings = audit(read_fixture(forged).game).findings
    except BadFileError as refused:
        assert refused.line >= place
        return
    assert (findings[0].step, {difference.part for difference in findings[0].differences}) == (place - 2, {part})
