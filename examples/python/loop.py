"""An agent's loop that outlives a kill in the middle of a tool call: no mail goes out twice, and none is left out.

`loop.py SESSION crash` is killed right after its second mail went out (`crash-early`: right before), `loop.py SESSION`
goes on. SESSION.log is what went out. The model is scripted, so no key is needed.
"""

import json
import os
import signal
import sys
import uuid
from pathlib import Path

from fermata import Fermata, ThreadNotFound, content_of, document

TOOLS = [{"type": "function", "function": {"name": name}} for name in ("search", "send_mail", "delete_mail")]
SESSION, CRASH, OUTBOX = sys.argv[1], sys.argv[2:], Path(f"{sys.argv[1]}.log")


def main():
    with Fermata(os.environ.get("FERMATA_TARGET", "127.0.0.1:50551"), tenant="acme") as f:
        try:
            found = f.recover(SESSION)  # Resume; where that is refused as UNSAFE_BOUNDARY, Replay
        except ThreadNotFound:
            return drive(f, [{"role": "user", "content": "Invite Ann and Bob"}], None)
        if found.document:
            return drive(f, content_of(found.document), found)
        print("refused in the middle of a turn, replayed; in doubt:", *found.in_doubt)
        drive(f, [entry.json() for entry in (*found.prefix, *found.re_drive)], found)


def drive(f, history, found):
    head, replay = (found.head, found.replay) if found else (None, None)
    results = {entry.call_ids[0]: entry.json() for entry in found.evidence if entry.kind == "RESULT"} if found else {}
    tail = [call for entry in replay.entries if entry.zone != "PREFIX" for call in calls_of(entry.json())] if replay else []
    past = [call for call in tail if call["id"] in results or call["id"] in found.in_doubt]
    while history[-1]["role"] != "assistant" or calls_of(history[-1]):
        force = "send_mail" if history[-1]["role"] == "user" else None
        palette = f.resolve(TOOLS, skills=["send_mail"], force=force)
        message = model(history, palette.apply(TOOLS), palette.tool_choice)
        f.verify(palette, calls_of(message))
        new = [call for call in calls_of(message) if not take_over(call, past)]
        history += [message, *(results[call["id"]] for call in calls_of(message) if call["id"] in results)]
        if new or not calls_of(message):  # a new call is written down before it runs, a whole turn at its end
            if past:
                sys.exit("the turn goes another way this time: a person has to look at what happened")
            whole, state = replay and not new, document("openai-chat/1", history)
            stored = found.register(state) if whole else f.issue(SESSION, state, expected_head=head)
            head, replay = stored.checkpoint.ref.checkpoint_id, None
        for call in calls_of(message):
            if call["id"] not in results:
                history.append({"role": "tool", "tool_call_id": call["id"], "content": run(call, call not in new)})
    print(history[-1]["content"])


def calls_of(entry):
    return entry.get("tool_calls", [])


def take_over(call, past):
    """Whether this very call was made before the crash. It keeps the id that it had, by which its tool knows it."""
    same = next((old for old in past if meaning(old) == meaning(call)), None)
    if same:
        past.remove(same)
        call["id"] = same["id"]
    return same


def meaning(call):
    return call["function"]["name"], json.loads(call["function"]["arguments"])


def run(call, in_doubt):
    """Runs a call; one that is in doubt only where the outbox says that it never ran."""
    return "sent" if in_doubt and call["id"] in OUTBOX.read_text() else send_mail(call["id"], meaning(call)[1]["to"])


def send_mail(call_id, to):
    die = to == "bob" and CRASH
    with OUTBOX.open("a") as outbox:
        die == ["crash-early"] and os.kill(os.getpid(), signal.SIGKILL)
        outbox.write(f"{call_id} {to}\n")
    die == ["crash"] and os.kill(os.getpid(), signal.SIGKILL)
    return "sent"


def model(history, tools, choice):
    said = sum(entry["role"] == "assistant" for entry in history)
    if said == 2:
        return {"role": "assistant", "content": "Ann and Bob are invited"}
    function = {"name": choice or tools[0]["function"]["name"], "arguments": json.dumps({"to": ("ann", "bob")[said]})}
    calls = [{"id": uuid.uuid4().hex, "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


if __name__ == "__main__":
    main()
