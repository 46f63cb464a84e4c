"""What a host passes in, what it gets back, and what the client does by itself about registries."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

import fermata
from fermata import AsyncFermata, Fermata, allow, deny, limit
from fermata.testing import Sidecar
from tests.servers import StatusServer

NAMES = ["search", "mail", "calendar"]


@dataclass
class LangChainTool:
    name: str
    description: str = ""


def named_function() -> None:
    """A function is a tool under its own name."""


TOOL_LISTS: dict[str, Any] = {
    "names": NAMES,
    "objects": [LangChainTool(name) for name in NAMES],
    "mcp": [{"name": name, "inputSchema": {"type": "object"}} for name in NAMES],
    "mcp answer": {"tools": [{"name": name, "inputSchema": {}} for name in NAMES]},
    "openai chat": [{"type": "function", "function": {"name": name}} for name in NAMES],
    "openai responses": [{"type": "function", "name": name} for name in NAMES],
    "anthropic": [{"name": name, "input_schema": {}} for name in NAMES],
    "gemini": [{"functionDeclarations": [{"name": name} for name in NAMES]}],
    "bedrock": [{"toolSpec": {"name": name}} for name in NAMES],
    "own tools beside a provider's": [*NAMES, {"type": "web_search"}],
    "a tuple": tuple(NAMES),
    "a generator's worth": dict.fromkeys(NAMES).keys(),
}


@pytest.mark.parametrize("tools", TOOL_LISTS.values(), ids=TOOL_LISTS.keys())
def test_tools_of_every_framework_have_their_names(client: Fermata, tools: Any) -> None:
    assert client.resolve(tools).names == tuple(NAMES)


def test_functions_are_tools(client: Fermata) -> None:
    assert client.resolve([named_function]).names == ("named_function",)


@pytest.mark.parametrize("tools", ["search", {"name": "search"}, [3], [LangChainTool("a"), object()]])
def test_what_is_no_list_of_tools_is_a_type_error(client: Fermata, tools: Any) -> None:
    with pytest.raises(TypeError):
        client.resolve(tools)


def test_tags_that_cannot_be_read_are_never_taken_for_none(client: Fermata) -> None:
    tagged = [{"name": "search", "tags": {"safe"}}, {"name": "mail", "tags": ("danger",)}]
    assert client.resolve(tagged, stages=[deny("no-danger", tags=["danger"])]).names == ("search",)
    with pytest.raises(TypeError):
        client.resolve([{"name": "mail", "tags": "danger"}])


def test_apply_keeps_order_and_objects(client: Fermata) -> None:
    tools = [LangChainTool(name) for name in NAMES]
    resolution = client.resolve(tools, skills=["calendar", "search"])
    assert [id(tool) for tool in resolution.apply(tools)] == [id(tools[0]), id(tools[2])]
    assert [id(tool) for tool in resolution.apply(tools[::-1])] == [id(tools[2]), id(tools[0])]


def test_apply_of_a_full_palette_is_all_of_them(client: Fermata) -> None:
    tools = [*(LangChainTool(name) for name in NAMES), {"type": "web_search"}]
    assert list(map(id, client.resolve(tools).apply(tools))) == list(map(id, tools))


def test_apply_drops_what_was_never_registered(client: Fermata) -> None:
    assert client.resolve(NAMES).apply([*NAMES, "rm"]) == NAMES


def test_apply_narrows_an_entry_that_declares_several(client: Fermata) -> None:
    tools = TOOL_LISTS["gemini"]
    assert client.resolve(tools, skills=["mail"]).apply(tools) == [{"functionDeclarations": [{"name": "mail"}]}]


def test_a_force_is_for_one_call(client: Fermata) -> None:
    assert client.resolve(NAMES, force="mail").tool_choice == "mail"
    after = client.resolve(NAMES, force="mail", calls_made=["mail"])
    assert (after.tool_choice, after.force_satisfied) == (None, True)


@pytest.mark.parametrize(
    "rows",
    [
        ["mail"],
        [{"action_tool": "mail"}],
        [{"actionTool": "mail", "active": True}],
        [{"content": " mail "}],
        [LangChainTool("x"), {"action_tool": "mail"}],
        [fermata.messages.SkillRow(action_tool="mail")],
    ],
)
def test_rows_may_be_names_mappings_objects_messages(client: Fermata, rows: Any) -> None:
    resolution = client.resolve(NAMES, skills=rows)
    assert (resolution.routing, resolution.names) == ("routed", ("mail",))


def test_stages_are_said_in_a_line(client: Fermata) -> None:
    assert client.resolve(NAMES, stages=[allow("only", names=["mail", "search"])]).names == ("search", "mail")
    assert client.resolve(NAMES, stages=[limit("one", 1)]).names == ("search",)
    emptied = client.resolve(NAMES, stages=[deny("all", globs=["*"], protects_forced=False)])
    assert (emptied.names, emptied.emptied_by, emptied.full) == ((), "all", False)


def test_an_outcome_tells_why(client: Fermata) -> None:
    assert client.resolve(NAMES).decline_reason == "NO_PROCEDURAL_LAYER"
    assert client.resolve(NAMES, skills=[]).decline_reason == "NO_SKILLS"
    assert (client.resolve([]).routing, client.resolve([]).missing) == ("declined", ())
    assert client.resolve(NAMES, explain=True).explanation is not None
    assert client.resolve(NAMES).explanation is None


class Layer:
    """A procedural layer that counts how often it is asked."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.asked = 0
        self._fault = fault

    def __call__(self) -> list[str]:
        self.asked += 1
        if self._fault is not None:
            raise self._fault
        return ["mail"]

    async def later(self) -> list[str]:
        """The same for asyncio."""
        return self()


def test_a_layer_is_asked_once_and_only_if_it_decides_something(client: Fermata) -> None:
    layer = Layer()
    assert client.resolve(NAMES, skills=layer).names == ("mail",)
    assert layer.asked == 1
    nothing = client.resolve([], skills=layer)
    assert (layer.asked, nothing.missing) == (1, ("registered_tools",))


def test_a_layer_that_fails_does_not_fail_the_turn(client: Fermata) -> None:
    resolution = client.resolve(NAMES, skills=Layer(KeyError("secret")))
    assert (resolution.full, resolution.decline_reason) == (True, "RETRIEVAL_FAILED")
    assert resolution.response.declined.fault_type == "KeyError"
    assert "secret" not in str(resolution.response)
    assert client.resolve(NAMES, skills=lambda: 3).decline_reason == "RETRIEVAL_FAILED"


def test_asyncio_takes_layers_of_both_kinds(fermata_sidecar: Sidecar) -> None:
    async def run() -> None:
        async with AsyncFermata(fermata_sidecar.target, tenant="acme") as client:
            for skills in (Layer(), Layer().later):
                assert (await client.resolve(NAMES, skills=skills)).names == ("mail",)
            failed = await client.resolve(NAMES, skills=Layer(ValueError()).later)
            assert failed.decline_reason == "RETRIEVAL_FAILED"

    asyncio.run(run())


def test_a_registry_is_registered_once() -> None:
    server = recording_server()
    with Fermata(server.target) as client:
        for _ in range(3):
            client.resolve(NAMES)
        client.verify(client.resolve(NAMES), ["mail"])
        client.resolve(["other"])
    server.stop()
    assert server.seen == ["RegisterTools", *["Resolve"] * 4, "VerifyCalls", "RegisterTools", "Resolve"]


def recording_server() -> StatusServer:
    """A server that answers as a sidecar does where nothing narrows."""
    from fermata._gen.palette.v1 import palette_pb2, palette_service_pb2

    full = palette_pb2.Palette(full=palette_pb2.FullOffer())
    answers = {
        "RegisterTools": palette_service_pb2.RegisterToolsResponse(registry_digest=b"x" * 32),
        "Resolve": palette_service_pb2.ResolveResponse(palette=full),
        "VerifyCalls": palette_service_pb2.VerifyCallsResponse(ok=True),
    }
    server = StatusServer()
    server.answer = lambda method, request: answers[method].SerializeToString()
    return server


CALLS: dict[str, Any] = {
    "names": ["mail"],
    "langchain": [{"name": "mail", "args": {}, "id": "1"}],
    "openai": [{"id": "1", "type": "function", "function": {"name": "mail", "arguments": "{}"}}],
    "anthropic": [{"type": "tool_use", "name": "mail", "input": {}}, {"type": "text", "text": "hi"}],
    "a message": {"role": "assistant", "tool_calls": [{"function": {"name": "mail"}}]},
    "one name": "mail",
}


@pytest.mark.parametrize("calls", CALLS.values(), ids=CALLS.keys())
def test_verify_reads_calls_of_every_framework(client: Fermata, calls: Any) -> None:
    resolution = client.resolve(NAMES, skills=["mail"], force="mail")
    assert client.verify(resolution, calls) == (("mail",), True, True)


def test_verify_raises_on_a_call_that_was_not_offered(client: Fermata) -> None:
    resolution = client.resolve(NAMES, skills=["mail"])
    with pytest.raises(fermata.CallNotOffered) as raised:
        client.verify(resolution, ["mail", "rm", "search"])
    assert (raised.value.calls, raised.value.unregistered) == (("search", "rm"), ("rm",))
    assert isinstance(raised.value, fermata.ContractViolationError)


def test_verify_tells_that_a_force_was_not_satisfied(client: Fermata) -> None:
    forced = client.resolve(NAMES, force="mail")
    assert client.verify(forced, ["search"]) == (("search",), False, False)
    assert client.verify(client.resolve(NAMES), []) == ((), False, True)
