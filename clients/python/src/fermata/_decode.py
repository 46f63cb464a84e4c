"""The one place where a gRPC status becomes an exception of ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from fermata import errors
from fermata._fermata_error import Ending, FermataError
from fermata._gen.errors import CLASSES
from fermata._gen.refusal.v1 import refusal_pb2

_DETAILS_KEY = "grpc-status-details-bin"
_DOMAIN = "fermata"
_CODES = {code.value[0]: code for code in grpc.StatusCode}

_FOREIGN: dict[grpc.StatusCode, type[FermataError]] = {
    grpc.StatusCode.UNAVAILABLE: errors.SidecarUnreachable,
    grpc.StatusCode.DEADLINE_EXCEEDED: errors.SidecarUnreachable,
    grpc.StatusCode.CANCELLED: errors.CallCancelled,
    grpc.StatusCode.UNIMPLEMENTED: errors.MethodNotAvailable,
    grpc.StatusCode.RESOURCE_EXHAUSTED: errors.MessageTooLarge,
    grpc.StatusCode.INTERNAL: errors.UnreadableMessage,
}


def decode(ended: grpc.RpcError) -> FermataError:
    """The exception of a call that ended, with the call itself as its cause.

    It never fails, whatever the status holds.
    """
    call: Any = ended  # grpc gives its errors these methods, and its types do not say so
    error = decode_status(call.code(), call.details() or "", _details(call.trailing_metadata()))
    error.__cause__ = ended
    return error


def decode_status(code: grpc.StatusCode, text: str, details: bytes | None) -> FermataError:
    """The exception of a status. `details` is what grpc-status-details-bin held; None: there was exactly none."""
    read = _read(details)
    if read is None:
        return _FOREIGN.get(code, errors.ForeignStatus)(ending=Ending(code, text))
    status, info, refusal = read
    metadata = dict(info.metadata)
    ending = Ending(
        code=code,
        detail=text or status.message,
        reason=info.reason,
        parents=tuple(parent for parent in metadata.get("parents", "").split(",") if parent),
        remedy=metadata.get("remedy", ""),
        metadata=metadata,
        refusal=refusal,
    )
    if status.code != code.value[0]:
        return errors.StatusMismatch(ending=ending)
    return _class_of(ending)(ending=ending)


def _details(trailing: Iterable[Any] | None) -> bytes | None:
    found = [value for key, value in trailing or () if key == _DETAILS_KEY]
    return found[0] if len(found) == 1 and isinstance(found[0], bytes) else None


def _read(details: bytes | None) -> tuple[Any, Any, bytes] | None:
    """Status, ErrorInfo and the bytes of the Refusal; None for anything that is not wholly ours."""
    if details is None:
        return None
    status, info, refusal = status_pb2.Status(), error_details_pb2.ErrorInfo(), refusal_pb2.Refusal()
    try:
        status.ParseFromString(details)
        if not any(detail.Unpack(info) for detail in status.details) or info.domain != _DOMAIN:
            return None
        known = any(detail.Unpack(refusal) for detail in status.details)
    except (DecodeError, UnicodeDecodeError, ValueError):
        return None
    return status, info, refusal.SerializeToString() if known else b""


def _class_of(ending: Ending) -> type[FermataError]:
    """The leaf's own class, else that of the nearest parent that is known."""
    for name in (ending.reason, *ending.parents):
        if name in CLASSES:
            return CLASSES[name]
    return errors.UnknownRefusal


def code_of(number: int) -> grpc.StatusCode:
    """The status code of a number of google.rpc.Code; UNKNOWN for one that is none."""
    return _CODES.get(number, grpc.StatusCode.UNKNOWN)
