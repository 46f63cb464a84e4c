"""Whatever a status holds, a defined class comes of it: newer leaves, proxies, garbage, rewritten codes."""

from __future__ import annotations

import asyncio
import pickle
from typing import Any

import grpc
import pytest
from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, message_factory
from google.rpc import error_details_pb2, status_pb2

import fermata
from fermata import AsyncFermata, Fermata, FermataError
from fermata._gen.refusal.v1 import refusal_pb2
from tests.servers import Status, StatusServer, golden_statuses

Code = grpc.StatusCode
NO_RETRIES = [("grpc.enable_retries", 0)]


def newer_refusal() -> Any:
    """Refusal of a proto with one more leaf, and one more cause of UNSAFE_BOUNDARY, than this client was built with."""
    file = descriptor_pb2.FileDescriptorProto()
    refusal_pb2.DESCRIPTOR.CopyToProto(file)
    messages = {message.name: message for message in file.message_type}
    cause = messages["UnsafeBoundary"].enum_type[0].value.add(name="CAUSE_CLOCK_SKEW", number=77)
    assert cause.number == 77
    added = file.message_type.add(name="LeaseLost")
    added.field.add(name="field", number=1, type=9, label=1)
    leaf = messages["Refusal"].field.add(name="lease_lost", number=99, type=11, label=1, oneof_index=0)
    leaf.type_name = ".fermata.refusal.v1.LeaseLost"
    pool = descriptor_pool.DescriptorPool()
    for needed in refusal_pb2.DESCRIPTOR.dependencies:
        known = descriptor_pb2.FileDescriptorProto()
        needed.CopyToProto(known)
        pool.Add(known)
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("fermata.refusal.v1.Refusal"))


def status_of(
    code: grpc.StatusCode, reason: str, refusal: bytes = b"", *, domain: str = "fermata", **metadata: str
) -> bytes:
    """A status as a sidecar builds it."""
    info = any_pb2.Any()
    info.Pack(error_details_pb2.ErrorInfo(domain=domain, reason=reason, metadata=metadata))
    packed = any_pb2.Any(type_url="type.googleapis.com/fermata.refusal.v1.Refusal", value=refusal)
    status = status_pb2.Status(code=code.value[0], message="said", details=[info, packed])
    made: bytes = status.SerializeToString()
    return made


def ending_of(server: StatusServer, status: Status) -> FermataError:
    """What sync and asyncio raise for it, which has to be the same."""
    server.answer = lambda method, request: status
    with Fermata(server.target, options=NO_RETRIES) as client, pytest.raises(FermataError) as raised:
        client.get_support_window()

    async def run() -> FermataError:
        async with AsyncFermata(server.target, options=NO_RETRIES) as other:
            with pytest.raises(FermataError) as also:
                await other.get_support_window()
            return also.value

    other = asyncio.run(run())
    error = raised.value
    assert (type(error), error.code, error.detail, error.reason) == (
        type(other),
        other.code,
        other.detail,
        other.reason,
    )
    return error


def test_an_unknown_leaf_becomes_its_nearest_known_parent_and_loses_nothing(status_server: StatusServer) -> None:
    newer = newer_refusal()(lease_lost={"field": "session_id"}, remedy=refusal_pb2.Remedy.REMEDY_RETRY_LATER)
    metadata = {"parents": "LEASE,SESSION_IDENTITY,CONVERSATION", "remedy": "RETRY_LATER", "field": "session_id"}
    details = status_of(Code.ABORTED, "LEASE_LOST", newer.SerializeToString(), **metadata)
    error = ending_of(status_server, Status(Code.ABORTED, "said", (details,)))
    assert type(error) is fermata.SessionIdentityError
    assert (error.reason, error.remedy, error.retryable) == ("LEASE_LOST", "RETRY_LATER", True)
    assert isinstance(error, fermata.SessionIdentityError) and error.field == "session_id"
    assert dict(error.metadata) == metadata
    assert newer_refusal().FromString(error.refusal.SerializeToString()).lease_lost.field == "session_id"
    assert pickle.loads(pickle.dumps(error)).refusal == error.refusal


def test_an_unknown_cause_keeps_its_name_and_the_facts_beside_it(status_server: StatusServer) -> None:
    newer = newer_refusal()(unsafe_boundary={"cause": 77, "checkpoint_id": "c1", "replay_possible": True})
    details = status_of(
        Code.FAILED_PRECONDITION,
        "UNSAFE_BOUNDARY",
        newer.SerializeToString(),
        cause="CLOCK_SKEW",
        parents="CONVERSATION",
        remedy="REPLAY_FROM_BOUNDARY",
    )
    error = ending_of(status_server, Status(Code.FAILED_PRECONDITION, "said", (details,)))
    assert isinstance(error, fermata.UnsafeBoundaryError)
    assert (error.cause, error.checkpoint_id, error.replay_possible) == ("CLOCK_SKEW", "c1", True)


@pytest.mark.parametrize(
    ("code", "remedy", "retryable"),
    [
        (Code.FAILED_PRECONDITION, "RETRY_LATER", True),
        (Code.UNAVAILABLE, "FIX_REQUEST", False),
        (Code.UNAVAILABLE, "PRAY", True),
        (Code.FAILED_PRECONDITION, "PRAY", False),
        (Code.INVALID_ARGUMENT, "", False),
        (Code.UNAVAILABLE, "", True),
    ],
)
def test_without_a_known_parent_the_remedy_decides_and_else_the_code(
    status_server: StatusServer, code: grpc.StatusCode, remedy: str, retryable: bool
) -> None:
    details = status_of(code, "LEASE_LOST", parents="", remedy=remedy)
    error = ending_of(status_server, Status(code, "said", (details,)))
    assert type(error) is fermata.UnknownRefusal
    assert (error.reason, error.retryable) == ("LEASE_LOST", retryable)


FOREIGN = {
    Code.UNAVAILABLE: fermata.SidecarUnreachable,
    Code.DEADLINE_EXCEEDED: fermata.SidecarUnreachable,
    Code.CANCELLED: fermata.CallCancelled,
    Code.UNIMPLEMENTED: fermata.MethodNotAvailable,
    Code.RESOURCE_EXHAUSTED: fermata.MessageTooLarge,
    Code.INTERNAL: fermata.UnreadableMessage,
}
CODES = [code for code in Code if code is not Code.OK]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_a_status_without_our_details_is_foreign(status_server: StatusServer, code: grpc.StatusCode) -> None:
    error = ending_of(status_server, Status(code, "upstream connect error", trailers=(("server", "envoy"),)))
    assert type(error) is FOREIGN.get(code, fermata.ForeignStatus)
    assert (error.code, error.reason, error.remedy, dict(error.metadata)) == (code, "", "", {})


PLAIN = golden_statuses()[0].status


@pytest.mark.parametrize(
    "details",
    [
        (b"\xff\xff\xff\xff garbage",),
        (b"",),
        PLAIN.details * 2,
        (PLAIN.details[0][:-7],),
        (status_of(Code.FAILED_PRECONDITION, "X", domain="example.com"),),
        (
            status_pb2.Status(
                code=9, details=[any_pb2.Any(type_url="x/google.rpc.ErrorInfo", value=b"\xff")]
            ).SerializeToString(),
        ),
    ],
    ids=["garbage", "empty", "two", "cut", "another domain", "a detail of garbage"],
)
def test_details_that_are_not_wholly_ours_count_as_none(
    status_server: StatusServer, details: tuple[bytes, ...]
) -> None:
    error = ending_of(status_server, Status(Code.FAILED_PRECONDITION, "said", details))
    assert type(error) is fermata.ForeignStatus
    assert not error.retryable


@pytest.mark.parametrize("outer", [Code.UNAVAILABLE, Code.INTERNAL, Code.DEADLINE_EXCEEDED], ids=lambda code: code.name)
def test_a_code_that_was_changed_on_the_way_is_a_mismatch_and_no_outage(
    status_server: StatusServer, outer: grpc.StatusCode
) -> None:
    error = ending_of(status_server, Status(outer, "said", PLAIN.details))
    assert type(error) is fermata.StatusMismatch
    assert (error.code, error.reason, error.retryable) == (outer, "FORCED_TOOL_UNAVAILABLE", False)


@pytest.mark.parametrize("size", [3_000, 7_500, 9_000, 12_000])
def test_what_proxies_add_to_the_headers_loses_no_refusal(status_server: StatusServer, size: int) -> None:
    status = PLAIN._replace(trailers=(("padding", "x" * size),))
    assert isinstance(ending_of(status_server, status), fermata.ForcedToolUnavailable)


def test_a_header_list_above_every_limit_is_a_defined_class(status_server: StatusServer) -> None:
    error = ending_of(status_server, PLAIN._replace(trailers=(("padding", "x" * 40_000),)))
    assert isinstance(error, (fermata.ForeignStatus, fermata.StatusMismatch))


def test_an_answer_that_is_no_message_is_unreadable(status_server: StatusServer) -> None:
    status_server.answer = lambda method, request: b"\xff\xff\xff"
    with Fermata(status_server.target) as client, pytest.raises(fermata.UnreadableMessage):
        client.get_support_window()


def test_a_palette_without_an_offer_offers_nothing(status_server: StatusServer) -> None:
    status_server.answer = lambda method, request: b""
    with Fermata(status_server.target) as client, pytest.raises(fermata.BrokenPalette):
        client.resolve(["search"], on_unreachable="offer_all")
