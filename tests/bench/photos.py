"""What a photo costs in the tables and in a bucket, on real servers: `python -m tests.bench.photos [--times 50]`.

The bucket's server is on this machine: one that is elsewhere adds its way there.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from daybook.services.people import photo_moves, photos
from daybook.services.people.photos import Photo
from daybook.services.settings import Settings
from daybook.services.store.bucket import open_bucket
from daybook.services.store.daybook import Daybook, open_daybook
from tests.bucket_server import BUCKET, KEY, SECRET, bucket_server
from tests.servers import postgres

BYTES = 500_000  # of a photo of 2,000 x 1,500, as a phone takes it
GAME = UUID(int=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    times = parser.parse_args().times
    os.environ |= {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}
    with ExitStack() as held:
        endpoint, database = held.enter_context(bucket_server()), held.enter_context(postgres({"fsync": "on"}))
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        print(
            f"| milliseconds, median of {times} photos of {BYTES:,} bytes | kept | shown | removed |\n|---|---|---|---|"
        )
        for name, url in (("SQLite", None), ("PostgreSQL", database)):
            settings = Settings(data=folder / name, database_url=url)
            book = held.enter_context(closing(open_daybook(settings, create=True)))
            there = replace(settings, photos_url=f"s3://{BUCKET}/{name.lower()}?endpoint={endpoint}")
            in_bucket = replace(book, settings=there, bucket=open_bucket(there))
            photo_moves.check(in_bucket)
            for where, tried in (("in the tables", book), ("in a bucket", in_bucket)):
                print(f"| {name}, {where} | {' | '.join(f'{one:.1f}' for one in costs(tried, times))} |")


def costs(book: Daybook, times: int) -> list[float]:
    shown = [Photo(hashlib.sha256(content := os.urandom(BYTES)).hexdigest(), 1, 1, content) for _ in range(times)]
    return [
        milliseconds(shown, lambda one: photos.keep(book, GAME, one)),
        milliseconds(shown, lambda one: photos.photo(book, GAME, one.hash)),
        milliseconds(shown, lambda one: photos.remove_photo(book, GAME, one.hash)),
    ]


def milliseconds(shown: list[Photo], do: Callable[[Photo], object]) -> float:
    took = []
    for one in shown:
        begun = time.perf_counter()
        do(one)
        took.append(1_000 * (time.perf_counter() - begun))
    return statistics.median(took)


if __name__ == "__main__":
    main()
