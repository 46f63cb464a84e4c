# Generated from proto/fermata/refusal/v1/refusal.proto by `npm run generate`. Change it there.
"""The refusals of Fermata as exceptions: a class for each leaf, below the class of its parent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar, Final, NamedTuple

from fermata._fermata_error import FermataError, NameSample, TellsNames


class ContractViolationError(FermataError):
    """Every refusal below CONTRACT_VIOLATION. Never alone on the wire: it is what to catch for all of
    them.
    """


class ForcedToolUnavailable(TellsNames, ContractViolationError):
    """The turn forces a tool that it cannot offer. Checked after selection, NOT_REGISTERED before
    EXCLUDED_BY_PALETTE.

    Do not call the model. Make the forced tool, the registered tools and the stages agree, then resolve
    again.

    Causes:
    - NOT_REGISTERED: The registry does not hold the forced tool. Compared byte for byte.
    - EXCLUDED_BY_PALETTE: It is registered, and a hard filter took it away.
    """

    REASON: ClassVar[str] = "FORCED_TOOL_UNAVAILABLE"

    @property
    def forced_tool(self) -> str:
        """The name that the request forces, never empty. At most 128 bytes are sent."""
        return self._text("forced_tool")

    @property
    def registered(self) -> NameSample:
        """What is registered. Filled for NOT_REGISTERED only; unset for another cause."""
        return self._names("registered")

    @property
    def palette(self) -> NameSample:
        """What the turn offers. Filled for EXCLUDED_BY_PALETTE only; unset for another cause."""
        return self._names("palette")

    @property
    def excluding_stage(self) -> str:
        """The first hard filter that removed it, at most 64 bytes. Always set for EXCLUDED_BY_PALETTE;
        empty for another cause.
        """
        return self._text("excluding_stage")


class ConversationServiceError(FermataError):
    """Every refusal below CONVERSATION. Never alone on the wire: it is what to catch for all of them."""


class UnsafeBoundaryError(ConversationServiceError):
    """The document stands in the middle of a frame. A permanent property of the artifact: asking again
    never helps.

    Call Replay where replay_possible is true; else cut your own history to the first last_safe_position
    entries and drive the rest again. Never resume or repair this state.

    Causes:
    - DANGLING_TOOL_CALL: A block of calls has no result at all.
    - PARALLEL_HALF_ANSWERED: Some calls of a block have results and some have none.
    - ORPHAN_TOOL_RESULT: A result answers no call of its block.
    - DUPLICATE_TOOL_RESULT: A call that has a result gets a second one.
    - ORPHAN_REASONING: Reasoning stands without the item that it led to.
    - THINKING_NOT_VERBATIM: Thinking of the running turn lost its signature or its data, so that the
      provider would refuse it.
    - THINKING_UNFINISHED: Thinking ends without a text, media or call after it.
    - PARTIAL_STREAM: The output of the model was cut, or is still in progress.
    - PENDING_APPROVAL: A call waits for the approval of a person. Not a problem where the proof of
      awaiting input is published.
    - PENDING_INTERRUPT: The graph waits for the answer to an interrupt. Not a problem where the proof of
      awaiting input is published.
    - TASK_ERROR: A task of the graph failed in this step.
    - TASKS_SCHEDULED: A step of the graph is scheduled, or was done in part.
    - SUBGRAPH_IN_FLIGHT: A subgraph has not handed its result back.
    - PROVIDER_SUSPENDED: The provider paused the turn, or a tool that it runs itself has no result.
    - TURN_OPEN: Nothing is broken, but the model has not answered: user input or answered calls stand
      last.
    - NO_TESTED_BOUNDARY: It may be safe, but no published proof says so for this format.
    """

    REASON: ClassVar[str] = "UNSAFE_BOUNDARY"

    @property
    def checkpoint_id(self) -> str:
        """ID of the checkpoint (UUIDv7, 36 bytes). Empty: a document that is not in the store."""
        return self._text("checkpoint_id")

    @property
    def position(self) -> int | None:
        """The entry with the problem, counted from 0 as the adapter counts. Unset: it is about no single
        entry.
        """
        return self._optional_number("position")

    @property
    def open_calls(self) -> NameSample:
        """Calls after the last safe position without a result: they may have run. In entry order; unset:
        no adapter reads the format.
        """
        return self._names("open_calls")

    @property
    def completed_calls(self) -> NameSample:
        """Calls after the last safe position that have a result. In entry order; unset: no adapter reads
        the format.
        """
        return self._names("completed_calls")

    @property
    def other_causes(self) -> int:
        """How many more entries have a problem. 0: this is the only one."""
        return self._number("other_causes")

    @property
    def last_safe_position(self) -> int | None:
        """Number of leading entries that end at a tested boundary; 0 is the empty prefix. Unset: there is
        none.
        """
        return self._optional_number("last_safe_position")

    @property
    def last_safe_checkpoint_id(self) -> str:
        """The newest checkpoint of the parent lineage that Resume accepts (UUIDv7). Empty: there is none,
        or the document is not in the store.
        """
        return self._text("last_safe_checkpoint_id")

    @property
    def replay_possible(self) -> bool:
        """Replay answers for this checkpoint. Always false from Judge and for a format without an adapter."""
        return self._flag("replay_possible")


class ResumabilityHorizonExpiredError(ConversationServiceError):
    """The published support of the format has ended. A property of the support window: no caller can
    recover it. Checked before the boundary.

    Show the support route to a person: the caller cannot recover this. Until replayUntil, which
    replay_possible tells, the conversation can still be replayed into a supported format.
    """

    REASON: ClassVar[str] = "HORIZON_EXPIRED"

    @property
    def checkpoint_id(self) -> str:
        """ID of the checkpoint (UUIDv7, 36 bytes). Empty: a document that is not in the store."""
        return self._text("checkpoint_id")

    @property
    def format(self) -> str:
        """The format past its end, name/version."""
        return self._text("format")

    @property
    def expire_time(self) -> datetime | None:
        """When its support ended (UTC). Always set."""
        return self._instant("expire_time")

    @property
    def support_route(self) -> str:
        """Where a person finds help: that of the format, else of the deployment. Never empty and never
        cut; checked at start to be at most 128 bytes.
        """
        return self._text("support_route")

    @property
    def replay_possible(self) -> bool:
        """Replay still answers for it: its replayUntil has not passed. Always false from Judge and for a
        format without an adapter.
        """
        return self._flag("replay_possible")


class IssuanceFrozenError(ConversationServiceError):
    """A freeze covers the scope: no new state is created in it. The oldest hold that covers it is named;
    at a tie store, format, tenant, tenant and format.

    Keep the state and wait for the thaw of freeze_id; a retry does not help before. Reads, replays and
    adoption go on. Ask the actor of the hold (ListFreezes) when it ends.

    Causes:
    - NEW_STATE: The write would create state that was not there when the scope was frozen.
    - UNACCOUNTED_LEGACY: The source of a replay exists outside of the store only.
    - OUTPUT_FORMAT_FROZEN: The format of a replay's output is itself frozen.
    """

    REASON: ClassVar[str] = "ISSUANCE_FROZEN"

    @property
    def freeze_id(self) -> str:
        """ID of the hold, never empty. At most 128 bytes are sent."""
        return self._text("freeze_id")

    @property
    def scope(self) -> str:
        """What the hold covers: "store", "format F", "tenant T" or "tenant T format F". Never a tenant
        other than the caller's. At most 128 bytes are sent.
        """
        return self._text("scope")

    @property
    def freeze_time(self) -> datetime | None:
        """When the hold became FROZEN. Unset: it is still closing, and refuses already."""
        return self._instant("freeze_time")

    @property
    def epoch(self) -> int:
        """The epoch of the freeze. 0: it is still closing."""
        return self._number("epoch")


class CheckpointFormatError(ConversationServiceError):
    """The bytes cannot be read as what they claim to be. Nothing is ever read as legacy because it failed
    to be ours.

    Find out what wrote the state and declare that format; never strip or guess it.

    Causes:
    - FUTURE_VERSION: Something newer than this sidecar wrote it. Checked before anything else is decoded.
    - CORRUPT: The digest does not match, the bytes do not parse, or a part that pairing needs is missing.
    - RESERVED_KEY_OCCUPIED: The top-level key that envelopes stand under holds something else.
    - UNRECOGNISED: It parses, and has another shape than its format.
    - UNDECLARED: Its format is neither shipped nor declared in the configuration.
    """

    REASON: ClassVar[str] = "CHECKPOINT_FORMAT"

    @property
    def checkpoint_id(self) -> str:
        """ID of the checkpoint (UUIDv7, 36 bytes). Empty: a document that is not in the store."""
        return self._text("checkpoint_id")

    @property
    def found_version(self) -> int:
        """The version that was found. 0: none was, or the cause is not about a version. Always set for
        FUTURE_VERSION.
        """
        return self._number("found_version")

    @property
    def max_version(self) -> int:
        """The newest version that this sidecar reads. Always set for FUTURE_VERSION; 0 for another cause."""
        return self._number("max_version")

    @property
    def reserved_key(self) -> str:
        """The occupied key. Always set for RESERVED_KEY_OCCUPIED; empty for another cause."""
        return self._text("reserved_key")

    @property
    def candidates(self) -> tuple[str, ...]:
        """Formats whose shape would fit, for UNDECLARED; empty for another cause. Sorted, at most 16."""
        return self._texts("candidates")

    @property
    def format(self) -> str:
        """The declared format, name/version. Empty: it is about the envelope. Always set for UNRECOGNISED
        and UNDECLARED.
        """
        return self._text("format")


class SessionIdentityError(ConversationServiceError):
    """The identity in the request cannot be used. Checked in the order tenant, sub-tenant, session.

    Correct the field that is named and call again. There is no default tenant and no default session.

    Causes:
    - EMPTY: The field is absent or empty.
    - TOO_LONG: The field has more than 128 bytes.
    - FORBIDDEN_CHARACTER: A control character, a surrounding blank, only blanks, a lone surrogate, or not
      in Unicode NFC.
    - RESERVED_VALUE: A sub-tenant of `_`, which would read back as no sub-tenant.
    - NOT_DERIVABLE: A key with fewer separators than its derivation puts there.
    - TENANT_MISMATCH: The tenant that the request claims is not the recorded one, which is never revealed.
    """

    REASON: ClassVar[str] = "SESSION_IDENTITY"

    @property
    def field(self) -> str:
        """The field that it is about: tenant_id, sub_tenant_id, session_id, claimed_tenant_id or
        thread_key. Never empty, and never its value.
        """
        return self._text("field")


class AmbiguousThreadKeyError(SessionIdentityError):
    """A thread key would read, or does read, as more than one identity. Checked after SESSION_IDENTITY's
    own rules.

    Send an identity that makes one key only.

    Causes:
    - MINT: A tenant or sub-tenant carries the separator: the key would read back as somebody else's.
    - ATTRIBUTE: The tenant of a stored key cannot be proved, and the call must name one.
    """

    REASON: ClassVar[str] = "AMBIGUOUS_THREAD_KEY"

    @property
    def direction(self) -> str:
        """Which way the key is ambiguous. Always set."""
        return self._word("direction")

    @property
    def field(self) -> str:
        """The field that it is about: tenant_id, sub_tenant_id or thread_key. Never empty, and never its
        value.
        """
        return self._text("field")

    @property
    def separators_found(self) -> int:
        """How many separators stand in the field: in the stored key for ATTRIBUTE, in the tenant or
        sub-tenant for MINT.
        """
        return self._number("separators_found")

    @property
    def separators_expected(self) -> int:
        """How many may stand there: those that its derivation puts into a key, 0 for MINT."""
        return self._number("separators_expected")

    @property
    def resumable(self) -> bool:
        """The thread can be resumed by its exact key, without naming a tenant. Always false for MINT."""
        return self._flag("resumable")


class TranscriptUnavailableError(ConversationServiceError):
    """The transcript, or a part of it, cannot be given. Never the same as an empty transcript.

    Show that the transcript is unavailable, never that it is empty. Configure a source that can be read.

    Causes:
    - NO_DURABLE_SOURCE: The format has no adapter, or the document was pruned.
    - NO_TIMESTAMPS: The thread was adopted without a written time.
    - GAP: A part of it cannot be read any more.
    """

    REASON: ClassVar[str] = "TRANSCRIPT_UNAVAILABLE"

    @property
    def thread_key(self) -> str:
        """The key of the thread. It stands here only, never in the metadata, the text or a log. At most
        128 bytes are sent.
        """
        return self._text("thread_key")

    @property
    def first_position(self) -> int | None:
        """The first position that cannot be given. Unset: none of it can."""
        return self._optional_number("first_position")


class HeadConflictError(ConversationServiceError):
    """The thread has another head than the one that this write builds on. Checked last of a write.

    Somebody else wrote. Resume from actual_head, look whether the work still has to be done, and issue
    with that head as expected_head. Sending the same write again never helps.
    """

    REASON: ClassVar[str] = "HEAD_CONFLICT"

    @property
    def expected_head(self) -> str:
        """The head that the write builds on (UUIDv7). Empty: it was to be the first checkpoint of its
        thread.
        """
        return self._text("expected_head")

    @property
    def actual_head(self) -> str:
        """The head that the thread has (UUIDv7). Never empty."""
        return self._text("actual_head")

    @property
    def actual_sequence(self) -> int:
        """The sequence number of that head in its thread, from 1."""
        return self._number("actual_sequence")


class ForceUnsupportedByTarget(ContractViolationError):
    """The target cannot be made to call this tool. Only with a target; causes are checked in the order of
    their numbers, after FORCED_TOOL_UNAVAILABLE.

    Do not call the model with a weaker choice. Take one of the alternatives.

    Causes:
    - TOOL_NAME: The name breaks the provider's rule for names.
    - TOOL_DEFERRED: The tool is loaded on demand, and such a tool cannot be forced.
    - EXPLICIT_CACHE: The tools and the choice are fixed in an explicit cache.
    - NO_FORCING: The model takes neither a named choice nor one of any tool.
    - THINKING_CONFLICT: The model takes no forced choice while it thinks.
    """

    REASON: ClassVar[str] = "FORCE_UNSUPPORTED_BY_TARGET"

    @property
    def forced_tool(self) -> str:
        """The name that the request forces. Never empty. At most 128 bytes are sent."""
        return self._text("forced_tool")

    @property
    def dialect(self) -> str:
        """The dialect, as in bindings: OPENAI_CHAT, GEMINI ... Never empty."""
        return self._text("dialect")

    @property
    def model(self) -> str:
        """The model, as in the request. Empty: the request names none. At most 128 bytes are sent."""
        return self._text("model")

    @property
    def feature(self) -> str:
        """The field of the provider's request that stands in the way, such as tool_choice. Never empty."""
        return self._text("feature")

    @property
    def alternatives(self) -> tuple[str, ...]:
        """What the caller can choose instead, the best first, such as OTHER_TARGET. Never empty, at most
        4.
        """
        return self._texts("alternatives")


class OfferUnsupportedByTarget(ContractViolationError):
    """The target cannot be kept to the offer of this turn. Only with a target, after
    FORCE_UNSUPPORTED_BY_TARGET.

    Do not call the model with more tools than the turn offers. Take one of the alternatives.

    Causes:
    - EXPLICIT_CACHE: The tools are fixed in an explicit cache, and this turn must not offer all of them.
    - TOOL_CALLS_IN_HISTORY: The turn offers no tool, and the provider wants a tool list because the
      history holds calls.
    """

    REASON: ClassVar[str] = "OFFER_UNSUPPORTED_BY_TARGET"

    @property
    def dialect(self) -> str:
        """The dialect, as in bindings: OPENAI_CHAT, GEMINI ... Never empty."""
        return self._text("dialect")

    @property
    def model(self) -> str:
        """The model, as in the request. Empty: the request names none. At most 128 bytes are sent."""
        return self._text("model")

    @property
    def feature(self) -> str:
        """The field of the provider's request that stands in the way, such as tool_choice. Never empty."""
        return self._text("feature")

    @property
    def alternatives(self) -> tuple[str, ...]:
        """What the caller can choose instead, the best first, such as OTHER_TARGET. Never empty, at most
        4.
        """
        return self._texts("alternatives")


class InvalidRequest(FermataError):
    """The request breaks a rule of its message. All rules are checked before anything is read or stored.

    Correct each field that the violations name and call again. The same request is refused again.
    """

    REASON: ClassVar[str] = "INVALID_REQUEST"

    class Violation(NamedTuple):
        """One of several facts of the same kind."""

        field: str
        rule: str
        description: str

    @property
    def violations(self) -> tuple[InvalidRequest.Violation, ...]:
        """At least one; at most 4, together at most 600 bytes, are sent. In the order of the request's
        fields.
        """
        return tuple(self.Violation(each.field, each.rule, each.description) for each in self._messages("violations"))

    @property
    def field(self) -> str:
        """The field of the first violation again, for the text and the metadata."""
        return self._text("field")

    @property
    def rule(self) -> str:
        """The rule of the first violation again, for the text and the metadata."""
        return self._text("rule")


class ThreadNotFound(FermataError):
    """There is no such thread for this caller. A read never creates one, and another tenant's thread is
    not there.

    Issue a first checkpoint (without expected_head) if the conversation is new; else check tenant, session
    and key. An older thread is never taken instead.
    """

    REASON: ClassVar[str] = "THREAD_NOT_FOUND"


class CheckpointNotFound(FermataError):
    """The thread has no such checkpoint, or it was discarded, retired or pruned. An older one is never
    taken instead.

    Ask GetCheckpoint or ListCheckpoints what is there; leave checkpoint_id away to get the head. A source
    that a replay has retired lives on in the replay's checkpoint.
    """

    REASON: ClassVar[str] = "CHECKPOINT_NOT_FOUND"

    @property
    def checkpoint_id(self) -> str:
        """The checkpoint that is not there, as in the request. Never empty. At most 128 bytes are sent."""
        return self._text("checkpoint_id")


class FreezeNotFound(FermataError):
    """No active hold has this id: it was never made, or it is thawed and its drain has ended.

    List the active holds (ListFreezes, or `fermata freezes`) and name one of them.
    """

    REASON: ClassVar[str] = "FREEZE_NOT_FOUND"

    @property
    def freeze_id(self) -> str:
        """The hold that is not there, as in the request. Never empty. At most 128 bytes are sent."""
        return self._text("freeze_id")


class RegistryUnknown(FermataError):
    """The sidecar does not hold a registry of this digest (any more): it keeps a bounded number, and none
    over a restart.

    Send the same call with the registry inline, and RegisterTools again for the next ones. Clients do this
    by themselves.
    """

    REASON: ClassVar[str] = "REGISTRY_UNKNOWN"


class IdempotencyKeyReused(FermataError):
    """The key was used for another body before. Checked before everything else that a write reads.

    Take a new key for new content; send the old body again if the first answer is wanted. For Freeze the
    key is freeze_id, and its scope differs.
    """

    REASON: ClassVar[str] = "IDEMPOTENCY_KEY_REUSED"

    @property
    def idempotency_key(self) -> str:
        """The key, or the freeze_id, that was used before. Never empty. At most 128 bytes are sent."""
        return self._text("idempotency_key")


class Unauthenticated(FermataError):
    """The call carries no credential, or one that is not known. The first check of every call.

    Send the token (or client certificate) that the listener asks for.
    """

    REASON: ClassVar[str] = "UNAUTHENTICATED"


class CallerDenied(FermataError):
    """The caller is known and may not do this.

    Call on the operator listener or with the operator's token where needed is operator; with a token of
    that tenant where needed is tenant.
    """

    REASON: ClassVar[str] = "CALLER_DENIED"

    @property
    def needed(self) -> str:
        """What the call needs: "operator" or "tenant". Never empty."""
        return self._text("needed")


class Overloaded(FermataError):
    """A limit of the sidecar is reached. Nothing was done.

    Wait retry_delay and send the same call again. If it stays, raise the limit in the config or add a
    sidecar.
    """

    REASON: ClassVar[str] = "OVERLOADED"

    @property
    def limit(self) -> str:
        """Which limit: "in_flight", "replays", "documents", "memory" or "event_loop". Never empty."""
        return self._text("limit")

    @property
    def retry_delay(self) -> timedelta | None:
        """How long to wait before the same call is sent again. Always set; it is a RetryInfo of the status
        as well.
        """
        return self._duration("retry_delay")


class DeadlineExceeded(FermataError):
    """The deadline of the call passed before there was an answer. A write may have been stored.

    Send the same call again with the same idempotency key: a write that was stored answers as it did the
    first time. Give it a longer deadline if this repeats.
    """

    REASON: ClassVar[str] = "DEADLINE_EXCEEDED"


class FreezePending(FermataError):
    """The freeze has begun, new issuance is refused already, but writers that started before are not done.

    Call Freeze again with the same freeze_id until it answers; it goes on where it stands. Thaw ends it.
    """

    REASON: ClassVar[str] = "FREEZE_PENDING"

    @property
    def freeze_id(self) -> str:
        """ID of the hold, as in the request. Never empty. At most 128 bytes are sent."""
        return self._text("freeze_id")

    @property
    def holders(self) -> int:
        """How many transactions it still waits for."""
        return self._number("holders")

    @property
    def oldest_holder_age(self) -> timedelta | None:
        """Age of the oldest of them. Unset: the store cannot say."""
        return self._duration("oldest_holder_age")

    @property
    def retry_delay(self) -> timedelta | None:
        """How long to wait before the same call is sent again. Always set; it is a RetryInfo of the status
        as well.
        """
        return self._duration("retry_delay")


class StoreUnavailable(FermataError):
    """The store did not answer, or a gate could not be read. It never means that something is not there.

    Send the same call again with the same idempotency key. If it stays, look at the database and at the
    log of the sidecar.
    """

    REASON: ClassVar[str] = "STORE_UNAVAILABLE"

    @property
    def fault(self) -> str:
        """Class of the fault, nothing else of it: never a connection string or a message of the database.
        Never empty.
        """
        return self._text("fault")

    @property
    def retry_delay(self) -> timedelta | None:
        """How long to wait before the same call is sent again. Always set; it is a RetryInfo of the status
        as well.
        """
        return self._duration("retry_delay")


class StoreNotConfigured(FermataError):
    """This sidecar runs without a store, and the call needs one.

    Configure a store (sqlite or postgres) or call a sidecar that has one. Resolve, RegisterTools,
    VerifyCalls, Judge, DeriveThreadKey and GetSupportWindow work without.
    """

    REASON: ClassVar[str] = "STORE_NOT_CONFIGURED"


class ShuttingDown(FermataError):
    """This sidecar is stopping. A replay that it breaks off goes on with after_position.

    Connect again and send the same call; go on with a broken replay by after_position.
    """

    REASON: ClassVar[str] = "SHUTTING_DOWN"

    @property
    def retry_delay(self) -> timedelta | None:
        """How long to wait before the same call is sent again. Always set; it is a RetryInfo of the status
        as well.
        """
        return self._duration("retry_delay")


class Internal(FermataError):
    """A bug. Its text is masked, its cause stands in the log beside the request id.

    Look for request_id in the log of the sidecar and report what stands there. Sending the same call again
    seldom helps.
    """

    REASON: ClassVar[str] = "INTERNAL"

    @property
    def request_id(self) -> str:
        """Under which the log holds the cause. Never empty."""
        return self._text("request_id")


# Which class a reason is, also one that never stands alone on the wire.
CLASSES: Final[Mapping[str, type[FermataError]]] = {
    "CONTRACT_VIOLATION": ContractViolationError,
    "FORCED_TOOL_UNAVAILABLE": ForcedToolUnavailable,
    "CONVERSATION": ConversationServiceError,
    "UNSAFE_BOUNDARY": UnsafeBoundaryError,
    "HORIZON_EXPIRED": ResumabilityHorizonExpiredError,
    "ISSUANCE_FROZEN": IssuanceFrozenError,
    "CHECKPOINT_FORMAT": CheckpointFormatError,
    "SESSION_IDENTITY": SessionIdentityError,
    "AMBIGUOUS_THREAD_KEY": AmbiguousThreadKeyError,
    "TRANSCRIPT_UNAVAILABLE": TranscriptUnavailableError,
    "HEAD_CONFLICT": HeadConflictError,
    "FORCE_UNSUPPORTED_BY_TARGET": ForceUnsupportedByTarget,
    "OFFER_UNSUPPORTED_BY_TARGET": OfferUnsupportedByTarget,
    "INVALID_REQUEST": InvalidRequest,
    "THREAD_NOT_FOUND": ThreadNotFound,
    "CHECKPOINT_NOT_FOUND": CheckpointNotFound,
    "FREEZE_NOT_FOUND": FreezeNotFound,
    "REGISTRY_UNKNOWN": RegistryUnknown,
    "IDEMPOTENCY_KEY_REUSED": IdempotencyKeyReused,
    "UNAUTHENTICATED": Unauthenticated,
    "CALLER_DENIED": CallerDenied,
    "OVERLOADED": Overloaded,
    "DEADLINE_EXCEEDED": DeadlineExceeded,
    "FREEZE_PENDING": FreezePending,
    "STORE_UNAVAILABLE": StoreUnavailable,
    "STORE_NOT_CONFIGURED": StoreNotConfigured,
    "SHUTTING_DOWN": ShuttingDown,
    "INTERNAL": Internal,
}

__all__ = [
    "AmbiguousThreadKeyError",
    "CallerDenied",
    "CheckpointFormatError",
    "CheckpointNotFound",
    "ContractViolationError",
    "ConversationServiceError",
    "DeadlineExceeded",
    "ForceUnsupportedByTarget",
    "ForcedToolUnavailable",
    "FreezeNotFound",
    "FreezePending",
    "HeadConflictError",
    "IdempotencyKeyReused",
    "Internal",
    "InvalidRequest",
    "IssuanceFrozenError",
    "OfferUnsupportedByTarget",
    "Overloaded",
    "RegistryUnknown",
    "ResumabilityHorizonExpiredError",
    "SessionIdentityError",
    "ShuttingDown",
    "StoreNotConfigured",
    "StoreUnavailable",
    "ThreadNotFound",
    "TranscriptUnavailableError",
    "Unauthenticated",
    "UnsafeBoundaryError",
]
