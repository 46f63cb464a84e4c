"""The middleware that keeps a conversation: hosts that die at each of their steps, sync and in asyncio."""

from __future__ import annotations

import asyncio
import itertools
import uuid
from collections.abc import Sequence
from typing import Annotated, Any

import pytest

pytest.importorskip("langchain")

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolCall, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import InjectedToolCallId, tool

from fermata import AsyncFermata, Fermata, ThreadNotFound, document
from fermata.integrations.langchain import ConversationMiddleware, FermataMiddleware, TurnDiverged
from fermata.testing import Sidecar

PATIENT = {"Resolve": 10.0, "RegisterTools": 10.0}
SESSIONS = (f"kept-{number}" for number in itertools.count())
FOR_GOOD = 1000


class Killed(BaseException):
    """Ends a host as a kill would: nobody handles it."""


class World:
    """What outlives the hosts: the session, and the mails that went out. The next host lives for so many steps."""

    def __init__(self) -> None:
        self.session = next(SESSIONS)
        self.outbox: list[tuple[str, str]] = []
        self.asked: list[str] = []
        self.steps = FOR_GOOD

    def step(self) -> None:
        """Something that outlasts the host begins or has ended."""
        if self.steps <= 0:
            raise Killed
        self.steps -= 1

    def settle(self, call: ToolCall) -> str | None:
        """Asks the outbox."""
        self.asked.append(str(call["id"]))
        return "sent" if call["id"] in dict(self.outbox) else None

    async def settle_later(self, call: ToolCall) -> str | None:
        """Asks it in asyncio."""
        await asyncio.sleep(0)
        return self.settle(call)

    def tool(self) -> Any:
        """A tool that writes a line as often as it is called."""

        @tool
        def send_mail(to: str, call_id: Annotated[str, InjectedToolCallId]) -> str:
            """Send a mail."""
            self.step()
            self.outbox.append((call_id, to))
            self.step()
            return "sent"

        return send_mail


class Mailer(BaseChatModel):
    """Says the messages of its turn, each with its mails, and then is done. Its ids are new ones each time.

    As a provider with content blocks does, it has each call a second time in its content.
    """

    turn: list[str]
    blocks: bool = False

    @property
    def _llm_type(self) -> str:
        return "mailer"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        """Any."""
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        said = sum(isinstance(message, AIMessage) for message in messages)
        answer = AIMessage("done")
        if said < len(self.turn):
            mails = [(f"call_{uuid.uuid4().hex}", {"to": to}) for to in self.turn[said].split()]
            calls = [ToolCall(type="tool_call", name="send_mail", args=args, id=name) for name, args in mails]
            blocks: Any = [{"type": "tool_use", "id": i, "name": "send_mail", "input": args} for i, args in mails]
            answer = AIMessage(blocks if self.blocks else "", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=answer)])


class SteppingFermata(Fermata):
    """A client whose writes are steps of its host."""

    world: World

    def issue(self, *args: Any, **kwargs: Any) -> Any:
        """One before it is stored, and one after."""
        self.world.step()
        answer = super().issue(*args, **kwargs)
        self.world.step()
        return answer

    def register_replay(self, *args: Any, **kwargs: Any) -> Any:
        """The same."""
        self.world.step()
        answer = super().register_replay(*args, **kwargs)
        self.world.step()
        return answer


def live(client: SteppingFermata, world: World, turn: list[str], steps: int = FOR_GOOD, blocks: bool = False) -> bool:
    """The life of one host. Whether it came to the end of its turn."""
    world.steps, client.world = steps, world
    try:
        recovery = client.recover(world.session)
        history = recovery.history
    except ThreadNotFound:
        recovery, history = None, [{"role": "user", "content": "write to them"}]
    if recovery is not None and recovery.document is not None:
        return True
    conversation = ConversationMiddleware(client, world.session, recovery=recovery, settle=world.settle)
    agent = create_agent(
        Mailer(turn=turn, blocks=blocks), [world.tool()], middleware=[conversation, FermataMiddleware(client)]
    )
    try:
        agent.invoke({"messages": history})
    except Killed:
        return False
    return True


def expect_once(client: Fermata, world: World, *turns: list[str]) -> None:
    """Each mail of a turn went out once, and the stored turn has these calls, by these ids, and their results."""
    assert sorted(to for _, to in world.outbox) in [sorted(" ".join(turn).split()) for turn in turns]
    stored = client.recover(world.session)
    assert stored.document is not None
    made = [call["id"] for message in stored.history for call in message.get("tool_calls", ())]
    results = [message["tool_call_id"] for message in stored.history if message["role"] == "tool"]
    assert sorted(made) == sorted(results) == sorted(call_id for call_id, _ in world.outbox)
    assert stored.history[-1] == {"role": "assistant", "content": "done"}


@pytest.fixture
def stepping(fermata_sidecar: Sidecar) -> Any:
    """A client whose writes are steps."""
    with SteppingFermata(fermata_sidecar.target, tenant="acme", deadlines=PATIENT) as client:
        yield client


@pytest.mark.parametrize(
    ("first", "later", "blocks"),
    [
        (["ann", "bob"], ["ann", "bob"], False),
        (["ann bob"], ["ann bob"], True),
        (["ann ann"], ["ann ann"], False),
        (["ann bob"], ["bob ann"], False),
        (["ann", "bob"], ["ann bob"], True),
        (["ann"], ["ann bob"], False),
    ],
    ids=str,
)
def test_each_mail_goes_out_once_wherever_two_hosts_die(
    stepping: SteppingFermata, first: list[str], later: list[str], blocks: bool
) -> None:
    deaths = 0
    for steps in range(FOR_GOOD):
        for more in range(FOR_GOOD):
            world = World()
            if live(stepping, world, first, steps, blocks):
                expect_once(stepping, world, first)
                assert deaths > 20
                return
            died = not live(stepping, world, later, more, blocks)
            deaths += 1
            assert live(stepping, world, later, blocks=blocks)
            expect_once(stepping, world, later, first)
            if not died:
                break


@pytest.mark.parametrize("asynchronous", [True, False], ids=["AsyncFermata", "Fermata in threads"])
def test_asyncio_does_the_same(fermata_sidecar: Sidecar, stepping: SteppingFermata, asynchronous: bool) -> None:
    async def finish(world: World) -> None:
        history = stepping.recover(world.session).history
        async with AsyncFermata(fermata_sidecar.target, tenant="acme", deadlines=PATIENT) as asyncio_client:
            client = asyncio_client if asynchronous else stepping
            recovery = await asyncio_client.recover(world.session)
            settle: Any = world.settle_later if asynchronous else world.settle
            kept = ConversationMiddleware(client, world.session, recovery=recovery, settle=settle)
            agent = create_agent(
                Mailer(turn=["ann", "bob eve"]), [world.tool()], middleware=[kept, FermataMiddleware(client)]
            )
            messages: Any = {"messages": history}
            await agent.ainvoke(messages)

    asked = 0
    for steps in range(2, 12):
        world = World()
        assert not live(stepping, world, ["ann", "bob eve"], steps)
        world.steps = FOR_GOOD
        if stepping.recover(world.session).document is None:
            asyncio.run(finish(world))
        expect_once(stepping, world, ["ann bob eve"])
        asked += len(world.asked)
    assert asked > 5


@pytest.mark.parametrize("later", [["eve"], [], ["eve ann"]], ids=["a new call", "its end", "a new call beside one"])
def test_a_turn_that_goes_another_way_is_not_written(stepping: SteppingFermata, later: list[str]) -> None:
    world = World()
    assert not live(stepping, world, ["ann bob"], 6)  # both are out
    before = stepping.recover(world.session).head
    with pytest.raises(TurnDiverged, match="send_mail") as diverged:
        live(stepping, world, later)
    assert [call["args"] for call in diverged.value.left][-1] == {"to": "bob"}
    assert stepping.recover(world.session).head == before
    assert live(stepping, world, ["ann bob"])
    expect_once(stepping, world, ["ann bob"])


def test_where_nobody_can_tell_the_run_ends(stepping: SteppingFermata) -> None:
    world = World()
    assert not live(stepping, world, ["ann"], 3)
    recovery = stepping.recover(world.session)

    def nobody(call: ToolCall) -> str:
        raise LookupError(call["id"])

    async def later(call: ToolCall) -> str:
        return "sent"

    for settle, error in ((nobody, LookupError), (later, TypeError)):
        kept = ConversationMiddleware(stepping, world.session, recovery=recovery, settle=settle)
        agent = create_agent(Mailer(turn=["ann"]), [world.tool()], middleware=[kept, FermataMiddleware(stepping)])
        history: Any = {"messages": recovery.history}
        with pytest.raises(error):
            agent.invoke(history)
    assert stepping.recover(world.session).head == recovery.head


def test_the_result_may_be_a_message(stepping: SteppingFermata) -> None:
    world = World()
    assert not live(stepping, world, ["ann"], 4)
    recovery = stepping.recover(world.session)
    kept = ConversationMiddleware(
        stepping,
        world.session,
        recovery=recovery,
        settle=lambda call: ToolMessage("seen in the outbox", tool_call_id=str(call["id"])),
    )
    world.steps = FOR_GOOD
    agent = create_agent(Mailer(turn=["ann"]), [world.tool()], middleware=[kept, FermataMiddleware(stepping)])
    history: Any = {"messages": recovery.history}
    assert [message.content for message in agent.invoke(history)["messages"]][-2:] == ["seen in the outbox", "done"]
    expect_once(stepping, world, ["ann"])


def test_the_next_turn_of_a_session_builds_on_the_last(stepping: SteppingFermata) -> None:
    world = World()
    assert live(stepping, world, ["ann"])
    recovery = stepping.recover(world.session)
    kept = ConversationMiddleware(stepping, world.session, recovery=recovery, settle=world.settle)
    both_turns = Mailer(turn=["ann", "", "bob"])  # its second message was the end of the first turn
    agent = create_agent(both_turns, [world.tool()], middleware=[kept, FermataMiddleware(stepping)])
    state: Any = {"messages": recovery.history}
    for said in ("and to bob", "thanks"):
        more: Any = {"messages": [*state["messages"], ("user", said)]}
        state = agent.invoke(more)
    assert [to for _, to in world.outbox] == ["ann", "bob"]
    stored = stepping.recover(world.session)
    roles = " ".join(message["role"] for message in stored.history)
    assert roles == "user assistant tool assistant user assistant tool assistant user assistant"
    assert world.asked == []


def test_a_replay_of_another_format_is_not_read(stepping: SteppingFermata) -> None:
    session = next(SESSIONS)
    open_turn = [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]
    stepping.world = World()
    stepping.issue(session, document("anthropic-messages/1", open_turn))
    recovery = stepping.recover(session)
    assert recovery.document is None
    with pytest.raises(ValueError, match="anthropic"):
        ConversationMiddleware(stepping, session, recovery=recovery, settle=stepping.world.settle)


def test_an_async_client_serves_asyncio_only() -> None:
    kept = ConversationMiddleware(AsyncFermata("127.0.0.1:1"), "s1", settle=lambda call: None)
    message: Any = {"messages": [("user", "go")]}
    with pytest.raises(TypeError, match="ainvoke"):
        create_agent(Mailer(turn=[]), [], middleware=[kept]).invoke(message)
