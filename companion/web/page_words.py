"""The pages' own words, here so that they are translated like every other text."""

from __future__ import annotations

from companion.words import Text, Translate, text

WORDS: tuple[Text, ...] = (text("Table"),)


def words(translate: Translate) -> dict[str, str]:
    """Each word that the table's language has another for."""
    pairs = {word.template: translate(word.template) for word in WORDS}
    return {english: said for english, said in pairs.items() if said != english}
