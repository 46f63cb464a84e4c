// An agent's loop that outlives a kill in the middle of a tool call: no mail goes out twice, and none is left out. `go run . SESSION crash`
// is killed when its second mail is out and nobody knows of it yet; `go run . SESSION` goes on. SESSION.log is what went out.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	fermata "fermata.dev/go"
	"fermata.dev/go/openaichat"
)

func main() {
	ctx, tools := context.Background(), fermata.Named("search", "send_mail", "delete_mail")
	client := must(fermata.New(cmp.Or(os.Getenv("FERMATA_TARGET"), "127.0.0.1:50551"), fermata.WithTenant("acme")))
	// Resume; where that is refused as an UnsafeBoundaryError, Replay. The outbox is asked about what may have gone out.
	conversation := must(openaichat.Recover(ctx, client, fermata.Session(os.Args[1]), wentOut))
	if conversation.Recovery == nil { // it is new
		must(0, conversation.Add(map[string]string{"role": "user", "content": "Invite Ann and Bob"}))
	} else if conversation.Open() {
		fmt.Println("in the middle of a turn, so it is replayed; in doubt:", conversation.Recovery.InDoubt)
	}
	for made := []string{}; conversation.Open(); {
		turn := fermata.Turn{Tools: tools, Skills: fermata.SkillsNaming("send_mail"), Force: "send_mail", CallsMade: made}
		palette := must(client.Resolve(ctx, turn))
		said := model(conversation.Messages(), palette.Tools(), palette.ForcedTool())
		names := must(openaichat.CallsOf(said)).Names()
		must(client.Verify(ctx, palette, names)) // a *CallNotOffered if one was not offered
		made = append(made, names...)
		for _, call := range must(conversation.WriteDown(ctx, said)) { // issued first; what happened before a crash is not run again
			must(0, conversation.Answer(call.ID, sendMail(call)))
		}
	}
	messages := conversation.Messages()
	fmt.Println(string(messages[len(messages)-1]))
}

// model stands in for a model's API: it mails to Ann, then to Bob, by the tool that it must use, or the first that it is offered.
func model(history []json.RawMessage, tools []string, choice string) map[string]any {
	said := len(history) / 2
	if said == 2 {
		return map[string]any{"role": "assistant", "content": "Ann and Bob are invited"}
	}
	mail := map[string]string{"name": cmp.Or(choice, tools[0]), "arguments": fmt.Sprintf(`{"to":%q}`, []string{"ann", "bob"}[said])}
	call := map[string]any{"id": "call_" + rand.Text(), "type": "function", "function": mail}
	return map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}}
}

// sendMail writes one line for each mail that goes out, as often as it is called. It may be killed before it can say so.
func sendMail(call openaichat.Call) string {
	var mail struct{ To string }
	must(0, json.Unmarshal([]byte(call.Arguments), &mail))
	must(fmt.Fprintln(outbox, call.ID, mail.To))
	if mail.To == "bob" && os.Args[len(os.Args)-1] == "crash" {
		must(0, must(os.FindProcess(os.Getpid())).Kill())
	}
	return "sent"
}

// wentOut asks the outbox about a mail that is in doubt.
func wentOut(_ context.Context, call openaichat.Call) (result string, ran bool, err error) {
	sent, err := os.ReadFile(outbox.Name())
	return "sent", strings.Contains(string(sent), call.ID+" "), err
}

var outbox = must(os.OpenFile(os.Args[1]+".log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644))

// must ends the example where a host would have to decide.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
