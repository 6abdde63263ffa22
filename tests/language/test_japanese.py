"""Japanese as the rulebooks print it: their words, their rules, and no English left on a screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import pytest
from babel.messages.pofile import read_po

from companion.errors import Illegal
from companion.games import GAMES, SHELF
from companion.games.api import Game
from companion.games.hack.cards import shipped as hack_cards
from companion.games.story import outcome
from companion.language import LOCALE, speaker
from companion.memory.timeline import Timeline
from companion.table.lobby import RULES as LOBBY_RULES
from companion.table.menu import page
from companion.words import Name, SeatNo, Text, text
from tests.games.shelf import Moment, tables, walk

JAPANESE = speaker("ja")
NAMES = (text("Red"), text("Blue"))

GLOSSARY = {  # an English word of a game -> what its rulebook calls it
    "sainome": {
        r"\bdraw\b|\bdraws\b": "補充",
        r"\bre-equip": "装備変更|装備を",
        r"\binstants?\b": "手札起動|「手」",
        r"\bcounter\b(?! attack)": "反撃|「反」",
        r"\bitems?\b": "道具",
        r"\bdice\b": "サイコロ|ダイスで|振るのは|何を",
        r"\battach": "装備|セット",
        r"\bto begin\b|\bor begin\b|\bwill begin\b": "先攻権",
        r"\bchooses? first\b": "キャラクター選択権",
        r"\bnormal\b": "通常",
        r"\btext\b": "テキスト",
        r"\baction (?!phase)|\bactions\b": "行動|手札|使用",
        r"\bHP stack\b": "HP山札",
        r"\bacts\b(?!, )": "発動|起動|効果|行動",
        r"\bGuts\b": "根性",
        r"\bturns? back\b": "通常|戻る|猫かぶり|枯渇",
    },
    "hack": {
        r"\bitems?\b": "アイテム",
        r"\bdestiny\b": "運命",
        r"\bportals?\b": "ポータル",
        r"\brewards?\b": "報酬",
        r"\bhidden\b": "伏せ",
        r"\btolerance\b": "耐性",
        r"\bfights?\b(?! now)": "戦",
        r"\bsacrific": "犠牲",
        r"\btext\b": "テキスト",
    },
    "kiriai": {  # printed in English only: one word for each of its own, everywhere
        r"\bstances?\b": "構え",
        r"\bheaven\b": "天",
        r"\bearth\b": "地",
        r"\bapproach": "接近",
        r"\bretreat": "後退",
        r"\bcharge\b": "突進",
        r"\bspecials?\b": "必殺技",
        r"\bspaces?\b": "マス",
        r"\bset aside\b": "脇|伏せ|休",
        r"\bwound": "傷|当てる",
    },
    "sao": {
        r"\bdice\b|\bdie\b": "ダイス|振",
        r"\bskills?\b": "スキル",
        r"\babilit(y|ies)\b": "アビリティ",
        r"\bscenarios?\b(?! at random)": "シナリオ",
        r"\bcounterattack": "反撃",
        r"\bchain": "チェイン",
        r"\bswitch\b": "スイッチ",
        r"\bequipment\b": "装備",
        r"\blevel\b": "レベル",
        r"\btokens?\b": "トークン",
        r"\bexhaust": "疲労",
        r"\breroll|\bthrow again|\bthrown again": "振り直",
    },
    "swordcrafters": {
        r"\bswords?\b(?! are scored)": "剣|二刀流",
        r"\bgems?\b": "宝石",
        r"\bmagic\b": "魔法",
        r"\btiles?\b": "タイル|枚",
        r"\bslices?\b|\bcuts?\b": "切|線|スライス",
        r"\bgroups?\b": "グループ",
        r"\bforge\b": "炉|鍛",
        r"\bguards?\b": "鍔|ガード",
        r"\bruns?\b(?! on)": "連",
        r"\bblanks?\b": "無地|空",
    },
}
FORBIDDEN = {  # words of other games, and slips
    "sainome": ("インスタント", "装備替え", "カウンター", "アイテム", "装着", "付け", "普通",
                "ロールオフ", "ロール", "アクションは", "アクションを", "働", "ガッツ", "スロット"),
    "hack": ("貯蔵", "攻撃者", "ブレードマスター", "道具", "VP"),
}  # fmt: skip
PARTICLE = re.compile(r"[をにでとがはのへも]")
LATIN = re.compile(r"[A-Za-z]+")
ALLOWED = {"HP", "PC", "A", "B"}
"""As the rulebooks print them: hit points, player characters, the decks A and B."""


@cache
def lines_of(game: str) -> dict[str, str]:
    """Every line of the catalogue that this game can say, with its Japanese."""
    with (LOCALE / "ja/LC_MESSAGES/companion.po").open("rb") as source:
        catalogue = read_po(source)
    return {
        str(line.id): str(line.string)
        for line in catalogue
        if line.id and any(f"games/{game}/" in file for file, _ in line.locations)
    }


@pytest.mark.parametrize("game", GLOSSARY)
def test_a_line_uses_the_word_of_the_rulebook(game: str) -> None:
    wrong = [
        (english, japanese, word)
        for english, japanese in lines_of(game).items()
        for term, word in GLOSSARY[game].items()
        if re.search(term, re.sub(r"{\w+}", "", english), re.IGNORECASE)
        and not re.search(word, japanese)
    ]
    assert not wrong, wrong


@pytest.mark.parametrize("game", FORBIDDEN)
def test_no_line_uses_a_word_that_the_game_does_not_know(game: str) -> None:
    lines = lines_of(game)
    assert len(lines) > 200
    found = [(e, j) for e, j in lines.items() if any(word in j for word in FORBIDDEN[game])]
    assert not found, found


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_every_rule_that_can_be_cited_is_read_in_japanese(game: Game[Any]) -> None:
    for rule in (*game.rules, *LOBBY_RULES):
        for said in filter(None, (rule.section, rule.text, rule.left)):
            assert JAPANESE(said) != said, f"{rule.id}: `make catalogues`, then its msgstr"


# -- what is seen on the screens


def texts_in(value: Any) -> Iterator[Text]:
    """Every text within a view, a result, a story."""
    if isinstance(value, Text):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from texts_in(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts_in(getattr(value, field.name))


def told_in(game: Game[Any], options: Any, seed: int) -> Iterator[Text]:
    """Everything that a whole game at random shows or tells to anybody, from the lobby on."""
    for field in fields(options):
        yield from texts_in(tuple(field.metadata.values()))
    last: Any = None
    for state, action in walk(game, 2, options, seed):
        yield game.waiting(state).why
        for viewer in (None, SeatNo(0), SeatNo(1)):
            yield from texts_in(game.view(state, viewer))
            if action is not None:
                yield game.tell(state, action, viewer)
            if last is not None:
                yield from texts_in(outcome(game.story, last.state, last.action, state, viewer))
        yield from texts_in(game.result(state))
        yield from texts_in(game.rulings.counters(state))
        if game.waiting(state).dice is not None:
            line = Timeline(game, (), (state,), 0)
            yield from texts_in(page(("hand",), line, SeatNo(0), "hard"))
        if last is not None:
            try:  # a move of the moment before, which is mostly refused by now
                game.apply(state, last.action)
            except Illegal as refusal:
                yield refusal.why
        last = Moment(state, action)


def printed_names() -> list[str]:
    """What stands in Latin letters on the cards themselves, longest first: Sainome's have none."""
    names = {card.name.show() for card in hack_cards().cards.values()}
    return sorted(names, key=len, reverse=True)


def latin(said: str) -> set[str]:
    """The words in Latin letters that no card and no rulebook prints."""
    for name in printed_names():
        said = said.replace(name, "")
    return set(LATIN.findall(said)) - ALLOWED


def test_english_on_a_japanese_screen_is_noticed() -> None:
    assert latin("ダイス1、black") == {"black"}
    assert latin("Fiend Menhirで得点、HP3、PC") == set()
    shown = text("{name}", name=Name("Armor", "鎧")).show((), JAPANESE)
    assert (shown, latin(shown)) == ("鎧", set())


PLAYED = [
    (game, options, label)
    for game in (GAMES["sainome"], GAMES["hack"])
    for label, _, options in tables(game)
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options"),
    [pytest.param(game, options, id=label) for game, options, label in PLAYED],
)
def test_no_latin_letters_but_printed_names_stand_on_a_japanese_screen(
    game: Game[Any], options: Any
) -> None:
    seen = {one.show(NAMES, JAPANESE) for seed in range(2) for one in told_in(game, options, seed)}
    assert len(seen) > 100
    assert {said: latin(said) for said in seen if latin(said)} == {}


@pytest.mark.slow
@pytest.mark.parametrize("key", ["sainome", "hack"])
def test_a_choice_reads_well_on_a_page_that_takes_the_cards_name_off_it(key: str) -> None:
    """The name stands above its choices there: を伏せる alone is no label."""
    game = GAMES[key]
    labels = {
        choice.label.show(NAMES, JAPANESE).replace(choice.drawn[1].show((), JAPANESE), "", 1)
        for state, _ in walk(game, 2, game.options(), 1)
        for seat in game.waiting(state).seats
        for choice in game.view(state, seat).choices
        if choice.drawn is not None and isinstance(choice.drawn[1], Text)
    }
    assert len(labels) > 5
    assert [label for label in labels if PARTICLE.match(label)] == []
