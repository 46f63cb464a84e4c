package openaichat

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

func TestTheSameCallMeansTheSame(t *testing.T) {
	made := Call{"c1", "send", `{"to":{"id":9007199254740993,"at":1.50},"cc":[1,2]}`}
	tests := map[string]struct {
		other Call
		same  bool
	}{
		"another id":             {Call{"c2", "send", made.Arguments}, true},
		"order and blanks":       {Call{"c1", "send", ` { "cc" : [1, 2], "to" : {"at":1.50,"id": 9007199254740993}}`}, true},
		"another spelling":       {Call{"c1", "send", `{"\u0074o":{"id":9007199254740993,"at":1.50},"cc":[1,2]}`}, true},
		"another tool":           {Call{"c1", "post", made.Arguments}, false},
		"a number beyond 2^53":   {Call{"c1", "send", `{"to":{"id":9007199254740992,"at":1.50},"cc":[1,2]}`}, false},
		"the order of a list":    {Call{"c1", "send", `{"to":{"id":9007199254740993,"at":1.50},"cc":[2,1]}`}, false},
		"a number as text":       {Call{"c1", "send", `{"to":{"id":"9007199254740993","at":1.50},"cc":[1,2]}`}, false},
		"something after it":     {Call{"c1", "send", made.Arguments + ` {}`}, false},
		"a brace too many":       {Call{"c1", "send", made.Arguments + `}`}, false},
		"half of it, which read": {Call{"c1", "send", made.Arguments[:20]}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if same := test.other.meaning() == made.meaning(); same != test.same {
				t.Error(test.other.meaning())
			}
		})
	}
}

func TestCallsOf(t *testing.T) {
	tests := map[string]Calls{
		`{"role":"assistant","content":"hello"}`: {},
		`{"role":"assistant","tool_calls":null}`: {},
		`{"role":"tool","tool_call_id":"c1"}`:    {},
		`{"tool_calls":[{"id":"c1","type":"function","function":{"name":"send","arguments":"{}"}},{"id":"c2","type":"custom","custom":{"name":"run","input":"ls"}}]}`: {
			{"c1", "send", "{}"}, {"c2", "run", "ls"},
		},
	}
	for message, want := range tests {
		if calls, err := CallsOf(json.RawMessage(message)); err != nil || !reflect.DeepEqual(calls, want) {
			t.Error(message, calls, err)
		}
	}
}

func ExampleCallsOf() {
	type function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	type call struct {
		ID       string   `json:"id"`
		Function function `json:"function"`
	}
	type message struct { // of an SDK
		Calls []call `json:"tool_calls"`
	}
	calls, err := CallsOf(message{[]call{{"call_1", function{"send_mail", `{"to":"ann"}`}}}})
	fmt.Println(calls.Names(), calls[0].Arguments, err)
	// Output: [send_mail] {"to":"ann"} <nil>
}
