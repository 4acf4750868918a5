"""The command that makes pictures of the main pages: its contact sheets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests import pictures

ROOT = Path(__file__).resolve().parent.parent


def paint_picture(folder: Path, name: str, size: tuple[int, int], colour: str) -> Path:
    file = folder / f"{name}.png"
    Image.new("RGB", size, colour).save(file)
    return file


def size_of(file: Path) -> tuple[int, int]:
    with Image.open(file) as picture:
        return picture.size


def test_a_contact_sheet_has_every_picture_below_its_name(tmp_path):
    files = [paint_picture(tmp_path, f"page-{n}", (100, 50 + n), "red") for n in range(40)]
    sheet = pictures.contact_sheet(files, 100)
    red = sum(sheet.getpixel((x, y)) == (255, 0, 0) for x in range(50, sheet.width, 100) for y in range(sheet.height))
    assert red == sum(50 + n for n in range(40))
    assert sheet.getpixel((2, pictures.TITLE - 1)) == (128, 128, 128), "the line with the first name"


def test_wide_pictures_are_scaled_so_that_four_fit_in_a_row(tmp_path):
    files = [paint_picture(tmp_path, str(n), (1920, 1080), "blue") for n in range(5)]
    sheet = pictures.contact_sheet(files, 1920)
    assert sheet.size == (pictures.SHEET, 2 * (540 + pictures.TITLE))


@pytest.mark.server
def test_command_makes_pictures_of_the_requested_pages(tmp_path):
    words = (str(tmp_path), "--only", "statistics-w", "--size", "390x844", "--theme", "dark")
    done = subprocess.run(  # in this process another test's browser may be open
        [sys.executable, "-m", "tests.pictures", *words], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert size_of(tmp_path / "390x844-dark" / "statistics-winners.png") == (390, 844)
    assert size_of(tmp_path / "sheet-390x844-dark.png") == (390, 844 + pictures.TITLE)
