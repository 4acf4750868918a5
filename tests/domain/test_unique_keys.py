"""JSON objects with a repeated key are refused by every reader."""

from __future__ import annotations

import msgspec
import pytest

from daybook.domain.kernel.unique_keys import RepeatedKeyError, decode_json, load_json

REPEATED = ('{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[{"b":{"a":[],"c":1,"a":{}}}]', '{"":0,"":0}')


@pytest.mark.parametrize("text", REPEATED)
def test_repeated_key_is_refused_at_any_depth(text):
    for read in (load_json, decode_json):
        with pytest.raises(RepeatedKeyError, match="more than once"):
            read(text)
        with pytest.raises((msgspec.DecodeError, ValueError)):  # as callers catch it
            read(text.encode())


def test_key_of_two_objects_is_kept():
    text = '{"a":{"a":1},"b":[{"a":2},{"a":3}],"A":4}'
    assert load_json(text) == decode_json(text) == {"a": {"a": 1}, "b": [{"a": 2}, {"a": 3}], "A": 4}


def test_number_beyond_python_limit_is_refused_by_msgspec():
    with pytest.raises(msgspec.DecodeError):
        decode_json('{"a":' + "9" * 5000 + "}", dict[str, int])
