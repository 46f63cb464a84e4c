"""The asyncio side: `AsyncFermata`, with the same calls as `Fermata`."""

from fermata.aio._conversation import AsyncRecovery
from fermata.aio.client import AsyncFermata

__all__ = ["AsyncFermata", "AsyncRecovery"]
