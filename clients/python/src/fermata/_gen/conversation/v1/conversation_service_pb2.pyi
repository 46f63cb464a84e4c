from fermata._gen.conversation.v1 import checkpoint_pb2 as _checkpoint_pb2
from fermata._gen.conversation.v1 import freeze_pb2 as _freeze_pb2
from fermata._gen.conversation.v1 import transcript_pb2 as _transcript_pb2
from fermata._gen.refusal.v1 import refusal_pb2 as _refusal_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ResumeRequest(_message.Message):
    __slots__ = ("thread", "checkpoint_id")
    THREAD_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    thread: _checkpoint_pb2.ThreadRef
    checkpoint_id: str
    def __init__(self, thread: _Optional[_Union[_checkpoint_pb2.ThreadRef, _Mapping]] = ..., checkpoint_id: _Optional[str] = ...) -> None: ...

class ResumeResponse(_message.Message):
    __slots__ = ("checkpoint", "document", "boundary", "issuance")
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_FIELD_NUMBER: _ClassVar[int]
    ISSUANCE_FIELD_NUMBER: _ClassVar[int]
    checkpoint: _checkpoint_pb2.Checkpoint
    document: _checkpoint_pb2.Document
    boundary: _checkpoint_pb2.Boundary
    issuance: _freeze_pb2.IssuanceState
    def __init__(self, checkpoint: _Optional[_Union[_checkpoint_pb2.Checkpoint, _Mapping]] = ..., document: _Optional[_Union[_checkpoint_pb2.Document, _Mapping]] = ..., boundary: _Optional[_Union[_checkpoint_pb2.Boundary, _Mapping]] = ..., issuance: _Optional[_Union[_freeze_pb2.IssuanceState, str]] = ...) -> None: ...

class ReplayRequest(_message.Message):
    __slots__ = ("thread", "checkpoint_id", "after_position")
    THREAD_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_POSITION_FIELD_NUMBER: _ClassVar[int]
    thread: _checkpoint_pb2.ThreadRef
    checkpoint_id: str
    after_position: int
    def __init__(self, thread: _Optional[_Union[_checkpoint_pb2.ThreadRef, _Mapping]] = ..., checkpoint_id: _Optional[str] = ..., after_position: _Optional[int] = ...) -> None: ...

class ReplayHeader(_message.Message):
    __slots__ = ("replay_id", "source", "boundary", "prefix_entries", "tail_entries")
    REPLAY_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_FIELD_NUMBER: _ClassVar[int]
    PREFIX_ENTRIES_FIELD_NUMBER: _ClassVar[int]
    TAIL_ENTRIES_FIELD_NUMBER: _ClassVar[int]
    replay_id: str
    source: _checkpoint_pb2.Checkpoint
    boundary: _checkpoint_pb2.Boundary
    prefix_entries: int
    tail_entries: int
    def __init__(self, replay_id: _Optional[str] = ..., source: _Optional[_Union[_checkpoint_pb2.Checkpoint, _Mapping]] = ..., boundary: _Optional[_Union[_checkpoint_pb2.Boundary, _Mapping]] = ..., prefix_entries: _Optional[int] = ..., tail_entries: _Optional[int] = ...) -> None: ...

class ReplayEntry(_message.Message):
    __slots__ = ("zone", "entry", "in_doubt_call_ids")
    ZONE_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    IN_DOUBT_CALL_IDS_FIELD_NUMBER: _ClassVar[int]
    zone: _transcript_pb2.ReplayZone
    entry: _transcript_pb2.TranscriptEntry
    in_doubt_call_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, zone: _Optional[_Union[_transcript_pb2.ReplayZone, str]] = ..., entry: _Optional[_Union[_transcript_pb2.TranscriptEntry, _Mapping]] = ..., in_doubt_call_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ReplayEntries(_message.Message):
    __slots__ = ("entries",)
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[ReplayEntry]
    def __init__(self, entries: _Optional[_Iterable[_Union[ReplayEntry, _Mapping]]] = ...) -> None: ...

class ReplayTrailer(_message.Message):
    __slots__ = ("entries", "digest")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    entries: int
    digest: bytes
    def __init__(self, entries: _Optional[int] = ..., digest: _Optional[bytes] = ...) -> None: ...

class ReplayResponse(_message.Message):
    __slots__ = ("header", "entries", "trailer")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    TRAILER_FIELD_NUMBER: _ClassVar[int]
    header: ReplayHeader
    entries: ReplayEntries
    trailer: ReplayTrailer
    def __init__(self, header: _Optional[_Union[ReplayHeader, _Mapping]] = ..., entries: _Optional[_Union[ReplayEntries, _Mapping]] = ..., trailer: _Optional[_Union[ReplayTrailer, _Mapping]] = ...) -> None: ...

class IssueRequest(_message.Message):
    __slots__ = ("identity", "thread_key", "document", "expected_head", "idempotency_key", "host", "boundary_proof")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    THREAD_KEY_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_HEAD_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_PROOF_FIELD_NUMBER: _ClassVar[int]
    identity: _checkpoint_pb2.ThreadIdentity
    thread_key: str
    document: _checkpoint_pb2.Document
    expected_head: str
    idempotency_key: str
    host: _checkpoint_pb2.Host
    boundary_proof: str
    def __init__(self, identity: _Optional[_Union[_checkpoint_pb2.ThreadIdentity, _Mapping]] = ..., thread_key: _Optional[str] = ..., document: _Optional[_Union[_checkpoint_pb2.Document, _Mapping]] = ..., expected_head: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., host: _Optional[_Union[_checkpoint_pb2.Host, _Mapping]] = ..., boundary_proof: _Optional[str] = ...) -> None: ...

class IssueResponse(_message.Message):
    __slots__ = ("checkpoint", "boundary", "first_answer_repeated", "mid_frame")
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_FIELD_NUMBER: _ClassVar[int]
    FIRST_ANSWER_REPEATED_FIELD_NUMBER: _ClassVar[int]
    MID_FRAME_FIELD_NUMBER: _ClassVar[int]
    checkpoint: _checkpoint_pb2.Checkpoint
    boundary: _checkpoint_pb2.Boundary
    first_answer_repeated: bool
    mid_frame: _refusal_pb2.UnsafeBoundary
    def __init__(self, checkpoint: _Optional[_Union[_checkpoint_pb2.Checkpoint, _Mapping]] = ..., boundary: _Optional[_Union[_checkpoint_pb2.Boundary, _Mapping]] = ..., first_answer_repeated: _Optional[bool] = ..., mid_frame: _Optional[_Union[_refusal_pb2.UnsafeBoundary, _Mapping]] = ...) -> None: ...

class RegisterReplayRequest(_message.Message):
    __slots__ = ("replay_id", "source_checkpoint_id", "document", "expected_head", "idempotency_key", "host", "boundary_proof")
    REPLAY_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_HEAD_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_PROOF_FIELD_NUMBER: _ClassVar[int]
    replay_id: str
    source_checkpoint_id: str
    document: _checkpoint_pb2.Document
    expected_head: str
    idempotency_key: str
    host: _checkpoint_pb2.Host
    boundary_proof: str
    def __init__(self, replay_id: _Optional[str] = ..., source_checkpoint_id: _Optional[str] = ..., document: _Optional[_Union[_checkpoint_pb2.Document, _Mapping]] = ..., expected_head: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., host: _Optional[_Union[_checkpoint_pb2.Host, _Mapping]] = ..., boundary_proof: _Optional[str] = ...) -> None: ...

class RegisterReplayResponse(_message.Message):
    __slots__ = ("checkpoint", "first_answer_repeated", "boundary")
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    FIRST_ANSWER_REPEATED_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_FIELD_NUMBER: _ClassVar[int]
    checkpoint: _checkpoint_pb2.Checkpoint
    first_answer_repeated: bool
    boundary: _checkpoint_pb2.Boundary
    def __init__(self, checkpoint: _Optional[_Union[_checkpoint_pb2.Checkpoint, _Mapping]] = ..., first_answer_repeated: _Optional[bool] = ..., boundary: _Optional[_Union[_checkpoint_pb2.Boundary, _Mapping]] = ...) -> None: ...

class AdoptRequest(_message.Message):
    __slots__ = ("identity", "thread_key", "document", "derivation", "idempotency_key", "written_time", "boundary_proof", "host")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    THREAD_KEY_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    DERIVATION_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_TIME_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_PROOF_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    identity: _checkpoint_pb2.ThreadIdentity
    thread_key: str
    document: _checkpoint_pb2.Document
    derivation: str
    idempotency_key: str
    written_time: _timestamp_pb2.Timestamp
    boundary_proof: str
    host: _checkpoint_pb2.Host
    def __init__(self, identity: _Optional[_Union[_checkpoint_pb2.ThreadIdentity, _Mapping]] = ..., thread_key: _Optional[str] = ..., document: _Optional[_Union[_checkpoint_pb2.Document, _Mapping]] = ..., derivation: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., written_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., boundary_proof: _Optional[str] = ..., host: _Optional[_Union[_checkpoint_pb2.Host, _Mapping]] = ...) -> None: ...

class AdoptResponse(_message.Message):
    __slots__ = ("checkpoint", "first_answer_repeated", "boundary")
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    FIRST_ANSWER_REPEATED_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_FIELD_NUMBER: _ClassVar[int]
    checkpoint: _checkpoint_pb2.Checkpoint
    first_answer_repeated: bool
    boundary: _checkpoint_pb2.Boundary
    def __init__(self, checkpoint: _Optional[_Union[_checkpoint_pb2.Checkpoint, _Mapping]] = ..., first_answer_repeated: _Optional[bool] = ..., boundary: _Optional[_Union[_checkpoint_pb2.Boundary, _Mapping]] = ...) -> None: ...

class JudgeRequest(_message.Message):
    __slots__ = ("document", "boundary_proof")
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_PROOF_FIELD_NUMBER: _ClassVar[int]
    document: _checkpoint_pb2.Document
    boundary_proof: str
    def __init__(self, document: _Optional[_Union[_checkpoint_pb2.Document, _Mapping]] = ..., boundary_proof: _Optional[str] = ...) -> None: ...

class JudgeResponse(_message.Message):
    __slots__ = ("boundary", "format", "supported_until")
    BOUNDARY_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    SUPPORTED_UNTIL_FIELD_NUMBER: _ClassVar[int]
    boundary: _checkpoint_pb2.Boundary
    format: str
    supported_until: _timestamp_pb2.Timestamp
    def __init__(self, boundary: _Optional[_Union[_checkpoint_pb2.Boundary, _Mapping]] = ..., format: _Optional[str] = ..., supported_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DeriveThreadKeyRequest(_message.Message):
    __slots__ = ("identity",)
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    identity: _checkpoint_pb2.ThreadIdentity
    def __init__(self, identity: _Optional[_Union[_checkpoint_pb2.ThreadIdentity, _Mapping]] = ...) -> None: ...

class DeriveThreadKeyResponse(_message.Message):
    __slots__ = ("thread_key", "derivation")
    THREAD_KEY_FIELD_NUMBER: _ClassVar[int]
    DERIVATION_FIELD_NUMBER: _ClassVar[int]
    thread_key: str
    derivation: str
    def __init__(self, thread_key: _Optional[str] = ..., derivation: _Optional[str] = ...) -> None: ...

class AttributeRequest(_message.Message):
    __slots__ = ("thread_key", "tenant_id", "actor", "reason", "ticket", "sub_tenant_id", "session_id", "supersedes")
    THREAD_KEY_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TICKET_FIELD_NUMBER: _ClassVar[int]
    SUB_TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDES_FIELD_NUMBER: _ClassVar[int]
    thread_key: str
    tenant_id: str
    actor: str
    reason: str
    ticket: str
    sub_tenant_id: str
    session_id: str
    supersedes: str
    def __init__(self, thread_key: _Optional[str] = ..., tenant_id: _Optional[str] = ..., actor: _Optional[str] = ..., reason: _Optional[str] = ..., ticket: _Optional[str] = ..., sub_tenant_id: _Optional[str] = ..., session_id: _Optional[str] = ..., supersedes: _Optional[str] = ...) -> None: ...

class AttributeResponse(_message.Message):
    __slots__ = ("head",)
    HEAD_FIELD_NUMBER: _ClassVar[int]
    head: _checkpoint_pb2.CheckpointRef
    def __init__(self, head: _Optional[_Union[_checkpoint_pb2.CheckpointRef, _Mapping]] = ...) -> None: ...

class DiscardRequest(_message.Message):
    __slots__ = ("checkpoint_id", "actor", "reason")
    CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    checkpoint_id: str
    actor: str
    reason: str
    def __init__(self, checkpoint_id: _Optional[str] = ..., actor: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class DiscardResponse(_message.Message):
    __slots__ = ("checkpoint",)
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    checkpoint: _checkpoint_pb2.Checkpoint
    def __init__(self, checkpoint: _Optional[_Union[_checkpoint_pb2.Checkpoint, _Mapping]] = ...) -> None: ...

class EraseRequest(_message.Message):
    __slots__ = ("thread", "tenant_id", "actor", "reason", "dry_run")
    THREAD_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    thread: _checkpoint_pb2.ThreadRef
    tenant_id: str
    actor: str
    reason: str
    dry_run: bool
    def __init__(self, thread: _Optional[_Union[_checkpoint_pb2.ThreadRef, _Mapping]] = ..., tenant_id: _Optional[str] = ..., actor: _Optional[str] = ..., reason: _Optional[str] = ..., dry_run: _Optional[bool] = ...) -> None: ...

class EraseResponse(_message.Message):
    __slots__ = ("threads", "checkpoints")
    THREADS_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINTS_FIELD_NUMBER: _ClassVar[int]
    threads: int
    checkpoints: int
    def __init__(self, threads: _Optional[int] = ..., checkpoints: _Optional[int] = ...) -> None: ...

class FreezeRequest(_message.Message):
    __slots__ = ("freeze_id", "scope", "actor", "reason")
    FREEZE_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    freeze_id: str
    scope: _freeze_pb2.FreezeScope
    actor: str
    reason: str
    def __init__(self, freeze_id: _Optional[str] = ..., scope: _Optional[_Union[_freeze_pb2.FreezeScope, _Mapping]] = ..., actor: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class FreezeResponse(_message.Message):
    __slots__ = ("state", "epoch", "store_id", "freeze_time")
    STATE_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    STORE_ID_FIELD_NUMBER: _ClassVar[int]
    FREEZE_TIME_FIELD_NUMBER: _ClassVar[int]
    state: _freeze_pb2.FreezeState
    epoch: int
    store_id: str
    freeze_time: _timestamp_pb2.Timestamp
    def __init__(self, state: _Optional[_Union[_freeze_pb2.FreezeState, str]] = ..., epoch: _Optional[int] = ..., store_id: _Optional[str] = ..., freeze_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ThawRequest(_message.Message):
    __slots__ = ("freeze_id", "actor", "reason")
    FREEZE_ID_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    freeze_id: str
    actor: str
    reason: str
    def __init__(self, freeze_id: _Optional[str] = ..., actor: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ThawResponse(_message.Message):
    __slots__ = ("epoch", "issuance")
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    ISSUANCE_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    issuance: _freeze_pb2.IssuanceState
    def __init__(self, epoch: _Optional[int] = ..., issuance: _Optional[_Union[_freeze_pb2.IssuanceState, str]] = ...) -> None: ...

class GetDrainRequest(_message.Message):
    __slots__ = ("freeze_id", "scope")
    FREEZE_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    freeze_id: str
    scope: _freeze_pb2.FreezeScope
    def __init__(self, freeze_id: _Optional[str] = ..., scope: _Optional[_Union[_freeze_pb2.FreezeScope, _Mapping]] = ...) -> None: ...

class GetDrainResponse(_message.Message):
    __slots__ = ("drain",)
    DRAIN_FIELD_NUMBER: _ClassVar[int]
    drain: _freeze_pb2.Drain
    def __init__(self, drain: _Optional[_Union[_freeze_pb2.Drain, _Mapping]] = ...) -> None: ...

class WatchDrainRequest(_message.Message):
    __slots__ = ("freeze_id",)
    FREEZE_ID_FIELD_NUMBER: _ClassVar[int]
    freeze_id: str
    def __init__(self, freeze_id: _Optional[str] = ...) -> None: ...

class WatchDrainResponse(_message.Message):
    __slots__ = ("drain",)
    DRAIN_FIELD_NUMBER: _ClassVar[int]
    drain: _freeze_pb2.Drain
    def __init__(self, drain: _Optional[_Union[_freeze_pb2.Drain, _Mapping]] = ...) -> None: ...

class ActiveFreeze(_message.Message):
    __slots__ = ("freeze_id", "scope", "actor", "reason", "freeze_time", "epoch", "closing")
    FREEZE_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    FREEZE_TIME_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    CLOSING_FIELD_NUMBER: _ClassVar[int]
    freeze_id: str
    scope: _freeze_pb2.FreezeScope
    actor: str
    reason: str
    freeze_time: _timestamp_pb2.Timestamp
    epoch: int
    closing: bool
    def __init__(self, freeze_id: _Optional[str] = ..., scope: _Optional[_Union[_freeze_pb2.FreezeScope, _Mapping]] = ..., actor: _Optional[str] = ..., reason: _Optional[str] = ..., freeze_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., epoch: _Optional[int] = ..., closing: _Optional[bool] = ...) -> None: ...

class ListFreezesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListFreezesResponse(_message.Message):
    __slots__ = ("freezes",)
    FREEZES_FIELD_NUMBER: _ClassVar[int]
    freezes: _containers.RepeatedCompositeFieldContainer[ActiveFreeze]
    def __init__(self, freezes: _Optional[_Iterable[_Union[ActiveFreeze, _Mapping]]] = ...) -> None: ...

class GetTranscriptRequest(_message.Message):
    __slots__ = ("thread", "after_position", "page_size", "kinds")
    THREAD_FIELD_NUMBER: _ClassVar[int]
    AFTER_POSITION_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    thread: _checkpoint_pb2.ThreadRef
    after_position: int
    page_size: int
    kinds: _containers.RepeatedScalarFieldContainer[_transcript_pb2.EntryKind]
    def __init__(self, thread: _Optional[_Union[_checkpoint_pb2.ThreadRef, _Mapping]] = ..., after_position: _Optional[int] = ..., page_size: _Optional[int] = ..., kinds: _Optional[_Iterable[_Union[_transcript_pb2.EntryKind, str]]] = ...) -> None: ...

class GetTranscriptResponse(_message.Message):
    __slots__ = ("entries", "end")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_transcript_pb2.TranscriptEntry]
    end: bool
    def __init__(self, entries: _Optional[_Iterable[_Union[_transcript_pb2.TranscriptEntry, _Mapping]]] = ..., end: _Optional[bool] = ...) -> None: ...

class GetCheckpointRequest(_message.Message):
    __slots__ = ("thread", "checkpoint_id")
    THREAD_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    thread: _checkpoint_pb2.ThreadRef
    checkpoint_id: str
    def __init__(self, thread: _Optional[_Union[_checkpoint_pb2.ThreadRef, _Mapping]] = ..., checkpoint_id: _Optional[str] = ...) -> None: ...

class GetCheckpointResponse(_message.Message):
    __slots__ = ("checkpoint",)
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    checkpoint: _checkpoint_pb2.Checkpoint
    def __init__(self, checkpoint: _Optional[_Union[_checkpoint_pb2.Checkpoint, _Mapping]] = ...) -> None: ...

class ListCheckpointsRequest(_message.Message):
    __slots__ = ("thread", "tenant_id", "format", "remaining_of_freeze_id", "page_size", "page_token")
    THREAD_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    REMAINING_OF_FREEZE_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    thread: _checkpoint_pb2.ThreadRef
    tenant_id: str
    format: str
    remaining_of_freeze_id: str
    page_size: int
    page_token: str
    def __init__(self, thread: _Optional[_Union[_checkpoint_pb2.ThreadRef, _Mapping]] = ..., tenant_id: _Optional[str] = ..., format: _Optional[str] = ..., remaining_of_freeze_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCheckpointsResponse(_message.Message):
    __slots__ = ("checkpoints", "next_page_token")
    CHECKPOINTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    checkpoints: _containers.RepeatedCompositeFieldContainer[_checkpoint_pb2.Checkpoint]
    next_page_token: str
    def __init__(self, checkpoints: _Optional[_Iterable[_Union[_checkpoint_pb2.Checkpoint, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SupportedFormat(_message.Message):
    __slots__ = ("format", "status", "supported_until", "replay_until", "support_route", "boundary_proofs")
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SUPPORTED_UNTIL_FIELD_NUMBER: _ClassVar[int]
    REPLAY_UNTIL_FIELD_NUMBER: _ClassVar[int]
    SUPPORT_ROUTE_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_PROOFS_FIELD_NUMBER: _ClassVar[int]
    format: str
    status: str
    supported_until: _timestamp_pb2.Timestamp
    replay_until: _timestamp_pb2.Timestamp
    support_route: str
    boundary_proofs: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, format: _Optional[str] = ..., status: _Optional[str] = ..., supported_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., replay_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., support_route: _Optional[str] = ..., boundary_proofs: _Optional[_Iterable[str]] = ...) -> None: ...

class GetSupportWindowRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetSupportWindowResponse(_message.Message):
    __slots__ = ("formats", "support_route", "server_version", "store_id", "config_digest")
    FORMATS_FIELD_NUMBER: _ClassVar[int]
    SUPPORT_ROUTE_FIELD_NUMBER: _ClassVar[int]
    SERVER_VERSION_FIELD_NUMBER: _ClassVar[int]
    STORE_ID_FIELD_NUMBER: _ClassVar[int]
    CONFIG_DIGEST_FIELD_NUMBER: _ClassVar[int]
    formats: _containers.RepeatedCompositeFieldContainer[SupportedFormat]
    support_route: str
    server_version: str
    store_id: str
    config_digest: str
    def __init__(self, formats: _Optional[_Iterable[_Union[SupportedFormat, _Mapping]]] = ..., support_route: _Optional[str] = ..., server_version: _Optional[str] = ..., store_id: _Optional[str] = ..., config_digest: _Optional[str] = ...) -> None: ...
