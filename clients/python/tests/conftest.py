"""What the tests stand on: the sidecar of this checkout, and real servers that say what no sidecar would."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fermata import Fermata
from fermata.testing import Sidecar, fermata_sidecar
from tests.servers import StatusServer

ROOT = Path(__file__).resolve().parents[3]
os.environ.setdefault("FERMATA_BIN", str(ROOT / "bin/fermata"))

__all__ = ["fermata_sidecar"]


@pytest.fixture
def client(fermata_sidecar: Sidecar) -> Iterator[Fermata]:
    """A client of the session's sidecar."""
    with Fermata(fermata_sidecar.target, tenant="acme", deadlines={"Resolve": 5, "RegisterTools": 5}) as made:
        yield made


@pytest.fixture
def status_server() -> Iterator[StatusServer]:
    """A server that ends every call as the test says."""
    server = StatusServer()
    yield server
    server.stop()
