"""The part of a LangChain host that writes its turns down, and goes through one again that a crash cut short."""

import sys

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage, convert_to_messages, convert_to_openai_messages
from world import went_out

from fermata import document


class Written(AgentMiddleware):
    """Writes a turn down before its calls run, and runs no call again that a replay tells of."""

    def __init__(self, f, session, replay=None):
        super().__init__()
        self.f, self.session, self.replay = f, session, replay
        self.head, self.past, self.results, self.in_doubt = None, [], {}, ()
        if replay:  # the results of the calls that happened, and the calls that happened or may have, in order
            self.head, self.in_doubt = replay.head, replay.in_doubt
            self.results = {m.tool_call_id: m for m in messages_of(replay.evidence) if m.type == "tool"}
            tail = messages_of(entry for entry in replay.replay.entries if entry.zone != "PREFIX")
            calls = [call for message in tail if message.type == "ai" for call in message.tool_calls]
            self.past = [call for call in calls if call["id"] in {*self.results, *replay.in_doubt}]

    def wrap_model_call(self, request, handler):
        response = handler(request)
        calls = response.result[0].tool_calls
        new = [call for call in calls if not self.take_over(call)]
        if new or not calls:  # a new call is written down before it runs, and a turn at its end
            if self.past:
                sys.exit("the turn goes another way than before the crash: a person has to look at it")
            happened = [self.results[call["id"]] for call in calls if call["id"] in self.results]
            self.write([*request.messages, *response.result, *happened], ends=not calls)
        return response

    def wrap_tool_call(self, request, handler):
        call = request.tool_call
        if call["id"] in self.results:
            return self.results[call["id"]]
        if call["id"] in self.in_doubt and went_out(call["id"]):
            return ToolMessage("sent", tool_call_id=call["id"])
        return handler(request)

    def take_over(self, call):
        """Whether this very call was made before the crash. It keeps its id of then, by which its tool knows it."""
        same = next((old for old in self.past if (old["name"], old["args"]) == (call["name"], call["args"])), None)
        if same:
            self.past.remove(same)
            call["id"] = same["id"]
        return same

    def write(self, messages, ends):
        state = document("openai-chat/1", convert_to_openai_messages(messages))
        write = self.replay.register if self.replay and ends else self.issue
        self.head, self.replay = write(state).checkpoint.ref.checkpoint_id, None

    def issue(self, state):
        return self.f.issue(self.session, state, expected_head=self.head)


def messages_of(entries):
    return convert_to_messages([entry.json() for entry in entries])
