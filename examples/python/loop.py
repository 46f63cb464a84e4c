"""An agent's loop that outlives a kill in the middle of a tool call: no mail goes out twice, and none is left out.

`loop.py SESSION crash` is killed when its second mail is out and nobody knows of it yet; `loop.py SESSION` goes on.
SESSION.log is what went out.
"""

import json
import os
import sys

from world import model, send_mail, went_out

from fermata import Fermata, ThreadNotFound, content_of, document

TOOLS = [{"type": "function", "function": {"name": name}} for name in ("search", "send_mail", "delete_mail")]


def main(session):
    with Fermata(os.environ.get("FERMATA_TARGET", "127.0.0.1:50551"), tenant="acme") as f:
        try:
            found = f.recover(session)  # Resume; where that is refused with UNSAFE_BOUNDARY, Replay
        except ThreadNotFound:
            return drive(f, session, [{"role": "user", "content": "Invite Ann and Bob"}])
        if found.document:
            return print(content_of(found.document)[-1]["content"])
        print("in the middle of a turn, so it is replayed; in doubt:", *found.in_doubt)
        drive(f, session, [entry.json() for entry in (*found.prefix, *found.re_drive)], found)


def drive(f, session, history, replay=None):
    """Goes through a turn to its end, and with a replay through one that was cut short."""
    head, past, results = replay.head if replay else None, *before_the_crash(replay)
    while True:
        force = "send_mail" if history[-1]["role"] == "user" else None  # a force is for one model call
        palette = f.resolve(TOOLS, skills=["send_mail"], force=force)
        message = model(history, palette.apply(TOOLS), palette.tool_choice)
        calls = message.get("tool_calls", [])
        f.verify(palette, calls)  # raises if one was not offered
        new = [call for call in calls if not take_over(call, past)]
        history += [message, *(results[call["id"]] for call in calls if call["id"] in results)]
        if new or not calls:  # a new call is written down before it runs, and a turn at its end
            if past:
                sys.exit("the turn goes another way than before the crash: a person has to look at it")
            state = document("openai-chat/1", history)
            stored = replay.register(state) if replay and not calls else f.issue(session, state, expected_head=head)
            head, replay = stored.checkpoint.ref.checkpoint_id, None
        if not calls:
            return print(message["content"])
        for call in calls:
            if call["id"] not in results:
                said = "sent" if call not in new and went_out(call["id"]) else send_mail(call["id"], **meaning(call)[1])
                history.append({"role": "tool", "tool_call_id": call["id"], "content": said})


def before_the_crash(replay):
    """The calls that happened (evidence) or may have (in doubt), in order, and by its id the result of each that did."""
    if replay is None:
        return [], {}
    results = {entry.call_ids[0]: entry.json() for entry in replay.evidence if entry.kind == "RESULT"}
    tail = [entry.json() for entry in replay.replay.entries if entry.zone != "PREFIX"]
    calls = [call for entry in tail for call in entry.get("tool_calls", ())]
    return [call for call in calls if call["id"] in {*results, *replay.in_doubt}], results


def take_over(call, past):
    """Whether this very call was made before the crash. It keeps its id of then, by which its tool knows it."""
    same = next((old for old in past if meaning(old) == meaning(call)), None)
    if same:
        past.remove(same)
        call["id"] = same["id"]
    return same


def meaning(call):
    return call["function"]["name"], json.loads(call["function"]["arguments"])


main(sys.argv[1])
