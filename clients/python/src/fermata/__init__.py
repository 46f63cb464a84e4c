"""Client of the Fermata sidecar.

Which tools a turn may offer, and whether a persisted conversation may be picked up.
"""

from fermata import errors as errors
from fermata import messages as messages
from fermata._conversation import Recovery as Recovery
from fermata._skills import SkillQuery as SkillQuery
from fermata._turn import OnUnreachable as OnUnreachable
from fermata._warnings import SidecarUnreachableWarning as SidecarUnreachableWarning
from fermata._warnings import ToolRoutingUnavailableWarning as ToolRoutingUnavailableWarning
from fermata.aio import AsyncFermata as AsyncFermata
from fermata.aio import AsyncRecovery as AsyncRecovery
from fermata.client import Fermata as Fermata
from fermata.errors import *
from fermata.recovery import Entry as Entry
from fermata.recovery import Replay as Replay
from fermata.resolution import Resolution as Resolution
from fermata.router import AsyncToolRouter as AsyncToolRouter
from fermata.router import ToolRouter as ToolRouter
from fermata.stages import allow as allow
from fermata.stages import deny as deny
from fermata.stages import limit as limit
from fermata.threads import ThreadKey as ThreadKey
from fermata.threads import content_of as content_of
from fermata.threads import document as document
from fermata.verification import Verification as Verification

__version__ = "0.1.0"
