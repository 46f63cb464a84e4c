"""Reads golden statuses with plain grpcio: one line of JSON for each name that comes on standard input.

Called as `read_statuses.py TARGET`; the server answers the status that `forced_tool` names.
"""

import json
import sys
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict
from google.rpc import error_details_pb2, status_pb2

from fermata.palette.v1 import palette_service_pb2 as palette
from fermata.refusal.v1 import refusal_pb2

PREFIX = "type.googleapis.com/"


def read_statuses(target: str, names: list[str]) -> None:
    with grpc.insecure_channel(target, options=[("grpc.enable_http_proxy", 0)]) as channel:
        resolve = channel.unary_unary(
            "/fermata.palette.v1.PaletteService/Resolve",
            request_serializer=palette.ResolveRequest.SerializeToString,
            response_deserializer=palette.ResolveResponse.FromString,
        )
        for name in names:
            print(json.dumps({"name": name, **read_status(resolve, name)}))


def read_status(resolve: grpc.UnaryUnaryMultiCallable, name: str) -> dict[str, Any]:
    try:
        resolve(palette.ResolveRequest(forced_tool=name), timeout=10)
    except grpc.RpcError as ending:
        return read_ending(ending)
    return {"code": 0}


def read_ending(ending: Any) -> dict[str, Any]:
    (details,) = [value for key, value in ending.trailing_metadata() if key == "grpc-status-details-bin"]
    status = status_pb2.Status.FromString(details)
    info, refusal = error_details_pb2.ErrorInfo(), refusal_pb2.Refusal()
    assert status.details[0].Unpack(info) and status.details[1].Unpack(refusal)
    return {
        "code": ending.code().value[0],
        "text": ending.details(),
        "innerCode": status.code,
        "innerText": status.message,
        "domain": info.domain,
        "reason": info.reason,
        "metadata": dict(info.metadata),
        "facts": MessageToDict(refusal),
        "details": [detail.type_url.removeprefix(PREFIX) for detail in status.details],
    }


read_statuses(sys.argv[1], json.load(sys.stdin))
