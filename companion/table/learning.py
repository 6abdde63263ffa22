"""How to play, the words and the rules of a game, on a panel: in its menu, and before it begins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from companion.games.api import Game, Rule
from companion.games.lesson import Lesson
from companion.table.menu import Open, Page, Path
from companion.views import Choice, Line, View
from companion.words import Text, text

LEARN: Path = ("learn",)
LEARN_IT = Choice(text("How to play"), Open(LEARN), text("pages, words, rules"))


def page(path: Path, game: Game[Any]) -> Page:
    """What is read at this place."""
    lesson = game.lesson or Lesson((), ())
    match path:
        case ("learn", int(at)) if at < len(lesson.pages):
            return _lesson_page(lesson, at)
        case ("words",):
            said = [text("{word}: {means}", word=one.word, means=one.means) for one in lesson.words]
            rows = (Choice(one.word, Open(LEARN), one.means) for one in lesson.words)
            return Page(text("Words"), tuple(rows), tuple(map(Line, said)))
        case ("rules", str(section)):
            return rules_page(Text(section), (r for r in game.rules if r.section == section))
        case ("rules",):
            sections = dict.fromkeys(rule.section for rule in game.rules)
            rows = (Choice(Text(one), Open(("rules", one))) for one in sections)
            return Page(text("Rules"), tuple(rows))
        case _:
            titles = enumerate(one.title for one in lesson.pages)
            rows = (Choice(title, Open(("learn", at))) for at, title in titles)
            more = (
                Choice(text("Words"), Open(("words",))),
                Choice(text("Rules"), Open(("rules",))),
            )
            return Page(text("How to play"), (*rows, *more))


def words_in(view: View, game: Game[Any]) -> tuple[Text, ...]:
    """The words of the game that this view uses, explained; looked for before translation, so that
    every language has the same."""
    known = game.lesson.words if game.lesson else ()
    shown = view.title, view.waiting, view.tip, view.parts, view.choices
    said = " ".join(_templates(shown)) if known else ""
    return tuple(
        text("{word}: {means}", word=one.word, means=one.means)
        for one in known
        if re.search(rf"\b{re.escape(one.word.template)}", said, re.IGNORECASE)
    )


def _templates(shown: Any) -> Iterator[str]:
    """Every sentence in it, however deep."""
    if isinstance(shown, Text):
        yield shown.template
        yield from _templates(tuple(value for _, value in shown.values))
    elif isinstance(shown, tuple):
        for one in shown:
            yield from _templates(one)
    elif is_dataclass(shown):
        yield from _templates(tuple(getattr(shown, f.name) for f in fields(shown)))


def rule_page(game: Game[Any], rule: str) -> Page:
    """The rule by which something was refused."""
    one = next(one for one in game.rules if one.id == rule)
    of = text("Our house rule") if one.kind == "house" else Text(one.section)
    says = text("{id}: {says}", id=one.id, says=Text(one.text))
    return Page(text("Not now"), (), (Line(says), Line(of)))


def rules_page(title: Text, rules: Iterable[Rule]) -> Page:
    """Rules, each by its id and with its sentence."""
    known = tuple(rules)
    rows = (Choice(text("{id}", id=one.id), Open(("rules",)), Text(one.text)) for one in known)
    said = (text("{id}: {says}", id=one.id, says=Text(one.text)) for one in known)
    return Page(title, tuple(rows), tuple(map(Line, said)))


def _lesson_page(lesson: Lesson, at: int) -> Page:
    """One page; the finger is on the next."""
    one = lesson.pages[at]
    after = at + 1 < len(lesson.pages)
    on = Choice(text("Next page"), Open(("learn", at + 1))) if after else None
    leave = Choice(text("Back"), Open(LEARN))
    return Page(one.title, (on, leave) if on else (leave,), (*map(Line, one.says), *one.picture()))
