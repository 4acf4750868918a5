"""Who may write what: the one table that pages, the API and devices ask."""

from __future__ import annotations

from typing import get_args
from uuid import uuid4

import msgspec
import pytest

from daybook.domain import commands
from daybook.domain.kernel.record import Game
from daybook.services.people.access import Grant
from daybook.services.rights import MAY_WRITE, MayNot, grant_for
from tests.services.fixture_files import FIXTURES, read_fixture


@pytest.fixture(scope="module")
def game() -> Game:
    return read_fixture((FIXTURES / "by-hand.daybook").read_bytes()).game


def test_every_command_has_its_line_in_the_table():
    assert set(MAY_WRITE) == set(get_args(commands.Command))


def test_reader_or_holder_of_no_link_writes_nothing(game):
    reader = Grant("r", game.id, "reader")
    of_another = Grant("k", uuid4(), "scorekeeper")
    for kind in MAY_WRITE:
        for held in ([], [reader], [of_another]):
            with pytest.raises(MayNot):
                grant_for(held, game, kind, {})


def test_the_first_grant_for_which_every_check_holds_writes(game):
    first, second = (Grant(f"s{seat}", game.id, "seat", seat) for seat in (0, 1))
    says = msgspec.structs.asdict(commands.AppealRuling(3, 0, "no", 1))
    assert grant_for([first, second], game, commands.AppealRuling, says) == second
    with pytest.raises(MayNot) as no:
        grant_for([first], game, commands.AppealRuling, says)
    assert (no.value.lack, no.value.grant) == ("speak", first)
