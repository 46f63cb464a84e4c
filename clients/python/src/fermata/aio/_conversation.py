"""What a host asks about a conversation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from datetime import datetime

from fermata import _rpc
from fermata._gen.conversation.v1 import conversation_service_pb2 as messages
from fermata._gen.conversation.v1.checkpoint_pb2 import Checkpoint, Document, Host, ThreadIdentity
from fermata._gen.conversation.v1.transcript_pb2 import EntryKind
from fermata.aio._calls import AsyncCalls
from fermata.errors import FermataError, UnsafeBoundaryError
from fermata.recovery import Entry, Recovered, Replay, ReplayParts, entry_of
from fermata.threads import Session, ThreadKey, key_of, listed_of, thread_of, timestamp

# How often a broken replay goes on without a new entry before it is given up.
_ATTEMPTS = 3


class AsyncConversationCalls(AsyncCalls):
    """Resume, replay and issue. Where a session is asked for, an id of the client's tenant will do."""

    async def resume(self, session: Session, *, checkpoint_id: str | None = None) -> messages.ResumeResponse:
        """The checkpoint to go on from, by default the head; else the one refusal that says why not."""
        thread = thread_of(self._settings.tenant, session)
        return await self.call(_rpc.RESUME, messages.ResumeRequest(thread=thread, checkpoint_id=checkpoint_id))

    async def replay(self, session: Session, *, checkpoint_id: str | None = None) -> Replay:
        """The whole replay from the last tested boundary. A stream that breaks goes on where it broke."""
        thread = thread_of(self._settings.tenant, session)
        parts, attempts = ReplayParts(), 0
        while True:
            position = parts.after_position
            request = messages.ReplayRequest(thread=thread, checkpoint_id=checkpoint_id, after_position=position)
            try:
                async for part in self.stream(_rpc.REPLAY, request):
                    parts.take(part)
                return parts.whole()
            except FermataError as ended:
                attempts = attempts + 1 if parts.after_position == position else 0
                if not ended.retryable or parts.after_position is None or attempts >= _ATTEMPTS:
                    raise

    async def recover(self, session: Session) -> AsyncRecovery:
        """Where to go on after a crash: the head if it is safe, else the replay from the last tested boundary.

        A refusal that no replay gets around is raised as it is.
        """
        try:
            return AsyncRecovery(self, session, await self.resume(session))
        except UnsafeBoundaryError as refused:
            if not refused.replay_possible:
                raise
            unsafe = refused
        # Of what was judged, not of a head that somebody else has written since.
        replay = await self.replay(session, checkpoint_id=unsafe.checkpoint_id)
        return AsyncRecovery(self, session, replay, unsafe)

    async def issue(
        self,
        session: Session,
        document: Document,
        *,
        expected_head: str | None = None,
        idempotency_key: str = "",
        host: Host | None = None,
        boundary_proof: str | None = None,
    ) -> messages.IssueResponse:
        """Stores a checkpoint at the thread's head, also one in the middle of a turn.

        No `expected_head`: the first one.
        """
        request = messages.IssueRequest(
            document=document,
            expected_head=expected_head,
            idempotency_key=idempotency_key,
            host=host,
            boundary_proof=boundary_proof,
            **key_of(self._settings.tenant, session),
        )
        return await self.call(_rpc.ISSUE, request)

    async def register_replay(
        self,
        replay_id: str,
        source_checkpoint_id: str,
        document: Document,
        *,
        expected_head: str | None = None,
        idempotency_key: str = "",
        host: Host | None = None,
        boundary_proof: str | None = None,
    ) -> messages.RegisterReplayResponse:
        """Stores what a replay produced, and retires its source, in one transaction."""
        request = messages.RegisterReplayRequest(
            replay_id=replay_id,
            source_checkpoint_id=source_checkpoint_id,
            document=document,
            expected_head=expected_head,
            idempotency_key=idempotency_key,
            host=host,
            boundary_proof=boundary_proof,
        )
        return await self.call(_rpc.REGISTER_REPLAY, request)

    async def adopt(
        self,
        thread: ThreadIdentity | ThreadKey | str,
        document: Document,
        *,
        derivation: str = "",
        written_time: datetime | None = None,
        idempotency_key: str = "",
        host: Host | None = None,
        boundary_proof: str | None = None,
    ) -> messages.AdoptResponse:
        """Accounts for a row that exists already. By key, name the derivation that made it."""
        request = messages.AdoptRequest(
            document=document,
            derivation=derivation,
            written_time=timestamp(written_time),
            idempotency_key=idempotency_key,
            host=host,
            boundary_proof=boundary_proof,
            **key_of(self._settings.tenant, thread),
        )
        return await self.call(_rpc.ADOPT, request)

    async def judge(self, document: Document, *, boundary_proof: str | None = None) -> messages.JudgeResponse:
        """The verdict of `resume` for a document that the host keeps itself. Nothing is stored."""
        return await self.call(_rpc.JUDGE, messages.JudgeRequest(document=document, boundary_proof=boundary_proof))

    async def get_transcript(
        self, session: Session, *, kinds: Iterable[EntryKind] = (), page_size: int = 0
    ) -> list[Entry]:
        """All entries with their times, page by page. TranscriptUnavailableError is never the same as none."""
        thread, entries, position = thread_of(self._settings.tenant, session), list[Entry](), None
        while True:
            request = messages.GetTranscriptRequest(
                thread=thread, after_position=position, page_size=page_size, kinds=kinds
            )
            page = await self.call(_rpc.GET_TRANSCRIPT, request)
            entries.extend(entry_of(entry) for entry in page.entries)
            if page.end or not page.entries:
                return entries
            position = entries[-1].position

    async def get_checkpoint(self, session: Session, *, checkpoint_id: str | None = None) -> Checkpoint:
        """Facts of a checkpoint without its payload, by default of the head."""
        thread = thread_of(self._settings.tenant, session)
        request = messages.GetCheckpointRequest(thread=thread, checkpoint_id=checkpoint_id)
        return (await self.call(_rpc.GET_CHECKPOINT, request)).checkpoint

    async def list_checkpoints(
        self,
        session: Session | None = None,
        *,
        format: str | None = None,
        remaining_of: str | None = None,
        page_size: int = 0,
    ) -> AsyncIterator[Checkpoint]:
        """Checkpoints of a session, in a format, or left in a drain; of the client's tenant if nothing is named."""
        request = messages.ListCheckpointsRequest(
            page_size=page_size, **listed_of(self._settings.tenant, session, format, remaining_of)
        )
        while True:
            page = await self.call(_rpc.LIST_CHECKPOINTS, request)
            for checkpoint in page.checkpoints:
                yield checkpoint
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def derive_thread_key(self, session: str | ThreadIdentity) -> str:
        """The thread key of an identity, whether or not there is such a thread."""
        identity = thread_of(self._settings.tenant, session).identity
        return (await self.call(_rpc.DERIVE_THREAD_KEY, messages.DeriveThreadKeyRequest(identity=identity))).thread_key

    async def get_support_window(self) -> messages.GetSupportWindowResponse:
        """Formats, horizons, proofs and the support route as published; which server, store and config this is."""
        return await self.call(_rpc.GET_SUPPORT_WINDOW, messages.GetSupportWindowRequest())


class AsyncRecovery(Recovered):
    """What `recover` found, and how what came of it is stored."""

    def __init__(
        self,
        calls: AsyncConversationCalls,
        session: Session,
        found: messages.ResumeResponse | Replay,
        unsafe: UnsafeBoundaryError | None = None,
    ) -> None:
        super().__init__(found, unsafe)
        self._calls = calls
        self._session = session

    async def register(
        self,
        document: Document,
        *,
        idempotency_key: str = "",
        host: Host | None = None,
        boundary_proof: str | None = None,
    ) -> messages.RegisterReplayResponse | messages.IssueResponse:
        """Stores what came of it: in the place of the replayed source, or behind the resumed one.

        The document of a replay has to end at a boundary.
        """
        if self.replay is None:
            return await self._calls.issue(
                self._session,
                document,
                expected_head=self.head,
                idempotency_key=idempotency_key,
                host=host,
                boundary_proof=boundary_proof,
            )
        return await self._calls.register_replay(
            self.replay.header.replay_id,
            self.head,
            document,
            idempotency_key=idempotency_key,
            host=host,
            boundary_proof=boundary_proof,
        )
