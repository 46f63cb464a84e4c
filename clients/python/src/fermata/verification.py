"""What the calls of a model are worth against the palette that it was given."""

from __future__ import annotations

from typing import NamedTuple

from fermata._gen.palette.v1.palette_service_pb2 import CallVerdict, VerifyCallsResponse
from fermata.errors import CallNotOffered
from fermata.resolution import Resolution


class Verification(NamedTuple):
    """Every call was offered. `ok` also says that a force, if there was one, was satisfied."""

    calls: tuple[str, ...]
    force_satisfied: bool
    ok: bool


def verified(response: VerifyCallsResponse) -> Verification:
    """Raises CallNotOffered unless every call was offered; a verdict that is not known is none."""
    refused = [call for call in response.calls if call.verdict != CallVerdict.CALL_VERDICT_OFFERED]
    strange = [call.name for call in refused if call.verdict == CallVerdict.CALL_VERDICT_UNREGISTERED]
    excluded = [call.name for call in refused if call.verdict != CallVerdict.CALL_VERDICT_UNREGISTERED]
    if refused:
        raise CallNotOffered.of(excluded, strange)
    return Verification(tuple(call.name for call in response.calls), response.force_satisfied, response.ok)


def verified_here(resolution: Resolution, calls: tuple[str, ...]) -> Verification:
    """The same without the sidecar: the palette at hand says which calls it offers."""
    refused = [name for name in calls if not resolution.offers(name)]
    if refused:
        registered = resolution.registered
        raise CallNotOffered.of(
            [name for name in refused if name in registered],
            [name for name in refused if name not in registered],
        )
    forced = resolution.forced_tool
    satisfied = forced is not None and forced in calls
    return Verification(calls, satisfied, forced is None or satisfied)
