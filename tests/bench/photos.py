"""What a photo costs in the tables and in a bucket, on real servers: `python -m tests.bench.photos [--times 50]`.

--moved 10000: so many small ones are moved into the bucket, compared with it, backed up, and removed as a restored
Daybook does what it does not know, on SQLite.

The bucket's server is on this machine: one that is elsewhere adds its way there.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from daybook.services.clock import now
from daybook.services.operation import backups
from daybook.services.people import photo_moves, photos
from daybook.services.people.photos import Photo
from daybook.services.settings import Settings
from daybook.services.store.bucket import open_bucket
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.kept import kept_photo
from tests.bucket_server import BUCKET, KEY, SECRET, bucket_server
from tests.servers import postgres

SMALL = 2_000  # of one that is moved
BYTES = 500_000  # of a photo of 2,000 x 1,500, as a phone takes it
GAME = UUID(int=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--moved", type=int, default=0)
    asked = parser.parse_args()
    times = asked.times
    os.environ |= {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}
    with ExitStack() as held:
        endpoint, database = held.enter_context(bucket_server()), held.enter_context(postgres({"fsync": "on"}))
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        if asked.moved:
            return move_many(folder, endpoint, asked.moved)
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


def move_many(folder: Path, endpoint: str, number: int) -> None:
    settings = Settings(data=folder / "many", photos_url=f"s3://{BUCKET}/many?endpoint={endpoint}")
    with closing(open_daybook(settings, create=True)) as book:
        contents = [os.urandom(SMALL) for _ in range(number)]
        rows = [
            {
                "game": GAME,
                "hash": hashlib.sha256(content).hexdigest(),
                "width": 1,
                "height": 1,
                "bytes": content,
                "kept_at": now(),
            }
            for content in contents
        ]
        with book.kept.engine.begin() as c:
            c.execute(kept_photo.insert(), rows)
        rows.clear()
        contents.clear()
        tell("moved", lambda: [*photo_moves.move_into_bucket(book)])
        tell("looked at", lambda: photo_moves.look(book))
        tell("checked", lambda: photo_moves.check(book))
        tell("backed up", lambda: backups.take(settings, folder / "backup"))
        with book.kept.engine.begin() as c:
            c.execute(kept_photo.delete())
        strange = photo_moves.look(book).strange
        assert len(strange) == number
        tell("removed as strange", lambda: photo_moves.remove_strange(book, strange))
        assert photo_moves.look(book).strange == []


def tell(name: str, work: Callable[[], object]) -> None:
    start, busy = time.perf_counter(), time.process_time()
    work()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name}: {time.perf_counter() - start:.1f} s, {time.process_time() - busy:.1f} of a processor; at most {most:.0f}"
        " MiB so far",
        flush=True,
    )


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
