"""What a turn may offer while the sidecar does not answer: routing fails open, permission does not."""

from __future__ import annotations

import threading
import warnings
from collections import OrderedDict

from fermata._gen.palette.v1.palette_pb2 import Decision
from fermata._turn import Labels, OnUnreachable, Turn, offer_all
from fermata._warnings import SidecarUnreachableWarning
from fermata.errors import PermissionUndecided, SidecarUnreachable
from fermata.resolution import Resolution

_KEPT = 256


class PermissionMemory:
    """Whether the last answer was free of hard filters. Safe in threads.

    It is kept for each set of labels, since an operator's stage may ask for them: what one role was answered
    says nothing about another. Answers under other stages of the operator count no more.
    """

    def __init__(self) -> None:
        self._free: OrderedDict[Labels, bool] = OrderedDict()
        self._stages_version: str | None = None
        self._warned = False
        self._lock = threading.Lock()

    def saw(self, turn: Turn, decision: Decision) -> None:
        """The sidecar answered."""
        with self._lock:
            if decision.stages_version != self._stages_version:
                self._free.clear()
                self._stages_version = decision.stages_version
            self._free[turn.labels] = not decision.hard_filters
            self._free.move_to_end(turn.labels)
            while len(self._free) > _KEPT:
                self._free.popitem(last=False)

    def without_answer(self, turn: Turn, fault: SidecarUnreachable, on_unreachable: OnUnreachable) -> Resolution:
        """The full palette, if no hard filter can apply or the host says so; else it raises PermissionUndecided."""
        if on_unreachable != "offer_all" and not self._may_open(turn):
            raise PermissionUndecided(
                f"the sidecar did not answer and a hard filter may apply: nothing is offered ({fault.detail})"
            ) from fault
        resolution = offer_all(turn)
        self._warn_once(fault)
        return resolution

    def _may_open(self, turn: Turn) -> bool:
        with self._lock:
            return not turn.has_hard_stage and self._free.get(turn.labels, False)

    def _warn_once(self, fault: SidecarUnreachable) -> None:
        with self._lock:
            first, self._warned = not self._warned, True
        if first:
            text = f"the sidecar did not answer, every tool is offered: {fault.detail}"
            warnings.warn(SidecarUnreachableWarning(text), stacklevel=4)
