from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Remedy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REMEDY_UNSPECIFIED: _ClassVar[Remedy]
    REMEDY_ALIGN_COMPOSITION: _ClassVar[Remedy]
    REMEDY_REPLAY_FROM_BOUNDARY: _ClassVar[Remedy]
    REMEDY_CONTACT_SUPPORT_ROUTE: _ClassVar[Remedy]
    REMEDY_WAIT_FOR_THAW: _ClassVar[Remedy]
    REMEDY_UPGRADE_SIDECAR: _ClassVar[Remedy]
    REMEDY_RESTORE_OR_ABANDON: _ClassVar[Remedy]
    REMEDY_OPERATOR_REPAIR: _ClassVar[Remedy]
    REMEDY_DECLARE_FORMAT: _ClassVar[Remedy]
    REMEDY_FIX_REQUEST: _ClassVar[Remedy]
    REMEDY_CONFIGURE_SOURCE: _ClassVar[Remedy]
    REMEDY_RESUME_FROM_ACTUAL_HEAD: _ClassVar[Remedy]
    REMEDY_CHANGE_TARGET: _ClassVar[Remedy]
    REMEDY_RETRY_LATER: _ClassVar[Remedy]
    REMEDY_SEND_REGISTRY: _ClassVar[Remedy]
    REMEDY_START_NEW: _ClassVar[Remedy]
    REMEDY_USE_CREDENTIAL: _ClassVar[Remedy]
    REMEDY_CONFIGURE_STORE: _ClassVar[Remedy]
    REMEDY_REPORT: _ClassVar[Remedy]
REMEDY_UNSPECIFIED: Remedy
REMEDY_ALIGN_COMPOSITION: Remedy
REMEDY_REPLAY_FROM_BOUNDARY: Remedy
REMEDY_CONTACT_SUPPORT_ROUTE: Remedy
REMEDY_WAIT_FOR_THAW: Remedy
REMEDY_UPGRADE_SIDECAR: Remedy
REMEDY_RESTORE_OR_ABANDON: Remedy
REMEDY_OPERATOR_REPAIR: Remedy
REMEDY_DECLARE_FORMAT: Remedy
REMEDY_FIX_REQUEST: Remedy
REMEDY_CONFIGURE_SOURCE: Remedy
REMEDY_RESUME_FROM_ACTUAL_HEAD: Remedy
REMEDY_CHANGE_TARGET: Remedy
REMEDY_RETRY_LATER: Remedy
REMEDY_SEND_REGISTRY: Remedy
REMEDY_START_NEW: Remedy
REMEDY_USE_CREDENTIAL: Remedy
REMEDY_CONFIGURE_STORE: Remedy
REMEDY_REPORT: Remedy
RULE_FIELD_NUMBER: int
rule: _descriptor.FieldDescriptor
CAUSE_RULE_FIELD_NUMBER: int
cause_rule: _descriptor.FieldDescriptor

class Refusal(_message.Message):
    __slots__ = ("forced_tool_unavailable", "unsafe_boundary", "horizon_expired", "issuance_frozen", "checkpoint_format", "session_identity", "ambiguous_thread_key", "transcript_unavailable", "head_conflict", "force_unsupported_by_target", "offer_unsupported_by_target", "invalid_request", "thread_not_found", "checkpoint_not_found", "freeze_not_found", "registry_unknown", "idempotency_key_reused", "unauthenticated", "caller_denied", "overloaded", "deadline_exceeded", "freeze_pending", "store_unavailable", "store_not_configured", "shutting_down", "internal", "remedy")
    FORCED_TOOL_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    UNSAFE_BOUNDARY_FIELD_NUMBER: _ClassVar[int]
    HORIZON_EXPIRED_FIELD_NUMBER: _ClassVar[int]
    ISSUANCE_FROZEN_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FORMAT_FIELD_NUMBER: _ClassVar[int]
    SESSION_IDENTITY_FIELD_NUMBER: _ClassVar[int]
    AMBIGUOUS_THREAD_KEY_FIELD_NUMBER: _ClassVar[int]
    TRANSCRIPT_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    HEAD_CONFLICT_FIELD_NUMBER: _ClassVar[int]
    FORCE_UNSUPPORTED_BY_TARGET_FIELD_NUMBER: _ClassVar[int]
    OFFER_UNSUPPORTED_BY_TARGET_FIELD_NUMBER: _ClassVar[int]
    INVALID_REQUEST_FIELD_NUMBER: _ClassVar[int]
    THREAD_NOT_FOUND_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_NOT_FOUND_FIELD_NUMBER: _ClassVar[int]
    FREEZE_NOT_FOUND_FIELD_NUMBER: _ClassVar[int]
    REGISTRY_UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_REUSED_FIELD_NUMBER: _ClassVar[int]
    UNAUTHENTICATED_FIELD_NUMBER: _ClassVar[int]
    CALLER_DENIED_FIELD_NUMBER: _ClassVar[int]
    OVERLOADED_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_EXCEEDED_FIELD_NUMBER: _ClassVar[int]
    FREEZE_PENDING_FIELD_NUMBER: _ClassVar[int]
    STORE_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    STORE_NOT_CONFIGURED_FIELD_NUMBER: _ClassVar[int]
    SHUTTING_DOWN_FIELD_NUMBER: _ClassVar[int]
    INTERNAL_FIELD_NUMBER: _ClassVar[int]
    REMEDY_FIELD_NUMBER: _ClassVar[int]
    forced_tool_unavailable: ForcedToolUnavailable
    unsafe_boundary: UnsafeBoundary
    horizon_expired: HorizonExpired
    issuance_frozen: IssuanceFrozen
    checkpoint_format: CheckpointFormat
    session_identity: SessionIdentity
    ambiguous_thread_key: AmbiguousThreadKey
    transcript_unavailable: TranscriptUnavailable
    head_conflict: HeadConflict
    force_unsupported_by_target: ForceUnsupportedByTarget
    offer_unsupported_by_target: OfferUnsupportedByTarget
    invalid_request: InvalidRequest
    thread_not_found: ThreadNotFound
    checkpoint_not_found: CheckpointNotFound
    freeze_not_found: FreezeNotFound
    registry_unknown: RegistryUnknown
    idempotency_key_reused: IdempotencyKeyReused
    unauthenticated: Unauthenticated
    caller_denied: CallerDenied
    overloaded: Overloaded
    deadline_exceeded: DeadlineExceeded
    freeze_pending: FreezePending
    store_unavailable: StoreUnavailable
    store_not_configured: StoreNotConfigured
    shutting_down: ShuttingDown
    internal: Internal
    remedy: Remedy
    def __init__(self, forced_tool_unavailable: _Optional[_Union[ForcedToolUnavailable, _Mapping]] = ..., unsafe_boundary: _Optional[_Union[UnsafeBoundary, _Mapping]] = ..., horizon_expired: _Optional[_Union[HorizonExpired, _Mapping]] = ..., issuance_frozen: _Optional[_Union[IssuanceFrozen, _Mapping]] = ..., checkpoint_format: _Optional[_Union[CheckpointFormat, _Mapping]] = ..., session_identity: _Optional[_Union[SessionIdentity, _Mapping]] = ..., ambiguous_thread_key: _Optional[_Union[AmbiguousThreadKey, _Mapping]] = ..., transcript_unavailable: _Optional[_Union[TranscriptUnavailable, _Mapping]] = ..., head_conflict: _Optional[_Union[HeadConflict, _Mapping]] = ..., force_unsupported_by_target: _Optional[_Union[ForceUnsupportedByTarget, _Mapping]] = ..., offer_unsupported_by_target: _Optional[_Union[OfferUnsupportedByTarget, _Mapping]] = ..., invalid_request: _Optional[_Union[InvalidRequest, _Mapping]] = ..., thread_not_found: _Optional[_Union[ThreadNotFound, _Mapping]] = ..., checkpoint_not_found: _Optional[_Union[CheckpointNotFound, _Mapping]] = ..., freeze_not_found: _Optional[_Union[FreezeNotFound, _Mapping]] = ..., registry_unknown: _Optional[_Union[RegistryUnknown, _Mapping]] = ..., idempotency_key_reused: _Optional[_Union[IdempotencyKeyReused, _Mapping]] = ..., unauthenticated: _Optional[_Union[Unauthenticated, _Mapping]] = ..., caller_denied: _Optional[_Union[CallerDenied, _Mapping]] = ..., overloaded: _Optional[_Union[Overloaded, _Mapping]] = ..., deadline_exceeded: _Optional[_Union[DeadlineExceeded, _Mapping]] = ..., freeze_pending: _Optional[_Union[FreezePending, _Mapping]] = ..., store_unavailable: _Optional[_Union[StoreUnavailable, _Mapping]] = ..., store_not_configured: _Optional[_Union[StoreNotConfigured, _Mapping]] = ..., shutting_down: _Optional[_Union[ShuttingDown, _Mapping]] = ..., internal: _Optional[_Union[Internal, _Mapping]] = ..., remedy: _Optional[_Union[Remedy, str]] = ...) -> None: ...

class Rule(_message.Message):
    __slots__ = ("code", "parent", "remedy", "text", "advice", "fixed_by")
    CODE_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    REMEDY_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ADVICE_FIELD_NUMBER: _ClassVar[int]
    FIXED_BY_FIELD_NUMBER: _ClassVar[int]
    code: int
    parent: str
    remedy: Remedy
    text: str
    advice: str
    fixed_by: str
    def __init__(self, code: _Optional[int] = ..., parent: _Optional[str] = ..., remedy: _Optional[_Union[Remedy, str]] = ..., text: _Optional[str] = ..., advice: _Optional[str] = ..., fixed_by: _Optional[str] = ...) -> None: ...

class NameSample(_message.Message):
    __slots__ = ("names", "total")
    NAMES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    names: _containers.RepeatedScalarFieldContainer[str]
    total: int
    def __init__(self, names: _Optional[_Iterable[str]] = ..., total: _Optional[int] = ...) -> None: ...

class ForcedToolUnavailable(_message.Message):
    __slots__ = ("cause", "forced_tool", "registered", "palette", "excluding_stage")
    class Cause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        CAUSE_UNSPECIFIED: _ClassVar[ForcedToolUnavailable.Cause]
        CAUSE_NOT_REGISTERED: _ClassVar[ForcedToolUnavailable.Cause]
        CAUSE_EXCLUDED_BY_PALETTE: _ClassVar[ForcedToolUnavailable.Cause]
    CAUSE_UNSPECIFIED: ForcedToolUnavailable.Cause
    CAUSE_NOT_REGISTERED: ForcedToolUnavailable.Cause
    CAUSE_EXCLUDED_BY_PALETTE: ForcedToolUnavailable.Cause
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    FORCED_TOOL_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_FIELD_NUMBER: _ClassVar[int]
    PALETTE_FIELD_NUMBER: _ClassVar[int]
    EXCLUDING_STAGE_FIELD_NUMBER: _ClassVar[int]
    cause: ForcedToolUnavailable.Cause
    forced_tool: str
    registered: NameSample
    palette: NameSample
    excluding_stage: str
    def __init__(self, cause: _Optional[_Union[ForcedToolUnavailable.Cause, str]] = ..., forced_tool: _Optional[str] = ..., registered: _Optional[_Union[NameSample, _Mapping]] = ..., palette: _Optional[_Union[NameSample, _Mapping]] = ..., excluding_stage: _Optional[str] = ...) -> None: ...

class UnsafeBoundary(_message.Message):
    __slots__ = ("cause", "checkpoint_id", "position", "open_calls", "completed_calls", "other_causes", "last_safe_position", "last_safe_checkpoint_id", "replay_possible")
    class Cause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        CAUSE_UNSPECIFIED: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_DANGLING_TOOL_CALL: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_PARALLEL_HALF_ANSWERED: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_ORPHAN_TOOL_RESULT: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_DUPLICATE_TOOL_RESULT: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_ORPHAN_REASONING: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_THINKING_NOT_VERBATIM: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_THINKING_UNFINISHED: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_PARTIAL_STREAM: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_PENDING_APPROVAL: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_PENDING_INTERRUPT: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_TASK_ERROR: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_TASKS_SCHEDULED: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_SUBGRAPH_IN_FLIGHT: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_PROVIDER_SUSPENDED: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_TURN_OPEN: _ClassVar[UnsafeBoundary.Cause]
        CAUSE_NO_TESTED_BOUNDARY: _ClassVar[UnsafeBoundary.Cause]
    CAUSE_UNSPECIFIED: UnsafeBoundary.Cause
    CAUSE_DANGLING_TOOL_CALL: UnsafeBoundary.Cause
    CAUSE_PARALLEL_HALF_ANSWERED: UnsafeBoundary.Cause
    CAUSE_ORPHAN_TOOL_RESULT: UnsafeBoundary.Cause
    CAUSE_DUPLICATE_TOOL_RESULT: UnsafeBoundary.Cause
    CAUSE_ORPHAN_REASONING: UnsafeBoundary.Cause
    CAUSE_THINKING_NOT_VERBATIM: UnsafeBoundary.Cause
    CAUSE_THINKING_UNFINISHED: UnsafeBoundary.Cause
    CAUSE_PARTIAL_STREAM: UnsafeBoundary.Cause
    CAUSE_PENDING_APPROVAL: UnsafeBoundary.Cause
    CAUSE_PENDING_INTERRUPT: UnsafeBoundary.Cause
    CAUSE_TASK_ERROR: UnsafeBoundary.Cause
    CAUSE_TASKS_SCHEDULED: UnsafeBoundary.Cause
    CAUSE_SUBGRAPH_IN_FLIGHT: UnsafeBoundary.Cause
    CAUSE_PROVIDER_SUSPENDED: UnsafeBoundary.Cause
    CAUSE_TURN_OPEN: UnsafeBoundary.Cause
    CAUSE_NO_TESTED_BOUNDARY: UnsafeBoundary.Cause
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    OPEN_CALLS_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_CALLS_FIELD_NUMBER: _ClassVar[int]
    OTHER_CAUSES_FIELD_NUMBER: _ClassVar[int]
    LAST_SAFE_POSITION_FIELD_NUMBER: _ClassVar[int]
    LAST_SAFE_CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    REPLAY_POSSIBLE_FIELD_NUMBER: _ClassVar[int]
    cause: UnsafeBoundary.Cause
    checkpoint_id: str
    position: int
    open_calls: NameSample
    completed_calls: NameSample
    other_causes: int
    last_safe_position: int
    last_safe_checkpoint_id: str
    replay_possible: bool
    def __init__(self, cause: _Optional[_Union[UnsafeBoundary.Cause, str]] = ..., checkpoint_id: _Optional[str] = ..., position: _Optional[int] = ..., open_calls: _Optional[_Union[NameSample, _Mapping]] = ..., completed_calls: _Optional[_Union[NameSample, _Mapping]] = ..., other_causes: _Optional[int] = ..., last_safe_position: _Optional[int] = ..., last_safe_checkpoint_id: _Optional[str] = ..., replay_possible: _Optional[bool] = ...) -> None: ...

class HorizonExpired(_message.Message):
    __slots__ = ("checkpoint_id", "format", "expire_time", "support_route", "replay_possible")
    CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    SUPPORT_ROUTE_FIELD_NUMBER: _ClassVar[int]
    REPLAY_POSSIBLE_FIELD_NUMBER: _ClassVar[int]
    checkpoint_id: str
    format: str
    expire_time: _timestamp_pb2.Timestamp
    support_route: str
    replay_possible: bool
    def __init__(self, checkpoint_id: _Optional[str] = ..., format: _Optional[str] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., support_route: _Optional[str] = ..., replay_possible: _Optional[bool] = ...) -> None: ...

class IssuanceFrozen(_message.Message):
    __slots__ = ("cause", "freeze_id", "scope", "freeze_time", "epoch")
    class Cause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        CAUSE_UNSPECIFIED: _ClassVar[IssuanceFrozen.Cause]
        CAUSE_NEW_STATE: _ClassVar[IssuanceFrozen.Cause]
        CAUSE_UNACCOUNTED_LEGACY: _ClassVar[IssuanceFrozen.Cause]
        CAUSE_OUTPUT_FORMAT_FROZEN: _ClassVar[IssuanceFrozen.Cause]
    CAUSE_UNSPECIFIED: IssuanceFrozen.Cause
    CAUSE_NEW_STATE: IssuanceFrozen.Cause
    CAUSE_UNACCOUNTED_LEGACY: IssuanceFrozen.Cause
    CAUSE_OUTPUT_FORMAT_FROZEN: IssuanceFrozen.Cause
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    FREEZE_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    FREEZE_TIME_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    cause: IssuanceFrozen.Cause
    freeze_id: str
    scope: str
    freeze_time: _timestamp_pb2.Timestamp
    epoch: int
    def __init__(self, cause: _Optional[_Union[IssuanceFrozen.Cause, str]] = ..., freeze_id: _Optional[str] = ..., scope: _Optional[str] = ..., freeze_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., epoch: _Optional[int] = ...) -> None: ...

class CheckpointFormat(_message.Message):
    __slots__ = ("cause", "checkpoint_id", "found_version", "max_version", "reserved_key", "candidates", "format")
    class Cause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        CAUSE_UNSPECIFIED: _ClassVar[CheckpointFormat.Cause]
        CAUSE_FUTURE_VERSION: _ClassVar[CheckpointFormat.Cause]
        CAUSE_CORRUPT: _ClassVar[CheckpointFormat.Cause]
        CAUSE_RESERVED_KEY_OCCUPIED: _ClassVar[CheckpointFormat.Cause]
        CAUSE_UNRECOGNISED: _ClassVar[CheckpointFormat.Cause]
        CAUSE_UNDECLARED: _ClassVar[CheckpointFormat.Cause]
    CAUSE_UNSPECIFIED: CheckpointFormat.Cause
    CAUSE_FUTURE_VERSION: CheckpointFormat.Cause
    CAUSE_CORRUPT: CheckpointFormat.Cause
    CAUSE_RESERVED_KEY_OCCUPIED: CheckpointFormat.Cause
    CAUSE_UNRECOGNISED: CheckpointFormat.Cause
    CAUSE_UNDECLARED: CheckpointFormat.Cause
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    FOUND_VERSION_FIELD_NUMBER: _ClassVar[int]
    MAX_VERSION_FIELD_NUMBER: _ClassVar[int]
    RESERVED_KEY_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    cause: CheckpointFormat.Cause
    checkpoint_id: str
    found_version: int
    max_version: int
    reserved_key: str
    candidates: _containers.RepeatedScalarFieldContainer[str]
    format: str
    def __init__(self, cause: _Optional[_Union[CheckpointFormat.Cause, str]] = ..., checkpoint_id: _Optional[str] = ..., found_version: _Optional[int] = ..., max_version: _Optional[int] = ..., reserved_key: _Optional[str] = ..., candidates: _Optional[_Iterable[str]] = ..., format: _Optional[str] = ...) -> None: ...

class SessionIdentity(_message.Message):
    __slots__ = ("cause", "field")
    class Cause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        CAUSE_UNSPECIFIED: _ClassVar[SessionIdentity.Cause]
        CAUSE_EMPTY: _ClassVar[SessionIdentity.Cause]
        CAUSE_TOO_LONG: _ClassVar[SessionIdentity.Cause]
        CAUSE_FORBIDDEN_CHARACTER: _ClassVar[SessionIdentity.Cause]
        CAUSE_RESERVED_VALUE: _ClassVar[SessionIdentity.Cause]
        CAUSE_NOT_DERIVABLE: _ClassVar[SessionIdentity.Cause]
        CAUSE_TENANT_MISMATCH: _ClassVar[SessionIdentity.Cause]
    CAUSE_UNSPECIFIED: SessionIdentity.Cause
    CAUSE_EMPTY: SessionIdentity.Cause
    CAUSE_TOO_LONG: SessionIdentity.Cause
    CAUSE_FORBIDDEN_CHARACTER: SessionIdentity.Cause
    CAUSE_RESERVED_VALUE: SessionIdentity.Cause
    CAUSE_NOT_DERIVABLE: SessionIdentity.Cause
    CAUSE_TENANT_MISMATCH: SessionIdentity.Cause
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    cause: SessionIdentity.Cause
    field: str
    def __init__(self, cause: _Optional[_Union[SessionIdentity.Cause, str]] = ..., field: _Optional[str] = ...) -> None: ...

class AmbiguousThreadKey(_message.Message):
    __slots__ = ("direction", "field", "separators_found", "separators_expected", "resumable")
    class Direction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        DIRECTION_UNSPECIFIED: _ClassVar[AmbiguousThreadKey.Direction]
        DIRECTION_MINT: _ClassVar[AmbiguousThreadKey.Direction]
        DIRECTION_ATTRIBUTE: _ClassVar[AmbiguousThreadKey.Direction]
    DIRECTION_UNSPECIFIED: AmbiguousThreadKey.Direction
    DIRECTION_MINT: AmbiguousThreadKey.Direction
    DIRECTION_ATTRIBUTE: AmbiguousThreadKey.Direction
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    SEPARATORS_FOUND_FIELD_NUMBER: _ClassVar[int]
    SEPARATORS_EXPECTED_FIELD_NUMBER: _ClassVar[int]
    RESUMABLE_FIELD_NUMBER: _ClassVar[int]
    direction: AmbiguousThreadKey.Direction
    field: str
    separators_found: int
    separators_expected: int
    resumable: bool
    def __init__(self, direction: _Optional[_Union[AmbiguousThreadKey.Direction, str]] = ..., field: _Optional[str] = ..., separators_found: _Optional[int] = ..., separators_expected: _Optional[int] = ..., resumable: _Optional[bool] = ...) -> None: ...

class TranscriptUnavailable(_message.Message):
    __slots__ = ("cause", "thread_key", "first_position")
    class Cause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        CAUSE_UNSPECIFIED: _ClassVar[TranscriptUnavailable.Cause]
        CAUSE_NO_DURABLE_SOURCE: _ClassVar[TranscriptUnavailable.Cause]
        CAUSE_NO_TIMESTAMPS: _ClassVar[TranscriptUnavailable.Cause]
        CAUSE_GAP: _ClassVar[TranscriptUnavailable.Cause]
    CAUSE_UNSPECIFIED: TranscriptUnavailable.Cause
    CAUSE_NO_DURABLE_SOURCE: TranscriptUnavailable.Cause
    CAUSE_NO_TIMESTAMPS: TranscriptUnavailable.Cause
    CAUSE_GAP: TranscriptUnavailable.Cause
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    THREAD_KEY_FIELD_NUMBER: _ClassVar[int]
    FIRST_POSITION_FIELD_NUMBER: _ClassVar[int]
    cause: TranscriptUnavailable.Cause
    thread_key: str
    first_position: int
    def __init__(self, cause: _Optional[_Union[TranscriptUnavailable.Cause, str]] = ..., thread_key: _Optional[str] = ..., first_position: _Optional[int] = ...) -> None: ...

class HeadConflict(_message.Message):
    __slots__ = ("expected_head", "actual_head", "actual_sequence")
    EXPECTED_HEAD_FIELD_NUMBER: _ClassVar[int]
    ACTUAL_HEAD_FIELD_NUMBER: _ClassVar[int]
    ACTUAL_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    expected_head: str
    actual_head: str
    actual_sequence: int
    def __init__(self, expected_head: _Optional[str] = ..., actual_head: _Optional[str] = ..., actual_sequence: _Optional[int] = ...) -> None: ...

class ForceUnsupportedByTarget(_message.Message):
    __slots__ = ("cause", "forced_tool", "dialect", "model", "feature", "alternatives")
    class Cause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        CAUSE_UNSPECIFIED: _ClassVar[ForceUnsupportedByTarget.Cause]
        CAUSE_TOOL_NAME: _ClassVar[ForceUnsupportedByTarget.Cause]
        CAUSE_TOOL_DEFERRED: _ClassVar[ForceUnsupportedByTarget.Cause]
        CAUSE_EXPLICIT_CACHE: _ClassVar[ForceUnsupportedByTarget.Cause]
        CAUSE_NO_FORCING: _ClassVar[ForceUnsupportedByTarget.Cause]
        CAUSE_THINKING_CONFLICT: _ClassVar[ForceUnsupportedByTarget.Cause]
    CAUSE_UNSPECIFIED: ForceUnsupportedByTarget.Cause
    CAUSE_TOOL_NAME: ForceUnsupportedByTarget.Cause
    CAUSE_TOOL_DEFERRED: ForceUnsupportedByTarget.Cause
    CAUSE_EXPLICIT_CACHE: ForceUnsupportedByTarget.Cause
    CAUSE_NO_FORCING: ForceUnsupportedByTarget.Cause
    CAUSE_THINKING_CONFLICT: ForceUnsupportedByTarget.Cause
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    FORCED_TOOL_FIELD_NUMBER: _ClassVar[int]
    DIALECT_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    FEATURE_FIELD_NUMBER: _ClassVar[int]
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    cause: ForceUnsupportedByTarget.Cause
    forced_tool: str
    dialect: str
    model: str
    feature: str
    alternatives: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, cause: _Optional[_Union[ForceUnsupportedByTarget.Cause, str]] = ..., forced_tool: _Optional[str] = ..., dialect: _Optional[str] = ..., model: _Optional[str] = ..., feature: _Optional[str] = ..., alternatives: _Optional[_Iterable[str]] = ...) -> None: ...

class OfferUnsupportedByTarget(_message.Message):
    __slots__ = ("cause", "dialect", "model", "feature", "alternatives")
    class Cause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        CAUSE_UNSPECIFIED: _ClassVar[OfferUnsupportedByTarget.Cause]
        CAUSE_EXPLICIT_CACHE: _ClassVar[OfferUnsupportedByTarget.Cause]
        CAUSE_TOOL_CALLS_IN_HISTORY: _ClassVar[OfferUnsupportedByTarget.Cause]
    CAUSE_UNSPECIFIED: OfferUnsupportedByTarget.Cause
    CAUSE_EXPLICIT_CACHE: OfferUnsupportedByTarget.Cause
    CAUSE_TOOL_CALLS_IN_HISTORY: OfferUnsupportedByTarget.Cause
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    DIALECT_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    FEATURE_FIELD_NUMBER: _ClassVar[int]
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    cause: OfferUnsupportedByTarget.Cause
    dialect: str
    model: str
    feature: str
    alternatives: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, cause: _Optional[_Union[OfferUnsupportedByTarget.Cause, str]] = ..., dialect: _Optional[str] = ..., model: _Optional[str] = ..., feature: _Optional[str] = ..., alternatives: _Optional[_Iterable[str]] = ...) -> None: ...

class InvalidRequest(_message.Message):
    __slots__ = ("violations", "field", "rule")
    class Violation(_message.Message):
        __slots__ = ("field", "rule", "description")
        FIELD_FIELD_NUMBER: _ClassVar[int]
        RULE_FIELD_NUMBER: _ClassVar[int]
        DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
        field: str
        rule: str
        description: str
        def __init__(self, field: _Optional[str] = ..., rule: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...
    VIOLATIONS_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    violations: _containers.RepeatedCompositeFieldContainer[InvalidRequest.Violation]
    field: str
    rule: str
    def __init__(self, violations: _Optional[_Iterable[_Union[InvalidRequest.Violation, _Mapping]]] = ..., field: _Optional[str] = ..., rule: _Optional[str] = ...) -> None: ...

class ThreadNotFound(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CheckpointNotFound(_message.Message):
    __slots__ = ("checkpoint_id",)
    CHECKPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    checkpoint_id: str
    def __init__(self, checkpoint_id: _Optional[str] = ...) -> None: ...

class FreezeNotFound(_message.Message):
    __slots__ = ("freeze_id",)
    FREEZE_ID_FIELD_NUMBER: _ClassVar[int]
    freeze_id: str
    def __init__(self, freeze_id: _Optional[str] = ...) -> None: ...

class RegistryUnknown(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class IdempotencyKeyReused(_message.Message):
    __slots__ = ("idempotency_key",)
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    idempotency_key: str
    def __init__(self, idempotency_key: _Optional[str] = ...) -> None: ...

class Unauthenticated(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CallerDenied(_message.Message):
    __slots__ = ("needed",)
    NEEDED_FIELD_NUMBER: _ClassVar[int]
    needed: str
    def __init__(self, needed: _Optional[str] = ...) -> None: ...

class Overloaded(_message.Message):
    __slots__ = ("limit", "retry_delay")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    RETRY_DELAY_FIELD_NUMBER: _ClassVar[int]
    limit: str
    retry_delay: _duration_pb2.Duration
    def __init__(self, limit: _Optional[str] = ..., retry_delay: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class DeadlineExceeded(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class FreezePending(_message.Message):
    __slots__ = ("freeze_id", "holders", "oldest_holder_age", "retry_delay")
    FREEZE_ID_FIELD_NUMBER: _ClassVar[int]
    HOLDERS_FIELD_NUMBER: _ClassVar[int]
    OLDEST_HOLDER_AGE_FIELD_NUMBER: _ClassVar[int]
    RETRY_DELAY_FIELD_NUMBER: _ClassVar[int]
    freeze_id: str
    holders: int
    oldest_holder_age: _duration_pb2.Duration
    retry_delay: _duration_pb2.Duration
    def __init__(self, freeze_id: _Optional[str] = ..., holders: _Optional[int] = ..., oldest_holder_age: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., retry_delay: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class StoreUnavailable(_message.Message):
    __slots__ = ("fault", "retry_delay")
    FAULT_FIELD_NUMBER: _ClassVar[int]
    RETRY_DELAY_FIELD_NUMBER: _ClassVar[int]
    fault: str
    retry_delay: _duration_pb2.Duration
    def __init__(self, fault: _Optional[str] = ..., retry_delay: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class StoreNotConfigured(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ShuttingDown(_message.Message):
    __slots__ = ("retry_delay",)
    RETRY_DELAY_FIELD_NUMBER: _ClassVar[int]
    retry_delay: _duration_pb2.Duration
    def __init__(self, retry_delay: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class Internal(_message.Message):
    __slots__ = ("request_id",)
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    def __init__(self, request_id: _Optional[str] = ...) -> None: ...
