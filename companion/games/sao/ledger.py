"""How a game ended, and the numbers that the table may set by hand, with what follows from them."""

from __future__ import annotations

from companion.errors import BadState
from companion.games.api import Counter, Result, require
from companion.games.records import replace
from companion.games.sao.course import after_hits, next_ask, over, refreshed
from companion.games.sao.legal import partners
from companion.games.sao.state import SIDES, State, Token, hero, name
from companion.words import text


def result(state: State) -> Result | None:
    """All win (R51, R56) or all lose (R50): also who falls as the enemy of a step does (R33)."""
    if state.outcome == "won":
        return Result(tuple(range(state.seats)), text("The final battle is won!"))
    if state.outcome == "lost":
        # in the last step the others' fall alone would not have ended it (R60)
        who = state.kirito() if state.last else state.fallen()[0]
        return Result((), text("{who} fell. The game is lost.", who=name(state, who)))
    return None


def counters(state: State) -> tuple[Counter, ...]:
    """HP, uses, the enemy, throws, tokens: whatever lies on the table as a number."""
    if not state.scenario or state.outcome:
        return ()
    now, heroes = state.now, range(len(state.heroes))
    left = max(0, now.hp - state.damage)
    found = [Counter("enemy", text("Enemy HP"), left, 0, now.hp)]
    for who in heroes:
        one, called = state.heroes[who], name(state, who)
        if not one.dead:
            found.append(Counter(f"hp{who}", text("{who} HP", who=called), one.hp, 1,
                                 state.top(who)))  # fmt: skip
        found.append(Counter(f"uses{who}", text("{who} uses", who=called), one.uses, 0,
                             state.most()))  # fmt: skip
        if len(state.heroes) > 2 and not one.dead:
            found.append(Counter(f"tired{who}", text("{who} exhausted", who=called),
                                 int(one.exhausted), 0, 1))  # fmt: skip
    found.append(Counter("rerolls", text("Throws used"), state.rerolls, 0, 9))
    if state.level == 2:
        found.append(Counter("yui", text("Yui's help"), state.yui, 0, state.cards.yui))
    for n, token in enumerate(state.tokens):
        sides = ("", *SIDES[state.picks[token.owner]])
        for who in heroes:
            if who != token.owner:  # 0: not here, 1 and 2: here, with this side up
                label = text("{owner}'s token: {who}", owner=name(state, token.owner),
                             who=name(state, who))  # fmt: skip
                up = sides.index(token.side) if token.holder == who else 0
                found.append(Counter(f"token{n}{who}", label, up, 0, 2))
    return tuple(found)


def overrule(state: State, key: str, value: int) -> State:
    """The table's word on a number; what follows from it follows."""
    counter = next((c for c in counters(state) if c.key == key), None)
    if counter is None:
        raise BadState(f"there is no counter {key} now")
    require(
        counter.low <= value <= counter.high, "H1", "{what}: {low} to {high}, not {value}.",
        what=counter.label, low=counter.low, high=counter.high, value=value,
    )  # fmt: skip
    ruled = _ruled(state, key, value)
    if ruled.phase == "effect":
        return next_ask(ruled)  # who was to be healed may be well now
    if ruled.phase == "fallen":
        return after_hits(ruled, ruled.then)
    if ruled.phase == "chain" and not partners(ruled):
        return refreshed(ruled)
    return over(ruled, "won") if ruled.last and ruled.damage >= ruled.now.hp else ruled


def _ruled(state: State, key: str, value: int) -> State:
    kind = key.rstrip("0123456789")
    who = int(key[-1]) if key != kind else 0
    match kind:
        case "enemy":
            return replace(state, damage=state.now.hp - value)
        case "hp":
            return hero(state, who, hp=value)
        case "uses":
            return hero(state, who, uses=value)
        case "tired":
            return hero(state, who, exhausted=bool(value))
        case "rerolls":
            return replace(state, rerolls=value)
        case "yui":
            return replace(state, yui=value)
    place = int(key[-2])
    token = state.tokens[place]
    up = Token(token.owner)
    if value:
        up = Token(token.owner, SIDES[state.picks[token.owner]][value - 1], who)
    elif token.holder != who:
        up = token
    return replace(state, tokens=(*state.tokens[:place], up, *state.tokens[place + 1 :]))
