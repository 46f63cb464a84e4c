package fermata

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"

	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// Verify tells what the calls that the model made are worth against the palette that it was given. The error is a [CallNotOffered] if one of
// them may not run. The answer says whether a force was satisfied, which is no error. Where the sidecar does not answer, the client decides
// by the same rule: all that it takes is in the resolution.
func (c *Client) Verify(ctx context.Context, resolution *Resolution, calls []string) (*palettev1.VerifyCallsResponse, error) {
	request := &palettev1.VerifyCallsRequest{Palette: resolution.Palette(), Calls: calls}
	var response *palettev1.VerifyCallsResponse
	err := c.withRegistry(ctx, resolution.tools, func(digest []byte, registry *palettev1.Registry) (err error) {
		request.Registered = &palettev1.VerifyCallsRequest_RegistryDigest{RegistryDigest: digest}
		if registry != nil {
			request.Registered = &palettev1.VerifyCallsRequest_Registry{Registry: registry}
		}
		response, err = c.Palette().VerifyCalls(ctx, request)
		return err
	})
	var unreachable *SidecarUnreachable
	if errors.As(err, &unreachable) {
		response, err = verifiedHere(resolution, calls), nil
	}
	if err != nil {
		return nil, err
	}
	return response, notOffered(response, calls)
}

func verifiedHere(resolution *Resolution, calls []string) *palettev1.VerifyCallsResponse {
	response := &palettev1.VerifyCallsResponse{}
	forced := resolution.ForcedTool()
	allOffered := true
	for _, name := range calls {
		verdict := resolution.verdictOn(name)
		response.Calls = append(response.Calls, &palettev1.VerifiedCall{Name: name, Verdict: verdict})
		allOffered = allOffered && verdict == palettev1.CallVerdict_CALL_VERDICT_OFFERED
		response.ForceSatisfied = response.ForceSatisfied || (forced != "" && name == forced)
	}
	response.Ok = allOffered && (forced == "" || response.ForceSatisfied)
	return response
}

func (r *Resolution) verdictOn(name string) palettev1.CallVerdict {
	switch {
	case r.Offers(name):
		return palettev1.CallVerdict_CALL_VERDICT_OFFERED
	case isRegistered(r.tools, name):
		return palettev1.CallVerdict_CALL_VERDICT_EXCLUDED
	default:
		return palettev1.CallVerdict_CALL_VERDICT_UNREGISTERED
	}
}

// notOffered goes by each verdict, never by what is not there: a call without one may not run.
func notOffered(response *palettev1.VerifyCallsResponse, calls []string) error {
	if len(response.GetCalls()) != len(calls) {
		return &UnreadableMessage{ForeignStatus{Ending{Code: codes.Internal, Detail: "there is not one verdict for each call"}}}
	}
	var excluded, unregistered []string
	for _, call := range response.GetCalls() {
		switch call.GetVerdict() {
		case palettev1.CallVerdict_CALL_VERDICT_OFFERED:
		case palettev1.CallVerdict_CALL_VERDICT_UNREGISTERED:
			unregistered = append(unregistered, call.GetName())
		default:
			excluded = append(excluded, call.GetName())
		}
	}
	if len(excluded)+len(unregistered) == 0 {
		return nil
	}
	base := ContractViolationError{Ending{Code: codes.FailedPrecondition, Detail: "the model called what this turn does not offer"}}
	return &CallNotOffered{base, append(excluded, unregistered...), unregistered}
}
