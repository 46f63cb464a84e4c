"""The pytest fixture. Importing it needs pytest; nothing else of this package does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fermata.testing.sidecar import Sidecar


@pytest.fixture(scope="session")
def fermata_sidecar() -> Iterator[Sidecar]:
    """A sidecar for the whole session, with an empty store. Give each test a tenant of its own."""
    with Sidecar() as sidecar:
        yield sidecar
