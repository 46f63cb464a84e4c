package fermata_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	fermata "fermata.dev/go"
	"fermata.dev/go/openaichat"
)

// TestEachMailGoesOutOnceWhereverTheHostDies: each host dies after some of its steps, the next one, too, and the third goes on to the
// end. A turn is the mails of each message; a model may say it another way the next time.
func TestEachMailGoesOutOnceWhereverTheHostDies(t *testing.T) {
	tests := map[string]struct{ first, later [][]string }{
		"one by one":                {first: turnOfMails("ann", "bob")},
		"at once":                   {first: turnOfMails("ann bob")},
		"equal ones at once":        {first: turnOfMails("ann ann")},
		"equal ones one by one":     {first: turnOfMails("ann", "ann")},
		"mixed":                     {first: turnOfMails("ann bob", "ann")},
		"first one by one":          {first: turnOfMails("ann", "bob", "eve"), later: turnOfMails("ann bob", "eve")},
		"first at once":             {first: turnOfMails("ann bob eve"), later: turnOfMails("ann", "bob", "eve")},
		"in another order":          {first: turnOfMails("ann bob"), later: turnOfMails("bob ann")},
		"with more the second time": {first: turnOfMails("ann"), later: turnOfMails("ann bob")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			client := clientOf(t, target, fermata.WithTenant("acme"))
			later := test.later
			if later == nil {
				later = test.first
			}
			for first := range stepsOf(test.first) {
				for second := range stepsOf(later) {
					world := &mailHost{client: client, thread: fermata.Session(fmt.Sprint("once ", name, first, second))}
					world.live(t, test.first, first)
					world.live(t, later, second)
					world.live(t, later, forGood)
					world.expectOnce(t, later)
				}
			}
		})
	}
}

// TestATurnThatGoesAnotherWayIsWrittenDownByNobody: what happened and is not made again must not be hidden.
func TestATurnThatGoesAnotherWayIsWrittenDownByNobody(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	for name, later := range map[string][][]string{"a new call": turnOfMails("eve"), "its end": nil, "the other one first": turnOfMails("eve ann")} {
		t.Run(name, func(t *testing.T) {
			world := &mailHost{client: client, thread: fermata.Session("other way " + name)}
			world.live(t, turnOfMails("ann bob"), stepsOf(turnOfMails("ann bob"))-1) // all but its end
			err := world.run(t.Context(), later, forGood)
			var diverged *openaichat.Diverged
			if !errors.As(err, &diverged) || diverged.Left[len(diverged.Left)-1].Arguments != `{"to":"bob"}` {
				t.Fatalf("%T %v", err, err)
			}
			world.live(t, turnOfMails("ann bob"), forGood)
			world.expectOnce(t, turnOfMails("ann bob"))
		})
	}
}

func turnOfMails(messages ...string) (turn [][]string) {
	for _, message := range messages {
		turn = append(turn, strings.Fields(message))
	}
	return turn
}

// stepsOf are the steps of a host that outlast it: each message written down, each mail.
func stepsOf(turn [][]string) int { return len(turn) + 1 + len(slices.Concat(turn...)) }

// forGood is more steps than any turn here has.
const forGood = 1000

// mailHost is what outlives its hosts: the thread, and what went out.
type mailHost struct {
	client *fermata.Client
	thread fermata.Thread
	outbox []mailSent
	ids    int
}

type mailSent struct{ id, to string }

// live is the life of one host, which dies after so many steps.
func (h *mailHost) live(t *testing.T, turn [][]string, steps int) {
	t.Helper()
	if err := h.run(t.Context(), turn, steps); err != nil {
		t.Fatalf("%d steps: %T %v", steps, err, err)
	}
}

func (h *mailHost) run(ctx context.Context, turn [][]string, steps int) error {
	conversation, err := openaichat.Recover(ctx, h.client, h.thread, h.wentOut)
	if err != nil {
		return err
	}
	if conversation.Recovery == nil {
		if err := conversation.Add(map[string]string{"role": "user", "content": "write to them"}); err != nil {
			return err
		}
	}
	for said := 0; conversation.Open() && steps > 0; said++ {
		calls, err := conversation.WriteDown(ctx, h.says(turn, said))
		if err != nil {
			return err
		}
		steps--
		for _, call := range calls {
			if steps == 0 {
				return nil
			}
			h.send(call)
			steps--
			if steps == 0 {
				return nil // and nobody knows that it went out
			}
			if err := conversation.Answer(call.ID, "sent"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *mailHost) says(turn [][]string, said int) map[string]any {
	if said >= len(turn) {
		return map[string]any{"role": "assistant", "content": "done"}
	}
	var calls []any
	for _, to := range turn[said] {
		h.ids++
		function := map[string]string{"name": "send_mail", "arguments": fmt.Sprintf(`{"to":%q}`, to)}
		calls = append(calls, map[string]any{"id": fmt.Sprint("c", h.ids), "type": "function", "function": function})
	}
	return map[string]any{"role": "assistant", "content": nil, "tool_calls": calls}
}

func (h *mailHost) send(call openaichat.Call) {
	var mail struct{ To string }
	if err := json.Unmarshal([]byte(call.Arguments), &mail); err != nil {
		panic(err)
	}
	h.outbox = append(h.outbox, mailSent{call.ID, mail.To})
}

func (h *mailHost) wentOut(_ context.Context, call openaichat.Call) (string, bool, error) {
	return "sent", slices.ContainsFunc(h.outbox, func(mail mailSent) bool { return mail.id == call.ID }), nil
}

// expectOnce: each mail went out as often as the turn says, and the stored turn knows each by its id.
func (h *mailHost) expectOnce(t *testing.T, turn [][]string) {
	t.Helper()
	want, sent := map[string]int{}, map[string]int{}
	for _, to := range slices.Concat(turn...) {
		want[to]++
	}
	resumed, err := h.client.Resume(t.Context(), h.thread)
	if err != nil {
		t.Fatal(err)
	}
	stored := resumed.GetDocument().GetText()
	for _, mail := range h.outbox {
		sent[mail.to]++
		if !strings.Contains(stored, fmt.Sprintf(`"id":%q`, mail.id)) {
			t.Errorf("the mail %s is unknown in %s", mail.id, stored)
		}
	}
	if !maps.Equal(sent, want) {
		t.Errorf("%v of %v went out", sent, want)
	}
	if results := strings.Count(stored, `"role":"tool"`); results != len(slices.Concat(turn...)) {
		t.Errorf("%d results in %s", results, stored)
	}
}
