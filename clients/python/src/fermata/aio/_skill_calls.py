"""The sidecar's own skill store, for the client's tenant."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from fermata import _rpc
from fermata._gen.skill.v1 import skill_service_pb2 as messages
from fermata.aio._calls import AsyncCalls


class AsyncSkillCalls(AsyncCalls):
    """Stores, searches and lints the skills that a SkillQuery is answered from."""

    async def put_skills(self, skills: Iterable[messages.Skill]) -> messages.PutSkillsResponse:
        """Stores skills, each in the place of the one with its id. All of them or none."""
        request = messages.PutSkillsRequest(tenant_id=self._settings.tenant.tenant_id, skills=skills)
        return await self.call(_rpc.PUT_SKILLS, request)

    async def delete_skills(self, skill_ids: Iterable[str]) -> messages.DeleteSkillsResponse:
        """Removes skills. An id that is not there is not counted."""
        request = messages.DeleteSkillsRequest(tenant_id=self._settings.tenant.tenant_id, skill_ids=skill_ids)
        return await self.call(_rpc.DELETE_SKILLS, request)

    async def list_skills(self, *, page_size: int = 0) -> AsyncIterator[messages.Skill]:
        """All skills of the tenant in the order of their ids."""
        request = messages.ListSkillsRequest(tenant_id=self._settings.tenant.tenant_id, page_size=page_size)
        while True:
            page = await self.call(_rpc.LIST_SKILLS, request)
            for skill in page.skills:
                yield skill
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def search_skills(self, text: str, *, limit: int = 0) -> list[messages.FoundSkill]:
        """The best first. Empty text finds nothing."""
        request = messages.SearchSkillsRequest(tenant_id=self._settings.tenant.tenant_id, text=text, limit=limit)
        return list((await self.call(_rpc.SEARCH_SKILLS, request)).found)

    async def lint_skills(self, registered: Iterable[str]) -> messages.LintSkillsResponse:
        """Skills that name no registered tool, and so can route nothing."""
        request = messages.LintSkillsRequest(tenant_id=self._settings.tenant.tenant_id, registered=registered)
        return await self.call(_rpc.LINT_SKILLS, request)
