"""ToolRoutingUnavailableWarning: once per construction, by the host's own filters, never for a decline."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any

import pytest

from fermata import AsyncFermata, AsyncToolRouter, Fermata, SkillQuery, ToolRouter, ToolRoutingUnavailableWarning
from fermata.testing import Sidecar

TOOLS = ["search", "mail"]


def mail(text: str) -> list[str]:
    """A procedural layer that always names mail."""
    assert text
    return ["mail"]


def test_one_warning_per_construction_in_1000_calls(client: Fermata) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        router = ToolRouter(client, TOOLS, skills=mail, needs={"embedder": None, "memory": object()})
        assert [type(each.message) for each in said] == [ToolRoutingUnavailableWarning]
        assert said[0].filename == __file__
        for _ in range(1_000):
            resolution = router.resolve("write a mail")
        assert (resolution.full, resolution.routing, resolution.missing) == (True, "unavailable", ("embedder",))
        assert not resolution.decision.certifies_cutover
        assert len(said) == 1
        ToolRouter(client, TOOLS, needs={"embedder": None})
        assert len(said) == 2


def test_error_turns_it_into_an_exception_at_construction(client: Fermata) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", ToolRoutingUnavailableWarning)
        with pytest.raises(ToolRoutingUnavailableWarning, match="embedder"):
            ToolRouter(client, TOOLS, needs={"embedder": None})
        warnings.simplefilter("ignore", ToolRoutingUnavailableWarning)
        assert ToolRouter(client, TOOLS, needs={"embedder": None}).missing == ("embedder",)


DECLINES: dict[str, tuple[Any, str]] = {
    "no layer": (None, "NO_PROCEDURAL_LAYER"),
    "nothing found": (lambda text: [], "NO_SKILLS"),
    "asleep": (lambda text: [{"action_tool": "mail", "active": False}], "ALL_INACTIVE"),
    "prose": (lambda text: ["be kind"], "NONE_RESOLVED"),
    "a layer that fails": (lambda text: 1 / 0, "RETRIEVAL_FAILED"),
}


@pytest.mark.parametrize(("skills", "reason"), DECLINES.values(), ids=DECLINES.keys())
def test_a_decline_never_warns(client: Fermata, skills: Any, reason: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        resolution = ToolRouter(client, TOOLS, skills=skills).resolve("text")
        assert (resolution.full, resolution.decline_reason) == (True, reason)


def test_an_empty_registry_alone_never_warns_and_has_no_advice(client: Fermata) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        resolution = ToolRouter(client, [], skills=mail).resolve("text")
        assert (resolution.missing, resolution.response.unavailable.advice) == (("registered_tools",), "")


def test_what_only_the_sidecar_knows_is_said_once_as_well() -> None:
    with Sidecar({"store": "none"}) as sidecar, Fermata(sidecar.target, tenant="acme") as client:
        router = ToolRouter(client, TOOLS, skills=SkillQuery("mail"))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for _ in range(10):
                assert router.resolve().missing == ("skill_store",)
            assert [each.category for each in said] == [ToolRoutingUnavailableWarning]


def test_a_router_routes(client: Fermata) -> None:
    assert ToolRouter(client, TOOLS, skills=mail).resolve("write", force="mail").tool_choice == "mail"


def test_asyncio_does_the_same(fermata_sidecar: Sidecar) -> None:
    async def later(text: str) -> list[str]:
        return mail(text)

    async def run() -> None:
        async with AsyncFermata(fermata_sidecar.target) as client:
            assert (await AsyncToolRouter(client, TOOLS, skills=later).resolve("write")).names == ("mail",)
            with pytest.warns(ToolRoutingUnavailableWarning):
                router = AsyncToolRouter(client, TOOLS, skills=later, needs={"embedder": None})
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert (await router.resolve("write")).missing == ("embedder",)

    asyncio.run(run())
