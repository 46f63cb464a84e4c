"""Every golden status becomes its class, with the facts that TypeScript and Go read from the same file."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict

import fermata
from fermata import AsyncFermata, Fermata, FermataError, NameSample
from tests.servers import Golden, StatusServer, forced, golden_statuses

GOLDEN = golden_statuses()

# From design/clients.md: the origin's names and tree; every other leaf is called as its message.
NAMED = {
    "FORCED_TOOL_UNAVAILABLE": ("ForcedToolUnavailable", "ContractViolationError"),
    "FORCE_UNSUPPORTED_BY_TARGET": ("ForceUnsupportedByTarget", "ContractViolationError"),
    "OFFER_UNSUPPORTED_BY_TARGET": ("OfferUnsupportedByTarget", "ContractViolationError"),
    "UNSAFE_BOUNDARY": ("UnsafeBoundaryError", "ConversationServiceError"),
    "HORIZON_EXPIRED": ("ResumabilityHorizonExpiredError", "ConversationServiceError"),
    "ISSUANCE_FROZEN": ("IssuanceFrozenError", "ConversationServiceError"),
    "CHECKPOINT_FORMAT": ("CheckpointFormatError", "ConversationServiceError"),
    "SESSION_IDENTITY": ("SessionIdentityError", "ConversationServiceError"),
    "AMBIGUOUS_THREAD_KEY": ("AmbiguousThreadKeyError", "SessionIdentityError"),
    "TRANSCRIPT_UNAVAILABLE": ("TranscriptUnavailableError", "ConversationServiceError"),
    "HEAD_CONFLICT": ("HeadConflictError", "ConversationServiceError"),
    "INVALID_REQUEST": ("InvalidRequest", "FermataError"),
    "THREAD_NOT_FOUND": ("ThreadNotFound", "FermataError"),
    "CHECKPOINT_NOT_FOUND": ("CheckpointNotFound", "FermataError"),
    "FREEZE_NOT_FOUND": ("FreezeNotFound", "FermataError"),
    "REGISTRY_UNKNOWN": ("RegistryUnknown", "FermataError"),
    "IDEMPOTENCY_KEY_REUSED": ("IdempotencyKeyReused", "FermataError"),
    "UNAUTHENTICATED": ("Unauthenticated", "FermataError"),
    "CALLER_DENIED": ("CallerDenied", "FermataError"),
    "OVERLOADED": ("Overloaded", "FermataError"),
    "DEADLINE_EXCEEDED": ("DeadlineExceeded", "FermataError"),
    "FREEZE_PENDING": ("FreezePending", "FermataError"),
    "STORE_UNAVAILABLE": ("StoreUnavailable", "FermataError"),
    "STORE_NOT_CONFIGURED": ("StoreNotConfigured", "FermataError"),
    "SHUTTING_DOWN": ("ShuttingDown", "FermataError"),
    "INTERNAL": ("Internal", "FermataError"),
}


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    """The golden server of the TypeScript tests, where they started one; else one that sends the recorded bytes."""
    named = os.environ.get("FERMATA_GOLDEN")
    if named is not None:
        yield named
        return
    by_name = {golden.name: golden.status for golden in GOLDEN}
    server = StatusServer()
    server.answer = lambda method, request: by_name[forced(request)]
    yield server.target
    server.stop()


def test_each_leaf_of_the_file_has_a_class() -> None:
    assert {golden.entry["leaf"] for golden in GOLDEN} == set(NAMED)
    assert len(GOLDEN) > 100


def test_sync_raises_the_class_with_its_facts(target: str) -> None:
    with Fermata(target, options=[("grpc.enable_retries", 0)]) as client:
        for golden in GOLDEN:
            with pytest.raises(FermataError) as raised:
                client.resolve([], force=golden.name)
            check(raised.value, golden)


def test_asyncio_raises_the_class_with_its_facts(target: str) -> None:
    async def run() -> None:
        async with AsyncFermata(target, options=[("grpc.enable_retries", 0)]) as client:
            for golden in GOLDEN:
                with pytest.raises(FermataError) as raised:
                    await client.resolve([], force=golden.name)
                check(raised.value, golden)

    asyncio.run(run())


def check(error: FermataError, golden: Golden) -> None:
    """The whole of a status: class and parent, code, text, remedy, metadata, message, and each fact as its property."""
    entry = golden.entry
    name, parent = NAMED[entry["leaf"]]
    assert isinstance(error, getattr(fermata, parent))
    assert type(error) is getattr(fermata, name)
    assert (error.code.value[0], error.detail, error.reason) == (entry["code"], entry["text"], entry["leaf"])
    assert (error.remedy, dict(error.metadata)) == (entry["remedy"], entry["metadata"])
    assert error.retryable == (entry["remedy"] == "RETRY_LATER")
    assert error.cause == (entry.get("cause") or "")
    assert MessageToDict(error.refusal) == entry["facts"]
    for fact in entry["metadata"].keys() - {"parents", "remedy", "cause"}:
        assert getattr(error, fact) == expected_fact(error, fact, golden), fact


def expected_fact(error: FermataError, fact: str, golden: Golden) -> Any:
    """A fact as the golden file has it in JSON, in the type that its property promises."""
    facts = next(iter({**golden.entry["facts"], "remedy": None}.values()), None) or {}
    camel = fact.split("_")[0] + "".join(word.title() for word in fact.split("_")[1:])
    written: Any
    written, found = facts.get(camel), getattr(error, fact)
    if isinstance(found, NameSample):
        return NameSample(tuple((written or {}).get("names", ())), (written or {}).get("total", 0))
    if isinstance(found, timedelta):
        return timedelta(seconds=float(written.removesuffix("s")))
    if isinstance(found, datetime):
        return datetime.fromisoformat(written.replace("Z", "+00:00")).astimezone(timezone.utc)
    if fact == "violations":
        return tuple(
            fermata.InvalidRequest.Violation(*(each[key] for key in ("field", "rule", "description")))
            for each in written
        )
    if isinstance(found, tuple):
        return tuple(written or ())
    if isinstance(found, bool):
        return bool(written)
    if isinstance(found, int):
        return int(written or 0)
    if fact == "direction":
        return written.removeprefix("DIRECTION_")
    return written if found is None else (written or "")
