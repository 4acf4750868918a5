"""Every address has an action in the table of permissions."""

from __future__ import annotations

import pytest

from daybook.web.request.address_actions import ACTIONS

pytestmark = [pytest.mark.sqlite_suffices]

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def test_every_address_has_an_action(app):
    addressed = {
        (rule.endpoint, method != "GET") for rule in app.url_map.iter_rules() for method in rule.methods & METHODS
    }
    assert addressed == set(ACTIONS)
