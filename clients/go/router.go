package fermata

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// Composition is what a host puts together once, at its start, to route its turns.
type Composition struct {
	// Tools are all registered tools, in order.
	Tools []Tool
	// Skills asks the host's procedural layer, or the sidecar's. Nil: procedural_layer is missing.
	Skills Skills
	// Missing are further prerequisites that the host knows it lacks, in its own words.
	Missing []string
	// Stages and AlwaysOffer hold for every turn.
	Stages      []*palettev1.Stage
	AlwaysOffer []string
	// Logger is where the warning goes. Nil: the default logger.
	Logger *slog.Logger
}

// ToolRouter resolves the turns of one composition.
type ToolRouter struct {
	client *Client
	made   Turn
}

// Call is what differs from one model call to the next.
type Call struct {
	// Force is the tool that this model call must use. Empty: the model is free.
	Force string
	// CallsMade are the tools that were called in this turn so far.
	CallsMade []string
	// Labels are what the operator's stages may ask for.
	Labels map[string]string
	// Skills takes the place of the composition's for this call. Nil: it does not.
	Skills Skills
}

// NewToolRouter composes once. What is missing to route is warned of here, once, and sent with each call; a decline never is, and an empty
// registry alone is not either, since no advice helps it.
func NewToolRouter(client *Client, composition Composition) *ToolRouter {
	router := &ToolRouter{client, Turn{
		Tools:       slices.Clone(composition.Tools),
		Skills:      composition.Skills,
		Stages:      composition.Stages,
		AlwaysOffer: composition.AlwaysOffer,
	}}
	missing := missingIn(composition, client.settings.tenant)
	if len(missing) == 0 {
		return router
	}
	router.made.Skills = CannotRoute(missing...)
	loggerOf(composition).Warn(
		"fermata: tool routing is unavailable, so every turn offers every tool until the composition is put right",
		"missing", strings.Join(missing, ", "),
	)
	return router
}

// Resolve asks for the palette of one model call, as [Client.Resolve] does.
func (r *ToolRouter) Resolve(ctx context.Context, call Call) (*Resolution, error) {
	turn := r.made
	turn.Force, turn.CallsMade, turn.Labels = call.Force, call.CallsMade, call.Labels
	if _, unroutable := turn.Skills.(lacking); call.Skills != nil && !unroutable {
		turn.Skills = call.Skills
	}
	return r.client.Resolve(ctx, turn)
}

// missingIn leaves an empty registry out: the sidecar adds it behind these.
func missingIn(composition Composition, tenant string) []string {
	missing := slices.Clone(composition.Missing)
	if composition.Skills == nil {
		missing = append(missing, "procedural_layer")
	}
	if _, asks := composition.Skills.(query); asks && tenant == "" {
		missing = append(missing, "tenant_id")
	}
	return missing
}

func loggerOf(composition Composition) *slog.Logger {
	if composition.Logger == nil {
		return slog.Default()
	}
	return composition.Logger
}
