"""What a host's procedural layer says, as the request has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fermata._gen.palette.v1 import palette_pb2 as palette
from fermata._gen.palette.v1.palette_service_pb2 import ResolveRequest


@dataclass(frozen=True)
class SkillQuery:
    """Asks the sidecar's own skill store, for the tenant of the client. `limit` 0: ten rows."""

    text: str
    limit: int = 0


@dataclass(frozen=True)
class Unroutable:
    """The host's composition says that it cannot route at all: what is missing, in its own words."""

    missing: tuple[str, ...]


# Rows (messages, mappings, objects, or the names of tools), a query, or what brings them when they are needed.
Skills = Any
SkillSource = Callable[[], Any]


def put_skills(request: ResolveRequest, skills: Skills, tenant: str) -> None:
    """Sets the request's procedural part. None leaves it unset: the host has no procedural layer."""
    if skills is None:
        return
    if isinstance(skills, SkillQuery):
        request.query.CopyFrom(palette.SkillQuery(tenant_id=tenant, text=skills.text, limit=skills.limit))
    elif isinstance(skills, palette.SkillQuery):
        request.query.CopyFrom(skills)
    elif isinstance(skills, Unroutable):
        request.unavailable.missing.extend(skills.missing)
    elif isinstance(skills, palette.SkillRows):
        request.skills.CopyFrom(skills)
    else:
        request.skills.SetInParent()
        request.skills.rows.extend(_rows(skills))


def put_fault(request: ResolveRequest, fault: BaseException) -> None:
    """The host's own layer failed: only the fault's class is told, and the turn goes on with every tool."""
    request.retrieval_failed.type = type(fault).__name__


def _rows(skills: Iterable[Any]) -> Iterable[palette.SkillRow]:
    if isinstance(skills, (str, bytes, Mapping)):
        raise TypeError(f"a list of skills is needed, not {type(skills).__name__}")
    return (_row(skill) for skill in skills)


def _row(skill: Any) -> palette.SkillRow:
    if isinstance(skill, palette.SkillRow):
        return skill
    if isinstance(skill, str):
        return palette.SkillRow(action_tool=skill)
    active = _first(skill, "active")
    return palette.SkillRow(
        skill_id=str(_first(skill, "skill_id", "skillId", "id") or ""),
        action_tool=_first(skill, "action_tool", "actionTool"),
        content=_first(skill, "content") or "",
        active=None if active is None else bool(active),
    )


def _first(skill: Any, *names: str) -> Any:
    for name in names:
        found = skill.get(name) if isinstance(skill, Mapping) else getattr(skill, name, None)
        if found is not None:
            return found
    return None
