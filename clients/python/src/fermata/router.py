"""`ToolRouter`: how a deployment routes, composed once and asked for each model call."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fermata._gen.palette.v1.palette_pb2 import Stage
from fermata._skills import Skills, Unroutable
from fermata._warnings import ToolRoutingUnavailableWarning
from fermata.aio.client import AsyncFermata
from fermata.client import Fermata
from fermata.resolution import Resolution


class Composition:
    """What routing needs and what of it is missing, said once: at construction, or when the sidecar says it first.

    `needs` are the prerequisites by name; one that is None is missing, and goes with every call, so that the
    sidecar reports the same. An empty registry is reported with each answer and warned of never: advice about
    routing would be about the wrong thing.
    """

    def __init__(self, tools: Any, skills: Any, needs: Mapping[str, Any] | None, stages: Iterable[Stage]) -> None:
        self.tools = tools
        self.stages = tuple(stages)
        self.missing = tuple(name for name, needed in (needs or {}).items() if needed is None)
        self._skills = skills
        self._said = False
        self._lock = threading.Lock()
        if self.missing:
            self._warn(self.missing, f"give it {' and '.join(self.missing)}", stacklevel=4)

    def skills_for(self, text: Any) -> Skills:
        """What goes with a call: the missing parts, else the rows for this text, brought only if they are needed."""
        if self.missing:
            return Unroutable(self.missing)
        source = self._skills
        return (lambda: source(text)) if callable(source) else source

    def heard(self, resolution: Resolution) -> Resolution:
        """Looks at an answer for what only the sidecar can know, such as a store that is not configured."""
        if resolution.routing == "unavailable" and resolution.response.unavailable.advice:
            self._warn(resolution.missing, resolution.response.unavailable.advice, stacklevel=4)
        return resolution

    def _warn(self, missing: Iterable[str], advice: str, *, stacklevel: int) -> None:
        with self._lock:
            first, self._said = not self._said, True
        if first:
            text = f"tools are not routed, every turn offers all of them ({', '.join(missing)} missing): {advice}"
            warnings.warn(ToolRoutingUnavailableWarning(text), stacklevel=stacklevel)


class ToolRouter:
    """Routes for one deployment: its tools, its procedural layer, its stages.

    `skills` is a function of a turn's text that brings rows (or rows, or a SkillQuery); None: there is no
    procedural layer. `needs` are what it stands on, by name: a value of None is missing, and warned of once.
    """

    def __init__(
        self,
        fermata: Fermata,
        tools: Any,
        *,
        skills: Callable[[Any], Any] | Skills = None,
        needs: Mapping[str, Any] | None = None,
        stages: Iterable[Stage] = (),
    ) -> None:
        self._fermata = fermata
        self._composition = Composition(tools, skills, needs, stages)

    @property
    def missing(self) -> tuple[str, ...]:
        """What routing lacks, as far as the composition knows."""
        return self._composition.missing

    def resolve(self, text: Any = "", **turn: Any) -> Resolution:
        """The palette of one model call. `turn` is what differs from call to call, as in `Fermata.resolve`."""
        composition = self._composition
        return composition.heard(
            self._fermata.resolve(
                composition.tools,
                skills=composition.skills_for(text),
                stages=(*composition.stages, *turn.pop("stages", ())),
                **turn,
            )
        )


class AsyncToolRouter:
    """ToolRouter for asyncio; `skills` may be an async function."""

    def __init__(
        self,
        fermata: AsyncFermata,
        tools: Any,
        *,
        skills: Callable[[Any], Any] | Skills = None,
        needs: Mapping[str, Any] | None = None,
        stages: Iterable[Stage] = (),
    ) -> None:
        self._fermata = fermata
        self._composition = Composition(tools, skills, needs, stages)

    @property
    def missing(self) -> tuple[str, ...]:
        """What routing lacks, as far as the composition knows."""
        return self._composition.missing

    async def resolve(self, text: Any = "", **turn: Any) -> Resolution:
        """The palette of one model call. `turn` is what differs from call to call, as in `AsyncFermata.resolve`."""
        composition = self._composition
        return composition.heard(
            await self._fermata.resolve(
                composition.tools,
                skills=composition.skills_for(text),
                stages=(*composition.stages, *turn.pop("stages", ())),
                **turn,
            )
        )
