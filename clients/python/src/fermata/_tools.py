"""Names and tags of tools, whatever framework the list comes from; and the names of the calls that a model made."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

Named = tuple[str, tuple[str, ...]]

# Where an object may keep a list of tools, and where a dialect keeps the object that has the name.
_HOLDERS = ("tools", "functionDeclarations", "function_declarations")
_WRAPPERS = ("function", "custom", "toolSpec")


def named_tools(tools: Any) -> tuple[Named, ...]:
    """The tools of a list: names, LangChain tools, functions, or entries as MCP, OpenAI, Anthropic, Gemini have them.

    A provider's own tool (a web search ...) has no name: no palette can offer, drop or force it, and it is left out.
    """
    found: list[Named] = []
    for each in _listed(tools):
        name = each.get("name") if type(each) is dict else getattr(each, "name", None)
        if type(name) is str and _member(each, "tags") is None:  # nearly every tool; a turn may bring thousands
            found.append((name, ()))
        else:
            found.extend(_named(each))
    return tuple(found)


def tool_name(tool: Any) -> str | None:
    """The name of one tool. None: it has none."""
    if isinstance(tool, str):
        return tool
    name = _member(tool, "name")
    if isinstance(name, str):
        return name
    for wrapper in _WRAPPERS:
        name = _member(_member(tool, wrapper), "name")
        if isinstance(name, str):
            return name
    own = getattr(tool, "__name__", None)
    return own if isinstance(own, str) else None


def kept_tools(tools: Any, offered: Container[str]) -> list[Any]:
    """The same objects in the same order, without those whose name is not offered."""
    return [kept for each in _listed(tools) for kept in _kept(each, offered)]


def called_names(calls: Any) -> tuple[str, ...]:
    """Names of the tools that a model called.

    Names, LangChain messages or tool calls, OpenAI calls, Anthropic blocks.
    """
    if isinstance(calls, str):
        return (calls,)
    held = _member(calls, "tool_calls")
    if held is not None:
        return called_names(held)
    if isinstance(calls, Mapping):
        calls = [calls]
    return tuple(name for name in (tool_name(call) for call in calls) if name is not None)


def _listed(tools: Any) -> Iterable[Any]:
    if isinstance(tools, (list, tuple)):
        return tools
    for holder in _HOLDERS:
        held = _member(tools, holder)
        if isinstance(held, (list, tuple)):
            return held
    if isinstance(tools, (str, bytes, Mapping)):
        raise TypeError(f"a list of tools is needed, not {type(tools).__name__}")
    return list(tools)


def _named(tool: Any) -> Iterable[Named]:
    if isinstance(tool, str):
        return ((tool, ()),)
    name = tool_name(tool)
    if name is not None:
        return ((name, _tags(tool)),)
    for holder in _HOLDERS:
        held = _member(tool, holder)
        if isinstance(held, (list, tuple)):
            return named_tools(held)
    if isinstance(_member(tool, "type"), str) or isinstance(tool, Mapping):
        return ()
    raise TypeError(f"{type(tool).__name__} is no tool: it has no name")


def _kept(tool: Any, offered: Container[str]) -> Iterable[Any]:
    name = tool_name(tool)
    if name is not None:
        return (tool,) if name in offered else ()
    for holder in _HOLDERS:
        held = _member(tool, holder)
        if isinstance(held, (list, tuple)):
            return _kept_of_several(tool, holder, kept_tools(held, offered))
    return (tool,)


def _kept_of_several(tool: Any, holder: str, kept: list[Any]) -> Iterable[Any]:
    """An entry that declares several tools: itself if all are kept, else a copy that declares fewer."""
    if len(kept) == len(_member(tool, holder)):
        return (tool,)
    if not isinstance(tool, Mapping):
        raise TypeError(f"{type(tool).__name__} declares several tools and cannot be copied: give them one by one")
    return ({**tool, holder: kept},) if kept else ()


def _tags(tool: Any) -> tuple[str, ...]:
    """Tags decide what a stage denies: what cannot be read as tags is never taken for none."""
    tags = _member(tool, "tags")
    if tags is None:
        return ()
    if isinstance(tags, (str, bytes, Mapping)) or not isinstance(tags, Iterable):
        raise TypeError(f"the tags of {tool_name(tool)} are {type(tags).__name__}, not a list of strings")
    return tuple(sorted(tags) if isinstance(tags, (set, frozenset)) else tags)


def _member(value: Any, name: str) -> Any:
    if isinstance(value, dict):  # by far the commonest, and cheaper to tell than a Mapping
        return value.get(name)
    found = getattr(value, name, None)
    return value.get(name) if found is None and isinstance(value, Mapping) else found
