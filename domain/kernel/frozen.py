"""The base of what is written down: once made it never changes."""

from __future__ import annotations

from typing import dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Frozen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Struct that never changes; what is derived from it is the same, and need not say so."""
