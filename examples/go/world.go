package main

import (
	"crypto/rand"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
)

// What stands in for a model's API and for a tool that does something outside, so that the example runs anywhere.

// model mails to Ann, then to Bob, then is done. It calls what it must, or the first tool that it is offered.
func model(history []message, tools []string, choice string) message {
	said := len(history) / 2
	if said == 2 {
		return message{Role: "assistant", Content: "Ann and Bob are invited"}
	}
	mail := function{append(strings.Fields(choice), tools...)[0], fmt.Sprintf(`{"to":%q}`, []string{"ann", "bob"}[said])}
	return message{Role: "assistant", Calls: []call{{"call_" + rand.Text(), "function", mail}}}
}

// run runs a call; one that is in doubt only where the outbox says that it never ran.
func run(call call, inDoubt bool) string {
	if inDoubt && wentOut(call.ID) {
		return "sent"
	}
	return sendMail(call.ID, parsed[struct{ To string }](call.Function.Arguments).To)
}

// sendMail writes one line for each mail that goes out, as often as it is called. It may be killed before it can say so.
func sendMail(id, to string) string {
	outbox := must(os.OpenFile(os.Args[1]+".log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644))
	must(fmt.Fprintln(outbox, id, to))
	must(0, outbox.Close())
	if to == "bob" && slices.Contains(os.Args[2:], "crash") {
		must(0, must(os.FindProcess(os.Getpid())).Kill())
		select {}
	}
	return "sent"
}

func wentOut(id string) bool {
	outbox, err := os.ReadFile(os.Args[1] + ".log")
	return err == nil && strings.Contains(string(outbox), id+" ")
}

// must ends the example where a host would have to decide.
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
