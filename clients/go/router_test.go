package fermata_test

import (
	"bytes"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	fermata "fermata.dev/go"
	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

func TestAToolRouterWarnsOncePerConstruction(t *testing.T) {
	tools, skills := fermata.Named("search", "mail"), fermata.SkillsNaming("nothing of this name")
	tests := map[string]struct {
		made     fermata.Composition
		warnings int
		missing  []string
	}{
		"all is there, and it declines":        {made: fermata.Composition{Tools: tools, Skills: skills}},
		"no procedural layer is a decline":     {made: fermata.Composition{Tools: tools}},
		"only the registry is empty":           {made: fermata.Composition{Skills: skills}, missing: []string{"registered_tools"}},
		"the host's own name":                  {made: fermata.Composition{Tools: tools, Skills: skills, Missing: []string{"embedder"}}, warnings: 1, missing: []string{"embedder"}},
		"the host's own and an empty registry": {made: fermata.Composition{Missing: []string{"embedder"}}, warnings: 1, missing: []string{"embedder", "registered_tools"}},
		"only the sidecar knows":               {made: fermata.Composition{Tools: tools, Skills: fermata.Query("mail", 0)}, warnings: 1, missing: []string{"tenant_id"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			calls := 20
			if name == "the host's own name" {
				calls = 1000
			}
			var log bytes.Buffer
			test.made.Logger = slog.New(slog.NewTextHandler(&log, nil))
			router := fermata.NewToolRouter(clientOf(t, target), test.made)
			for range calls {
				resolution, err := router.Resolve(t.Context(), fermata.Call{})
				if err != nil || !resolution.Full() {
					t.Fatal(resolution, err)
				}
				if missing := resolution.Response.GetUnavailable().GetMissing(); !isWithin(test.missing, missing) || (test.missing == nil) != (missing == nil) {
					t.Fatal(missing)
				}
			}
			if warned := strings.Count(log.String(), "level=WARN"); warned != test.warnings {
				t.Errorf("%d warnings: %s", warned, &log)
			}
		})
	}
}

func TestAToolRouterLeavesTheWarningToTheHandlersLevel(t *testing.T) {
	var log bytes.Buffer
	quiet := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError}))
	fermata.NewToolRouter(clientOf(t, target), fermata.Composition{Tools: fermata.Named("a"), Missing: []string{"embedder"}, Logger: quiet})
	if log.Len() > 0 {
		t.Error(log.String())
	}
}

func TestAToolRouterResolvesWithWhatACallBrings(t *testing.T) {
	router := fermata.NewToolRouter(clientOf(t, target), fermata.Composition{
		Tools:       fermata.Named("search", "mail", "calendar", "help"),
		Skills:      fermata.SkillsNaming("search"),
		AlwaysOffer: []string{"help"},
		Stages:      []*palettev1.Stage{fermata.Deny("no-calendar", "calendar")},
	})
	resolution, err := router.Resolve(t.Context(), fermata.Call{Skills: fermata.SkillsNaming("mail", "calendar"), Force: "calendar"})
	if err != nil {
		t.Fatal(err)
	}
	if got := resolution.Tools(); !reflect.DeepEqual(got, []string{"mail", "calendar", "help"}) || resolution.ForcedTool() != "calendar" {
		t.Fatal(got, resolution.ForcedTool())
	}
	resolution, err = router.Resolve(t.Context(), fermata.Call{Force: "mail", CallsMade: []string{"mail"}})
	if err != nil || resolution.ForcedTool() != "" || !resolution.Response.GetForceSatisfied() {
		t.Fatal(resolution, err)
	}
}

// isWithin tells whether the wanted names stand in the list, in this order; a sidecar may miss more, such as a skill store.
func isWithin(wanted, list []string) bool {
	for _, name := range list {
		if len(wanted) > 0 && wanted[0] == name {
			wanted = wanted[1:]
		}
	}
	return len(wanted) == 0
}
