"""Runs the scenarios that all hosts share through a façade: its messages, its channel, its exceptions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict

from fermata import AsyncFermata, Fermata, FermataError
from fermata._rpc import Rpc, all_rpcs
from fermata.testing import Sidecar

FOLDER = Path(__file__).resolve().parents[3] / "test/scenarios"
RPCS = {rpc.path.lstrip("/"): rpc for rpc in all_rpcs()}
STREAMS = ("Replay", "WatchDrain")
PATIENCE = 15.0


def read_scenarios(file: str) -> list[dict[str, Any]]:
    """All scenarios of a file."""
    scenarios: list[dict[str, Any]] = json.loads((FOLDER / file).read_text("utf-8"))["scenarios"]
    return scenarios


class SyncCaller:
    """Calls through Fermata."""

    def __init__(self, target: str) -> None:
        self._client = Fermata(target)

    def call(self, rpc: Rpc[Any, Any], request: Any) -> list[Any]:
        """The answers, one or many."""
        if rpc.name in STREAMS:
            return list(self._client.stream(rpc, request, deadline=PATIENCE))
        return [self._client.call(rpc, request, deadline=PATIENCE)]

    def close(self) -> None:
        """Closes the client."""
        self._client.close()


class AsyncCaller:
    """Calls through AsyncFermata, in a loop of its own."""

    def __init__(self, target: str) -> None:
        self._runner = asyncio.new_event_loop()
        self._client = AsyncFermata(target)

    def call(self, rpc: Rpc[Any, Any], request: Any) -> list[Any]:
        """The answers, one or many."""
        return self._runner.run_until_complete(self._called(rpc, request))

    def close(self) -> None:
        """Closes the client and its loop."""
        self._runner.run_until_complete(self._client.close())
        self._runner.close()

    async def _called(self, rpc: Rpc[Any, Any], request: Any) -> list[Any]:
        if rpc.name in STREAMS:
            return [answer async for answer in self._client.stream(rpc, request, deadline=PATIENCE)]
        return [await self._client.call(rpc, request, deadline=PATIENCE)]


CALLERS: Mapping[str, Any] = {"sync": SyncCaller, "asyncio": AsyncCaller}


def run_scenario(scenario: Mapping[str, Any], sidecar: Sidecar, kind: str) -> None:
    """Runs all steps of a scenario against a sidecar that was started for it."""
    captured: dict[str, Any] = {}
    caller = CALLERS[kind](sidecar.target)
    try:
        for number, step in enumerate(scenario["steps"]):
            if "now" in step:
                sidecar.set_time(step["now"])
            if step.get("restart"):
                caller.close()
                sidecar.stop()
                caller = CALLERS[kind](sidecar.start().target)
            view = run_step(step, caller, captured, f"step {number}")
            for name, path in step.get("capture", {}).items():
                captured[name] = at(view, path)
    finally:
        caller.close()


def run_step(step: Mapping[str, Any], caller: Any, captured: Mapping[str, Any], where: str) -> Any:
    """One call, held against what is expected of it; its answer in JSON."""
    rpc = RPCS[step["rpc"]]
    request = ParseDict(filled(step["request"], captured), rpc.request())
    wanted = filled(step["expect"], captured)
    try:
        answers = caller.call(rpc, request)
    except FermataError as error:
        check_refusal(error, wanted, where)
        return {}
    assert "ok" in wanted, f"{where} answered OK: {answers}"
    view = replay_view(answers) if rpc.name == "Replay" else MessageToDict(answers[0])
    assert contains(view, wanted["ok"]), f"{where} wanted {wanted['ok']}, got {view}"
    check_paths(view, wanted, where)
    return view


def check_refusal(error: FermataError, wanted: Mapping[str, Any], where: str) -> None:
    """Code, leaf, parents, facts, field, and what the text may and may not say."""
    assert "ok" not in wanted, f"{where} refused: {error!r}"
    assert (error.code.value[0], error.reason) == (wanted["code"], wanted["reason"]), f"{where}: {error!r}"
    assert type(error).REASON == wanted["reason"]
    if "parents" in wanted:
        assert error.parents == tuple(wanted["parents"])
    if "leaf" in wanted:
        assert contains(MessageToDict(error.refusal), wanted["leaf"]), f"{where}: {error.refusal}"
    if "field" in wanted:
        assert getattr(error, "field", None) == wanted["field"], where
    for part in listed(wanted.get("textContains")):
        assert part in error.detail
    for part in listed(wanted.get("notContaining")):
        assert part not in str(error) and part not in str(error.metadata)
        assert part.encode() not in error.refusal.SerializeToString()


def check_paths(view: Any, wanted: Mapping[str, Any], where: str) -> None:
    """`absent`, `present` and `some`."""
    for path in wanted.get("absent", ()):
        assert is_default(at(view, path)), f"{where}: {path} of {view}"
    for path in wanted.get("present", ()):
        assert not is_default(at(view, path)), f"{where}: {path} of {view}"
    for path, value in wanted.get("some", {}).items():
        assert any(contains(item, value) for item in at(view, path) or ()), f"{where}: {path} of {view}"


def replay_view(answers: Iterable[Any]) -> dict[str, Any]:
    """The Replay stream as the README of the scenarios tells it."""
    messages = [MessageToDict(answer) for answer in answers]
    entries = [entry for message in messages for entry in message.get("entries", {}).get("entries", ())]
    return {
        "header": next((message["header"] for message in messages if "header" in message), {}),
        "zones": [entry.get("zone") for entry in entries],
        "positions": [int(entry["entry"].get("position", 0)) for entry in entries],
        "inDoubt": [call for entry in entries for call in entry.get("inDoubtCallIds", ())],
        "trailerEntries": next((int(m["trailer"].get("entries", 0)) for m in messages if "trailer" in m), 0),
    }


def filled(value: Any, captured: Mapping[str, Any]) -> Any:
    """The value with `"$name"` replaced by what was captured."""
    if isinstance(value, str) and value.startswith("$"):
        return captured.get(value[1:], value)
    if isinstance(value, list):
        return [filled(item, captured) for item in value]
    if isinstance(value, dict):
        return {name: filled(member, captured) for name, member in value.items()}
    return value


def contains(found: Any, wanted: Any) -> bool:
    """Objects: at least these members, a missing one counts as its default.

    Lists: exactly these members, in this order.
    """
    if isinstance(wanted, list):
        found = found or []
        return isinstance(found, list) and len(found) == len(wanted) and all(map(contains, found, wanted))
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(contains(found.get(name), value) for name, value in wanted.items())
    if found is None:
        return is_default(wanted)
    return str(found) == str(wanted)


def at(value: Any, path: str) -> Any:
    """The value at a dotted path; None where a part of it is not there."""
    for name in path.split("."):
        if isinstance(value, list):
            value = value[int(name)] if int(name) < len(value) else None
        elif isinstance(value, dict):
            value = value.get(name)
        else:
            return None
    return value


def is_default(value: Any) -> bool:
    """Not there, or what proto JSON leaves away."""
    if isinstance(value, dict):
        return not value
    return value in (None, "", False, 0, "0", [])


def listed(value: Any) -> Iterator[str]:
    """A string or a list of them."""
    yield from [value] if isinstance(value, str) else value or ()
