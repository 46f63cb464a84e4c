"""A LangChain agent that outlives a kill in the middle of a tool call: no mail goes out twice, and none is left out.

`agent.py SESSION crash` is killed when its second mail is out and nobody knows of it yet; `agent.py SESSION` goes on.
SESSION.log is what went out.
"""

import os
import sys

from langchain.agents import create_agent
from world import ScriptedModel, delete_mail, search, send_mail
from written import Written

from fermata import Fermata, ThreadNotFound, content_of
from fermata.integrations.langchain import FermataMiddleware


def main(session):
    with Fermata(os.environ.get("FERMATA_TARGET", "127.0.0.1:50551"), tenant="acme") as f:
        try:
            found = f.recover(session)  # Resume; where that is refused with UNSAFE_BOUNDARY, Replay
        except ThreadNotFound:
            return run(f, [{"role": "user", "content": "Invite Ann and Bob"}], Written(f, session))
        if found.document:
            return print(content_of(found.document)[-1]["content"])
        print("in the middle of a turn, so it is replayed; in doubt:", *found.in_doubt)
        run(f, [entry.json() for entry in (*found.prefix, *found.re_drive)], Written(f, session, found))


def run(f, history, written):
    palettes = FermataMiddleware(f, skills=["send_mail"], force="send_mail")
    agent = create_agent(ScriptedModel(), [search, send_mail, delete_mail], middleware=[palettes, written])
    print(agent.invoke({"messages": history})["messages"][-1].content)


main(sys.argv[1])
