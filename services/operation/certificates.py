"""TLS without a proxy: your own certificate, or one made here for this machine's addresses.

Browsers do not trust one made here; each warns once and continues after confirmation.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from daybook.services.operation import network

VALIDITY_DAYS = 397  # the longest that browsers accept
BACKDATED_DAYS = 1  # phones' clocks may be late
WARN_DAYS_BEFORE_END = 21


class BadCertificateError(ValueError):
    """Invalid certificate or key, or one that cannot be made there. The message says what to do."""


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return the TLS context of a server. Raises BadCertificateError."""
    for file in (certificate, key):
        if not file.is_file():
            raise BadCertificateError(
                f"{file} is not there: name a certificate and its key, or make them with "
                "`daybook certificate CERTIFICATE KEY`"
            )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=lambda: b"")  # a server cannot enter a key's password
    except (OSError, ValueError) as wrong:
        raise BadCertificateError(
            f"{certificate} and {key} are no certificate in PEM with its key, which has no password ({wrong})"
        ) from wrong
    return context


def certificate_warnings(certificate: Path, addresses: Sequence[str] = ()) -> Iterator[str]:
    """Yield warnings about a readable certificate before phones refuse it.

    Args:
        addresses: of this machine in the network; a certificate for addresses must include the first.
    """
    leaf = x509.load_pem_x509_certificates(certificate.read_bytes())[0]
    until = leaf.not_valid_after_utc
    left = (until - datetime.now(UTC)).days
    remedy = "remove it, its key and its authority, and create them again with `daybook certificate CERTIFICATE KEY`"
    if left < 0:
        yield f"{certificate} expired on {until:%Y-%m-%d}, and browsers refuse it: renew it, or {remedy}"
    elif left < WARN_DAYS_BEFORE_END:
        yield f"{certificate} is valid until {until:%Y-%m-%d}, and browsers refuse it then: renew it, or {remedy}"
    with suppress(x509.ExtensionNotFound):
        names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        own = [str(address) for address in names.get_values_for_type(x509.IPAddress)]
        if own and addresses and addresses[0] not in own:
            yield f"{certificate} is not for {addresses[0]}, where phones reach this machine now: {remedy}"


def seconds_left(certificate: Path) -> float:
    """Return the seconds until a readable certificate expires; negative if it has expired."""
    leaf = x509.load_pem_x509_certificates(certificate.read_bytes())[0]
    return (leaf.not_valid_after_utc - datetime.now(UTC)).total_seconds()


def make_certificate(certificate: Path, key: Path) -> tuple[Path, list[str]]:
    """Make a certificate and a private key for this machine.

    Devices may install its authority, which is limited to these addresses and whose key is discarded, so no one can use
    it for other sites. Existing files are never overwritten.

    Returns:
        the authority's file, and the certificate's addresses.

    Raises BadCertificateError.
    """
    if certificate.absolute() == key.absolute():
        raise BadCertificateError(f"{certificate} cannot be both: name another file for the key")
    authority = certificate.with_name(f"{certificate.stem}-ca{certificate.suffix}")
    for file in (certificate, key, authority):
        if file.exists():
            raise BadCertificateError(f"{file} already exists: name another file, or remove it")
        if not file.absolute().parent.is_dir():
            raise BadCertificateError(f"{file.absolute().parent} is no folder: name a file in one that is there")
    addresses = ["127.0.0.1", "::1", *network.local_addresses()]
    thrown_away, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    vouching, vouched = _make_authority(thrown_away, addresses), _sign_certificate(own, thrown_away, addresses)
    text = own.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with os.fdopen(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
        written.write(text)
    authority.write_bytes(_encode_pem(vouching))
    certificate.write_bytes(_encode_pem(vouched) + _encode_pem(vouching))
    return authority, ["localhost", *addresses]


AUTHORITY = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Daybook on this machine (authority)")])
MACHINE = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Daybook on this machine")])


def _make_authority(key: ec.EllipticCurvePrivateKey, addresses: list[str]) -> x509.Certificate:
    """Return an authority that can only vouch for these addresses."""
    names = [x509.DNSName("localhost"), *(x509.IPAddress(ip_network(address)) for address in addresses)]
    return (
        _certificate_builder(AUTHORITY, key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=names, excluded_subtrees=None), critical=True)
        .add_extension(_key_usage(signs=True), critical=True)
        .sign(key, hashes.SHA256())
    )


def _sign_certificate(
    key: ec.EllipticCurvePrivateKey, authority: ec.EllipticCurvePrivateKey, addresses: list[str]
) -> x509.Certificate:
    names = [x509.DNSName("localhost"), *(x509.IPAddress(ip_address(address)) for address in addresses)]
    return (
        _certificate_builder(MACHINE, key.public_key())
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs=False), critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(authority, hashes.SHA256())
    )


def _certificate_builder(name: x509.Name, public: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(AUTHORITY)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=BACKDATED_DAYS))
        .not_valid_after(now + timedelta(days=VALIDITY_DAYS - 1))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _key_usage(*, signs: bool) -> x509.KeyUsage:
    """Return the key usage.

    Args:
        signs: only signs certificates.
    """
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _encode_pem(made: x509.Certificate) -> bytes:
    return made.public_bytes(serialization.Encoding.PEM)
