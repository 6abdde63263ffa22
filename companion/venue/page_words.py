"""The words of the venue's pages, here so that they are translated; the pages fill the holes."""

from __future__ import annotations

from companion.words import Text, text

WORDS: tuple[Text, ...] = (
    text("Venue"),
    text("Wall"),
    text("Organiser"),
)
