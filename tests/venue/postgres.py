"""A PostgreSQL of the tests' own: a folder, a socket in it, no port; not run as root."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path


def _tool(name: str) -> str:
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = shutil.which(name) or (str(newest[-1]) if newest else "")
    assert found, "sh tests/get_tools.sh installs PostgreSQL"
    return os.path.realpath(found)


AS_USER = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


class Postgres:
    """Started, killed and started again with the same data."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
        self._as = AS_USER if os.getuid() == 0 else []
        if self._as:
            shutil.chown(self.folder, "postgres", "postgres")
        self._run("initdb", "-D", f"{self.folder}/data", "-A", "trust", "-U", "venue", "--no-sync")

    @property
    def address(self) -> str:
        return f"host={self.folder} user=venue dbname=postgres"

    def start(self) -> Postgres:
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder}"
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-o", options, "-l",
                  f"{self.folder}/log", "-w", "start")  # fmt: skip
        return self

    def kill(self) -> None:
        """At once, as a crash would: its log brings it back."""
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.folder)

    def _run(self, tool: str, *rest: str) -> None:
        subprocess.run([*self._as, _tool(tool), *rest], check=True, cwd="/",
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
