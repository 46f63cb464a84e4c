"""Everything that this client raises: the refusals (generated) and what the client says by itself.

No `__all__`: type checkers want a literal one, and the refusals are listed in the generated module only.
"""

from collections.abc import Sequence as _Sequence

from fermata._fermata_error import Ending as Ending
from fermata._fermata_error import FermataError as FermataError
from fermata._fermata_error import NameSample as NameSample
from fermata._gen.errors import *
from fermata._gen.errors import ContractViolationError as ContractViolationError


class UnknownRefusal(FermataError):
    """A refusal of a newer sidecar, and none of its parents is known: go by `remedy` and `retryable`."""


class StatusMismatch(FermataError):
    """Something on the way changed the status code of a refusal: neither code is to be trusted, nothing is retried."""

    @property
    def retryable(self) -> bool:
        """Never."""
        return False


class ForeignStatus(FermataError):
    """A status that no sidecar of ours made: a library's or a proxy's. `code` is all that is known."""


class SidecarUnreachable(ForeignStatus):
    """The sidecar did not answer: no connection, or not in time (`code` tells which). A write may have been stored."""


class CallCancelled(ForeignStatus):
    """The call was cancelled, or its client was closed."""


class MethodNotAvailable(ForeignStatus):
    """This sidecar has no such method: it is older than this client."""


class MessageTooLarge(ForeignStatus):
    """A message is larger than the message limit of the sidecar or of this client."""

    @property
    def retryable(self) -> bool:
        """Never: the same message is as large again."""
        return False


class UnreadableMessage(ForeignStatus):
    """The other side could not read the bytes of a message: client and sidecar have different protos."""


class BrokenPalette(FermataError):
    """A palette without an offer, which is neither "none" nor "all": the sidecar is newer than this client."""


class PermissionUndecided(FermataError):
    """The sidecar did not answer, and a hard filter may apply: nothing is offered. The cause is a SidecarUnreachable.

    `on_unreachable="offer_all"` offers every tool instead, on the host's own responsibility.
    """

    @property
    def retryable(self) -> bool:
        """Always: the sidecar may be back."""
        return True


class CallNotOffered(ContractViolationError):
    """The model called what its palette does not offer: do not run any of `calls`."""

    calls: tuple[str, ...] = ()
    unregistered: tuple[str, ...] = ()

    @classmethod
    def of(cls, excluded: _Sequence[str], unregistered: _Sequence[str]) -> "CallNotOffered":
        """The calls that may not run: first those that this palette excludes, then those that are no tool at all."""
        names = (*excluded, *unregistered)
        error = cls(f"this turn does not offer {', '.join(names)}: do not run it")
        error.calls, error.unregistered = names, tuple(unregistered)
        return error


class IncompleteReplay(FermataError):
    """A replay ended without its trailer, or with other entries than it announced: nothing of it may be used."""
