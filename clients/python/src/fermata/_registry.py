"""The registry of a turn: its digest where the sidecar holds it, else the tools themselves."""

from __future__ import annotations

import threading
from collections import OrderedDict

from fermata._gen.palette.v1 import palette_pb2 as palette
from fermata._tools import Named

# Fewer than the 256 that a sidecar keeps, so that several clients fit.
_KEPT = 64


class RegistryMemory:
    """Which registries the sidecar holds, as far as this client knows. Safe in threads.

    A registry is sent inline until its digest is known to be held: by RegisterTools. A restart of the sidecar
    forgets it, which it says as REGISTRY_UNKNOWN.
    """

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[Named, ...], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def digest_of(self, tools: tuple[Named, ...]) -> bytes | None:
        """The digest under which the sidecar holds these tools. None: register them first."""
        with self._lock:
            digest = self._held.get(tools)
            if digest is not None:
                self._held.move_to_end(tools)
            return digest

    def remember(self, tools: tuple[Named, ...], digest: bytes) -> None:
        """RegisterTools answered."""
        with self._lock:
            self._held[tools] = digest
            while len(self._held) > _KEPT:
                self._held.popitem(last=False)

    def forget(self, tools: tuple[Named, ...]) -> None:
        """The sidecar does not hold them any more."""
        with self._lock:
            self._held.pop(tools, None)


def registry_of(tools: tuple[Named, ...]) -> palette.Registry:
    """The tools as the contract has them."""
    return palette.Registry(tools=[palette.Tool(name=name, tags=tags) for name, tags in tools])
