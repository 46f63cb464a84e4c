"""Client of the Fermata sidecar: which tools a turn may offer, and whether a persisted conversation may be picked up."""

from fermata import messages
from fermata._conversation import Recovery
from fermata._skills import SkillQuery
from fermata._turn import OnUnreachable
from fermata._warnings import SidecarUnreachableWarning, ToolRoutingUnavailableWarning
from fermata.aio import AsyncFermata, AsyncRecovery
from fermata.client import Fermata
from fermata.errors import *  # noqa: F403
from fermata.errors import __all__ as _errors
from fermata.recovery import Entry, Replay
from fermata.resolution import Resolution
from fermata.router import AsyncToolRouter, ToolRouter
from fermata.stages import allow, deny, limit
from fermata.threads import ThreadKey, content_of, document
from fermata.verification import Verification

__version__ = "0.1.0"

__all__ = [
    "AsyncFermata",
    "AsyncRecovery",
    "AsyncToolRouter",
    "Entry",
    "Fermata",
    "OnUnreachable",
    "Recovery",
    "Replay",
    "Resolution",
    "SidecarUnreachableWarning",
    "SkillQuery",
    "ThreadKey",
    "ToolRouter",
    "ToolRoutingUnavailableWarning",
    "Verification",
    "allow",
    "content_of",
    "deny",
    "document",
    "limit",
    "messages",
]
__all__ += _errors
