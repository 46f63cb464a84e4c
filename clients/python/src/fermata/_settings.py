"""What a client is constructed with, sync or asyncio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc

from fermata._channel import Option
from fermata._rpc import Rpc
from fermata._turn import OnUnreachable
from fermata.threads import Tenant


@dataclass(frozen=True)
class Settings:
    """Where the sidecar is, for whom it is asked, and what differs from the defaults."""

    target: str
    tenant: Tenant = field(default_factory=Tenant)
    on_unreachable: OnUnreachable = "refuse"
    deadlines: Mapping[str, float] = field(default_factory=dict)
    options: Sequence[Option] = ()
    credentials: grpc.ChannelCredentials | None = None
    metadata: tuple[tuple[str, str], ...] = ()

    def deadline_of(self, rpc: Rpc[Any, Any], given: float | None) -> float | None:
        """Seconds that a call may take: what the call says, what the client says, else the default of the RPC."""
        return given if given is not None else self.deadlines.get(rpc.name, rpc.deadline)


def settings_of(
    target: str,
    *,
    tenant: str | None,
    sub_tenant: str | None,
    token: str | None,
    on_unreachable: OnUnreachable,
    deadlines: Mapping[str, float] | None,
    options: Sequence[Option],
    credentials: grpc.ChannelCredentials | None,
) -> Settings:
    """Reads what a host passes to a client. A `token` travels as a bearer token with every call."""
    if on_unreachable not in ("refuse", "offer_all"):
        raise ValueError(f"on_unreachable is 'refuse' or 'offer_all', not {on_unreachable!r}")
    return Settings(
        target=target,
        tenant=Tenant(tenant or "", sub_tenant),
        on_unreachable=on_unreachable,
        deadlines=deadlines or {},
        options=options,
        credentials=credentials,
        metadata=(("authorization", f"Bearer {token}"),) if token else (),
    )
