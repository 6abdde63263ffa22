"""How a battle runs by itself: turns begin, blows land, steps fall, scenarios are cleared."""

from __future__ import annotations

from companion.games.records import replace
from companion.games.sao.assign import Uses
from companion.games.sao.state import SIDES, Hero, State, Thrown, Token, hero, home

ALL_SIDES = tuple(side for sides in SIDES.values() for side in sides)


def start(state: State) -> State:
    """All characters are chosen: lay out the game (R5 to R10, R14)."""
    cards = state.cards
    heroes = tuple(Hero(key, cards.characters[key].hp[0], state.most()) for key in state.picks)
    tokens = tuple(Token(who) for who, key in enumerate(state.picks) if key in SIDES)
    items = tuple(key for key, item in cards.items.items() for _ in range(item.copies))
    state = replace(state, heroes=heroes, tokens=tokens, deck=items, turn=state.kirito())
    return to_reveal(state)


def to_reveal(state: State) -> State:
    """The next scenario is to be turned up; of the final section there is but one (R12)."""
    cards = state.cards.section(state.section)
    state = replace(state, scenario="", step=0, damage=0)
    return revealed(state, cards[0]) if state.section == 3 else replace(state, phase="reveal")


def revealed(state: State, card: str) -> State:
    """A scenario lies open; with cardboard on the table its numbers are compared first."""
    state = replace(state, scenario=card, step=0, damage=0)
    if state.options.cards == "table":
        return replace(state, phase="check")
    return begin_turn(state)


def begin_turn(state: State) -> State:
    """Refresh if need be (R16), then what the scenario does at the start of every turn."""
    state = replace(
        state, partner=-1, dice=(), marks=(), rerolls=0, ring=0, free=(), spent=(),
        switch=False, asks=(), then="",
    )  # fmt: skip
    others = [one for who, one in enumerate(state.heroes) if who != state.turn]
    if len(others) > 1 and not state.last and all(one.exhausted for one in others):
        state = refreshed(state)
    scene = state.scene
    if scene.bleeds:
        state = replace(state, damage=state.damage + scene.bleeds)
        if state.damage >= state.now.hp:
            # Nobody attacked, so nobody is struck back: the step is over at once.
            if state.section == 3 and state.step == 1:
                return over(state, "won")
            state = _next_step(state)
            if state.step == len(scene.steps):
                return _cleared(state)
            if state.last:
                state = enter_last(state)
    if scene.hurts:
        state = hurt(state, state.kirito(), scene.hurts)
    return after_hits(state, "start")


def _chaining(state: State) -> State:
    """Who can be the partner? One or none needs no question (R15, R17, R62)."""
    others = tuple(who for who in state.living() if who != state.turn)
    if not others:
        return laid_out(state)
    if len(others) == 1:
        return laid_out(replace(state, partner=others[0]))
    return replace(state, phase="chain")


def laid_out(state: State) -> State:
    """The dice of this turn, all in the hands (R19, R54)."""
    main = 4 if state.last else state.scene.main
    dice = [Thrown("black", state.turn)] * main
    if state.last and state.blue:
        dice.append(Thrown("blue", state.turn, of=state.turn))
    by = state.turn if state.partner < 0 else state.partner
    dice += [Thrown("white", by)] * state.scene.support
    return replace(state, dice=tuple(dice), phase="lay" if state.partner < 0 else "roll")


def refreshed(state: State) -> State:
    """Nobody is exhausted any more."""
    return replace(state, heroes=tuple(replace(one, exhausted=False) for one in state.heroes))


def enter_last(state: State) -> State:
    """The second step of the final battle begins: refresh, tokens home, Kirito's turn (R52)."""
    state = home(refreshed(state), range(len(state.heroes)), ALL_SIDES)
    return replace(state, turn=state.kirito())


def struck(state: State, uses: Uses) -> State:
    """Dice are spent on these skills, the others stay (R29): damage, effects, the counterattack."""
    skills = state.card(state.turn).skills
    damage = state.blow(uses)
    asks: list[tuple[str, int]] = []
    for number, _ in uses:
        if skills[number].healing:
            asks.append(("heal", skills[number].healing))
        if skills[number].addition:
            asks.append((skills[number].addition, 0))
    state = replace(state, spent=uses, marks=(), damage=state.damage + damage, asks=tuple(asks))
    if state.last and state.damage >= state.now.hp:
        return over(state, "won")  # R56
    return next_ask(replace(state, switch=not state.unspent() and not state.last))  # R57


def targets(state: State) -> tuple[int, ...]:
    """Whom the next effect may go to."""
    return state.takers(state.asks[0][0]) if state.asks else ()


def next_ask(state: State) -> State:
    """The next effect that can be used wants a target; then comes the counterattack."""
    while state.asks and not targets(state):
        state = replace(state, asks=state.asks[1:])
    return replace(state, phase="effect") if state.asks else counter(state)


def counter(state: State) -> State:
    """The enemy, beaten or not (R33), strikes back unless there was a switch (R30, R31); or Yui."""
    if state.switch or not state.now.damage:
        return resolve(state)
    return replace(state, phase="counter") if state.yui else counterattack(state)


def counterattack(state: State) -> State:
    """The counterattack lands."""
    for who in state.victims():
        state = hurt(state, who, state.now.damage)
    return after_hits(state, "resolve")


def hurt(state: State, who: int, amount: int) -> State:
    """Damage to a character: the coat first, then the shield (R66, R78, H12)."""
    amount = max(0, amount - state.worn("armour", who))
    if amount and state.holds("shield", who):
        amount = max(0, amount - state.cards.shield)
        state = home(state, (who,), ("shield",))
    return hero(state, who, hp=max(0, state.heroes[who].hp - amount))


def after_hits(state: State, then: str) -> State:
    """Has anybody fallen? A revival item may save one; else it is over (R50, R60)."""
    state = replace(state, then=then)
    if state.fallen():
        return replace(state, phase="fallen") if state.relic() else buried(state)
    return _chaining(state) if then == "start" else resolve(state)


def buried(state: State) -> State:
    """The fallen stay down: the end, but for a partner in the last step."""
    gone = state.fallen()
    if not state.last or state.kirito() in gone:
        return over(state, "lost")
    for who in gone:
        state = hero(state, who, dead=True, exhausted=False)
    return after_hits(state, state.then)


def resolve(state: State) -> State:
    """Is the step beaten? Excess damage is lost (R34, R35)."""
    if state.damage < state.now.hp:
        return end_turn(state)
    if state.last:
        return over(state, "won")
    state = _next_step(state)
    if state.step == len(state.scene.steps):
        return _cleared(state)
    return end_turn(state, fresh=state.last)


def _next_step(state: State) -> State:
    """Steps are beaten in order (R13)."""
    return replace(state, damage=0, step=state.step + 1)


def end_turn(state: State, fresh: bool = False) -> State:
    """Tokens that counted go home, the turn player tires (R38), the partner is next (R37)."""
    state = home(state, (state.turn,), ("+2", "x2", "control"))
    if fresh:
        state = enter_last(state)
    elif not state.last:  # R53: there Kirito has every turn
        if len(state.heroes) > 2:
            state = hero(state, state.turn, exhausted=True)
        state = replace(state, turn=state.partner)
    return begin_turn(state)


def _cleared(state: State) -> State:
    """The scenario is beaten: there is loot (R36, R39)."""
    state = replace(state, step=len(state.scene.steps) - 1, damage=state.scene.steps[-1].hp)
    return replace(state, phase="loot", dice=(), marks=(), spent=(), asks=(), free=(), moved=())


def onward(state: State) -> State:
    """Level up, heal, and on to the next scenario (R42 to R46)."""
    level = min(2, state.section + 1)
    yui = state.cards.yui if state.section == 1 else state.yui
    first = state.turn if state.partner < 0 else state.partner
    state = replace(state, level=level, yui=yui, turn=first, partner=-1, free=(), moved=())
    state = home(state, range(len(state.heroes)), ALL_SIDES)
    state = replace(state, section=state.section + 1)
    return to_reveal(healed(state))


def healed(state: State) -> State:
    """Everybody unhurt, refreshed, with all uses."""
    heroes = (Hero(one.key, state.top(who), state.most()) for who, one in enumerate(state.heroes))
    return replace(state, heroes=tuple(heroes))


def over(state: State, outcome: str) -> State:
    """Won or lost."""
    return replace(state, phase="over", outcome=outcome, marks=(), asks=(), then="")
