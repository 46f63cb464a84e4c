"""The scenarios of all hosts, sync and asyncio, against the sidecar of this checkout."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict

from fermata import Fermata, FermataError, MethodNotAvailable
from fermata._gen.palette.v1.palette_service_pb2 import ResolveRequest
from fermata._skills import Unroutable
from fermata.testing import Sidecar
from tests.scenarios import RPCS, check_refusal, contains, read_scenarios, run_scenario

PALETTE = read_scenarios("palette.json")
CONVERSATION = read_scenarios("conversation.json")


def name_of(scenario: dict[str, Any]) -> str:
    """How a scenario is called."""
    return str(scenario["name"])


@pytest.fixture(scope="module")
def sidecars() -> Iterator[dict[str, Sidecar]]:
    """Sidecars by their config: a palette leaves nothing behind, so those of the same config share one."""
    started: dict[str, Sidecar] = {}
    yield started
    for sidecar in started.values():
        sidecar.close()


def shared(sidecars: dict[str, Sidecar], config: dict[str, Any]) -> Sidecar:
    """The sidecar of a config."""
    name = json.dumps(config, sort_keys=True)
    if name not in sidecars:
        sidecars[name] = Sidecar({"logLevel": "warn", **config}).start()
    return sidecars[name]


@pytest.mark.parametrize("kind", ["sync", "asyncio"])
@pytest.mark.parametrize("scenario", PALETTE, ids=name_of)
def test_palette(scenario: dict[str, Any], kind: str, sidecars: dict[str, Sidecar]) -> None:
    run_scenario(scenario, shared(sidecars, scenario.get("config", {})), kind)


def test_palette_has_all_its_scenarios() -> None:
    assert len(PALETTE) == 45


@pytest.mark.parametrize("scenario", PALETTE, ids=name_of)
def test_resolve_of_the_facade_asks_the_same(scenario: dict[str, Any], sidecars: dict[str, Sidecar]) -> None:
    """Each Resolve with inline tools, through `resolve` with its digests, has the same outcome."""
    sidecar = shared(sidecars, scenario.get("config", {}))
    with Fermata(sidecar.target, deadlines={"Resolve": 15, "RegisterTools": 15}) as client:
        for step in scenario["steps"]:
            if not step["rpc"].endswith("/Resolve") or "registry" not in step["request"]:
                continue
            request = ParseDict(step["request"], ResolveRequest())
            try:
                resolution = client.resolve(list(request.registry.tools), **arguments(request))
            except FermataError as error:
                check_refusal(error, step["expect"], "resolve")
            else:
                assert contains(MessageToDict(resolution.response), step["expect"]["ok"])


def arguments(request: ResolveRequest) -> dict[str, Any]:
    """A request as a host says it."""
    procedural = request.WhichOneof("procedural")
    skills: Any = {
        None: None,
        "skills": list(request.skills.rows),
        "query": request.query,
        "unavailable": Unroutable(tuple(request.unavailable.missing)),
    }.get(procedural)
    if procedural == "retrieval_failed":
        fault = type(request.retrieval_failed.type, (Exception,), {})

        def skills() -> Any:
            raise fault

    return {
        "skills": skills,
        "force": request.forced_tool if request.HasField("forced_tool") else None,
        "labels": dict(request.labels),
        "stages": list(request.stages),
        "always_offer": list(request.always_offer),
        "calls_made": list(request.calls_made),
        "explain": request.explain,
    }


@pytest.fixture(scope="module")
def missing() -> set[str]:
    """RPCs that this sidecar does not have (yet)."""
    found = set()
    with Sidecar() as sidecar, Fermata(sidecar.target) as client:
        for path in {step["rpc"] for scenario in CONVERSATION for step in scenario["steps"]}:
            try:
                if path.endswith("/Replay"):
                    list(client.stream(RPCS[path], RPCS[path].request()))
                else:
                    client.call(RPCS[path], RPCS[path].request())
            except MethodNotAvailable:
                found.add(path.rpartition("/")[2])
            except FermataError:
                pass
    return found


@pytest.mark.parametrize("kind", ["sync", "asyncio"])
@pytest.mark.parametrize("scenario", CONVERSATION, ids=name_of)
def test_conversation(scenario: dict[str, Any], kind: str, missing: set[str]) -> None:
    needed = {step["rpc"].rpartition("/")[2] for step in scenario["steps"]} & missing
    if needed and os.environ.get("CI") != "true":
        pytest.skip(f"the sidecar has no {', '.join(sorted(needed))}")
    with Sidecar({"logLevel": "warn", **scenario.get("config", {})}) as sidecar:
        run_scenario(scenario, sidecar, kind)
