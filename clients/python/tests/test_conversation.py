"""The façade's own calls about conversations against the real sidecar.

From a first checkpoint to a registered replay.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

import pytest

import fermata
from fermata import AsyncFermata, Fermata, ThreadKey, content_of, document
from fermata.messages import FreezeScope, IssuanceState, Skill
from fermata.testing import Sidecar

FORMAT = "openai-chat/1"
ASKED: list[dict[str, Any]] = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
CALL = {"id": "call_1", "type": "function", "function": {"name": "mail", "arguments": "{}"}}
CRASHED = [*ASKED, {"role": "user", "content": "mail it"}, {"role": "assistant", "content": None, "tool_calls": [CALL]}]


@pytest.fixture
def tenant() -> str:
    """A tenant of its own for each test."""
    return f"t{uuid.uuid4().hex}"


@pytest.fixture
def f(fermata_sidecar: Sidecar, tenant: str) -> Iterator[Fermata]:
    """A client for that tenant."""
    with Fermata(fermata_sidecar.target, tenant=tenant) as made:
        yield made


def test_what_was_issued_comes_back(f: Fermata, tenant: str) -> None:
    stored = f.issue("s1", document(FORMAT, ASKED))
    assert (stored.boundary.entries, stored.checkpoint.ref.sequence) == (2, 1)
    resumed = f.resume("s1")
    assert content_of(resumed.document) == ASKED
    assert resumed.issuance == IssuanceState.ISSUANCE_STATE_OPEN
    key = f.derive_thread_key("s1")
    assert key == f"{tenant}:_:s1"
    assert f.resume(ThreadKey(key)).document == resumed.document
    recovery = f.recover("s1")
    assert (recovery.document, recovery.head) == (resumed.document, stored.checkpoint.ref.checkpoint_id)


def test_binary_comes_back_as_binary(f: Fermata) -> None:
    with pytest.raises(fermata.CheckpointFormatError):
        f.issue("s1", document(FORMAT, b"\x00\xff"))
    assert content_of(document(FORMAT, b"\x00\xff")) == b"\x00\xff"


def test_a_thread_needs_a_tenant(fermata_sidecar: Sidecar) -> None:
    with Fermata(fermata_sidecar.target) as client, pytest.raises(fermata.SessionIdentityError) as raised:
        client.resume("s1")
    assert (raised.value.cause, raised.value.field) == ("EMPTY", "tenant_id")


def test_two_writers_get_one_winner(f: Fermata) -> None:
    first = f.issue("s1", document(FORMAT, ASKED)).checkpoint.ref.checkpoint_id
    second = f.issue("s1", document(FORMAT, CRASHED), expected_head=first)
    with pytest.raises(fermata.HeadConflictError) as raised:
        f.issue("s1", document(FORMAT, [*ASKED, *ASKED]), expected_head=first)
    assert raised.value.actual_head == second.checkpoint.ref.checkpoint_id
    assert raised.value.remedy == "RESUME_FROM_ACTUAL_HEAD" and not raised.value.retryable


def test_judge_says_what_resume_would(f: Fermata) -> None:
    assert f.judge(document(FORMAT, ASKED)).boundary.entries == 2
    with pytest.raises(fermata.UnsafeBoundaryError) as raised:
        f.judge(document(FORMAT, CRASHED))
    assert (raised.value.cause, raised.value.last_safe_position) == ("DANGLING_TOOL_CALL", 2)


def test_what_is_stored_can_be_listed(f: Fermata) -> None:
    head = None
    for turn in range(5):
        stored = f.issue("s1", document(FORMAT, ASKED * (turn + 1)), expected_head=head)
        head = stored.checkpoint.ref.checkpoint_id
    assert [each.ref.sequence for each in f.list_checkpoints("s1", page_size=2)] == [1, 2, 3, 4, 5]
    assert len(list(f.list_checkpoints())) == 5
    assert f.get_checkpoint("s1").ref.checkpoint_id == head


def test_a_transcript_has_its_times(f: Fermata) -> None:
    f.issue("s1", document(FORMAT, ASKED))
    entries = f.get_transcript("s1", page_size=1)
    assert [(each.kind, each.json()["role"]) for each in entries] == [("USER", "user"), ("ASSISTANT", "assistant")]
    assert {each.record_time for each in entries} == {datetime(2027, 1, 1, tzinfo=timezone.utc)}


def test_recover_after_a_crash_in_the_middle_of_a_tool_call(f: Fermata) -> None:
    first = f.issue("s1", document(FORMAT, ASKED)).checkpoint.ref.checkpoint_id
    crashed = f.issue("s1", document(FORMAT, CRASHED), expected_head=first)
    recovery = f.recover("s1")
    assert recovery.head == crashed.checkpoint.ref.checkpoint_id
    assert [each.json() for each in recovery.prefix] == ASKED
    assert [each.json()["content"] for each in recovery.re_drive] == ["mail it"]
    assert recovery.in_doubt == ("call_1",)
    driven = [*CRASHED[:3], {"role": "assistant", "content": "I asked: it was sent."}]
    registered = recovery.register(document(FORMAT, driven))
    assert registered.checkpoint.source_checkpoint_id == recovery.head
    assert content_of(f.resume("s1").document) == driven


def test_recover_in_asyncio(fermata_sidecar: Sidecar, f: Fermata, tenant: str) -> None:

    async def run() -> None:
        async with AsyncFermata(fermata_sidecar.target, tenant=tenant) as client:
            first = (await client.issue("s1", document(FORMAT, ASKED))).checkpoint.ref.checkpoint_id
            await client.issue("s1", document(FORMAT, CRASHED), expected_head=first)
            recovery = await client.recover("s1")
            await recovery.register(document(FORMAT, [*CRASHED[:3], ASKED[1]]))
            assert len(content_of((await client.resume("s1")).document)) == 4
            assert [each.ref.sequence async for each in client.list_checkpoints("s1")] == [1, 2, 3]

    asyncio.run(run())


def test_an_operator_freezes_and_thaws(f: Fermata, tenant: str) -> None:
    f.issue("s1", document(FORMAT, ASKED))
    by: Any = {"actor": "ops", "reason": "test"}
    f.freeze(f"hold-{tenant}", FreezeScope(tenant_id=tenant), **by)
    with pytest.raises(fermata.IssuanceFrozenError) as raised:
        f.issue("s2", document(FORMAT, ASKED))
    assert (raised.value.freeze_id, raised.value.cause) == (f"hold-{tenant}", "NEW_STATE")
    assert f"hold-{tenant}" in [hold.freeze_id for hold in f.list_freezes()]
    drain = f.get_drain(f"hold-{tenant}")
    assert (drain.at_freeze, drain.remaining) == (1, 1)
    f.thaw(f"hold-{tenant}", **by)
    with pytest.raises(fermata.FreezeNotFound):
        f.get_drain(f"hold-{tenant}")


def test_an_operator_watches_a_drain(f: Fermata, tenant: str) -> None:
    by: Any = {"actor": "ops", "reason": "test"}
    f.freeze(f"hold-{tenant}", FreezeScope(tenant_id=tenant), **by)
    drains = f.watch_drain(f"hold-{tenant}", deadline=20)
    assert next(drains).freeze_id == f"hold-{tenant}"
    drains.close()  # type: ignore[attr-defined]
    f.thaw(f"hold-{tenant}", **by)


def test_an_operator_discards_and_erases(f: Fermata) -> None:
    by: Any = {"actor": "ops", "reason": "test"}
    stored = f.issue("s1", document(FORMAT, ASKED))
    f.discard(stored.checkpoint.ref.checkpoint_id, **by)
    with pytest.raises(fermata.CheckpointNotFound):
        f.resume("s1")
    assert f.erase("s1", dry_run=True, **by).threads == 1
    f.erase(**by)
    with pytest.raises(fermata.ThreadNotFound):
        f.resume("s1")


def test_a_legacy_row_is_adopted_and_attributed(f: Fermata, tenant: str) -> None:
    written = datetime(2026, 1, 1, tzinfo=timezone.utc)
    key = f"{tenant}:_:a:b"
    adopted = f.adopt(ThreadKey(key), document(FORMAT, ASKED), derivation="symfonic/9", written_time=written)
    assert adopted.checkpoint.ref.quarantined
    with pytest.raises(fermata.AmbiguousThreadKeyError) as raised:
        f.resume("a:b")
    assert (raised.value.cause, raised.value.direction, raised.value.resumable) == ("ATTRIBUTE", "ATTRIBUTE", True)
    assert content_of(f.resume(ThreadKey(key)).document) == ASKED
    head = f.attribute(key, tenant, actor="ops", reason="found it", session_id="a:b")
    assert head.tenant_id == tenant
    assert content_of(f.resume("a:b").document) == ASKED


def test_a_service_that_is_not_built_is_a_class_of_its_own(f: Fermata) -> None:
    with pytest.raises(fermata.MethodNotAvailable):
        f.put_skills([Skill(skill_id="mail", content="how to mail", action_tool="mail")])


def test_the_support_window_is_published(f: Fermata) -> None:
    assert FORMAT in [each.format for each in f.get_support_window().formats]
