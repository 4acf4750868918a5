"""The languages that have translations, and the choice of one for a request."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from babel import Locale
from flask import Flask, current_app, request, session
from flask_babel import Babel, get_locale
from markupsafe import Markup

from daybook.web.words.game_pages import game_folders
from daybook.web.words.say import TRANSLATION_CACHE_SIZE, translations

TRANSLATIONS = Path(__file__).resolve().parents[1] / "translations"


def init_translations(app: Flask) -> None:
    app.extensions["languages"] = languages_with_files()
    texts = [*reversed(game_folders("translations")), TRANSLATIONS]  # a later folder overrides the earlier ones
    Babel(app, locale_selector=chosen_language, default_translation_directories=";".join(map(str, texts)))
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: translations().ugettext(text),
        lambda singular, plural, n: translations().ungettext(singular, plural, n),
        newstyle=True,
        pgettext=lambda context, text: translations().upgettext(context, text),
    )
    app.jinja_env.globals["_"] = lambda text: _translate_markup(translations(), text)
    app.context_processor(lambda: {"_": partial(_translate_markup, translations())})  # looks the language up once


@lru_cache(TRANSLATION_CACHE_SIZE)
def _translate_markup(into: Any, text: str) -> Markup:
    """Return a template's text in a language; cached, because a page needs a hundred."""
    return Markup(into.ugettext(text)) % {}


def languages_with_files() -> dict[str, str]:
    """Return the available languages with their own names."""
    locales = [Locale.parse(file.parts[-3]) for file in sorted(TRANSLATIONS.glob("*/LC_MESSAGES/messages.mo"))]
    return {"en": "English"} | {str(locale): str(locale.get_display_name(locale)) for locale in locales}


def languages() -> dict[str, str]:
    """Return the languages of this application."""
    by_code: dict[str, str] = current_app.extensions["languages"]
    return by_code


def chosen_language() -> str:
    """Return the chosen language, else the best match of the request."""
    available = languages()
    chosen = session.get("language", "")
    return chosen if chosen in available else request.accept_languages.best_match(list(available), "en")


def language() -> str:
    """Return the page's language code for HTML."""
    return str(get_locale()).replace("_", "-")
