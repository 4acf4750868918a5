"""A real server of S3 (SeaweedFS, from a wheel), and ones that answer wrongly, on ports of this machine."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from daybook.workers.children import start_child
from tests.servers import free_port, wait_until

BUCKET = "evenings"
KEY, SECRET = "a-key-of-ours", "told-to-nobody"
READER = "a-key-that-reads"
PROGRAM = Path(sys.executable).parent / "weed"
WITHOUT = ("-s3.iam=false", "-s3.port.iceberg=0", "-s3.port.lance=0", "-master.volumeSizeLimitMB=64", "-volume.max=0")
PORTS = ("master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc")


@contextmanager
def bucket_server(tls: tuple[Path, Path] | None = None) -> Iterator[str]:
    """Its address. It has one bucket, which KEY may use and READER may only read. tls: a certificate and its key."""
    with tempfile.TemporaryDirectory(prefix="daybook-bucket-") as name:
        folder = Path(name)
        rights = {KEY: ["Read", "Write", "List"], READER: ["Read", "List"]}
        known = [
            {"name": key, "credentials": [{"accessKey": key, "secretKey": SECRET}], "actions": actions}
            for key, actions in rights.items()
        ]
        (folder / "s3.json").write_text(json.dumps({"identities": known}))
        ports = {port: free_port() for port in (*PORTS, "s3.port", "s3.port.grpc", "metricsPort")}
        argv = [PROGRAM, "server", f"-dir={name}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3"]
        argv += [f"-s3.config={folder / 's3.json'}", *WITHOUT, *(f"-{port}={number}" for port, number in ports.items())]
        if tls:
            argv += [f"-s3.cert.file={tls[0]}", f"-s3.key.file={tls[1]}"]
        server = start_child([*map(str, argv)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: _has_bucket(ports["filer.port"]), "the bucket")
            wait_until(lambda: _answers(ports["s3.port"]), "the server of S3")
            yield f"{'https' if tls else 'http'}://127.0.0.1:{ports['s3.port']}"
        finally:
            server.kill()  # it would wait for its own parts to say goodbye
            server.wait()


def _has_bucket(filer: int) -> bool:
    """A folder of its files; made if it is not there yet."""
    try:
        with urlopen(Request(f"http://127.0.0.1:{filer}/buckets/{BUCKET}/", method="POST"), timeout=5) as done:
            return bool(done.status < 300)
    except OSError:
        return False


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/{BUCKET}/", timeout=5):
            return True
    except HTTPError as refused:
        return refused.code in (400, 403)  # 400: it is asked without TLS, and wants it
    except OSError:
        return False


@contextmanager
def wrong_server(status: int) -> Iterator[str]:
    """One that answers everything with this status; with 0 it takes what is asked and never answers."""

    class Wrong(BaseHTTPRequestHandler):
        def handle(self) -> None:
            if status:
                super().handle()
            else:
                self.rfile.read()  # until who asks gives up

        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()

        do_PUT = do_DELETE = do_GET

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Wrong) as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
