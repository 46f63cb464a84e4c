"""What stands in for a model's API and for a tool that does something outside, so that the example runs anywhere."""

import json
import os
import sys
import uuid
from pathlib import Path

_CRASH = "crash" in sys.argv[2:]
_OUTBOX = Path(f"{sys.argv[1]}.log")


def model(history, tools, choice):
    """Mails to Ann, then to Bob, then is done. It calls what it must, or the first tool that it is offered."""
    said = sum(entry["role"] == "assistant" for entry in history)
    if said == 2:
        return {"role": "assistant", "content": "Ann and Bob are invited"}
    function = {"name": choice or tools[0]["function"]["name"], "arguments": json.dumps({"to": ("ann", "bob")[said]})}
    call = {"id": f"call_{uuid.uuid4().hex}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def send_mail(call_id, to):
    """Writes one line for each mail that goes out, as often as it is called. It may be killed before it can say so."""
    with _OUTBOX.open("a") as outbox:
        outbox.write(f"{call_id} {to}\n")
    if _CRASH and to == "bob":
        os.kill(os.getpid(), 9)
    return "sent"


def went_out(call_id):
    """Whether the mail of this call is in the outbox."""
    return _OUTBOX.exists() and any(line.split()[0] == call_id for line in _OUTBOX.open())
