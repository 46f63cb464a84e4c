"""What every exception can do: pickle, copy, print, and say where it came from."""

from __future__ import annotations

import copy
import pickle

import grpc
import pytest

import fermata
from fermata import Fermata, FermataError
from fermata.testing import recorded, recorded_statuses
from tests.servers import Status, StatusServer

NAMES = [name for name, value in vars(fermata).items() if isinstance(value, type) and issubclass(value, FermataError)]


@pytest.mark.parametrize("again", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])
def test_each_recorded_status_survives_a_round_trip(again: object) -> None:
    assert callable(again)
    for status in recorded_statuses():
        error = status.error()
        other = again(error)
        assert type(other) is type(error)
        assert (other.code, other.detail, other.metadata, other.refusal) == (
            error.code,
            error.detail,
            error.metadata,
            error.refusal,
        )
        assert (repr(other), str(other), other.args) == (repr(error), str(error), error.args)


@pytest.mark.parametrize("name", NAMES)
def test_each_class_can_be_raised_by_hand_and_pickled(name: str) -> None:
    error = getattr(fermata, name)("said")
    other = pickle.loads(pickle.dumps(error))
    assert (type(other), str(other)) == (type(error), str(error))
    assert isinstance(other, FermataError)
    assert other.detail == "said"


def test_what_a_call_was_not_offered_survives_as_well() -> None:
    error = fermata.CallNotOffered.of(["mail"], ["rm"])
    other = pickle.loads(pickle.dumps(error))
    assert (other.calls, other.unregistered) == (("mail", "rm"), ("rm",))


def test_repr_tells_class_cause_code_and_text() -> None:
    said = repr(recorded("UNSAFE_BOUNDARY", "TURN_OPEN"))
    assert said.startswith("UnsafeBoundaryError(cause='TURN_OPEN', code=FAILED_PRECONDITION, detail='")


def test_a_forced_tool_tells_what_there_is_instead() -> None:
    assert str(recorded("FORCED_TOOL_UNAVAILABLE", "NOT_REGISTERED")).endswith("(registered: calendar, mail, search)")
    assert "(offered: " in str(recorded("FORCED_TOOL_UNAVAILABLE", "EXCLUDED_BY_PALETTE"))
    assert str(fermata.ForcedToolUnavailable("said")) == "said (registered: none)"


def test_the_cause_is_the_call_that_ended(status_server: StatusServer) -> None:
    status_server.answer = lambda method, request: Status(grpc.StatusCode.ABORTED, "said")
    with Fermata(status_server.target) as client, pytest.raises(FermataError) as raised:
        client.get_support_window()
    assert isinstance(raised.value.__cause__, grpc.RpcError)


def test_how_long_to_wait_is_a_duration() -> None:
    delay = recorded("OVERLOADED").retry_after
    assert delay is not None and delay.total_seconds() > 0
    assert recorded("THREAD_NOT_FOUND").retry_after is None
