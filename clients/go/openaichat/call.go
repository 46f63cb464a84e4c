package openaichat

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// Call is a call of a tool that the model made.
type Call struct {
	// ID is what the model gave it: a new one each time, also where it makes the same call again.
	ID string
	// Name is the tool's.
	Name string
	// Arguments are JSON as the model wrote it; of a custom tool they are its input, any text.
	Arguments string
}

// Calls are the calls of one message, in order.
type Calls []Call

// Names are what [fermata.Client.Verify] wants.
func (c Calls) Names() []string {
	names := make([]string, len(c))
	for i, call := range c {
		names[i] = call.Name
	}
	return names
}

// CallsOf reads the calls of a message. None: it is an answer.
func CallsOf(message any) (Calls, error) {
	text, err := encoded(message)
	if err != nil {
		return nil, err
	}
	var read struct {
		Calls []struct {
			ID       string
			Function struct{ Name, Arguments string }
			Custom   struct{ Name, Input string }
		} `json:"tool_calls"`
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	calls := make(Calls, len(read.Calls))
	for i, call := range read.Calls {
		calls[i] = Call{call.ID, call.Function.Name + call.Custom.Name, call.Function.Arguments + call.Custom.Input}
	}
	return calls, nil
}

// meaning is the same for the same call: neither its id counts, nor blanks and the order of members. Numbers count as they are written.
func (c Call) meaning() string {
	canonical, err := canonicalJSON(c.Arguments)
	if err != nil {
		return c.Name + " " + c.Arguments
	}
	return c.Name + " " + canonical
}

func canonicalJSON(text string) (string, error) {
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return "", err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return "", errors.New("something stands after it")
	}
	canonical, err := json.Marshal(value)
	return string(canonical), err
}
