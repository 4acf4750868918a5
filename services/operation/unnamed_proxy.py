"""A proxy on this machine that DAYBOOK_TRUSTED_PROXIES does not name: noticed by the headers that it sends.

All its visitors have one address then, and share the limits of one. The web process writes the sighting down in the
data folder, where start, health and doctor find it.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from pathlib import Path

from daybook.services.atomic_files import replace_file
from daybook.services.settings import Settings

SIGHTING_FILE = "unnamed-proxy"  # in the data folder; its modification time is that of the last sighting
NOTE_AGAIN_SECONDS = 3600.0
FORGOTTEN_SECONDS = 7 * 24 * 3600.0
SEEN = "a proxy on this machine sends forwarded headers and is not named: all its visitors count as one address"
DO = "name your proxy: DAYBOOK_TRUSTED_PROXIES=127.0.0.1,::1"
ADVICE = f"{DO} ({SEEN})"

logger = logging.getLogger(__name__)
_noted: dict[Path, float] = {}


def note_sighting(settings: Settings) -> None:
    """Write down that a peer on loopback has just sent a forwarded header; at most once an hour."""
    file, now = settings.data / SIGHTING_FILE, time.monotonic()
    if now - _noted.get(file, -NOTE_AGAIN_SECONDS) < NOTE_AGAIN_SECONDS and file.exists():
        return
    _noted[file] = now
    logger.warning("%s", ADVICE)
    with suppress(OSError):  # such as a full disk: the log has it
        replace_file(settings.folder() / SIGHTING_FILE, b"")


def is_unnamed(settings: Settings) -> bool:
    """Check if such a proxy was seen within the last week, and none is named yet."""
    if settings.trusted_proxies:
        return False
    try:
        return time.time() - (settings.data / SIGHTING_FILE).stat().st_mtime < FORGOTTEN_SECONDS
    except OSError:
        return False
