"""Photos of the table, attached to claims; re-encoded, so that nothing else in the file survives.

An uploaded file is decoded within limits, turned upright, scaled down and encoded again. This removes metadata (place,
camera) and anything executable. Photos are stored in a table of their own (`services.people.photo_store`) and named by
the SHA-256 of their bytes, which is in the record.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import TYPE_CHECKING
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import ReasonedError, because
from daybook.services.clock import now
from daybook.services.people import photo_store
from daybook.services.reading_limits import DECODED_PIXELS, PHOTO_BYTES, PHOTO_PIXELS, PHOTO_SIDE_PIXELS
from daybook.services.store.database import lock_subject
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_photo
from daybook.services.store.stranger_marks import mark_import

if TYPE_CHECKING:
    from PIL import Image

SIDE_LIMIT = 2_000  # pixels of the longer side of a stored photo
QUALITY = 82
FORMATS = ("JPEG", "PNG", "WEBP")
BEGINNINGS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")
WAIT_SECONDS = 20.0

_reading = BoundedSemaphore(1)
_decoder = ThreadPoolExecutor(1, "photos")  # one thread, so that photos reuse the same memory
MEDIA_TYPE = "image/jpeg"


class InvalidPhotoError(ReasonedError, ValueError):
    """The uploaded file is not an acceptable photo; the reason says why."""


class PhotosBusyError(Exception):
    """Other photos took longer than the waiting limit: nothing was written; send the photo again."""


@contextmanager
def photo_slot() -> Iterator[None]:
    """Limit reading of uploaded photos to one request at a time. Raises PhotosBusyError."""
    if not _reading.acquire(timeout=WAIT_SECONDS):
        raise PhotosBusyError("other photos are being worked on")
    try:
        yield
    finally:
        _reading.release()


class Photo(Frozen):
    """Stored photo: a JPEG, named by the SHA-256 of its bytes."""

    hash: str
    width: int
    height: int
    bytes: bytes


def reencode(sent: bytes, side: int = SIDE_LIMIT) -> Photo:
    """Re-encode an uploaded photo, scaled to at most `side` pixels on the longer side.

    One photo is decoded at a time, and none whose dimensions need too much memory. Raises InvalidPhotoError,
    PhotosBusyError.
    """
    if len(sent) > PHOTO_BYTES:
        raise InvalidPhotoError(
            because(
                "too_large", "the file has {size} bytes; at most {most}", size=f"{len(sent):,}", most=f"{PHOTO_BYTES:,}"
            )
        )
    if not sent.startswith(BEGINNINGS) and (sent[:4], sent[8:12]) != (b"RIFF", b"WEBP"):
        raise InvalidPhotoError(because("no_photo", "the file is not a photo: send a JPEG, PNG or WebP"))
    made = _decoder.submit(_encode, sent, side)
    try:
        return made.result(WAIT_SECONDS)
    except TimeoutError:
        if made.cancel():
            raise PhotosBusyError("other photos are being worked on") from None
        return made.result()


def _encode(sent: bytes, side: int) -> Photo:
    """Decode and encode a photo in the decoder thread. Raises InvalidPhotoError."""
    from PIL import Image

    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            shown = _decode(sent, side)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise _too_many_points() from error
        except InvalidPhotoError:
            raise
        except (OSError, SyntaxError, ValueError, EOFError, MemoryError, TypeError) as error:
            raise InvalidPhotoError(because("damaged", "the photo is damaged: send it again")) from error
        shown.save(out, "JPEG", quality=QUALITY, optimize=True)
    content = out.getvalue()
    return Photo(hashlib.sha256(content).hexdigest(), shown.width, shown.height, content)


def _decode(sent: bytes, side: int) -> Image.Image:
    """Decode a photo, scaled to a side in pixels. Checks its size first."""
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(sent), formats=FORMATS) as checked:
        _check_size(checked)
        checked.verify()
    with Image.open(io.BytesIO(sent), formats=FORMATS) as image:
        image.draft("RGB", (side, side))  # decodes a JPEG at little more than its final size
        if image.width * image.height > DECODED_PIXELS:
            raise _too_many_points()
        small = image.convert("RGBA") if image.mode == "P" else image
        small.thumbnail((side, side))  # first: turning and flattening double the memory
        upright = ImageOps.exif_transpose(small)
        flat = Image.new("RGB", upright.size, "white")
        with_alpha = upright.convert("RGBA")
        flat.paste(with_alpha, mask=with_alpha.getchannel("A"))
        return flat


def _check_size(image: Image.Image) -> None:
    """Check the dimensions before a pixel is decoded. Raises InvalidPhotoError."""
    if image.width * image.height > PHOTO_PIXELS or max(image.size) > PHOTO_SIDE_PIXELS:
        raise _too_many_points()


def _too_many_points() -> InvalidPhotoError:
    return InvalidPhotoError(
        because(
            "too_many_points",
            "the photo is too large: at most {decoded} pixels (a JPEG {most}), and {side} on a side",
            decoded=f"{DECODED_PIXELS:,}",
            most=f"{PHOTO_PIXELS:,}",
            side=f"{PHOTO_SIDE_PIXELS:,}",
        )
    )


def store_photo(book: Daybook, game_id: UUID, photo: Photo, stranger: str = "") -> bool:
    """Store a photo of a game; return False if it exists.

    Args:
        stranger: the visitor to whom the import is attributed (`services.store.stranger_marks`); empty: no one.
    """
    row = {"game": game_id, "hash": photo.hash, "width": photo.width, "height": photo.height, "kept_at": now()}
    with book.kept.engine.begin() as c:
        lock_subject(c, "photo", game_id, photo.hash)
        if c.scalar(sa.select(kept_photo.c.hash).where(*_is_photo(game_id, photo.hash))) is not None:
            return False
        c.execute(kept_photo.insert().values(row | photo_store.insert_photo(c, photo.bytes)))
        if stranger:
            mark_import(c, "photo", f"{game_id}/{photo.hash}", len(photo.bytes), stranger, game_id)
    return True


def photo_size(book: Daybook, game_id: UUID, photo_hash: str) -> tuple[int, int] | None:
    """Return width and height of a photo of a game; None if it is missing or removed."""
    row = book.kept.engine.row(
        sa.select(kept_photo.c.width, kept_photo.c.height).where(*_is_photo(game_id, photo_hash))
    )
    return None if row is None else (row.width, row.height)


def read_photo_of_game(book: Daybook, game_id: UUID, photo_hash: str) -> Photo | None:
    """Return a photo of a game. The caller checks if the viewer may see it (the permission "see_photo")."""
    row = book.kept.engine.row(sa.select(kept_photo).where(*_is_photo(game_id, photo_hash)))
    content = None if row is None else photo_store.read_photo(book, row)
    return None if row is None or content is None else Photo(row.hash, row.width, row.height, content)


def remove_photo(book: Daybook, game_id: UUID, photo_hash: str) -> None:
    """Remove a photo permanently, for example at the request of a person in it; the record keeps its hash."""
    with book.kept.engine.begin() as c:
        photo_store.delete_photos(c, kept_photo, *_is_photo(game_id, photo_hash))


def _is_photo(game_id: UUID, photo_hash: str) -> tuple[sa.ColumnElement[bool], ...]:
    return kept_photo.c.game == game_id, kept_photo.c.hash == photo_hash
