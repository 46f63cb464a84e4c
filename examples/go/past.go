package main

import (
	"reflect"
	"slices"

	fermata "fermata.dev/go"
)

// past is what a replay tells of the turn that was cut short.
type past struct {
	// calls that happened (evidence) or may have (in doubt) and were not made again yet, in order.
	calls []call
	// results are the evidence, by the ids of the calls.
	results map[string]message
}

func beforeTheCrash(replay *fermata.Recovery) *past {
	found := &past{results: map[string]message{}}
	for _, entry := range messagesOf(replay.Evidence) {
		if entry.CallID != "" {
			found.results[entry.CallID] = entry
		}
	}
	for _, entry := range messagesOf(append(replay.Evidence, replay.Void...)) {
		for _, call := range entry.Calls {
			if found.happened(call) || slices.Contains(replay.InDoubt, call.ID) {
				found.calls = append(found.calls, call)
			}
		}
	}
	return found
}

// takeOver gives each call that was made before the crash its id of then, by which its tool knows it. The others are new.
func (p *past) takeOver(calls []call) (isNew map[string]bool) {
	isNew = map[string]bool{}
	for i, call := range calls {
		at := slices.IndexFunc(p.calls, call.isSame)
		if at < 0 {
			isNew[call.ID] = true
			continue
		}
		calls[i].ID = p.calls[at].ID
		p.calls = slices.Delete(p.calls, at, at+1)
	}
	return isNew
}

func (p *past) happened(call call) bool {
	_, happened := p.results[call.ID]
	return happened
}

func (p *past) resultsOf(calls []call) (results []message) {
	for _, call := range calls {
		if p.happened(call) {
			results = append(results, p.results[call.ID])
		}
	}
	return results
}

// isSame goes by name and arguments: a model's ids are new each time.
func (c call) isSame(other call) bool {
	mine, theirs := parsed[any](c.Function.Arguments), parsed[any](other.Function.Arguments)
	return c.Function.Name == other.Function.Name && reflect.DeepEqual(mine, theirs)
}
