"""The bases of what never changes once it is made."""

from __future__ import annotations

from typing import dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Frozen(msgspec.Struct, frozen=True):
    """A Struct that never changes; what is derived from it is the same, and need not say so."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Exact(Frozen, forbid_unknown_fields=True):
    """A frozen Struct that is recorded, and read without unknown fields."""
