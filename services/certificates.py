"""TLS without a proxy: a certificate of one's own, and one made here for the addresses of this machine.

Nobody vouches for one that is made here: each browser warns once, and goes on when it is told to.
"""

from __future__ import annotations

import os
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from daybook.services import network

DAYS = 397  # the longest that browsers take


class BadCertificate(ValueError):
    """A certificate or key that cannot be served, or made there. The message says what to do."""


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """What a server needs to speak TLS. Raises BadCertificate."""
    for file in (certificate, key):
        if not file.is_file():
            raise BadCertificate(f"{file} is not there: name a certificate and its key, or make them with "
                                 "`daybook certificate CERTIFICATE KEY`")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=lambda: b"")  # a key with a password cannot be asked for it
    except (OSError, ValueError) as wrong:
        raise BadCertificate(f"{certificate} and {key} are no certificate in PEM with its key, which has no password "
                             f"({wrong})") from wrong
    return context


def make_certificate(certificate: Path, key: Path) -> list[str]:
    """Makes a certificate for this machine and its key, which this user alone may read; the addresses it is for.

    Raises BadCertificate rather than writing over what is there.
    """
    if certificate.absolute() == key.absolute():
        raise BadCertificate(f"{certificate} cannot be both: name another file for the key")
    for file in (certificate, key):
        if file.exists():
            raise BadCertificate(f"{file} already exists: name another file, or remove it")
        if not file.absolute().parent.is_dir():
            raise BadCertificate(f"{file.absolute().parent} is no folder: name a file in one that is there")
    addresses = ["127.0.0.1", "::1", *network.addresses()]
    private, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Daybook on this machine")])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=DAYS - 1))
        .add_extension(x509.SubjectAlternativeName(
            [x509.DNSName("localhost"), *(x509.IPAddress(ip_address(one)) for one in addresses)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)  # so that a device may trust it
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(private, hashes.SHA256()))
    text = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    with os.fdopen(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
        written.write(text)
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return ["localhost", *addresses]
