"""While the sidecar does not answer, routing fails open and permission does not."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
import time
import warnings
from collections import Counter
from typing import Any

import grpc
import pytest

import fermata
from fermata import AsyncFermata, Fermata, PermissionUndecided, SidecarUnreachableWarning, deny, document
from fermata.testing import Sidecar, recorded_statuses
from tests.servers import Status, StatusServer

TOOLS = ["search", "mail", "rm"]
ALLOWED = ("search", "mail")
NO_RM = {"palette": {"stages": [{"name": "no-rm", "protectsForced": False, "deny": {"names": ["rm"]}}]}}
FOR_GUESTS = {"palette": {"stages": [{**NO_RM["palette"]["stages"][0], "when": {"role": "guest"}}]}}
QUICK = {"Resolve": 0.15, "RegisterTools": 0.15, "VerifyCalls": 0.15}
PATIENT = {"Resolve": 10.0, "RegisterTools": 10.0}


def test_nothing_is_offered_before_the_first_answer() -> None:
    with Fermata("127.0.0.1:1", deadlines=QUICK) as client, pytest.raises(PermissionUndecided) as raised:
        client.resolve(TOOLS)
    assert isinstance(raised.value.__cause__, fermata.SidecarUnreachable)
    assert raised.value.retryable


def test_offer_all_is_the_hosts_own_word() -> None:
    with pytest.warns(SidecarUnreachableWarning), Fermata("127.0.0.1:1", deadlines=QUICK) as client:
        resolution = client.resolve(TOOLS, on_unreachable="offer_all")
    assert (resolution.names, resolution.answered) == (tuple(TOOLS), False)
    assert (resolution.full, resolution.routing, resolution.decision.certifies_cutover) == (True, "", False)


def test_it_is_offered_in_full_with_one_warning_where_no_hard_filter_can_apply() -> None:
    with Sidecar() as sidecar, Fermata(sidecar.target, deadlines=PATIENT) as client:
        assert client.resolve(TOOLS, skills=["mail"]).names == ("mail",)
        sidecar.stop()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for _ in range(3):
                resolution = client.resolve(TOOLS, skills=["mail"], force="mail", deadline=0.3)
                assert (resolution.names, resolution.tool_choice) == (tuple(TOOLS), "mail")
            assert [each.category for each in said] == [SidecarUnreachableWarning]
            assert said[0].filename == __file__
        with pytest.raises(fermata.ForcedToolUnavailable) as raised:
            client.resolve(TOOLS, force="fly", deadline=0.3)
        assert (raised.value.cause, raised.value.registered.names) == ("NOT_REGISTERED", ("mail", "rm", "search"))
        assert client.resolve(TOOLS, force="fly", calls_made=["fly"], deadline=0.3).force_satisfied
        hard = deny("mine", names=["rm"], protects_forced=False)
        with pytest.raises(PermissionUndecided):
            client.resolve(TOOLS, stages=[hard], deadline=0.3)
        soft = deny("soft", names=["rm"])
        assert client.resolve(TOOLS, stages=[soft], deadline=0.3).full


def test_what_one_role_was_answered_says_nothing_about_another() -> None:
    with Sidecar(FOR_GUESTS) as sidecar, Fermata(sidecar.target, deadlines=PATIENT) as client:
        assert client.resolve(TOOLS, labels={"role": "admin"}).full
        sidecar.stop()
        with pytest.warns(SidecarUnreachableWarning):
            assert client.resolve(TOOLS, labels={"role": "admin"}, deadline=0.3).full
        for labels in ({"role": "guest"}, {}, {"role": "admin", "team": "x"}):
            with pytest.raises(PermissionUndecided):
                client.resolve(TOOLS, labels=labels, deadline=0.3)


def test_answers_under_other_stages_of_the_operator_count_no_more() -> None:
    with Sidecar() as sidecar, Fermata(sidecar.target, deadlines=PATIENT) as client:
        assert client.resolve(TOOLS, labels={"role": "guest"}).full
        sidecar.stop()
        sidecar.configure(FOR_GUESTS)
        sidecar.start()
        until_answered(client)
        sidecar.stop()
        with pytest.raises(PermissionUndecided):
            client.resolve(TOOLS, labels={"role": "guest"}, deadline=0.3)


def until_answered(client: Fermata) -> None:
    """Calls until the channel is connected again."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            client.get_support_window()
        except fermata.SidecarUnreachable:
            continue
        client.resolve(TOOLS, labels={"role": "admin"})
        return
    raise AssertionError("no answer in 10 s")


ANSWERS = [status for status in recorded_statuses() if status.leaf in ("OVERLOADED", "INTERNAL", "SHUTTING_DOWN")]


@pytest.mark.parametrize("recorded", ANSWERS, ids=lambda status: status.leaf)
def test_a_refusal_of_ours_is_an_answer_and_opens_nothing(status_server: StatusServer, recorded: Any) -> None:
    code = recorded.error().code
    status_server.answer = lambda method, request: Status(code, recorded.text, (recorded.details,))
    with Fermata(status_server.target) as client, pytest.raises(type(recorded.error())):
        client.resolve(TOOLS, on_unreachable="offer_all")


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED])
def test_a_proxys_word_counts_as_no_answer(status_server: StatusServer, code: grpc.StatusCode) -> None:
    status_server.answer = lambda method, request: Status(code, "no healthy upstream")
    with Fermata(status_server.target) as client, pytest.raises(PermissionUndecided):
        client.resolve(TOOLS)


def test_verify_goes_by_the_palette_at_hand() -> None:
    with Sidecar() as sidecar, Fermata(sidecar.target, deadlines=PATIENT) as client:
        resolution = client.resolve(TOOLS, skills=["mail"], force="mail")
        answered = client.verify(resolution, ["mail"])
        sidecar.stop()
        assert client.verify(resolution, ["mail"], deadline=0.3) == answered
        with pytest.raises(fermata.CallNotOffered) as raised:
            client.verify(resolution, ["rm", "fly"], deadline=0.3)
        assert (raised.value.calls, raised.value.unregistered) == (("rm", "fly"), ("fly",))


def test_a_sidecar_that_hangs_is_one_that_does_not_answer() -> None:
    with Sidecar(NO_RM) as sidecar, Fermata(sidecar.target, deadlines=PATIENT) as client:
        assert client.resolve(TOOLS).names == ALLOWED
        sidecar.pause()
        with pytest.raises(PermissionUndecided) as raised:
            client.resolve(TOOLS, deadline=0.2)
        assert isinstance(raised.value.__cause__, fermata.SidecarUnreachable)
        assert raised.value.__cause__.code is grpc.StatusCode.DEADLINE_EXCEEDED
        sidecar.go_on()


class Weather(threading.Thread):
    """Stops, starts, hangs, frees and floods a sidecar at random until the turns are over."""

    def __init__(self, sidecar: Sidecar, seed: int) -> None:
        super().__init__(daemon=True)
        self._sidecar, self._random = sidecar, random.Random(seed)
        self.over = threading.Event()

    def run(self) -> None:
        """One storm after the other."""
        while not self.over.wait(self._random.uniform(0.1, 0.5)):
            storm = self._random.random()
            if storm < 0.3:
                self._flood(until=time.monotonic() + self._random.uniform(0.3, 0.6))
            elif storm < 0.65:
                self._sidecar.stop(kill=self._random.random() < 0.5)
                self.over.wait(self._random.uniform(0.1, 0.5))
                self._sidecar.start()
            else:
                self._sidecar.pause()
                self.over.wait(self._random.uniform(0.1, 0.5))
                self._sidecar.go_on()

    def _flood(self, until: float) -> None:
        """Documents that are read off the main thread hold every place for a call."""
        history = [{"role": "user", "content": "x" * 60_000}] * 10

        def judge() -> None:
            while time.monotonic() < until:
                with contextlib.suppress(fermata.FermataError):
                    client.judge(document("openai-chat/1", history))

        with Fermata(self._sidecar.target) as client:
            callers = [threading.Thread(target=judge) for _ in range(3)]
            for caller in callers:
                caller.start()
            for caller in callers:
                caller.join()


TURNS, THREADS = 1_000, 5


@pytest.mark.parametrize("kind", ["sync", "asyncio"])
def test_a_denied_tool_is_never_offered_in_1000_turns_of_any_weather(kind: str) -> None:
    seen: Counter[str] = Counter()
    with Sidecar({**NO_RM, "limits": {"callsInFlight": 2, "replaysInFlight": 1}}) as sidecar:
        weather = Weather(sidecar, seed=7)
        weather.start()
        if kind == "sync":
            sync_turns(sidecar.target, seen)
        else:
            asyncio.run(async_turns(sidecar.target, seen))
        weather.over.set()
        weather.join(30)
    assert sum(seen.values()) == TURNS
    assert min(seen["answered"], seen["PermissionUndecided"]) > 20 and seen["Overloaded"] > 0, seen
    assert seen.keys() <= {"answered", "PermissionUndecided", "Overloaded", "ShuttingDown"}, seen


def judged(resolution: fermata.Resolution) -> str:
    """A denied tool is a failure of the test, and so is an allowed one that is missing."""
    assert resolution.names == ALLOWED, resolution
    assert resolution.answered
    return "answered"


def sync_turns(target: str, seen: Counter[str]) -> None:
    """1,000 turns from several threads of one client."""
    lock = threading.Lock()

    def turns() -> None:
        for _ in range(TURNS // THREADS):
            try:
                outcome = judged(client.resolve(TOOLS))
            except fermata.FermataError as ended:
                outcome = type(ended).__name__
                time.sleep(0.03)
            with lock:
                seen[outcome] += 1
            time.sleep(0.02)

    with Fermata(target, deadlines=QUICK) as client:
        threads = [threading.Thread(target=turns) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


async def async_turns(target: str, seen: Counter[str]) -> None:
    """1,000 turns from several tasks of one client."""

    async def turns() -> None:
        for _ in range(TURNS // THREADS):
            try:
                outcome = judged(await client.resolve(TOOLS))
            except fermata.FermataError as ended:
                outcome = type(ended).__name__
                await asyncio.sleep(0.03)
            seen[outcome] += 1
            await asyncio.sleep(0.02)

    async with AsyncFermata(target, deadlines=QUICK) as client:
        await asyncio.gather(*(turns() for _ in range(THREADS)))
