"""The addresses of this machine in its networks, and whether they are served."""

from __future__ import annotations

import socket
from ipaddress import ip_address

import pytest

from daybook.services.operation import network


def test_each_address_belongs_to_this_machine_and_is_reachable():
    for address in network.local_addresses():
        assert not ip_address(address).is_loopback
        with socket.create_server((address, 0)) as listening, socket.create_connection(listening.getsockname(), 5):
            pass


def test_server_listening_at_one_address_is_served_nowhere_else():
    assert network.served_urls("0.0.0.0", 8000) == [f"http://{address}:8000" for address in network.local_addresses()]
    for host in ("127.0.0.1", "192.168.1.7", "::"):  # whether :: answers IPv4 too, the system decides
        assert network.served_urls(host, 8000) == []


@pytest.mark.parametrize(
    ("address", "alone"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://localhost:8000", True),
        ("http://[::1]:8000", True),
        ("http://daybook.localhost", True),
        ("http://127.8.9.1", True),
        ("http://192.168.1.7:8000", False),
        ("https://daybook.example.org", False),
        ("http://tablet:8000", False),
    ],
)
def test_an_address_that_no_other_device_reaches_is_known(address, alone):
    assert network.is_loopback_url(address) is alone


def test_an_answer_is_remembered_and_can_be_changed(tmp_path):
    assert network.read_answer(tmp_path) is None
    for served in (True, False, True):
        network.store_answer(tmp_path, served)
        assert network.read_answer(tmp_path) is served


def test_what_is_no_answer_is_asked_again(tmp_path):
    (tmp_path / network.ANSWER_FILE).write_text("perhaps")
    assert network.read_answer(tmp_path) is None
