"""Before a game: choose it, join, set options, start. A game of its own, with these rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from companion.bots.api import Players
from companion.errors import BadState, Illegal
from companion.games.api import Citation, Game, Rule, require
from companion.words import COLOUR_NAMES, COMPANION, Panel, Text, text

MODES = ("hard", "soft", "coach")
MODE_NAMES = {
    "hard": text("hard: rules refuse"),
    "soft": text("soft: rules warn"),
    "coach": text("coach: odds shown"),
}
MODE_WORDS = {"hard": text("hard"), "soft": text("soft"), "coach": text("coach")}

MOST_CUTS = 99
LONGEST_NAME = 12  # letters of any script: as many as a glass shows beside a number

RULES = (
    Rule("L1", "Start", "A game is chosen from the shelf before anybody joins."),
    Rule("L2", "Start", "Each panel joins once; two seats never have the same name."),
    Rule("L3", "Start", "A game starts with as many seats as its rulebook allows."),
    Rule("L4", "Start", "Options are those the game names."),
    Rule("L5", "Start", "Whoever plays may cut before the start: each cut changes every deal."),
    Rule("L6", "Start", "The companion takes empty seats, where it needs no cardboard."),
    Rule("L7", "Start", "A lesson begins with deals and throws that are arranged, not drawn."),
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
class Invite:
    """The companion plays under this name, as well as `level` says; "": no longer."""

    seat: int
    name: str
    level: str


@dataclass(frozen=True, slots=True)
class NoCardboard:
    """Everything is dealt and laid out by the companion."""

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


@dataclass(frozen=True, slots=True)
class Watch:
    """Companions take the seats, and whoever is here looks on."""

    seat: int


@dataclass(frozen=True, slots=True)
class TeachMe:
    """A first game that explains itself, for everybody who has joined and for this panel."""

    seat: int
    game: str


@dataclass(frozen=True, slots=True)
class GoOnWith:
    """Take up a game that was set aside."""

    seat: int
    number: int


CITES: Mapping[type, Citation] = {
    PickGame: "L1", PutBack: "L1", Join: "L2", Leave: "L2", Rename: "L2", SetOption: "L4",
    SetMode: "L4", Cut: "L5", Start: "L3", GoOnWith: "L1", Invite: "L6", NoCardboard: "L6",
    Watch: "L6", TeachMe: "L7",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Player:
    panel: Panel | None  # None: the companion
    name: str
    level: str = ""  # how well the companion plays


@dataclass(frozen=True, slots=True)
class Resting:
    """A game that was set aside: its number, who plays, since when, how far it is."""

    number: int
    game: str
    names: tuple[str, ...]
    day: str
    moves: int


Chosen: TypeAlias = tuple[tuple[str, bool | int | str], ...]


@dataclass(frozen=True, slots=True)
class LobbyOptions:
    """How a lobby opens: with the code of its seed, and set for what is to be played again."""

    mode: str = "hard"
    code: str = ""
    game: str = ""
    players: tuple[Player, ...] = ()
    options: Chosen = ()
    resting: tuple[Resting, ...] = ()
    presets: tuple[tuple[str, Chosen], ...] = ()  # game by game: how it was played here last


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
    resting: tuple[Resting, ...] = ()  # the newest first
    resumes: int = 0  # the one of them that goes on
    presets: tuple[tuple[str, Chosen], ...] = ()
    taught: bool = False  # what begins is a lesson


@dataclass(frozen=True, slots=True)
class Hall:
    """Where a lobby is: the shelf, the names panels start with, people who played here before,
    and who of the companion's players knows a game."""

    shelf: Mapping[str, Game[Any]]
    names: tuple[str, ...]
    known: Callable[[], tuple[str, ...]] = tuple
    players: Players = lambda _key: ()

    def why_not(self, state: Lobby) -> Text | None:
        """Why a companion that was invited cannot play with the options that are chosen."""
        levels = [one.level for one in state.players if one.level]
        if not levels:
            return None
        able = {bot.level: bot for bot in self.players(state.game)}
        chosen = self.shelf[state.game].options(**dict(state.options))
        found = (able[level].able(chosen) if level in able else STRANGER for level in levels)
        return next((why for why in found if why is not None), None)


STRANGER = text("This companion does not know the game.")


def without_cardboard(game: Game[Any], chosen: Chosen) -> Chosen:
    """The same options, as a table plays them that has no cardboard."""
    found = ((f.name, f.metadata.get("virtual")) for f in fields(game.options))
    virtual = {name: value for name, value in found if value is not None}
    return tuple((key, virtual.get(key, value)) for key, value in chosen)


def next_companion(state: Lobby) -> str:
    """What one more companion is called."""
    taken = {player.name for player in state.players}
    names = (COMPANION, *(f"{COMPANION} {n}" for n in range(2, 9)))
    return next(name for name in names if name not in taken)


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
    seats = [
        {"panel": one.panel, "name": one.name} | ({"level": one.level} if one.level else {})
        for one in seated(game, state.players).values()
    ]
    lesson = {"taught": True} if state.taught else {}
    kept = {"mode": state.mode, "cuts": list(state.cuts), **lesson}
    return game, seats, {**kept, **dict(state.options)}


def once_more(game: Game[Any], seats: list[Any], chosen: dict[str, Any]) -> LobbyOptions:
    """A lobby set for the same game, with the same seats and options."""
    players = tuple(Player(seat["panel"], seat["name"], seat.get("level", "")) for seat in seats)
    defaults = _defaults({game.key: game}, game.key)
    options = tuple((key, chosen.get(key, value)) for key, value in defaults)
    return LobbyOptions(game=game.key, players=players, options=options)


def presets(
    shelf: Mapping[str, Game[Any]], played: Mapping[str, dict[str, Any]], cardboard: bool
) -> tuple[tuple[str, Chosen], ...]:
    """How each game opens at this table: as it was `played` last.

    What was never played needs no cardboard where there is none.
    """
    found = []
    for key, game in shelf.items():
        chosen = []
        for name, default in _defaults(shelf, key):
            field = next(f for f in fields(game.options) if f.name == name)
            first = default if cardboard else field.metadata.get("virtual", default)
            kept = played.get(key, {}).get(name, first)
            chosen.append((name, kept if kept in field.metadata["values"] else first))
        found.append((key, tuple(chosen)))
    return tuple(found)


def first_options(shelf: Mapping[str, Game[Any]], state: Lobby, key: str) -> Chosen:
    """How a game opens when it is chosen."""
    return dict(state.presets).get(key) or _defaults(shelf, key)


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


def _can_be_called(name: str) -> bool:
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()


def free_names(names: Iterable[str], state: Lobby) -> tuple[str, ...]:
    """What a panel without a phone may be called: these names and colours that nobody has."""
    taken = {player.name for player in state.players}
    return tuple(name for name in dict.fromkeys((*names, *COLOUR_NAMES)) if name not in taken)


def apply(hall: Hall, state: Lobby, action: Any) -> Lobby:
    """The only judge."""
    shelf, names = hall.shelf, hall.names
    require(not (state.started or state.resumes), "L1", "The game has begun.")
    require(0 <= action.seat < state.panels, "L2", "There is no such panel.")
    here = next((p for p in state.players if p.panel == action.seat), None)
    match action:
        case PickGame(_, key):
            require(not state.game, "L1", "A game is chosen: put it back first.")
            require(key in shelf, "L1", "There is no game {key} on the shelf.", key=key)
            return replace(state, game=key, options=first_options(shelf, state, key))
        case SetMode(_, mode):
            require(mode in MODES, "L4", "There is no mode {mode}.", mode=mode)
            return replace(state, mode=mode)
        case GoOnWith(_, number):
            known = any(one.number == number for one in state.resting)
            require(known, "L1", "No such game was set aside.")
            return replace(state, resumes=number)
        case TeachMe():
            return _taught(hall, state, action)
    require(bool(state.game), "L1", "Choose a game first.")
    game = shelf[state.game]
    match action:
        case PutBack():
            return replace(state, game="", players=(), options=())
        case Join(panel):
            require(here is None, "L2", "This panel has joined.")
            most, others = game.seats[-1], state.players
            if len(others) == most:  # a person is welcome in the place of a companion
                gone = next((one for one in reversed(others) if one.level), None)
                others = tuple(one for one in others if one is not gone)
            require(len(others) < most, "L3", "At most {n} can play.", n=most)
            name = _free(names, state, panel)[0]
            return replace(state, players=(*others, Player(Panel(panel), name)))
        case Leave(panel):
            require(here is not None, "L2", "This panel has not joined.")
            return replace(state, players=tuple(p for p in state.players if p.panel != panel))
        case Rename(panel, name):
            require(here is not None, "L2", "Join first.")
            require(_can_be_called(name), "L2", "A name has 1 to {n} letters.", n=LONGEST_NAME)
            require(name not in {p.name for p in state.players}, "L2", "This name is not free.")
            changed = (replace(p, name=name) if p is here else p for p in state.players)
            return replace(state, players=tuple(changed))
        case Invite(_, name, level):
            require(here is not None, "L2", "Join first.")
            return _invited(hall, state, name, level)
        case Watch():
            require(not state.players, "L6", "Somebody has joined: play, or leave first.")
            return _watched(hall, game, state)
        case NoCardboard():
            return replace(state, options=without_cardboard(game, state.options))
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
            why = hall.why_not(state)
            require(why is None, "L6", "{why}", why=why or "")
            return replace(state, started=True)
    raise BadState(f"the lobby does not know {action}")


def _watched(hall: Hall, game: Game[Any], state: Lobby) -> Lobby:
    """As few of the best companions as the game needs to be worth a look."""
    bots = hall.players(game.key)
    require(bool(bots), "L6", "This companion does not know the game.")
    state = replace(state, options=without_cardboard(game, state.options))
    return _filled(hall, state, bots[-1].level)


def _filled(hall: Hall, state: Lobby, level: str) -> Lobby:
    """Companions take seats until there are two players, and it starts."""
    seats = hall.shelf[state.game].seats
    while len(state.players) < max(seats[0], min(2, seats[-1])):
        state = _invited(hall, state, next_companion(state), level)
    why = hall.why_not(state)
    require(why is None, "L6", "{why}", why=why or "")
    return replace(state, started=True)


def _taught(hall: Hall, state: Lobby, action: TeachMe) -> Lobby:
    """A lesson for whoever has joined; companions take what is missing, nothing needs cardboard."""
    shelf, key = hall.shelf, action.game
    lesson = shelf[key].lesson if key in shelf else None
    first = lesson.first if lesson else None
    require(state.game in ("", key), "L1", "A game is chosen: put it back first.")
    if first is None:
        raise Illegal("L7", text("There is no lesson for this game."))
    chosen = dict(without_cardboard(shelf[key], _defaults(shelf, key))) | dict(first.options)
    state = replace(state, game=key, options=tuple(chosen.items()), taught=True)
    if all(one.panel != action.seat for one in state.players):
        state = apply(hall, state, Join(action.seat))
    return _filled(hall, state, first.level)


def _invited(hall: Hall, state: Lobby, name: str, level: str) -> Lobby:
    """A companion comes, plays better or worse, or goes."""
    before = next((one for one in state.players if one.name == name), None)
    known = [bot.level for bot in hall.players(state.game)]
    require(not level or level in known, "L6", "There is no such companion.")
    if before is not None:
        require(bool(before.level), "L6", "{name} is no companion.", name=name)
        after = (replace(before, level=level),) if level else ()
        changed = ((one,) if one is not before else after for one in state.players)
        return replace(state, players=tuple(one for some in changed for one in some))
    most = hall.shelf[state.game].seats[-1]
    require(len(state.players) < most, "L3", "At most {n} can play.", n=most)
    require(bool(level) and name == next_companion(state), "L6", "There is no such companion.")
    return replace(state, players=(*state.players, Player(None, name, level)))
