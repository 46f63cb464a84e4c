package fermata

import "strings"

// UnknownRefusal is a refusal of a newer sidecar, none of whose parents this client knows: go by Remedy and Retryable.
type UnknownRefusal struct{ Ending }

// Unwrap hands on Ending, the class above.
func (e *UnknownRefusal) Unwrap() error { return &e.Ending }

// Is tells whether target is a UnknownRefusal too.
func (e *UnknownRefusal) Is(target error) bool {
	_, same := target.(*UnknownRefusal)
	return same
}

// StatusMismatch is a status whose code is not the one of its details, so that something on the way has changed it: neither is to be trusted,
// and nothing is retried.
type StatusMismatch struct{ Ending }

// Unwrap hands on Ending, the class above.
func (e *StatusMismatch) Unwrap() error { return &e.Ending }

// Is tells whether target is a StatusMismatch too.
func (e *StatusMismatch) Is(target error) bool {
	_, same := target.(*StatusMismatch)
	return same
}

// IncompleteReplay is a replay that ended without its trailer, or with other entries than it announced: nothing of it may be used.
type IncompleteReplay struct{ Ending }

// Unwrap hands on Ending, the class above.
func (e *IncompleteReplay) Unwrap() error { return &e.Ending }

// Is tells whether target is a IncompleteReplay too.
func (e *IncompleteReplay) Is(target error) bool {
	_, same := target.(*IncompleteReplay)
	return same
}

// BrokenPalette is a palette that says neither which tools it offers nor that it offers all: nothing is offered.
type BrokenPalette struct{ Ending }

// Unwrap hands on Ending, the class above.
func (e *BrokenPalette) Unwrap() error { return &e.Ending }

// Is tells whether target is a BrokenPalette too.
func (e *BrokenPalette) Is(target error) bool {
	_, same := target.(*BrokenPalette)
	return same
}

// PermissionUndecided is: the sidecar did not answer, and a hard filter may apply, so nothing is offered. Do not call the model. A
// SidecarUnreachable stands below it. OfferAllWhenUnreachable offers every tool instead, on the host's own responsibility.
type PermissionUndecided struct{ Ending }

// Unwrap hands on Ending, the class above.
func (e *PermissionUndecided) Unwrap() error { return &e.Ending }

// Is tells whether target is a PermissionUndecided too.
func (e *PermissionUndecided) Is(target error) bool {
	_, same := target.(*PermissionUndecided)
	return same
}

// CallNotOffered is: the model called what its palette does not offer. Do not run any of Calls.
type CallNotOffered struct {
	ContractViolationError
	// Calls are the names that may not run: those that the palette excludes, then those that are no registered tool.
	Calls []string
	// Unregistered are those of Calls that are no registered tool.
	Unregistered []string
}

// Error names the calls.
func (e *CallNotOffered) Error() string {
	return "fermata: this turn does not offer " + strings.Join(e.Calls, ", ") + ": do not run it"
}

// Unwrap hands on ContractViolationError, the class above.
func (e *CallNotOffered) Unwrap() error { return &e.ContractViolationError }

// Is tells whether target is a CallNotOffered too.
func (e *CallNotOffered) Is(target error) bool {
	_, same := target.(*CallNotOffered)
	return same
}
