package openaichat_test

import (
	"context"
	"encoding/json"
	"log"

	fermata "fermata.dev/go"
	"fermata.dev/go/openaichat"
)

// A turn from the user's message to its end, or from where a crash cut it short. The call of the model and the tools are the host's.
func ExampleConversation() {
	ctx := context.Background()
	client, err := fermata.New("127.0.0.1:50551", fermata.WithTenant("acme"))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	conversation, err := openaichat.Recover(ctx, client, fermata.Session("session-1"), askTheTool)
	if err != nil {
		log.Fatal(err)
	}
	if !conversation.Open() {
		conversation.Add(map[string]string{"role": "user", "content": "Invite Ann"})
	}
	for conversation.Open() {
		palette, err := client.Resolve(ctx, fermata.Turn{Tools: fermata.Named("send_mail")})
		if err != nil {
			log.Fatal(err)
		}
		said, calls := askTheModel(conversation.Messages(), palette)
		if _, err := client.Verify(ctx, palette, calls.Names()); err != nil {
			log.Fatal(err)
		}
		calls, err = conversation.WriteDown(ctx, said)
		if err != nil {
			log.Fatal(err)
		}
		for _, call := range calls {
			conversation.Answer(call.ID, run(call))
		}
	}
}

func askTheModel([]json.RawMessage, *fermata.Resolution) (json.RawMessage, openaichat.Calls) {
	return nil, nil
}

func askTheTool(context.Context, openaichat.Call) (string, bool, error) { return "", false, nil }

func run(openaichat.Call) string { return "" }
