"""The commands as a person types them: lists, exports, replays, bad input in one sentence."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.console import Console

from companion.cli import care as care_commands
from companion.cli import main as command_line
from companion.games import GAMES
from companion.memory.journal import Journal
from companion.memory.records import listed, timeline_of
from tests.patience import within
from tests.table.desk import Desk


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A table where one duel was played to its end and another one runs."""
    desk = Desk(tmp_path, seed=3)
    desk.start()
    while not desk.table.play.over:
        for panel in (0, 1):
            if (labels := desk.labels(panel)) and not desk.table.play.over:
                desk.press(panel, *["next"] * desk.chance.randrange(len(labels)), "select")
    desk.choose(0, "Play again")
    desk.choose(0, "Start")
    desk.choose(0, "Charge")
    desk.journal.close()
    return tmp_path


class Said(NamedTuple):
    """What a command answered."""

    status: int
    stdout: str
    stderr: str


def companion(home: Path, *arguments: str, ok: bool = True) -> Said:
    """A command, typed; in this process, since a new one has everything to import again."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("STATE_DIRECTORY", str(home))
        patch.setattr(sys, "argv", ["companion", *arguments])
        patch.setattr(sys, "excepthook", sys.excepthook)  # typer sets its own
        for module in (command_line, care_commands):
            patch.setattr(module, "out", Console(width=200))
        with pytest.raises(SystemExit) as end:
            command_line.main()
    return judged(Said(int(end.value.code or 0), out.getvalue(), err.getvalue()), ok)


def process(home: Path, *arguments: str, ok: bool = True) -> Said:
    """The same as a process of its own, as a shell or systemd starts it."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        capture_output=True, text=True, timeout=within(60), stdin=subprocess.DEVNULL,
        env={**os.environ, "STATE_DIRECTORY": str(home), "COLUMNS": "200"},
    )  # fmt: skip
    return judged(Said(done.returncode, done.stdout, done.stderr), ok)


def judged(said: Said, ok: bool) -> Said:
    assert "Traceback" not in said.stderr
    assert (said.status == 0) is ok, said.stderr
    return said


def test_games_are_listed_with_their_results(home: Path) -> None:
    shown = companion(home, "games").stdout
    assert shown.count("Kiri-ai: The Duel") == 2
    assert "Red is defeated" in shown or "Blue is defeated" in shown
    assert "running" in shown


def test_an_ended_game_is_exported_whole_and_folds_to_the_same_result(home: Path) -> None:
    journal = Journal(home / "journal.db", lambda: 0.0, write=False)
    ended = next(record for record in listed(journal) if record.result)
    head, *entries = map(json.loads, companion(home, "export", str(ended.id)).stdout.splitlines())
    assert head["result"] == ended.result
    assert head["secrets_left_out"] is False
    assert len(entries) == len(journal.entries(ended.id))
    assert result_of(journal, ended.id) == ended.result["why"]  # type: ignore[index]


def result_of(journal: Journal, number: int) -> str:
    record = next(one for one in listed(journal) if one.id == number)
    result = GAMES["kiriai"].result(timeline_of(journal, record, GAMES).state)
    assert result is not None
    return result.why.show(GAMES["kiriai"].roles)


def test_a_running_game_is_exported_without_its_secrets(home: Path, tmp_path: Path) -> None:
    journal = Journal(home / "journal.db", lambda: 0.0, write=False)
    running = next(record for record in listed(journal) if record.ended is None)
    companion(home, "export", str(running.id), "--to", str(tmp_path / "game.jsonl"))
    head, deal, pick = map(json.loads, (tmp_path / "game.jsonl").read_text().splitlines())
    assert head["secrets_left_out"] is True
    assert deal["body"]["specials"] is None
    assert pick["body"]["face"] is None


def test_an_export_is_verified_and_one_that_was_changed_is_refused(
    home: Path, tmp_path: Path
) -> None:
    journal = Journal(home / "journal.db", lambda: 0.0, write=False)
    running, ended = (record.id for record in listed(journal))
    file = tmp_path / "game.jsonl"
    companion(home, "export", str(ended), "--to", str(file))
    shown = companion(home, "verify", str(file)).stdout
    assert "The box kept its word." in shown
    assert json.loads(companion(home, "verify", str(file), "--json").stdout)["verdict"] == "holds"
    file.write_text(file.read_text().replace('"face":"', '"face":"no', 1))
    assert "not the game" in companion(home, "verify", str(file), ok=False).stdout
    refused = json.loads(companion(home, "verify", str(file), "--json", ok=False).stdout)
    assert refused["verdict"] == "broken"
    companion(home, "export", str(running), "--to", str(file))
    assert "exported while it ran" in companion(home, "verify", str(file), ok=False).stderr
    assert "cannot be read" in companion(home, "verify", str(tmp_path), ok=False).stderr


@pytest.mark.slow
def test_a_replay_shows_a_seat_its_own_view_after_the_end_only(home: Path) -> None:
    journal = Journal(home / "journal.db", lambda: 0.0, write=False)
    running, ended = (record.id for record in listed(journal))
    assert "Your hand" in companion(home, "replay", str(ended), "--seat", "1").stdout
    assert "Your hand" not in companion(home, "replay", str(ended)).stdout
    refused = companion(home, "replay", str(running), "--seat", "1", ok=False)
    assert "still runs" in refused.stderr


def test_a_rule_is_found_by_a_word_with_its_code_and_its_proofs(home: Path) -> None:
    shown = companion(home, "rules", "kiriai", "clash").stdout
    rule, *places = shown.splitlines()
    assert rule == "K-R29, Actions: If both hit, the swords clash and nobody is wounded."
    code = next(place for place in places if place.startswith("  companion/games/kiriai/duel.py:"))
    line = int(code.rpartition(":")[2])
    source = Path(__file__).parents[2] / "companion/games/kiriai/duel.py"
    assert "K-R29" in source.read_text("utf-8").splitlines()[line - 1]
    assert not any("rules.py" in place for place in places)
    assert any(place.startswith("  tests/games/test_kiriai_duel.py::test_") for place in places)
    assert companion(home, "rules", "kiriai", "k-r29").stdout == shown


def test_rules_are_read_and_searched_in_the_language_of_the_reader(home: Path) -> None:
    shown = companion(home, "rules", "sainome", "手札起動", "--language", "ja").stdout
    assert "R40, アイコン: 「手」のカードは「手札起動カード使用」を選んだときだけ使える。" in shown
    assert "R32" not in shown
    assert companion(home, "rules", "hack", "r7", "--language", "ja").stdout.splitlines()[:2] == [
        "R7, 準備: 山札を混ぜる。相手はカットしてよい。",
        "  left to the players: 手で行うため、判定するものがない",
    ]
    nowhere = companion(home, "rules", "hack", "--language", "tlh", ok=False)
    assert "there is no language tlh: en, ja" in nowhere.stderr


def test_rules_are_printed_with_the_tests_that_prove_them(home: Path) -> None:
    shown = companion(home, "rules", "kiriai").stdout
    assert "K-R40" in shown
    assert "0 left to the players" in shown
    book, house = shown.split("our own ruling")
    assert "K-H1" not in book
    assert "round_cap" in house


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "99"), "there is no game 99"),
        (("export", "2", "--to", "/no/such/folder/game"), "could not be written: No such file"),
        (("rules", "chess"), "there is no game chess on the shelf"),
        (("rules", "kiriai", "castling"), "no rule of kiriai has the word castling"),
        (("referee", "chess"), "there is no game chess on the shelf"),
        (("replay", "2", "--seat", "7"), "seats 1 to 2"),
        (("settings", "--check", "nowhere.toml"), "nowhere.toml"),
    ],
)
def test_a_wrong_word_is_answered_in_one_sentence(
    home: Path, arguments: tuple[str, ...], said: str
) -> None:
    refused = companion(home, *arguments, ok=False)
    assert said in refused.stderr
    assert refused.stderr.count("\n") == 1


@pytest.mark.slow
def test_settings_that_cannot_work_end_with_status_78_and_the_line(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('[table]\nmood = "hard"\n')
    refused = process(tmp_path, "run", "--settings", str(wrong), ok=False)
    assert refused.status == 78
    assert f"{wrong}:2:" in refused.stderr
    assert 'did you mean "mode"' in refused.stderr


@pytest.mark.slow
def test_a_second_daemon_at_the_same_table_is_refused(tmp_path: Path) -> None:
    first = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "--twin"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, "STATE_DIRECTORY": str(tmp_path)},
    )  # fmt: skip
    try:
        assert first.stdout is not None
        assert first.stdout.readline() == b"ready\n"
        second = process(tmp_path, "run", "--twin", ok=False)
        assert second.status == 78
        assert "already uses" in second.stderr
    finally:
        first.terminate()
        assert first.wait(within(20)) == 0
        if first.stdout:
            first.stdout.close()


@pytest.mark.slow
def test_a_damaged_journal_is_set_aside_and_the_daemon_still_starts(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"no database" * 1000)
    child = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "--twin"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "STATE_DIRECTORY": str(tmp_path)},
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.terminate()
    _, said = child.communicate(timeout=within(20))
    assert "journal.db.damaged-1" in said
    assert (tmp_path / "journal.db.damaged-1").read_bytes() == b"no database" * 1000


@pytest.mark.slow
def test_displays_on_a_bus_that_is_not_there_are_told_and_the_daemon_goes_on(
    tmp_path: Path,
) -> None:
    settings = tmp_path / "bus.toml"
    settings.write_text(
        '[hardware]\npanels = "twin"\n[[display]]\nname = "table"\nbus = "i2c"\nport = 99\n'
    )
    child = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "-s", str(settings), "-v"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "STATE_DIRECTORY": str(tmp_path)},
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stderr is not None
    assert child.stdout.readline() == "ready\n"
    said = next(line for line in child.stderr if "is lost" in line)
    assert "99" in said
    assert child.poll() is None
    child.terminate()
    child.communicate(timeout=within(20))
