"""The message when everything runs: where to open Daybook, with a QR code for phones."""

from __future__ import annotations

import io
import sys

from daybook.services.operation import backup_state, network, unnamed_proxy
from daybook.services.settings import Settings


def welcome(settings: Settings) -> str:
    advice = f"\n{unnamed_proxy.ADVICE}" if unnamed_proxy.is_unnamed(settings) else ""
    return _where_to_open(settings) + advice + _backup_advice(settings)


def _backup_advice(settings: Settings) -> str:
    """Say so if the automatic backups are lost with the disk."""
    is_automatic = backup_state.is_automatic(settings)
    if not is_automatic or settings.backup_command is not None or not backup_state.shares_disk(settings):
        return ""
    return f"\n{backup_state.SAME_DISK}: docs/backup.md"


def _where_to_open(settings: Settings) -> str:
    stops = f"(Ctrl-C stops; data in {settings.data})"
    if settings.base_url is not None:
        return f"open {settings.base_url} {stops}"
    if settings.host != network.ALL_ADDRESSES:
        own = f"{settings.scheme}://{settings.bind}"
        advice = "\nonly on this machine: --lan (make run LAN=1) lets phones in" if network.is_loopback_url(own) else ""
        return f"open {own} {stops}{advice}"
    addresses = network.served_urls(settings.host, settings.port, settings.scheme)
    lines = [f"open {settings.scheme}://127.0.0.1:{settings.port} here {stops}"]
    if not addresses:
        lines += ["this machine is in no network now: once it is, a game's page of links shows the address for phones"]
    else:
        first, *others = addresses
        lines += [f"on phones in this network open {first}", *(f"or {other}" for other in others)]
        lines += terminal_code(first)
    return "\n".join(lines)


def terminal_code(address: str) -> list[str]:
    """Return an address as lines of a QR code; none if the output is not a terminal."""
    if not sys.stdout.isatty():
        return []
    import segno

    drawn = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n").split("\n")
