"""Translations: they are found, they are whole, and no text escapes them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract, extract_from_dir
from babel.messages.frontend import parse_keywords
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from companion.language import LOCALE, holes, speaker
from companion.views import BLANK
from companion.words import COLOUR_NAMES, Seat, text

COLOURS = tuple(COLOUR_NAMES.values())
ROOT = Path(__file__).parents[2]
METHODS = [(f"{room}/**.py", "python") for room in ("companion", "hardware", "vision")]
KEYWORDS = parse_keywords(re.findall(r"-k (\S+)", (ROOT / "Makefile").read_text("utf-8")))
TEMPLATE_AT = {"text": 0, "require": 2, "should": 2}  # which argument it is
MEND = "run `make catalogues` and commit what it changes"


def catalogue(folder: Path, language: str, said: dict[str, str]) -> Path:
    """A compiled catalogue as `make catalogues` lays it down."""
    made = Catalog(locale=language)
    for template, translation in said.items():
        made.add(template, translation)
    file = folder / language / "LC_MESSAGES" / "companion.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as sink:
        write_mo(sink, made)
    return folder


def test_a_translated_text_shows_nested_texts_and_seats_in_the_language(tmp_path: Path) -> None:
    pseudo = {
        "{who} plays {card}": "{card} ← {who} ¡plays!",
        "High strike": "Hïgh strïke",
        "Red": "Rëd",
        "Seat {number}": "Sëat {number}",
    }
    say = speaker("eo", catalogue(tmp_path, "eo", pseudo))
    line = text("{who} plays {card}", who=Seat(0), card=text("High strike"))
    assert line.show(COLOURS, say) == "Hïgh strïke ← Rëd ¡plays!"
    assert line.show((), say) == "Hïgh strïke ← Sëat 1 ¡plays!"
    assert line.show(COLOURS) == "Red plays High strike"


def test_a_country_falls_back_on_its_language_and_that_on_english(tmp_path: Path) -> None:
    catalogue(tmp_path, "pt", {"Red": "Vermelho"})
    assert speaker("pt_BR", tmp_path)("Red") == "Vermelho"
    assert speaker("pt_BR", tmp_path)("Blue") == "Blue"
    assert speaker("fi", tmp_path)("Red") == "Red"
    assert speaker("en")("Red") == "Red"


def test_an_empty_text_stays_empty_in_every_language(tmp_path: Path) -> None:
    say = speaker("eo", catalogue(tmp_path, "eo", {"Red": "Ruĝa"}))
    assert BLANK.show((), say) == ""


def test_a_seat_that_is_none_is_not_called_by_anothers_name() -> None:
    assert text("{who}", who=Seat(-1)).show(COLOURS) == "Seat 0"
    assert text("{who}", who=Seat(-1)).show() == "Seat 0"


@pytest.mark.parametrize("wrong", ["{somebody} moves", "moves", "{who moves", "{who} {who!r:>9}"])
def test_a_translation_with_other_holes_is_passed_over(tmp_path: Path, wrong: str) -> None:
    say = speaker("eo", catalogue(tmp_path, "eo", {"{who} moves": wrong}))
    assert text("{who} moves", who=Seat(0)).show(COLOURS, say) == "Red moves"


def test_a_damaged_catalogue_is_passed_over(tmp_path: Path) -> None:
    file = catalogue(tmp_path, "eo", {"Red": "Ruĝa"}) / "eo/LC_MESSAGES/companion.mo"
    whole = file.read_bytes()
    for end in (0, 3, 10, 30, len(whole) - 1):
        file.write_bytes(whole[:end])
        assert speaker("eo", tmp_path)("Blue") == "Blue", end


# -- the committed catalogues


@cache
def extracted() -> set[str]:
    """Every text that Babel finds in the sources."""
    return {
        str(found[2])
        for found in extract_from_dir(ROOT, METHODS, keywords=KEYWORDS)
        if found[0].startswith(("companion/", "hardware/", "vision/"))
    }


def written(file: Path) -> Catalog:
    with file.open("rb") as source:
        return read_po(source)


@pytest.mark.slow
def test_the_committed_template_holds_every_text_of_the_sources() -> None:
    template = {str(message.id) for message in written(LOCALE / "companion.pot") if message.id}
    assert extracted() - template == set(), f"new texts: {MEND}"
    assert template - extracted() == set(), f"texts that are gone: {MEND}"


def untranslated(catalogue: Catalog) -> list[str]:
    """Texts that a reader of this language would see in English."""
    return [str(one.id) for one in catalogue if one.id and (one.fuzzy or not one.string)]


def test_every_text_is_translated() -> None:
    for file in sorted(LOCALE.glob("*/LC_MESSAGES/companion.po")):
        left = untranslated(written(file))
        mend = f"give them a msgstr in {file.relative_to(ROOT)}, then `make catalogues`"
        assert not left, f"{file.parts[-3]} lacks {len(left)}, {left[:5]} …: {mend}"


def test_a_text_without_a_translation_is_seen() -> None:
    catalogue = Catalog(locale="eo")
    catalogue.add("Red", "Ruĝa")
    catalogue.add("Blue")
    catalogue.add("Green", "Verda?", flags=["fuzzy"])
    assert untranslated(catalogue) == ["Blue", "Green"]


def test_every_committed_translation_has_the_holes_of_its_text_and_is_compiled() -> None:
    for file in sorted(LOCALE.glob("*/LC_MESSAGES/companion.po")):
        language = file.parts[-3]
        say = speaker(language)
        for message in written(file):
            if message.id and message.string and not message.fuzzy:
                assert holes(str(message.string)) == holes(str(message.id)), (language, message.id)
                assert say(str(message.id)) == message.string, f"{language}: {MEND}"


ALIKE = {  # short words that several places share, and that mean the same in each
    "A turn", "As printed", "Blank", "Blue", "Board", "Cards", "Character", "Character dice",
    "Done", "Earth", "Finish", "Forge", "Gems", "Go on", "Green", "HP", "House rules", "Kind",
    "Level", "Magic", "Name",
    "Not compared", "Orange", "Played", "Preparing", "Purple", "Red", "Round", "Set-up",
    "Something else", "Standard", "Table companion", "Text", "The eye", "The goal",
    "Turn", "Weapon", "Wounds", "Yellow", "Your hand", "Yui helps",
    "a card", "any", "back", "black", "by companion",
    "easy", "house", "light-blue", "next", "no", "none",
    "normal", "other", "previous", "select", "stale", "white", "yes",
}  # fmt: skip


@pytest.mark.slow
def test_a_word_of_one_place_is_not_translated_as_its_namesake_of_another() -> None:
    """The power of a card is no mains supply: a catalogue has one translation for a text."""
    places: dict[str, set[str]] = {}
    for found in extract_from_dir(ROOT, METHODS, keywords=KEYWORDS):
        game = Path(found[0]).parts[-2] if "games" in Path(found[0]).parts else "the table"
        places.setdefault(str(found[2]), set()).add(game)
    shared = {word for word, where in places.items() if len(where) > 1}
    short = {word for word in shared if len(word.split()) < 3 and "{" not in word}
    assert short - ALIKE == set(), (
        "do they mean the same in each place? If not, choose another word; if so, add it to ALIKE"
    )


# -- the sources


def texts(source: str) -> Iterator[tuple[ast.Call, list[ast.expr]]]:
    """Every call that takes a template, and its arguments from the template on."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = ast.unparse(node.func).removeprefix("words.")
            if name in TEMPLATE_AT:
                yield node, node.args[TEMPLATE_AT[name] :]


def templates(source: str) -> set[str]:
    """Every template that stands in the source as a literal."""
    firsts = {args[0].value for _, args in texts(source) if isinstance(args[0], ast.Constant)}
    return {first for first in firsts if isinstance(first, str)}


def faults(source: str) -> list[str]:
    """What keeps texts from being translated or shown."""
    found = []
    for call, args in texts(source):
        first = args[0] if args else None
        given = {keyword.arg for keyword in call.keywords if keyword.arg}
        unpacked = len(given) < len(call.keywords)  # **values: what is in it cannot be read here
        if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
            found.append(f"line {call.lineno}: the template is no literal")
            continue
        wanted = holes(first.value)
        fits = wanted is not None and (given < wanted if unpacked else given == wanted)
        if len(args) > 1 or not fits or any(not name.isidentifier() for name in wanted or ()):
            found.append(f"line {call.lineno}: holes {wanted}, values {given}")
    return found


@pytest.mark.slow
def test_every_template_stands_as_a_literal_and_its_holes_are_its_values() -> None:
    sources = [*ROOT.glob("companion/**/*.py"), *ROOT.glob("hardware/**/*.py")]
    assert sum(len(list(texts(file.read_text("utf-8")))) for file in sources) > 100
    bad = {str(file.relative_to(ROOT)): faults(file.read_text("utf-8")) for file in sources}
    assert {file: said for file, said in bad.items() if said} == {}


@pytest.mark.parametrize(
    "source",
    [
        "text(name)",
        "text(f'{x} moves', x=1)",
        "text('a' + b)",
        "text('a' if b else 'c')",
        "text()",
        "text('{who} moves')",
        "text('moves', who=1)",
        "text('{who} moves', whom=1)",
        "text('{} moves', who=1)",
        "text('{who:>5} moves', who=1)",
        "text('{who moves', who=1)",
        "text('{who} moves', who=1, **values)",
        "text('{who:>5} moves', **values)",
        "text('moves', **values)",
        "words.text('{who}')",
        "require(x, 'R1', why)",
        "require(x, *not_now)",
        "require(x, 'R1', '{who} waits')",
        "require(x, 'R1', 'Wait', who=1)",
        "should(x, 'R1', text('Wait'))",
    ],
)
def test_the_check_of_the_sources_can_fail(source: str) -> None:
    assert faults(source)
    assert not faults("text('{who} moves ' 'on', who=1); text('plain'); text('{a} {a}', a=2)")
    assert not faults("require(a == 'b', 'R1' if c else 'R2', '{who} waits', who=text('Red'))")


@pytest.mark.slow
def test_babel_finds_every_template_of_the_sources() -> None:
    sources = [*ROOT.glob("companion/**/*.py"), *ROOT.glob("hardware/**/*.py")]
    literal = {one for file in sources for one in templates(file.read_text("utf-8"))}
    mend = "Babel reads no f-string, and no [a, b] before a template"
    assert literal - extracted() == set(), mend


def not_extracted(source: str) -> set[str]:
    """Templates that `make catalogues` would miss."""
    found = extract("python", BytesIO(source.encode()), keywords=KEYWORDS)
    return templates(source) - {str(one[1]) for one in found}


@pytest.mark.parametrize("call", ["text", "words.text", "require", "should"])
def test_a_template_that_has_no_translation_is_noticed(call: str) -> None:
    before = "f(x, [y]) in ('a', *b), 'R1' if c else 'R2', " if "text" not in call else ""
    source = f"{call}({before}'{{who}} waits ' 'here', who=text('Red'))"
    assert templates(source) == {"{who} waits here", "Red"}
    assert not_extracted(source) == set()


def test_a_comma_in_brackets_before_a_template_is_noticed() -> None:
    assert not_extracted("require(x in [1, 2], 'R1', 'Wait')") == {"Wait"}
