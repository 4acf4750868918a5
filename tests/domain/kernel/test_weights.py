"""The weights of a policy, as they stand in a game's folder."""

from __future__ import annotations

import sys

import msgspec
import pytest

from daybook.domain.kernel.weights import KEPT_AS, InvalidWeightsError, weights_of


class Some(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: dict[str, float]
    fade: float


@pytest.mark.parametrize(
    "content",
    [
        '{"origin": "", "weights": {"card": {}, "fade": "0.5"}}',
        '{"origin": "", "weights": {"card": {}}}',
        '{"origin": "", "weights": {"card": {}, "fade": 1, "faded": 1}}',
        '{"weights": {"card": {}, "fade": 1}}',
    ],
)
def test_a_file_that_does_not_hold_them_is_refused(content, tmp_path, monkeypatch):
    folder = tmp_path / "sawmill"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.delitem(sys.modules, "sawmill", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    (folder / KEPT_AS).write_text('{"origin": "by hand", "weights": {"card": {"R1": 6}, "fade": 0.5}}')
    assert weights_of("sawmill", Some) == Some({"R1": 6.0}, 0.5)
    (folder / KEPT_AS).write_text(content)
    with pytest.raises(InvalidWeightsError, match=r"sawmill/weights\.json"):
        weights_of("sawmill", Some)
