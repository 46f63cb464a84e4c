"""Agent middleware for LangChain 1.x that keeps a conversation: no call that a crash cut short runs twice."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, cast

from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage, convert_to_openai_messages

from fermata.aio.client import AsyncFermata
from fermata.client import Fermata
from fermata.integrations._langchain_past import FORMAT, Past
from fermata.recovery import Recovered
from fermata.threads import Session, document

_Settled = ToolMessage | str | None


class ConversationMiddleware(AgentMiddleware):
    """Writes a turn down before its calls run, and runs no call again that a replay tells of.

    One for a session, whose agent is invoked with all of its messages. They are stored as openai-chat/1, by
    LangChain's own conversion. Put it first in `middleware`: then it stores what the others made of a message.

    `recovery` is what `recover` found, and the agent is invoked with its `history`; None for a new session. `settle`
    is asked about each call that may have run, by its id of then: its result, or None if it did not run. It never
    runs one; where nobody can tell, it raises. A call that happened keeps its id of then, and its result.
    """

    def __init__(
        self,
        fermata: Fermata | AsyncFermata,
        session: Session,
        *,
        settle: Callable[[ToolCall], _Settled | Awaitable[_Settled]],
        recovery: Recovered | None = None,
    ) -> None:
        super().__init__()
        self._fermata, self._session, self._settle = fermata, session, settle
        self._head = recovery.head if recovery else None
        self._replayed = recovery.replay if recovery else None
        self._past = Past(self._replayed)

    def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """What is new is written down before it runs; what happened is in the messages with its result."""
        self._expect_sync()
        for call in self._past.in_doubt():
            self._past.settle(call, _at_once(self._settle(call)))
        said = self._past.match(state["messages"])
        if said.new:
            self._stored(self._write(said.messages)())
        return said.update

    async def aafter_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """The same for asyncio."""
        for call in self._past.in_doubt():
            self._past.settle(call, await _in_time(self._settle(call)))
        said = self._past.match(state["messages"])
        if said.new:
            self._stored(await self._awaited(self._write(said.messages)))
        return said.update

    def after_agent(self, state: Any, runtime: Any) -> None:
        """The end of a turn: with a replay the whole is registered in the place of its source."""
        self._expect_sync()
        self._past.expect_none_left()
        self._stored(self._write(state["messages"])())

    async def aafter_agent(self, state: Any, runtime: Any) -> None:
        """The same for asyncio."""
        self._past.expect_none_left()
        self._stored(await self._awaited(self._write(state["messages"])))

    def _write(self, messages: Iterable[AnyMessage]) -> Callable[[], Any]:
        """What stores them, not called yet: a replay that came to a boundary is registered, all else is issued."""
        state = list(messages)
        stored = document(FORMAT, convert_to_openai_messages(state))
        if self._replayed is None or not _answers(state[-1]):
            return partial(self._fermata.issue, self._session, stored, expected_head=self._head)
        return partial(self._fermata.register_replay, self._replayed.header.replay_id, self._head or "", stored)

    def _expect_sync(self) -> None:
        if not isinstance(self._fermata, Fermata):
            raise TypeError("an AsyncFermata serves ainvoke and astream: give the middleware a Fermata")

    async def _awaited(self, call: Callable[[], Any]) -> Any:
        if isinstance(self._fermata, AsyncFermata):
            return await call()
        return await asyncio.to_thread(call)

    def _stored(self, answer: Any) -> None:
        self._head, self._replayed = answer.checkpoint.ref.checkpoint_id, None


def _answers(message: AnyMessage) -> bool:
    return isinstance(message, AIMessage) and not message.tool_calls


def _at_once(result: Any) -> _Settled:
    if inspect.isawaitable(result):
        if inspect.iscoroutine(result):
            result.close()
        raise TypeError("settle is async: it serves ainvoke and astream")
    return cast("_Settled", result)


async def _in_time(result: _Settled | Awaitable[_Settled]) -> _Settled:
    return await result if inspect.isawaitable(result) else result
