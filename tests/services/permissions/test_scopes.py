"""Scopes of programs' keys: what each includes, what each address needs, and keys that keys create."""

from __future__ import annotations

from typing import get_args

import pytest

from daybook.services.people import accounts
from daybook.services.people.accounts import InvalidAccountError, Scope
from daybook.services.permissions.actions import scope_includes


def test_organise_includes_record_and_record_includes_read():
    order = get_args(Scope)
    assert [[scope_includes(scope, needed) for needed in order] for scope in order] == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


def test_key_creates_narrower_keys_that_end_with_it(book):
    person = accounts.make_account(book, "Ann", sign_in="ann", password="a long password")
    mine = accounts.read_key(book, accounts.make_key(book, person, "wide", 30))
    assert mine is not None and (mine.scope, mine.made_with) == ("organise", None)
    made = accounts.read_key(book, accounts.make_key(book, person, "narrow", 365, "record", mine))
    assert made is not None and (made.scope, made.made_with, made.ends_at) == ("record", mine.id, mine.ends_at)
    for scope, by in (("organise", mine), ("record", made), ("all", mine)):
        with pytest.raises(InvalidAccountError):
            accounts.make_key(book, person, "wider", 30, scope, by)
    assert accounts.revoke_key(book, person, mine.id, by=person)
    assert accounts.keys_of_person(book, person) == []
