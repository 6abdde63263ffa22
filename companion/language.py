"""The reader's language: gettext catalogues made by `make catalogues`, English where one lacks."""

from __future__ import annotations

import gettext
import logging
import struct
from functools import cache
from pathlib import Path
from string import Formatter

from companion.words import Translate

LOCALE = Path(__file__).with_name("locale")
log = logging.getLogger(__name__)


def languages(locale: Path = LOCALE) -> tuple[str, ...]:
    """What the pages can be read in."""
    return ("en", *sorted(one.parent.name for one in locale.glob("*/LC_MESSAGES")))


def speaker(language: str, locale: Path = LOCALE) -> Translate:
    """Turns a template into this language; what has no sound translation stays English."""
    try:
        found = gettext.translation("companion", locale, [language], fallback=True)
    except (OSError, UnicodeDecodeError, struct.error) as error:
        log.warning("the catalogue of %s cannot be read, English instead: %s", language, error)
        return str

    @cache
    def translate(template: str) -> str:
        said = found.gettext(template) if template else ""  # "" is the catalogue's own header
        if said != template and holes(said) != holes(template):
            log.warning("the %s of %r has other holes, English instead", language, template)
            return template
        return said

    return translate


def holes(template: str) -> set[str] | None:
    """The names in the holes of a template; None if it is none."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError:
        return None
    return {name + (f":{spec}" if spec else "") for _, name, spec, _ in parts if name is not None}
