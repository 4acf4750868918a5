"""Modules that the build leaves out are not needed by the pages on a device."""

from __future__ import annotations

import sys
from subprocess import run

import pytest

pytestmark = pytest.mark.sqlite_suffices

IMPORT_PAGES = """
import sys
from importlib import import_module
from daybook.browser_build import OUR_PARTS_LEFT_OUT

left_out = ["daybook." + part.removesuffix(".py").rstrip("/").replace("/", ".") for part in OUR_PARTS_LEFT_OUT]


class Missing:
    def find_spec(self, name, path=None, target=None):
        if any(name == part or name.startswith(part + ".") for part in left_out):
            raise ImportError(f"{name} is left out")


sys.meta_path.insert(0, Missing())
from daybook.web.pages import ON_A_DEVICE, PAGES

import_module("daybook.web.app")
for part in ON_A_DEVICE:
    import_module(f"daybook.web.{PAGES[part]}")
"""


@pytest.mark.slow
def test_pages_on_a_device_need_nothing_left_out():
    done = run([sys.executable, "-c", IMPORT_PAGES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
