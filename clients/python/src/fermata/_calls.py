"""The calls of a sync client: a lazy channel, one place where an ending becomes an exception."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Any, TypeVar

import grpc

from fermata._channel import channel_options
from fermata._decode import decode
from fermata._rpc import Request, Response, Rpc
from fermata._settings import Settings
from fermata.errors import CallCancelled

Self = TypeVar("Self", bound="Calls")


class Calls:
    """Calls any RPC of the contract. Safe in threads; a forked child gets a channel of its own."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._channel: grpc.Channel | None = None
        self._methods: dict[str, Any] = {}
        self._pid = 0
        self._closed = False

    def call(self, rpc: Rpc[Request, Response], request: Request, *, deadline: float | None = None) -> Response:
        """Calls an RPC that answers once."""
        try:
            answer: Response = self._method(rpc)(
                request,
                timeout=self._settings.deadline_of(rpc, deadline),
                metadata=self._settings.metadata,
            )
        except grpc.RpcError as ended:
            raise decode(ended) from ended
        return answer

    def stream(
        self, rpc: Rpc[Request, Response], request: Request, *, deadline: float | None = None
    ) -> Iterator[Response]:
        """Calls an RPC that answers many times. Closing the iterator ends the call."""
        started = self._method(rpc, streams=True)(
            request,
            timeout=self._settings.deadline_of(rpc, deadline),
            metadata=self._settings.metadata,
        )
        try:
            yield from started
        except grpc.RpcError as ended:
            raise decode(ended) from ended
        finally:
            started.cancel()

    def close(self) -> None:
        """Ends the channel and every call on it. A closed client stays closed."""
        with self._lock:
            self._closed = True
            self._methods = {}
            if self._channel is not None and self._pid == os.getpid():
                self._channel.close()
            self._channel = None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _method(self, rpc: Rpc[Any, Any], *, streams: bool = False) -> Any:
        if self._pid == os.getpid():
            method = self._methods.get(rpc.path)
            if method is not None:
                return method
        with self._lock:
            make = self._open().unary_stream if streams else self._open().unary_unary
            method = make(
                rpc.path,
                request_serializer=rpc.request.SerializeToString,
                response_deserializer=rpc.response.FromString,
            )
            self._methods[rpc.path] = method
            return method

    def _open(self) -> grpc.Channel:
        """The channel of this process. One that was made before a fork belongs to the parent and is left to it."""
        if self._closed:
            raise CallCancelled("this client is closed")
        if self._channel is None or self._pid != os.getpid():
            self._methods = {}
            self._channel = self._connect()
            self._pid = os.getpid()
        return self._channel

    def _connect(self) -> grpc.Channel:
        target, credentials = self._settings.target, self._settings.credentials
        options = channel_options(self._settings.options)
        if credentials is not None:
            return grpc.secure_channel(target, credentials, options=options)
        return grpc.insecure_channel(target, options=options)
