"""The weights of a game's policy: named numbers in a file of the game's folder, and their origin.

    weights_of(__package__, Weights)        of the file weights.json in the game's folder

Each is greater than 0, and is known by its path: "card.R1".
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any, TypeVar

import msgspec

from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.unique_keys import decode_json

KEPT_AS = "weights.json"  # in the folder of a game

W = TypeVar("W", bound=msgspec.Struct)


class Weighted(Exact):
    """The content of the file. origin: the program or person that set the weights."""

    origin: str
    weights: dict[str, Any]


class InvalidWeightsError(ValueError):
    """The file does not hold the weights that the policy goes by."""


def weights_of(package: str, kind: type[W]) -> W:
    """Return the weights in a game's folder. Raises InvalidWeightsError."""
    content = files(package).joinpath(KEPT_AS).read_bytes()
    try:
        return msgspec.convert(decode_json(content, Weighted).weights, kind)
    except msgspec.ValidationError as wrong:
        raise InvalidWeightsError(f"{package}/{KEPT_AS}: {wrong}") from wrong
