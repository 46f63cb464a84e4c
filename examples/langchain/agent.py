"""A LangChain agent that outlives a kill in the middle of a tool call. `agent.py SESSION crash` is killed when its
second mail is out and nobody knows of it; `agent.py SESSION` goes on. SESSION.log is what went out: each mail, once."""

import os
import sys
import uuid
from typing import Annotated

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import InjectedToolCallId, tool

from fermata import Fermata, ThreadNotFound
from fermata.integrations.langchain import ConversationMiddleware, FermataMiddleware

SESSION, OUTBOX = sys.argv[1], open(f"{sys.argv[1]}.log", "a+")


def main(f):
    try:
        found = f.recover(SESSION)  # Resume; where that is refused with UNSAFE_BOUNDARY, Replay
        history = found.history
    except ThreadNotFound:
        found, history = None, [{"role": "user", "content": "Invite Ann and Bob"}]
    if found and found.document:
        return print(history[-1]["content"])
    conversation = ConversationMiddleware(f, SESSION, recovery=found, settle=settle)
    palettes = FermataMiddleware(f, skills=["send_mail"], force="send_mail")
    agent = create_agent(ScriptedModel(), [search, send_mail, delete_mail], middleware=[conversation, palettes])
    print(agent.invoke({"messages": history})["messages"][-1].content)


class ScriptedModel(BaseChatModel):
    """Mails to Ann, then to Bob, then is done. It calls what it must, or the first tool that it is offered."""

    _llm_type = "scripted"

    def bind_tools(self, tools, *, tool_choice=None, **_):
        return self.bind(name=tool_choice or tools[0].name)

    def _generate(self, messages, stop=None, run_manager=None, *, name="", **_):
        said = sum(message.type == "ai" for message in messages)
        answer = AIMessage("Ann and Bob are invited")
        if said < 2:
            call = {"id": f"call_{uuid.uuid4().hex}", "name": name, "args": {"to": ("ann", "bob")[said]}}
            answer = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=answer)])


@tool
def send_mail(to: str, call_id: Annotated[str, InjectedToolCallId]) -> str:
    """Send a mail."""  # one line in the log for each, as often as it is called
    print(call_id, to, file=OUTBOX, flush=True)
    if to == "bob" and sys.argv[-1] == "crash":
        os.kill(os.getpid(), 9)
    return "sent"


def settle(call):
    """Asks the outbox about a mail that is in doubt: its result, or None if it did not go out."""
    return "sent" if f"{call['id']} " in open(OUTBOX.name).read() else None


@tool
def search(text: str) -> str:
    """Search."""


@tool
def delete_mail(to: str) -> str:
    """Delete what came from somebody."""


with Fermata(os.environ.get("FERMATA_TARGET", "127.0.0.1:50551"), tenant="acme") as client:
    main(client)
