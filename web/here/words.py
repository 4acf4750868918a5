"""The words of the browser edition's shell before a page exists, in each language."""

from __future__ import annotations

from babel.support import Translations

from daybook.web.words.language_choice import TRANSLATIONS
from daybook.web.words.say import Texts

SAYS: Texts = {  # keys as in shell.js
    "opening": "Opening Daybook on this device",
    "fetch": "Loading what is needed. The next time it is already here.",
    "python": "Starting.",
    "unpack": "Unpacking the code.",
    "import": "Reading the rules of the games.",
    "open": "Opening what is recorded here.",
    "cannot": "This browser cannot keep Daybook on this device.",
    "cannot_hint": "It needs an address that begins with https, and a window that is not private.",
    "another_tab": "Daybook is open in another tab of this device.",
    "another_tab_hint": "Continue there, or close that tab: then this one continues.",
    "failed": "Daybook did not start.",
    "failed_hint": "What is recorded here is kept. Reload the page.",
    "offline_hint": "Daybook has to be opened once with a network. What is recorded here is kept.",
    "stopped": "Daybook on this device has stopped. Everything recorded here is kept.",
    "restart": "Start it again",
    "newer": "A newer Daybook is here.",
    "take": "Use it",
}


def shell_words() -> dict[str, dict[str, str]]:
    """Return the words by language."""
    languages = sorted(path.name for path in TRANSLATIONS.iterdir() if (path / "LC_MESSAGES").is_dir())
    told = {language: Translations.load(str(TRANSLATIONS), [language]) for language in languages}
    return {"en": {**SAYS, "lang": "en"}} | {
        language: {**{name: str(texts.ugettext(text)) for name, text in SAYS.items()}, "lang": language}
        for language, texts in told.items()
    }
