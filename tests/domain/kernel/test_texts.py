"""Letters put together in one way."""

from __future__ import annotations

import re
import unicodedata

import pytest

from daybook.domain.kernel.texts import MARKS, composed

RUN = 5_000


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
@pytest.mark.parametrize(
    "text",
    [
        "Anna",
        "u\u0308ber",
        "\u1112\u1161\u11ab\u1100\u1173\u11af" * 40,
        "ﬁ½",
        "ह\u0928\u094dद\u0940" * 20,
        "🐙👩‍👩‍👧" * 20,
    ],
)
def test_letters_are_put_together(text, form):
    assert composed(text, form) == unicodedata.normalize(form, text)  # type: ignore[arg-type]


@pytest.mark.parametrize("marks", ["\u0301\u0327", "\u0327\u0301\u0f73", "\u0f73", "\uff9e\u0327", "\u0344\u0323"])
def test_many_combining_marks_without_a_letter_sort_quickly(marks):
    """Each is compared with those before it: of 60,000 in one request that took a quarter of a minute."""
    text = composed("a" + "".join(mark * RUN for mark in marks))
    apart = "".join("x" if unicodedata.combining(sign) else " " for sign in unicodedata.normalize("NFKD", text))
    assert max(map(len, re.findall("x+", apart))) <= 2 * MARKS
