"""Settings: a frozen value, read once from arguments and the environment.

| variable | means | absent |
|---|---|---|
| DAYBOOK_DATA | path of the data folder | data |
| DAYBOOK_DATABASE_URL | postgresql:// URL of the database for the log, the read models and the kept tables | SQLite files in the data folder |
| DAYBOOK_REDIS_URL | redis://, rediss:// or unix:// URL of the job queue; redis+sentinel:// URL of its sentinels | our own server on a socket in the data folder |
| DAYBOOK_ALLOW_UNCONFIRMED_PRIMARY | yes: use a database host as the primary although no other host confirms that it is | no |
| DAYBOOK_SECRET_FILE | file with the secret that signs cookies and links, at least 32 bytes | made in the data folder |
| DAYBOOK_RECEIPT_KEY_FILE | PEM file with the Ed25519 key that signs receipts | made in the data folder |
| DAYBOOK_WORKERS | number of processes that run jobs (web processes are not counted) | 2 |
| DAYBOOK_WEB_PROCESSES | number of processes of `serve` that answer requests; more than 1 needs Linux | 1 |
| DAYBOOK_WIN_CHANCES_SECONDS_PER_DAY | processor seconds per day for the win chances of finished games, all users together; off: none | 3600 |
| DAYBOOK_HOST, DAYBOOK_PORT | address and port that the web server listens on | 127.0.0.1, 8000 |
| DAYBOOK_BASE_URL | public URL, used in links and QR codes | links follow the request's address |
| DAYBOOK_TLS_CERTIFICATE, DAYBOOK_TLS_KEY | PEM files for HTTPS without a proxy; set both | HTTP |
| DAYBOOK_ALLOWED_HOSTS | further host names that requests may use, comma-separated | this machine's, the public one |
| DAYBOOK_PUBLIC | yes: visitors without an account may use the site; the files that they import are marked | no |
| DAYBOOK_TERMS_FILE | text file (UTF-8) with your terms and privacy text, shown at /terms; read at the start | no such page |
| DAYBOOK_VISITOR_FILES_DAYS | days after which a visitor's imported file is erased, unless the game was continued; off: never | off |
| DAYBOOK_VISITOR_FILES_MIN_FREE_GB | free space on the data folder's disk, in GB, below which visitors' files are refused | 1 |
| DAYBOOK_AUTOMATIC_BACKUPS | no: `serve` and `follow` create no daily backups of SQLite files | yes |
| DAYBOOK_BACKUP_FOLDER | folder of the daily backups, on another disk; keeps 7 daily, 4 weekly and 12 monthly ones | `backups` in the data folder keeps 3 daily ones |
| DAYBOOK_BACKUP_COMMAND | program that copies each backup onward; its argument is the folder of the new backup | none |
| DAYBOOK_LOG_FORMAT | format of the log messages: text or json | text |
| DAYBOOK_METRICS_TOKEN_FILE | file with the token that Prometheus sends to read /metrics, at least 32 bytes | no /metrics |
| DAYBOOK_WEBHOOKS_TO_PRIVATE_NETWORKS | yes: clubs' webhooks may have addresses in this machine's networks | no |
| DAYBOOK_SMTP_URL | smtp:// or smtps:// URL of the mail server, with name and password; needs DAYBOOK_MAIL_SENDER and DAYBOOK_BASE_URL | no mail, and no page mentions it |
| DAYBOOK_MAIL_SENDER | address from which Daybook sends mail | no mail |
| DAYBOOK_TRUSTED_PROXIES | addresses or networks of proxies whose forwarded headers are trusted, comma-separated | no proxy is trusted |
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import SplitResult, quote, urlsplit

from daybook.services.atomic_files import write_once
from daybook.services.mail_syntax import mail_address_fault
from daybook.services.queue_address import SCHEMES, BadAddressError, is_by_sentinels, read_sentinels

HOST = re.compile("[a-z0-9.:-]+")  # host name or address as browsers send it: international names in ASCII
PREFIX = "DAYBOOK_"
REMOVED_SETTINGS = {
    "shards": "one follower takes in everything; leave the variable out"
}  # former settings, with the reason
MAX_SOCKET_PATH_BYTES = 100  # the system's limit with the closing zero is 108 on Linux, 104 on macOS
SECRET_BYTES = 32
MAX_TERMS_CHARACTERS = 200_000

logger = logging.getLogger(__name__)

T = TypeVar("T")
Network = IPv4Network | IPv6Network
IPV4_MAPPED_BITS = 96  # of ::ffff:0:0/96, in which IPv6 has the IPv4 addresses


class BadSettingError(ValueError):
    """Unusable setting. The message names the variable and says what to do."""

    def __init__(self, variable: str, what: str) -> None:
        super().__init__(f"{variable}: {what}")
        self.variable = variable


class NoSecretError(BadSettingError):
    """There is no secret in the data folder."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, checked. Addresses may hold passwords, so they stay out of its repr."""

    data: Path  # absolute
    database_url: str | None = field(default=None, repr=False)  # None: SQLite files in the data folder
    redis_url: str | None = field(default=None, repr=False)  # None: our own queue server
    allow_unconfirmed_primary: bool = False  # of several database hosts: start with one, without a second witness
    secret_file: Path | None = None  # None: made in the data folder
    receipt_key_file: Path | None = None  # None: made in the data folder
    workers: int = 2
    web_processes: int = 1  # of `serve`
    win_chances_seconds_per_day: int = 3_600  # of processor time a day, all workers together; 0: no win chances
    host: str = "127.0.0.1"
    port: int = 8000
    base_url: str | None = None  # without a slash at the end
    tls_certificate: Path | None = None  # served without a proxy: a certificate and its key, both or none
    tls_key: Path | None = None
    allowed_hosts: tuple[str, ...] = ()  # in addition to those of base_url and of this machine
    public: bool = False  # strangers use it: what they bring in is marked
    terms_file: Path | None = None  # None: no page of terms
    visitor_files_days: int = 0  # after which that is erased; 0: never
    visitor_files_min_free_gb: int = 1  # below which such files are refused
    automatic_backups: bool = True  # daily ones, with SQLite
    backup_folder: Path | None = None  # None: in the data folder
    backup_command: Path | None = None  # copies each backup onward
    log_format: Literal["text", "json"] = "text"
    metrics_token_file: Path | None = None  # None: metrics are off
    webhooks_to_private_networks: bool = False  # clubs' messages may be sent to addresses in this machine's networks
    smtp_url: str | None = field(default=None, repr=False)  # None: no mail
    mail_sender: str | None = None  # set with smtp_url
    trusted_proxies: tuple[Network, ...] = ()  # proxies whose forwarded addresses and TLS headers are trusted

    def database_file(self, name: Literal["log", "views", "kept"]) -> Path:
        """Return the file of a store; only meaningful without a database_url."""
        return self.data / f"{name}.db"

    def folder(self) -> Path:
        """Return the data folder; create it for this user only if it is missing."""
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.data

    @property
    def bind(self) -> str:
        """host:port, as servers take it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def scheme(self) -> str:
        """URL scheme of our servers without a proxy."""
        return "https" if self.tls_certificate else "http"

    @property
    def queue_url(self) -> str:
        return self.redis_url or f"unix://{quote(str(self.queue_socket))}"

    @property
    def queue_socket(self) -> Path:
        """Path of our own queue server's socket.

        In the data folder; if that path is too long for a socket, in a private short folder with a random name, which
        is stored in the data folder for all processes.
        """
        socket = self.data / "queue.sock"
        if len(os.fsencode(socket)) <= MAX_SOCKET_PATH_BYTES:
            return socket
        return _private_folder(self.folder() / "queue.folder") / "queue.sock"

    @property
    def pool_socket(self) -> Path:
        """Path where `daybook serve` forks processes of the pool, next to the queue's socket."""
        return self.queue_socket.with_name("pool.sock")

    @property
    def notify_socket(self) -> Path:
        """Socket on which the supervisor receives messages of its parts."""
        return self.queue_socket.with_name("notify.sock")

    @property
    def secret_path(self) -> Path:
        """Path of the secret, whether it exists or not."""
        return self.secret_file or self.data / "secret"

    @property
    def receipt_key_path(self) -> Path:
        """Path of the key that signs receipts, whether it exists or not."""
        return self.receipt_key_file or self.data / "receipt-key.pem"

    def secret(self) -> bytes:
        """Secret that signs links and cookies (`services.store.secret` creates it if allowed).

        Raises BadSettingError for a short, readable-by-others or unreadable file, NoSecretError if there is none.
        """
        if self.secret_file is not None:
            return _secret_in("SECRET_FILE", self.secret_file)
        own = self.secret_path
        try:
            mode = own.stat().st_mode
        except FileNotFoundError:
            raise NoSecretError(
                PREFIX + "SECRET_FILE", f"{own} is not there: name another file, or run `daybook init`"
            ) from None
        if stat.S_IMODE(mode) & 0o077:
            raise BadSettingError(PREFIX + "SECRET_FILE", f"others may read {own}: chmod 600 it, or name another file")
        return _secret_in("SECRET_FILE", own)

    def metrics_token(self) -> bytes | None:
        """Token required to read metrics; None if metrics are off.

        Raises BadSettingError for a short or unreadable file.
        """
        file = self.metrics_token_file
        return None if file is None else _secret_in("METRICS_TOKEN_FILE", file)

    def terms(self) -> list[str]:
        """Return the paragraphs of the operator's terms; none without the setting.

        Raises BadSettingError for an unreadable, empty or too long file.
        """
        file = self.terms_file
        if file is None:
            return []
        name = PREFIX + "TERMS_FILE"
        try:
            text = file.read_text("utf-8-sig")
        except OSError as wrong:
            raise BadSettingError(name, f"{file} cannot be read ({wrong.strerror}): name another file") from wrong
        except UnicodeDecodeError as wrong:
            raise BadSettingError(name, f"{file} is not UTF-8 text: save it as plain text") from wrong
        paragraphs = [part.strip() for part in re.split(r"\n[ \t]*\n", text.replace("\0", "")) if part.strip()]
        if not paragraphs or len(text) > MAX_TERMS_CHARACTERS:
            raise BadSettingError(name, f"{file}: write 1 to {MAX_TERMS_CHARACTERS} characters of plain text")
        return paragraphs

    def make_secret(self) -> None:
        """Create a secret in the data folder, unless there is one."""
        write_once(self.folder() / "secret", secrets.token_hex(SECRET_BYTES).encode())

    def environ(self) -> dict[str, str]:
        """Return the settings as environment variables for a child process."""
        values = {
            "DATA": self.data,
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
            "ALLOW_UNCONFIRMED_PRIMARY": "yes" if self.allow_unconfirmed_primary else None,
            "SECRET_FILE": self.secret_file,
            "RECEIPT_KEY_FILE": self.receipt_key_file,
            "WORKERS": self.workers,
            "WEB_PROCESSES": self.web_processes,
            "WIN_CHANCES_SECONDS_PER_DAY": self.win_chances_seconds_per_day or "off",
            "HOST": self.host,
            "PORT": self.port,
            "BASE_URL": self.base_url,
            "TLS_CERTIFICATE": self.tls_certificate,
            "TLS_KEY": self.tls_key,
            "ALLOWED_HOSTS": ",".join(self.allowed_hosts) or None,
            "PUBLIC": "yes" if self.public else None,
            "WEBHOOKS_TO_PRIVATE_NETWORKS": "yes" if self.webhooks_to_private_networks else None,
            "SMTP_URL": self.smtp_url,
            "MAIL_SENDER": self.mail_sender,
            "TERMS_FILE": self.terms_file,
            "VISITOR_FILES_DAYS": self.visitor_files_days or None,
            "VISITOR_FILES_MIN_FREE_GB": self.visitor_files_min_free_gb,
            "AUTOMATIC_BACKUPS": None if self.automatic_backups else "no",
            "BACKUP_FOLDER": self.backup_folder,
            "BACKUP_COMMAND": self.backup_command,
            "LOG_FORMAT": None if self.log_format == "text" else self.log_format,
            "METRICS_TOKEN_FILE": self.metrics_token_file,
            "TRUSTED_PROXIES": ",".join(map(str, self.trusted_proxies)) or None,
        }
        return {PREFIX + name: str(value) for name, value in values.items() if value is not None}


def read_settings(environ: Mapping[str, str] | None = None, **given: Any) -> Settings:
    """Read settings from the environment; arguments that are not None take precedence.

    Raises BadSettingError, also for unknown DAYBOOK_ variables, which may be misspelt. Variables that Kubernetes sets
    for a service named like ours are ignored.
    """
    environ = _without_services(os.environ if environ is None else environ)
    fields = {variable.removeprefix(PREFIX).lower(): variable for variable in environ if variable.startswith(PREFIX)}
    for name in fields.keys() & REMOVED_SETTINGS.keys():
        logger.warning("%s is no setting any more and changes nothing: %s", fields.pop(name), REMOVED_SETTINGS[name])
    for name in (*fields, *given):
        if name not in READERS:
            names = ", ".join(PREFIX + name.upper() for name in READERS)
            raise BadSettingError(PREFIX + name.upper(), f"there is no such setting; there are {names}")
    texts: dict[str, str] = {name: environ[variable] for name, variable in fields.items()}
    texts |= {name: str(value) for name, value in given.items() if value is not None}
    values = {name: READERS[name](PREFIX + name.upper(), text.strip()) for name, text in texts.items()}
    if ("tls_certificate" in values) != ("tls_key" in values):
        raise BadSettingError(PREFIX + "TLS_CERTIFICATE", "a certificate goes with its key: set both, or none")
    if ("smtp_url" in values) != ("mail_sender" in values):
        raise BadSettingError(PREFIX + "MAIL_SENDER", "mail needs a server and a sender: set SMTP_URL too, or neither")
    if "smtp_url" in values and "base_url" not in values:
        raise BadSettingError(PREFIX + "BASE_URL", "mail needs a public address for its links: set it")
    return Settings(**{"data": Path("data").absolute(), **values})


def _without_services(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without variables of services, such as DAYBOOK_PORT=tcp://10.0.0.7:80.

    A service has both its host and its port there, so a misspelt setting is never mistaken for one.
    """
    ends = "_SERVICE_HOST", "_SERVICE_PORT"
    begun = {name.removesuffix(ends[0]) for name in environ if name.startswith(PREFIX) and name.endswith(ends[0])}
    services = [name for name in begun if name + ends[1] in environ]
    return {
        name: text
        for name, text in environ.items()
        if not any(
            name.startswith((f"{service}_SERVICE_", f"{service}_PORT_"))
            or (name == f"{service}_PORT" and "://" in text)
            for service in services
        )
    }


# --- how each is read: (variable, text) -> value ----------------------------------------------------------------


def _parse_path(variable: str, text: str) -> Path:
    if not text:
        raise BadSettingError(variable, "it is empty: name a path, or leave the variable out")
    return Path(text).expanduser().absolute()


def _data_folder(variable: str, text: str) -> Path:
    path = _parse_path(variable, text)
    if path.is_symlink() and not path.exists():
        raise BadSettingError(
            variable, f"{path} leads to {os.readlink(path)}, which is not there: mount its disk first"
        )
    if path.exists() and not path.is_dir():
        raise BadSettingError(variable, f"{path} is not a folder: name a folder; it is made if need be")
    return path


def _database_url(variable: str, text: str) -> str:
    scheme, separator, rest = text.partition("://")
    if scheme not in ("postgresql", "postgres") or not separator or not rest:
        what = "only postgresql://user:password@host/database is understood; for SQLite leave the variable out"
        raise BadSettingError(variable, what)
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        conninfo_to_dict(f"postgresql://{rest}")
    except ProgrammingError:  # what it says would tell the password
        raise BadSettingError(
            variable, "it is no address of a database: postgresql://user:password@host/database"
        ) from None
    return f"postgresql://{rest}"


def _split_url(text: str) -> SplitResult:
    """Split an address; an invalid one has no parts."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return urlsplit("")
    return parts


def _redis_url(variable: str, text: str) -> str:
    if is_by_sentinels(text):
        try:
            read_sentinels(text)
        except BadAddressError:
            raise BadSettingError(
                variable, "of sentinels give redis+sentinel://host:port,host:port/name/0, with the name they know it by"
            ) from None
    elif _split_url(text).scheme not in SCHEMES:
        raise BadSettingError(
            variable,
            "give redis://host:port/0, rediss://..., unix:///path or redis+sentinel://host:port,host:port/name/0; "
            "for our own server leave it out",
        )
    return text


def _smtp_url(variable: str, text: str) -> str:
    parts = _split_url(text)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise BadSettingError(variable, "give smtp://name:password@host:587, or smtps://name:password@host:465")
    return text


def _mail_address(variable: str, text: str) -> str:
    if mail_address_fault(text):
        raise BadSettingError(variable, f"{text!r} is not a mail address: give one such as daybook@example.org")
    return text


def _base_url(variable: str, text: str) -> str:
    parts = _split_url(text)
    named = parts.scheme in ("http", "https") and HOST.fullmatch(parts.hostname or "")
    if not named or parts.query or parts.fragment or parts.username:
        raise BadSettingError(
            variable, f"{text!r} is not a public address: give one such as https://daybook.example.org"
        )
    return text.rstrip("/")


def _parse_host(variable: str, text: str) -> str:
    host = text.removeprefix("[").removesuffix("]")
    if not host or any(sign in host for sign in "/ @"):
        raise BadSettingError(
            variable, f"{text!r} is not an address to listen on: give 127.0.0.1, 0.0.0.0 or a host's name"
        )
    return host


def _number_parser(minimum: int, maximum: int) -> Callable[[str, str], int]:
    def whole(variable: str, text: str) -> int:
        if not (text.isascii() and text.isdigit() and minimum <= int(text) <= maximum):
            raise BadSettingError(variable, f"{text!r} will not do: give a whole number from {minimum} to {maximum}")
        return int(text)

    return whole


def _seconds_a_day(variable: str, text: str) -> int:
    return 0 if text == "off" else _number_parser(1, 86_400 * 64)(variable, text)


def _yes_or_no(variable: str, text: str) -> bool:
    if text not in ("yes", "no"):
        raise BadSettingError(variable, f"{text!r} will not do: give yes or no")
    return text == "yes"


def _parse_days(variable: str, text: str) -> int:
    return 0 if text == "off" else _number_parser(1, 3_650)(variable, text)


def _parse_hosts(variable: str, text: str) -> tuple[str, ...]:
    hosts = tuple(name.strip().strip("[]").lower() for name in text.split(",") if name.strip())
    wrong = next((host for host in hosts if not HOST.fullmatch(host)), None)
    if wrong is not None:
        raise BadSettingError(
            variable, f"{wrong!r} is not a name or an address: give some such as daybook.lan, 192.168.0.7"
        )
    return hosts


def _parse_log_format(variable: str, text: str) -> str:
    if text not in ("text", "json"):
        raise BadSettingError(variable, f"{text!r} is no way to tell what happens: give text or json")
    return text


def _parse_proxies(variable: str, text: str) -> tuple[Network, ...]:
    try:
        return tuple(_as_ipv4(ip_network(network.strip())) for network in text.split(",") if network.strip())
    except ValueError as wrong:
        raise BadSettingError(variable, f"{wrong}: give addresses or networks such as 10.0.0.7, 10.1.0.0/24") from wrong


def _as_ipv4(network: Network) -> Network:
    """Return the IPv4 network of a mapped one, such as ::ffff:10.0.0.7: addresses of peers are compared as IPv4."""
    mapped = network.network_address.ipv4_mapped if isinstance(network, IPv6Network) else None
    if mapped is None or network.prefixlen < IPV4_MAPPED_BITS:
        return network
    return IPv4Network((mapped, network.prefixlen - IPV4_MAPPED_BITS))


READERS: dict[str, Callable[[str, str], Any]] = {
    "data": _data_folder,
    "database_url": _database_url,
    "redis_url": _redis_url,
    "allow_unconfirmed_primary": _yes_or_no,
    "secret_file": _parse_path,
    "receipt_key_file": _parse_path,
    "workers": _number_parser(0, 64),
    "web_processes": _number_parser(1, 16),
    "win_chances_seconds_per_day": _seconds_a_day,
    "public": _yes_or_no,
    "webhooks_to_private_networks": _yes_or_no,
    "terms_file": _parse_path,
    "visitor_files_days": _parse_days,
    "visitor_files_min_free_gb": _number_parser(0, 100_000),
    "host": _parse_host,
    "port": _number_parser(1, 65535),
    "base_url": _base_url,
    "tls_certificate": _parse_path,
    "tls_key": _parse_path,
    "allowed_hosts": _parse_hosts,
    "automatic_backups": _yes_or_no,
    "backup_folder": _parse_path,
    "backup_command": _parse_path,
    "log_format": _parse_log_format,
    "metrics_token_file": _parse_path,
    "smtp_url": _smtp_url,
    "mail_sender": _mail_address,
    "trusted_proxies": _parse_proxies,
}


# --- files of our own -------------------------------------------------------------------------------------------


def _secret_in(name: str, path: Path) -> bytes:
    try:
        now = path.stat()
        secret = _read_secret(path, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
    except OSError as wrong:
        raise BadSettingError(PREFIX + name, f"{path} cannot be read ({wrong.strerror}): name another file") from wrong
    if len(secret) < SECRET_BYTES:
        raise BadSettingError(
            PREFIX + name, f"{path} holds {len(secret)} bytes: write at least {SECRET_BYTES} random ones"
        )
    return secret


@lru_cache(8)
def _read_secret(path: Path, *as_of: int) -> bytes:
    """Read the secret of a file.

    Args:
        as_of: cache key that changes with the file.
    """
    return path.read_bytes().strip()


def _private_folder(record: Path) -> Path:
    """Return the short folder named in the file `record`; create both if missing."""
    if not record.exists():
        drawn = Path(tempfile.gettempdir()) / f"daybook-{secrets.token_hex(8)}"
        write_once(record, os.fsencode(drawn))
    folder = Path(os.fsdecode(record.read_bytes()))
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o077:
        raise BadSettingError(
            PREFIX + "DATA", f"{folder} is not this user's own: remove {record}, or use a shorter folder"
        )
    return folder
