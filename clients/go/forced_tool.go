package fermata

import (
	"strings"

	refusalv1 "fermata.dev/go/gen/fermata/refusal/v1"
)

// Error says what stands in the way, and the names that the force has to fit: the registered ones, or those that the turn offers.
func (e *ForcedToolUnavailable) Error() string {
	if e.Facts.GetCause() == refusalv1.ForcedToolUnavailable_CAUSE_EXCLUDED_BY_PALETTE {
		return e.Ending.Error() + " (offered: " + listed(e.Facts.GetPalette()) + ")"
	}
	return e.Ending.Error() + " (registered: " + listed(e.Facts.GetRegistered()) + ")"
}

func listed(sample *refusalv1.NameSample) string {
	names := sample.GetNames()
	if len(names) == 0 {
		return "none"
	}
	if int(sample.GetTotal()) > len(names) {
		names = append(append([]string{}, names...), "...")
	}
	return strings.Join(names, ", ")
}
