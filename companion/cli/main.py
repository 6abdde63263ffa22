"""The command line: what each command does in its own words, errors as one sentence."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table as Rows

from companion import __version__
from companion.cli.journal import journal_of
from companion.errors import BadConfig, BadJournal, BadState, CompanionError, NoRoom
from companion.settings.installed import ETC, games_of, settings_file, settings_of
from companion.words import SeatNo, Translate

if TYPE_CHECKING:  # each command imports what it needs: `companion --help` stays quick
    from companion.games.api import Game, Rule
    from companion.settings.settings import Settings

EX_CONFIG, EX_DATA = 78, 65
VERDICTS = {
    "holds": "The box kept its word.",
    "broken": "This is not the game that the box was bound to.",
    "unverifiable": "It cannot be verified: a game from before the box gave a seed.",
}

app = typer.Typer(
    help="Sits beside a real tabletop: knows the rules, keeps the score, holds your secrets.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
OwnFile = Annotated[
    Path | None,
    typer.Option("--settings", "-s", help="Settings file (TOML); without it, the defaults."),
]
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", "-s", help="Without it, the service's settings or the defaults."),
]
Twin = Annotated[bool, typer.Option("--twin", help="No hardware: simulated panels and displays.")]
Language = Annotated[str, typer.Option(help="In this language, e.g. ja.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say more in the log.")]
out = Console()


@app.command()
def run(
    settings: OwnFile = None,
    twin: Twin = False,
    verbose: Verbose = False,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Of the pages; 0: any that is free.")
    ] = None,
    safe: Annotated[
        bool, typer.Option("--safe", help="Displays and pages only: after a start that failed.")
    ] = False,
    once: Annotated[
        bool, typer.Option("--once", help="Stop as soon as it is ready: does it start at all?")
    ] = False,
) -> None:
    """Run the table: the daemon that systemd starts."""
    import faulthandler
    import os
    import signal
    from contextlib import nullcontext
    from dataclasses import replace

    from companion.care.machine import this_machine
    from companion.daemon.app import serve
    from companion.daemon.limits import Repeats, prepare
    from companion.daemon.safe import last_words, why, without_hardware
    from companion.web.invite import invitation

    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO,
        format="%(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    for handler in logging.getLogger().handlers:
        handler.addFilter(Repeats())
    prepare()
    faulthandler.enable()  # a watchdog's SIGABRT leaves in the log where it hung

    def opened(address: str) -> None:
        if "JOURNAL_STREAM" in os.environ:  # a log wants a line, not a picture
            logging.getLogger(__name__).info("the pages are at http://%s/", address)
        else:
            print(invitation(address, chosen), file=sys.stderr, flush=True)

    def ready() -> None:
        print("ready", flush=True)
        if once:
            os.kill(os.getpid(), signal.SIGTERM)

    if settings is None and not twin and ETC.exists():  # one of root's would leave root's files
        raise BadState(
            "here the companion is a service: sudo systemctl start companion. "
            "For a table beside it: --twin, or --settings FILE"
        )
    if settings is None and not twin and not safe and not this_machine().is_pi:
        raise BadConfig(
            "this is no Raspberry Pi, and no settings were named. "
            "Without hardware: companion run --twin"
        )
    reason = why() if safe else ""
    with nullcontext() if safe else last_words():
        try:
            chosen = settings_of(settings, twin)
        except BadConfig as error:
            if not safe:
                raise
            chosen, reason = settings_of(None, twin), str(error)
        if safe:
            chosen = without_hardware(chosen)
        if port is not None:
            chosen = replace(chosen, web=replace(chosen.web, port=port))
        asyncio.run(serve(chosen, ready, opened, safe=reason))


@app.command()
def glass(
    settings: SettingsFile = None,
    twin: Twin = False,
    plain: Annotated[bool, typer.Option("--plain", help="Words instead of pictures.")] = False,
) -> None:
    """Show panels and displays in the terminal; starts the table with twins if none runs."""
    from companion.cli.glass import watch

    file = settings if twin else settings_file(settings)
    with _window(file, settings_of(file, twin), ["--twin"], "glass.log") as socket:
        asyncio.run(watch(socket, plain))


@app.command()
def calibrate(settings: SettingsFile = None, twin: Twin = False) -> None:
    """Teach the eye its tray, step by step (also in the table's menu)."""
    from companion.cli.answer import answer
    from companion.cli.window import calibrate as lead

    file = settings if twin else settings_file(settings)
    chosen = settings_of(file, twin)
    if chosen.eye.camera == "off":
        raise BadState("this table has no camera: set camera in [eye] of the settings, or --twin")

    async def ask(question: str) -> bool:
        yes_or_no = " [Y/n]" if question.endswith("?") else ""
        return (await answer(question + yes_or_no)).lower() not in ("n", "no")

    with _window(file, chosen, ["--twin"] if twin else [], "calibrate.log") as socket:
        asyncio.run(lead(socket, chosen.eye.camera == "twin", print, ask))


@app.command()
def drill(
    name: Annotated[str, typer.Argument(help="Which; without it, the list.")] = "",
    settings: OwnFile = None,
) -> None:
    """Break something of a running table of twins, see the glass say so, mend it, see it heal."""
    from companion.cli.window import drill as run_drill
    from companion.daemon.drills import DRILLS

    if not name:
        rows = Rows("drill", "what happens")
        for key, one in DRILLS.items():
            rows.add_row(key, one.about)
        out.print(rows)
        return
    state = games_of(settings_of(settings, twin=True))
    asyncio.run(run_drill(state / "window.sock", name, print))


@app.command()
def games(settings: SettingsFile = None) -> None:
    """List the games of this table, running and ended."""
    from companion.games import GAMES
    from companion.memory.records import listed

    journal = journal_of(settings)
    rows = Rows("no.", "game", "seats", "began", "result")
    for record in listed(journal):
        game = GAMES.get(record.key)
        ending = "running" if record.ended is None else "given up"
        if record.result is not None:
            ending = record.result["why"]
        rows.add_row(
            str(record.id),
            game.name.show() if game else record.key,
            ", ".join(seat["name"] for seat in record.seats),
            datetime.fromtimestamp(record.began).strftime("%Y-%m-%d %H:%M"),
            ending,
        )
    out.print(rows if rows.row_count else "No game was played yet.")


@app.command()
def export(
    number: Annotated[int, typer.Argument(help="As `companion games` shows it.")],
    to: Annotated[Path | None, typer.Option("--to", help="File to write; else the screen.")] = None,
    settings: SettingsFile = None,
) -> None:
    """Write a game as JSON lines. Of a running game, what is secret is left out."""
    from companion.games import GAMES
    from companion.memory.records import exported, find

    journal = journal_of(settings)
    text = "".join(row + "\n" for row in exported(journal, find(journal, number), GAMES))
    if to is None:
        sys.stdout.write(text)
    else:
        try:
            to.write_text(text, encoding="utf-8")
        except OSError as error:
            raise NoRoom(f"{to} could not be written: {error.strerror}") from error
        out.print(f"Game {number} is in {to}.")


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="What `companion export` wrote of an ended game.")],
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Work out every seal, deal, companion's move and the result of a game again: did the box keep
    its word?"""
    from companion.bots.shelf import GAMES, players
    from companion.memory.codec import json_line
    from companion.memory.verify import verify as verified
    from companion.table.company import rethink

    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadState(f"{file} cannot be read: {error.strerror}") from error
    report = verified(data, GAMES, rethink(players))
    if as_json:
        print(json_line(report.to_json(lambda text: text.show(report.names))))
    else:
        rows = Rows("entry", "what", "holds", "")
        for check in report.checks:
            rows.add_row(
                str(check.seq or ""), check.what, "yes" if check.holds else "NO",
                check.says.show(report.names), style=None if check.holds else "bold red",
            )  # fmt: skip
        out.print(rows)
        for note in report.notes:
            out.print(note.show(report.names), markup=False, highlight=False)
        out.print(f"Seed code: {report.seed_code or 'none'}", highlight=False)
        out.print(VERDICTS[report.verdict])
    if report.verdict == "broken":
        raise typer.Exit(1)


@app.command()
def replay(
    number: Annotated[int, typer.Argument(help="As `companion games` shows it.")],
    seat: Annotated[int | None, typer.Option(help="Through this seat's eyes, from 1.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each move.")] = False,
    settings: SettingsFile = None,
) -> None:
    """Play a game again on the screen, move by move, as the public or a seat saw it."""
    from companion.games import GAMES
    from companion.memory.records import find, steps
    from companion.plain import plain

    journal = journal_of(settings)
    viewer = None if seat is None else SeatNo(seat - 1)
    for one in steps(journal, find(journal, number), GAMES, viewer):
        rule = f" · {one.rule}" if one.rule else ""
        out.rule(f"{one.seq}: {one.sentence.show(one.view.names)}{rule}", align="left")
        for row in plain(one.view):
            out.print(row, markup=False, highlight=False)
        if step and sys.stdin.isatty():
            typer.prompt("Enter goes on", default="", show_default=False)


@app.command()
def rules(
    game: Annotated[str, typer.Argument(help="Key of a game on the shelf, e.g. kiriai.")],
    word: Annotated[str, typer.Argument(help="A word or an id: only these rules, in full.")] = "",
    language: Language = "en",
) -> None:
    """Print a game's rules, the rulebook's, then those of the house, and which tests prove them."""
    from companion.cli.rulebook import coverage, translated

    chosen = translated(_game(game).rules, _speaker(language))
    proofs = coverage(game, Path(__file__).parents[2] / "tests")
    if word:
        _rules_with(word, game, chosen, proofs)
        return
    book = Rows("rule", "section", "in our words", "proven by")
    house = Rows("rule", "lobby option", "our own ruling", "proven by")
    for rule in chosen:
        proven = proofs.get(rule.id, [])
        by = ", ".join(proven[:2]) + (f" and {len(proven) - 2} more" if len(proven) > 2 else "")
        if rule.left:
            by = f"left to the players: {rule.left}"
        if rule.kind == "house":
            house.add_row(rule.id, rule.option or "-", rule.text, by or "-")
        else:
            book.add_row(rule.id, rule.section, rule.text, by or "-")
    out.print(book)
    out.print(house)
    left = sum(bool(rule.left) for rule in chosen)
    count = sum(rule.id in proofs for rule in chosen)
    out.print(f"{len(chosen)} rules: {count} proven by tests here, {left} left to the players.")


def _rules_with(word: str, game: str, rules: list[Rule], proofs: dict[str, list[str]]) -> None:
    """Each rule with the lines of code that name it and the tests that prove it."""
    from companion.cli.rulebook import lines_of, named

    found = named(rules, word)
    if not found:
        raise BadState(f"no rule of {game} has the word {word}: try another, or none for all")
    for rule in found:
        code = lines_of(rule, Path(__file__).parents[1] / "games" / game)
        left = [f"left to the players: {rule.left}"] if rule.left else []
        left += [f"a table may play it otherwise: option {rule.option}"] if rule.option else []
        said = [f"{rule.id}, {rule.section}: {rule.text}", *left]
        said += [f"companion/games/{line}" for line in code]
        said += [f"tests/{test}" for test in proofs.get(rule.id, ())]
        out.print("\n  ".join(said), markup=False, highlight=False, soft_wrap=True)


@app.command()
def cards(
    game: Annotated[str, typer.Argument(help="Key of a game with cards, e.g. sao.")],
    settings: SettingsFile = None,
) -> None:
    """Print every card value with its source; house values are ours until you correct them."""
    from companion.memory.cardbox import CardBox

    chosen = _game(game)
    if chosen.cards is None:
        raise BadState(f"{game} has no card values to correct")
    box = CardBox(games_of(settings_of(settings_file(settings))) / "cards")
    rows = Rows("card", "field", "value", "source")
    for row in chosen.cards.describe(box.load(chosen)):
        rows.add_row(*row, style="dim" if row[-1] == "house" else None)
    out.print(rows)
    out.print(f"Your own values stand in {box.file(chosen)}.")


@app.command()
def referee(
    game: Annotated[str, typer.Argument(help="Key of a game on the shelf, e.g. kiriai.")],
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema.")] = False,
    language: Language = "en",
) -> None:
    """Judge a game for another program: one JSON object per line in, one out (docs/referee.md)."""
    from companion.cli.referee import Referee, serve
    from companion.memory import codec

    chosen = _game(game)
    if schema:
        import json

        print(json.dumps(codec.schema(chosen), indent=2, ensure_ascii=False))
    else:
        judge = Referee(chosen, translate=_speaker(language))
        serve(judge, sys.stdin.buffer, sys.stdout.buffer)


@app.command()
def settings(
    check: Annotated[Path | None, typer.Option("--check", help="Check this file.")] = None,
) -> None:
    """Print the default settings, every key explained; or check a file of your own."""
    from companion.settings.settings import DEFAULT, load

    if check is None:
        sys.stdout.write(DEFAULT.read_text(encoding="utf-8"))
    else:
        load(check)
        out.print(f"{check} is in order.")


@app.command()
def version() -> None:
    """Print the version."""
    print(__version__)


def _elsewhere(name: str, module: str, about: str, *, alone: bool = False) -> None:
    """Commands that live in another module, imported only when called: a family, or one alone."""

    def family(context: typer.Context) -> None:
        if alone:
            import_module(module).app([name, *context.args], prog_name="companion")
        else:
            import_module(module).app(context.args, prog_name=f"companion {name}")

    passed_on = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(name, help=about, context_settings=passed_on, add_help_option=False)(family)


_elsewhere("dice", "companion.cli.dice", "Care for the character dice and their hub.")
_elsewhere("eye", "companion.cli.eye", "Read dice from pictures, and measure how well.")
_elsewhere("grid", "companion.cli.grid", "Read a grid of sword tiles, and teach its colours.")
_elsewhere("box", "companion.cli.box", "Your box as one file: export, import, check.")
_elsewhere("venue", "companion.cli.venue", "Keep the games of many tables.", alone=True)
for _name, _about in (
    ("doctor", "Look at everything: what is right, what is wrong, what to do."),
    ("selftest", "Try every part with your hands, and write a report that can be shared."),
    ("wiring", "Draw the wiring of the settings."),
    ("backup", "Put games and settings into one file."),
    ("restore", "Bring games and settings back from that file."),
    ("support", "Make a bundle for whoever is asked for help; no secrets in it."),
):
    _elsewhere(_name, "companion.cli.care", _about, alone=True)


def main() -> None:
    """Errors of ours are one sentence and an exit status; any other is a bug and shows itself."""
    try:
        app()
    except BadConfig as error:
        print(error, file=sys.stderr)
        sys.exit(EX_CONFIG)
    except BadJournal as error:
        print(error, file=sys.stderr)
        sys.exit(EX_DATA)
    except CompanionError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(0)


@contextmanager
def _window(file: Path | None, chosen: Settings, how: list[str], log: str) -> Iterator[Path]:
    """The way into the table that runs; where none does, one runs for as long as the command."""
    from companion.cli.glass import answers, own_daemon

    state = games_of(chosen)
    socket = state / "window.sock"
    if file == ETC and not answers(socket):  # one of root's would leave files that are root's
        raise BadState("the companion does not run: sudo systemctl start companion")
    arguments = ["run", *how, *(["--settings", str(file)] if file else [])]
    with own_daemon(arguments, socket, state / log):
        yield socket


def _game(key: str) -> Game[Any]:
    from companion.games import GAMES

    if key not in GAMES:
        raise BadState(f"there is no game {key} on the shelf: {', '.join(GAMES)}")
    return GAMES[key]


def _speaker(language: str) -> Translate:
    from companion.language import languages, speaker

    if language not in languages():
        raise BadState(f"there is no language {language}: {', '.join(languages())}")
    return speaker(language)
