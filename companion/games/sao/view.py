"""What the glass shows: the enemy, the dice, everybody's HP, and what the table waits for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from companion.games.cardfile import SOURCE_NAMES
from companion.games.sao.kinds import EQUIPMENT
from companion.games.sao.offers import offers
from companion.games.sao.phrases import (
    SECTION_NAMES,
    SIDE_NAMES,
    card_name,
    effects,
    field_name,
    joined,
    power_name,
    printed,
    shown_as,
    skill_note,
    value_name,
)
from companion.games.sao.state import State, name
from companion.views import BLANK, Cards, Dice, Face, Line, Meter, Part, View
from companion.words import Seat, SeatNo, Text, text


def view(state: State, seat: SeatNo | None) -> View:
    """Nothing is hidden here: seats differ in what they may press, and in whose HP comes first."""
    parts = tuple(_parts(state, seat))
    offered = [] if seat is None else list(offers(state, seat))
    choices = tuple(sorted(offered, key=lambda choice: bool(choice.barred)))  # barred ones last
    brief = () if seat is not None else tuple(_brief(state))
    return View(_title(state), waits_for(state), parts, choices, brief, seat)


def waits_for(state: State) -> Text:
    """Whose move it is and what the table waits for."""
    if state.outcome == "won":
        return text("Won! Aincrad is cleared.")
    if state.outcome == "lost":
        return text("Lost. Somebody fell.")
    if state.phase == "choose":
        return text("Choose characters")
    who = name(state, state.turn)
    match state.phase:
        case "reveal":
            return text("Turn up the next scenario")
        case "check":
            return text("Compare the printed cards")
        case "correct":
            return text("What does the card say?")
        case "chain":
            return text("{who}: chain with whom?", who=who)
        case "lay":
            return text("{who} lays support dice", who=who)
        case "roll":
            return _throw(state)
        case "dice":
            shared, ring = state.throws()
            if not shared and ring < 0:
                return text("{who}: strike", who=who)
            return text("{who}: strike or throw", who=who)
        case "skills":
            return text("{who}: sword skills", who=who)
        case "effect":
            kind, amount = state.asks[0]
            if kind == "heal":
                return text("{who}: heal {n}, whom?", who=who, n=amount)
            return text("{who}: who gets token {side}?", who=who, side=SIDE_NAMES[kind])
        case "counter":
            return text("Counterattack {n}: Yui?", n=state.now.damage)
        case "fallen":
            return text("{who} falls! Revive?", who=name(state, state.fallen()[0]))
        case "loot":
            return text("{who} turns up an item", who=who)
        case "give":
            item = card_name(state.cards, state.editing[0])
            return text("{item}: who gets it?", item=item)
        case _:
            return text("{who}: hand over or go on", who=who)


def _throw(state: State) -> Text:
    """Who throws what."""
    hand = [die for die in state.dice if not die.face]
    main = sum(die.by == state.turn for die in hand)
    support = len(hand) - main
    who = name(state, state.turn)
    if not support:
        return text("{who} throws {n}", who=who, n=main)
    partner = name(state, state.partner)
    if not main:
        return text("{who} throws {n}", who=partner, n=support)
    return text("{who} throws {n}, {other} {m}", who=who, n=main, other=partner, m=support)


def _title(state: State) -> Text:
    if not state.heroes:
        return text("Sword of Fellows")
    section = SECTION_NAMES[state.section]
    if not state.scenario:
        return section
    if len(state.scene.steps) == 1:
        return text("{section} scenario", section=section)
    return text("{section}, step {n}", section=section, n=state.step + 1)


def _parts(state: State, seat: int | None) -> Iterator[Part]:
    if not state.heroes:
        for at, pick in enumerate(state.picks):
            if pick:
                yield Line(text("{seat}: {who}", seat=Seat(state.seat(at)),
                                who=card_name(state.cards, pick)))  # fmt: skip
        return
    yield from _fight(state)
    order = sorted(range(len(state.heroes)), key=lambda who: state.seat(who) != seat)
    yield from _hp(state, order)
    yield from _tired(state, order)
    yield Cards(text("Ability uses"), tuple((name(state, who), _uses(state, who)) for who in order))
    yield from _carried(state)
    for who in order:
        if state.seat(who) == seat:
            yield from _own_card(state, who)


def _fight(state: State) -> Iterator[Part]:
    """What is compared, thrown and fought now."""
    if state.phase == "correct":
        yield from _compared(state)
    if state.dice:
        yield Dice(_faces(state), _throws_left(state))
    if state.scenario:
        yield from _enemy(state)


def _brief(state: State) -> Iterator[Part]:
    """For the table's small display: dice, enemy, everybody's HP; cards lie on the table."""
    if not state.heroes:
        return
    yield from _fight(state)
    yield from _hp(state, range(len(state.heroes)))
    yield from _tired(state, range(len(state.heroes)))
    yield from _tokens(state)


def _hp(state: State, order: Iterable[int]) -> Iterator[Meter]:
    for who in order:
        yield _bar(state, who)


def _tired(state: State, order: Iterable[int]) -> Iterator[Line]:
    tired = [name(state, who) for who in order if state.heroes[who].exhausted]
    if tired:
        yield Line(text("Exhausted: {who}", who=joined(tired)))


def _own_card(state: State, who: int) -> Iterator[Part]:
    """What is printed on one's own character, as far as the level goes; alone, of both by name."""
    card = state.card(who)
    said = [
        text("{skill}: {what}", skill=Text(skill.name), what=skill_note(skill))
        for skill in card.skills
        if skill.level <= state.level
    ]
    said.append(text("Ability: {what}", what=power_name(card.power)))
    for line in said:
        alone = text("{who}, {what}", who=name(state, who), what=line)
        yield Line(alone if state.seats == 1 else line)


def _bar(state: State, who: int) -> Meter:
    """A character's HP: dead, tired, on turn, partner; a glass has room for a sign of it."""
    one, called = state.heroes[who], name(state, who)
    label, words = called, BLANK
    if one.dead:
        label, words = text("x {who}", who=called), text("{who}, dead", who=called)
    elif one.exhausted:
        label, words = text("z {who}", who=called), text("{who}, tired", who=called)
    elif who == state.turn:
        label, words = text("> {who}", who=called), text("{who}, on turn", who=called)
    elif who == state.partner:
        label, words = text("+ {who}", who=called), text("{who}, partner", who=called)
    return Meter(label, one.hp, state.top(who), f"hp{who}", words)


def _uses(state: State, who: int) -> Text:
    one = state.heroes[who]
    if one.dead:
        return text("dead")
    return text("{n} of {most}", n=one.uses, most=state.most())


def _throws_left(state: State) -> Text:
    """How often the pair may still throw, once the dice lie."""
    if state.phase != "dice":
        return BLANK
    left, ring = state.throws()
    if ring >= 0:
        return text("Ring: {who} throws", who=name(state, ring))
    return text("1 throw left") if left == 1 else text("{n} throws left", n=left)


def _enemy(state: State) -> Iterator[Part]:
    scene, now = state.scene, state.now
    title = Text(now.name) if now.name else Text(scene.name)
    yield Meter(title, max(0, now.hp - state.damage), now.hp, "enemy")
    yield Line(text("Step {n} of {m}", n=state.step + 1, m=len(scene.steps)))
    yield Line(effects(now))
    if scene.hurts:
        yield Line(text("Each turn Kirito takes {n}", n=scene.hurts))
    if scene.bleeds:
        yield Line(text("Each turn the enemy loses {n}", n=scene.bleeds))
    if state.cards.house(scene.key):
        yield Line(text("House card: not the printed numbers"))


def _faces(state: State) -> tuple[Face, ...]:
    """Dice with a finger on them (or in the hand) are thrown, the others kept.

    A blue die shows what its face counts as: a value, or a sign for several.
    """
    first = all(die.fresh for die in state.dice) and not state.marks and state.phase != "roll"
    faces = []
    for at, die in enumerate(state.dice):
        loose = not die.face or (at in state.marks if state.marks else die.fresh)
        if state.phase == "roll":
            loose = not die.face
        values = state.values(die) if die.face else (0,)
        sign = "" if len(values) == 1 else shown_as(values)
        mark: Literal["", "kept", "thrown"] = "" if first else "thrown" if loose else "kept"
        faces.append(Face(die.body, values[0], mark, sign))
    return tuple(faces)


def _tokens(state: State) -> Iterator[Line]:
    for token in state.tokens:
        if token.holder >= 0:
            yield Line(text("{who} has token {side}", who=name(state, token.holder),
                            side=SIDE_NAMES[token.side]))  # fmt: skip


def _carried(state: State) -> Iterator[Part]:
    yield from _tokens(state)
    items = state.cards.items
    kit = []
    for owned in state.kit:
        ready = items[owned.item].effect not in EQUIPMENT
        note = text("for anybody") if ready else name(state, owned.holder)
        kit.append((Text(items[owned.item].name), note))
    if state.yui:
        kit.append((card_name(state.cards, "yui"), text("ready")))
    if kit:
        yield Cards(text("Items"), tuple(kit))
    beside = ["yui"] if state.yui else []
    if any(token.side == "shield" for token in state.tokens):
        beside.append("shield")
    house = [k for k in (*state.picks, *beside) if state.cards.house(k)]
    if house:
        cards = joined(card_name(state.cards, key) for key in house)
        yield Line(text("Partly house values: {cards}", cards=cards))


def _compared(state: State) -> Iterator[Part]:
    card, field = state.editing
    value = printed(state.cards, card, field)
    yield Line(card_name(state.cards, card), big=True)
    shown = value_name(state.cards, card, field, value.value)
    yield Line(text("{field}: {value}", field=field_name(field), value=shown))
    yield Line(SOURCE_NAMES[value.source])
