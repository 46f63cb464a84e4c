from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Origin(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ORIGIN_UNSPECIFIED: _ClassVar[Origin]
    ORIGIN_ISSUED: _ClassVar[Origin]
    ORIGIN_REPLAYED: _ClassVar[Origin]
    ORIGIN_ADOPTED: _ClassVar[Origin]

class BoundaryKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BOUNDARY_KIND_UNSPECIFIED: _ClassVar[BoundaryKind]
    BOUNDARY_KIND_EMPTY: _ClassVar[BoundaryKind]
    BOUNDARY_KIND_TURN_COMPLETE: _ClassVar[BoundaryKind]
    BOUNDARY_KIND_DECLARED: _ClassVar[BoundaryKind]
    BOUNDARY_KIND_AWAITING_INPUT: _ClassVar[BoundaryKind]
    BOUNDARY_KIND_CALLS_ANSWERED: _ClassVar[BoundaryKind]

class CheckpointState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHECKPOINT_STATE_UNSPECIFIED: _ClassVar[CheckpointState]
    CHECKPOINT_STATE_ACTIVE: _ClassVar[CheckpointState]
    CHECKPOINT_STATE_RETIRED: _ClassVar[CheckpointState]
    CHECKPOINT_STATE_DISCARDED: _ClassVar[CheckpointState]
    CHECKPOINT_STATE_PRUNED: _ClassVar[CheckpointState]
ORIGIN_UNSPECIFIED: Origin
ORIGIN_ISSUED: Origin
ORIGIN_REPLAYED: Origin
ORIGIN_ADOPTED: Origin
BOUNDARY_KIND_UNSPECIFIED: BoundaryKind
BOUNDARY_KIND_EMPTY: BoundaryKind
BOUNDARY_KIND_TURN_COMPLETE: BoundaryKind
BOUNDARY_KIND_DECLARED: BoundaryKind
BOUNDARY_KIND_AWAITING_INPUT: BoundaryKind
BOUNDARY_KIND_CALLS_ANSWERED: BoundaryKind
CHECKPOINT_STATE_UNSPECIFIED: CheckpointState
CHECKPOINT_STATE_ACTIVE: CheckpointState
CHECKPOINT_STATE_RETIRED: CheckpointState
CHECKPOINT_STATE_DISCARDED: CheckpointState
CHECKPOINT_STATE_PRUNED: CheckpointState

class ThreadIdentity(_message.Message):
    __slots__ = ("tenant_id", "sub_tenant_id", "session_id")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SUB_TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    sub_tenant_id: str
    session_id: str
    def __init__(self, tenant_id: _Optional[str] = ..., sub_tenant_id: _Optional[str] = ..., session_id: _Optional[str] = ...) -> None: ...

class ThreadRef(_message.Message):
    __slots__ = ("identity", "thread_key", "claimed_tenant_id")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    THREAD_KEY_FIELD_NUMBER: _ClassVar[int]
    CLAIMED_TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    identity: ThreadIdentity
    thread_key: str
    claimed_tenant_id: str
    def __init__(self, identity: _Optional[_Union[ThreadIdentity, _Mapping]] = ..., thread_key: _Optional[str] = ..., claimed_tenant_id: _Optional[str] = ...) -> None: ...

class Document(_message.Message):
    __slots__ = ("format", "text", "binary")
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    BINARY_FIELD_NUMBER: _ClassVar[int]
    format: str
    text: str
    binary: bytes
    def __init__(self, format: _Optional[str] = ..., text: _Optional[str] = ..., binary: _Optional[bytes] = ...) -> None: ...

class Host(_message.Message):
    __slots__ = ("runtime", "version", "model")
    RUNTIME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    runtime: str
    version: str
    model: str
    def __init__(self, runtime: _Optional[str] = ..., version: _Optional[str] = ..., model: _Optional[str] = ...) -> None: ...

class CheckpointRef(_message.Message):
    __slots__ = ("checkpoint_id", "thread_key", "tenant_id", "sequence", "quarantined")
    CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    THREAD_KEY_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    QUARANTINED_FIELD_NUMBER: _ClassVar[int]
    checkpoint_id: str
    thread_key: str
    tenant_id: str
    sequence: int
    quarantined: bool
    def __init__(self, checkpoint_id: _Optional[str] = ..., thread_key: _Optional[str] = ..., tenant_id: _Optional[str] = ..., sequence: _Optional[int] = ..., quarantined: _Optional[bool] = ...) -> None: ...

class Boundary(_message.Message):
    __slots__ = ("kind", "proof", "entries")
    KIND_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    kind: BoundaryKind
    proof: str
    entries: int
    def __init__(self, kind: _Optional[_Union[BoundaryKind, str]] = ..., proof: _Optional[str] = ..., entries: _Optional[int] = ...) -> None: ...

class Checkpoint(_message.Message):
    __slots__ = ("ref", "format", "origin", "parent_checkpoint_id", "source_checkpoint_id", "create_time", "host", "payload_bytes", "payload_digest", "supported_until", "state")
    REF_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    PARENT_CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_BYTES_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SUPPORTED_UNTIL_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ref: CheckpointRef
    format: str
    origin: Origin
    parent_checkpoint_id: str
    source_checkpoint_id: str
    create_time: _timestamp_pb2.Timestamp
    host: Host
    payload_bytes: int
    payload_digest: bytes
    supported_until: _timestamp_pb2.Timestamp
    state: CheckpointState
    def __init__(self, ref: _Optional[_Union[CheckpointRef, _Mapping]] = ..., format: _Optional[str] = ..., origin: _Optional[_Union[Origin, str]] = ..., parent_checkpoint_id: _Optional[str] = ..., source_checkpoint_id: _Optional[str] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., host: _Optional[_Union[Host, _Mapping]] = ..., payload_bytes: _Optional[int] = ..., payload_digest: _Optional[bytes] = ..., supported_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., state: _Optional[_Union[CheckpointState, str]] = ...) -> None: ...
