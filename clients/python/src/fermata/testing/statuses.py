"""Every refusal as the sidecar sends it, so that a host can test what it does about each without provoking it."""

from __future__ import annotations

import base64
import functools
import json
from importlib import resources
from typing import Any, NamedTuple

from fermata._decode import code_of, decode_status
from fermata._fermata_error import FermataError


class RecordedStatus(NamedTuple):
    """One recorded status. `facts` is the JSON form of its Refusal message."""

    leaf: str
    cause: str
    code: int
    text: str
    details: bytes
    facts: dict[str, Any]

    def error(self) -> FermataError:
        """The exception that a client raises for it."""
        return decode_status(code_of(self.code), self.text, self.details)


@functools.cache
def recorded_statuses() -> tuple[RecordedStatus, ...]:
    """One status for each leaf and cause."""
    text = resources.files("fermata._gen").joinpath("statuses.json").read_text("utf-8")
    return tuple(_recorded(entry) for entry in json.loads(text))


def recorded(leaf: str, cause: str = "") -> FermataError:
    """The exception of a leaf (and a cause of it), e.g. `recorded("UNSAFE_BOUNDARY", "TURN_OPEN")`."""
    for status in recorded_statuses():
        if status.leaf == leaf and cause in ("", status.cause):
            return status.error()
    raise KeyError(f"no status of {leaf} {cause} is recorded")


def _recorded(entry: dict[str, Any]) -> RecordedStatus:
    details = base64.b64decode(entry["detailsBase64"])
    return RecordedStatus(
        entry["leaf"], entry.get("cause") or "", entry["code"], entry["text"], details, entry["facts"]
    )
