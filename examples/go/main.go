// An agent's loop that outlives a kill in the middle of a tool call: no mail goes out twice, and none is left out.
//
// `go run . SESSION crash` is killed when its second mail is out and nobody knows of it yet; `go run . SESSION` goes on.
// SESSION.log is what went out.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	fermata "fermata.dev/go"
)

var ctx, thread, tools = context.Background(), fermata.Session(os.Args[1]), []string{"search", "send_mail", "delete_mail"}

func main() {
	client := must(fermata.New(cmp.Or(os.Getenv("FERMATA_TARGET"), "127.0.0.1:50551"), fermata.WithTenant("acme")))
	defer client.Close()
	found, err := client.Recover(ctx, thread) // Resume; where that is refused as an UnsafeBoundaryError, Replay
	var nothing *fermata.ThreadNotFound
	if errors.As(err, &nothing) {
		drive(client, []message{{Role: "user", Content: "Invite Ann and Bob"}}, nil)
	} else if must(found, err).Resumed != nil {
		history := parsed[[]message](found.Resumed.GetDocument().GetText())
		fmt.Println(history[len(history)-1].Content)
	} else {
		fmt.Println("in the middle of a turn, so it is replayed; in doubt:", found.InDoubt)
		drive(client, messagesOf(append(found.Prefix, found.ReDrive...)), found)
	}
}

// drive goes through a turn to its end, and with a replay through one that was cut short.
func drive(client *fermata.Client, history []message, replay *fermata.Recovery) {
	head, past := "", &past{}
	if replay != nil {
		head, past = replay.Source.GetRef().GetCheckpointId(), beforeTheCrash(replay)
	}
	for {
		turn := fermata.Turn{Tools: fermata.Named(tools...), Skills: fermata.SkillsNaming("send_mail")}
		if history[len(history)-1].Role == "user" {
			turn.Force = "send_mail" // for one model call
		}
		palette := must(client.Resolve(ctx, turn))
		said := model(history, palette.Tools(), palette.ForcedTool())
		must(client.Verify(ctx, palette, namesOf(said.Calls))) // a *CallNotOffered if one was not offered
		isNew := past.takeOver(said.Calls)
		history = append(append(history, said), past.resultsOf(said.Calls)...)
		if ends := len(said.Calls) == 0; ends || len(isNew) > 0 { // a new call is written down before it runs
			if len(past.calls) > 0 {
				log.Fatal("the turn goes another way than before the crash: a person has to look at it")
			}
			document := fermata.Text("openai-chat/1", written(history))
			if ends && replay != nil {
				must(replay.Register(ctx, document))
			} else {
				issued := must(client.Issue(ctx, fermata.State{Thread: thread, Document: document, Head: head}))
				head, replay = issued.GetCheckpoint().GetRef().GetCheckpointId(), nil
			}
			if ends {
				fmt.Println(said.Content)
				return
			}
		}
		for _, call := range said.Calls {
			if !past.happened(call) {
				history = append(history, message{Role: "tool", CallID: call.ID, Content: run(call, !isNew[call.ID])})
			}
		}
	}
}
