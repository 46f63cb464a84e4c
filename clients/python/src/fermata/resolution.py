"""The palette of one model call, as the sidecar decided it."""

from __future__ import annotations

from typing import Any

from fermata._gen.palette.v1.palette_pb2 import Decision, DeclineReason, Explanation, Palette
from fermata._gen.palette.v1.palette_service_pb2 import ResolveResponse
from fermata._tools import Named, kept_tools
from fermata.errors import BrokenPalette


class Resolution:
    """The tools that a model call offers, and the one that it must use.

    `apply` narrows the host's own list, `tool_choice` goes to the model beside it; both belong to this one call.
    """

    __slots__ = ("_full", "_names", "_registered", "answered", "response")

    def __init__(self, response: ResolveResponse, tools: tuple[Named, ...], *, answered: bool = True) -> None:
        self.response = response
        self.answered = answered
        self._registered = tools
        self._full: bool = response.palette.WhichOneof("offer") == "full"
        self._names = _offered(response.palette, tools)

    @property
    def palette(self) -> Palette:
        """The offer and the force, as the contract has them."""
        return self.response.palette

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the offered tools, in the order of the registry."""
        return self._names

    @property
    def full(self) -> bool:
        """Nothing narrowed the turn: every registered tool is offered."""
        return self._full

    @property
    def forced_tool(self) -> str | None:
        """The tool that this model call must use. None: the model is free."""
        chosen = self.response.palette
        return chosen.forced_tool if chosen.HasField("forced_tool") else None

    tool_choice = forced_tool

    @property
    def force_satisfied(self) -> bool:
        """The forced tool was called in this turn already, so nothing is forced any more."""
        return self.response.force_satisfied

    @property
    def emptied_by(self) -> str:
        """The stage that left no tool: call the model without tools. Empty: there are some."""
        return self.response.palette.explicit.emptied_by

    @property
    def routing(self) -> str:
        """How routing ended: `routed`, `declined` or `unavailable`; empty where the sidecar did not answer."""
        return self.response.WhichOneof("routing") or ""

    @property
    def decline_reason(self) -> str:
        """Why routing declined, e.g. `NO_SKILLS`. Empty: it did not."""
        if self.routing != "declined":
            return ""
        number = self.response.declined.reason
        known = DeclineReason.DESCRIPTOR.values_by_number.get(number)
        return known.name.removeprefix("DECLINE_REASON_") if known else str(number)

    @property
    def missing(self) -> tuple[str, ...]:
        """What routing lacks, if it is unavailable."""
        return tuple(self.response.unavailable.missing)

    @property
    def decision(self) -> Decision:
        """Digests that make two answers comparable, and whether a cutover may be certified by this one."""
        return self.response.decision

    @property
    def explanation(self) -> Explanation | None:
        """How the palette came to be, if that was asked for."""
        return self.response.explanation if self.response.HasField("explanation") else None

    @property
    def tools(self) -> tuple[Named, ...]:
        """Names and tags of all registered tools, in order."""
        return self._registered

    @property
    def registered(self) -> frozenset[str]:
        """Names of all registered tools."""
        return frozenset(name for name, _ in self._registered)

    def offers(self, name: str) -> bool:
        """Whether a call of this tool may run."""
        return name in self._names

    def apply(self, tools: Any) -> list[Any]:
        """The tools that are offered: the same objects in the same order. A provider's own nameless tools stay."""
        return kept_tools(tools, frozenset(self._names))

    def __repr__(self) -> str:
        offer = "full" if self.full else f"{len(self._names)} of {len(self._registered)}"
        return f"Resolution(offer={offer}, routing={self.routing!r}, forced_tool={self.forced_tool!r})"


def _offered(chosen: Palette, tools: tuple[Named, ...]) -> tuple[str, ...]:
    offer = chosen.WhichOneof("offer")
    if offer == "full":
        return tuple([name for name, _ in tools])
    if offer == "explicit":
        return tuple(chosen.explicit.names)
    raise BrokenPalette("this palette says neither which tools it offers nor that it offers all: nothing is offered")
