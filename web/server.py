"""Serves the application: one process, many threads, so that open event streams cost a thread and no more."""

from __future__ import annotations

from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]

from services.daybook import open_daybook
from services.settings import Settings
from web.app import create_app

THREADS = 128
ACCESS_LOG = '%(h)s %(t)s "%(m)s %(U)s" %(s)s %(b)s %(M)sms'  # no query, no referrer, no header: nothing secret


class Server(BaseApplication):
    """gunicorn with our own configuration; no file and no argument of its own is read."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        super().__init__()

    def load_config(self) -> None:
        for name, value in configuration(self.settings).items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Called in the serving process: databases are opened there, not before the fork."""
        return create_app(open_daybook(self.settings))


def configuration(settings: Settings) -> dict[str, Any]:
    return {
        "bind": settings.bind,
        "workers": 1,
        "worker_class": "gthread",
        "threads": THREADS,
        "accesslog": "-",
        "access_log_format": ACCESS_LOG,
        "errorlog": "-",
        "loglevel": "warning",
        "keepalive": 20,
        "graceful_timeout": 2,  # what is being written is done by then; open streams are cut, a browser asks again
        "limit_request_line": 8190,  # a turn that is being put together stands in the address
        "control_socket_disable": True,
        "proc_name": "daybook",
    }


def run(settings: Settings) -> None:
    """Serve until told to stop."""
    Server(settings).run()
