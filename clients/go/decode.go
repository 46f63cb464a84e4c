package fermata

import (
	"context"
	"errors"
	"maps"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	refusalv1 "fermata.dev/go/gen/fermata/refusal/v1"
)

// domain is what our ErrorInfo names; a status of another domain is another program's.
const domain = "fermata"

// Decode is the error of a call as the most telling class: that of its leaf, else of the nearest parent that this client knows, else
// [UnknownRefusal]. A status without our details becomes a [ForeignStatus]. It never fails, and leaves nil and what is decoded already as
// they are.
func Decode(err error) error { return decodeWith(err, nil) }

// decodeWith sees in the trailer what grpc-go hides: that the code of the status is not the one of its details.
func decodeWith(err error, trailer metadata.MD) error {
	if err == nil || isEnding(err) {
		return err
	}
	given := statusOf(err)
	if mismatches(given, trailer) {
		return &StatusMismatch{Ending{Code: given.Code(), Detail: given.Message(), status: given}}
	}
	ending := Ending{Code: given.Code(), Detail: given.Message(), status: given}
	info, refusal, delay := detailsOf(given)
	if info == nil {
		ending.cause = causeOf(err, given.Code())
		return foreignClass(ending)
	}
	ending.Reason = info.GetReason()
	ending.Metadata = maps.Clone(info.GetMetadata())
	ending.Parents = parentsOf(info)
	ending.Remedy = remedyOf(info, refusal)
	ending.Refusal = refusal
	ending.RetryDelay = delay.GetRetryDelay().AsDuration()
	return knownClass(ending)
}

func mismatches(given *status.Status, trailer metadata.MD) bool {
	details := trailer.Get("grpc-status-details-bin")
	if given.Code() != codes.Internal || len(details) != 1 {
		return false
	}
	var inner statuspb.Status
	return proto.Unmarshal([]byte(details[0]), &inner) == nil && inner.GetCode() != int32(codes.Internal)
}

func isEnding(err error) bool {
	var ending *Ending
	return errors.As(err, &ending)
}

// statusOf is the status as it was sent: [status.FromError] would put the text of what wraps it, such as a retry, into it. An error of this
// machine's context is taken for what it is.
func statusOf(err error) *status.Status {
	var carrier interface{ GRPCStatus() *status.Status }
	if errors.As(err, &carrier) && carrier.GRPCStatus() != nil {
		return carrier.GRPCStatus()
	}
	return status.FromContextError(err)
}

// causeOf is what hosts look for by [errors.Is]; a status says only its code.
func causeOf(err error, code codes.Code) error {
	if _, isStatus := status.FromError(err); !isStatus {
		return err
	}
	switch code {
	case codes.Canceled:
		return context.Canceled
	case codes.DeadlineExceeded:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// detailsOf reads what can be read. A detail that cannot is as one that was not sent.
func detailsOf(given *status.Status) (info *errdetails.ErrorInfo, refusal *refusalv1.Refusal, delay *errdetails.RetryInfo) {
	for _, detail := range given.Details() {
		switch message := detail.(type) {
		case *errdetails.ErrorInfo:
			if info == nil && message.GetDomain() == domain && message.GetReason() != "" {
				info = message
			}
		case *refusalv1.Refusal:
			refusal = message
		case *errdetails.RetryInfo:
			delay = message
		}
	}
	return info, refusal, delay
}

func parentsOf(info *errdetails.ErrorInfo) []string {
	written := info.GetMetadata()["parents"]
	if written == "" {
		return nil
	}
	return strings.Split(written, ",")
}

// remedyOf is the remedy as text, which knows more than this client's enum; the refusal has it too, should the metadata not.
func remedyOf(info *errdetails.ErrorInfo, refusal *refusalv1.Refusal) string {
	if written := info.GetMetadata()["remedy"]; written != "" {
		return written
	}
	if refusal.GetRemedy() == refusalv1.Remedy_REMEDY_UNSPECIFIED {
		return ""
	}
	return strings.TrimPrefix(refusal.GetRemedy().String(), "REMEDY_")
}

func knownClass(ending Ending) error {
	for _, reason := range append([]string{ending.Reason}, ending.Parents...) {
		if class := classOf(reason, ending, ending.Refusal); class != nil {
			return class
		}
	}
	return &UnknownRefusal{ending}
}
