"""Replays that break, and what `recover` makes of a head that is not safe."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import grpc
import pytest

import fermata
from fermata import AsyncFermata, Fermata, ThreadKey, document
from fermata._gen.conversation.v1 import conversation_service_pb2 as messages
from fermata._gen.conversation.v1.transcript_pb2 import EntryKind, ReplayZone, TranscriptEntry
from fermata.testing import Sidecar, recorded, recorded_statuses
from tests.servers import Status, StatusServer

Z = ReplayZone
ENTRIES = [
    (Z.REPLAY_ZONE_PREFIX, b'{"role":"user"}', ()),
    (Z.REPLAY_ZONE_PREFIX, b'{"role":"assistant"}', ()),
    (Z.REPLAY_ZONE_RE_DRIVE, b'{"role":"user"}', ()),
    (Z.REPLAY_ZONE_EVIDENCE, b'{"role":"assistant"}', ("call_2",)),
    (Z.REPLAY_ZONE_VOID, b"{}", ()),
]
UNSAFE = next(
    status
    for status in recorded_statuses()
    if isinstance(error := status.error(), fermata.UnsafeBoundaryError) and error.replay_possible
)
BROKEN = Status(grpc.StatusCode.UNAVAILABLE, "the stream broke")


def header(replay_id: str = "r1") -> bytes:
    """The first message."""
    made = messages.ReplayHeader(replay_id=replay_id, prefix_entries=2, tail_entries=3)
    made.source.ref.checkpoint_id = "c1"
    return messages.ReplayResponse(header=made).SerializeToString()


def entry(position: int) -> bytes:
    """A message with one entry."""
    zone, content, in_doubt = ENTRIES[position]
    told = TranscriptEntry(position=position, kind=EntryKind.ENTRY_KIND_USER, content=content)
    made = messages.ReplayEntry(zone=zone, entry=told, in_doubt_call_ids=in_doubt)
    return messages.ReplayResponse(entries=messages.ReplayEntries(entries=[made])).SerializeToString()


def trailer(entries: int = len(ENTRIES)) -> bytes:
    """The last message."""
    return messages.ReplayResponse(trailer=messages.ReplayTrailer(entries=entries)).SerializeToString()


def breaking_after(*lengths: int) -> Any:
    """Streams that break after so many entries, one after the other; the last one goes to its end."""
    left = list(lengths)

    def stream(request: messages.ReplayRequest) -> Iterable[bytes | Status]:
        first = request.after_position + 1 if request.HasField("after_position") else 0
        yield header()
        until = left.pop(0) if left else None
        for position in range(first, len(ENTRIES)):
            if until is not None and position >= first + until:
                break
            yield entry(position)
        yield trailer() if until is None else BROKEN

    return stream


def test_a_broken_stream_goes_on_where_it_broke(status_server: StatusServer) -> None:
    status_server.stream = breaking_after(2, 1, 1)
    with Fermata(status_server.target, tenant="acme") as client:
        replay = client.replay("s1")
    assert [each.position for each in replay.entries] == [0, 1, 2, 3, 4]
    assert [len(part) for part in (replay.prefix, replay.re_drive, replay.evidence, replay.void)] == [2, 1, 1, 1]
    assert replay.in_doubt == ("call_2",)
    assert replay.prefix[0].json() == {"role": "user"}
    assert status_server.seen == ["Replay"] * 4


def test_a_stream_that_never_gets_on_is_given_up(status_server: StatusServer) -> None:
    status_server.stream = breaking_after(2, *[0] * 50)
    with Fermata(status_server.target) as client, pytest.raises(fermata.SidecarUnreachable):
        client.replay("s1")
    assert 2 <= len(status_server.seen) <= 20


@pytest.mark.parametrize(
    "parts",
    [[header(), entry(0)], [header(), entry(0), trailer()], [trailer(0)], []],
    ids=["no trailer", "entries missing", "no header", "nothing"],
)
def test_a_part_is_never_the_whole(status_server: StatusServer, parts: list[bytes]) -> None:
    status_server.stream = lambda request: parts
    with Fermata(status_server.target) as client, pytest.raises(fermata.IncompleteReplay):
        client.replay("s1")


def test_a_source_that_changed_meanwhile_is_no_replay(status_server: StatusServer) -> None:
    streams: list[list[bytes | Status]] = [[header("r1"), entry(0), BROKEN], [header("r2"), entry(1), trailer(2)]]
    status_server.stream = lambda request: streams.pop(0)
    with Fermata(status_server.target) as client, pytest.raises(fermata.IncompleteReplay):
        client.replay("s1")


def unsafe_head(server: StatusServer) -> list[tuple[str, bytes]]:
    """A server whose head is in the middle of a turn; what it is asked is kept."""
    asked: list[tuple[str, bytes]] = []

    def answer(method: str, request: bytes) -> bytes | Status:
        asked.append((method, request))
        if method == "Resume":
            return Status(UNSAFE.error().code, UNSAFE.text, (UNSAFE.details,))
        return messages.RegisterReplayResponse(first_answer_repeated=True).SerializeToString()

    server.answer, server.stream = answer, breaking_after()
    return asked


def test_recover_replays_and_registers(status_server: StatusServer) -> None:
    asked = unsafe_head(status_server)
    with Fermata(status_server.target, tenant="acme") as client:
        recovery = client.recover("s1")
        assert (recovery.document, recovery.head, recovery.in_doubt) == (None, "c1", ("call_2",))
        parts = (recovery.prefix, recovery.re_drive, recovery.evidence, recovery.void)
        assert [len(part) for part in parts] == [2, 1, 1, 1]
        assert recovery.history == [{"role": "user"}, {"role": "assistant"}, {"role": "user"}]
        assert recovery.register(document("openai-chat/1", [])).first_answer_repeated
    check_registered(asked)


def test_recover_does_the_same_in_asyncio(status_server: StatusServer) -> None:
    asked = unsafe_head(status_server)

    async def run() -> None:
        async with AsyncFermata(status_server.target, tenant="acme") as client:
            recovery = await client.recover("s1")
            assert len(recovery.prefix) == 2
            assert (await recovery.register(document("openai-chat/1", []))).first_answer_repeated

    asyncio.run(run())
    check_registered(asked)


def check_registered(asked: list[tuple[str, bytes]]) -> None:
    """The replay's own id and source, and the tenant of the client."""
    resumed = messages.ResumeRequest.FromString(asked[0][1]).thread.identity
    assert (resumed.tenant_id, resumed.session_id) == ("acme", "s1")
    registered = messages.RegisterReplayRequest.FromString(asked[-1][1])
    assert (registered.replay_id, registered.source_checkpoint_id) == ("r1", "c1")
    assert registered.document.text == "[]"


def test_what_no_replay_gets_around_is_raised(status_server: StatusServer) -> None:
    for leaf in ("HORIZON_EXPIRED", "THREAD_NOT_FOUND", "CHECKPOINT_FORMAT"):
        status = next(each for each in recorded_statuses() if each.leaf == leaf)
        status_server.answer = lambda method, request, s=status: Status(s.error().code, s.text, (s.details,))  # type: ignore[misc]
        with Fermata(status_server.target) as client, pytest.raises(type(recorded(leaf))):
            client.recover(ThreadKey("acme:_:s1"))
    assert "Replay" not in status_server.seen


def test_a_safe_head_is_resumed() -> None:
    server = StatusServer()
    answered = messages.ResumeResponse(document=document("openai-chat/1", ["x"]))
    answered.checkpoint.ref.checkpoint_id = "c9"
    server.answer = lambda method, request: answered.SerializeToString()
    with Fermata(server.target) as client:
        recovery = client.recover("s1")
    server.stop()
    assert recovery.document is not None and fermata.content_of(recovery.document) == recovery.history == ["x"]
    assert (recovery.head, recovery.replay, recovery.unsafe) == ("c9", None, None)
    assert recovery.prefix == recovery.void == recovery.evidence == ()


def test_what_comes_behind_a_safe_head_is_issued(client: Fermata, fermata_sidecar: Sidecar) -> None:
    ended = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    first = client.issue("behind", document("openai-chat/1", ended)).checkpoint.ref.checkpoint_id
    second = client.recover("behind").register(document("openai-chat/1", ended * 2)).checkpoint

    async def run() -> Any:
        async with AsyncFermata(fermata_sidecar.target, tenant="acme") as asynchronous:
            recovery = await asynchronous.recover("behind")
            return (await recovery.register(document("openai-chat/1", ended * 3))).checkpoint

    third = asyncio.run(run())
    ids = [each.ref.checkpoint_id for each in (second, third)]
    assert len({first, *ids}) == 3
    assert client.recover("behind").head == ids[-1]


def test_a_replay_is_of_what_was_judged_and_not_of_a_later_head(status_server: StatusServer) -> None:
    unsafe_head(status_server)
    asked: list[str] = []
    streams = breaking_after(1)

    def stream(request: messages.ReplayRequest) -> Iterable[bytes | Status]:
        asked.append(request.checkpoint_id)
        yield from streams(request)

    status_server.stream = stream

    async def run() -> Any:
        async with AsyncFermata(status_server.target, tenant="acme") as client:
            return await client.recover("s1")

    judged = UNSAFE.error()
    assert isinstance(judged, fermata.UnsafeBoundaryError) and judged.checkpoint_id
    with Fermata(status_server.target, tenant="acme") as client:
        for recovery in (client.recover("s1"), asyncio.run(run())):
            assert isinstance(recovery.unsafe, fermata.UnsafeBoundaryError)
            assert recovery.unsafe.checkpoint_id == judged.checkpoint_id
    assert asked == [judged.checkpoint_id] * 3  # the first one broke
