from fermata._gen.refusal.v1 import refusal_pb2 as _refusal_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DeclineReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECLINE_REASON_UNSPECIFIED: _ClassVar[DeclineReason]
    DECLINE_REASON_NO_PROCEDURAL_LAYER: _ClassVar[DeclineReason]
    DECLINE_REASON_RETRIEVAL_FAILED: _ClassVar[DeclineReason]
    DECLINE_REASON_NO_SKILLS: _ClassVar[DeclineReason]
    DECLINE_REASON_ALL_INACTIVE: _ClassVar[DeclineReason]
    DECLINE_REASON_NONE_RESOLVED: _ClassVar[DeclineReason]
DECLINE_REASON_UNSPECIFIED: DeclineReason
DECLINE_REASON_NO_PROCEDURAL_LAYER: DeclineReason
DECLINE_REASON_RETRIEVAL_FAILED: DeclineReason
DECLINE_REASON_NO_SKILLS: DeclineReason
DECLINE_REASON_ALL_INACTIVE: DeclineReason
DECLINE_REASON_NONE_RESOLVED: DeclineReason

class Tool(_message.Message):
    __slots__ = ("name", "tags")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    name: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ...) -> None: ...

class Registry(_message.Message):
    __slots__ = ("tools",)
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    tools: _containers.RepeatedCompositeFieldContainer[Tool]
    def __init__(self, tools: _Optional[_Iterable[_Union[Tool, _Mapping]]] = ...) -> None: ...

class SkillRow(_message.Message):
    __slots__ = ("skill_id", "action_tool", "content", "active")
    SKILL_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_TOOL_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    skill_id: str
    action_tool: str
    content: str
    active: bool
    def __init__(self, skill_id: _Optional[str] = ..., action_tool: _Optional[str] = ..., content: _Optional[str] = ..., active: _Optional[bool] = ...) -> None: ...

class SkillRows(_message.Message):
    __slots__ = ("rows",)
    ROWS_FIELD_NUMBER: _ClassVar[int]
    rows: _containers.RepeatedCompositeFieldContainer[SkillRow]
    def __init__(self, rows: _Optional[_Iterable[_Union[SkillRow, _Mapping]]] = ...) -> None: ...

class SkillQuery(_message.Message):
    __slots__ = ("tenant_id", "text", "limit")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    text: str
    limit: int
    def __init__(self, tenant_id: _Optional[str] = ..., text: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class RetrievalFault(_message.Message):
    __slots__ = ("type",)
    TYPE_FIELD_NUMBER: _ClassVar[int]
    type: str
    def __init__(self, type: _Optional[str] = ...) -> None: ...

class MissingPrerequisites(_message.Message):
    __slots__ = ("missing",)
    MISSING_FIELD_NUMBER: _ClassVar[int]
    missing: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, missing: _Optional[_Iterable[str]] = ...) -> None: ...

class ToolRule(_message.Message):
    __slots__ = ("names", "globs", "tags")
    NAMES_FIELD_NUMBER: _ClassVar[int]
    GLOBS_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    names: _containers.RepeatedScalarFieldContainer[str]
    globs: _containers.RepeatedScalarFieldContainer[str]
    tags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, names: _Optional[_Iterable[str]] = ..., globs: _Optional[_Iterable[str]] = ..., tags: _Optional[_Iterable[str]] = ...) -> None: ...

class Stage(_message.Message):
    __slots__ = ("name", "protects_forced", "allow", "deny", "limit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROTECTS_FORCED_FIELD_NUMBER: _ClassVar[int]
    ALLOW_FIELD_NUMBER: _ClassVar[int]
    DENY_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    name: str
    protects_forced: bool
    allow: ToolRule
    deny: ToolRule
    limit: int
    def __init__(self, name: _Optional[str] = ..., protects_forced: _Optional[bool] = ..., allow: _Optional[_Union[ToolRule, _Mapping]] = ..., deny: _Optional[_Union[ToolRule, _Mapping]] = ..., limit: _Optional[int] = ...) -> None: ...

class Palette(_message.Message):
    __slots__ = ("full", "explicit", "forced_tool")
    FULL_FIELD_NUMBER: _ClassVar[int]
    EXPLICIT_FIELD_NUMBER: _ClassVar[int]
    FORCED_TOOL_FIELD_NUMBER: _ClassVar[int]
    full: FullOffer
    explicit: ExplicitOffer
    forced_tool: str
    def __init__(self, full: _Optional[_Union[FullOffer, _Mapping]] = ..., explicit: _Optional[_Union[ExplicitOffer, _Mapping]] = ..., forced_tool: _Optional[str] = ...) -> None: ...

class FullOffer(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ExplicitOffer(_message.Message):
    __slots__ = ("names", "emptied_by")
    NAMES_FIELD_NUMBER: _ClassVar[int]
    EMPTIED_BY_FIELD_NUMBER: _ClassVar[int]
    names: _containers.RepeatedScalarFieldContainer[str]
    emptied_by: str
    def __init__(self, names: _Optional[_Iterable[str]] = ..., emptied_by: _Optional[str] = ...) -> None: ...

class Routed(_message.Message):
    __slots__ = ("names", "unresolved")
    NAMES_FIELD_NUMBER: _ClassVar[int]
    UNRESOLVED_FIELD_NUMBER: _ClassVar[int]
    names: _containers.RepeatedScalarFieldContainer[str]
    unresolved: _refusal_pb2.NameSample
    def __init__(self, names: _Optional[_Iterable[str]] = ..., unresolved: _Optional[_Union[_refusal_pb2.NameSample, _Mapping]] = ...) -> None: ...

class Declined(_message.Message):
    __slots__ = ("reason", "message", "fault_type", "unresolved")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FAULT_TYPE_FIELD_NUMBER: _ClassVar[int]
    UNRESOLVED_FIELD_NUMBER: _ClassVar[int]
    reason: DeclineReason
    message: str
    fault_type: str
    unresolved: _refusal_pb2.NameSample
    def __init__(self, reason: _Optional[_Union[DeclineReason, str]] = ..., message: _Optional[str] = ..., fault_type: _Optional[str] = ..., unresolved: _Optional[_Union[_refusal_pb2.NameSample, _Mapping]] = ...) -> None: ...

class Unavailable(_message.Message):
    __slots__ = ("missing", "advice")
    MISSING_FIELD_NUMBER: _ClassVar[int]
    ADVICE_FIELD_NUMBER: _ClassVar[int]
    missing: _containers.RepeatedScalarFieldContainer[str]
    advice: str
    def __init__(self, missing: _Optional[_Iterable[str]] = ..., advice: _Optional[str] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("registry_digest", "palette_digest", "stages_version", "certifies_cutover", "hard_filters")
    REGISTRY_DIGEST_FIELD_NUMBER: _ClassVar[int]
    PALETTE_DIGEST_FIELD_NUMBER: _ClassVar[int]
    STAGES_VERSION_FIELD_NUMBER: _ClassVar[int]
    CERTIFIES_CUTOVER_FIELD_NUMBER: _ClassVar[int]
    HARD_FILTERS_FIELD_NUMBER: _ClassVar[int]
    registry_digest: bytes
    palette_digest: bytes
    stages_version: str
    certifies_cutover: bool
    hard_filters: bool
    def __init__(self, registry_digest: _Optional[bytes] = ..., palette_digest: _Optional[bytes] = ..., stages_version: _Optional[str] = ..., certifies_cutover: _Optional[bool] = ..., hard_filters: _Optional[bool] = ...) -> None: ...

class Explanation(_message.Message):
    __slots__ = ("steps",)
    class Step(_message.Message):
        __slots__ = ("stage", "rule", "removed", "reinstated", "remaining", "note")
        STAGE_FIELD_NUMBER: _ClassVar[int]
        RULE_FIELD_NUMBER: _ClassVar[int]
        REMOVED_FIELD_NUMBER: _ClassVar[int]
        REINSTATED_FIELD_NUMBER: _ClassVar[int]
        REMAINING_FIELD_NUMBER: _ClassVar[int]
        NOTE_FIELD_NUMBER: _ClassVar[int]
        stage: str
        rule: str
        removed: _refusal_pb2.NameSample
        reinstated: _refusal_pb2.NameSample
        remaining: int
        note: str
        def __init__(self, stage: _Optional[str] = ..., rule: _Optional[str] = ..., removed: _Optional[_Union[_refusal_pb2.NameSample, _Mapping]] = ..., reinstated: _Optional[_Union[_refusal_pb2.NameSample, _Mapping]] = ..., remaining: _Optional[int] = ..., note: _Optional[str] = ...) -> None: ...
    STEPS_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[Explanation.Step]
    def __init__(self, steps: _Optional[_Iterable[_Union[Explanation.Step, _Mapping]]] = ...) -> None: ...
