from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Skill(_message.Message):
    __slots__ = ("skill_id", "title", "content", "action_tool", "active", "update_time")
    SKILL_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    ACTION_TOOL_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    skill_id: str
    title: str
    content: str
    action_tool: str
    active: bool
    update_time: _timestamp_pb2.Timestamp
    def __init__(self, skill_id: _Optional[str] = ..., title: _Optional[str] = ..., content: _Optional[str] = ..., action_tool: _Optional[str] = ..., active: _Optional[bool] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PutSkillsRequest(_message.Message):
    __slots__ = ("tenant_id", "skills")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    skills: _containers.RepeatedCompositeFieldContainer[Skill]
    def __init__(self, tenant_id: _Optional[str] = ..., skills: _Optional[_Iterable[_Union[Skill, _Mapping]]] = ...) -> None: ...

class PutSkillsResponse(_message.Message):
    __slots__ = ("stored", "revision")
    STORED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    stored: int
    revision: int
    def __init__(self, stored: _Optional[int] = ..., revision: _Optional[int] = ...) -> None: ...

class DeleteSkillsRequest(_message.Message):
    __slots__ = ("tenant_id", "skill_ids")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SKILL_IDS_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    skill_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tenant_id: _Optional[str] = ..., skill_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class DeleteSkillsResponse(_message.Message):
    __slots__ = ("deleted", "revision")
    DELETED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    deleted: int
    revision: int
    def __init__(self, deleted: _Optional[int] = ..., revision: _Optional[int] = ...) -> None: ...

class ListSkillsRequest(_message.Message):
    __slots__ = ("tenant_id", "page_size", "page_token")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    page_size: int
    page_token: str
    def __init__(self, tenant_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSkillsResponse(_message.Message):
    __slots__ = ("skills", "next_page_token")
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    skills: _containers.RepeatedCompositeFieldContainer[Skill]
    next_page_token: str
    def __init__(self, skills: _Optional[_Iterable[_Union[Skill, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SearchSkillsRequest(_message.Message):
    __slots__ = ("tenant_id", "text", "limit")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    text: str
    limit: int
    def __init__(self, tenant_id: _Optional[str] = ..., text: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class FoundSkill(_message.Message):
    __slots__ = ("skill", "score")
    SKILL_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    skill: Skill
    score: float
    def __init__(self, skill: _Optional[_Union[Skill, _Mapping]] = ..., score: _Optional[float] = ...) -> None: ...

class SearchSkillsResponse(_message.Message):
    __slots__ = ("found", "revision")
    FOUND_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    found: _containers.RepeatedCompositeFieldContainer[FoundSkill]
    revision: int
    def __init__(self, found: _Optional[_Iterable[_Union[FoundSkill, _Mapping]]] = ..., revision: _Optional[int] = ...) -> None: ...

class LintSkillsRequest(_message.Message):
    __slots__ = ("tenant_id", "registered")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    REGISTERED_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    registered: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tenant_id: _Optional[str] = ..., registered: _Optional[_Iterable[str]] = ...) -> None: ...

class SkillFinding(_message.Message):
    __slots__ = ("skill_id", "candidate", "finding")
    SKILL_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_FIELD_NUMBER: _ClassVar[int]
    FINDING_FIELD_NUMBER: _ClassVar[int]
    skill_id: str
    candidate: str
    finding: str
    def __init__(self, skill_id: _Optional[str] = ..., candidate: _Optional[str] = ..., finding: _Optional[str] = ...) -> None: ...

class LintSkillsResponse(_message.Message):
    __slots__ = ("findings", "checked")
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    CHECKED_FIELD_NUMBER: _ClassVar[int]
    findings: _containers.RepeatedCompositeFieldContainer[SkillFinding]
    checked: int
    def __init__(self, findings: _Optional[_Iterable[_Union[SkillFinding, _Mapping]]] = ..., checked: _Optional[int] = ...) -> None: ...
