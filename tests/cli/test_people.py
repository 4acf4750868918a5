"""Commands about people: the operator lets a person back in."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from daybook.services.league.clubs import OPERATOR
from daybook.services.operation import withheld
from daybook.services.people import accounts, invitations, operators
from daybook.services.store.daybook import open_daybook
from daybook.services.store.kept import kept_game
from tests.cli.test_data import json_of, run
from tests.played import open_table_of

__all__ = ["run"]


def test_a_link_signs_in_who_has_forgotten_the_password(run, settings):
    book = open_daybook(settings)
    anna = accounts.make_account(book, "Anna", sign_in="anna", password="seven looms at dawn")
    told = json_of(run("sign-in-link", "ANNA", "--json"))
    assert told["person"] == anna
    found = invitations.read_invitation(book, told["link"].rpartition("#")[2])
    assert (found.person, found.made_by) == (anna, OPERATOR)
    assert told["link"].rpartition("#")[2] not in run("sign-in-link", anna).stdout, "a new one each time"
    with pytest.raises(invitations.InvalidInvitationError):
        invitations.read_invitation(book, told["link"].rpartition("#")[2])
    book.close()


def test_nobody_gets_a_link_who_has_no_sign_in(run):
    result = run("sign-in-link", "nobody")
    assert result.exit_code == 2
    assert "no account" in result.output


def test_a_game_is_taken_off_the_public_lists_and_put_back(run, settings):
    book = open_daybook(settings)
    game = open_table_of(book, public=True)

    def public() -> bool:
        with book.kept.engine.connect() as c:
            return bool(c.scalar(sa.select(kept_game.c.public).where(kept_game.c.id == game)))

    address = f"https://daybook.example.org/games/{game}?step=3"
    assert run("unlist", address, "--why", "an offending title").stdout == f"game {game} is off the public lists\n"
    (kept,) = withheld.page_of_withheld(book, "", 9).rows
    assert (kept.withheld.why, kept.withheld.by, public()) == ("an offending title", OPERATOR, False)
    told = run("list-again", str(game), "--why", "it was renamed")
    assert (told.stdout, public()) == (f"game {game} is back, as its owner set it\n", True)
    again = run("list-again", str(game), "--why", "once more")
    assert (again.exit_code, "was not taken off the public lists" in again.output) == (2, True)
    assert run("unlist", "nothing", "--why", "x").exit_code == 2
    book.close()


def test_an_account_is_named_operator_and_dismissed(run, settings):
    book = open_daybook(settings)
    anna = accounts.make_account(book, "Anna", sign_in="anna", password="seven looms at dawn")
    token = accounts.begin_session(book, anna, "a phone")
    assert run("operator", "ANNA").stdout == f"{anna}\n"
    assert operators.is_operator(book, anna) and accounts.session_of(book, token) is None, "she signs in anew"
    assert run("operator", anna, "--dismiss").stdout == ""
    assert not operators.is_operator(book, anna)
    nobody = run("operator", "nobody")
    assert (nobody.exit_code, "no account" in nobody.output) == (2, True)
    book.close()


def test_sign_in_link_by_shown_name_lists_accounts(run, settings):
    book = open_daybook(settings)
    anna = accounts.make_account(book, "Anna B.", sign_in="anna", password="seven looms at dawn")
    result = run("sign-in-link", "anna b.")
    assert (result.exit_code, f"{anna}  signs in as anna" in result.output) == (2, True)
    book.close()


def test_anonymise_asks_for_the_name(run, settings):
    book = open_daybook(settings)
    anna = accounts.make_account(book, "Anna B.", sign_in="anna", password="seven looms at dawn")
    wrong = run("anonymise", "anna", "--called", "Anna")
    assert (wrong.exit_code, accounts.person_of_sign_in(book, "anna")) == (2, anna)
    assert run("anonymise", "anna", "--called", "anna  B.").exit_code == 0
    assert accounts.account_of(book, anna) is None and "Anna" not in book.kept.names([anna])[anna]
    assert run("anonymise", anna, "--called", "Anna B.").exit_code == 2
    book.close()
