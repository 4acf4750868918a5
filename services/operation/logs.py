"""Logging of processes: lines of text, or JSON with one object per event (DAYBOOK_LOG_FORMAT=json)."""

from __future__ import annotations

import logging
import re
import sys
import time
from contextvars import ContextVar
from typing import TextIO

from daybook.domain.kernel.texts import on_one_line
from daybook.services.settings import Settings

request_id: ContextVar[str] = ContextVar("request_id", default="")  # of the request that is being answered

access = logging.getLogger("daybook.access")  # one line a request
SECRET_ADDRESS = re.compile(r"/(s|reports)/([\w-]{4})(?:[\w-]{18}|[\w-]{28})(?![\w-])", re.ASCII)
AT = "%Y-%m-%dT%H:%M:%S"


def configure_logging(settings: Settings) -> None:
    """Log requests on stdout, and everything else with UTC time on stderr."""
    handler = _make_handler(settings, sys.stderr, "%(asctime)s.%(msecs)03dZ %(name)s: %(message)s")
    logging.getLogger().handlers = [handler]
    logging.getLogger("daybook").setLevel(logging.INFO)
    access.handlers, access.propagate = [_make_handler(settings, sys.stdout, "%(message)s")], False
    access.setLevel(logging.INFO)


def shorten_secret_addresses(text: str) -> str:
    """Return a text with secret addresses shortened to four letters, so that they open nothing."""
    return SECRET_ADDRESS.sub(r"/\1/\2..", text)


class Plain(logging.Formatter):
    """Lines for people. What a message quotes, an address for instance, begins no line and moves no terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return shorten_secret_addresses(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:
        return on_one_line(super().formatMessage(record))


def _make_handler(settings: Settings, to: TextIO, line: str) -> logging.Handler:
    handler = logging.StreamHandler(to)
    handler.setFormatter(_json_lines() if settings.log_format == "json" else Plain(line, AT))
    handler.formatter.converter = time.gmtime  # type: ignore[union-attr]
    return handler


def _json_lines() -> logging.Formatter:
    from pythonjsonlogger.json import JsonFormatter  # only where it is wanted: a browser has none

    class Lines(JsonFormatter):
        """at, level, logger, message, the request where there is one, and what the message was filled with by name."""

        def add_fields(
            self, log_data: dict[str, object], record: logging.LogRecord, message_dict: dict[str, object]
        ) -> None:
            super().add_fields(log_data, record, message_dict)
            log_data["at"] = f"{log_data['at']}.{int(record.msecs):03d}Z"
            if isinstance(record.args, dict):
                log_data.update(record.args)
            if request := request_id.get():
                log_data["request"] = request

        def format(self, record: logging.LogRecord) -> str:
            return shorten_secret_addresses(super().format(record))

    return Lines(
        "%(asctime)s %(levelname)s %(name)s %(message)s",
        AT,
        rename_fields={"asctime": "at", "levelname": "level", "name": "logger"},
        json_ensure_ascii=False,
    )
