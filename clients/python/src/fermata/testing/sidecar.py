"""A real sidecar as a child process, on a port and a folder of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

_START_SECONDS = 30


class SidecarNotFound(RuntimeError):
    """There is no `fermata` to start: FERMATA_BIN is not set, and PATH has none."""


def find_sidecar() -> str:
    """The program: what FERMATA_BIN names, else `fermata` of PATH. Raises SidecarNotFound."""
    found = os.environ.get("FERMATA_BIN") or shutil.which("fermata")
    if found is None:
        raise SidecarNotFound("no sidecar to start: set FERMATA_BIN, or put fermata into PATH")
    return found


class Sidecar:
    """A sidecar that can be stopped, started again on its port and store, and paused.

    `config` is as in its config file.
    """

    def __init__(self, config: Mapping[str, Any] | None = None, *, socket: bool = False) -> None:
        self._folder = tempfile.mkdtemp(prefix="fermata-")
        self._process: subprocess.Popen[bytes] | None = None
        self._clock = Path(self._folder, "now")
        self._listen = f"unix:{self._folder}/data.sock" if socket else "127.0.0.1:0"
        self._config = Path(self._folder, "config.json")
        settings = {"adminListen": "none", "dataDir": f"{self._folder}/data", "testClock": str(self._clock)}
        self._settings = {**settings, **(config or {})}
        self.set_time("2027-01-01T00:00:00Z")

    @property
    def target(self) -> str:
        """What a client connects to."""
        return self._listen

    def set_time(self, now: str) -> None:
        """Sets the sidecar's clock (RFC 3339)."""
        self._clock.write_text(now)

    def configure(self, config: Mapping[str, Any]) -> None:
        """Changes settings; they hold from the next start."""
        self._settings = {**self._settings, **config}

    def start(self) -> Sidecar:
        """Starts it and waits until it serves. Its address stays the same over a restart."""
        self._config.write_text(json.dumps(self._settings))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("FERMATA_")}
        self._process = subprocess.Popen(
            [find_sidecar(), "serve", "--config", str(self._config), "--listen", self._listen],
            stdout=subprocess.PIPE,
            stderr=Path(self._folder, "stderr").open("wb"),
            env={**environment, "FERMATA_LOG_LEVEL": "info"},
        )
        self._listen = self._served(self._process)
        return self

    def stop(self, *, kill: bool = False) -> None:
        """Stops it in order, or kills it. It can be started again."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGCONT)
        process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        process.wait(timeout=_START_SECONDS)
        if process.stdout is not None:
            process.stdout.close()

    def pause(self) -> None:
        """Lets it hang: it keeps its connections and answers nothing."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Ends a pause."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """Ends it and removes its folder."""
        self.stop(kill=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Sidecar:
        return self if self._process is not None else self.start()

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _served(self, process: subprocess.Popen[bytes]) -> str:
        """Reads the log up to the line that says where it listens; the rest is drained, so that it never blocks."""
        assert process.stdout is not None
        for line in process.stdout:
            listening = _listening(line)
            if listening is not None:
                _drain(process)
                return listening
        process.wait()
        said = Path(self._folder, "stderr").read_text()
        raise RuntimeError(f"the sidecar ended with {process.returncode} before it served: {said}")


def _listening(line: bytes) -> str | None:
    try:
        said = json.loads(line)
    except ValueError:
        return None
    listening = said.get("listening") if isinstance(said, dict) else None
    return listening[0] if listening else None


def _drain(process: subprocess.Popen[bytes]) -> None:
    def read() -> None:
        stdout = process.stdout
        while stdout is not None and not stdout.closed:
            try:
                if not stdout.read(65_536):
                    return
            except ValueError:
                return

    threading.Thread(target=read, daemon=True).start()
