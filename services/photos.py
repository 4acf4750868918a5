"""Photos of the table, attached to claims: made anew from what they show, so that nothing else in the file stays.

What somebody sends is decoded within limits, turned upright, scaled down and encoded again: no metadata (where it was
taken, with what), nothing that could be carried out, no trick of the format survives. Photos lie beside the log under
the SHA-256 of their bytes, which the record holds.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from uuid import UUID

import msgspec
import sqlalchemy as sa
from PIL import Image, ImageOps, UnidentifiedImageError

from domain.ruleset import Reason, because
from services.clock import now
from services.daybook import Daybook
from services.kept import kept_photo

SENT_LIMIT = 15_000_000  # bytes of a file as it is sent
TOGETHER_LIMIT = 40 * 1024**2  # bytes of all photos of a claim together
PIXELS_LIMIT = 60_000_000  # more than a telephone's camera; whoever sends more wants the memory
SIDE_LIMIT = 2_000  # pixels of the longer side as it is kept
QUALITY = 82
FORMATS = ("JPEG", "PNG", "WEBP")
MEDIA_TYPE = "image/jpeg"


class BadPhoto(ValueError):
    """What was sent is no photo that can be kept; the reason says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Photo(msgspec.Struct, frozen=True):
    """A photo as it is kept: JPEG. hash: the SHA-256 of its bytes."""

    hash: str
    width: int
    height: int
    bytes: bytes


def made_anew(sent: bytes, side: int = SIDE_LIMIT) -> Photo:
    """What a file shows, encoded again. side: pixels of the longer side at most. Raises BadPhoto."""
    if len(sent) > SENT_LIMIT:
        raise BadPhoto(because(
            "too_large", "the file has {size} bytes; at most {most}", size=f"{len(sent):,}", most=f"{SENT_LIMIT:,}"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            shown = _decoded(sent, side)
    except (UnidentifiedImageError, Image.DecompressionBombError, Image.DecompressionBombWarning) as wrong:
        raise BadPhoto(because("no_photo", "the file is no photo: send a JPEG, PNG or WebP")) from wrong
    except (OSError, SyntaxError, ValueError, EOFError, MemoryError, TypeError) as wrong:
        raise BadPhoto(because("damaged", "the photo is damaged: send it again")) from wrong
    out = io.BytesIO()
    shown.save(out, "JPEG", quality=QUALITY, optimize=True)
    content = out.getvalue()
    return Photo(hashlib.sha256(content).hexdigest(), shown.width, shown.height, content)


def _decoded(sent: bytes, side: int) -> Image.Image:
    with Image.open(io.BytesIO(sent), formats=FORMATS) as checked:
        _check_size(checked)
        checked.verify()
    with Image.open(io.BytesIO(sent), formats=FORMATS) as image:
        image.draft("RGB", (side, side))  # a JPEG is decoded no larger than it is kept
        upright = ImageOps.exif_transpose(image)
        upright.thumbnail((side, side))
        flat = Image.new("RGB", upright.size, "white")
        with_alpha = upright.convert("RGBA")
        flat.paste(with_alpha, mask=with_alpha.getchannel("A"))
        return flat


def _check_size(image: Image.Image) -> None:
    """Before a pixel is decoded. Raises BadPhoto."""
    width, height = image.size
    if width * height > PIXELS_LIMIT:
        raise BadPhoto(because(
            "too_many_points", "the photo has {width} × {height} points; at most {most} together", width=width,
            height=height, most=f"{PIXELS_LIMIT:,}"))


def keep(book: Daybook, game: UUID, photo: Photo) -> None:
    """Keep a photo of a game; the same one again changes nothing."""
    here = sa.and_(kept_photo.c.game == game, kept_photo.c.hash == photo.hash)
    with book.kept.engine.begin() as c:
        if c.execute(sa.select(kept_photo.c.hash).where(here)).first() is None:
            c.execute(kept_photo.insert().values(
                game=game, hash=photo.hash, width=photo.width, height=photo.height, bytes=photo.bytes, kept_at=now()))


def photo(book: Daybook, game: UUID, hash: str) -> Photo | None:
    """A photo of a game; the caller asks whether the viewer may see it (`services.claims.may_see_photo`)."""
    here = sa.and_(kept_photo.c.game == game, kept_photo.c.hash == hash)
    with book.kept.engine.connect() as c:
        row = c.execute(sa.select(kept_photo).where(here)).first()
    return None if row is None else Photo(row.hash, row.width, row.height, row.bytes)


def forget(book: Daybook, game: UUID, hash: str) -> None:
    """Remove a photo for good, for whoever is on it; the record keeps its hash."""
    with book.kept.engine.begin() as c:
        c.execute(kept_photo.delete().where(kept_photo.c.game == game, kept_photo.c.hash == hash))
