"""The calls of an asyncio client.

A lazy channel for each event loop, one place where an ending becomes an exception.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, TypeVar

import grpc
import grpc.aio

from fermata._channel import channel_options
from fermata._decode import decode
from fermata._rpc import Request, Response, Rpc
from fermata._settings import Settings
from fermata.errors import CallCancelled

Self = TypeVar("Self", bound="AsyncCalls")


class AsyncCalls:
    """Calls any RPC of the contract. Cancelling the task that waits ends the call on the sidecar, too."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._channel: grpc.aio.Channel | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._methods: dict[str, Any] = {}
        self._closed = False

    async def call(self, rpc: Rpc[Request, Response], request: Request, *, deadline: float | None = None) -> Response:
        """Calls an RPC that answers once."""
        try:
            answer: Response = await self._method(rpc)(
                request,
                timeout=self._settings.deadline_of(rpc, deadline),
                metadata=self._settings.metadata,
            )
        except grpc.RpcError as ended:
            raise decode(ended) from ended
        return answer

    async def stream(
        self, rpc: Rpc[Request, Response], request: Request, *, deadline: float | None = None
    ) -> AsyncIterator[Response]:
        """Calls an RPC that answers many times. Closing the iterator ends the call."""
        started = self._method(rpc, streams=True)(
            request,
            timeout=self._settings.deadline_of(rpc, deadline),
            metadata=self._settings.metadata,
        )
        try:
            async for answer in started:
                yield answer
        except grpc.RpcError as ended:
            raise decode(ended) from ended
        finally:
            started.cancel()

    async def close(self) -> None:
        """Ends the channel and every call on it. A closed client stays closed."""
        self._closed = True
        channel, self._channel, self._methods = self._channel, None, {}
        if channel is not None and self._loop is asyncio.get_running_loop():
            await channel.close()

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _method(self, rpc: Rpc[Any, Any], *, streams: bool = False) -> Any:
        if self._loop is asyncio.get_running_loop():
            method = self._methods.get(rpc.path)
            if method is not None:
                return method
        make = self._open().unary_stream if streams else self._open().unary_unary
        method = make(
            rpc.path,
            request_serializer=rpc.request.SerializeToString,
            response_deserializer=rpc.response.FromString,
        )
        self._methods[rpc.path] = method
        return method

    def _open(self) -> grpc.aio.Channel:
        """The channel of the running loop.

        One of a loop that ended is left to it: grpc's channels belong to their loop.
        """
        if self._closed:
            raise CallCancelled("this client is closed")
        loop = asyncio.get_running_loop()
        if self._channel is None or self._loop is not loop:
            self._methods = {}
            self._channel = self._connect()
            self._loop = loop
        return self._channel

    def _connect(self) -> grpc.aio.Channel:
        target, credentials = self._settings.target, self._settings.credentials
        options = channel_options(self._settings.options)
        if credentials is not None:
            return grpc.aio.secure_channel(target, credentials, options=options)
        return grpc.aio.insecure_channel(target, options=options)
