"""The offer to show messages on the device of a visitor."""

from __future__ import annotations

from flask import request

from daybook.domain.kernel.frozen import Frozen
from daybook.services.messages import push
from daybook.web.request.access import book


class PushOffer(Frozen):
    """Offer to a person. key: with which the browser subscribes; empty: a page must not ask.

    answered: the person has answered for an evening.
    """

    key: str
    answered: bool


def push_offer_to(person: str) -> PushOffer:
    """Return what a page may offer: with https only, and only after an answer for an evening."""
    answered = push.may_ask(book(), person)
    return PushOffer(push.public_key(book()) if answered and request.is_secure else "", answered)
