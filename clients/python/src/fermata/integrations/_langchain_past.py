"""What happened in a turn before a crash cut it short, and which calls of the turn of now it answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage, convert_to_messages
from langchain_core.messages.tool import tool_call

from fermata.errors import ConversationServiceError
from fermata.recovery import Entry, Replay

FORMAT = "openai-chat/1"


class TurnDiverged(ConversationServiceError):
    """A replayed turn goes another way than before the crash: nothing was written, and a person has to look at it.

    Writing it down would hide from the next replay that the calls `left` happened.
    """

    left: tuple[ToolCall, ...] = ()

    @classmethod
    def of(cls, left: Sequence[ToolCall]) -> TurnDiverged:
        """The calls that happened before the crash, and are not made again."""
        error = cls(f"the turn does not make these calls again, which happened: {', '.join(c['name'] for c in left)}")
        error.left = tuple(left)
        return error


class Said(NamedTuple):
    """What the model said, by the past: the messages as they are now, what changed of them, and if a call is new."""

    messages: list[AnyMessage]
    update: dict[str, Any] | None
    new: bool


class Past:
    """The calls that happened, each with its result, and those in doubt until they are settled."""

    def __init__(self, replay: Replay | None) -> None:
        self._happened: list[tuple[ToolCall, ToolMessage]] = []
        self._in_doubt: list[ToolCall] = []
        if replay is not None:
            self._read(replay)

    def in_doubt(self) -> list[ToolCall]:
        """The calls that may have run. Each is to be settled."""
        return list(self._in_doubt)

    def settle(self, call: ToolCall, result: ToolMessage | str | None) -> None:
        """What a call in doubt came to. None: it did not run."""
        if isinstance(result, str):
            result = ToolMessage(result, tool_call_id=call["id"], name=call["name"])
        if result is not None:
            self._happened.append((call, result))
        self._in_doubt.remove(call)

    def match(self, messages: Sequence[AnyMessage]) -> Said:
        """Takes over what happened: each past call answers one of now, which gets its id of then and its result."""
        at = max(index for index, message in enumerate(messages) if isinstance(message, AIMessage))
        answered = {each.tool_call_id for each in messages[at:] if isinstance(each, ToolMessage)}
        said, ids, results, new = messages[at], dict[str | None, str | None](), list[AnyMessage](), False
        assert isinstance(said, AIMessage)
        for call in said.tool_calls:
            past = self._take(call)
            if call["id"] in answered:  # by LangChain or a person: there is nothing to run
                continue
            if past is None:
                new = True
                continue
            ids[call["id"]] = past[0]["id"]
            results.append(past[1])
        if new:
            self.expect_none_left()
        if not ids:
            return Said(list(messages), None, new)
        renamed = _renamed(said, ids)
        now = [*messages[:at], renamed, *messages[at + 1 :], *results]
        return Said(now, {"messages": [renamed, *results]}, new)

    def expect_none_left(self) -> None:
        """Before something is written that would hide it. Raises TurnDiverged."""
        if self._happened:
            raise TurnDiverged.of([call for call, _ in self._happened])

    def _take(self, call: ToolCall) -> tuple[ToolCall, ToolMessage] | None:
        past = next((past for past in self._happened if _meaning(past[0]) == _meaning(call)), None)
        if past is not None:
            self._happened.remove(past)
        return past

    def _read(self, replay: Replay) -> None:
        if replay.header.source.format != FORMAT:
            raise ValueError(f"the replay is of {replay.header.source.format}, not of {FORMAT}")
        results = {each["tool_call_id"]: each for each in _json(replay.evidence) if each["role"] == "tool"}
        for said in _json(entry for entry in replay.entries if entry.zone != "PREFIX"):
            for made in said.get("tool_calls") or ():
                if made["id"] in results:
                    self._happened.append((_call(made), _result(results[made["id"]])))
                elif made["id"] in replay.in_doubt:
                    self._in_doubt.append(_call(made))


def _json(entries: Iterable[Entry]) -> Iterator[Any]:
    return (entry.json() for entry in entries)


def _call(made: Mapping[str, Any]) -> ToolCall:
    function = made["function"]
    return tool_call(name=function["name"], args=json.loads(function["arguments"]), id=made["id"])


def _result(message: Any) -> ToolMessage:
    (result,) = convert_to_messages([message])
    return cast("ToolMessage", result)


def _meaning(call: ToolCall) -> tuple[str, str]:
    """Neither its id counts nor the order of members; 1, 1.0 and true are not the same."""
    return call["name"], json.dumps(call["args"], sort_keys=True, default=str)


def _renamed(said: AIMessage, ids: Mapping[str | None, str | None]) -> AIMessage:
    """The message with other ids of calls, also where a provider's own form of it has them."""
    return said.model_copy(
        update={
            "tool_calls": [{**call, "id": ids.get(call["id"], call["id"])} for call in said.tool_calls],
            "content": _with(said.content, ids),
            "additional_kwargs": _with(said.additional_kwargs, ids),
        }
    )


def _with(value: Any, ids: Mapping[str | None, str | None]) -> Any:
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, list):
        return [_with(each, ids) for each in value]
    if isinstance(value, dict):
        return {name: _with(each, ids) for name, each in value.items()}
    return value
