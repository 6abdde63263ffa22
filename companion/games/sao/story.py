"""What came of a move: the blow, what struck back, the step that fell, what was won or learnt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.sao import actions as do
from companion.games.sao.course import hurt
from companion.games.sao.ledger import counters
from companion.games.sao.phrases import SECTION_NAMES, SIDE_NAMES, card_name, joined
from companion.games.sao.state import State, hero, name
from companion.games.story import Fact
from companion.views import BLANK, Beat
from companion.words import SeatNo, Text, text

BATTLE = ("dice", "skills", "effect", "counter")
ENDS = (do.Strike, do.Finish, do.Target, do.Forgo, do.Yui)  # what may end a turn
LEVEL = (1, 50, 80)
QUIET = ("uses", "tired", "rerolls", "turn", "partner")


def facts(state: State, _viewer: SeatNo | None) -> Iterator[Fact]:
    """Every number on the table, whose turn it is, who has what; nothing is secret here."""
    if not state.heroes:
        return
    where = {fact.key: fact for fact in _where(state)}
    for counter in counters(state):
        if counter.key not in where:
            kind = counter.key.rstrip("0123456789")
            where[counter.key] = Fact(counter.key, counter.label, counter.value, kind not in QUIET)
    yield from where.values()


def _where(state: State) -> Iterator[Fact]:
    scene = Text(state.scene.name) if state.scenario else BLANK
    yield Fact("section", text("Section"), SECTION_NAMES[state.section])
    yield Fact("scenario", text("Scenario"), scene)
    yield Fact("level", text("Level"), LEVEL[state.level], 2)
    yield Fact("turn", text("Turn"), name(state, state.turn), 0)
    partner = name(state, state.partner) if state.partner >= 0 else text("none")
    yield Fact("partner", text("Partner"), partner, 0)
    if state.scenario:
        yield Fact("step", text("Step of the scenario"), state.step + 1)
        left = max(0, state.now.hp - state.damage)
        yield Fact("enemy", text("{enemy} HP", enemy=_enemy(state)), left)
    for who, one in enumerate(state.heroes):
        yield Fact(f"hp{who}", text("{who} HP", who=name(state, who)), one.hp)
        stands = text("exhausted") if one.exhausted else text("ready")
        yield Fact(f"tired{who}", name(state, who), stands, 0)
    for at, token in enumerate(state.tokens):
        for who in range(len(state.heroes)):
            side = SIDE_NAMES[token.side] if token.holder == who else text("none")
            label = text("{owner}'s token: {who}", owner=name(state, token.owner),
                         who=name(state, who))  # fmt: skip
            yield Fact(f"token{at}{who}", label, side, int(token.holder == who))
    owned = (text("{item} ({who})", item=card_name(state.cards, one.item),
                  who=name(state, one.holder) if one.holder >= 0 else text("for anybody"))
             for one in state.kit)  # fmt: skip
    yield Fact("kit", text("Items"), joined(owned))


def beats(before: State, action: Any, after: State, _viewer: SeatNo | None) -> Iterator[Beat]:
    """In the order of the table: blow, effect, counterattack, what fell, the next turn."""
    if before.heroes:
        yield from _blow(before, action)
        yield from _ends(before, action, after)
    yield from _moved_on(before, action, after)
    if after.scenario and _fights_on(before, after):
        yield from _each_turn(before, action, after)


def _blow(before: State, action: Any) -> Iterator[Beat]:
    match action:
        case do.Strike(_, uses):
            yield from _hit(before, before.blow(uses), uses != ())
        case do.Finish():
            yield from _hit(before, before.blow(before.spent), before.spent != ())
        case do.Yui():
            said = text("Yui turns it back: {enemy} -{n}", enemy=_enemy(before),
                        n=before.turned_back())  # fmt: skip
            yield Beat(said, ("enemy", "yui"), 2, "H2")
        case do.Target(_, who):
            kind, amount = before.asks[0]
            if kind == "heal":
                hp = min(before.top(who), before.heroes[who].hp + amount)
                yield Beat(_hp(before, who, hp), (f"hp{who}",))
        case do.Consume(_, item, who):
            said = text("{item} for {who}", item=card_name(before.cards, item),
                        who=name(before, who))  # fmt: skip
            yield Beat(said, ("kit",))


def _hit(before: State, damage: int, skills: bool) -> Iterator[Beat]:
    if not skills:
        yield Beat(text("{who} hits nothing", who=name(before, before.turn)), ("enemy",))
        return
    left = max(0, before.now.hp - before.damage - damage)
    said = text("{n} damage: {enemy} {left} of {top}", n=damage, enemy=_enemy(before),
                left=left, top=before.now.hp)  # fmt: skip
    yield Beat(said, ("enemy",), 1 + (not left))


def _ends(before: State, action: Any, after: State) -> Iterator[Beat]:
    """The counterattack or the switch, and who fell."""
    if not isinstance(action, ENDS) or before.phase not in BATTLE or after.phase in BATTLE:
        return
    if _switched(before, action):
        yield Beat(text("Switch! No counterattack."), rule="R30")
    elif not isinstance(action, do.Yui) and after.outcome != "won" and before.now.damage:
        for who in before.victims():
            yield from _struck_back(_before_it(before, action), who)
    for who in range(len(before.heroes)):
        if before.heroes[who].hp and not after.heroes[who].hp:
            yield Beat(text("{who} falls!", who=name(before, who)), (f"hp{who}",), 2)


def _switched(before: State, action: Any) -> bool:
    if before.last:
        return False
    if isinstance(action, do.Strike):
        return len({die for _, dice in action.uses for die in dice}) == len(before.dice)
    return before.switch if before.phase in ("effect", "counter") else not before.unspent()


def _before_it(before: State, action: Any) -> State:
    """Whom the counterattack finds: healed, with the token that he was just given."""
    if isinstance(action, do.Target) and before.asks[0][0] == "heal":
        hp = before.heroes[action.who].hp + before.asks[0][1]
        return hero(before, action.who, hp=min(before.top(action.who), hp))
    return before


def _struck_back(found: State, who: int) -> Iterator[Beat]:
    lost = found.heroes[who].hp - hurt(found, who, found.now.damage).heroes[who].hp
    if lost:
        said = text("Counterattack: {who} -{n}", who=name(found, who), n=lost)
    else:
        said = text("Counterattack: {who} is unhurt", who=name(found, who))
    hit = "R32" if found.now.aoe else "R31"
    yield Beat(said, (f"hp{who}",), rule="H12" if found.holds("shield", who) else hit)


def _moved_on(before: State, action: Any, after: State) -> Iterator[Beat]:
    """What fell, what was found, what was learnt."""
    if after.outcome and not before.outcome:
        won = after.outcome == "won"
        said = text("The final battle is won!") if won else text("The game is lost.")
        yield Beat(said, ("enemy", "step"), 2, "R51" if won else "R50")
    elif after.phase == "loot" and before.phase != "loot":
        said = text("{scene} is cleared!", scene=Text(before.scene.name))
        yield Beat(said, ("enemy", "step", "section"), 2, "R36")
    elif before.scenario == after.scenario and before.step < after.step:
        said = text("Step {n} is beaten. Next: {enemy}, {hp} HP", n=before.step + 1,
                    enemy=_enemy(after), hp=after.now.hp)  # fmt: skip
        yield Beat(said, ("enemy", "step"), 2, "R34")
    if before.heroes and isinstance(action, do.Drawn | do.Told) and before.phase == "loot":
        said = text("Found: {item}", item=card_name(before.cards, action.card))
        yield Beat(said, ("kit",), 2, "R39")
    if isinstance(action, do.Give):
        said = text("{who} gets {item}", who=name(before, action.who),
                    item=card_name(before.cards, action.item))  # fmt: skip
        yield Beat(said, ("kit",), rule="R40" if before.phase == "give" else "H6")
    if after.section > before.section:
        yield from _risen(before, after)
    if after.scenario and not before.scenario:
        said = text("{scene}: {hp} HP, strikes back {n}", scene=Text(after.scene.name),
                    hp=after.now.hp, n=after.now.damage)  # fmt: skip
        yield Beat(said, ("scenario", "enemy", "step"), 2, "R12")


def _risen(before: State, after: State) -> Iterator[Beat]:
    """A new section: the level, full HP, and what everybody can do now."""
    keys = [fact.key for fact in facts(after, None) if fact.key.startswith(("hp", "uses", "tired"))]
    if after.level == before.level:
        said = text("{section}: all are healed", section=SECTION_NAMES[after.section])
        yield Beat(said, ("section", "level", "scenario", *keys), 2, "R44")
        return
    said, rule = text("Level {n}!", n=LEVEL[after.level]), ("", "R42", "R43")[after.level]
    yield Beat(said, ("section", "level", "scenario", *keys), 2, rule)
    by_book = after.options.uses == "book"
    yield Beat(text("Ability uses: {n}", n=after.most()), rule=rule if by_book else "H8")
    for who in range(len(after.heroes)):
        learnt = [
            Text(skill.name) for skill in after.card(who).skills if skill.level == after.level
        ]
        one = text("{who}: HP {hp}", who=name(after, who), hp=after.top(who))
        both = text("{one}, {skill} learnt", one=one, skill=joined(learnt))
        yield Beat(both if learnt else one, (f"hp{who}",), rule=rule)


def _fights_on(before: State, after: State) -> bool:
    """Has a turn begun?"""
    return (before.turn, before.phase) != (after.turn, after.phase) and after.phase in (
        "chain", "lay", "roll", "fallen", "over",
    ) and before.phase not in ("chain", "lay", "roll", "fallen")  # fmt: skip


def _each_turn(before: State, action: Any, after: State) -> Iterator[Beat]:
    """What the scenario does when a turn begins."""
    scene, kirito = after.scene, after.kirito()
    begins = isinstance(action, (*ENDS, do.Agreed, do.Drawn, do.Onward, do.Give))
    if begins and scene.bleeds:
        said = text("{enemy} loses {n} by itself", enemy=_enemy(after), n=scene.bleeds)
        yield Beat(said, ("enemy",))
    lost = max(0, scene.hurts - after.worn("armour", kirito))
    if begins and lost and after.heroes[kirito].hp < before.heroes[kirito].hp:
        said = text("Each turn: Kirito -{n}", n=lost)
        yield Beat(said, (f"hp{kirito}",))


def _hp(state: State, who: int, hp: int) -> Text:
    return text("{who} HP {old} → {new}", who=name(state, who), old=state.heroes[who].hp, new=hp)


def _enemy(state: State) -> Text:
    return Text(state.now.name) if state.now.name else Text(state.scene.name)
