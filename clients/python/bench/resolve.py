"""What the façade costs: a Resolve through it over a bare stub call of the same request, sync and asyncio.

Called as `resolve.py TARGET [ROUNDS]`. Prints one line of JSON, with the p50 of each in microseconds:
`{"sync": {"bare": ..., "facade": ..., "ratio": ...}, ...}`.
Calls of both kinds alternate, so that a busy machine slows both.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from typing import Any

import grpc
import grpc.aio

from fermata import AsyncFermata, Fermata
from fermata._gen.palette.v1 import palette_pb2 as palette
from fermata._gen.palette.v1 import palette_service_pb2 as service
from fermata._registry import registry_of
from fermata._tools import named_tools

PATH = "/fermata.palette.v1.PaletteService/"
TOOLS = [{"name": f"tool_{number:02}", "input_schema": {"type": "object"}} for number in range(50)]
NAMED = ("tool_03", "tool_17", "tool_40")
ROWS = [{"action_tool": name, "content": "use it", "active": True} for name in NAMED]
WARM_UP = 200
Figures = dict[str, float]


def bare_request(digest: bytes) -> service.ResolveRequest:
    """What the façade sends as well."""
    rows = [palette.SkillRow(action_tool=name, content="use it", active=True) for name in NAMED]
    return service.ResolveRequest(registry_digest=digest, skills=palette.SkillRows(rows=rows), forced_tool="tool_17")


def bare_method(channel: Any) -> Any:
    """A stub as protoc would make it."""
    return channel.unary_unary(
        f"{PATH}Resolve",
        request_serializer=service.ResolveRequest.SerializeToString,
        response_deserializer=service.ResolveResponse.FromString,
    )


def registered(target: str) -> bytes:
    """The digest of the registry that both calls name."""
    with grpc.insecure_channel(target) as channel:
        register = channel.unary_unary(
            f"{PATH}RegisterTools",
            request_serializer=service.RegisterToolsRequest.SerializeToString,
            response_deserializer=service.RegisterToolsResponse.FromString,
        )
        digest: bytes = register(service.RegisterToolsRequest(registry=registry_of(named_tools(TOOLS)))).registry_digest
        return digest


def figures(bare: list[float], facade: list[float]) -> Figures:
    """The medians in microseconds, and one over the other."""
    medians = [statistics.median(times[WARM_UP:]) * 1e6 for times in (bare, facade)]
    return {"bare": round(medians[0], 1), "facade": round(medians[1], 1), "ratio": round(medians[1] / medians[0], 3)}


def measure(target: str, digest: bytes, rounds: int) -> Figures:
    """Sync."""
    bare_times, facade_times = list[float](), list[float]()
    with grpc.insecure_channel(target) as channel, Fermata(target, tenant="acme") as client:
        bare, request = bare_method(channel), bare_request(digest)
        for _ in range(rounds + WARM_UP):
            start = time.perf_counter()
            bare(request, timeout=1)
            between = time.perf_counter()
            client.resolve(TOOLS, skills=ROWS, force="tool_17")
            facade_times.append(time.perf_counter() - between)
            bare_times.append(between - start)
    return figures(bare_times, facade_times)


async def measure_asyncio(target: str, digest: bytes, rounds: int) -> Figures:
    """The same in asyncio."""
    bare_times, facade_times = list[float](), list[float]()
    async with grpc.aio.insecure_channel(target) as channel, AsyncFermata(target, tenant="acme") as client:
        bare, request = bare_method(channel), bare_request(digest)
        for _ in range(rounds + WARM_UP):
            start = time.perf_counter()
            await bare(request, timeout=1)
            between = time.perf_counter()
            await client.resolve(TOOLS, skills=ROWS, force="tool_17")
            facade_times.append(time.perf_counter() - between)
            bare_times.append(between - start)
    return figures(bare_times, facade_times)


def main(target: str, rounds: int = 1_500) -> None:
    """Measures and prints."""
    digest = registered(target)
    measured = {
        "sync": measure(target, digest, rounds),
        "asyncio": asyncio.run(measure_asyncio(target, digest, rounds)),
    }
    print(json.dumps(measured))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
