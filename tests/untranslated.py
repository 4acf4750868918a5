"""List the translations to review: `python -m tests.untranslated`. Those without a text, and those changed since HEAD."""

from __future__ import annotations

import subprocess
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

Key = tuple[str | None, str | tuple[str, ...]]


def messages_of(content: bytes, language: str) -> dict[Key, Message]:
    catalogue: Catalog = read_po(BytesIO(content), locale=language)
    return {(message.context, message.id): message for message in catalogue if message.id}


def list_reviews(old: dict[Key, Message], new: dict[Key, Message]) -> list[str]:
    """Return a line for each message that has no translation, is new, or has another translation than before."""
    lines = []
    for key, message in new.items():
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        state = "missing" if not all(texts) else "new" if key not in old else "changed"
        if state != "changed" or old[key].string != message.string:
            lines.append(f"{state}: {message.id!r} -> {message.string!r}  ({message.locations[0][0]})")
    return lines


def main() -> None:
    for path in sorted(Path("web/translations").glob("*/LC_MESSAGES/messages.po")):
        language = path.parts[-3]
        committed = subprocess.run(["git", "show", f"HEAD:{path}"], capture_output=True).stdout
        lines = list_reviews(messages_of(committed, language), messages_of(path.read_bytes(), language))
        print(f"{path}: {len(lines)} to review", *lines, sep="\n  ")


if __name__ == "__main__":
    main()
