"""One call of Resolve as the façades share it: what is asked, and what is answered when nobody does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import grpc

from fermata._fermata_error import Ending
from fermata._gen.errors import ForcedToolUnavailable
from fermata._gen.palette.v1.palette_pb2 import FullOffer, Palette, Stage
from fermata._gen.palette.v1.palette_service_pb2 import ResolveRequest, ResolveResponse
from fermata._gen.refusal.v1 import refusal_pb2
from fermata._tools import Named, named_tools
from fermata.resolution import Resolution

OnUnreachable = Literal["refuse", "offer_all"]
Labels = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Turn:
    """A model call to resolve. The request lacks its registry and its skills, which are the façade's to bring."""

    tools: tuple[Named, ...]
    request: ResolveRequest
    labels: Labels
    has_hard_stage: bool


def turn_of(
    tools: Any,
    *,
    force: str | None = None,
    labels: Mapping[str, str] | None = None,
    stages: Iterable[Stage] = (),
    always_offer: Iterable[str] = (),
    calls_made: Iterable[str] = (),
    explain: bool = False,
) -> Turn:
    """Reads what a host passes to `resolve`."""
    request = ResolveRequest(
        always_offer=always_offer,
        stages=stages,
        forced_tool=force,
        calls_made=calls_made,
        labels=labels,
        explain=explain,
    )
    hard = any(stage.HasField("protects_forced") and not stage.protects_forced for stage in request.stages)
    return Turn(named_tools(tools), request, frozenset(labels.items()) if labels else frozenset(), hard)


def offer_all(turn: Turn) -> Resolution:
    """The full palette of a turn that no sidecar decided.

    It certifies nothing; a force has to be registered all the same.
    """
    request = turn.request
    forced = request.forced_tool if request.HasField("forced_tool") else None
    satisfied = forced is not None and forced in request.calls_made
    if forced is not None and not satisfied and all(name != forced for name, _ in turn.tools):
        raise _not_registered(forced, turn.tools)
    palette = Palette(full=FullOffer(), forced_tool=None if satisfied else forced)
    return Resolution(ResolveResponse(palette=palette, force_satisfied=satisfied), turn.tools, answered=False)


def _not_registered(forced: str, tools: tuple[Named, ...]) -> ForcedToolUnavailable:
    names = sorted((name for name, _ in tools), key=lambda name: name.encode())
    facts = refusal_pb2.ForcedToolUnavailable(
        cause=refusal_pb2.ForcedToolUnavailable.CAUSE_NOT_REGISTERED,
        forced_tool=forced,
        registered=refusal_pb2.NameSample(names=names[:16], total=len(names)),
    )
    refusal = refusal_pb2.Refusal(forced_tool_unavailable=facts, remedy=refusal_pb2.Remedy.REMEDY_ALIGN_COMPOSITION)
    ending = Ending(
        code=grpc.StatusCode.FAILED_PRECONDITION,
        detail=f"this turn forces {forced}, which is not registered: do not call the model",
        reason=ForcedToolUnavailable.REASON,
        parents=("CONTRACT_VIOLATION",),
        remedy="ALIGN_COMPOSITION",
        metadata={"cause": "NOT_REGISTERED", "forced_tool": forced, "registered": str(len(names))},
        refusal=refusal.SerializeToString(),
    )
    return ForcedToolUnavailable(ending=ending)
