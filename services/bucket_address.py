"""Where a bucket for photos is: an address of S3, as one setting gives it.

    s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1

Without an endpoint it is Amazon's. Who asks it says so elsewhere (`services.store.bucket`), never in the address.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
PREFIX_PART = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")  # no part is a way up
REGION = re.compile(r"[a-z0-9-]+")
REGION_UNLESS_SAID = "us-east-1"  # as servers of one's own are set up


class BadBucketAddress(ValueError):
    """It cannot be read; the message says what is wrong. It may hold a password, and so it is not repeated."""


class BucketAddress(NamedTuple):
    """prefix: before the name of each object, without a slash at either end. endpoint: None: Amazon's."""

    bucket: str
    prefix: str
    endpoint: str | None
    region: str

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"


def read_bucket_address(url: str) -> BucketAddress:
    """Raises BadBucketAddress."""
    try:
        parts = urlsplit(url)
        said = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True) if parts.query else []
    except ValueError:
        raise BadBucketAddress("it cannot be read") from None
    asked = dict(said)
    if parts.scheme != "s3":
        raise BadBucketAddress("it does not begin with s3://")
    if "@" in parts.netloc:
        raise BadBucketAddress("who asks is said by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not in the address")
    if not BUCKET.fullmatch(parts.netloc):
        raise BadBucketAddress("it names no bucket")
    prefix = parts.path.strip("/")
    if not all(PREFIX_PART.fullmatch(part) for part in prefix.split("/")):
        raise BadBucketAddress("after the bucket goes a prefix of letters, digits and - _ . such as daybook/photos")
    if parts.fragment or len(asked) < len(said) or asked.keys() - {"endpoint", "region"}:
        raise BadBucketAddress("only endpoint and region can be said after the question mark, each once")
    endpoint, region = asked.get("endpoint"), asked.get("region", REGION_UNLESS_SAID)
    if endpoint is not None and not _is_endpoint(endpoint):
        raise BadBucketAddress("the endpoint is no address such as https://s3.example.org")
    if not REGION.fullmatch(region):
        raise BadBucketAddress("the region is no name such as eu-central-1")
    return BucketAddress(parts.netloc, prefix, endpoint and endpoint.rstrip("/"), region)


def _is_endpoint(text: str) -> bool:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    return bool(
        parts.scheme in ("http", "https")
        and parts.hostname
        and "@" not in parts.netloc
        and not (parts.path.strip("/") or parts.query or parts.fragment)
    )
