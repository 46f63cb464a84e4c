package fermata_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	fermata "fermata.dev/go"
)

// One model call: what it offers, what it must call, and whether its calls may run.
func Example() {
	ctx := context.Background()
	client, err := fermata.New(target, fermata.WithTenant("acme")) // unix:///run/fermata/data.sock or 127.0.0.1:50551
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	palette, err := client.Resolve(ctx, fermata.Turn{
		Tools:  fermata.Named("search", "mail", "get_status"),
		Skills: fermata.SkillsNaming("get_status", "search"),
		Force:  "get_status",
		Labels: map[string]string{"role": "action"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("offer", palette.Tools(), "force", palette.ForcedTool())

	_, err = client.Verify(ctx, palette, []string{"get_status", "mail"})
	var refused *fermata.CallNotOffered
	if errors.As(err, &refused) {
		fmt.Println("do not run", refused.Calls)
	}
	// Output:
	// offer [search get_status] force get_status
	// do not run [mail]
}

// A host's own tools keep their order and their values.
func ExampleApply() {
	type tool struct{ ID, Schema string }
	tools := []tool{{"search", "{}"}, {"mail", "{}"}}
	idOf := func(tool tool) string { return tool.ID }
	client, err := fermata.New(target)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	palette, err := client.Resolve(context.Background(), fermata.Turn{
		Tools:  fermata.ToolsOf(tools, idOf),
		Skills: fermata.SkillsNaming("mail"),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fermata.Apply(palette, tools, idOf))
	// Output: [{mail {}}]
}

// A refusal says which decision the caller has; its parent stands for all of its kind.
func ExampleUnsafeBoundaryError() {
	client, err := fermata.New(target, fermata.WithTenant("acme"))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	document := fermata.Text("openai-chat/1", `[{"role":"user","content":"hello"}]`)
	_, err = client.Judge(context.Background(), document, "")

	var unsafe *fermata.UnsafeBoundaryError
	var conversation *fermata.ConversationServiceError
	if errors.As(err, &unsafe) && errors.As(err, &conversation) {
		fmt.Println(unsafe.Facts.GetCause(), conversation.Remedy, unsafe.Retryable())
	}
	// Output: CAUSE_TURN_OPEN REPLAY_FROM_BOUNDARY false
}

// A force that the turn cannot offer ends the call before a model is paid for.
func ExampleForcedToolUnavailable() {
	client, err := fermata.New(target)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	_, err = client.Resolve(context.Background(), fermata.Turn{Tools: fermata.Named("search", "mail"), Force: "serach"})
	var forced *fermata.ForcedToolUnavailable
	if errors.As(err, &forced) {
		fmt.Println(forced.Facts.GetForcedTool(), "is none of", forced.Facts.GetRegistered().GetNames())
	}
	// Output: serach is none of [mail search]
}

// A router is composed once, and says once what it lacks.
func ExampleNewToolRouter() {
	client, err := fermata.New(target, fermata.WithTenant("acme"))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	router := fermata.NewToolRouter(client, fermata.Composition{
		Tools:       fermata.Named("search", "mail", "help"),
		Skills:      fermata.SkillsNaming("search"),
		AlwaysOffer: []string{"help"},
	})
	palette, err := router.Resolve(context.Background(), fermata.Call{Force: "search"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(palette.Tools(), palette.ForcedTool())
	// Output: [search help] search
}
