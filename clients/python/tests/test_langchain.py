"""The middleware in real agents on scripted models: sync, asyncio, streaming."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

pytest.importorskip("langchain")

from langchain.agents import create_agent
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from pydantic import BaseModel

import fermata
from fermata import AsyncFermata, Fermata, deny
from fermata.integrations.langchain import FermataMiddleware, ForceLostToStructuredOutput
from fermata.testing import Sidecar

PATIENT = {"Resolve": 10.0, "RegisterTools": 10.0}
QUESTION: Any = {"messages": [("user", "go")]}
RAN: list[str] = []
MODELS: list[ScriptedModel] = []


@tool
def search(text: str) -> str:
    """Search."""
    RAN.append("search")
    return "found"


@tool
def get_status(job: str = "") -> str:
    """Status of a job."""
    RAN.append("get_status")
    return "done"


@tool
def wipe(path: str = "") -> str:
    """Deletes everything."""
    RAN.append("wipe")
    return "gone"


TOOLS = [search, get_status, wipe]


class Bound(BaseModel):
    """What one model call was given."""

    names: list[str]
    same: bool
    choice: Any


class ScriptedModel(BaseChatModel):
    """Calls the tools of its script, one message after the other, and then answers."""

    script: list[list[str]]
    bound: list[Bound] = []

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any) -> Any:
        """Notes what it is given."""
        same = all(any(given is ours for ours in TOOLS) for given in tools)
        self.bound.append(Bound(names=[each.name for each in tools], same=same, choice=tool_choice))
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(**self._next(messages)))])

    def _stream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        said = self._next(messages)
        chunks: Any = [
            {"name": call["name"], "args": "{}", "id": call["id"], "index": index}
            for index, call in enumerate(said["tool_calls"])
        ]
        yield ChatGenerationChunk(message=AIMessageChunk(content=said["content"], tool_call_chunks=chunks))

    def _next(self, messages: list[BaseMessage]) -> dict[str, Any]:
        turn = sum(isinstance(message, AIMessage) for message in messages)
        if turn >= len(self.script):
            return {"content": "ready", "tool_calls": []}
        args = {"search": {"text": "x"}}
        calls = [
            {"name": n, "args": args.get(n, {}), "id": f"call_{turn}_{i}"} for i, n in enumerate(self.script[turn])
        ]
        return {"content": "", "tool_calls": calls}


WAYS = ["invoke", "stream", "ainvoke", "astream", "ainvoke with the sync client"]


def run(sidecar: Sidecar, way: str, script: list[list[str]], agent: dict[str, Any] | None = None, **turn: Any) -> Any:
    """Runs an agent in one of the ways; what its model was given, and its messages."""
    RAN.clear()
    model = ScriptedModel(script=script, bound=[])
    MODELS[:] = [model]
    options: dict[str, Any] = {"stream_mode": "values"}

    async def asynchronous(client: Any) -> Any:
        made = create_agent(model, TOOLS, middleware=[FermataMiddleware(client, **turn)], **(agent or {}))
        if way == "astream":
            return [state async for state in made.astream(QUESTION, **options)][-1]
        return await made.ainvoke(QUESTION)

    async def with_async_client() -> Any:
        async with AsyncFermata(sidecar.target, deadlines=PATIENT) as client:
            return await asynchronous(client)

    if way in ("ainvoke", "astream"):
        state = asyncio.run(with_async_client())
    else:
        with Fermata(sidecar.target, deadlines=PATIENT) as client:
            if way.startswith("ainvoke"):
                state = asyncio.run(asynchronous(client))
            else:
                made = create_agent(model, TOOLS, middleware=[FermataMiddleware(client, **turn)], **(agent or {}))
                state = made.invoke(QUESTION) if way == "invoke" else list(made.stream(QUESTION, **options))[-1]
    return model.bound, state["messages"]


@pytest.mark.parametrize("way", WAYS)
def test_the_model_receives_exactly_the_palette_in_order(fermata_sidecar: Sidecar, way: str) -> None:
    bound, _ = run(fermata_sidecar, way, [], skills=["get_status", "search"])
    assert bound == [Bound(names=["search", "get_status"], same=True, choice=None)]


@pytest.mark.parametrize("way", WAYS)
def test_a_full_palette_leaves_the_request_as_it_was(fermata_sidecar: Sidecar, way: str) -> None:
    bound, _ = run(fermata_sidecar, way, [["search"]])
    assert bound == [Bound(names=["search", "get_status", "wipe"], same=True, choice=None)] * 2
    assert RAN == ["search"]


@pytest.mark.parametrize("way", WAYS)
def test_a_force_is_lifted_after_its_call(fermata_sidecar: Sidecar, way: str) -> None:
    bound, messages = run(fermata_sidecar, way, [["get_status"], ["search"]], force="get_status")
    assert [each.choice for each in bound] == ["get_status", None, None]
    assert RAN == ["get_status", "search"]
    assert messages[-1].content == "ready"


@pytest.mark.parametrize("way", WAYS)
def test_a_call_outside_the_palette_never_reaches_the_tool(fermata_sidecar: Sidecar, way: str) -> None:
    no_wipe = deny("no-wipe", names=["wipe"], protects_forced=False)
    bound, messages = run(fermata_sidecar, way, [["wipe", "search"]], stages=[no_wipe])
    assert [each.names for each in bound] == [["search", "get_status"]] * 2
    assert RAN == ["search"]
    refused = next(each for each in messages if isinstance(each, ToolMessage) and each.name == "wipe")
    assert (refused.status, refused.tool_call_id) == ("error", "call_0_0")
    assert refused.content == "wipe was not run: this turn does not offer it. Offered are: search, get_status."
    assert messages[-1].content == "ready"


@pytest.mark.parametrize("way", WAYS)
def test_a_refused_force_ends_the_run_before_the_model_is_called(fermata_sidecar: Sidecar, way: str) -> None:
    no_wipe = deny("no-wipe", names=["wipe"], protects_forced=False)
    with pytest.raises(fermata.ForcedToolUnavailable):
        run(fermata_sidecar, way, [], stages=[no_wipe], force="wipe")
    assert RAN == []


def test_an_unreachable_sidecar_offers_nothing() -> None:
    model = ScriptedModel(script=[], bound=[])
    with Fermata("127.0.0.1:1", deadlines={"RegisterTools": 0.3}) as client:
        agent = create_agent(model, TOOLS, middleware=[FermataMiddleware(client)])
        with pytest.raises(fermata.PermissionUndecided):
            agent.invoke(QUESTION)
    assert model.bound == []


class Answer(BaseModel):
    """A structured answer."""

    text: str


@pytest.mark.parametrize("response_format", [Answer, ToolStrategy(Answer)], ids=["auto", "tool"])
def test_structured_output_that_would_lose_the_force_is_refused(fermata_sidecar: Sidecar, response_format: Any) -> None:
    with pytest.raises(ForceLostToStructuredOutput):
        run(fermata_sidecar, "invoke", [], agent={"response_format": response_format}, force="search")


def test_structured_output_of_the_provider_keeps_the_force(fermata_sidecar: Sidecar) -> None:
    # the script ends in plain text, which is no Answer: what matters is what the model was given
    with pytest.raises(Exception, match="(?i)json|parse|structured"):
        run(
            fermata_sidecar, "invoke", [["search"]], agent={"response_format": ProviderStrategy(Answer)}, force="search"
        )
    assert [each.choice for each in MODELS[0].bound] == ["search", None]
    assert RAN == ["search"]


def test_skills_force_and_labels_may_be_functions_of_the_request(fermata_sidecar: Sidecar) -> None:
    bound, _ = run(
        fermata_sidecar,
        "invoke",
        [["search"]],
        skills=lambda request: [request.messages[0].content.replace("go", "search")],
        force=lambda request: "search" if len(request.messages) == 1 else None,
        labels=lambda request: {"role": "action"},
    )
    assert [(each.names, each.choice) for each in bound] == [(["search"], "search"), (["search"], None)]
    assert RAN == ["search"]


def test_a_call_of_an_unresolved_message_does_not_run(fermata_sidecar: Sidecar) -> None:
    """A history that was made without the middleware vouches for nothing."""
    RAN.clear()
    pending = AIMessage(content="", tool_calls=[{"name": "wipe", "args": {}, "id": "old"}])
    with Fermata(fermata_sidecar.target, deadlines=PATIENT) as client:
        middleware = FermataMiddleware(client)
        request = type("Request", (), {"tool_call": pending.tool_calls[0], "state": {"messages": [pending]}})()
        answer = middleware.wrap_tool_call(request, lambda request: RAN.append("wipe"))
    assert (answer.status, RAN) == ("error", [])
    assert "was not resolved" in answer.content


def test_an_async_client_says_that_it_serves_asyncio_only(fermata_sidecar: Sidecar) -> None:
    agent = create_agent(ScriptedModel(script=[]), TOOLS, middleware=[FermataMiddleware(AsyncFermata("127.0.0.1:1"))])
    with pytest.raises(TypeError, match="ainvoke"):
        agent.invoke(QUESTION)
