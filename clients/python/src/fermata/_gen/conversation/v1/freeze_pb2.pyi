from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class IssuanceState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ISSUANCE_STATE_UNSPECIFIED: _ClassVar[IssuanceState]
    ISSUANCE_STATE_OPEN: _ClassVar[IssuanceState]
    ISSUANCE_STATE_FROZEN: _ClassVar[IssuanceState]

class FreezeState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FREEZE_STATE_UNSPECIFIED: _ClassVar[FreezeState]
    FREEZE_STATE_FROZEN: _ClassVar[FreezeState]
    FREEZE_STATE_ALREADY_THAWED: _ClassVar[FreezeState]
ISSUANCE_STATE_UNSPECIFIED: IssuanceState
ISSUANCE_STATE_OPEN: IssuanceState
ISSUANCE_STATE_FROZEN: IssuanceState
FREEZE_STATE_UNSPECIFIED: FreezeState
FREEZE_STATE_FROZEN: FreezeState
FREEZE_STATE_ALREADY_THAWED: FreezeState

class WholeStore(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TenantFormat(_message.Message):
    __slots__ = ("tenant_id", "format")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    format: str
    def __init__(self, tenant_id: _Optional[str] = ..., format: _Optional[str] = ...) -> None: ...

class FreezeScope(_message.Message):
    __slots__ = ("whole_store", "format", "tenant_id", "tenant_format")
    WHOLE_STORE_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_FORMAT_FIELD_NUMBER: _ClassVar[int]
    whole_store: WholeStore
    format: str
    tenant_id: str
    tenant_format: TenantFormat
    def __init__(self, whole_store: _Optional[_Union[WholeStore, _Mapping]] = ..., format: _Optional[str] = ..., tenant_id: _Optional[str] = ..., tenant_format: _Optional[_Union[TenantFormat, _Mapping]] = ...) -> None: ...

class Drain(_message.Message):
    __slots__ = ("freeze_id", "at_freeze", "adopted_since", "remaining", "drained", "terminal_unsafe", "expired", "discarded", "quarantined", "unscanned", "at_fixed_point", "revision", "blockers", "read_time")
    FREEZE_ID_FIELD_NUMBER: _ClassVar[int]
    AT_FREEZE_FIELD_NUMBER: _ClassVar[int]
    ADOPTED_SINCE_FIELD_NUMBER: _ClassVar[int]
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    DRAINED_FIELD_NUMBER: _ClassVar[int]
    TERMINAL_UNSAFE_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_FIELD_NUMBER: _ClassVar[int]
    DISCARDED_FIELD_NUMBER: _ClassVar[int]
    QUARANTINED_FIELD_NUMBER: _ClassVar[int]
    UNSCANNED_FIELD_NUMBER: _ClassVar[int]
    AT_FIXED_POINT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    BLOCKERS_FIELD_NUMBER: _ClassVar[int]
    READ_TIME_FIELD_NUMBER: _ClassVar[int]
    freeze_id: str
    at_freeze: int
    adopted_since: int
    remaining: int
    drained: int
    terminal_unsafe: int
    expired: int
    discarded: int
    quarantined: int
    unscanned: int
    at_fixed_point: bool
    revision: int
    blockers: _containers.RepeatedCompositeFieldContainer[DrainBlocker]
    read_time: _timestamp_pb2.Timestamp
    def __init__(self, freeze_id: _Optional[str] = ..., at_freeze: _Optional[int] = ..., adopted_since: _Optional[int] = ..., remaining: _Optional[int] = ..., drained: _Optional[int] = ..., terminal_unsafe: _Optional[int] = ..., expired: _Optional[int] = ..., discarded: _Optional[int] = ..., quarantined: _Optional[int] = ..., unscanned: _Optional[int] = ..., at_fixed_point: _Optional[bool] = ..., revision: _Optional[int] = ..., blockers: _Optional[_Iterable[_Union[DrainBlocker, _Mapping]]] = ..., read_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DrainBlocker(_message.Message):
    __slots__ = ("reason", "count", "checkpoint_ids")
    REASON_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_IDS_FIELD_NUMBER: _ClassVar[int]
    reason: str
    count: int
    checkpoint_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, reason: _Optional[str] = ..., count: _Optional[int] = ..., checkpoint_ids: _Optional[_Iterable[str]] = ...) -> None: ...
