"""A client over its life: sockets, proxies, restarts, threads, forks, event loops, cancellation, the end."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import fermata
from fermata import AsyncFermata, Fermata
from fermata.testing import Sidecar
from tests.servers import StatusServer

TOOLS = ["search", "mail"]
PATIENT = {"Resolve": 10.0, "RegisterTools": 10.0}


def test_a_unix_socket_works() -> None:
    async def run(target: str) -> None:
        async with AsyncFermata(target, deadlines=PATIENT) as client:
            assert (await client.resolve(TOOLS, skills=["mail"])).names == ("mail",)

    with Sidecar(socket=True) as sidecar:
        assert sidecar.target.startswith("unix:")
        with Fermata(sidecar.target, deadlines=PATIENT) as client:
            assert client.resolve(TOOLS, skills=["mail"]).names == ("mail",)
        asyncio.run(run(sidecar.target))


def run_python(program: str, *arguments: str, **environment: str) -> str:
    """Runs a program in a Python of its own, and hands on what it printed."""
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def test_no_proxy_variable_reaches_localhost(fermata_sidecar: Sidecar) -> None:
    program = "import sys, fermata; print(fermata.Fermata(sys.argv[1]).resolve(['a'], deadline=10).names)"
    port = fermata_sidecar.target.rpartition(":")[2]
    dead = dict.fromkeys(["http_proxy", "https_proxy", "grpc_proxy", "HTTP_PROXY", "ALL_PROXY"], "http://127.0.0.1:1")
    for target in (f"127.0.0.1:{port}", f"localhost:{port}"):
        assert run_python(program, target, **dead, no_proxy="", NO_PROXY="") == "('a',)"


def test_a_forked_child_has_a_channel_of_its_own(fermata_sidecar: Sidecar) -> None:
    program = """
import os, sys, fermata
client = fermata.Fermata(sys.argv[1], deadlines={"Resolve": 10, "RegisterTools": 10})
assert client.resolve(["a"]).names == ("a",)
child = os.fork()
if child == 0:
    os._exit(0 if client.resolve(["a", "b"]).names == ("a", "b") else 1)
_, status = os.waitpid(child, 0)
assert client.resolve(["a"]).names == ("a",)
print(os.waitstatus_to_exitcode(status))
"""
    assert run_python(program, fermata_sidecar.target) == "0"


def test_multiprocessing_forks_work_before_the_first_call(fermata_sidecar: Sidecar) -> None:
    program = """
import multiprocessing, sys, fermata
client = fermata.Fermata(sys.argv[1], deadlines={"Resolve": 10, "RegisterTools": 10})
def work(name): return client.resolve([name]).names
with multiprocessing.get_context("fork").Pool(2) as pool: print(pool.map(work, ["a", "b"]))
"""
    assert run_python(program, fermata_sidecar.target) == "[('a',), ('b',)]"


def test_16_threads_share_a_client(fermata_sidecar: Sidecar) -> None:
    with Fermata(fermata_sidecar.target, deadlines=PATIENT) as client, ThreadPoolExecutor(16) as pool:

        def turns(number: int) -> bool:
            tools = [*TOOLS, f"own_{number}"]
            return all(client.resolve(tools, skills=[tools[-1]]).names == (tools[-1],) for _ in range(50))

        assert all(pool.map(turns, range(16)))


def test_one_client_lives_through_several_event_loops(fermata_sidecar: Sidecar) -> None:
    client = AsyncFermata(fermata_sidecar.target, deadlines=PATIENT)

    async def run() -> tuple[str, ...]:
        return (await client.resolve(TOOLS)).names

    assert [asyncio.run(run()) for _ in range(3)] == [tuple(TOOLS)] * 3


def test_cancelling_the_task_ends_the_call_on_the_server(status_server: StatusServer) -> None:
    status_server.hold = threading.Event()

    async def run() -> None:
        async with AsyncFermata(status_server.target) as client:
            waiting = asyncio.ensure_future(client.get_support_window())
            while not status_server.seen:
                await asyncio.sleep(0.01)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            ended = await asyncio.to_thread(status_server.ended.wait, 5)
            assert ended, "the server still works for nobody"

    asyncio.run(run())


def test_a_closed_client_says_so(fermata_sidecar: Sidecar) -> None:
    with Fermata(fermata_sidecar.target) as client:
        pass
    with pytest.raises(fermata.CallCancelled):
        client.get_support_window()


def test_closing_ends_a_call_that_waits(status_server: StatusServer) -> None:
    status_server.hold = threading.Event()
    client = Fermata(status_server.target)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.get_support_window)
        while not status_server.seen:
            time.sleep(0.01)
        client.close()
        with pytest.raises(fermata.CallCancelled):
            waiting.result(5)


@pytest.mark.filterwarnings("ignore::fermata.SidecarUnreachableWarning")
@pytest.mark.parametrize("outage", [0.2, 3.0])
def test_a_restarted_sidecar_is_found_within_3_seconds(outage: float) -> None:
    with Sidecar() as sidecar, Fermata(sidecar.target, deadlines={"RegisterTools": 5}) as client:
        assert client.resolve(TOOLS, deadline=10).answered
        sidecar.stop(kill=True)
        down = time.monotonic()
        while time.monotonic() < down + outage:
            client.resolve(TOOLS, on_unreachable="offer_all")
        sidecar.start()
        back = time.monotonic()
        while not client.resolve(TOOLS, on_unreachable="offer_all").answered:
            assert time.monotonic() < back + 3
        assert time.monotonic() < back + 3


def test_a_restart_forgets_registries_and_the_host_sees_none_of_it() -> None:
    with Sidecar() as sidecar, Fermata(sidecar.target, deadlines=PATIENT) as client:
        resolution = client.resolve(TOOLS)
        sidecar.stop()
        sidecar.start()
        until = time.monotonic() + 5
        while time.monotonic() < until:
            try:
                client.get_support_window()
                break
            except fermata.SidecarUnreachable:
                continue
        assert client.verify(resolution, ["mail"]).ok
        assert client.resolve(TOOLS, skills=["mail"]).names == ("mail",)


def test_the_package_is_typed() -> None:
    assert Path(fermata.__file__).with_name("py.typed").exists()
