"""Real gRPC servers for what a healthy sidecar never sends."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterable
from concurrent import futures
from pathlib import Path
from typing import Any, NamedTuple

import grpc

from fermata._decode import code_of
from fermata._gen.conversation.v1.conversation_service_pb2 import ReplayRequest
from fermata._gen.palette.v1.palette_service_pb2 import ResolveRequest

GOLDEN = Path(__file__).resolve().parents[3] / "test/golden/statuses.json"


class Status(NamedTuple):
    """A status to end a call with; each of `details` becomes one grpc-status-details-bin."""

    code: grpc.StatusCode
    text: str = ""
    details: tuple[bytes, ...] = ()
    trailers: tuple[tuple[str, str], ...] = ()


class StatusServer(grpc.GenericRpcHandler):
    """Answers each unary call what `answer` says (bytes, or a status), each stream what `stream` yields."""

    def __init__(self) -> None:
        self.answer: Callable[[str, bytes], bytes | Status] = lambda method, request: b""
        self.stream: Callable[[ReplayRequest], Iterable[bytes | Status]] = lambda request: ()
        self.seen: list[str] = []
        self.ended = threading.Event()
        self.hold: threading.Event | None = None
        self._server = grpc.server(futures.ThreadPoolExecutor(4), options=[("grpc.max_metadata_size", 65_536)])
        self._server.add_generic_rpc_handlers((self,))
        self.target = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def stop(self) -> None:
        """Ends every call."""
        if self.hold is not None:
            self.hold.set()
        self._server.stop(None)

    def service(self, handler_call_details: Any) -> Any:
        """What grpc asks for each call."""
        method = handler_call_details.method.rpartition("/")[2]
        self.seen.append(method)
        if method in ("Replay", "WatchDrain"):
            return grpc.unary_stream_rpc_method_handler(self._stream)
        return grpc.unary_unary_rpc_method_handler(lambda request, context: self._unary(method, request, context))

    def _unary(self, method: str, request: bytes, context: grpc.ServicerContext) -> bytes:
        context.add_callback(self.ended.set)
        if self.hold is not None:
            self.hold.wait(30)
        answer = self.answer(method, request)
        return answer if isinstance(answer, bytes) else _end(answer, context)

    def _stream(self, request: bytes, context: grpc.ServicerContext) -> Iterable[bytes]:
        context.add_callback(self.ended.set)
        for part in self.stream(ReplayRequest.FromString(request)):
            yield part if isinstance(part, bytes) else _end(part, context)


def _end(status: Status, context: grpc.ServicerContext) -> bytes:
    details = tuple(("grpc-status-details-bin", each) for each in status.details)
    context.set_trailing_metadata((*details, *status.trailers))
    context.abort(status.code, status.text)
    return b""


class Golden(NamedTuple):
    """One entry of test/golden/statuses.json."""

    name: str
    entry: dict[str, Any]

    @property
    def status(self) -> Status:
        """As the sidecar sends it."""
        details = base64.b64decode(self.entry["detailsBase64"])
        return Status(code_of(self.entry["code"]), self.entry["text"], (details,))


def golden_statuses() -> list[Golden]:
    """All of them. Their names are what the golden server of the TypeScript tests answers to."""
    entries = json.loads(GOLDEN.read_text("utf-8"))
    return [Golden(_name(entry), entry) for entry in entries]


def _name(entry: dict[str, Any]) -> str:
    cause = f"/{entry['cause']}" if entry.get("cause") else ""
    return f"{entry['leaf']}{cause} {entry['variant']}"


def forced(request: bytes) -> str:
    """What a Resolve forces."""
    return ResolveRequest.FromString(request).forced_tool
