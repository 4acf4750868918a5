"""TLS without a proxy: a certificate of one's own, and one made here for the addresses of this machine.

Nobody vouches for one that is made here: each browser warns once, and goes on when it is told to.
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

DAYS = 397  # the longest that browsers take
BEGUN_DAYS = 1  # ago: a phone's clock may be late
WARNED_DAYS = 21  # before the end


class BadCertificate(ValueError):
    """A certificate or key that cannot be served, or made there. The message says what to do."""


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """What a server needs to speak TLS. Raises BadCertificate."""
    for file in (certificate, key):
        if not file.is_file():
            raise BadCertificate(
                f"{file} is not there: name a certificate and its key, or make them with "
                "`daybook certificate CERTIFICATE KEY`"
            )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=lambda: b"")  # a key with a password cannot be asked for it
    except (OSError, ValueError) as wrong:
        raise BadCertificate(
            f"{certificate} and {key} are no certificate in PEM with its key, which has no password ({wrong})"
        ) from wrong
    return context


def warnings(certificate: Path, addresses: Sequence[str] = ()) -> Iterator[str]:
    """What whoever serves with a certificate has to know before their phones refuse it. It can be read.

    addresses: at which the network reaches this machine; one that is for addresses has to be for the first of them.
    """
    found = x509.load_pem_x509_certificates(certificate.read_bytes())[0]
    until = found.not_valid_after_utc
    left = (until - datetime.now(UTC)).days
    anew = "remove it, its key and its authority, and make them anew with `daybook certificate CERTIFICATE KEY`"
    if left < 0:
        yield f"{certificate} expired on {until:%Y-%m-%d}, and browsers refuse it: renew it, or {anew}"
    elif left < WARNED_DAYS:
        yield f"{certificate} is valid until {until:%Y-%m-%d}, and browsers refuse it then: renew it, or {anew}"
    with suppress(x509.ExtensionNotFound):
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        own = [str(one) for one in names.get_values_for_type(x509.IPAddress)]
        if own and addresses and addresses[0] not in own:
            yield f"{certificate} is not for {addresses[0]}, where phones reach this machine now: {anew}"


def make_certificate(certificate: Path, key: Path) -> tuple[Path, list[str]]:
    """Makes a certificate for this machine and its key, which this user alone may read: the file that devices may
    install so that they do not warn, and the addresses it is for.

    What devices install is an authority of its own for these addresses alone, whose key is thrown away: nobody, also
    with the files of this machine, can make it vouch for anything else. Raises BadCertificate rather than writing over
    what is there.
    """
    if certificate.absolute() == key.absolute():
        raise BadCertificate(f"{certificate} cannot be both: name another file for the key")
    authority = certificate.with_name(f"{certificate.stem}-ca{certificate.suffix}")
    for file in (certificate, key, authority):
        if file.exists():
            raise BadCertificate(f"{file} already exists: name another file, or remove it")
        if not file.absolute().parent.is_dir():
            raise BadCertificate(f"{file.absolute().parent} is no folder: name a file in one that is there")
    addresses = ["127.0.0.1", "::1", *network.addresses()]
    thrown_away, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    vouching, vouched = _authority(thrown_away, addresses), _certificate(own, thrown_away, addresses)
    text = own.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with os.fdopen(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
        written.write(text)
    authority.write_bytes(_pem(vouching))
    certificate.write_bytes(_pem(vouched) + _pem(vouching))
    return authority, ["localhost", *addresses]


AUTHORITY = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Daybook on this machine (authority)")])
MACHINE = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Daybook on this machine")])


def _authority(key: ec.EllipticCurvePrivateKey, addresses: list[str]) -> x509.Certificate:
    """What vouches for these addresses, and can vouch for no others."""
    names = [x509.DNSName("localhost"), *(x509.IPAddress(ip_network(address)) for address in addresses)]
    return (
        _begun(AUTHORITY, key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=names, excluded_subtrees=None), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .sign(key, hashes.SHA256())
    )


def _certificate(
    key: ec.EllipticCurvePrivateKey, authority: ec.EllipticCurvePrivateKey, addresses: list[str]
) -> x509.Certificate:
    names = [x509.DNSName("localhost"), *(x509.IPAddress(ip_address(address)) for address in addresses)]
    return (
        _begun(MACHINE, key.public_key())
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(authority, hashes.SHA256())
    )


def _begun(name: x509.Name, public: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(AUTHORITY)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=BEGUN_DAYS))
        .not_valid_after(now + timedelta(days=DAYS - 1))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    """signs: other certificates, and nothing else."""
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


def _pem(made: x509.Certificate) -> bytes:
    return made.public_bytes(serialization.Encoding.PEM)
