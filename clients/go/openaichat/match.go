package openaichat

import (
	"encoding/json"
	"fmt"
	"slices"
)

// matching is what the calls of before mean for a message of now.
type matching struct {
	said      json.RawMessage
	calls     Calls
	results   []json.RawMessage
	unsettled Calls
	left      []outcome
}

// match finds for each call the oldest outcome of the same call, once: the call gets its id of then, by which its tool knows it. Those without
// one are unsettled.
func match(said json.RawMessage, outcomes []outcome) (matching, error) {
	calls, err := CallsOf(said)
	if err != nil {
		return matching{}, err
	}
	matched := matching{calls: calls, left: slices.Clone(outcomes)}
	for i, call := range calls {
		at := slices.IndexFunc(matched.left, func(old outcome) bool { return old.call.meaning() == call.meaning() })
		if at < 0 {
			matched.unsettled = append(matched.unsettled, call)
			continue
		}
		calls[i].ID = matched.left[at].call.ID
		matched.results = append(matched.results, matched.left[at].result)
		matched.left = slices.Delete(matched.left, at, at+1)
	}
	matched.said, err = withIDs(said, calls)
	return matched, err
}

func withIDs(said json.RawMessage, calls Calls) (json.RawMessage, error) {
	if made, err := CallsOf(said); err != nil || slices.Equal(made, calls) {
		return said, err
	}
	var message map[string]json.RawMessage
	if err := json.Unmarshal(said, &message); err != nil {
		return nil, err
	}
	var written []map[string]any
	if err := json.Unmarshal(message["tool_calls"], &written); err != nil {
		return nil, err
	}
	for i, call := range calls {
		written[i]["id"] = call.ID
	}
	text, err := encoded(written)
	if err != nil {
		return nil, err
	}
	message["tool_calls"] = text
	return encoded(message)
}

// ends tells whether the message is the last one of its turn.
func (m matching) ends() bool { return len(m.calls) == 0 }

// isNew tells whether the message has to be written down: a replay does not tell of all of it.
func (m matching) isNew() bool { return m.ends() || len(m.unsettled) > 0 }

// Diverged says that the model makes a new call, or ends its turn, while calls that happened before the crash were not made again. To write
// that down would hide them from every later replay: a person has to look at it.
type Diverged struct {
	// Left are the calls that happened and were not made again.
	Left Calls
}

// Error names the first call that is left.
func (d *Diverged) Error() string {
	first := d.Left[0]
	return fmt.Sprintf("openaichat: the turn goes another way than before the crash: %s, call %s, ran and is not made again", first.Name, first.ID)
}

func divergedFrom(left []outcome) *Diverged {
	diverged := &Diverged{}
	for _, outcome := range left {
		diverged.Left = append(diverged.Left, outcome.call)
	}
	return diverged
}
