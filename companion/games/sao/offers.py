"""What the buttons mean: the choices of a seat, whole good answers first, barred ones with why."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.cardfile import SOURCE_NAMES
from companion.games.sao import powers
from companion.games.sao.actions import (
    Ability,
    Again,
    Agreed,
    Chain,
    Consume,
    Control,
    Correct,
    Corrected,
    Exchange,
    Finish,
    Forgo,
    Give,
    Lay,
    Mark,
    Onward,
    Play,
    Stand,
    Strike,
    Target,
    Told,
    Trigger,
    Yui,
)
from companion.games.sao.assign import Plan, fits
from companion.games.sao.course import targets
from companion.games.sao.dicework import may_throw
from companion.games.sao.legal import able, legal
from companion.games.sao.party import MEALTIMES, correctable
from companion.games.sao.phrases import (
    card_name,
    dice_names,
    die_name,
    field_name,
    leads_to,
    power_name,
    printed,
    value_name,
)
from companion.games.sao.state import SIDES, State, name
from companion.views import BLANK, Choice
from companion.words import Text, text


def offers(state: State, seat: int) -> Iterator[Choice]:
    """The choices of this seat, those that end the wait first."""
    if state.outcome:
        return
    match state.phase:
        case "dice":
            yield from _dice(state, seat)
        case "skills":
            yield from _skills(state, seat)
        case "chain" if seat == state.seat(state.turn):
            yield from _partners(state, seat)
        case "effect" if seat == state.seat(state.turn):
            for who in targets(state):
                one = state.heroes[who]
                hp = text("{hp} of {top} HP", hp=one.hp, top=state.top(who))
                yield Choice(name(state, who), Target(seat, who), hp)
            yield Choice(text("Nobody"), Forgo(seat))
        case "check":
            yield Choice(text("Cards are right"), Agreed(seat))
            yield from _corrections(state, seat)
        case "correct":
            card, field = state.editing
            sides = ("", *SIDES.get(card, ()))  # nobody can give another's token
            yield from (_plain(state, action) for action in legal(state, seat)
                        if not field.endswith(".addition") or action.value in sides)  # fmt: skip
        case _:
            yield from (_plain(state, action) for action in legal(state, seat)
                        if not isinstance(action, Consume) or state.phase == "fallen")  # fmt: skip
    if state.phase in MEALTIMES:
        yield from _meals(state, seat)
    if state.phase == "dice":
        yield from _corrections(state, seat)


def _plain(state: State, action: object) -> Choice:
    """A choice that needs no more than its name."""
    cards = state.cards
    match action:
        case Play(_, key):
            who = cards.characters[key]
            can = text("{hp} HP; {ability}", hp=who.hp[0], ability=power_name(who.power))
            return Choice(card_name(cards, key), action, can)
        case Told(_, card):
            return Choice(card_name(cards, card), action)
        case Corrected(_, card, field, value):
            same = value == printed(cards, card, field).value
            detail = text("as it is now") if same else BLANK
            return Choice(value_name(cards, card, field, value), action, detail)
        case Lay(_, value):
            return Choice(text("Lay a {value}", value=value), action)
        case Exchange(_, who):
            label = text("{who}'s blue die", who=name(state, who))
            return Choice(label, action, text("instead of a regular one"))
        case Consume(_, item, who):
            label = text("Revive {who}", who=name(state, who))
            return Choice(label, action, card_name(cards, item))
        case Give(_, item, who):
            label = text("To {who}", who=name(state, who))
            return Choice(label, action, card_name(cards, item))
        case Onward():
            return Choice(text("Go on"), action, text("level up, heal, next card"))
        case Yui():
            taken = text("the enemy takes {n} instead", n=state.turned_back())
            return Choice(text("Yui helps"), action, taken)
        case _:
            return Choice(text("Let it be"), action)


def _partners(state: State, seat: int) -> Iterator[Choice]:
    for who in state.living():
        if who != state.turn:
            tired = state.heroes[who].exhausted and not state.last
            yield Choice(
                text("Chain {who}", who=name(state, who)),
                Chain(seat, who),
                text("exhausted") if tired else BLANK,
                "R15" if tired else "",
            )


def _dice(state: State, seat: int) -> Iterator[Choice]:
    """Strike, or pick dice and say what is to become of them."""
    mine = seat == state.seat(state.turn)
    pair = [who for who in state.pair if not state.heroes[who].dead]
    if seat not in {state.seat(who) for who in pair}:
        return
    _, ring = state.throws()
    left = state.left()
    if state.marks:
        yield from _picked(state, seat, pair, left)
    plans = _plans(state)
    if mine:
        yield from (_strike(state, seat, plan) for plan in plans)
    if left and not state.marks:
        free = tuple(i for i in plans[0].left if ring < 0 or state.dice[i].by == ring)
        free = tuple(i for i in free if may_throw(state, seat, (i,)))
        if free:
            yield Choice(text("Throw unused again"), Again(seat, free), dice_names(state, free))
    yield from (_die(state, seat, at) for at in range(len(state.dice)))
    if mine:
        yield Choice(text("Skill by skill"), Stand(seat), text("no more throws"))
    for who in pair:
        if seat == state.seat(who) and state.card(who).power.kind == "restore":
            yield from (_power(state, action) for action in powers.abilities(state, who))


def _die(state: State, seat: int, at: int) -> Choice:
    """Pick a die, or let it lie again by the same press."""
    die = die_name(state, at)
    said = text("Not {die}", die=die) if at in state.marks else text("Pick {die}", die=die)
    return Choice(said, Mark(seat, at), drawn=("die", at))


def _picked(state: State, seat: int, pair: list[int], left: int) -> Iterator[Choice]:
    """What can be done with the dice that are picked."""
    marks = state.marks
    shared, ring = state.throws()
    theirs = ring < 0 or all(state.dice[i].by == ring for i in marks)
    rule = {0: "R74", 1: "R73"}.get(state.now.rerolls, "R20") if not left else "H4"
    if not may_throw(state, seat, marks):
        shared, theirs, rule = 0, False, "H7"
    yield Choice(
        text("Throw {n} again", n=len(marks)),
        Again(seat, marks),
        text("{n} left", n=left),
        "" if shared or (left and theirs) else rule,
    )
    for who in pair:
        power = state.card(who).power
        if seat == state.seat(who) and power.kind != "restore":
            steps = (1, -1) if power.kind == "shift" else power.to or (0,)
            for to in steps:
                action = Ability(seat, who, marks, to)
                if action in powers.abilities(state, who):
                    yield _power(state, action)
    if seat == state.seat(state.turn) and state.holds("control", state.turn) and len(marks) == 1:
        die = state.dice[marks[0]]
        if die.by == state.turn:
            for to in range(1, 7):
                if state.values(die) != (to,):
                    yield Choice(text("Die control: {to}", to=to), Control(seat, marks[0], to))


def _power(state: State, action: Ability) -> Choice:
    """An ability with its uses; out of uses or forbidden, it is barred."""
    who = action.who
    power, one = state.card(who).power, state.heroes[who]
    uses = text("{n} of {most} uses left", n=one.uses, most=state.most())
    if state.gratis(who) and state.now.abilities:
        uses = text("free this turn")
    barred = "" if able(state, who) else "R75" if not state.now.abilities else "R24"
    match power.kind:
        case "restore":
            label = text("Restore {who}", who=name(state, action.to))
        case "flip":
            label = text("Turn over {n}", n=len(action.dice))
        case "shift":
            value = state.dice[action.dice[0]].face
            label = text("All {value} to {to}", value=value, to=value + action.to)
        case _:
            label = text("Set {n} to {to}", n=len(action.dice), to=action.to)
    return Choice(label, action, uses, barred)


def _plans(state: State) -> list[Plan]:
    """The plans that no other beats in what counts now.

    There is no switch in the last step, no token that is given already, no healing of the unhurt.
    """
    kept: list[tuple[Plan, tuple[int, bool, int, set[str]]]] = []
    for plan in state.plans():
        tokens = {side for side in plan.additions if state.takers(side)}
        healing = plan.healing if state.takers("heal") else 0
        worth = (plan.damage, plan.complete and not state.last, healing, tokens)
        if not any(_covers(other, worth) for _, other in kept):
            kept = [one for one in kept if not _covers(worth, one[1])]
            kept.append((plan, worth))
    return [plan for plan, _ in kept]


def _covers(a: tuple[int, bool, int, set[str]], b: tuple[int, bool, int, set[str]]) -> bool:
    return a[0] >= b[0] and a[1] >= b[1] and a[2] >= b[2] and a[3] >= b[3]


def _strike(state: State, seat: int, plan: Plan) -> Choice:
    action = Strike(seat, plan.uses)
    if plan.complete and not state.last:
        return Choice(text("{n} damage, switch", n=plan.damage), action, leads_to(state, plan))
    return Choice(text("{n} damage", n=plan.damage), action, leads_to(state, plan))


def _skills(state: State, seat: int) -> Iterator[Choice]:
    """Pick dice, trigger a skill with them, until enough."""
    if seat not in {state.seat(who) for who in state.pair if not state.heroes[who].dead}:
        return
    mine = seat == state.seat(state.turn)
    pool, marks = state.pool, state.marks
    if mine and marks:
        for number, skill in enumerate(state.card(state.turn).skills):
            if skill.dice == len(marks) and fits(tuple(pool[i] for i in marks), skill.pattern):
                use = (number, marks)
                more = state.blow((*state.spent, use)) - state.blow(state.spent)
                detail = text("{n} damage", n=more)
                barred = "" if skill.level <= state.level else "R25"
                yield Choice(Text(skill.name), Trigger(seat, number, marks), detail, barred)
    if mine and not state.spent:
        yield from (_strike(state, seat, plan) for plan in _plans(state))
    if mine:
        left = dice_names(state, state.unspent())
        yield Choice(text("Finish"), Finish(seat), text("unused: {dice}", dice=left))
    yield from (_die(state, seat, at) for at in state.unspent())


def _meals(state: State, seat: int) -> Iterator[Choice]:
    """Consumables, for whom they help."""
    for key in dict.fromkeys(o.item for o in state.kit if o.holder < 0):
        effect = state.cards.items[key].effect
        for who in state.living():
            one = state.heroes[who]
            hurt, spent = one.hp < state.top(who), one.uses < state.most()
            if (effect == "heal" and hurt) or (effect == "ability" and spent):
                label = text(
                    "{item}: {who}", item=card_name(state.cards, key), who=name(state, who)
                )
                barred = "" if state.now.consumables else "R76"
                yield Choice(label, Consume(seat, key, who), text("is used up"), barred)


def _corrections(state: State, seat: int) -> Iterator[Choice]:
    """Values that are not sure, to be compared with the printed card."""
    for card, field in correctable(state):
        if field.endswith(".addition") and card not in SIDES:
            continue  # no token to give
        value = printed(state.cards, card, field)
        shown = value_name(state.cards, card, field, value.value)
        label = text("{field}: {value}", field=field_name(field), value=shown)
        detail = text("{card}, {source}", card=card_name(state.cards, card),
                      source=SOURCE_NAMES[value.source])  # fmt: skip
        yield Choice(label, Correct(seat, card, field), detail)
