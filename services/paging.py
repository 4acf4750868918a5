"""Pages of a list that grows: each begins behind the last row of the one before, named in the address (keyset)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from daybook.domain.kernel.frozen import Frozen

PagedRow = TypeVar("PagedRow")


class UnknownPlaceError(LookupError):
    """The list has no such row; start again at the first page."""

    def __init__(self, after: str) -> None:
        super().__init__(f"no row of the list is {after[:80]!a}")


class ListPage(Frozen, Generic[PagedRow]):
    """Rows of a list; next: the place behind them, empty where nothing comes."""

    rows: list[PagedRow]
    next: str


def page_of_list(
    rows: Iterable[PagedRow],
    place: Callable[[PagedRow], str],
    after: str,
    limit: int,
    shows: Callable[[PagedRow], bool] = lambda row: True,
) -> ListPage[PagedRow]:
    """Return the first shown rows after a place; a hidden row still counts as a place. Raises UnknownPlaceError."""
    coming = iter(rows)
    if after and not any(place(row) == after for row in coming):
        raise UnknownPlaceError(after)
    page: list[PagedRow] = []
    for row in coming:
        if shows(row):
            if len(page) == limit:
                return ListPage(page, place(page[-1]))
            page.append(row)
    return ListPage(page, "")
