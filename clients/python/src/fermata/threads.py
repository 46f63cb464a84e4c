"""Which thread is meant, and what a host persists in it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from fermata._gen.conversation.v1.checkpoint_pb2 import Document, ThreadIdentity, ThreadRef


@dataclass(frozen=True)
class Tenant:
    """Whose threads a client is about. There is no default: without one the sidecar refuses."""

    tenant_id: str = ""
    sub_tenant_id: str | None = None


@dataclass(frozen=True)
class ThreadKey:
    """A thread by its exact key instead of its session. `claimed_tenant`: compared with the recorded one."""

    thread_key: str
    claimed_tenant: str | None = None


# A session id of the client's tenant, an identity of any tenant, a key, or the contract's own message.
Session = str | ThreadIdentity | ThreadKey | ThreadRef


def thread_of(tenant: Tenant, session: Session) -> ThreadRef:
    """The thread as the contract has it."""
    if isinstance(session, ThreadRef):
        return session
    if isinstance(session, ThreadKey):
        return ThreadRef(thread_key=session.thread_key, claimed_tenant_id=session.claimed_tenant)
    if isinstance(session, ThreadIdentity):
        return ThreadRef(identity=session)
    return ThreadRef(
        identity=ThreadIdentity(tenant_id=tenant.tenant_id, sub_tenant_id=tenant.sub_tenant_id, session_id=session)
    )


def key_of(tenant: Tenant, session: Session) -> dict[str, Any]:
    """The thread of a write: the members `identity` or `thread_key` of its request."""
    thread = thread_of(tenant, session)
    if thread.WhichOneof("by") == "thread_key":
        return {"thread_key": thread.thread_key}
    return {"identity": thread.identity}


def listed_of(tenant: Tenant, session: Session | None, format: str | None, remaining_of: str | None) -> dict[str, Any]:
    """Which checkpoints are meant: what is named, else all of the tenant."""
    named = {
        "thread": None if session is None else thread_of(tenant, session),
        "format": format,
        "remaining_of_freeze_id": remaining_of,
    }
    given = {name: value for name, value in named.items() if value is not None}
    if len(given) > 1:
        raise TypeError(f"name one of {', '.join(given)}")
    return given or {"tenant_id": tenant.tenant_id}


def timestamp(moment: datetime | None) -> Timestamp | None:
    """An instant as the contract has it; one without a zone is taken as UTC."""
    if moment is None:
        return None
    made = Timestamp()
    made.FromDatetime(moment)
    return made


def document(format: str, content: Any) -> Document:
    """A document of a format (`openai-chat/1`): text and bytes as they are, anything else as compact JSON."""
    if isinstance(content, bytes):
        return Document(format=format, binary=content)
    if isinstance(content, str):
        return Document(format=format, text=content)
    return Document(format=format, text=json.dumps(content, ensure_ascii=False, separators=(",", ":")))


def content_of(stored: Document) -> Any:
    """What `document` was given: the bytes, or the text read as JSON where it is JSON, else the text."""
    if stored.WhichOneof("content") == "binary":
        return stored.binary
    try:
        return json.loads(stored.text)
    except ValueError:
        return stored.text
