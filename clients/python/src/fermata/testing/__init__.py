"""For a host's tests: a real sidecar for pytest, and every refusal as it was recorded on the wire.

In `conftest.py`: `from fermata.testing import fermata_sidecar`.
"""

from fermata.testing.fixtures import fermata_sidecar
from fermata.testing.sidecar import Sidecar, SidecarNotFound, find_sidecar
from fermata.testing.statuses import RecordedStatus, recorded, recorded_statuses

__all__ = [
    "RecordedStatus",
    "Sidecar",
    "SidecarNotFound",
    "fermata_sidecar",
    "find_sidecar",
    "recorded",
    "recorded_statuses",
]
