"""The root of every ending that this client raises, and how facts are read out of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any, ClassVar, NamedTuple, TypeVar

import grpc
from google.protobuf.message import Message

from fermata._gen.refusal.v1 import refusal_pb2

_Error = TypeVar("_Error", bound="FermataError")

_KNOWN_REMEDIES = frozenset(name.removeprefix("REMEDY_") for name in refusal_pb2.Remedy.keys())

# What may be worth the same call again where no remedy that we know says so.
_RETRYABLE_CODES = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    }
)


class NameSample(NamedTuple):
    """Some names of a list, and how many the whole list has."""

    names: tuple[str, ...]
    total: int


@dataclass(frozen=True)
class Ending:
    """All that a status said, in plain values, so that what is made of it can be pickled."""

    code: grpc.StatusCode
    detail: str
    reason: str = ""
    parents: tuple[str, ...] = ()
    remedy: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    refusal: bytes = b""


class FermataError(Exception):
    """Every ending of a call but OK. Catch a subclass to decide; this one to give up.

    `code` is the gRPC status code, `detail` the text for a person, `reason` the leaf (empty if no sidecar
    of ours said it), `remedy` what to do, `metadata` every fact as text. Never decide by the text.
    """

    REASON: ClassVar[str] = ""

    def __init__(self, detail: str = "", *, ending: Ending | None = None) -> None:
        self._ending = ending or Ending(grpc.StatusCode.UNKNOWN, detail, self.REASON)
        super().__init__(self._ending.detail)

    @property
    def code(self) -> grpc.StatusCode:
        """The status code. UNKNOWN for what this client found by itself."""
        return self._ending.code

    @property
    def detail(self) -> str:
        """The text of the status, for a person. It may change."""
        return self._ending.detail

    @property
    def reason(self) -> str:
        """The leaf as the sidecar names it, also one that this client does not know. Empty: a library's own status."""
        return self._ending.reason

    @property
    def parents(self) -> tuple[str, ...]:
        """The leaf's parents, nearest first."""
        return self._ending.parents

    @property
    def remedy(self) -> str:
        """What the caller can do, e.g. `RETRY_LATER`. Empty: nobody said."""
        return self._ending.remedy

    @property
    def metadata(self) -> Mapping[str, str]:
        """Every fact of the leaf as text; lists as their total."""
        return self._ending.metadata

    @property
    def cause(self) -> str:
        """Why, as the sidecar names it, also one that this client does not know. Empty: the leaf has no causes."""
        return self.metadata.get("cause") or self.metadata.get("direction", "")

    @property
    def retryable(self) -> bool:
        """Whether the same call is worth sending again: by the remedy, else (none, or a newer one) by the code."""
        if self.remedy in _KNOWN_REMEDIES:
            return self.remedy == "RETRY_LATER"
        return self.code in _RETRYABLE_CODES

    @property
    def retry_after(self) -> timedelta | None:
        """How long to wait before the same call is sent again. None: nobody said."""
        return self._duration("retry_delay")

    @property
    def refusal(self) -> refusal_pb2.Refusal:
        """The message with every fact, a copy. What this client does not know stands in its unknown fields."""
        return refusal_pb2.Refusal.FromString(self._ending.refusal)

    def __repr__(self) -> str:
        cause = f"cause={self.cause!r}, " if self.cause else ""
        return f"{type(self).__name__}({cause}code={self.code.name}, detail={self.detail!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        state = {name: value for name, value in self.__dict__.items() if name != "_ending"}
        return (_rebuilt, (type(self), self._ending), state)

    def _facts(self) -> Message | None:
        refusal = self.refusal
        leaf = refusal.WhichOneof("leaf")
        if leaf is None or leaf != self.REASON.lower():
            return None
        facts: Message = getattr(refusal, leaf)
        return facts

    def _value(self, name: str) -> Any:
        """A fact, or its text where the status is of a leaf that is not this class's own; None where it is unset."""
        facts = self._facts()
        if facts is None:
            return self.metadata.get(name)
        descriptor = facts.DESCRIPTOR.fields_by_name.get(name)
        if descriptor is None or (descriptor.has_presence and not facts.HasField(name)):
            return None
        return getattr(facts, name)

    def _text(self, name: str) -> str:
        return self._value(name) or ""

    def _word(self, name: str) -> str:
        return self.metadata.get(name, "")

    def _flag(self, name: str) -> bool:
        return self._value(name) in (True, "true")

    def _number(self, name: str) -> int:
        return self._optional_number(name) or 0

    def _optional_number(self, name: str) -> int | None:
        value = self._value(name)
        return None if value in (None, "") else int(value)

    def _texts(self, name: str) -> tuple[str, ...]:
        return tuple(self._messages(name))

    def _messages(self, name: str) -> Sequence[Any]:
        value = self._value(name)
        return () if value is None or isinstance(value, str) else tuple(value)

    def _names(self, name: str) -> NameSample:
        value = self._value(name)
        if value is None or isinstance(value, str):
            return NameSample((), int(value or 0))
        return NameSample(tuple(value.names), value.total)

    def _instant(self, name: str) -> datetime | None:
        value = self._value(name)
        if value is None or isinstance(value, str):
            return None
        moment: datetime = value.ToDatetime(tzinfo=timezone.utc)
        return moment

    def _duration(self, name: str) -> timedelta | None:
        value = self._value(name)
        if value is None or isinstance(value, str):
            return timedelta(seconds=float(value.removesuffix("s"))) if value else None
        span: timedelta = value.ToTimedelta()
        return span


class TellsNames(FermataError):
    """What ForcedToolUnavailable says in its text: which names there are instead."""

    def __str__(self) -> str:
        offered = self.cause == "EXCLUDED_BY_PALETTE"
        sample = self._names("palette" if offered else "registered")
        return f"{self.detail} ({'offered' if offered else 'registered'}: {_listed(sample)})"


def _listed(sample: NameSample) -> str:
    if sample.total == 0:
        return "none"
    more = sample.total - len(sample.names)
    return ", ".join(sample.names) + (f" and {more} more" if more > 0 else "")


def _rebuilt(kind: type[_Error], ending: Ending) -> _Error:
    return kind(ending=ending)
