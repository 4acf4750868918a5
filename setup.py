"""Compile the translations before the package is built; everything else is in pyproject.toml."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithTranslations(build_py):
    def run(self) -> None:
        for source in Path("web/translations").glob("*/LC_MESSAGES/messages.po"):
            with source.open("rb") as texts, source.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(texts, locale=source.parts[-3]))
        super().run()


setup(cmdclass={"build_py": BuildWithTranslations})
