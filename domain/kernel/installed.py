"""Find and load the extensions of installed packages by their entry points.

An unusable extension is reported with the name of its package and left out; the others still work. Packages are looked
up once per process.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points, version
from typing import Any, TypeVar

from daybook.domain.kernel.frozen import Frozen

DISTRIBUTION = "daybook-log"  # the distribution of this module
MADE_FOR = "daybook.made_for"  # an entry point's name is the version of Daybook that its package was made for
OLDEST_MADE_FOR = (1, 0, 0)  # games made for an older Daybook no longer load

VERSION = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})(?:\.([0-9]{1,6}))?")

T = TypeVar("T")
Objection = Callable[[str, T, Mapping[str, T]], str]  # (id, object, accepted objects) -> reason to reject it, or ""


class NotLoaded(Frozen):
    """A game that is installed and cannot be used. package: the distribution that brings it, and its version."""

    id: str
    package: str
    why: str

    def __str__(self) -> str:
        return f"the game {self.id!r} of the package {self.package} cannot be loaded: {self.why}"


class OutOfDateError(ImportError):
    """Daybook's own entry points are not known: it was installed before they were declared. Install it again."""

    def __init__(self, group: str) -> None:
        super().__init__(
            f"this installation of Daybook is older than its code: it declares no {group}. "
            "Run `make setup` in a checkout, or install Daybook again"
        )


def load(
    group: str, kind: type[T], objection: Objection[T] = lambda id, provided, already_installed: ""
) -> tuple[dict[str, T], list[NotLoaded]]:
    """Load the entry points of a group, ours first; return them by name, and those that cannot be used.

    A name that several packages use is ours, if we use it, or no one's: a record could mean either. Raises OutOfDateError.
    """
    points = sorted(entry_points(group=group), key=lambda point: (not _is_ours(point), point.name, _package(point)))
    if not any(map(_is_ours, points)):
        raise OutOfDateError(group)
    ours = {point.name for point in points if _is_ours(point)}
    claims = Counter(point.name for point in points)
    found: dict[str, T] = {}
    failed: list[NotLoaded] = []
    for point in points:
        why = _version_objection(point)
        if claims[point.name] > 1 and not _is_ours(point):
            why = "Daybook has a game of this id" if point.name in ours else "another package has a game of this id"
        elif not why:
            loaded = _load(point, kind)
            why = loaded if isinstance(loaded, str) else objection(point.name, loaded, found)
            if not why and not isinstance(loaded, str):
                found[point.name] = loaded
        if why:
            failed.append(NotLoaded(point.name, _package(point), why))
    return found, failed


def _load(point: EntryPoint, kind: type[T]) -> T | str:
    """Return the object of an entry point, or why it cannot be used."""
    try:
        loaded: Any = point.load()
    except Exception as wrong:  # a foreign module may raise anything; it is reported, and the other games still load
        return f"{point.value}: {type(wrong).__name__}: {wrong}"
    return loaded if isinstance(loaded, kind) else f"{point.value} is no {kind.__name__}"


def _version_objection(point: EntryPoint) -> str:
    """Return why the version that a package was made for does not fit; "" if it fits or none is declared."""
    if point.dist is None or _is_ours(point):
        return ""
    for declared in point.dist.entry_points.select(group=MADE_FOR):
        made_for = VERSION.fullmatch(declared.name)
        if made_for is None:
            return f"{MADE_FOR} has {declared.name!r}: give the version of Daybook as two or three numbers, as in 1.0"
        if _numbers_of(made_for) < OLDEST_MADE_FOR:
            oldest = ".".join(map(str, OLDEST_MADE_FOR))
            return f"it was made for Daybook {declared.name}; this Daybook loads games made for {oldest} or newer"
        own = version(DISTRIBUTION)
        if (running := VERSION.match(own)) and _numbers_of(made_for) > _numbers_of(running):
            return f"it was made for Daybook {declared.name}; this is {own}: upgrade Daybook"
    return ""


def _numbers_of(match: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(number or 0) for number in match.groups())


def _is_ours(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == DISTRIBUTION


def _package(point: EntryPoint) -> str:
    """Return name and version of the package with a game."""
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.module
