from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EntryKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENTRY_KIND_UNSPECIFIED: _ClassVar[EntryKind]
    ENTRY_KIND_SYSTEM: _ClassVar[EntryKind]
    ENTRY_KIND_USER: _ClassVar[EntryKind]
    ENTRY_KIND_ASSISTANT: _ClassVar[EntryKind]
    ENTRY_KIND_CALL: _ClassVar[EntryKind]
    ENTRY_KIND_RESULT: _ClassVar[EntryKind]
    ENTRY_KIND_REASONING: _ClassVar[EntryKind]
    ENTRY_KIND_MARK: _ClassVar[EntryKind]

class ReplayZone(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REPLAY_ZONE_UNSPECIFIED: _ClassVar[ReplayZone]
    REPLAY_ZONE_PREFIX: _ClassVar[ReplayZone]
    REPLAY_ZONE_RE_DRIVE: _ClassVar[ReplayZone]
    REPLAY_ZONE_EVIDENCE: _ClassVar[ReplayZone]
    REPLAY_ZONE_VOID: _ClassVar[ReplayZone]
ENTRY_KIND_UNSPECIFIED: EntryKind
ENTRY_KIND_SYSTEM: EntryKind
ENTRY_KIND_USER: EntryKind
ENTRY_KIND_ASSISTANT: EntryKind
ENTRY_KIND_CALL: EntryKind
ENTRY_KIND_RESULT: EntryKind
ENTRY_KIND_REASONING: EntryKind
ENTRY_KIND_MARK: EntryKind
REPLAY_ZONE_UNSPECIFIED: ReplayZone
REPLAY_ZONE_PREFIX: ReplayZone
REPLAY_ZONE_RE_DRIVE: ReplayZone
REPLAY_ZONE_EVIDENCE: ReplayZone
REPLAY_ZONE_VOID: ReplayZone

class TranscriptEntry(_message.Message):
    __slots__ = ("position", "kind", "content", "call_ids", "record_time")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CALL_IDS_FIELD_NUMBER: _ClassVar[int]
    RECORD_TIME_FIELD_NUMBER: _ClassVar[int]
    position: int
    kind: EntryKind
    content: bytes
    call_ids: _containers.RepeatedScalarFieldContainer[str]
    record_time: _timestamp_pb2.Timestamp
    def __init__(self, position: _Optional[int] = ..., kind: _Optional[_Union[EntryKind, str]] = ..., content: _Optional[bytes] = ..., call_ids: _Optional[_Iterable[str]] = ..., record_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
