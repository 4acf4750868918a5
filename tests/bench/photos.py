"""The most memory that photos take: each of the worst that is let in or refused, and six claims of three at once.

    python -m tests.bench.photos
"""

from __future__ import annotations

import io
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image

from daybook.services.people import photos

MIB = 2**20
STATUS = Path("/proc/self/status")


def picture(kind: str, size: tuple[int, int], mode: str = "RGB", noise: bool = False, **how: object) -> bytes:
    """noise: as a camera's photo, so that the file is as large as its dimensions allow."""
    out = io.BytesIO()
    shown = Image.effect_noise(size, 60).convert(mode) if noise else Image.new(mode, size)
    shown.save(out, kind, **how)
    return out.getvalue()


CASES: dict[str, Callable[[], bytes]] = {
    "PNG, 1 x 60,000,000": lambda: picture("PNG", (1, 60_000_000), "L"),
    "PNG, 1 x 20,000": lambda: picture("PNG", (1, 20_000), "RGBA"),
    "PNG, 7,745 x 7,745": lambda: picture("PNG", (7_745, 7_745), "RGBA"),
    "PNG, 6,000 x 4,000 with alpha": lambda: picture("PNG", (6_000, 4_000), "RGBA"),
    "PNG, 6,000 x 4,000 with a palette": lambda: picture("PNG", (6_000, 4_000), "P"),
    "WebP, 16,383 x 16,383": lambda: picture("WEBP", (16_383, 16_383), "L", lossless=True),
    "WebP, 6,000 x 4,000": lambda: picture("WEBP", (6_000, 4_000)),
    "JPEG, 8,000 x 7,500": lambda: picture("JPEG", (8_000, 7_500), noise=True, quality=20),
    "JPEG, 8,000 x 7,500, progressive": lambda: picture(
        "JPEG", (8_000, 7_500), noise=True, quality=20, progressive=True),
    "JPEG, 20,000 x 1,200": lambda: picture("JPEG", (20_000, 1_200)),
}


def _peak() -> int:
    """The most memory this process has had since `_forget_peak`, in bytes (proc(5))."""
    return next(int(line.split()[1]) for line in STATUS.read_text().splitlines() if line.startswith("VmHWM")) * 1024


def _forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def _try_photo(sent: bytes) -> str:
    try:
        kept = photos.reencode(sent)
    except photos.BadPhoto as bad:
        return f"refused: {bad.reason.key}"
    return f"kept as {kept.width} x {kept.height}"


def _measure_here(files: list[bytes], at_once: int) -> tuple[str, int]:
    photos.WAIT_SECONDS = 600
    _try_photo(picture("JPEG", (64, 64)))  # the codecs are loaded
    _forget_peak()
    before = _peak()

    def claim(_: int) -> str:
        with photos.photo_slot():
            return ", ".join(sorted({_try_photo(bytes(bytearray(one))) for one in files}))

    with ThreadPoolExecutor(at_once) as threads:
        said = {*threads.map(claim, range(at_once))}
    return "; ".join(said), _peak() - before


def measure_apart(files: list[bytes], at_once: int = 1) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as apart:  # nobody else's peak
        said, more = apart.apply(_measure_here, (files, at_once))
    print(f"{more / MIB:6.0f} MiB  {said}", flush=True)


def main() -> None:
    Image.MAX_IMAGE_PIXELS = None
    for name, drawn in CASES.items():
        sent = drawn()
        print(f"{name:36} {len(sent) / MIB:5.1f} MiB sent", end="", flush=True)
        measure_apart([sent])
    large = picture("JPEG", (8_000, 7_500), noise=True, quality=20)
    print(f"{'six claims of three such JPEGs at once':36} {len(large) * 18 / MIB:5.1f} MiB sent", end="", flush=True)
    measure_apart([large] * 3, at_once=6)


if __name__ == "__main__":
    main()
