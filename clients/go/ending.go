package fermata

import (
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	refusalv1 "fermata.dev/go/gen/fermata/refusal/v1"
)

// Ending is how a call ended that did not end well, and the class above every other one. It is never
// alone: an error of this client is always of a class below it.
type Ending struct {
	// Reason is the leaf in upper case, as the sidecar sent it; empty where the sidecar did not speak.
	Reason string
	// Code is the status code.
	Code codes.Code
	// Detail is one sentence for a person. It may change: never match on it.
	Detail string
	// Metadata holds the facts as text, by their names in the proto, also those of a leaf that this client does not know.
	Metadata map[string]string
	// Parents are the reasons above this one, nearest first.
	Parents []string
	// Remedy says what to do, without its prefix, such as RETRY_LATER. Empty where the sidecar did not speak.
	Remedy string
	// RetryDelay is how long to wait before the same call is sent again; 0 where the sidecar does not say.
	RetryDelay time.Duration
	// Refusal is the refusal as it was sent, unknown fields with it; nil where none was, or where it could not be read.
	Refusal *refusalv1.Refusal

	status *status.Status
	cause  error
}

// Error is the reason, or else the code, with the sentence behind it.
func (e *Ending) Error() string {
	name := e.Reason
	if name == "" {
		name = e.Code.String()
	}
	return "fermata: " + strings.TrimSuffix(name+": "+e.Detail, ": ")
}

// GRPCStatus is the status as it came, with all of its details: [status.FromError] and the like find it.
func (e *Ending) GRPCStatus() *status.Status {
	if e.status == nil {
		return status.New(e.Code, e.Detail)
	}
	return e.status
}

// Unwrap is what ended the call on this side, such as [context.Canceled]; nil for what the sidecar said.
func (e *Ending) Unwrap() error { return e.cause }

// Retryable tells whether the same call is worth sending again, a write with the same idempotency key. The remedy decides; one that this
// client does not know leaves it to the code.
func (e *Ending) Retryable() bool {
	if _, known := refusalv1.Remedy_value["REMEDY_"+e.Remedy]; known && e.Remedy != "UNSPECIFIED" {
		return e.Remedy == "RETRY_LATER"
	}
	return slices.Contains(worthARetry, e.Code)
}

// Codes that say by themselves that a later call can end better.
var worthARetry = []codes.Code{codes.Unavailable, codes.DeadlineExceeded}
