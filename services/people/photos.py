"""Photos of the table, attached to claims: made anew from what they show, so that nothing else in the file stays.

What somebody sends is decoded within limits, turned upright, scaled down and encoded again: no metadata (where it was
taken, with what), nothing that could be carried out, no trick of the format survives. Photos are stored in a
table of their own (`services.people.photo_store`) and named by the SHA-256 of their bytes, which is in the record.
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

SIDE_LIMIT = 2_000  # pixels of the longer side as it is kept
QUALITY = 82
FORMATS = ("JPEG", "PNG", "WEBP")
BEGINNINGS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")
WAIT_SECONDS = 20.0

_desk = BoundedSemaphore(1)  # whose photos are read
_decoder = ThreadPoolExecutor(1, "photos")  # one thread: what a photo took of memory the next one takes again
MEDIA_TYPE = "image/jpeg"


class BadPhoto(ReasonedError, ValueError):
    """What was sent is no photo that can be kept; the reason says why."""


class PhotosBusy(Exception):
    """Other photos are being worked on, for longer than is waited: nothing was written; send yours once more."""


@contextmanager
def photo_slot() -> Iterator[None]:
    """Photos of one request are read into memory at a time, in this process. Raises Busy."""
    if not _desk.acquire(timeout=WAIT_SECONDS):
        raise PhotosBusy("other photos are being worked on")
    try:
        yield
    finally:
        _desk.release()


class Photo(Frozen):
    """A photo as it is kept: JPEG. hash: the SHA-256 of its bytes."""

    hash: str
    width: int
    height: int
    bytes: bytes


def reencode(sent: bytes, side: int = SIDE_LIMIT) -> Photo:
    """Encodes the photo of a file again. side: pixels of the longer side at most.

    One photo is decoded at a time, and none whose dimensions would take much memory. Raises BadPhoto, Busy.
    """
    if len(sent) > PHOTO_BYTES:
        raise BadPhoto(
            because(
                "too_large", "the file has {size} bytes; at most {most}", size=f"{len(sent):,}", most=f"{PHOTO_BYTES:,}"
            )
        )
    if not sent.startswith(BEGINNINGS) and (sent[:4], sent[8:12]) != (b"RIFF", b"WEBP"):
        raise BadPhoto(because("no_photo", "the file is not a photo: send a JPEG, PNG or WebP"))
    made = _decoder.submit(_encode, sent, side)
    try:
        return made.result(WAIT_SECONDS)
    except TimeoutError:
        if made.cancel():
            raise PhotosBusy("other photos are being worked on") from None
        return made.result()


def _encode(sent: bytes, side: int) -> Photo:
    """Carried out in one thread. Raises BadPhoto."""
    from PIL import Image

    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            shown = _decode(sent, side)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as wrong:
            raise _too_many_points() from wrong
        except BadPhoto:
            raise
        except (OSError, SyntaxError, ValueError, EOFError, MemoryError, TypeError) as wrong:
            raise BadPhoto(because("damaged", "the photo is damaged: send it again")) from wrong
        shown.save(out, "JPEG", quality=QUALITY, optimize=True)
    content = out.getvalue()
    return Photo(hashlib.sha256(content).hexdigest(), shown.width, shown.height, content)


def _decode(sent: bytes, side: int) -> Image.Image:
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(sent), formats=FORMATS) as checked:
        _check_size(checked)
        checked.verify()
    with Image.open(io.BytesIO(sent), formats=FORMATS) as image:
        image.draft("RGB", (side, side))  # a JPEG is decoded hardly larger than it is kept
        if image.width * image.height > DECODED_PIXELS:
            raise _too_many_points()
        small = image.convert("RGBA") if image.mode == "P" else image
        small.thumbnail((side, side))  # first: turning and flattening take as much memory again
        upright = ImageOps.exif_transpose(small)
        flat = Image.new("RGB", upright.size, "white")
        with_alpha = upright.convert("RGBA")
        flat.paste(with_alpha, mask=with_alpha.getchannel("A"))
        return flat


def _check_size(image: Image.Image) -> None:
    """Before a pixel is decoded. Raises BadPhoto."""
    if image.width * image.height > PHOTO_PIXELS or max(image.size) > PHOTO_SIDE_PIXELS:
        raise _too_many_points()


def _too_many_points() -> BadPhoto:
    return BadPhoto(
        because(
            "too_many_points",
            "the photo is too large: at most {decoded} pixels (a JPEG {most}), and {side} on a side",
            decoded=f"{DECODED_PIXELS:,}",
            most=f"{PHOTO_PIXELS:,}",
            side=f"{PHOTO_SIDE_PIXELS:,}",
        )
    )


def keep(book: Daybook, game_id: UUID, photo: Photo, stranger: str = "") -> bool:
    """Store a photo of a game; return False if it is there already.

    stranger: as whom a visitor is counted, if the photo is to be marked as brought in (`services.store.stranger_marks`).
    """
    row = {"game": game_id, "hash": photo.hash, "width": photo.width, "height": photo.height, "kept_at": now()}
    with book.kept.engine.begin() as c:
        lock_subject(c, "photo", game_id, photo.hash)
        if c.scalar(sa.select(kept_photo.c.hash).where(*_here(game_id, photo.hash))) is not None:
            return False
        c.execute(kept_photo.insert().values(row | photo_store.insert_photo(c, photo.bytes)))
        if stranger:
            mark_import(c, "photo", f"{game_id}/{photo.hash}", len(photo.bytes), stranger, game_id)
    return True


def size_of(book: Daybook, game_id: UUID, hash: str) -> tuple[int, int] | None:
    """Width and height of a photo of a game; None: there is none, or it was removed."""
    row = book.kept.engine.row(sa.select(kept_photo.c.width, kept_photo.c.height).where(*_here(game_id, hash)))
    return None if row is None else (row.width, row.height)


def photo(book: Daybook, game_id: UUID, hash: str) -> Photo | None:
    """Return a photo of a game. The caller checks if the viewer may see it (the permission "see_photo")."""
    row = book.kept.engine.row(sa.select(kept_photo).where(*_here(game_id, hash)))
    content = None if row is None else photo_store.read_photo(book, row)
    return None if row is None or content is None else Photo(row.hash, row.width, row.height, content)


def remove_photo(book: Daybook, game_id: UUID, hash: str) -> None:
    """Remove a photo for good, for whoever is on it; the record keeps its hash."""
    with book.kept.engine.begin() as c:
        photo_store.delete_photos(c, kept_photo, *_here(game_id, hash))


def _here(game_id: UUID, hash: str) -> tuple[sa.ColumnElement[bool], ...]:
    return kept_photo.c.game == game_id, kept_photo.c.hash == hash
