"""What the party decides beside the dice: characters, cards, partners, items, effects, loot."""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import BadState, Illegal
from companion.games.api import require
from companion.games.cardfile import cards_of, kept
from companion.games.records import replace
from companion.games.sao.actions import (
    Agreed,
    Chain,
    Consume,
    Correct,
    Corrected,
    Finish,
    Forgo,
    Give,
    Onward,
    Play,
    Target,
    Yui,
)
from companion.games.sao.cards import deck, offered
from companion.games.sao.cites import forgone
from companion.games.sao.course import (
    after_hits,
    begin_turn,
    buried,
    counterattack,
    healed,
    laid_out,
    next_ask,
    onward,
    over,
    resolve,
    revealed,
    start,
    struck,
    targets,
)
from companion.games.sao.dicework import Should
from companion.games.sao.kinds import LEVELS
from companion.games.sao.state import Owned, State, Token, hero, name
from companion.words import Text, text

SURE = ("rulebook", "faq", "owner")
MEALTIMES = ("chain", "lay", "roll", "dice", "skills", "effect", "counter")


def play(state: State, action: Play) -> State:
    """A seat takes a character; Kirito must be among them (R2 to R4)."""
    require(action.character in state.cards.characters, "R4", "There is no such character.")
    at = action.seat if state.seats > 1 else 1
    require(not state.picks[at], "R4", "You have chosen your character already.")
    taken = Text(state.cards.characters[action.character].name)
    require(action.character not in state.picks, "R4", "{who} is taken: choose another.", who=taken)
    picks = (*state.picks[:at], action.character, *state.picks[at + 1 :])
    require("" in picks or "kirito" in picks, "R2", "Somebody must be Kirito.")
    state = replace(state, picks=picks)
    return state if "" in picks else start(state)


def turned_up(state: State, card: str) -> State:
    """A scenario is revealed, or an item found (R6, R12, R39)."""
    cards = state.cards
    if state.phase == "reveal":
        known = card in cards.section(state.section)
        require(known, "R6", "That is no card of this section.")
        return revealed(state, card)
    require(card in state.deck, "R7", "That item is not in the deck.")
    at = state.deck.index(card)
    state = replace(state, deck=state.deck[:at] + state.deck[at + 1 :])
    if cards.items[card].equipment:
        return replace(state, phase="give", editing=(card, ""))
    return packing(replace(state, kit=(*state.kit, Owned(card))))


def packing(state: State) -> State:
    """Equipment may change hands before the party moves on."""
    return replace(state, phase="pack") if movable(state) else onward(state)


def movable(state: State) -> tuple[str, ...]:
    """Equipment that has not changed hands in this clearing."""
    return tuple(o.item for o in state.kit if o.holder >= 0 and o.item not in state.moved)


def give(state: State, action: Give) -> State:
    """Found equipment gets its owner, or owned equipment a new one (R40)."""
    known = 0 <= action.who < len(state.heroes)
    require(known, "R40", "There is no such character.")
    mine = action.seat == state.seat(state.turn)
    if state.phase == "give":
        require(mine, "R40", "Only {who} names the owner.", who=name(state, state.turn))
        require(action.item == state.editing[0], "R40", "Name an owner for what was found.")
        kit = (*state.kit, Owned(action.item, action.who))
        moved = (*state.moved, action.item)
        return packing(replace(state, kit=kit, moved=moved, editing=("", "")))
    require(
        action.item in movable(state), "R40", "Choose a worn item that was not handed over yet."
    )
    at = next(i for i, o in enumerate(state.kit) if o.item == action.item and o.holder >= 0)
    holder = state.kit[at].holder
    theirs = action.seat == state.seat(holder)
    may = theirs or (mine and state.options.gear == "either")
    require(may, "H6", "{who} holds it and says who gets it.", who=name(state, holder))
    require(holder != action.who, "R40", "{who} has it already.", who=name(state, holder))
    kit = (*state.kit[:at], Owned(action.item, action.who), *state.kit[at + 1 :])
    return packing(replace(state, kit=kit, moved=(*state.moved, action.item)))


def go_on(state: State, action: Onward) -> State:
    """Enough of the loot."""
    _turn_seat(state, action.seat, "R46")
    return onward(state)


def chain(state: State, action: Chain, should: Should) -> State:
    """The partner of this turn (R15)."""
    _turn_seat(state, action.seat, "R15")
    known = action.who in state.living() and action.who != state.turn
    require(known, "R15", "Choose somebody else who stands.")
    tired = state.heroes[action.who].exhausted and not state.last
    should(
        not tired, "R15", "{who} is exhausted: chain somebody else.", who=name(state, action.who)
    )
    return laid_out(replace(state, partner=action.who))


def consume(state: State, action: Consume, should: Should) -> State:
    """A consumable helps a character and is gone (R41, R76)."""
    at = next((i for i, o in enumerate(state.kit) if o.item == action.item and o.holder < 0), -1)
    require(at >= 0, "R41", "The party has no such item.")
    item, who = state.cards.items[action.item], action.who
    revives = item.effect == "revive"
    times, rule = (("fallen",), "H3") if revives else (MEALTIMES, "R41")
    if revives:
        require(state.phase in times, rule, "Use {item} when somebody falls.", item=Text(item.name))
    in_turn = state.phase in times
    require(in_turn, "H10", "Use {item} in a turn, before the counterattack.", item=Text(item.name))
    should(state.now.consumables, "R76", "This step forbids consumables.")
    require(0 <= who < len(state.heroes), rule, "There is no such character.")
    require(who in state.living(), rule, "{who} is dead.", who=name(state, who))
    one, top, most = state.heroes[who], state.top(who), state.most()
    after = replace(state, kit=state.kit[:at] + state.kit[at + 1 :])
    if revives:
        require(one.hp == 0, rule, "{who} stands: it is for one who fell.", who=name(state, who))
        return after_hits(hero(after, who, hp=min(top, max(1, item.amount))), state.then)
    if item.effect == "heal":
        require(
            one.hp < top, "R41", "{who} is unhurt: {hp} of {top} HP.",
            who=name(state, who), hp=one.hp, top=top,
        )  # fmt: skip
        after = hero(after, who, hp=min(top, one.hp + item.amount))
        return next_ask(after) if state.phase == "effect" else after  # is anybody left to heal?
    require(
        one.uses < most, "R41", "{who} has all uses left: {n} of {most}.",
        who=name(state, who), n=one.uses, most=most,
    )  # fmt: skip
    return hero(after, who, uses=min(most, one.uses + item.amount))


def finish(state: State, action: Finish) -> State:
    """The skills chosen one by one are all."""
    _turn_seat(state, action.seat, "R25")
    return struck(state, state.spent)


def target(state: State, action: Target) -> State:
    """Healing or an addition token goes to somebody (R65 to R70)."""
    kind, amount = state.asks[0]
    rule = "R70" if kind == "heal" else "R69"
    _turn_seat(state, action.seat, rule)
    if kind == "heal":
        require(action.who in targets(state), rule, "Choose somebody who is hurt.")
    else:
        require(action.who in targets(state), rule, "Give the token to another character.")
    state = replace(state, asks=state.asks[1:])
    if kind == "heal":
        healed_hp = min(state.top(action.who), state.heroes[action.who].hp + amount)
        return next_ask(hero(state, action.who, hp=healed_hp))
    tokens = tuple(
        Token(t.owner, kind, action.who) if t.owner == state.turn else t for t in state.tokens
    )
    return next_ask(replace(state, tokens=tokens))


def forgo(state: State, action: Forgo) -> State:
    """Do without what was offered."""
    _turn_seat(state, action.seat, forgone(state, action))
    match state.phase:
        case "effect":
            return next_ask(replace(state, asks=state.asks[1:]))
        case "counter":
            return counterattack(state)
        case _:
            return buried(state)


def yui(state: State, action: Yui) -> State:
    """Yui cancels the whole counterattack; the enemy takes its own damage (H2)."""
    _turn_seat(state, action.seat, "H2")
    require(state.yui > 0, "H2", "Yui has helped already.")
    damage = state.damage + state.turned_back()
    state = replace(state, yui=state.yui - 1, damage=damage)
    return over(state, "won") if state.last and state.damage >= state.now.hp else resolve(state)


def correctable(state: State) -> Iterator[tuple[str, str]]:
    """The values that may be compared with the printed cards now, unless they are sure."""
    if state.phase == "check":
        keys = _checked(state)
    elif state.phase == "dice":
        blue = [die for die in state.dice if die.of >= 0]
        keys = [(state.picks[die.of], f"face.{die.face}") for die in blue]
    else:
        return
    for key in dict.fromkeys(keys):
        known = state.cards.values.get(key)
        if known is None or known.source not in SURE:
            yield key


def _checked(state: State) -> list[tuple[str, str]]:
    """The open scenario, what the characters can do at this level, and what the party has."""
    level, scene = LEVELS[state.level], state.scenario
    keys = [(scene, "main"), (scene, "support"), (scene, "hurts"), (scene, "bleeds")]
    parts = ("hp", "damage", "defense", "aoe", "rerolls", "abilities", "consumables")
    for n in range(1, len(state.scene.steps) + 1):
        keys += [(scene, f"step{n}.{part}") for part in parts]
    for key in state.picks:
        keys += [(key, f"hp.{level}"), (key, "ability")]
        for n, skill in enumerate(state.cards.characters[key].skills, start=1):
            if skill.level <= state.level:
                kinds = ("dice", "pattern", "damage", "piercing", "healing", "addition")
                keys += [(key, f"skill{n}.{kind}") for kind in kinds]
    keys += [(owned.item, "amount") for owned in state.kit]
    if state.level == 2:
        keys.append(("yui", "uses"))
    if "silica" in state.picks:
        keys.append(("shield", "absorbs"))
    if state.options.uses != "book":
        keys.append(("uses", f"{level}.{len(state.picks)}"))
    return keys


def correct(state: State, action: Correct) -> State:
    """Open a value that is not sure (H1)."""
    key = (action.card, action.field)
    require(key in correctable(state), "H1", "That value is sure, or not in play now.")
    return replace(state, phase="correct", editing=key, back=state.phase)


def corrected(state: State, action: Corrected) -> State:
    """The owner's word on a printed value; it counts from now on."""
    key = (action.card, action.field)
    require(key == state.editing, "H1", "Another value is open: tell that one first.")
    known = action.value in offered(state.cards, *key)
    require(known, "H1", "{field} cannot be {value}.", field=key[1], value=str(action.value))
    corrections = kept((*state.corrections, (*key, action.value)))
    try:
        cards_of(corrections, deck)
    except BadState as why:
        raise Illegal("H1", text("{why}", why=str(why))) from why
    helped = state.cards.yui - state.yui
    state = replace(state, corrections=corrections, phase=state.back, back="", editing=("", ""))
    if key == ("yui", "uses"):
        state = replace(state, yui=max(0, state.cards.yui - helped))
    return healed(state) if state.phase == "check" else state


def agreed(state: State, _action: Agreed) -> State:
    """The cards are as shown: the battle begins."""
    return begin_turn(state)


def _turn_seat(state: State, seat: int, rule: str) -> None:
    require(
        seat == state.seat(state.turn),
        rule,
        "Only {who} does that now.",
        who=name(state, state.turn),
    )
