package fermata_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	fermata "fermata.dev/go"
	"fermata.dev/go/openaichat"
)

func TestMessagesOfBeforeKeepTheirBytes(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	thread := fermata.Session("kept bytes")
	before := "{ \"role\": \"user\",\n\"content\":\"a <b> \u00e9 \\u00e9\", \"name\":\"ann\" }"
	_, err := client.Issue(t.Context(), fermata.State{Thread: thread, Document: fermata.Text(openaichat.Format, "[ "+before+" , "+answered+"]")})
	if err != nil {
		t.Fatal(err)
	}
	conversation := recovered(t, client, thread)
	if conversation.Open() || len(conversation.Messages()) != 2 {
		t.Fatal(conversation)
	}
	add(t, conversation, json.RawMessage(asked))
	writeDown(t, conversation, map[string]string{"role": "assistant", "content": "<i>"})
	resumed, err := client.Resume(t.Context(), thread)
	want := "[" + strings.Join([]string{before, answered, asked, `{"content":"<i>","role":"assistant"}`}, ",") + "]"
	if err != nil || resumed.GetDocument().GetText() != want {
		t.Fatal(resumed, err)
	}
}

// TestAReplayedTurnGoesOnWithAnotherOne: the document of the replay takes the place of its source, the next turn stands behind it.
func TestAReplayedTurnGoesOnWithAnotherOne(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	thread := fermata.Session("goes on")
	half := strings.Replace(result, `"tool"`, `"tool","name":"write_file"`, 1)
	issued, err := client.Issue(t.Context(), fermata.State{Thread: thread, Document: messages(asked, called, half)})
	if err != nil {
		t.Fatal(err)
	}
	conversation := recovered(t, client, thread)
	if conversation.Recovery.Unsafe == nil || !conversation.Open() || len(conversation.Messages()) != 1 {
		t.Fatal(conversation)
	}
	again := strings.Replace(called, `"c1"`, `"c9"`, 1)
	if calls := writeDown(t, conversation, json.RawMessage(again)); len(calls) != 0 {
		t.Fatal("runs again", calls)
	}
	kept := conversation.Messages()[1:]
	if len(kept) != 2 || !bytes.Contains(kept[0], []byte(`"id":"c1"`)) || string(kept[1]) != half {
		t.Fatalf("%s", kept)
	}
	writeDown(t, conversation, json.RawMessage(answered))
	replayed, err := client.Resume(t.Context(), thread)
	if err != nil || replayed.GetCheckpoint().GetSourceCheckpointId() != issued.GetCheckpoint().GetRef().GetCheckpointId() {
		t.Fatal(replayed, err)
	}
	add(t, conversation, json.RawMessage(asked))
	if calls := writeDown(t, conversation, json.RawMessage(called)); !reflect.DeepEqual(calls.Names(), []string{"write_file"}) {
		t.Fatal("is another turn's, and runs", calls)
	}
	if again := recovered(t, client, thread); len(again.Messages()) != 5 || !reflect.DeepEqual(again.Recovery.InDoubt, []string{"c1"}) {
		t.Fatal(again)
	}
}

func TestAConversationStandsWhereItStoodAfterAnError(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	mine, theirs := recovered(t, client, fermata.Session("two hosts")), recovered(t, client, fermata.Session("two hosts"))
	add(t, mine, json.RawMessage(asked))
	add(t, theirs, json.RawMessage(asked))
	writeDown(t, theirs, json.RawMessage(called))
	calls, err := mine.WriteDown(t.Context(), json.RawMessage(twice))
	var conflict *fermata.HeadConflictError
	if !errors.As(err, &conflict) || calls != nil || len(mine.Messages()) != 1 || !mine.Open() {
		t.Fatalf("%v %T %v", calls, err, err)
	}
}

func TestNothingGoesOnWhereNobodyKnowsWhetherACallRan(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	thread := fermata.Session("nobody knows")
	if _, err := client.Issue(t.Context(), fermata.State{Thread: thread, Document: messages(asked, called)}); err != nil {
		t.Fatal(err)
	}
	silent := errors.New("the tool does not answer")
	_, err := openaichat.Recover(t.Context(), client, thread, func(_ context.Context, call openaichat.Call) (string, bool, error) {
		if !reflect.DeepEqual(call, openaichat.Call{ID: "c1", Name: "write_file", Arguments: "{}"}) {
			t.Error(call)
		}
		return "", false, silent
	})
	if !errors.Is(err, silent) {
		t.Fatal(err)
	}
	if _, err := openaichat.Recover(t.Context(), client, thread, nil); err == nil {
		t.Fatal("nobody was asked")
	}
}

func TestAnotherFormatIsNotReadAsChat(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	thread := fermata.Session("another format")
	document := fermata.Text("anthropic-messages/1", `[{"role":"user","content":"hello"},{"role":"assistant","content":"hello"}]`)
	if _, err := client.Issue(t.Context(), fermata.State{Thread: thread, Document: document}); err != nil {
		t.Fatal(err)
	}
	if _, err := openaichat.Recover(t.Context(), client, thread, nil); err == nil || !strings.Contains(err.Error(), "anthropic-messages/1") {
		t.Fatal(err)
	}
}

func TestWhatCannotBeReadIsNotTakenOver(t *testing.T) {
	conversation := recovered(t, clientOf(t, target, fermata.WithTenant("acme")), fermata.Session("unreadable"))
	for name, message := range map[string]any{"no JSON": json.RawMessage(`{"role":`), "no value of JSON": make(chan int)} {
		_, err := conversation.WriteDown(t.Context(), message)
		if err == nil || conversation.Add(message) == nil || len(conversation.Messages()) != 0 {
			t.Error(name, err)
		}
	}
	if _, err := conversation.WriteDown(t.Context(), json.RawMessage(`{"role":"assistant","tool_calls":{}}`)); err == nil {
		t.Error("calls that are no list")
	}
}

// recovered asks nobody: a call in doubt did not run.
func recovered(t *testing.T, client *fermata.Client, thread fermata.Thread) *openaichat.Conversation {
	t.Helper()
	conversation, err := openaichat.Recover(t.Context(), client, thread, func(context.Context, openaichat.Call) (string, bool, error) {
		return "", false, nil
	})
	if err != nil {
		t.Fatalf("%T %v", err, err)
	}
	return conversation
}

func add(t *testing.T, conversation *openaichat.Conversation, message any) {
	t.Helper()
	if err := conversation.Add(message); err != nil {
		t.Fatal(err)
	}
}

func writeDown(t *testing.T, conversation *openaichat.Conversation, message any) openaichat.Calls {
	t.Helper()
	calls, err := conversation.WriteDown(t.Context(), message)
	if err != nil {
		t.Fatalf("%T %v", err, err)
	}
	return calls
}
