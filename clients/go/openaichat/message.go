package openaichat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	fermata "fermata.dev/go"
	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
)

// encoded is a message as JSON. JSON stays as it is, byte for byte.
func encoded(message any) (json.RawMessage, error) {
	if text, is := message.(json.RawMessage); is && json.Valid(text) {
		return text, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(message); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(text.Bytes()), nil
}

// historyOf is what to call the model with: the document, or what a replay takes over and drives again.
func historyOf(recovery *fermata.Recovery) (messages []json.RawMessage, err error) {
	if format := recovery.Source.GetFormat(); format != Format {
		return nil, fmt.Errorf("openaichat: the thread stands in %s", format)
	}
	if recovery.Resumed != nil {
		document := recovery.Resumed.GetDocument()
		err := json.Unmarshal([]byte(document.GetText()+string(document.GetBinary())), &messages) // it has one of them
		return messages, err
	}
	for _, entry := range slices.Concat(recovery.Prefix, recovery.ReDrive) {
		messages = append(messages, entry.GetContent())
	}
	return messages, nil
}

// documentOf joins the messages as they are: json.Marshal would write them anew.
func documentOf(messages []json.RawMessage) *conversationv1.Document {
	texts := make([][]byte, len(messages))
	for i, message := range messages {
		texts[i] = message
	}
	return fermata.Text(Format, "["+string(bytes.Join(texts, []byte(",")))+"]")
}

func resultOf(callID, content string) map[string]any {
	return map[string]any{"role": "tool", "tool_call_id": callID, "content": content}
}
