"""Pages of lists: requests send `after` and `limit`, and answers have `next`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode

from flask import request

from daybook.services.paging import ListPage, UnknownPlaceError
from daybook.web.api.errors import ApiError
from daybook.web.request.lists import ROWS_PER_PAGE
from daybook.web.request.origin import own_address

PageRow = TypeVar("PageRow")


class PlaceInList(Protocol):
    """A query with the start and the length of a page."""

    @property
    def after(self) -> str: ...

    @property
    def limit(self) -> int | None: ...


def bad_place() -> ApiError:
    """Return the error of an unknown place in a list."""
    return ApiError(
        422,
        "bad_place",
        "`after` is not a place in the list",
        "copy it unchanged from `next`",
        fields={"after": ["Not from an answer."]},
    )


def fetch_page(
    query: PlaceInList, page_after: Callable[[str, int], ListPage[PageRow]], pinned: Mapping[str, object] | None = None
) -> tuple[list[PageRow], str | None]:
    """Return the page that a request asks for, and the address of the next one; None: it is the last.

    Args:
        pinned: parameters of the next address that replace those of this request; None: left out.

    Raises:
        ApiError
    """
    try:
        found = page_after(query.after, query.limit or ROWS_PER_PAGE[request.endpoint or ""])
    except UnknownPlaceError:
        raise bad_place() from None
    replaced = {**(pinned or {}), "after": found.next}
    kept = [(name, value) for name, value in request.args.items(multi=True) if name not in replaced]
    added = [(name, value) for name, value in replaced.items() if value is not None]
    return found.rows, next_address([*kept, *added]) if found.next else None


def next_address(query: Iterable[tuple[str, Any]]) -> str:
    """Return the address of the next page."""
    return f"{own_address()}{request.path}?{urlencode([*query])}"
