"""The frame of every page: its head, its links, the files beside it, and how refusals read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from string import Template

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.staticfiles import StaticFiles

from companion.errors import CompanionError, NoRoom
from companion.web.lane import Busy
from companion.web.sessions import CodeOver, TooOften, WrongCode

STATIC = Path(__file__).with_name("static")


@dataclass(frozen=True, slots=True)
class Page:
    """Its script, its title, its word in the row of links, and whether it tells that it is live."""

    script: str
    title: str = ""
    link: str | None = None  # None: the title; "": it stands in no row
    live: bool = False
    folder: str = "/static"
    style: str = ""  # beside that of all pages


def framed(pages: Mapping[str, Page], path: str, brand: str) -> str:
    """A page as it is sent: the frame of all pages with its own script, title and links."""
    page = pages[path]
    frame = Template((STATIC / "page.html").read_text(encoding="utf-8"))
    lines = frame.substitute(
        title=" · ".join(filter(None, (page.title, brand))), brand=brand,
        style=page.style, script=f"{page.folder}/{page.script}.js",
        links="\n    ".join(_link(pages, where, where == path) for where in pages).strip(),
    ).splitlines(keepends=True)  # fmt: skip
    hidden = {'href=""': page.style, "manifest": page.folder == "/static", 'id="live"': page.live}
    left_out = [word for word, shown in hidden.items() if not shown]
    return "".join(line for line in lines if not any(word in line for word in left_out))


def _link(pages: Mapping[str, Page], path: str, current: bool) -> str:
    word = pages[path].title if pages[path].link is None else pages[path].link
    mark = ' aria-current="page"' if current else ""
    return f'<a href="{path}"{mark} data-t>{word}</a>' if word else ""


def serve(app: FastAPI, pages: Mapping[str, Page], brand: str) -> None:
    """Every page under its path, and the files that they share."""
    for path in pages:
        answer(app, path, partial(HTMLResponse, framed(pages, path, brand)))
    app.mount("/static", StaticFiles(directory=STATIC), name="static")


def answer(app: FastAPI, path: str, made: Callable[[], Response]) -> None:
    """The same for everybody, and no part of the API."""

    @app.get(path, include_in_schema=False)
    async def file() -> Response:
        return made()


def refusals(app: FastAPI) -> None:
    """Every refusal is one sentence; none repeats what was sent."""

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        why = f"{where}: {first['msg']}".encode(errors="replace").decode()
        return JSONResponse({"detail": why}, 422)

    @app.exception_handler(WrongCode)
    async def wrong(_: Request, error: WrongCode) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 410 if isinstance(error, CodeOver) else 403)

    @app.exception_handler(TooOften)
    async def often(_: Request, error: TooOften) -> JSONResponse:
        headers = {"Retry-After": str(int(error.seconds) + 1)}
        return JSONResponse({"detail": str(error)}, 429, headers)

    @app.exception_handler(Busy)
    async def busy(_: Request, error: Busy) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 429, {"Retry-After": "2"})

    @app.exception_handler(CompanionError)
    async def bad(_: Request, error: CompanionError) -> JSONResponse:
        why = str(error).encode(errors="replace").decode()
        return JSONResponse({"detail": why}, 507 if isinstance(error, NoRoom) else 400)

    @app.exception_handler(Exception)
    async def bug(_: Request, __: Exception) -> JSONResponse:
        """The traceback goes to the log; the page must still have something to say."""
        return JSONResponse({"detail": "the companion failed here: its log tells why"}, 500)
