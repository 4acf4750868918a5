"""Local network: addresses of this machine for other devices, and the decision to serve them.

The operator is asked once per data folder, and the answer is stored in it.
"""

from __future__ import annotations

import socket
from functools import lru_cache
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from urllib.parse import urlsplit

from daybook.services.atomic_files import replace_file
from daybook.services.settings import Settings

ALL_ADDRESSES = "0.0.0.0"  # a server that listens here is reachable at every IPv4 address
# adapters that usually do not lead to phones
VIRTUAL_PREFIXES = ("docker", "br-", "veth", "virbr", "vboxnet", "vmnet", "tun", "tap", "wg", "utun")
LOCAL_DOMAINS = ("local", "lan", "home", "home.arpa", "internal", "localdomain")  # reserved suffixes of local names
LOOPBACK_CACHE_SIZE = 1024  # hosts that requests name; checked at each
ANSWER_FILE = "serve-network"  # in the data folder, with "yes" or "no"


def local_addresses() -> list[str]:
    """Return this machine's IPv4 addresses in the local network, likeliest first."""
    import ifaddr  # asks the system; not every platform has network interfaces

    candidates: list[tuple[bool, bool, int, str]] = []
    for place, adapter in enumerate(ifaddr.get_adapters()):
        for entry in adapter.ips:
            if not isinstance(entry.ip, str):  # IPv6 addresses are impractical to type on a phone
                continue
            address = IPv4Address(entry.ip)
            if address.is_loopback or address.is_link_local or address.is_unspecified:
                continue
            candidates.append((adapter.nice_name.startswith(VIRTUAL_PREFIXES), not address.is_private, place, entry.ip))
    return [ip for *_, ip in sorted(candidates)]


def is_of_this_machine(host: str) -> bool:
    """Check if a host name or address is one of this machine."""
    name = socket.gethostname().lower()
    own = (name, *(f"{name.partition('.')[0]}.{place}" for place in LOCAL_DOMAINS))
    if host in own or is_loopback_url(f"//[{host}]" if ":" in host else f"//{host}"):
        return True
    import ifaddr

    return any(
        host == (address.ip if isinstance(address.ip, str) else address.ip[0])
        for adapter in ifaddr.get_adapters()
        for address in adapter.ips
    )


def served_urls(host: str, port: int, scheme: str = "http") -> list[str]:
    """Return the URLs at which the local network reaches a server on this host and port; empty if it does not."""
    return [f"{scheme}://{address}:{port}" for address in local_addresses()] if host == ALL_ADDRESSES else []


def address_here(settings: Settings) -> str:
    """Return the address at which this machine opens a Daybook with these settings, and others if they may."""
    if settings.base_url is not None:
        return settings.base_url
    if settings.host != ALL_ADDRESSES:
        return f"{settings.scheme}://{settings.bind}"
    reached = served_urls(settings.host, settings.port, settings.scheme)
    return reached[0] if reached else f"{settings.scheme}://127.0.0.1:{settings.port}"


@lru_cache(LOOPBACK_CACHE_SIZE)
def is_loopback_url(address: str) -> bool:
    """Check if a URL such as http://127.0.0.1:8000 is reachable only from this machine."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def read_answer(data: Path) -> bool | None:
    """Return whether this data folder is served to the local network; None before the first answer."""
    try:
        return {"yes": True, "no": False}.get((data / ANSWER_FILE).read_text().strip())
    except OSError:
        return None


def store_answer(data: Path, served: bool) -> None:
    replace_file(data / ANSWER_FILE, b"yes\n" if served else b"no\n")
