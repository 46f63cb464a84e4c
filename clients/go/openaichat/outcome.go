package openaichat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	fermata "fermata.dev/go"
	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
)

// Settle asks the tool whether a call in doubt ran, by its id, and with what result. It never runs it. Where nobody can tell it is an error,
// and a person has to look at it.
type Settle func(ctx context.Context, call Call) (result string, ran bool, err error)

// outcome is a call that happened in a turn that was cut short, with the message that answers it.
type outcome struct {
	call   Call
	result json.RawMessage
}

// outcomesOf are the calls that have a result in the evidence, and those in doubt that ran.
func outcomesOf(ctx context.Context, recovery *fermata.Recovery, settle Settle) ([]outcome, error) {
	made, err := callsByID(slices.Concat(recovery.Evidence, recovery.Void))
	if err != nil {
		return nil, err
	}
	outcomes, err := inEvidence(recovery.Evidence, made)
	if err != nil {
		return nil, err
	}
	for _, id := range recovery.InDoubt {
		result, ran, err := settled(ctx, made[id], settle)
		if err != nil {
			return nil, fmt.Errorf("openaichat: call %s is in doubt: %w", id, err)
		}
		if ran {
			outcomes = append(outcomes, outcome{made[id], result})
		}
	}
	return outcomes, nil
}

func callsByID(entries []*conversationv1.TranscriptEntry) (map[string]Call, error) {
	made := map[string]Call{}
	for _, entry := range entries {
		calls, err := CallsOf(json.RawMessage(entry.GetContent()))
		if err != nil {
			return nil, err
		}
		for _, call := range calls {
			made[call.ID] = call
		}
	}
	return made, nil
}

func inEvidence(evidence []*conversationv1.TranscriptEntry, made map[string]Call) (outcomes []outcome, err error) {
	for _, entry := range evidence {
		var result struct {
			CallID string `json:"tool_call_id"`
		}
		if err := json.Unmarshal(entry.GetContent(), &result); err != nil {
			return nil, err
		}
		if result.CallID != "" {
			outcomes = append(outcomes, outcome{made[result.CallID], entry.GetContent()})
		}
	}
	return outcomes, nil
}

func settled(ctx context.Context, call Call, settle Settle) (message json.RawMessage, ran bool, err error) {
	if settle == nil || call.ID == "" {
		return nil, false, errors.New("nobody is there to ask")
	}
	result, ran, err := settle(ctx, call)
	if err != nil || !ran {
		return nil, false, err
	}
	message, err = encoded(resultOf(call.ID, result))
	return message, true, err
}
