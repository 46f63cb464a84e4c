"""How a channel to a sidecar is set up: it finds a restarted one within two seconds, and no proxy stands between."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fermata._rpc import Rpc, all_rpcs

Option = tuple[str, Any]

# The largest document that a sidecar may be configured for (32 MiB), as its message limit counts it.
_RECEIVE_LIMIT = -(-32 * 1024 * 1024 // 3) * 4 + 256 * 1024


def channel_options(own: Sequence[Option] = ()) -> list[Option]:
    """The channel arguments; what the host gives comes last and wins."""
    given = {name for name, _ in own}
    return [*(option for option in _DEFAULTS if option[0] not in given), *own]


def _service_config() -> str:
    """Retries where there was no answer (UNAVAILABLE) and the contract says that a call may be repeated."""
    policy = {
        "maxAttempts": 4,
        "initialBackoff": "0.1s",
        "maxBackoff": "1s",
        "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE"],
    }
    repeatable = [_method(rpc) for rpc in all_rpcs() if rpc.repeatable]
    return json.dumps({"methodConfig": [{"name": repeatable, "retryPolicy": policy}]})


def _method(rpc: Rpc[Any, Any]) -> dict[str, str]:
    service, _, method = rpc.path.lstrip("/").partition("/")
    return {"service": service, "method": method}


# A status of ours has 4 KiB of headers at most. What proxies add is let in up to this, instead of
# being dropped by chance from 8 KiB on.
_HEADER_LIMIT = 16 * 1024

_DEFAULTS: tuple[Option, ...] = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", _RECEIVE_LIMIT),
    ("grpc.max_metadata_size", _HEADER_LIMIT),
    ("grpc.absolute_max_metadata_size", 2 * _HEADER_LIMIT),
    ("grpc.service_config", _service_config()),
)
