package fermata

import (
	"google.golang.org/grpc/codes"

	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// Resolution is the palette of one model call: the tools that it offers and the one that it must use.
type Resolution struct {
	// Response has routing, decision and explanation as the contract has them. Where nobody answered it has a palette only.
	Response *palettev1.ResolveResponse
	// Answered is false where the sidecar did not answer, so that every tool is offered. It certifies nothing.
	Answered bool

	tools   []Tool
	offered map[string]bool // nil: every registered tool
}

// Full tells whether every registered tool is offered, since nothing narrowed the turn.
func (r *Resolution) Full() bool { return r.offered == nil }

// Offers tells whether the turn offers a tool of this name.
func (r *Resolution) Offers(name string) bool {
	if r.Full() {
		return isRegistered(r.tools, name)
	}
	return r.offered[name]
}

// Tools are the offered names, in the order of the registry. None is legal: then call the model without tools.
func (r *Resolution) Tools() []string {
	names := []string{}
	for _, tool := range r.tools {
		if r.Full() || r.offered[tool.Name] {
			names = append(names, tool.Name)
		}
	}
	return names
}

// ForcedTool is the tool that this model call must use; empty: the model is free. A force belongs to one call and never to the turn.
func (r *Resolution) ForcedTool() string { return r.Palette().GetForcedTool() }

// Palette is the palette as the contract has it.
func (r *Resolution) Palette() *palettev1.Palette { return r.Response.GetPalette() }

func (r *Resolution) unavailable() *palettev1.Unavailable {
	if r == nil {
		return nil
	}
	return r.Response.GetUnavailable()
}

// resolutionOf reads an answer. One without an offer means neither all tools nor none.
func resolutionOf(response *palettev1.ResolveResponse, turn Turn) (*Resolution, error) {
	resolution := &Resolution{Response: response, Answered: true, tools: turn.Tools}
	switch offer := response.GetPalette().GetOffer().(type) {
	case *palettev1.Palette_Full:
		return resolution, nil
	case *palettev1.Palette_Explicit:
		resolution.offered = map[string]bool{}
		for _, name := range offer.Explicit.GetNames() {
			resolution.offered[name] = true
		}
		return resolution, nil
	default:
		return nil, &BrokenPalette{Ending{Code: codes.Internal, Detail: "the palette has no offer that this client knows"}}
	}
}
