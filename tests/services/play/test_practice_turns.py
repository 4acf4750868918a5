"""The order of practice tables."""

from __future__ import annotations

import pytest

from daybook.services.play.practice import TURN_SECONDS
from daybook.services.play.practice_turns import place_in_queue


@pytest.mark.parametrize(
    ("waiting", "client", "place"),
    [("", "c", 0), ("aaaaaaaa", "c", 1), ("abababab", "c", 2), ("abcabab", "c", 5), ("abab", "a", 4), ("aab", "b", 3)],
)
def test_next_job_comes_after_as_many_of_others_as_of_its_own(waiting, client, place):
    assert place_in_queue(waiting, client) == place


@pytest.mark.parametrize(("client", "place"), [("c", 0), ("a", 2), ("b", 2)])
def test_debts_of_cpu_seconds_count_like_jobs(client, place):
    assert place_in_queue("ab", client, {"a": 2 * TURN_SECONDS, "b": 2.5 * TURN_SECONDS}) == place
