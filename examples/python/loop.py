"""An agent's loop that outlives a kill in the middle of a tool call. `loop.py SESSION crash` is killed when its second
mail is out and nobody knows of it yet; `loop.py SESSION` goes on. SESSION.log is what went out: each mail, once."""

import json
import os
import sys

from fermata import Fermata, ThreadNotFound, document

SESSION, OUTBOX = sys.argv[1], open(f"{sys.argv[1]}.log", "a+")
TOOLS = [{"type": "function", "function": {"name": name}} for name in ("search", "send_mail", "delete_mail")]


def main(f):
    """Goes through a turn to its end: a new one, or again through one that was cut short."""
    try:
        found = f.recover(SESSION)  # Resume; where that is refused with UNSAFE_BOUNDARY, Replay
        history, head, settled = found.history, found.head, settled_in(found)
    except ThreadNotFound:
        found, history, head, settled = None, [{"role": "user", "content": "Invite Ann and Bob"}], None, []
    while history[-1]["role"] != "assistant":
        force = "send_mail" if history[-1]["role"] == "user" else None  # a force is for one model call
        palette = f.resolve(TOOLS, skills=["send_mail"], force=force)
        history.append(model(history, palette.apply(TOOLS), palette.tool_choice))
        calls, new = history[-1].get("tool_calls", []), []
        f.verify(palette, calls)  # raises if one was not offered
        for call in calls:
            past = next((past for past in settled if past[0] == meaning(call)), None)
            if past:
                settled.remove(past)
                call["id"] = past[1]["tool_call_id"]  # by which its tool knows it
                history.append(past[1])
            else:
                new.append(call)
        if new or not calls:  # a new call is written down before it runs, and a turn at its end
            if settled:
                sys.exit("the turn goes another way than before the crash: a person has to look at it")
            state = document("openai-chat/1", history)
            stored = found.register(state) if found and not calls else f.issue(SESSION, state, expected_head=head)
            head, found = stored.checkpoint.ref.checkpoint_id, None
        history += [send_mail(call) for call in new]
    print(history[-1]["content"])


def settled_in(found):
    """What each call means that happened, and its result: it is in the evidence, or in doubt and in the outbox."""
    sent = open(OUTBOX.name).read()
    tail = [entry.json() for entry in (*found.evidence, *found.void)]
    results = {entry["tool_call_id"]: entry for entry in tail if entry["role"] == "tool"}
    results |= {i: {"role": "tool", "tool_call_id": i, "content": "sent"} for i in found.in_doubt if f"{i} " in sent}
    calls = [call for entry in tail for call in entry.get("tool_calls", ())]
    return [(meaning(call), results[call["id"]]) for call in calls if call["id"] in results]


def meaning(call):
    return call["function"]["name"], json.loads(call["function"]["arguments"])


def model(history, tools, choice):
    """Stands in for a model's API: it mails to Ann, then to Bob, by the tool that it must use or the first offered."""
    said = sum(entry["role"] == "assistant" for entry in history)
    if said == 2:
        return {"role": "assistant", "content": "Ann and Bob are invited"}
    function = {"name": choice or tools[0]["function"]["name"], "arguments": json.dumps({"to": ("ann", "bob")[said]})}
    call = {"id": f"call_{os.urandom(12).hex()}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def send_mail(call):
    """Writes one line for each mail that goes out, as often as it is called. It may be killed before it can say so."""
    to = meaning(call)[1]["to"]
    print(call["id"], to, file=OUTBOX, flush=True)
    if to == "bob" and sys.argv[-1] == "crash":
        os.kill(os.getpid(), 9)
    return {"role": "tool", "tool_call_id": call["id"], "content": "sent"}


with Fermata(os.environ.get("FERMATA_TARGET", "127.0.0.1:50551"), tenant="acme") as client:
    main(client)
