"""Where a conversation can go on: its last checkpoint, or the replay from its last tested boundary."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any, NamedTuple

from fermata._gen.conversation.v1.checkpoint_pb2 import Checkpoint, Document
from fermata._gen.conversation.v1.conversation_service_pb2 import (
    ReplayEntry,
    ReplayHeader,
    ReplayResponse,
    ResumeResponse,
)
from fermata._gen.conversation.v1.transcript_pb2 import EntryKind, ReplayZone, TranscriptEntry
from fermata.errors import IncompleteReplay, UnsafeBoundaryError
from fermata.threads import content_of


class Entry(NamedTuple):
    """One message or item of a document, and in a replay what to do with it."""

    position: int
    kind: str
    content: bytes
    call_ids: tuple[str, ...] = ()
    record_time: datetime | None = None
    zone: str = ""
    in_doubt_call_ids: tuple[str, ...] = ()

    def json(self) -> Any:
        """The content, read as JSON."""
        return json.loads(self.content)


class Replay(NamedTuple):
    """A whole replay.

    `in_doubt` are calls that may have run: never run them again without asking the tool or a person.
    """

    header: ReplayHeader
    entries: tuple[Entry, ...]

    @property
    def prefix(self) -> tuple[Entry, ...]:
        """Up to the boundary: take it over as it is."""
        return self._in("PREFIX")

    @property
    def re_drive(self) -> tuple[Entry, ...]:
        """User input after the boundary: give it to the agent again."""
        return self._in("RE_DRIVE")

    @property
    def evidence(self) -> tuple[Entry, ...]:
        """Calls and results that happened: when the same call is made again, use the result and do not run it."""
        return self._in("EVIDENCE")

    @property
    def void(self) -> tuple[Entry, ...]:
        """Cut output, or nothing that counts: leave it."""
        return self._in("VOID")

    @property
    def in_doubt(self) -> tuple[str, ...]:
        """IDs of complete calls without a result."""
        return tuple(call for entry in self.entries for call in entry.in_doubt_call_ids)

    def _in(self, zone: str) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.zone == zone)


class ReplayParts:
    """Puts the messages of a replay together, over several streams if one breaks.

    It never hands out a part as the whole.
    """

    def __init__(self) -> None:
        self._header: ReplayHeader | None = None
        self._entries: list[Entry] = []
        self._announced: int | None = None

    @property
    def after_position(self) -> int | None:
        """Where a broken stream goes on. None: from the beginning."""
        return self._entries[-1].position if self._entries else None

    def take(self, message: ReplayResponse) -> None:
        """The next message of the stream."""
        part = message.WhichOneof("part")
        if part == "header":
            if self._header is not None and self._header.replay_id != message.header.replay_id:
                raise IncompleteReplay("the source of this replay changed while its stream was broken: start again")
            self._header = message.header
        elif part == "entries":
            self._entries.extend(_replayed(entry) for entry in message.entries.entries)
        elif part == "trailer":
            self._announced = message.trailer.entries

    def whole(self) -> Replay:
        """The replay. Raises IncompleteReplay if a part of it is missing."""
        if self._header is None or self._announced != len(self._entries):
            announced = "no count" if self._announced is None else self._announced
            raise IncompleteReplay(f"{len(self._entries)} entries came and {announced} was announced: replay again")
        return Replay(self._header, tuple(self._entries))


class Recovered:
    """What `recover` found.

    A checkpoint that is safe to go on from (`resumed`), or what to go again from (`replay`), and then `unsafe` says
    why.
    """

    def __init__(self, found: ResumeResponse | Replay, unsafe: UnsafeBoundaryError | None = None) -> None:
        self.resumed = found if isinstance(found, ResumeResponse) else None
        self.replay = found if isinstance(found, Replay) else None
        self.unsafe = unsafe
        self._found = found

    @property
    def source(self) -> Checkpoint:
        """The checkpoint that is resumed or replayed."""
        return self._found.header.source if isinstance(self._found, Replay) else self._found.checkpoint

    @property
    def head(self) -> str:
        """The checkpoint that the next write builds on, as `expected_head`."""
        return self.source.ref.checkpoint_id

    @property
    def document(self) -> Document | None:
        """The document to go on from. None: replay, there is none that is safe."""
        return None if self.resumed is None else self.resumed.document

    @property
    def history(self) -> list[Any]:
        """The messages to call the model with next: the document's, or the prefix and what to drive again.

        Of a format that is a JSON list of messages, such as openai-chat/1.
        """
        if self.document is None:
            return [entry.json() for entry in (*self.prefix, *self.re_drive)]
        return list(content_of(self.document))

    @property
    def prefix(self) -> tuple[Entry, ...]:
        """Up to the boundary: take it over as it is. None if the head is safe: `document` is all of it."""
        return () if self.replay is None else self.replay.prefix

    @property
    def re_drive(self) -> tuple[Entry, ...]:
        """User input after the boundary: give it to the agent again."""
        return () if self.replay is None else self.replay.re_drive

    @property
    def evidence(self) -> tuple[Entry, ...]:
        """Calls and results that happened: when the same call is made again, use the result and do not run it."""
        return () if self.replay is None else self.replay.evidence

    @property
    def void(self) -> tuple[Entry, ...]:
        """Cut output, or nothing that counts: leave it. A call in doubt may stand in it."""
        return () if self.replay is None else self.replay.void

    @property
    def in_doubt(self) -> tuple[str, ...]:
        """Calls that may have run: never run them again without asking the tool or a person."""
        return () if self.replay is None else self.replay.in_doubt


def entry_of(entry: TranscriptEntry) -> Entry:
    """An entry of a transcript in plain values."""
    time = entry.record_time.ToDatetime(tzinfo=timezone.utc) if entry.HasField("record_time") else None
    kind = _word(EntryKind, "ENTRY_KIND_", entry.kind)
    return Entry(entry.position, kind, entry.content, tuple(entry.call_ids), time)


def _replayed(entry: ReplayEntry) -> Entry:
    zone = _word(ReplayZone, "REPLAY_ZONE_", entry.zone)
    return entry_of(entry.entry)._replace(zone=zone, in_doubt_call_ids=tuple(entry.in_doubt_call_ids))


def _word(enum: Any, prefix: str, number: int) -> str:
    known = enum.DESCRIPTOR.values_by_number.get(number)
    return known.name.removeprefix(prefix) if known else str(number)
