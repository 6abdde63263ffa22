"""What each panel sees and may press before a game, and the lobby as the game that it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any

from companion.bots.api import LEVEL_NAMES, Bot
from companion.errors import BadState
from companion.games.api import Game, Result, Secrets, Waiting
from companion.memory.seals import short
from companion.table.lobby import (
    CITES,
    MODE_NAMES,
    MODE_WORDS,
    MODES,
    RULES,
    Cut,
    GoOnWith,
    Hall,
    Invite,
    Join,
    Leave,
    Lobby,
    LobbyOptions,
    NoCardboard,
    PickGame,
    PutBack,
    Rename,
    SetMode,
    SetOption,
    Start,
    Watch,
    apply,
    first_options,
    free_names,
    next_companion,
    seated,
    without_cardboard,
)
from companion.views import Choice, Line, Part, View
from companion.words import Text, name_text, text


def lobby(hall: Hall) -> Game[Lobby]:
    """The lobby of this table."""
    shelf = hall.shelf

    def new(panels: int, options: LobbyOptions) -> Lobby:
        empty = Lobby(
            panels, options.mode, code=options.code,
            resting=options.resting, presets=options.presets,
        )  # fmt: skip
        if options.game:
            return replace(
                empty, game=options.game, players=options.players, options=options.options
            )
        only = next(iter(shelf)) if len(shelf) == 1 else ""
        return replace(empty, game=only, options=first_options(shelf, empty, only))

    def waiting(state: Lobby) -> Waiting:
        seats = () if state.started or state.resumes else tuple(range(state.panels))
        return Waiting(_asked(hall, state, None), seats)

    def legal(state: Lobby, seat: int) -> Iterable[Any]:
        return [choice.action for choice in _choices(hall, state, seat)]

    def view(state: Lobby, seat: int | None) -> View:
        choices = () if seat is None else tuple(_choices(hall, state, seat))
        return _view(hall, state, seat, choices)

    def result(state: Lobby) -> Result | None:
        return Result((), text("The game begins.")) if state.started or state.resumes else None

    def possible(state: Lobby) -> None:
        if state.game and state.game not in shelf:
            raise BadState(f"there is no game {state.game} on the shelf")
        if state.mode not in MODES:
            raise BadState(f"there is no mode {state.mode}")

    return Game(
        key="lobby", name=text("Table companion"), version=1, seats=range(1, 6),
        options=LobbyOptions, state=Lobby,
        actions=tuple(CITES),
        rules=RULES, new=new, waiting=waiting, legal=legal,
        apply=partial(apply, hall), view=view, result=result,
        tell=lambda _state, _action, _viewer: text("The table is set."), cites=CITES,
        possible=possible, cap=100_000, secrets=Secrets(reveals=lambda _state, _action: True),
    )  # fmt: skip


def _choices(hall: Hall, state: Lobby, seat: int) -> Iterable[Choice]:
    shelf = hall.shelf
    if state.started or state.resumes:
        return
    if not state.game:
        yield from _resting(shelf, state, seat)
        for key, game in shelf.items():
            yield Choice(game.name, PickGame(seat, key), _how_many(game))
        return
    game = shelf[state.game]
    here = next((p for p in state.players if p.panel == seat), None)
    if here is None:
        if len(state.players) < game.seats[-1] or any(one.level for one in state.players):
            yield Choice(text("Join"), Join(seat), _how_many(game))
        if not state.players:
            if hall.players(game.key):
                yield Choice(text("Watch a game"), Watch(seat), text("companions play it"))
            yield from _resting(shelf, state, seat)
    else:
        why = hall.why_not(state)
        if why is None and len(state.players) in game.seats:
            yield Choice(text("Start"), Start(seat))
        if why is not None and without_cardboard(game, state.options) != state.options:
            yield Choice(text("Play without cardboard"), NoCardboard(seat), why)
        yield from _company(hall, game, state, seat)
        if free := free_names((*hall.known(), *hall.names), state):
            yield Choice(text("Name: {name}", name=name_text(here.name)), Rename(seat, free[0]))
        yield Choice(text("Leave"), Leave(seat))
        if state.code:
            cut = text("Cut: {n}", n=state.cuts.count(seat))
            yield Choice(cut, Cut(seat), text("changes every deal"))
    for f in fields(game.options):
        if values := f.metadata.get("values"):
            yield _option_choice(f, values, dict(state.options)[f.name], seat)
    after_mode = MODES[(MODES.index(state.mode) + 1) % len(MODES)]
    yield Choice(
        text("Mode: {mode}", mode=MODE_WORDS[state.mode]),
        SetMode(seat, after_mode),
        MODE_NAMES[state.mode],
    )
    if len(shelf) > 1:
        yield Choice(text("Another game"), PutBack(seat))


def _company(hall: Hall, game: Game[Any], state: Lobby, seat: int) -> Iterator[Choice]:
    """Rows that give empty seats to the companion, and say how well it plays."""
    bots = hall.players(game.key)
    if bots and len(state.players) < game.seats[-1]:
        label, first = text("Invite the companion"), bots[len(bots) // 2]
        yield Choice(label, Invite(seat, next_companion(state), first.level), _plays(first))
    for one in state.players:
        at = next((n for n, bot in enumerate(bots) if bot.level == one.level), None)
        if at is not None and len(bots) > 1:
            after = bots[(at + 1) % len(bots)]
            label = _joined(name_text(one.name), None, False, one.level)
            yield Choice(label, Invite(seat, one.name, after.level), bots[at].says)
    if last := next((one for one in reversed(state.players) if one.level), None):
        gone = text("{name} goes", name=name_text(last.name))
        yield Choice(gone, Invite(seat, last.name, ""))


def _plays(bot: Bot) -> Text:
    return text("{level}: {says}", level=LEVEL_NAMES[bot.level], says=bot.says)


def _resting(shelf: Mapping[str, Game[Any]], state: Lobby, seat: int) -> Iterable[Choice]:
    """The games that were set aside."""
    for one in state.resting:
        label = text("Go on with {game}", game=shelf[one.game].name)
        detail = text("{names}; move {n}, {day}", names=", ".join(one.names), n=one.moves,
                      day=one.day)  # fmt: skip
        yield Choice(label, GoOnWith(seat, one.number), detail)


def _option_choice(field: Any, values: tuple[Any, ...], value: Any, seat: int) -> Choice:
    """One row that says the option's value; select goes on to the next value."""
    at = values.index(value)
    shown = field.metadata.get("names") or tuple(text("{v}", v=str(v)) for v in values)
    after = (at + 1) % len(values)
    label = text("{option}: {value}", option=field.metadata["label"], value=shown[at])
    detail = text("change to: {value}", value=shown[after])
    return Choice(label, SetOption(seat, field.name, values[after]), detail)


def _how_many(game: Game[Any]) -> Text:
    low, high = game.seats[0], game.seats[-1]
    if low == high:
        return text("for {n}", n=low)
    return text("for {low} to {high}", low=low, high=high)


def _asked(hall: Hall, state: Lobby, seat: int | None) -> Text:
    """What this panel, or everybody, is waited for."""
    if state.started:
        return text("The game begins.")
    if not state.game:
        return text("Choose a game")
    game, count = hall.shelf[state.game], len(state.players)
    plays = any(player.panel == seat for player in state.players)
    if (why := hall.why_not(state)) is not None:
        return why
    if count == game.seats[-1]:
        here = plays or seat is None
        return text("All are here: press Start") if here else text("Every place is taken")
    if not plays:
        return text("Press select to join")
    return text("Start, or wait") if count in game.seats else _wanting(hall, game)


def _wanting(hall: Hall, game: Game[Any]) -> Text:
    if hall.players(game.key):
        return text("Invite, or wait")
    return text("Waiting for others")


def _view(hall: Hall, state: Lobby, seat: int | None, choices: tuple[Choice, ...]) -> View:
    why, shelf = _asked(hall, state, seat), hall.shelf
    if not state.game:
        welcome = Line(text("Press any button"), big=True)
        return View(text("Table companion"), why, (welcome,), choices)
    game = shelf[state.game]
    parts: list[Part] = [Line(game.name, big=True)]
    for number, player in seated(game, state.players).items():
        role = game.roles[number] if number < len(game.roles) else None
        mine = seat is not None and player.panel == seat
        parts.append(Line(_joined(name_text(player.name), role, mine, player.level)))
    if not state.players:
        parts.append(Line(_how_many(game)))
    elif said := _outlook(game, state):
        parts.append(Line(said))
    if state.code:
        parts.append(Line(text("Seed code {code}", code=short(state.code))))
    return View(game.name, why, tuple(parts), choices)


def _outlook(game: Game[Any], state: Lobby) -> Text | None:
    if game.outlook is None or len(state.players) not in game.seats:
        return None
    return game.outlook(game.options(**dict(state.options)), len(state.players))


def _joined(name: Text, role: Text | None, mine: bool, level: str) -> Text:
    if level:
        return text("{name}: {level}", name=name, level=LEVEL_NAMES[level])
    if role is None or role == name:
        return text("You are {name}", name=name) if mine else text("{name} has joined", name=name)
    if mine:
        return text("You are {name} and play {role}", name=name, role=role)
    return text("{name} plays {role}", name=name, role=role)
