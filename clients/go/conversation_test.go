package fermata_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	fermata "fermata.dev/go"
	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
	refusalv1 "fermata.dev/go/gen/fermata/refusal/v1"
)

const (
	asked    = `{"role":"user","content":"write the file"}`
	called   = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"write_file","arguments":"{}"}}]}`
	twice    = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"write_file","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"write_file","arguments":"{}"}}]}`
	result   = `{"role":"tool","tool_call_id":"c1","content":"ok"}`
	answered = `{"role":"assistant","content":"done"}`
)

func messages(entries ...string) *conversationv1.Document {
	return fermata.Text("openai-chat/1", "["+strings.Join(entries, ",")+"]")
}

func TestIssueAndResumeGiveTheSameBytesBack(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	thread := fermata.Session("same-bytes").In("sales")
	issued, err := client.Issue(t.Context(), fermata.State{Thread: thread, Document: messages(asked, answered)})
	skipUnserved(t, err)
	if issued.GetBoundary() == nil {
		t.Fatal(issued)
	}
	resumed, err := client.Resume(t.Context(), thread)
	if err != nil || resumed.GetDocument().GetText() != messages(asked, answered).GetText() {
		t.Fatal(resumed, err)
	}
	head := issued.GetCheckpoint().GetRef()
	byKey, err := client.Resume(t.Context(), fermata.ByKey(head.GetThreadKey()).Claiming("acme").At(head.GetCheckpointId()))
	if err != nil || byKey.GetCheckpoint().GetRef().GetCheckpointId() != head.GetCheckpointId() {
		t.Fatal(byKey, err)
	}
	key, err := client.ThreadKey(t.Context(), thread)
	if err != nil || key != head.GetThreadKey() {
		t.Fatal(key, err)
	}
	_, err = client.Resume(t.Context(), fermata.ByKey(head.GetThreadKey()).Claiming("other"))
	var identity *fermata.SessionIdentityError
	if !errors.As(err, &identity) || identity.Facts.GetCause() != refusalv1.SessionIdentity_CAUSE_TENANT_MISMATCH {
		t.Fatalf("%T %v", err, err)
	}
}

func TestWithoutATenantNothingIsGuessed(t *testing.T) {
	_, err := clientOf(t, target).Resume(t.Context(), fermata.Session("s"))
	var identity *fermata.SessionIdentityError
	if !errors.As(err, &identity) || identity.Facts.GetField() != "tenant_id" {
		t.Fatalf("%T %v", err, err)
	}
}

func TestTwoWritersOnOneHead(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	thread := fermata.Session("two-writers")
	first, err := client.Issue(t.Context(), fermata.State{Thread: thread, Document: messages(asked, answered)})
	skipUnserved(t, err)
	head := first.GetCheckpoint().GetRef().GetCheckpointId()
	second, err := client.Issue(t.Context(), fermata.State{Thread: thread, Document: messages(asked, answered, asked), Head: head})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Issue(t.Context(), fermata.State{Thread: thread, Document: messages(asked, answered, asked, answered), Head: head})
	var conflict *fermata.HeadConflictError
	if !errors.As(err, &conflict) || conflict.Facts.GetActualHead() != second.GetCheckpoint().GetRef().GetCheckpointId() {
		t.Fatalf("%T %v", err, err)
	}
}

func TestRecoverResumesWhatIsSafe(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	thread := fermata.Session("safe")
	_, err := client.Issue(t.Context(), fermata.State{Thread: thread, Document: messages(asked, answered)})
	skipUnserved(t, err)
	recovery, err := client.Recover(t.Context(), thread)
	if err != nil || recovery.Resumed == nil || recovery.Unsafe != nil || recovery.Head() != recovery.Resumed.GetCheckpoint().GetRef().GetCheckpointId() {
		t.Fatal(recovery, err)
	}
	next, err := recovery.Register(t.Context(), messages(asked, answered, asked, answered))
	if err != nil || next.GetRef().GetSequence() != 2 {
		t.Fatal(next, err)
	}
}

func TestRecoverReplaysWhatIsNot(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	thread := fermata.Session("unsafe")
	issued, err := client.Issue(t.Context(), fermata.State{Thread: thread, Document: messages(asked, answered, asked, twice, result)})
	skipUnserved(t, err)
	if issued.GetMidFrame().GetCause() != refusalv1.UnsafeBoundary_CAUSE_PARALLEL_HALF_ANSWERED {
		t.Fatal(issued)
	}
	_, err = client.Resume(t.Context(), thread)
	var unsafe *fermata.UnsafeBoundaryError
	if !errors.As(err, &unsafe) || unsafe.Facts.GetLastSafePosition() != 2 || unsafe.Retryable() {
		t.Fatalf("%T %v", err, err)
	}
	recovery, err := client.Recover(t.Context(), thread)
	skipUnserved(t, err)
	if recovery.Resumed != nil || recovery.Unsafe == nil || !reflect.DeepEqual(recovery.InDoubt, []string{"c2"}) {
		t.Fatal(recovery)
	}
	if recovery.Head() != issued.GetCheckpoint().GetRef().GetCheckpointId() {
		t.Fatal(recovery.Head())
	}
	if len(recovery.Prefix) != 2 || len(recovery.ReDrive) != 1 || len(recovery.Evidence) != 2 || recovery.Void != nil {
		t.Fatal(recovery)
	}
	if !bytes.Contains(recovery.ReDrive[0].GetContent(), []byte("write the file")) {
		t.Fatal(string(recovery.ReDrive[0].GetContent()))
	}
	stored, err := recovery.Register(t.Context(), messages(asked, answered, asked, answered))
	skipUnserved(t, err)
	if stored.GetSourceCheckpointId() != issued.GetCheckpoint().GetRef().GetCheckpointId() {
		t.Fatal(stored)
	}
}

// TestACallThatMayHaveRunIsInDoubtAndNoEvidence: no result of it stands anywhere.
func TestACallThatMayHaveRunIsInDoubtAndNoEvidence(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	thread := fermata.Session("in-doubt")
	_, err := client.Issue(t.Context(), fermata.State{Thread: thread, Document: messages(asked, called)})
	skipUnserved(t, err)
	recovery, err := client.Recover(t.Context(), thread)
	skipUnserved(t, err)
	if !reflect.DeepEqual(recovery.InDoubt, []string{"c1"}) || recovery.Evidence != nil || len(recovery.ReDrive) != 1 {
		t.Fatalf("%+v", recovery)
	}
}

func TestTranscriptHasEveryPage(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	thread := fermata.Session("pages")
	var entries []string
	for i := range 600 {
		entries = append(entries, fmt.Sprintf(`{"role":"user","content":"%d %s"}`, i, strings.Repeat("x", 4000)), answered)
	}
	_, err := client.Issue(t.Context(), fermata.State{Thread: thread, Document: messages(entries...)})
	skipUnserved(t, err)
	transcript, err := client.Transcript(t.Context(), thread)
	skipUnserved(t, err)
	if len(transcript) != len(entries) {
		t.Fatal(len(transcript))
	}
	for i, entry := range transcript {
		if entry.GetPosition() != uint64(i) {
			t.Fatal(i, entry.GetPosition())
		}
	}
}

func TestSixteenGoroutinesOnOneClient(t *testing.T) {
	client := clientOf(t, target, fermata.WithTenant("acme"))
	var group sync.WaitGroup
	for worker := range 16 {
		group.Go(func() {
			turn := fermata.Turn{Tools: fermata.Named("search", fmt.Sprint("tool", worker%4)), Force: "search"}
			for range 20 {
				if resolution, err := client.Resolve(t.Context(), turn); err != nil || !resolution.Answered {
					t.Errorf("%v %v", resolution, err)
				}
			}
		})
	}
	group.Wait()
}

// skipUnserved leaves a test out, by its name, where this sidecar has not got the method yet. Any other error fails it.
func skipUnserved(t *testing.T, err error) {
	t.Helper()
	var absent *fermata.MethodNotAvailable
	if errors.As(err, &absent) {
		t.Skip("this sidecar does not serve a method of this test")
	}
	if err != nil {
		t.Fatalf("%T %v", err, err)
	}
}
