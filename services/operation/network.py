"""The local network: at which addresses other devices reach this machine, and whether they may.

Whether a data folder is served to the local network is asked once and written down in it.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from urllib.parse import urlsplit

from daybook.services.atomic_files import replace

EVERYWHERE = "0.0.0.0"  # where a server listens that is reached at every IPv4 address of its machine
INWARD = ("docker", "br-", "veth", "virbr", "vboxnet", "vmnet", "tun", "tap", "wg", "utun")  # lead to no phone, mostly
LOCAL = ("local", "lan", "home", "home.arpa", "internal", "localdomain")  # where local networks name machines: nobody's
ANSWER = "serve-network"  # the file of a data folder that holds the answer: "yes" or "no"


def addresses() -> list[str]:
    """The IPv4 addresses at which devices of the local network reach this machine, the likeliest first."""
    import ifaddr  # asks the system; not every place where Daybook runs has networks

    found: list[tuple[bool, bool, int, str]] = []
    for place, adapter in enumerate(ifaddr.get_adapters()):
        for one in adapter.ips:
            if not isinstance(one.ip, str):  # IPv6: nobody types it into a phone
                continue
            address = IPv4Address(one.ip)
            if address.is_loopback or address.is_link_local or address.is_unspecified:
                continue
            found.append((adapter.nice_name.startswith(INWARD), not address.is_private, place, one.ip))
    return [ip for *_, ip in sorted(found)]


def is_of_this_machine(host: str) -> bool:
    """Whether a name or an address, as browsers ask for it, is one of this machine."""
    name = socket.gethostname().lower()
    own = (name, *(f"{name.partition('.')[0]}.{place}" for place in LOCAL))
    if host in own or is_here_alone(f"//[{host}]" if ":" in host else f"//{host}"):
        return True
    import ifaddr

    return any(
        host == (one.ip if isinstance(one.ip, str) else one.ip[0])
        for adapter in ifaddr.get_adapters()
        for one in adapter.ips
    )


def served_at(host: str, port: int, scheme: str = "http") -> list[str]:
    """How the addresses begin at which the local network reaches a server that listens there; none: it does not."""
    return [f"{scheme}://{address}:{port}" for address in addresses()] if host == EVERYWHERE else []


def is_here_alone(address: str) -> bool:
    """Whether an address such as http://127.0.0.1:8000 reaches this machine from itself alone."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def answer(data: Path) -> bool | None:
    """Whether this data folder is served to the local network; None: nobody was asked yet."""
    try:
        return {"yes": True, "no": False}.get((data / ANSWER).read_text().strip())
    except OSError:
        return None


def remember(data: Path, served: bool) -> None:
    replace(data / ANSWER, b"yes\n" if served else b"no\n")
