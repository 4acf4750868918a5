"""Languages of pages: those that there are texts in, and which of them a browser gets."""

from __future__ import annotations

from pathlib import Path

from babel import Locale
from flask import Flask, current_app, request, session
from flask_babel import Babel, get_locale

from daybook.web.words.game_pages import folders
from daybook.web.words.say import translations

TRANSLATIONS = Path(__file__).resolve().parents[1] / "translations"


def speak(app: Flask) -> None:
    app.extensions["languages"] = languages_with_files()
    texts = [*reversed(folders("translations")), TRANSLATIONS]  # the last one says it where several do
    Babel(app, locale_selector=chosen_language, default_translation_directories=";".join(map(str, texts)))
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: translations().ugettext(text),
        lambda one, many, n: translations().ungettext(one, many, n),
        newstyle=True,
        pgettext=lambda context, text: translations().upgettext(context, text),
    )


def languages_with_files() -> dict[str, str]:
    """The languages that the house has, each by its own name; what a game has in others besides is not offered."""
    found = [Locale.parse(file.parts[-3]) for file in sorted(TRANSLATIONS.glob("*/LC_MESSAGES/messages.mo"))]
    return {"en": "English"} | {str(locale): str(locale.get_display_name(locale)) for locale in found}


def languages() -> dict[str, str]:
    """The languages that this application was made with."""
    known: dict[str, str] = current_app.extensions["languages"]
    return known


def chosen_language() -> str:
    """The language a browser has chosen here, or else the best of those it asks for."""
    known = languages()
    chosen = session.get("language", "")
    return chosen if chosen in known else request.accept_languages.best_match(list(known), "en")


def language() -> str:
    """The page's language, as HTML names it."""
    return str(get_locale()).replace("_", "-")
