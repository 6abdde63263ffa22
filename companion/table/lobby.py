"""Before a game: choose it, join, set options, start. Itself a game, journaled like any other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from companion.errors import BadState
from companion.games.api import Citation, Game, Result, Rule, Secrets, Waiting, require
from companion.memory.seals import short
from companion.views import Choice, Line, Part, View
from companion.words import COLOUR_NAMES, Panel, Text, name_text, text

MODES = ("hard", "soft", "coach")
MODE_NAMES = {
    "hard": text("hard: rules refuse"),
    "soft": text("soft: rules warn"),
    "coach": text("coach: odds shown"),
}
MODE_WORDS = {"hard": text("hard"), "soft": text("soft"), "coach": text("coach")}

MOST_CUTS = 99

RULES = (
    Rule("L1", "Start", "A game is chosen from the shelf before anybody joins."),
    Rule("L2", "Start", "Each panel joins once; two seats never have the same name."),
    Rule("L3", "Start", "A game starts with as many seats as its rulebook allows."),
    Rule("L4", "Start", "Options are those the game names."),
    Rule("L5", "Start", "Whoever plays may cut before the start: each cut changes every deal."),
)


@dataclass(frozen=True, slots=True)
class PickGame:
    seat: int
    game: str


@dataclass(frozen=True, slots=True)
class PutBack:
    """Another game after all."""

    seat: int


@dataclass(frozen=True, slots=True)
class Join:
    seat: int


@dataclass(frozen=True, slots=True)
class Leave:
    seat: int


@dataclass(frozen=True, slots=True)
class Rename:
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class SetOption:
    seat: int
    option: str
    value: bool | int | str


@dataclass(frozen=True, slots=True)
class SetMode:
    seat: int
    mode: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The players' part in the companion's chance: nobody knows what it changes (docs/seals.md)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Start:
    seat: int


CITES: Mapping[type, Citation] = {
    PickGame: "L1", PutBack: "L1", Join: "L2", Leave: "L2", Rename: "L2", SetOption: "L4",
    SetMode: "L4", Cut: "L5", Start: "L3",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Player:
    panel: Panel
    name: str


Chosen: TypeAlias = tuple[tuple[str, bool | int | str], ...]


@dataclass(frozen=True, slots=True)
class LobbyOptions:
    """How a lobby opens: with the code of its seed, and set for what is to be played again."""

    mode: str = "hard"
    code: str = ""
    game: str = ""
    players: tuple[Player, ...] = ()
    options: Chosen = ()


@dataclass(frozen=True, slots=True)
class Lobby:
    panels: int
    mode: str
    game: str = ""
    players: tuple[Player, ...] = ()
    options: Chosen = ()
    started: bool = False
    code: str = ""  # of the seed: everything that chance gives is derived from it
    cuts: tuple[int, ...] = ()  # the panels that cut, in order


def seated(game: Game[Any], players: tuple[Player, ...]) -> dict[int, Player]:
    """Who sits where: a player who is called like a role of the game gets it, the rest in turn."""
    roles = [role.template for role in game.roles]
    seats = {roles.index(player.name): player for player in players if player.name in roles}
    free = (seat for seat in range(len(roles) + len(players)) if seat not in seats)
    rest = [player for player in players if player.name not in roles]
    seats |= dict(zip(free, rest, strict=False))
    return dict(sorted(seats.items()))


def chosen_game(
    shelf: Mapping[str, Game[Any]], state: Lobby
) -> tuple[Game[Any], list[Any], dict[str, Any]]:
    """What the lobby has agreed to play: the game, its seats and its options."""
    game = shelf[state.game]
    seats = [{"panel": one.panel, "name": one.name} for one in seated(game, state.players).values()]
    return game, seats, {"mode": state.mode, "cuts": list(state.cuts), **dict(state.options)}


def once_more(game: Game[Any], seats: list[Any], chosen: dict[str, Any]) -> LobbyOptions:
    """A lobby set for the same game, with the same seats and options."""
    players = tuple(Player(seat["panel"], seat["name"]) for seat in seats)
    defaults = _defaults({game.key: game}, game.key)
    options = tuple((key, chosen.get(key, value)) for key, value in defaults)
    return LobbyOptions(game=game.key, players=players, options=options)


def lobby(shelf: Mapping[str, Game[Any]], names: tuple[str, ...]) -> Game[Lobby]:
    """The lobby over this shelf; `names` are offered to the seats, panel by panel."""

    def new(panels: int, options: LobbyOptions) -> Lobby:
        empty = Lobby(panels, options.mode, code=options.code)
        if options.game:
            return replace(
                empty, game=options.game, players=options.players, options=options.options
            )
        only = next(iter(shelf)) if len(shelf) == 1 else ""
        return replace(empty, game=only, options=_defaults(shelf, only))

    def waiting(state: Lobby) -> Waiting:
        seats = () if state.started else tuple(range(state.panels))
        return Waiting(_asked(shelf, state, None), seats)

    def legal(state: Lobby, seat: int) -> Iterable[Any]:
        return [choice.action for choice in _choices(shelf, names, state, seat)]

    def apply(state: Lobby, action: Any) -> Lobby:
        require(not state.started, "L1", "The game has begun.")
        require(0 <= action.seat < state.panels, "L2", "There is no such panel.")
        return _apply(shelf, names, state, action)

    def view(state: Lobby, seat: int | None) -> View:
        choices = () if seat is None else tuple(_choices(shelf, names, state, seat))
        return _view(shelf, state, seat, choices)

    def result(state: Lobby) -> Result | None:
        return Result((), text("The game begins.")) if state.started else None

    def possible(state: Lobby) -> None:
        if state.game and state.game not in shelf:
            raise BadState(f"there is no game {state.game} on the shelf")
        if state.mode not in MODES:
            raise BadState(f"there is no mode {state.mode}")

    return Game(
        key="lobby", name=text("Table companion"), version=1, seats=range(1, 6),
        options=LobbyOptions, state=Lobby,
        actions=(PickGame, PutBack, Join, Leave, Rename, SetOption, SetMode, Cut, Start),
        rules=RULES, new=new, waiting=waiting, legal=legal, apply=apply, view=view, result=result,
        tell=lambda _state, _action, _viewer: text("The table is set."), cites=CITES,
        possible=possible, cap=100_000, secrets=Secrets(reveals=lambda _state, _action: True),
    )  # fmt: skip


def _defaults(shelf: Mapping[str, Game[Any]], key: str) -> Chosen:
    if not key:
        return ()
    chosen = shelf[key].options
    start: Any = chosen()
    return tuple((f.name, getattr(start, f.name)) for f in fields(chosen) if "values" in f.metadata)


def _free(names: tuple[str, ...], state: Lobby, first: int) -> list[str]:
    """Names nobody has, beginning with the panel's own."""
    taken = {player.name for player in state.players}
    every = tuple(dict.fromkeys((*names, *COLOUR_NAMES)))
    return [name for name in (*every[first:], *every[:first]) if name not in taken]


def _apply(
    shelf: Mapping[str, Game[Any]], names: tuple[str, ...], state: Lobby, action: Any
) -> Lobby:
    here = next((p for p in state.players if p.panel == action.seat), None)
    match action:
        case PickGame(_, key):
            require(not state.game, "L1", "A game is chosen: put it back first.")
            require(key in shelf, "L1", "There is no game {key} on the shelf.", key=key)
            return replace(state, game=key, options=_defaults(shelf, key))
        case SetMode(_, mode):
            require(mode in MODES, "L4", "There is no mode {mode}.", mode=mode)
            return replace(state, mode=mode)
    require(bool(state.game), "L1", "Choose a game first.")
    game = shelf[state.game]
    match action:
        case PutBack():
            return replace(state, game="", players=(), options=())
        case Join(panel):
            require(here is None, "L2", "This panel has joined.")
            most = game.seats[-1]
            require(len(state.players) < most, "L3", "At most {n} can play.", n=most)
            name = _free(names, state, panel)[0]
            return replace(state, players=(*state.players, Player(Panel(panel), name)))
        case Leave(panel):
            require(here is not None, "L2", "This panel has not joined.")
            return replace(state, players=tuple(p for p in state.players if p.panel != panel))
        case Rename(panel, name):
            require(here is not None, "L2", "Join first.")
            require(name in _free(names, state, panel), "L2", "This name is not free.")
            changed = (replace(p, name=name) if p is here else p for p in state.players)
            return replace(state, players=tuple(changed))
        case SetOption(_, key, value):
            field = next((f for f in fields(game.options) if f.name == key), None)
            known = field is not None and value in field.metadata.get("values", ())
            require(known, "L4", "{game} has no such option.", game=game.name)
            changed_options = tuple((k, value if k == key else v) for k, v in state.options)
            return replace(state, options=changed_options)
        case Cut(panel):
            require(here is not None, "L2", "Join first.")
            require(len(state.cuts) < MOST_CUTS, "L5", "That is cut well enough.")
            return replace(state, cuts=(*state.cuts, panel))
        case Start():
            require(here is not None, "L2", "Join first.")
            count = len(state.players)
            require(
                count in game.seats, "L3", "{game} is for {low} to {high}; {n} joined.",
                game=game.name, low=game.seats[0], high=game.seats[-1], n=count,
            )  # fmt: skip
            return replace(state, started=True)
    raise BadState(f"the lobby does not know {action}")


def _choices(
    shelf: Mapping[str, Game[Any]], names: tuple[str, ...], state: Lobby, seat: int
) -> Iterable[Choice]:
    if state.started:
        return
    if not state.game:
        for key, game in shelf.items():
            yield Choice(game.name, PickGame(seat, key), _how_many(game))
        return
    game = shelf[state.game]
    here = next((p for p in state.players if p.panel == seat), None)
    if here is None:
        if len(state.players) < game.seats[-1]:
            yield Choice(text("Join"), Join(seat), _how_many(game))
    else:
        if len(state.players) in game.seats:
            yield Choice(text("Start"), Start(seat))
        following = _free(names, state, seat)
        if following:
            after = [n for n in (*names, *COLOUR_NAMES) if n in following]
            yield Choice(text("Name: {name}", name=name_text(here.name)), Rename(seat, after[0]))
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


def _option_choice(field: Any, values: tuple[Any, ...], value: Any, seat: int) -> Choice:
    """One row that says the option's value; select goes on to the next value."""
    at = values.index(value)
    shown = field.metadata.get("names") or tuple(text("{v}", v=str(v)) for v in values)
    after = (at + 1) % len(values)
    label = text("{option}: {value}", option=field.metadata["label"], value=shown[at])
    detail = text("select: {value}", value=shown[after])
    return Choice(label, SetOption(seat, field.name, values[after]), detail)


def _how_many(game: Game[Any]) -> Text:
    low, high = game.seats[0], game.seats[-1]
    if low == high:
        return text("for {n}", n=low)
    return text("for {low} to {high}", low=low, high=high)


def _asked(shelf: Mapping[str, Game[Any]], state: Lobby, seat: int | None) -> Text:
    """What this panel, or everybody, is waited for."""
    if state.started:
        return text("The game begins.")
    if not state.game:
        return text("Choose a game")
    game, count = shelf[state.game], len(state.players)
    plays = any(player.panel == seat for player in state.players)
    if count == game.seats[-1]:
        here = plays or seat is None
        return text("All are here: press Start") if here else text("Every place is taken")
    if not plays:
        return text("Press select to join")
    return text("Start, or wait") if count in game.seats else text("Waiting for others")


def _view(
    shelf: Mapping[str, Game[Any]], state: Lobby, seat: int | None, choices: tuple[Choice, ...]
) -> View:
    why = _asked(shelf, state, seat)
    if not state.game:
        welcome = Line(text("Press any button"), big=True)
        return View(text("Table companion"), why, (welcome,), choices)
    game = shelf[state.game]
    parts: list[Part] = [Line(game.name, big=True)]
    for number, player in seated(game, state.players).items():
        role = game.roles[number] if number < len(game.roles) else None
        parts.append(Line(_joined(name_text(player.name), role, player.panel == seat)))
    if not state.players:
        parts.append(Line(_how_many(game)))
    if state.code:
        parts.append(Line(text("Seed code {code}", code=short(state.code))))
    return View(game.name, why, tuple(parts), choices)


def _joined(name: Text, role: Text | None, mine: bool) -> Text:
    if role is None or role == name:
        return text("You are {name}", name=name) if mine else text("{name} has joined", name=name)
    if mine:
        return text("You are {name} and play {role}", name=name, role=role)
    return text("{name} plays {role}", name=name, role=role)
