package fermata_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	fermata "fermata.dev/go"
	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
	refusalv1 "fermata.dev/go/gen/fermata/refusal/v1"
)

func TestResolveNarrowsAHostsOwnTools(t *testing.T) {
	client := clientOf(t, target)
	type hosts struct{ Title string }
	tools := []hosts{{"search"}, {"mail"}, {"calendar"}}
	nameOf := func(tool hosts) string { return tool.Title }
	for range 3 { // inline first, then by digest
		resolution, err := client.Resolve(t.Context(), fermata.Turn{
			Tools:  fermata.ToolsOf(tools, nameOf),
			Skills: fermata.SkillsNaming("calendar", "search"),
			Force:  "calendar",
		})
		if err != nil {
			t.Fatal(err)
		}
		kept := fermata.Apply(resolution, tools, nameOf)
		if want := []hosts{{"search"}, {"calendar"}}; !reflect.DeepEqual(kept, want) || resolution.ForcedTool() != "calendar" {
			t.Fatalf("%v %q", kept, resolution.ForcedTool())
		}
		if !resolution.Answered || resolution.Full() {
			t.Fatalf("%+v", resolution)
		}
	}
}

func TestResolveKeepsADigestOnceAndSendsTheRegistryWhenItIsUnknown(t *testing.T) {
	sidecar := startedSidecar(t, nil)
	calls := &recordedCalls{}
	client := clientOf(t, sidecar.socketTarget(), fermata.WithDialOptions(calls.option()))
	turn := fermata.Turn{Tools: fermata.Named("search", "mail")}
	for range 3 {
		mustResolve(t, client, turn)
	}
	want := []string{"Resolve inline", "RegisterTools", "Resolve digest", "Resolve digest"}
	if got := calls.take(); !reflect.DeepEqual(got, want) {
		t.Fatal(got)
	}
	sidecar.stop()
	if err := sidecar.start(); err != nil {
		t.Fatal(err)
	}
	mustResolveSoon(t, client, turn)
	calls.take()
	mustResolve(t, client, turn)
	if got := calls.take(); !reflect.DeepEqual(got, []string{"Resolve digest"}) {
		t.Fatal(got)
	}
}

func TestForcedToolUnavailableIsFoundWithItsParentAndTellsTheNames(t *testing.T) {
	_, err := clientOf(t, target).Resolve(t.Context(), fermata.Turn{Tools: fermata.Named("b", "a"), Force: "c"})
	var forced *fermata.ForcedToolUnavailable
	var violation *fermata.ContractViolationError
	if !errors.As(err, &forced) || !errors.As(err, &violation) || !errors.Is(err, &fermata.ContractViolationError{}) {
		t.Fatalf("%T %v", err, err)
	}
	if forced.Facts.GetCause() != refusalv1.ForcedToolUnavailable_CAUSE_NOT_REGISTERED || forced.Retryable() {
		t.Fatal(forced.Facts)
	}
	if want := "(registered: a, b)"; forced.Error()[len(forced.Error())-len(want):] != want {
		t.Fatal(forced.Error())
	}
}

func TestForcedToolUnavailableSaysNoneWhereNothingIsRegistered(t *testing.T) {
	_, err := clientOf(t, target).Resolve(t.Context(), fermata.Turn{Force: "c"})
	want := "(registered: none)"
	if text := err.Error(); text[len(text)-len(want):] != want {
		t.Fatal(text)
	}
}

func TestARetrievalIsAskedOnlyWhenItIsNeededAndItsFaultDeclines(t *testing.T) {
	client := clientOf(t, target)
	asked := 0
	skills := fermata.Retrieve(func(context.Context) ([]*palettev1.SkillRow, error) {
		asked++
		return nil, errors.New("secret of the database")
	})
	resolution := mustResolve(t, client, fermata.Turn{Skills: skills})
	if asked != 0 || resolution.Response.GetUnavailable() == nil {
		t.Fatal(asked, resolution.Response)
	}
	resolution = mustResolve(t, client, fermata.Turn{Tools: fermata.Named("a"), Skills: skills})
	declined := resolution.Response.GetDeclined()
	if asked != 1 || declined.GetReason() != palettev1.DeclineReason_DECLINE_REASON_RETRIEVAL_FAILED {
		t.Fatal(asked, resolution.Response)
	}
	if declined.GetFaultType() != "*errors.errorString" || !resolution.Full() {
		t.Fatal(declined)
	}
}

func TestVerifyRefusesWhatWasNotOffered(t *testing.T) {
	client := clientOf(t, target)
	turn := fermata.Turn{Tools: fermata.Named("search", "mail"), Skills: fermata.SkillsNaming("search"), Force: "search"}
	resolution := mustResolve(t, client, turn)
	tests := map[string]struct {
		calls        []string
		refused      []string
		unregistered []string
		satisfied    bool
	}{
		"offered and forced":  {calls: []string{"search"}, satisfied: true},
		"nothing called":      {},
		"excluded":            {calls: []string{"search", "mail"}, refused: []string{"mail"}},
		"excluded and absent": {calls: []string{"rm", "mail"}, refused: []string{"mail", "rm"}, unregistered: []string{"rm"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			response, err := client.Verify(t.Context(), resolution, test.calls)
			var refused *fermata.CallNotOffered
			if errors.As(err, &refused) != (test.refused != nil) {
				t.Fatal(err)
			}
			if refused != nil {
				if !reflect.DeepEqual(refused.Calls, test.refused) || !reflect.DeepEqual(refused.Unregistered, test.unregistered) {
					t.Fatal(refused.Calls, refused.Unregistered)
				}
				return
			}
			if response.GetForceSatisfied() != test.satisfied {
				t.Fatal(response)
			}
		})
	}
}

func mustResolve(t *testing.T, client *fermata.Client, turn fermata.Turn) *fermata.Resolution {
	t.Helper()
	resolution, err := client.Resolve(t.Context(), turn)
	if err != nil {
		t.Fatalf("%T %v", err, err)
	}
	return resolution
}
