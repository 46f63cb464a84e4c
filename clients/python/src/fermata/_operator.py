"""An operator's calls, as thin as they can be. Who may make them is the sidecar's configuration."""

from __future__ import annotations

from collections.abc import Iterator

from fermata import _rpc
from fermata._calls import Calls
from fermata._gen.conversation.v1 import conversation_service_pb2 as messages
from fermata._gen.conversation.v1.checkpoint_pb2 import Checkpoint, CheckpointRef
from fermata._gen.conversation.v1.freeze_pb2 import Drain, FreezeScope
from fermata.threads import Session, thread_of


class OperatorCalls(Calls):
    """Freeze and drain, attribute, discard, erase. Every write is recorded with its actor and reason."""

    def freeze(self, freeze_id: str, scope: FreezeScope, *, actor: str, reason: str) -> messages.FreezeResponse:
        """Stops issuance in a scope. FreezePending: call again with the same id until it answers."""
        request = messages.FreezeRequest(freeze_id=freeze_id, scope=scope, actor=actor, reason=reason)
        return self.call(_rpc.FREEZE, request)

    def thaw(self, freeze_id: str, *, actor: str, reason: str) -> messages.ThawResponse:
        """Ends one hold, and its drain."""
        return self.call(_rpc.THAW, messages.ThawRequest(freeze_id=freeze_id, actor=actor, reason=reason))

    def list_freezes(self) -> list[messages.ActiveFreeze]:
        """All active holds, the oldest first."""
        return list(self.call(_rpc.LIST_FREEZES, messages.ListFreezesRequest()).freezes)

    def get_drain(self, of: str | FreezeScope) -> Drain:
        """What is left to move, of a hold by its id; or a preview of a scope, without a hold."""
        request = messages.GetDrainRequest(freeze_id=of) if isinstance(of, str) else messages.GetDrainRequest(scope=of)
        return self.call(_rpc.GET_DRAIN, request).drain

    def watch_drain(self, freeze_id: str, *, deadline: float | None = None) -> Iterator[Drain]:
        """The drain now and whenever it changes, until its hold is thawed. Close the iterator to stop."""
        request = messages.WatchDrainRequest(freeze_id=freeze_id)
        for answer in self.stream(_rpc.WATCH_DRAIN, request, deadline=deadline):
            yield answer.drain

    def discard(self, checkpoint_id: str, *, actor: str, reason: str) -> Checkpoint:
        """Gives one artifact up, on record, so that a drain can end."""
        request = messages.DiscardRequest(checkpoint_id=checkpoint_id, actor=actor, reason=reason)
        return self.call(_rpc.DISCARD, request).checkpoint

    def erase(
        self, session: Session | None = None, *, actor: str, reason: str, dry_run: bool = False
    ) -> messages.EraseResponse:
        """Removes a thread, or everything of the client's tenant if no session is named."""
        request = messages.EraseRequest(actor=actor, reason=reason, dry_run=dry_run)
        if session is None:
            request.tenant_id = self._settings.tenant.tenant_id
        else:
            request.thread.CopyFrom(thread_of(self._settings.tenant, session))
        return self.call(_rpc.ERASE, request)

    def attribute(
        self,
        thread_key: str,
        tenant_id: str,
        *,
        actor: str,
        reason: str,
        ticket: str = "",
        sub_tenant_id: str | None = None,
        session_id: str | None = None,
        supersedes: str | None = None,
    ) -> CheckpointRef:
        """Records the tenant that owns a quarantined key. Append-only."""
        request = messages.AttributeRequest(
            thread_key=thread_key,
            tenant_id=tenant_id,
            actor=actor,
            reason=reason,
            ticket=ticket,
            sub_tenant_id=sub_tenant_id,
            session_id=session_id,
            supersedes=supersedes,
        )
        return self.call(_rpc.ATTRIBUTE, request).head
