"""nginx with the configuration of docs/deploy, in front of web processes of this machine."""

from __future__ import annotations

import datetime
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from daybook.workers.children import start_child, stop
from tests.servers import free_port, listens, wait_until

NAME = "daybook.example.org"
CONFIGURATION = Path(__file__).parent.parent / "docs" / "deploy" / "nginx.conf"
MAIN = """
daemon off;
worker_processes 2;
{user}
pid {folder}/nginx.pid;
events {{ worker_connections 1024; }}
http {{
    {temporary}
    include {folder}/daybook.conf;
}}
"""


def find_nginx() -> str | None:
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def write_certificate(folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


@contextmanager
def nginx(folder: Path, hosts: Sequence[str], tls: bool = True) -> Iterator[tuple[int, int]]:
    """Run nginx in front of web processes; yield its port, and the port that redirects to TLS.

    Args:
        folder: for its files.
        hosts: host:port of each web process.
        tls: without it, the same configuration serves http.
    """
    program = find_nginx()
    assert program is not None
    port, redirects = free_port(), free_port()
    write_certificate(folder)
    text = CONFIGURATION.read_text()
    server = next(line for line in text.splitlines() if "server 127.0.0.1:8000" in line)
    servers = "\n".join(server.replace("127.0.0.1:8000", host) for host in hosts)
    for theirs, ours in (
        (server, servers),
        ("listen [::]:443 ssl http2", f"listen [::1]:{port} ssl http2"),
        ("listen 443 ssl http2", f"listen 127.0.0.1:{port} ssl http2"),
        ("listen [::]:80;", ""),
        ("listen 80;", f"listen 127.0.0.1:{redirects};"),
        (f"/etc/letsencrypt/live/{NAME}", str(folder)),
        ("/var/log/nginx/daybook.log", str(folder / "access.log")),
    ):
        assert theirs in text
        text = text.replace(theirs, ours)
    if not tls:
        text = text.replace(" ssl http2", "").replace("ssl_reject_handshake on;", "return 444;")
    if not Path("/proc/net/if_inet6").exists():
        text = "\n".join(line for line in text.splitlines() if "listen [::1]" not in line)
    (folder / "daybook.conf").write_text(text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    (folder / "nginx.conf").write_text(
        MAIN.format(
            folder=folder,
            user="user root;" if os.getuid() == 0 else "",
            temporary=" ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds),
        )
    )
    arguments = [program, "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    checked = subprocess.run([*arguments, "-t"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    with (folder / "error.log").open("wb") as log:
        running = start_child(arguments, stdout=log, stderr=log)
        try:
            wait_until(lambda: listens(port), "nginx")
            yield port, redirects
        finally:
            stop(running)
