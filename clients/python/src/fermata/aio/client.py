"""The asyncio façade: `AsyncFermata`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import grpc

from fermata import _rpc
from fermata._channel import Option
from fermata._gen.palette.v1.palette_pb2 import Stage
from fermata._gen.palette.v1.palette_service_pb2 import (
    RegisterToolsRequest,
    VerifyCallsRequest,
)
from fermata._permission import PermissionMemory
from fermata._registry import RegistryMemory, registry_of
from fermata._rpc import Rpc
from fermata._settings import settings_of
from fermata._skills import Skills, put_fault, put_skills
from fermata._tools import Named, called_names
from fermata._turn import OnUnreachable, Turn, turn_of
from fermata.aio._conversation import AsyncConversationCalls
from fermata.aio._operator import AsyncOperatorCalls
from fermata.aio._skill_calls import AsyncSkillCalls
from fermata.errors import RegistryUnknown, SidecarUnreachable
from fermata.resolution import Resolution
from fermata.verification import Verification, verified, verified_here


class AsyncFermata(AsyncConversationCalls, AsyncOperatorCalls, AsyncSkillCalls):
    """A sidecar, asked for one tenant.

    It connects with the first call; use it in one event loop at a time; close it, or use `async with`.

    `target` is `127.0.0.1:50551` or `unix:///run/fermata/data.sock`. `deadlines` are seconds by RPC, such as
    `{"Resolve": 0.2}`. Every call ends with an answer or a FermataError.
    """

    def __init__(
        self,
        target: str,
        *,
        tenant: str | None = None,
        sub_tenant: str | None = None,
        token: str | None = None,
        on_unreachable: OnUnreachable = "refuse",
        deadlines: Mapping[str, float] | None = None,
        options: Sequence[Option] = (),
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        super().__init__(
            settings_of(
                target,
                tenant=tenant,
                sub_tenant=sub_tenant,
                token=token,
                on_unreachable=on_unreachable,
                deadlines=deadlines,
                options=options,
                credentials=credentials,
            )
        )
        self._registries = RegistryMemory()
        self._permission = PermissionMemory()

    async def resolve(
        self,
        tools: Any,
        *,
        skills: Skills = None,
        force: str | None = None,
        labels: Mapping[str, str] | None = None,
        stages: Iterable[Stage] = (),
        always_offer: Iterable[str] = (),
        calls_made: Iterable[str] = (),
        explain: bool = False,
        on_unreachable: OnUnreachable | None = None,
        deadline: float | None = None,
    ) -> Resolution:
        """The palette of one model call: which tools it offers, and which one it must use.

        `tools` are all of the deployment. `skills` are rows, a SkillQuery, or a function (async or not) that brings
        them, called only if they decide something; what it raises does not fail the turn. A force is for this call
        only: name what was called in `calls_made`, and a satisfied force is dropped.
        """
        turn = turn_of(
            tools,
            force=force,
            labels=labels,
            stages=stages,
            always_offer=always_offer,
            calls_made=calls_made,
            explain=explain,
        )
        await self._put_skills(turn, skills)
        try:
            response = await self._with_registry(_rpc.RESOLVE, turn.request, turn.tools, deadline)
        except SidecarUnreachable as fault:
            return self._permission.without_answer(turn, fault, on_unreachable or self._settings.on_unreachable)
        self._permission.saw(turn, response.decision)
        return Resolution(response, turn.tools)

    async def verify(self, resolution: Resolution, calls: Any, *, deadline: float | None = None) -> Verification:
        """Checks the calls that the model made against its palette. Raises CallNotOffered; run nothing then.

        While the sidecar does not answer, the palette at hand decides, by the same rule.
        """
        names = called_names(calls)
        request = VerifyCallsRequest(palette=resolution.palette, calls=names)
        try:
            return verified(await self._with_registry(_rpc.VERIFY_CALLS, request, resolution.tools, deadline))
        except SidecarUnreachable:
            return verified_here(resolution, names)

    async def _put_skills(self, turn: Turn, skills: Skills) -> None:
        if callable(skills):
            if not turn.tools:  # the registry is what is missing: the rows would decide nothing
                put_skills(turn.request, (), self._settings.tenant.tenant_id)
                return
            try:
                put_skills(turn.request, await _brought(skills), self._settings.tenant.tenant_id)
            except Exception as fault:  # whatever a host's layer does, the turn goes on with every tool
                put_fault(turn.request, fault)
        else:
            put_skills(turn.request, skills, self._settings.tenant.tenant_id)

    async def _with_registry(
        self, rpc: Rpc[Any, Any], request: Any, tools: tuple[Named, ...], deadline: float | None
    ) -> Any:
        """Sends the digest of the registry; the registry itself to a sidecar that does not hold it (any more)."""
        digest = self._registries.digest_of(tools) or await self._register(tools, deadline)
        if digest is not None:
            request.registry_digest = digest
            try:
                return await self.call(rpc, request, deadline=deadline)
            except RegistryUnknown:
                self._registries.forget(tools)
        request.registry.SetInParent()
        request.registry.CopyFrom(registry_of(tools))
        return await self.call(rpc, request, deadline=deadline)

    async def _register(self, tools: tuple[Named, ...], deadline: float | None) -> bytes | None:
        if not tools:
            return None
        request = RegisterToolsRequest(registry=registry_of(tools))
        answer = await self.call(_rpc.REGISTER_TOOLS, request, deadline=deadline)
        self._registries.remember(tools, answer.registry_digest)
        return answer.registry_digest


async def _brought(skills: Any) -> Skills:
    """What the host's function brings, sync or async."""
    brought = skills()
    return await brought if inspect.isawaitable(brought) else brought
