"""*My box* for the pages: every card with its values, changed by a seat; photographs of cards."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response
from pydantic import Field
from starlette.requests import HTTPConnection

from companion.errors import BadState
from companion.events import BoxTold
from companion.games.box import (
    MOST_BYTES,
    Box,
    Printing,
    Row,
    changed,
    checked,
    from_file,
    new_card,
    rows,
    to_file,
    together,
)
from companion.games.cardfile import SOURCE_NAMES, SURE, Line, Number, Values
from companion.memory.cardbox import MOST_PHOTO, CardBox
from companion.web.asks import Caller, Command, Once, outcome, said
from companion.web.desk import Desk
from companion.words import Panel, Text, unwritable

FILE_PATH = "/api/box.toml"
PHOTO = "/photo"
LIMITS = {FILE_PATH: MOST_BYTES, PHOTO: MOST_PHOTO}
TOML = "application/toml"
GameKey = Annotated[str, Path(max_length=20, pattern="^[a-z]+$")]
CardKey = Annotated[str, Path(max_length=50, pattern="^[a-z0-9_.]+$")]
_WORD = Annotated[str, Field(max_length=200)]
_ValuesTold = Annotated[dict[_WORD, int | _WORD | None], Field(max_length=80)]


def _takes(*kinds: str) -> dict[str, Any]:
    content = {kind: {"schema": {"type": "string"}} for kind in kinds}
    return {"requestBody": {"content": content, "required": True}}


class Telling(Command):
    """Field by field what is printed on the card; null: as we ship it, after all."""

    values: _ValuesTold


class Adding(Telling):
    """A card that we do not know."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    kind: _WORD


def routes(desk: Desk, caller: Callable[[HTTPConnection], Caller]) -> APIRouter:
    """What is printed is no secret; who changes it speaks for a seat, and so who sees a photo."""
    router = APIRouter(tags=["box"])
    shelf, once = Boxes(desk), Once()

    def seat(asks: HTTPConnection) -> Panel:
        who = caller(asks)
        if not who.trusted:
            raise HTTPException(403, "only a browser that speaks for a seat may change the box")
        return Panel(0) if who.panel is None else who.panel

    async def tell(panel: Panel, *events: BoxTold) -> dict[str, Any]:
        for event in events:
            desk.emit(event)
        taken = await outcome(desk, panel)
        return {"notice": taken.notice}

    @router.get("/api/box")
    async def games() -> list[dict[str, Any]]:
        """The games that have cards, and the kinds of card that may be added to each."""
        return shelf.games()

    @router.get(FILE_PATH, response_class=Response)
    async def export() -> Response:
        """The box as one file: what its owner has told, of every game."""
        name = 'attachment; filename="box.toml"'
        return Response(shelf.file(), media_type=TOML, headers={"Content-Disposition": name})

    @router.post(FILE_PATH, responses=said(403), openapi_extra=_takes(TOML, "text/plain"))
    async def bring(request: Request, theirs_win: bool = False) -> dict[str, Any]:
        """Take in a box, of a friend for example. Whole, or not at all."""
        panel = seat(request)
        found = shelf.brought(await request.body(), theirs_win)
        events = (BoxTold(panel, key, theirs=box, theirs_win=theirs_win)
                  for key, box in found.items())  # fmt: skip
        return {**await tell(panel, *events), "values": sum(map(len, found.values()))}

    @router.get("/api/box/{game}", responses=said(404))
    async def cards(
        game: GameKey, search: Annotated[str, Query(max_length=80)] = ""
    ) -> list[dict[str, Any]]:
        """The cards of a game; `search` looks in their printed names, in every language."""
        return shelf.cards(game, search)

    @router.post("/api/box/{game}", responses=said(403, 404))
    async def add(game: GameKey, body: Adding, request: Request) -> dict[str, Any]:
        """Add a card that we do not know."""
        panel = seat(request)

        async def work() -> dict[str, Any]:
            key, told = shelf.added(game, body)
            new = BoxTold(panel, game, key, tuple(told.items()))
            return {**await tell(panel, new), "card": key}

        return await once.do((request.url.path, panel, body.id), work)

    @router.get("/api/box/{game}/{card}", responses=said(404))
    async def card(game: GameKey, card: CardKey) -> dict[str, Any]:
        """A card: every value with its source, and what it may be."""
        return shelf.card(game, card)

    @router.post("/api/box/{game}/{card}", responses=said(403, 404))
    async def change(
        game: GameKey, card: CardKey, body: Telling, request: Request
    ) -> dict[str, Any]:
        """Say what is printed on a card. A game on the table asks its seats whether it counts."""
        panel = seat(request)
        shelf.may_be(game, card, body.values)
        return await tell(panel, BoxTold(panel, game, card, tuple(body.values.items())))

    @router.post("/api/box/{game}/{card}/forget", responses=said(403, 404))
    async def forget(
        game: GameKey, card: CardKey, _body: Command, request: Request
    ) -> dict[str, Any]:
        """The card is as we ship it; one that we do not know is gone."""
        panel = seat(request)
        shelf.may_be(game, card, None)
        return await tell(panel, BoxTold(panel, game, card))

    @router.get("/api/box/{game}/{card}/photo", response_class=Response, responses=said(403, 404))
    async def photo(game: GameKey, card: CardKey, request: Request) -> Response:
        """The photograph of a card: for seats alone."""
        seat(request)
        if not (found := shelf.photo(game, card)):
            raise HTTPException(404, "this card has no photograph")
        return Response(found, media_type="image/jpeg")

    @router.post(
        "/api/box/{game}/{card}/photo", responses=said(403, 404, 507),
        openapi_extra=_takes("image/jpeg", "application/octet-stream"),
    )  # fmt: skip
    async def keep_photo(game: GameKey, card: CardKey, request: Request) -> dict[str, bool]:
        """Keep a photograph (JPEG) on this machine; an empty one takes it away."""
        seat(request)
        return {"photo": shelf.keep_photo(game, card, await request.body())}

    return router


class Boxes:
    """The box as pages see it: read from the owner's files, checked before anything is changed."""

    def __init__(self, desk: Desk) -> None:
        self._desk, self._own = desk, CardBox(desk.journal.with_name("cards"))
        self._games = {key: game for key, game in desk.shelf.items() if game.cards is not None}
        self._printings = {key: g.cards.printing for key, g in self._games.items() if g.cards}

    def games(self) -> list[dict[str, Any]]:
        """Each with the words of its page."""
        return [
            {"game": key, "name": self._say(game.name), "kinds": [
                {"kind": kind, "says": self._say(printing.kinds[kind])} for kind in printing.adds
            ]}
            for (key, game), printing in zip(
                self._games.items(), self._printings.values(), strict=True
            )
        ]  # fmt: skip

    def cards(self, game: str, search: str) -> list[dict[str, Any]]:
        """Those whose name has this in it."""
        printing, cards = self._of(game)
        wanted, photos = _folded(search), self._own.photos(game)
        found = []
        for key, values in cards.items():
            name, kind = printing.name(key, values), str(values["kind"].value)
            every = {name.show((), one) for one in self._desk.languages.values()} | {name.show()}
            if any(wanted in _folded(one) for one in (key, *every)):
                ours = sum(value.source not in SURE for value in values.values())
                found.append({
                    "card": key, "name": self._say(name), "ours": ours, "photo": key in photos,
                    "kind": self._say(printing.kinds[kind]),
                })  # fmt: skip
        return found

    def card(self, game: str, card: str) -> dict[str, Any]:
        """All that a page draws of it."""
        printing, cards = self._of(game)
        if card not in cards:
            raise HTTPException(404, "there is no such card")
        hints = {name: self._say(hint) for name, hint in printing.hints.items()}
        told = [self._row(printing, cards, card, row) for row in rows(printing, cards, card)]
        return {
            "game": game, "card": card, "name": self._say(printing.name(card, cards[card])),
            "kind": self._say(printing.kinds[str(cards[card]["kind"].value)]),
            "rows": told, "hints": hints, "photo": card in self._own.photos(game),
            "known": card in printing.values((), "shipped"),
        }  # fmt: skip

    def _row(self, printing: Printing, cards: Values, card: str, row: Row) -> dict[str, Any]:
        bounds = row.asks if isinstance(row.asks, Number) else None
        offers = [] if bounds and bounds.high > 40 else row.asks.offered()
        told: dict[str, Any] = {
            "field": row.field, "label": self._say(row.label), "value": row.value,
            "says": self._say(row.says), "source": row.source, "open": row.open,
            "from": self._say(SOURCE_NAMES[row.source]), "free": isinstance(row.asks, Line),
            "place": printing.place(row.field),
            "bounds": [bounds.low, bounds.high] if bounds else None,
        }  # fmt: skip
        values = cards[card]
        told["offers"] = [
            {"value": value, "says": self._say(printing.says(values, row.field, value))}
            for value in (offers if row.open else ())
        ]
        return told

    def may_be(self, game: str, card: str, told: dict[str, Any] | None) -> None:
        """BadState says why it cannot be."""
        printing, cards = self._of(game)
        if card not in cards:
            raise HTTPException(404, "there is no such card")
        if why := unwritable(told):
            raise BadState(why)
        changed(printing, self._mine(game), card, told)

    def added(self, game: str, body: Adding) -> tuple[str, dict[str, Any]]:
        """The key of a new card, and all that is told of it."""
        printing, cards = self._of(game)
        if body.kind not in printing.adds:
            raise BadState(f"kind must be one of {', '.join(printing.adds)}")
        if why := unwritable(body.model_dump()):
            raise BadState(why)
        key, named = new_card(printing, cards, body.name.strip(), body.kind)
        told = {**named, **body.values}
        changed(printing, self._mine(game), key, told)
        return key, told

    def file(self) -> str:
        """Of every game."""
        return to_file({key: self._mine(key) for key in self._games})

    def brought(self, body: bytes, theirs_win: bool) -> dict[str, Box]:
        """The boxes of a file, if they go together with those that are here."""
        found = from_file(body, "box.toml", self._printings)
        for key, theirs in found.items():
            checked(self._printings[key], together(self._mine(key), theirs, theirs_win), key)
        return found

    def photo(self, game: str, card: str) -> bytes:
        """Its bytes, or none."""
        return self._own.photo(game, card) if card in self._of(game)[1] else b""

    def keep_photo(self, game: str, card: str, picture: bytes) -> bool:
        """Of a card that there is: their number is bounded, and so is what they take."""
        if card not in self._of(game)[1]:
            raise HTTPException(404, "there is no such card")
        self._own.keep_photo(game, card, picture)
        return bool(picture)

    def _of(self, game: str) -> tuple[Printing, Values]:
        if game not in self._printings:
            raise HTTPException(404, "there is no such game, or it has no cards")
        printing = self._printings[game]
        return printing, printing.values(self._mine(game), "box")

    def _mine(self, game: str) -> Box:
        return self._own.load(self._games[game])

    def _say(self, text: Text) -> str:
        return self._desk.say(text, ())


def _folded(word: str) -> str:
    """So that width and case of letters do not matter."""
    return unicodedata.normalize("NFKC", word).casefold().strip()
