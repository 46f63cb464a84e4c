package main

import (
	"encoding/json"

	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
)

// message is an entry of an openai-chat document.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Calls   []call `json:"tool_calls,omitempty"`
	CallID  string `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func messagesOf(entries []*conversationv1.TranscriptEntry) []message {
	messages := make([]message, len(entries))
	for i, entry := range entries {
		messages[i] = parsed[message](string(entry.GetContent()))
	}
	return messages
}

func namesOf(calls []call) (names []string) {
	for _, call := range calls {
		names = append(names, call.Function.Name)
	}
	return names
}

func parsed[T any](text string) (value T) {
	must(0, json.Unmarshal([]byte(text), &value))
	return value
}

func written(history []message) string { return string(must(json.Marshal(history))) }
