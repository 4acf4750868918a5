"""Logs of processes, as JSON: one object per event, whatever its content, with its request."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from daybook.services.settings import Settings

PROGRAM = """
import logging
from daybook.services.operation.logs import access, request_id, configure_logging
from daybook.services.settings import read_settings
configure_logging(read_settings())
request_id.set("7f")
access.info('%(client)s "%(path)s"', {"client": "192.0.2.7", "path": '/a"b\\n'})
logger = logging.getLogger("daybook.somewhere")
logger.info("two\\nlines, %s", "김")
request_id.set("")
try:
    1 / 0
except ZeroDivisionError:
    logger.exception("it broke")
"""


def lines_of(tmp_path: Path, program: str = PROGRAM, **settings: str) -> tuple[list[str], list[str]]:
    environ = os.environ | Settings(data=tmp_path).environ() | settings
    told = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)
    return told.stdout.splitlines(), told.stderr.splitlines()


def test_as_json_an_event_is_one_line_and_says_its_request(tmp_path):
    requests, others = lines_of(tmp_path, DAYBOOK_LOG_FORMAT="json")
    (asked,), (told, broke) = map(json.loads, requests), map(json.loads, others)
    assert (asked["client"], asked["path"], asked["request"]) == ("192.0.2.7", '/a"b\n', "7f")
    assert (told["message"], told["logger"], told["level"], told["request"]) == (
        "two\nlines, 김",
        "daybook.somewhere",
        "INFO",
        "7f",
    )
    assert "request" not in broke
    assert "ZeroDivisionError" in broke["exc_info"]
    assert broke["at"].endswith("Z")


def test_as_text_it_is_for_people(tmp_path):
    requests, others = lines_of(tmp_path)
    assert requests[0].startswith('192.0.2.7 "/a"b')
    assert others[0].endswith("Z daybook.somewhere: two\\nlines, 김"), "nobody begins a line by what they ask for"


SECRET_ADDRESSES = """
import logging
from daybook.services.operation.logs import access, configure_logging
from daybook.services.settings import read_settings
configure_logging(read_settings())
access.info("%(path)s", {"path": "/s/aZ-_aZ-_aZ-_aZ-_aZ-_bc/steps/3.png"})
logger = logging.getLogger("daybook.web")
access.info("%(path)s", {"path": "/reports/0123456789abcdef0123456789abcdef"})
logger.warning("refused with 404: GET %s", "/s/aZ-_aZ-_aZ-_aZ-_aZ-_bc")
try:
    raise LookupError("/s/aZ-_aZ-_aZ-_aZ-_aZ-_bc")
except LookupError as wrong:
    logger.exception("it broke")
"""


@pytest.mark.parametrize("form", ["text", "json"])
def test_secret_address_in_any_line_is_shortened(form, tmp_path):
    requests, others = lines_of(tmp_path, SECRET_ADDRESSES, DAYBOOK_LOG_FORMAT=form)
    shown = "\n".join(requests + others)
    assert "/s/aZ-_../steps/3.png" in shown
    assert shown.count("/s/aZ-_..") >= 3
    assert "aZ-_aZ" not in shown
    assert "/reports/0123.." in shown and "01234" not in shown
