"""A bucket of S3, for what is large and never changes: objects by name, below the prefix that is ours.

Every question ends: an answer has some seconds, and after a failure nobody is asked for a moment, so that no thread waits
for one that is away. What the bucket says is not repeated: it may name the key that asks.

Two Daybooks never share a prefix. An object there tells whose it is, and nobody else removes anything: a copy of the
kept tables names the same objects, and what is removed in the copy would be gone from the first.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.services.bucket_address import BucketAddress, read_bucket_address
from daybook.services.settings import PREFIX, BadSetting, Settings
from daybook.services.store.away import BucketAway

if TYPE_CHECKING:
    from obstore.store import S3Config, S3Store

ANSWER_SECONDS, CONNECT_SECONDS = 8, 2
AGAIN_SECONDS = 2  # in which what failed at once is tried again
REST_SECONDS = 3.0  # after a failure, in which nobody asks
OBJECT_LIMIT = 20_000_000  # bytes: no photo that we made has as many
OWNER = "daybook.json"  # the object that tells whose the prefix is
NO_BUCKET = "NoSuchBucket"
STATUS = re.compile(r"status code: (\d{3})")
NAMES = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
VARIABLE = PREFIX + "PHOTOS_URL"

logger = logging.getLogger(__name__)


class Owner(Frozen):
    """Whose the prefix is. daybook: the mark of an installation, which tells nothing about it; times: how often that was
    written, the last time at."""

    daybook: str
    times: int
    at: str


class Bucket:
    """The objects of one prefix. Threads may share it. faults: how often something went wrong, by what."""

    def __init__(self, address: BucketAddress) -> None:
        self.address = address
        self.faults: Counter[str] = Counter()
        self._lock = Lock()
        self._store: S3Store | None = None
        self._rests_until = 0.0
        self._fault = ""

    def put(self, name: str, content: bytes) -> None:
        """Raises BucketAway: then it may be there or not."""
        self._ask(lambda api, store: api.put(store, name, content))

    def get(self, name: str) -> bytes | None:
        """None: there is no such object. Raises BucketAway."""

        def read(api: Any, store: S3Store) -> bytes | None:
            found = api.get(store, name)
            if found.meta["size"] > OBJECT_LIMIT:
                logger.error("the object %s has %d bytes: it is no photo", name, found.meta["size"])
                return b""
            return bytes(found.bytes())

        try:
            found: bytes | None = self._ask(read, FileNotFoundError)
        except FileNotFoundError:
            return None
        return found

    def remove(self, name: str) -> None:
        """For whose it is (`services.people.bucket_owner.require_ours`). What is not there is as good as removed.
        Raises BucketAway."""
        with suppress(FileNotFoundError):
            self._ask(lambda api, store: api.delete(store, name), FileNotFoundError)

    def names(self, below: str) -> Iterator[str]:
        """Of all objects whose names begin with this part. Raises BucketAway."""
        pages = self._ask(lambda api, store: iter(api.list(store, prefix=below)))
        while page := self._ask(lambda api, store: next(pages, None)):
            yield from (one["path"] for one in page)

    # --- whose it is -------------------------------------------------------------------------------------------------

    def owner(self) -> Owner | None:
        """None: nobody's yet. Raises BucketAway."""
        content = self.get(OWNER)
        try:
            return None if content is None else msgspec.json.decode(content, type=Owner)
        except msgspec.DecodeError as wrong:
            raise self._failure("damaged", f"holds a {OWNER} that is none of ours") from wrong

    def make_owner(self, owner: Owner) -> None:
        """If it is nobody's; another may be first. Raises BucketAway."""
        content = msgspec.json.encode(owner)
        with suppress(FileExistsError):
            self._ask(lambda api, store: api.put(store, OWNER, content, mode="create"), FileExistsError)

    def set_owner(self, owner: Owner) -> None:
        """Whosever it was. Raises BucketAway."""
        self.put(OWNER, msgspec.json.encode(owner))

    # --- asking ------------------------------------------------------------------------------------------------------

    def _ask(self, question: Callable[[Any, S3Store], Any], expected: type[Exception] | tuple[()] = ()) -> Any:
        """Raises BucketAway, and what is expected."""
        if time.monotonic() < self._rests_until:
            raise BucketAway(self._fault)
        import obstore
        from obstore.exceptions import BaseError

        store = self._store or self._open()
        try:
            return question(obstore, store)
        except (BaseError, OSError) as wrong:
            if isinstance(wrong, expected) and NO_BUCKET not in str(wrong):
                raise
            raise self._failure(*_reason(wrong)) from None  # its words may name the key

    def _failure(self, kind: str, says: str) -> BucketAway:
        """Notes it. The next questions are not asked for a moment."""
        self.faults[kind] += 1
        self._fault = f"the bucket {self.address.bucket} {says}"
        self._rests_until = time.monotonic() + REST_SECONDS
        logger.warning("%s", self._fault)
        return BucketAway(self._fault)

    def _open(self) -> S3Store:
        from obstore.store import S3Store

        with self._lock:
            if self._store is None:
                at, config = self.address, _credentials()
                config |= {"region": self.address.region, "disable_bulk_delete": True}  # which not every server knows
                if at.endpoint:
                    config |= {"endpoint": at.endpoint, "aws_endpoint_url_s3": at.endpoint}
                self._store = S3Store(
                    at.bucket,
                    prefix=at.prefix,
                    config=config,
                    client_options={
                        "timeout": timedelta(seconds=ANSWER_SECONDS),
                        "connect_timeout": timedelta(seconds=CONNECT_SECONDS),
                        "allow_http": bool(at.endpoint and at.endpoint.startswith("http:")),
                        "user_agent": "daybook",
                    },
                    retry_config={"max_retries": 1, "retry_timeout": timedelta(seconds=AGAIN_SECONDS)},
                )
            return self._store


def open_bucket(settings: Settings) -> Bucket | None:
    """The bucket that the settings name; nothing is asked of it yet."""
    return None if settings.photos_url is None else Bucket(read_bucket_address(settings.photos_url))


def _reason(wrong: Exception) -> tuple[str, str]:
    """What kind of fault it is, and a sentence's end about it."""
    status = int(found[1]) if (found := STATUS.search(str(wrong))) else 0
    if status in (401, 403) or "AccessDenied" in str(wrong):
        return "refused", "refuses the key that we have (403)"
    if NO_BUCKET in str(wrong):
        return "missing", "does not exist"
    if "redirect" in str(wrong):
        return "failed", "is not at this endpoint, or in another region"
    if status:
        return "failed", f"answers with an error ({status})"
    if "InvalidCertificate" in str(wrong):
        return "untrusted", "shows a certificate that this machine does not trust (SSL_CERT_FILE names who is trusted)"
    return "away", "does not answer"


# --- who asks --------------------------------------------------------------------------------------------------------


def _credentials() -> S3Config:
    """By the variables that every program of S3 knows, or by a file as they all read it. Raises BadSetting."""
    file = os.environ.get("AWS_SHARED_CREDENTIALS_FILE")
    found: dict[str, str | None]
    if file is not None and "AWS_ACCESS_KEY_ID" not in os.environ:
        found = dict(_profile(Path(file), os.environ.get("AWS_PROFILE", "default")))
    else:
        found = {name.lower(): os.environ.get(name) for name in NAMES}
    key, secret, token = (found.get(name.lower()) for name in NAMES)
    if not key or not secret:
        raise BadSetting(
            VARIABLE,
            "nobody is named who asks: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
            "or AWS_SHARED_CREDENTIALS_FILE to a file that has both",
        )
    config: S3Config = {"access_key_id": key, "secret_access_key": secret}
    if token:
        config["session_token"] = token
    return config


def _profile(file: Path, name: str) -> dict[str, str]:
    """Raises BadSetting, without a word of what stands in the file."""
    from configparser import ConfigParser, Error  # which a browser has not

    try:
        read = ConfigParser(interpolation=None)
        read.read_string(file.read_text())
        return dict(read[name])
    except (OSError, UnicodeDecodeError, Error, KeyError):
        raise BadSetting(
            VARIABLE, f"{file} (AWS_SHARED_CREDENTIALS_FILE) cannot be read, or lacks the profile that is asked for"
        ) from None
