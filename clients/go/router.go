package fermata

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"

	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// Composition is what a host puts together once, at its start, to route its turns.
type Composition struct {
	// Tools are all registered tools, in order.
	Tools []Tool
	// Skills asks the host's procedural layer, or the sidecar's. Nil: there is none, and routing declines.
	Skills Skills
	// Missing are prerequisites of routing that the host knows it lacks, in its own words, such as embedder.
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
	logger *slog.Logger
	warned sync.Once
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

// NewToolRouter composes once. What is missing to route is sent with each call and warned of once: here, or when the sidecar tells what only
// it can know, such as a skill store that is not configured. A decline is never warned of, and neither is an empty registry alone, whose
// report has no advice.
func NewToolRouter(client *Client, composition Composition) *ToolRouter {
	router := &ToolRouter{client: client, logger: composition.Logger, made: Turn{
		Tools:       slices.Clone(composition.Tools),
		Skills:      composition.Skills,
		Stages:      composition.Stages,
		AlwaysOffer: composition.AlwaysOffer,
	}}
	if router.logger == nil {
		router.logger = slog.Default()
	}
	if len(composition.Missing) > 0 {
		router.made.Skills = CannotRoute(composition.Missing...)
		router.warn(composition.Missing, "give it what is missing")
	}
	return router
}

// Resolve asks for the palette of one model call, as [Client.Resolve] does.
func (r *ToolRouter) Resolve(ctx context.Context, call Call) (*Resolution, error) {
	turn := r.made
	turn.Force, turn.CallsMade, turn.Labels = call.Force, call.CallsMade, call.Labels
	if _, unroutable := turn.Skills.(lacking); call.Skills != nil && !unroutable {
		turn.Skills = call.Skills
	}
	resolution, err := r.client.Resolve(ctx, turn)
	if advice := resolution.unavailable().GetAdvice(); advice != "" {
		r.warn(resolution.unavailable().GetMissing(), advice)
	}
	return resolution, err
}

func (r *ToolRouter) warn(missing []string, advice string) {
	r.warned.Do(func() {
		r.logger.Warn("fermata: tools are not routed, every turn offers all of them", "missing", strings.Join(missing, ", "), "advice", advice)
	})
}
