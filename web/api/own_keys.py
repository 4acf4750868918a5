"""Keys that a program creates for other programs of the same person."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.services.names import BadNameError
from daybook.services.people import accounts
from daybook.services.people.accounts import KEY_DAYS, KEY_DAYS_DEFAULT, KEY_NAME_LIMIT, InvalidAccountError, Key
from daybook.services.structs import copy_fields
from daybook.web.api.base import ASK, book, section
from daybook.web.api.errors import ApiError
from daybook.web.request.access import key_of_person

own_keys = section("Keys", "Keys for your other programs, with fewer permissions than the key that creates them.")


class NewKey(Exact):
    name: Annotated[str, Meta(min_length=1, max_length=KEY_NAME_LIMIT)]
    scope: Literal["read", "record"]
    days: Annotated[int, Meta(ge=1, le=max(KEY_DAYS))] = KEY_DAYS_DEFAULT  # for how long it works


class KeyShown(Frozen):
    id: str  # not the key itself
    name: str
    scope: str
    made_at: str
    ends_at: str


class KeysShown(Frozen):
    keys: list[KeyShown]


class KeyCreated(Frozen):
    """A new key: it is shown only now."""

    key: str


class KeyRevoked(Frozen):
    revoked: str


def _key_sent() -> Key:
    key = key_of_person()
    if key is None:
        raise ApiError(401, "key_missing", "this needs a key of a person", "create one on your page")
    return key


@own_keys.reads("/keys", KeysShown, "your keys", key=True)
def list_keys() -> KeysShown:
    """List your keys

    The keys themselves are not in the list: each is shown once, when it is created.
    """
    keys = accounts.keys_of_person(book(), _key_sent().person)
    return KeysShown([copy_fields(KeyShown, key) for key in keys])


@own_keys.acts("/keys", KeyCreated, "the new key", body=NewKey, status=201, fails=ASK)
def create_key(body: NewKey) -> KeyCreated:
    """Create a key

    For keys of the scope "organise". The new key has a narrower scope and expires no later than the key that created
    it. It is revoked together with that key. `days` is 30, 90 or 365.
    """
    mine = _key_sent()
    try:
        key = accounts.make_key(book(), mine.person, body.name, body.days, body.scope, mine)
    except (InvalidAccountError, BadNameError) as bad:
        reason = "the name, the scope or the days are none that are offered, or there are too many keys"
        raise ApiError(422, "bad_key", reason, "choose a narrower scope, and 30, 90 or 365 days") from bad
    return KeyCreated(key)


@own_keys.acts("/keys/<string:key_id>", KeyRevoked, "it opens nothing any more", method="DELETE", fails=ASK)
def revoke_key(key_id: str) -> KeyRevoked:
    """Revoke a key

    The keys that it created are revoked as well.
    """
    mine = _key_sent()
    if not accounts.revoke_key(book(), mine.person, key_id, by=mine.person):
        raise ApiError(404, "unknown_key", "you have no such key", "GET /keys lists them")
    return KeyRevoked(key_id)
