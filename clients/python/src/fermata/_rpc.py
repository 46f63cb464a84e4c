"""Every RPC of the contract as data: what goes in, what comes out, how long it may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from fermata._gen.conversation.v1 import conversation_service_pb2 as conversation
from fermata._gen.palette.v1 import palette_service_pb2 as palette
from fermata._gen.skill.v1 import skill_service_pb2 as skill

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)

_ALL: list[Rpc[Any, Any]] = []


@dataclass(frozen=True)
class Rpc(Generic[Request, Response]):
    """One RPC. `deadline` is in seconds; None: the caller decides how long it listens."""

    path: str
    request: type[Request]
    response: type[Response]
    deadline: float | None
    repeatable: bool

    @property
    def name(self) -> str:
        """How the contract calls it, e.g. `Resolve`."""
        return self.path.rpartition("/")[2]


def _rpc(
    service: ServiceDescriptor, deadline: float | None, request: type[Request], response: type[Response]
) -> Rpc[Request, Response]:
    name = request.DESCRIPTOR.name.removesuffix("Request")
    method = service.methods_by_name[name]
    # NO_SIDE_EFFECTS or IDEMPOTENT: the contract says that the same call twice is the same as once.
    repeatable = method.GetOptions().idempotency_level > 0
    made = Rpc(f"/{service.full_name}/{name}", request, response, deadline, repeatable)
    _ALL.append(made)
    return made


def all_rpcs() -> tuple[Rpc[Any, Any], ...]:
    """Every RPC that this client knows."""
    return tuple(_ALL)


_PALETTE: ServiceDescriptor = palette.DESCRIPTOR.services_by_name["PaletteService"]
_CONVERSATION: ServiceDescriptor = conversation.DESCRIPTOR.services_by_name["ConversationService"]
_SKILL: ServiceDescriptor = skill.DESCRIPTOR.services_by_name["SkillService"]

# A turn waits for a palette; a read or a small write is done in milliseconds; what carries a
# document or closes a gate may queue.
_TURN, _CALL, _LONG = 1.0, 5.0, 10.0

RESOLVE = _rpc(_PALETTE, _TURN, palette.ResolveRequest, palette.ResolveResponse)
VERIFY_CALLS = _rpc(_PALETTE, _TURN, palette.VerifyCallsRequest, palette.VerifyCallsResponse)
REGISTER_TOOLS = _rpc(_PALETTE, _TURN, palette.RegisterToolsRequest, palette.RegisterToolsResponse)

RESUME = _rpc(_CONVERSATION, _CALL, conversation.ResumeRequest, conversation.ResumeResponse)
REPLAY = _rpc(_CONVERSATION, _LONG, conversation.ReplayRequest, conversation.ReplayResponse)
ISSUE = _rpc(_CONVERSATION, _LONG, conversation.IssueRequest, conversation.IssueResponse)
REGISTER_REPLAY = _rpc(_CONVERSATION, _LONG, conversation.RegisterReplayRequest, conversation.RegisterReplayResponse)
ADOPT = _rpc(_CONVERSATION, _LONG, conversation.AdoptRequest, conversation.AdoptResponse)
JUDGE = _rpc(_CONVERSATION, _LONG, conversation.JudgeRequest, conversation.JudgeResponse)
DERIVE_THREAD_KEY = _rpc(
    _CONVERSATION, _CALL, conversation.DeriveThreadKeyRequest, conversation.DeriveThreadKeyResponse
)
GET_TRANSCRIPT = _rpc(_CONVERSATION, _CALL, conversation.GetTranscriptRequest, conversation.GetTranscriptResponse)
GET_CHECKPOINT = _rpc(_CONVERSATION, _CALL, conversation.GetCheckpointRequest, conversation.GetCheckpointResponse)
LIST_CHECKPOINTS = _rpc(_CONVERSATION, _CALL, conversation.ListCheckpointsRequest, conversation.ListCheckpointsResponse)
GET_SUPPORT_WINDOW = _rpc(
    _CONVERSATION, _CALL, conversation.GetSupportWindowRequest, conversation.GetSupportWindowResponse
)
FREEZE = _rpc(_CONVERSATION, _LONG, conversation.FreezeRequest, conversation.FreezeResponse)
THAW = _rpc(_CONVERSATION, _LONG, conversation.ThawRequest, conversation.ThawResponse)
LIST_FREEZES = _rpc(_CONVERSATION, _CALL, conversation.ListFreezesRequest, conversation.ListFreezesResponse)
GET_DRAIN = _rpc(_CONVERSATION, _CALL, conversation.GetDrainRequest, conversation.GetDrainResponse)
WATCH_DRAIN = _rpc(_CONVERSATION, None, conversation.WatchDrainRequest, conversation.WatchDrainResponse)
DISCARD = _rpc(_CONVERSATION, _CALL, conversation.DiscardRequest, conversation.DiscardResponse)
ERASE = _rpc(_CONVERSATION, _LONG, conversation.EraseRequest, conversation.EraseResponse)
ATTRIBUTE = _rpc(_CONVERSATION, _CALL, conversation.AttributeRequest, conversation.AttributeResponse)

PUT_SKILLS = _rpc(_SKILL, _LONG, skill.PutSkillsRequest, skill.PutSkillsResponse)
DELETE_SKILLS = _rpc(_SKILL, _CALL, skill.DeleteSkillsRequest, skill.DeleteSkillsResponse)
LIST_SKILLS = _rpc(_SKILL, _CALL, skill.ListSkillsRequest, skill.ListSkillsResponse)
SEARCH_SKILLS = _rpc(_SKILL, _CALL, skill.SearchSkillsRequest, skill.SearchSkillsResponse)
LINT_SKILLS = _rpc(_SKILL, _CALL, skill.LintSkillsRequest, skill.LintSkillsResponse)
