"""Every address with every role and every scope of a key: the answers agree with the tables of permissions."""

from __future__ import annotations

from typing import get_args

import pytest

from daybook.domain import commands
from daybook.services.people import accounts
from daybook.services.people.accounts import Scope
from daybook.services.permissions import access
from daybook.services.permissions.actions import Action, may
from daybook.services.permissions.scopes import allows, required_scope
from daybook.services.permissions.visits import NotReadableError, visit_of
from tests.web.conftest import OF_OUR_PAGE, Visitor
from tests.web.test_every_route import LEAVING, everything  # noqa: F401

pytestmark = [pytest.mark.sqlite_suffices]

NEEDS: dict[str, Action] = {  # pages of a game -> the action that they are for; all others are for who may read it
    "links.links": "manage",
    "links.pen": "manage",
    "device_lease.state": "manage",
    "passing.cover": "manage",
    "passing.form": "manage",
    "photos.photo": "see_photo",
    "what_if.line": "fork",
    "record.undo": commands.Note,
    "correct.correct": "correct",
    "adjust.adjust": "correct",
    "as_played.as_played": "correct",
    "claims.new": "claim",
    "wrong.wrong": "claim",
    "typed_line.transcript": "save",
    "about.export": "save",
    "audit.one": "export",
    "record.record": commands.Note,
    "typed_line.type_it": commands.Note,
}
BY_LEASE = {"device_lease.progress"}  # for the device, with the key of its lease


def test_game_pages_answer_each_role_as_the_table_says(friday):
    grants = [*access.grants_of_game(friday.book, friday.id), access.share_game(friday.book, friday.id), None]
    values = {
        "game_id": friday.id,
        "step": 0,
        "number": 0,
        "seat": 0,
        "fork": "x",
        "hash": "0" * 64,
        "photo_hash": "0" * 64,
        "other_id": friday.id,
    }
    wrong, seen = [], set()
    for grant in grants:
        browser = Visitor(friday.app)
        if grant is not None and grant.role == "share":
            browser.get(f"/s/{grant.id}")
        elif grant is not None:
            browser.join(access.key_of(friday.book, grant))
        try:
            visit, _ = visit_of(friday.book, friday.id, links=[grant.id] if grant else [])
        except NotReadableError:
            visit = None
        for rule in friday.app.url_map.iter_rules():
            if (
                "GET" not in rule.methods
                or not str(rule).startswith("/games/<uuid:game_id>")
                or rule.endpoint in LEAVING
            ):
                continue
            _, path = rule.build({name: values.get(name, 0) for name in rule.arguments})
            status = (browser.client.head if rule.endpoint.startswith("live.events") else browser.client.get)(
                path
            ).status_code
            seen.add(rule.endpoint)
            needed = NEEDS.get(rule.endpoint)
            may_open = (
                visit is not None
                and rule.endpoint not in BY_LEASE
                and (needed is None or bool(may(visit, needed, hash="0" * 64)))
            )
            if (status in (401, 403)) == may_open and status != 404:
                wrong.append((grant.place if grant else "visitor", rule.endpoint, status))
    assert set(NEEDS) <= seen
    assert wrong == [], "\n".join(map(str, wrong))


def test_every_address_answers_each_scope_as_the_table_says(everything):  # noqa: F811
    browser, wrong, tried = Visitor(everything.app), [], 0
    for scope in get_args(Scope):
        key = accounts.make_key(everything.club.book, everything.club.olga, scope, scope=scope)
        headers = {"Authorization": f"Bearer {key}"} | OF_OUR_PAGE
        for rule in everything.rules("GET", "POST", "PUT", "PATCH", "DELETE"):
            if rule.endpoint in ("static", "Keys.revoke_key") or rule.endpoint.startswith("live.events"):
                continue
            for method in sorted(rule.methods & {"GET", "POST", "PUT", "PATCH", "DELETE"}):
                needed = required_scope(rule.endpoint, method != "GET")
                if method != "GET" and allows(scope, needed):
                    continue  # it would write
                answer = browser.client.open(everything.address(rule), method=method, headers=headers)
                refused = answer.status_code == 403 and any(
                    said in answer.text for said in ("narrow_scope", "This key may not do that")
                )
                tried += 1
                if refused == allows(scope, needed):
                    wrong.append((scope, method, rule.endpoint, answer.status_code))
                answer.close()
    assert tried > 500
    assert wrong == [], "\n".join(map(str, wrong))
