"""What this client warns of, by Python's own warnings, so that the host's filters hold."""


class ToolRoutingUnavailableWarning(UserWarning):
    """A prerequisite of routing is missing: every tool is offered until the composition is put right."""


class SidecarUnreachableWarning(UserWarning):
    """The sidecar did not answer: this turn offers every tool, since no hard filter can apply to it."""
