"""The syntax of mail addresses that Daybook sends to."""

from __future__ import annotations

import re
from typing import Literal

MAX_ADDRESS_CHARACTERS = 254  # RFC 5321
LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
DOMAIN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*")
MAX_LOCAL_CHARACTERS = 64

AddressFault = Literal["", "too_long", "no_address"]


def mail_address_fault(address: str) -> AddressFault:
    """Return why a text is not the address of one mailbox; empty if it is. Quoted and international parts are not."""
    if len(address) > MAX_ADDRESS_CHARACTERS:
        return "too_long"
    local, at, domain = address.rpartition("@")
    is_valid = at and len(local) <= MAX_LOCAL_CHARACTERS and LOCAL_PART.fullmatch(local) and DOMAIN.fullmatch(domain)
    return "" if is_valid else "no_address"
