"""How a game is played, and what stands behind every code: for anybody who looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel

from companion.games.api import Game
from companion.games.lesson import Lesson
from companion.memory.codec import view_to_json
from companion.views import View
from companion.web.asks import said
from companion.words import Text, text


class RuleTold(BaseModel):
    """A rule as a player reads it."""

    id: str
    section: str
    says: str
    house: bool  # a decision of ours where the rulebook makes none
    left: str  # why it is left to the players, if it is


def routes(
    shelf: Mapping[str, Game[Any]], tell: Callable[[Text, tuple[Text, ...]], str],
    on_table: Callable[[], str],
) -> APIRouter:  # fmt: skip
    """`/api/rules` and `/api/lesson`; without a game, that on the table, if there is one."""
    router = APIRouter(tags=["learn"])

    def named(key: str) -> Game[Any]:
        key = key or on_table()
        if key not in shelf:
            raise HTTPException(404, "choose a game first" if not key else "no such game")
        return shelf[key]

    @router.get("/api/rules", responses=said(404))
    async def rules(game: Annotated[str, Query(max_length=40)] = "") -> list[RuleTold]:
        """Every rule of a game in the reader's language."""
        return [
            RuleTold(
                id=rule.id, section=tell(Text(rule.section), ()),
                says=tell(Text(rule.text), ()), house=rule.kind == "house",
                left=tell(Text(rule.left), ()) if rule.left else "",
            )
            for rule in named(game).rules
        ]  # fmt: skip

    @router.get("/api/lesson", responses=said(404))
    async def lesson(game: Annotated[str, Query(max_length=40)] = "") -> dict[str, Any]:
        """How to play it: pages with pictures, and its words."""
        chosen = named(game)
        taught = chosen.lesson or Lesson((), ())
        names = chosen.roles or tuple(text("Player {n}", n=n + 1) for n in range(chosen.seats[-1]))

        def say(told: Text) -> str:
            return tell(told, names)

        return {
            "game": chosen.key,
            "name": say(chosen.name),
            "games": [{"game": key, "name": say(one.name)} for key, one in shelf.items()],
            "pages": [
                {
                    **view_to_json(View(page.title, page.title, page.picture()), say),
                    "says": [say(one) for one in page.says], "rules": page.rules,
                }
                for page in taught.pages
            ],
            "words": [{"word": say(one.word), "means": say(one.means)} for one in taught.words],
        }  # fmt: skip

    return router
