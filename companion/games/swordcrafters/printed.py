"""A printed magic card that is in no list, told word by word: method, gems, points by place."""

from __future__ import annotations

from companion.errors import Illegal
from companion.games.swordcrafters.cards import METHODS, MOST_PLACES, MOST_POINTS, Magic
from companion.games.swordcrafters.gems import GEMS
from companion.words import Text, text

DONE = "done"


def words(draft: tuple[str, ...]) -> tuple[str, ...]:
    """What players may enter next."""
    if not draft:
        return tuple(METHODS)
    method, gems, pays = _read(draft)
    counts = METHODS[method]
    if not gems_told(draft):
        more = tuple(gem for gem in GEMS if gem not in gems) if len(gems) < counts[-1] else ()
        return (*((DONE,) if len(gems) in counts else ()), *more)
    most = pays[-1] if pays else MOST_POINTS
    points = tuple(str(n) for n in range(most, 0, -1))
    return (*((DONE,) if pays else ()), *points)


def gems_told(draft: tuple[str, ...]) -> bool:
    """Are the gems complete, so that points follow?"""
    _, gems, _ = _read(draft)
    return DONE in draft or len(gems) == METHODS[draft[0]][-1]


def goes_on(draft: tuple[str, ...], card: Magic) -> bool:
    """Is this the card that is being told, as far as that goes?"""
    if not draft:
        return True
    method, gems, pays = _read(draft)
    same = set(gems) == set(card.gems) if gems_told(draft) else set(gems) <= set(card.gems)
    return method == card.method and same and pays == card.pays[: len(pays)]


def with_word(draft: tuple[str, ...], word: str) -> tuple[tuple[str, ...], Magic | None]:
    """The draft with one more word, and the card once it is whole."""
    if word not in words(draft):
        raise Illegal("S-R30", _wanted(draft))
    _, _, pays = _read(draft) if draft else ("", (), ())
    if draft and gems_told(draft) and word == DONE:
        return (), _card(draft)
    draft = (*draft, word)
    last = len(pays) + 1 == MOST_PLACES and gems_told(draft[:-1])
    return ((), _card(draft)) if last else (draft, None)


def _wanted(draft: tuple[str, ...]) -> Text:
    """What the next word must be."""
    if not draft:
        return text("There is no such method")
    if not gems_told(draft):
        return text("Name the gems that the card shows")
    allowed = words(draft)
    if DONE in allowed:
        return text("A later place pays {n} at most", n=allowed[1])
    return text("A card pays at least the 1st place")


def _card(draft: tuple[str, ...]) -> Magic:
    method, gems, pays = _read(draft)
    return Magic("", method, gems, pays, "owner")


def _read(draft: tuple[str, ...]) -> tuple[str, tuple[str, ...], tuple[int, ...]]:
    gems = tuple(word for word in draft[1:] if word in GEMS)
    return draft[0], gems, tuple(int(word) for word in draft[1:] if word.isdecimal())
