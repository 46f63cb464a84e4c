"""The host's own selection stages, applied after the operator's: `allow`, `deny`, `limit`.

`protects_forced=False` makes a stage a hard filter: it may drop the forced tool, and nothing is offered while
the sidecar does not answer. Unset means True.
"""

from __future__ import annotations

from collections.abc import Iterable

from fermata._gen.palette.v1.palette_pb2 import Stage, ToolRule


def allow(
    name: str,
    *,
    names: Iterable[str] = (),
    globs: Iterable[str] = (),
    tags: Iterable[str] = (),
    protects_forced: bool | None = None,
) -> Stage:
    """Keeps the tools that any of the names, globs and tags fits."""
    return Stage(name=name, protects_forced=protects_forced, allow=ToolRule(names=names, globs=globs, tags=tags))


def deny(
    name: str,
    *,
    names: Iterable[str] = (),
    globs: Iterable[str] = (),
    tags: Iterable[str] = (),
    protects_forced: bool | None = None,
) -> Stage:
    """Keeps the tools that none of the names, globs and tags fits."""
    return Stage(name=name, protects_forced=protects_forced, deny=ToolRule(names=names, globs=globs, tags=tags))


def limit(name: str, most: int, *, protects_forced: bool | None = None) -> Stage:
    """Keeps the `most` best: in the order of routing, then of the registry."""
    return Stage(name=name, protects_forced=protects_forced, limit=most)
