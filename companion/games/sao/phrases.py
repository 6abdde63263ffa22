"""Short texts that views, advice and the log share: dice, plans, effects, fields of cards."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.cardfile import Value
from companion.games.sao.assign import Plan
from companion.games.sao.kinds import Cards, Power, Skill, Step
from companion.games.sao.state import State, name
from companion.words import Text, text

SECTION_NAMES = (text("Lower"), text("Middle"), text("Upper"), text("Final"))
BODY_NAMES = {"black": text("black"), "white": text("white"), "blue": text("blue")}
SIDE_NAMES = {
    "+2": text("+2"),
    "x2": text("x2"),
    "shield": text("shield"),
    "control": text("die control"),
}
SOURCE_NAMES = {
    "rulebook": text("rulebook"),
    "faq": text("FAQ"),
    "fan": text("not checked"),
    "house": text("house value"),
    "owner": text("printed card"),
}


def joined(texts: Iterable[Text]) -> Text:
    """Several texts in a row."""
    shown: Text | None = None
    for one in texts:
        shown = one if shown is None else text("{some}, {more}", some=shown, more=one)
    return shown or text("none")


def numbers(values: Iterable[int]) -> Text:
    """Values of dice in a row: `2 2 4`."""
    return text("{values}", values=" ".join(map(str, values)))


def die_name(state: State, at: int) -> Text:
    """A die as one would call it: `black 5`, `Asuna's 1/2`."""
    die = state.dice[at]
    values = state.values(die) if die.face else ()
    shown = "/".join(map(str, values)) if len(values) < 6 else "*"
    if die.of >= 0:
        return text("{who}'s {value}", who=name(state, die.of), value=shown)
    return text("{body} {value}", body=BODY_NAMES[die.body], value=shown)


def dice_names(state: State, dice: Iterable[int]) -> Text:
    """Some dice by their values only: `2 2 4`, a portrait is a star."""
    pool = state.pool
    shown = ("*" if len(pool[i]) == 6 else "/".join(map(str, pool[i])) for i in dice)
    return text("{values}", values=" ".join(shown))


def leads_to(state: State, plan: Plan) -> Text:
    """What a plan brings after its damage."""
    if plan.complete and not state.last:
        after = text("switch, no counterattack")
    else:
        after = _struck_back(state, plan)
    extra = []
    if plan.healing:
        extra.append(text("heals {n}", n=plan.healing))
    extra += [text("token {side}", side=SIDE_NAMES[side]) for side in plan.additions]
    return joined((after, *extra))


def _struck_back(state: State, plan: Plan) -> Text:
    hurt = state.now.damage
    if not plan.left:
        return text("counterattack {hurt}", hurt=hurt)
    unused = dice_names(state, plan.left)
    if state.now.aoe:
        return text("{unused} unused: counterattack {hurt} to all", unused=unused, hurt=hurt)
    who = name(state, state.victims()[0])
    return text("{unused} unused: counterattack {hurt} to {who}", unused=unused, hurt=hurt, who=who)


def effects(step: Step) -> Text:
    """What makes this step special."""
    found = [text("Damage {n}", n=step.damage)]
    if step.aoe:
        found.append(text("AoE"))
    if step.defense:
        found.append(text("Defense {n}", n=step.defense))
    if step.rerolls == 1:
        found.append(text("Reroll -1"))
    if step.rerolls == 0:
        found.append(text("No reroll"))
    if not step.abilities:
        found.append(text("No abilities"))
    if not step.consumables:
        found.append(text("No consumables"))
    return joined(found)


_FIELDS = {
    "hp": text("HP"),
    "damage": text("damage"),
    "defense": text("Defense"),
    "aoe": text("AoE"),
    "rerolls": text("throws again"),
    "abilities": text("abilities"),
    "consumables": text("consumables"),
    "pattern": text("dice"),
    "piercing": text("Piercing"),
    "healing": text("Healing"),
    "addition": text("token"),
    "main": text("black dice"),
    "support": text("white dice"),
    "hurts": text("hurts Kirito"),
    "bleeds": text("own loss"),
    "ability": text("ability"),
}


def field_name(field: str) -> Text:
    """A field of a card: `step 1 HP`, `skill 3 damage`, `face 2`."""
    first, _, second = field.partition(".")
    if not second:
        return _FIELDS.get(first, text("{field}", field=first))
    if first == "hp":
        return text("HP")
    if first == "face":
        return text("face {n}", n=second)
    part = _FIELDS.get(second, text("{field}", field=second))
    if first.startswith("step"):
        return text("step {n} {part}", n=first[4:], part=part)
    if first.startswith("skill"):
        return text("skill {n} {part}", n=first[5:], part=part)
    return text("uses")


def card_name(cards: Cards, card: str) -> Text:
    """The name on a card."""
    value = cards.values.get((card, "name"))
    return Text(str(value.value)) if value else text("{card}", card=card)


def printed(cards: Cards, card: str, field: str) -> Value:
    """A value as it stands, or what its absence means."""
    absent: dict[str, int | str] = {"rerolls": 2, "abilities": 1, "consumables": 1, "addition": "-"}
    default = Value(absent.get(field.partition(".")[2], 0), "fan")
    return cards.values.get((card, field), default)


def pattern_name(pattern: str) -> Text:
    """What dice a skill asks for, in words."""
    word, _, rest = pattern.partition(" ")
    match word:
        case "same":
            return text("all alike")
        case "run":
            return text("a run")
        case "different":
            return text("all different")
        case "from":
            return text("only {values}", values=rest)
        case "sets":
            return text("alike in {sizes}", sizes=rest.replace(" ", "+"))
        case "sum" if rest.startswith(">="):
            return text("sum {n} or more", n=rest[3:])
        case "sum":
            return text("sum {n} or less", n=rest[3:])
        case _:
            return text("{values}", values=rest)


def power_name(power: Power) -> Text:
    """What an ability does, in words."""
    match power.kind:
        case "flip":
            return text("turn over up to {n} dice", n=power.dice)
        case "shift":
            return text("all dice of a value +1 or -1")
        case "restore":
            return text("another regains an ability")
        case _:
            to = "/".join(map(str, power.to))
            return text("set up to {n} dice to {to}", n=power.dice, to=to)


def skill_note(skill: Skill) -> Text:
    """A sword skill in one line: `2 dice all alike: 4 damage`."""
    shown = text("{n} dice {what}: {damage} damage", n=skill.dice,
                 what=pattern_name(skill.pattern), damage=skill.damage)  # fmt: skip
    extra = []
    if skill.piercing:
        extra.append(text("Piercing {n}", n=skill.piercing))
    if skill.healing:
        extra.append(text("heals {n}", n=skill.healing))
    if skill.addition:
        extra.append(text("token {side}", side=SIDE_NAMES[skill.addition]))
    return joined((shown, *extra))
