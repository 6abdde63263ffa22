"""Questions at the terminal: a line, nobody, and a Ctrl-C that is not kept waiting."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.cli.answer import answer
from companion.errors import BadState


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ours, theirs = os.pipe()
    yield ours, theirs
    os.close(ours)
    with suppress(OSError):  # a test closed it
        os.close(theirs)


def test_each_question_gets_its_own_line_and_the_end_is_a_sentence(pipe: tuple[int, int]) -> None:
    async def evening() -> list[str]:
        os.write(pipe[1], b"y\n 42 \n")
        return [await answer("Does it burn?", pipe[0]), await answer("Which number?", pipe[0])]

    assert asyncio.run(evening()) == ["y", "42"]
    os.close(pipe[1])
    with pytest.raises(BadState, match="somebody who answers"):
        asyncio.run(answer("And now?", pipe[0]))


def test_who_leaves_is_not_asked_to_press_enter_first(pipe: tuple[int, int]) -> None:
    async def evening() -> int:
        asked = asyncio.create_task(answer("Does it burn?", pipe[0]))
        await asyncio.sleep(0)
        asked.cancel()
        await asyncio.wait([asked])
        os.write(pipe[1], b"\n")
        return threading.active_count()  # a thread that reads would keep the program from ending

    assert asyncio.run(evening()) == threading.active_count()


def test_a_file_may_answer(tmp_path: Path) -> None:
    (tmp_path / "said").write_text("yes\n")
    with (tmp_path / "said").open("rb") as said:
        assert asyncio.run(answer("Well?", said.fileno())) == "yes"
        with pytest.raises(BadState):
            asyncio.run(answer("Well?", said.fileno()))
