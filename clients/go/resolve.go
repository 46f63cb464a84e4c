package fermata

import (
	"context"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// Turn is one model call: what is registered, what the skills say, what the host selects and forces.
type Turn struct {
	// Tools are all registered tools of the deployment, in order.
	Tools []Tool
	// Skills is what the procedural layer says. Nil: the host has none.
	Skills Skills
	// AlwaysOffer are names that join a routed palette.
	AlwaysOffer []string
	// Stages are the host's selection rules, after those of the operator.
	Stages []*palettev1.Stage
	// Force is the tool that this model call must use. Empty: the model is free.
	Force string
	// CallsMade are the tools that were called in this turn so far; one that is the forced tool lifts the force.
	CallsMade []string
	// Labels are what the operator's stages may ask for, such as role or agent.
	Labels map[string]string
	// Explain asks for the steps that led to the palette.
	Explain bool
}

// Resolve asks for the palette of one model call. A force that the turn cannot offer is a [ForcedToolUnavailable].
//
// Where the sidecar does not answer, every tool is offered, with a warning once, but only if no hard filter can be meant: the turn has none
// of its own, and the last answer for the same labels said that the operator has none. Else the error is a [PermissionUndecided].
func (c *Client) Resolve(ctx context.Context, turn Turn) (*Resolution, error) {
	request := c.requestOf(ctx, turn)
	var response *palettev1.ResolveResponse
	err := c.withRegistry(ctx, turn.Tools, func(digest []byte, registry *palettev1.Registry) (err error) {
		response, err = c.Palette().Resolve(ctx, registered(request, digest, registry))
		return err
	})
	if err != nil {
		return c.withoutAnswer(turn, err)
	}
	resolution, err := resolutionOf(response, turn)
	if err != nil {
		return nil, err
	}
	c.seen.remember(turn.Labels, response.GetDecision())
	return resolution, nil
}

func (c *Client) requestOf(ctx context.Context, turn Turn) *palettev1.ResolveRequest {
	request := &palettev1.ResolveRequest{
		AlwaysOffer: turn.AlwaysOffer,
		Stages:      turn.Stages,
		CallsMade:   turn.CallsMade,
		Labels:      maps.Clone(turn.Labels),
		Explain:     turn.Explain,
	}
	if turn.Force != "" {
		request.ForcedTool = proto.String(turn.Force)
	}
	if turn.Skills != nil {
		turn.Skills.ask(ctx, &turnRequest{request, c.settings.tenant, len(turn.Tools) == 0})
	}
	return request
}

func registered(request *palettev1.ResolveRequest, digest []byte, registry *palettev1.Registry) *palettev1.ResolveRequest {
	if registry != nil {
		request.Registered = &palettev1.ResolveRequest_Registry{Registry: registry}
		return request
	}
	request.Registered = &palettev1.ResolveRequest_RegistryDigest{RegistryDigest: digest}
	return request
}

// isSatisfied tells whether the turn has called what it forces, so that nothing is forced any more.
func (t Turn) isSatisfied() bool { return slices.Contains(t.CallsMade, t.Force) }

// hasHardStage tells whether a rule of the host itself may take the forced tool away.
func (t Turn) hasHardStage() bool {
	return slices.ContainsFunc(t.Stages, func(stage *palettev1.Stage) bool {
		return stage.ProtectsForced != nil && !stage.GetProtectsForced()
	})
}
