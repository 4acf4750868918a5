"""Runs the laboratory: see `tests.laboratory.commands`."""

from tests.laboratory.commands import laboratory

laboratory(prog_name="python -m tests.laboratory")
