"""What stands in for a model's API and for a tool that does something outside, so that the example runs anywhere."""

import os
import sys
import uuid
from pathlib import Path
from typing import Annotated

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import InjectedToolCallId, tool

_CRASH = "crash" in sys.argv[2:]
_OUTBOX = Path(f"{sys.argv[1]}.log")


class ScriptedModel(BaseChatModel):
    """Mails to Ann, then to Bob, then is done. It calls what it must, or the first tool that it is offered."""

    _llm_type = "scripted"

    def bind_tools(self, tools, *, tool_choice=None, **_):
        return self.bind(name=tool_choice or tools[0].name)

    def _generate(self, messages, stop=None, run_manager=None, *, name="", **_):
        said = sum(message.type == "ai" for message in messages)
        if said == 2:
            answer = AIMessage("Ann and Bob are invited")
        else:
            call = {"id": f"call_{uuid.uuid4().hex}", "name": name, "args": {"to": ("ann", "bob")[said]}}
            answer = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=answer)])


@tool
def send_mail(to: str, call_id: Annotated[str, InjectedToolCallId]) -> str:
    """Send a mail."""  # one line in the outbox for each, as often as it is called
    with _OUTBOX.open("a") as outbox:
        outbox.write(f"{call_id} {to}\n")
    if _CRASH and to == "bob":
        os.kill(os.getpid(), 9)
    return "sent"


@tool
def search(text: str) -> str:
    """Search."""
    return "nothing"


@tool
def delete_mail(to: str) -> str:
    """Delete what came from somebody."""
    return "deleted"


def went_out(call_id):
    """Whether the mail of this call is in the outbox."""
    return _OUTBOX.exists() and any(line.split()[0] == call_id for line in _OUTBOX.open())
