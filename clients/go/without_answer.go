package fermata

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
	refusalv1 "fermata.dev/go/gen/fermata/refusal/v1"
)

// seenAnswers knows for which labels the last answer said that no hard filter applied. Labels count, since an operator's filter can be for
// one role; answers under other stages of the operator count no more.
type seenAnswers struct {
	mutex  sync.Mutex
	free   map[string]bool
	stages string
	warned sync.Once
}

// keptLabels is for how many sets of labels it is remembered; beyond, a turn is undecided until the next answer.
const keptLabels = 1024

func newSeenAnswers() *seenAnswers { return &seenAnswers{free: map[string]bool{}} }

func (s *seenAnswers) remember(labels map[string]string, decision *palettev1.Decision) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if decision.GetStagesVersion() != s.stages || len(s.free) >= keptLabels {
		clear(s.free)
	}
	s.stages = decision.GetStagesVersion()
	s.free[textOf(labels)] = decision != nil && !decision.GetHardFilters()
}

func (s *seenAnswers) hadNoHardFilter(labels map[string]string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.free[textOf(labels)]
}

func textOf(labels map[string]string) string {
	pairs := make([]string, 0, len(labels))
	for name, value := range labels {
		pairs = append(pairs, fmt.Sprintf("%q=%q", name, value))
	}
	slices.Sort(pairs)
	return strings.Join(pairs, ",")
}

// withoutAnswer is what a turn may do where the sidecar did not answer. What the sidecar said, OVERLOADED as well, is handed on.
func (c *Client) withoutAnswer(turn Turn, err error) (*Resolution, error) {
	var unreachable *SidecarUnreachable
	if !errors.As(err, &unreachable) {
		return nil, err
	}
	decidable := !turn.hasHardStage() && c.seen.hadNoHardFilter(turn.Labels)
	if !decidable && !c.settings.offerAll {
		return nil, undecided(unreachable)
	}
	if turn.Force != "" && !turn.isSatisfied() && !isRegistered(turn.Tools, turn.Force) {
		return nil, notRegistered(turn)
	}
	c.seen.warned.Do(func() {
		slog.Warn("fermata: the sidecar does not answer, so this turn offers every tool", "cause", unreachable)
	})
	return fullResolution(turn), nil
}

func fullResolution(turn Turn) *Resolution {
	palette := &palettev1.Palette{Offer: &palettev1.Palette_Full{Full: &palettev1.FullOffer{}}}
	if turn.Force != "" && !turn.isSatisfied() {
		palette.ForcedTool = proto.String(turn.Force)
	}
	response := &palettev1.ResolveResponse{Palette: palette, ForceSatisfied: turn.Force != "" && turn.isSatisfied()}
	return &Resolution{Response: response, tools: turn.Tools}
}

func undecided(unreachable *SidecarUnreachable) error {
	detail := "the sidecar does not answer, and a hard filter may apply: do not call the model"
	return &PermissionUndecided{Ending{Code: unreachable.Code, Detail: detail, cause: unreachable}}
}

// notRegistered is the refusal that the sidecar would have answered.
func notRegistered(turn Turn) error {
	ending := Ending{
		Reason:  "FORCED_TOOL_UNAVAILABLE",
		Code:    codes.FailedPrecondition,
		Detail:  fmt.Sprintf("this turn forces %q, which is not registered: do not call the model", turn.Force),
		Parents: []string{"CONTRACT_VIOLATION"},
		Remedy:  "ALIGN_COMPOSITION",
	}
	return newForcedToolUnavailable(ending, &refusalv1.ForcedToolUnavailable{
		Cause:      refusalv1.ForcedToolUnavailable_CAUSE_NOT_REGISTERED,
		ForcedTool: turn.Force,
		Registered: sampleOf(turn.Tools),
	})
}

// sampleOf is as large as the sidecar's would be.
func sampleOf(tools []Tool) *refusalv1.NameSample {
	names := make([]string, len(tools))
	for i, tool := range tools {
		names[i] = tool.Name
	}
	slices.Sort(names)
	return &refusalv1.NameSample{Names: names[:min(len(names), 16)], Total: uint32(len(names))}
}
