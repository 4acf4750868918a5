"""The command line about people: whoever runs the service lets somebody back in."""

from __future__ import annotations

import pytest

from daybook.services.league.clubs import OPERATOR
from daybook.services.people import accounts, invitations
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from tests.cli.test_data import Run, json_of, run

__all__ = ["run"]
pytestmark = pytest.mark.usefixtures("quick_hashes")


def test_a_link_signs_in_who_has_forgotten_the_password(run: Run, settings: Settings) -> None:
    book = open_daybook(settings)
    anna = accounts.make_account(book, "Anna", sign_in="anna", password="seven looms at dawn")
    told = json_of(run("sign-in-link", "ANNA", "--json"))
    assert told["person"] == anna
    found = invitations.read_invitation(book, told["link"].rpartition("#")[2])
    assert (found.person, found.made_by) == (anna, OPERATOR)
    assert told["link"].rpartition("#")[2] not in run("sign-in-link", anna).stdout, "a new one each time"
    with pytest.raises(invitations.NoInvitation):
        invitations.read_invitation(book, told["link"].rpartition("#")[2])
    book.close()


def test_nobody_gets_a_link_who_has_no_sign_in(run: Run) -> None:
    result = run("sign-in-link", "nobody")
    assert result.exit_code == 2
    assert "no account" in result.output
