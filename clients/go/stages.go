package fermata

import (
	"google.golang.org/protobuf/proto"

	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// Allow is a stage that keeps the tools of these names.
func Allow(stage string, names ...string) *palettev1.Stage {
	return &palettev1.Stage{Name: stage, Rule: &palettev1.Stage_Allow{Allow: &palettev1.ToolRule{Names: names}}}
}

// Deny is a stage that keeps all but the tools of these names.
func Deny(stage string, names ...string) *palettev1.Stage {
	return &palettev1.Stage{Name: stage, Rule: &palettev1.Stage_Deny{Deny: &palettev1.ToolRule{Names: names}}}
}

// AtMost is a stage that keeps the best: in the order of routing, then of the registry.
func AtMost(stage string, tools uint32) *palettev1.Stage {
	return &palettev1.Stage{Name: stage, Rule: &palettev1.Stage_Limit{Limit: tools}}
}

// Hard makes a stage a hard filter: it may take the forced tool away, and nothing is offered while the sidecar does not answer.
func Hard(stage *palettev1.Stage) *palettev1.Stage {
	hard := proto.CloneOf(stage)
	hard.ProtectsForced = proto.Bool(false)
	return hard
}
