from fermata._gen.palette.v1 import palette_pb2 as _palette_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CallVerdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CALL_VERDICT_UNSPECIFIED: _ClassVar[CallVerdict]
    CALL_VERDICT_OFFERED: _ClassVar[CallVerdict]
    CALL_VERDICT_EXCLUDED: _ClassVar[CallVerdict]
    CALL_VERDICT_UNREGISTERED: _ClassVar[CallVerdict]
CALL_VERDICT_UNSPECIFIED: CallVerdict
CALL_VERDICT_OFFERED: CallVerdict
CALL_VERDICT_EXCLUDED: CallVerdict
CALL_VERDICT_UNREGISTERED: CallVerdict

class ResolveRequest(_message.Message):
    __slots__ = ("registry", "registry_digest", "skills", "query", "retrieval_failed", "unavailable", "always_offer", "stages", "forced_tool", "calls_made", "labels", "explain")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    REGISTRY_FIELD_NUMBER: _ClassVar[int]
    REGISTRY_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    RETRIEVAL_FAILED_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    ALWAYS_OFFER_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    FORCED_TOOL_FIELD_NUMBER: _ClassVar[int]
    CALLS_MADE_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    registry: _palette_pb2.Registry
    registry_digest: bytes
    skills: _palette_pb2.SkillRows
    query: _palette_pb2.SkillQuery
    retrieval_failed: _palette_pb2.RetrievalFault
    unavailable: _palette_pb2.MissingPrerequisites
    always_offer: _containers.RepeatedScalarFieldContainer[str]
    stages: _containers.RepeatedCompositeFieldContainer[_palette_pb2.Stage]
    forced_tool: str
    calls_made: _containers.RepeatedScalarFieldContainer[str]
    labels: _containers.ScalarMap[str, str]
    explain: bool
    def __init__(self, registry: _Optional[_Union[_palette_pb2.Registry, _Mapping]] = ..., registry_digest: _Optional[bytes] = ..., skills: _Optional[_Union[_palette_pb2.SkillRows, _Mapping]] = ..., query: _Optional[_Union[_palette_pb2.SkillQuery, _Mapping]] = ..., retrieval_failed: _Optional[_Union[_palette_pb2.RetrievalFault, _Mapping]] = ..., unavailable: _Optional[_Union[_palette_pb2.MissingPrerequisites, _Mapping]] = ..., always_offer: _Optional[_Iterable[str]] = ..., stages: _Optional[_Iterable[_Union[_palette_pb2.Stage, _Mapping]]] = ..., forced_tool: _Optional[str] = ..., calls_made: _Optional[_Iterable[str]] = ..., labels: _Optional[_Mapping[str, str]] = ..., explain: _Optional[bool] = ...) -> None: ...

class ResolveResponse(_message.Message):
    __slots__ = ("palette", "routed", "declined", "unavailable", "force_satisfied", "decision", "explanation")
    PALETTE_FIELD_NUMBER: _ClassVar[int]
    ROUTED_FIELD_NUMBER: _ClassVar[int]
    DECLINED_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    FORCE_SATISFIED_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    palette: _palette_pb2.Palette
    routed: _palette_pb2.Routed
    declined: _palette_pb2.Declined
    unavailable: _palette_pb2.Unavailable
    force_satisfied: bool
    decision: _palette_pb2.Decision
    explanation: _palette_pb2.Explanation
    def __init__(self, palette: _Optional[_Union[_palette_pb2.Palette, _Mapping]] = ..., routed: _Optional[_Union[_palette_pb2.Routed, _Mapping]] = ..., declined: _Optional[_Union[_palette_pb2.Declined, _Mapping]] = ..., unavailable: _Optional[_Union[_palette_pb2.Unavailable, _Mapping]] = ..., force_satisfied: _Optional[bool] = ..., decision: _Optional[_Union[_palette_pb2.Decision, _Mapping]] = ..., explanation: _Optional[_Union[_palette_pb2.Explanation, _Mapping]] = ...) -> None: ...

class VerifyCallsRequest(_message.Message):
    __slots__ = ("registry", "registry_digest", "palette", "calls")
    REGISTRY_FIELD_NUMBER: _ClassVar[int]
    REGISTRY_DIGEST_FIELD_NUMBER: _ClassVar[int]
    PALETTE_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    registry: _palette_pb2.Registry
    registry_digest: bytes
    palette: _palette_pb2.Palette
    calls: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, registry: _Optional[_Union[_palette_pb2.Registry, _Mapping]] = ..., registry_digest: _Optional[bytes] = ..., palette: _Optional[_Union[_palette_pb2.Palette, _Mapping]] = ..., calls: _Optional[_Iterable[str]] = ...) -> None: ...

class VerifiedCall(_message.Message):
    __slots__ = ("name", "verdict")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    name: str
    verdict: CallVerdict
    def __init__(self, name: _Optional[str] = ..., verdict: _Optional[_Union[CallVerdict, str]] = ...) -> None: ...

class VerifyCallsResponse(_message.Message):
    __slots__ = ("calls", "force_satisfied", "ok")
    CALLS_FIELD_NUMBER: _ClassVar[int]
    FORCE_SATISFIED_FIELD_NUMBER: _ClassVar[int]
    OK_FIELD_NUMBER: _ClassVar[int]
    calls: _containers.RepeatedCompositeFieldContainer[VerifiedCall]
    force_satisfied: bool
    ok: bool
    def __init__(self, calls: _Optional[_Iterable[_Union[VerifiedCall, _Mapping]]] = ..., force_satisfied: _Optional[bool] = ..., ok: _Optional[bool] = ...) -> None: ...

class RegisterToolsRequest(_message.Message):
    __slots__ = ("registry",)
    REGISTRY_FIELD_NUMBER: _ClassVar[int]
    registry: _palette_pb2.Registry
    def __init__(self, registry: _Optional[_Union[_palette_pb2.Registry, _Mapping]] = ...) -> None: ...

class RegisterToolsResponse(_message.Message):
    __slots__ = ("registry_digest", "tools")
    REGISTRY_DIGEST_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    registry_digest: bytes
    tools: int
    def __init__(self, registry_digest: _Optional[bytes] = ..., tools: _Optional[int] = ...) -> None: ...
