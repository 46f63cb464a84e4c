"""Agent middleware for LangChain 1.x: each model call gets its palette, and no tool runs that it did not offer.

`ConversationMiddleware` keeps the conversation, so that what a crash cut short does not run twice.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.structured_output import ProviderStrategy
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from fermata._gen.palette.v1.palette_pb2 import Stage
from fermata.aio.client import AsyncFermata
from fermata.client import Fermata
from fermata.errors import ContractViolationError
from fermata.integrations._langchain_conversation import ConversationMiddleware as ConversationMiddleware
from fermata.integrations._langchain_past import TurnDiverged as TurnDiverged
from fermata.resolution import Resolution

# Under it the palette of a model call stands in its message's response_metadata, so that it outlives the process.
_KEY = "fermata"


class ForceLostToStructuredOutput(ContractViolationError):
    """LangChain would turn the forced tool into "any" to get a structured answer: the model was not called.

    Use `ProviderStrategy(schema)`, which leaves the choice alone, or ask for the structured answer after the force.
    """


class FermataMiddleware(AgentMiddleware):
    """Resolves, narrows, forces, lifts the force after its call, and verifies before a tool runs.

    The registry is what the model call brings. `skills`, `force`, `labels` are values, or functions of the
    ModelRequest; `skills` as in `Fermata.resolve`. What the sidecar refuses ends the agent's run before the model
    is called. A sync client serves asyncio, too, from threads; an AsyncFermata serves only `ainvoke` and `astream`.
    """

    def __init__(
        self,
        fermata: Fermata | AsyncFermata,
        *,
        skills: Any = None,
        force: str | Callable[[ModelRequest], str | None] | None = None,
        labels: Mapping[str, str] | Callable[[ModelRequest], Mapping[str, str]] | None = None,
        stages: Iterable[Stage] = (),
        always_offer: Iterable[str] = (),
    ) -> None:
        super().__init__()
        self._fermata = fermata
        self._skills, self._force, self._labels = skills, force, labels
        self._stages, self._always_offer = tuple(stages), tuple(always_offer)

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """The model receives exactly the palette; a full one without a force leaves the request as it is."""
        if not isinstance(self._fermata, Fermata):
            raise TypeError("an AsyncFermata serves ainvoke and astream: give the middleware a Fermata")
        resolution = self._fermata.resolve(request.tools, **self._turn(request))
        return _stamped(handler(_narrowed(request, resolution)), resolution)

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """The same for asyncio."""
        turn = self._turn(request)
        if isinstance(self._fermata, AsyncFermata):
            resolution = await self._fermata.resolve(request.tools, **turn)
        else:
            resolution = await asyncio.to_thread(self._fermata.resolve, request.tools, **turn)
        return _stamped(await handler(_narrowed(request, resolution)), resolution)

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """A call outside the palette of its model call never reaches the tool; the model reads why."""
        return _refusal(request) or handler(request)

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """The same for asyncio."""
        return _refusal(request) or await handler(request)

    def _turn(self, request: ModelRequest) -> dict[str, Any]:
        skills = self._skills
        return {
            "skills": (lambda: skills(request)) if callable(skills) else skills,
            "force": _value(self._force, request),
            "labels": _value(self._labels, request),
            "stages": self._stages,
            "always_offer": self._always_offer,
            "calls_made": _calls_made(request),
        }


def _value(given: Any, request: ModelRequest) -> Any:
    return given(request) if callable(given) else given


def _calls_made(request: ModelRequest) -> list[str]:
    """Names of the tools that were called since the last human message: a force that is among them is lifted."""
    names: dict[str, None] = {}
    for message in reversed(request.state["messages"] or request.messages):
        if isinstance(message, HumanMessage):
            break
        if isinstance(message, AIMessage):
            names.update(dict.fromkeys(call["name"] for call in message.tool_calls))
    return list(names)


def _narrowed(request: Any, resolution: Resolution) -> Any:
    forced = resolution.tool_choice
    changed: dict[str, Any] = {} if resolution.full else {"tools": resolution.apply(request.tools)}
    if forced is not None and isinstance(request.response_format, ProviderStrategy):
        changed["model_settings"] = {**request.model_settings, "tool_choice": forced}  # it passes no choice but this
    elif forced is not None and request.response_format is not None:
        raise ForceLostToStructuredOutput(f"structured output would turn the forced {forced} into any tool")
    elif forced is not None:
        changed["tool_choice"] = forced
    return request.override(**changed) if changed else request


def _stamped(response: Any, resolution: Resolution) -> Any:
    """The answer of the model with its palette on it; "all" is written as None, so that it never reads as a list."""
    offered = None if resolution.full else list(resolution.names)
    return _on_messages(response, {"offered": offered, "registered": len(resolution.tools)})


def _on_messages(response: Any, stamp: dict[str, Any]) -> Any:
    if isinstance(response, AIMessage):
        return response.model_copy(update={"response_metadata": {**response.response_metadata, _KEY: stamp}})
    if isinstance(response, ModelResponse):
        stamped = [_on_messages(each, stamp) if isinstance(each, AIMessage) else each for each in response.result]
        return dataclasses.replace(response, result=stamped)
    return dataclasses.replace(response, model_response=_on_messages(response.model_response, stamp))


def _refusal(request: Any) -> ToolMessage | None:
    """What the model reads instead of a result, if its call may not run. None: it may."""
    call = request.tool_call
    stamp = _stamp_of(call["id"], request.state)
    if stamp is not None and (stamp["offered"] is None or call["name"] in stamp["offered"]):
        return None
    why = "its model call was not resolved" if stamp is None else "this turn does not offer it"
    return ToolMessage(
        content=f"{call['name']} was not run: {why}. {_instead(stamp)}",
        tool_call_id=call["id"],
        name=call["name"],
        status="error",
    )


def _instead(stamp: Mapping[str, Any] | None) -> str:
    offered = [] if stamp is None else stamp["offered"][:16]
    return f"Offered are: {', '.join(offered)}." if offered else "No tool is offered."


def _stamp_of(call_id: str, state: Any) -> Mapping[str, Any] | None:
    """The palette of the model call that made this tool call, from its message."""
    messages = state["messages"] if isinstance(state, Mapping) else getattr(state, "messages", state)
    for message in reversed(messages):
        if isinstance(message, AIMessage) and any(call["id"] == call_id for call in message.tool_calls):
            stamp: Mapping[str, Any] | None = message.response_metadata.get(_KEY)
            return stamp
    return None
