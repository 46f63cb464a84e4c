package fermata_test

import (
	"context"
	"errors"
	"io"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	fermata "fermata.dev/go"
	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
	refusalv1 "fermata.dev/go/gen/fermata/refusal/v1"
)

// newerLeaf is what a sidecar sends whose proto has one more leaf: member 90 of the oneof, with a fact.
func newerLeaf(code codes.Code, reason, parents, remedy string) *statuspb.Status {
	facts := protowire.AppendTag(nil, 1, protowire.BytesType)
	facts = protowire.AppendString(facts, "a fact of tomorrow")
	refusal := protowire.AppendTag(nil, 90, protowire.BytesType)
	refusal = protowire.AppendBytes(refusal, facts)
	return statusWith(code, reason, parents, remedy, &anypb.Any{TypeUrl: "type.googleapis.com/fermata.refusal.v1.Refusal", Value: refusal})
}

func statusWith(code codes.Code, reason, parents, remedy string, second *anypb.Any) *statuspb.Status {
	info, err := anypb.New(&errdetails.ErrorInfo{
		Domain: "fermata", Reason: reason,
		Metadata: map[string]string{"parents": parents, "remedy": remedy, "fact": "a fact of tomorrow"},
	})
	if err != nil {
		panic(err)
	}
	details := []*anypb.Any{info}
	if second != nil {
		details = append(details, second)
	}
	return &statuspb.Status{Code: int32(code), Message: "from tomorrow", Details: details}
}

func TestANewerSidecarIsUnderstoodByParentThenRemedyThenCode(t *testing.T) {
	tests := map[string]struct {
		status    *statuspb.Status
		class     error
		also      error
		retryable bool
	}{
		"nearest known parent": {
			status: newerLeaf(codes.FailedPrecondition, "NEW_LEAF", "NEWER_PARENT,SESSION_IDENTITY,CONVERSATION", "FIX_REQUEST"),
			class:  &fermata.SessionIdentityError{}, also: &fermata.ConversationServiceError{},
		},
		"a parent that is a leaf": {
			status: newerLeaf(codes.FailedPrecondition, "NEW_LEAF", "UNSAFE_BOUNDARY,CONVERSATION", "REPLAY_FROM_BOUNDARY"),
			class:  &fermata.UnsafeBoundaryError{}, also: &fermata.ConversationServiceError{},
		},
		"a parent by its root": {
			status: newerLeaf(codes.FailedPrecondition, "NEW_LEAF", "CONTRACT_VIOLATION", "ALIGN_COMPOSITION"),
			class:  &fermata.ContractViolationError{}, also: &fermata.ContractViolationError{},
		},
		"no parent, the remedy says retry": {
			status: newerLeaf(codes.FailedPrecondition, "NEW_LEAF", "", "RETRY_LATER"),
			class:  &fermata.UnknownRefusal{}, also: &fermata.UnknownRefusal{}, retryable: true,
		},
		"no parent, the remedy says no": {
			status: newerLeaf(codes.Unavailable, "NEW_LEAF", "", "FIX_REQUEST"),
			class:  &fermata.UnknownRefusal{}, also: &fermata.UnknownRefusal{},
		},
		"an unknown remedy goes by the code": {
			status: newerLeaf(codes.Unavailable, "NEW_LEAF", "", "PRAY"),
			class:  &fermata.UnknownRefusal{}, also: &fermata.UnknownRefusal{}, retryable: true,
		},
		"unknown with 9 is not retried": {
			status: newerLeaf(codes.FailedPrecondition, "NEW_LEAF", "", ""),
			class:  &fermata.UnknownRefusal{}, also: &fermata.UnknownRefusal{},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := endedWith(t, sentOf(test.status))
			if reflect.TypeOf(err) != reflect.TypeOf(test.class) || !errors.Is(err, test.also) {
				t.Fatalf("%T %v", err, err)
			}
			var ending *fermata.Ending
			if !errors.As(err, &ending) || ending.Retryable() != test.retryable {
				t.Errorf("%+v", ending)
			}
			if ending.Reason != "NEW_LEAF" || ending.Metadata["fact"] != "a fact of tomorrow" {
				t.Errorf("%+v", ending)
			}
			if !strings.Contains(string(ending.Refusal.ProtoReflect().GetUnknown()), "a fact of tomorrow") {
				t.Error("the facts of the newer leaf are lost")
			}
		})
	}
}

func TestANewerCauseKeepsItsLeaf(t *testing.T) {
	facts := &refusalv1.UnsafeBoundary{Cause: 99, ReplayPossible: true}
	refusal, _ := anypb.New(&refusalv1.Refusal{Leaf: &refusalv1.Refusal_UnsafeBoundary{UnsafeBoundary: facts}})
	err := endedWith(t, sentOf(statusWith(codes.FailedPrecondition, "UNSAFE_BOUNDARY", "CONVERSATION", "REPLAY_FROM_BOUNDARY", refusal)))
	var unsafe *fermata.UnsafeBoundaryError
	if !errors.As(err, &unsafe) || unsafe.Facts.GetCause() != 99 || !unsafe.Facts.GetReplayPossible() {
		t.Fatalf("%T %v", err, err)
	}
}

// TestStatusesThatNoSidecarMade: each has a class, and none is a failure to decode.
func TestStatusesThatNoSidecarMade(t *testing.T) {
	ours := newerLeaf(codes.FailedPrecondition, "HEAD_CONFLICT", "CONVERSATION", "RESUME_FROM_ACTUAL_HEAD")
	mismatching := sentOf(ours)
	mismatching.code = codes.Unavailable
	foreign, _ := anypb.New(&errdetails.ErrorInfo{Domain: "proxy.example", Reason: "HEAD_CONFLICT"})
	broken := &anypb.Any{TypeUrl: "type.googleapis.com/fermata.refusal.v1.Refusal", Value: []byte{0xff, 0xff, 0xff}}
	tests := map[string]struct {
		sent      sent
		class     error
		retryable bool
	}{
		"UNAVAILABLE of a proxy":        {sent{code: codes.Unavailable, text: "no healthy upstream"}, &fermata.SidecarUnreachable{}, true},
		"DEADLINE_EXCEEDED of a proxy":  {sent{code: codes.DeadlineExceeded}, &fermata.SidecarUnreachable{}, true},
		"CANCELLED":                     {sent{code: codes.Canceled}, &fermata.CallCancelled{}, false},
		"UNIMPLEMENTED":                 {sent{code: codes.Unimplemented}, &fermata.MethodNotAvailable{}, false},
		"RESOURCE_EXHAUSTED":            {sent{code: codes.ResourceExhausted}, &fermata.MessageTooLarge{}, false},
		"INTERNAL":                      {sent{code: codes.Internal}, &fermata.UnreadableMessage{}, false},
		"UNAUTHENTICATED of a proxy":    {sent{code: codes.Unauthenticated}, &fermata.ForeignStatus{}, false},
		"a code that does not exist":    {sent{code: 77, text: "?"}, &fermata.ForeignStatus{}, false},
		"garbage for details":           {sent{codes.FailedPrecondition, "x", []byte{0xde, 0xad, 0xbe, 0xef}}, &fermata.ForeignStatus{}, false},
		"empty details":                 {sent{codes.Unavailable, "x", []byte{}}, &fermata.StatusMismatch{}, false},
		"details of another domain":     {sentOf(&statuspb.Status{Code: 9, Details: []*anypb.Any{foreign}}), &fermata.ForeignStatus{}, false},
		"a mismatching inner code":      {mismatching, &fermata.StatusMismatch{}, false},
		"a refusal that can't be read":  {sentOf(statusWith(codes.Aborted, "HEAD_CONFLICT", "CONVERSATION", "RESUME_FROM_ACTUAL_HEAD", broken)), &fermata.HeadConflictError{}, false},
		"a refusal without its details": {sentOf(statusWith(codes.Aborted, "HEAD_CONFLICT", "CONVERSATION", "RESUME_FROM_ACTUAL_HEAD", nil)), &fermata.HeadConflictError{}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := endedWith(t, test.sent)
			var ending *fermata.Ending
			if reflect.TypeOf(err) != reflect.TypeOf(test.class) || !errors.As(err, &ending) {
				t.Fatalf("%T %v", err, err)
			}
			if ending.Retryable() != test.retryable || err.Error() == "" {
				t.Errorf("%v %v", ending.Retryable(), err)
			}
			if conflict, is := err.(*fermata.HeadConflictError); is && conflict.Facts == nil {
				t.Error("no facts")
			}
		})
	}
}

func TestAnAnswerWithoutAnOfferIsBroken(t *testing.T) {
	client := clientOf(t, startStatusServer(t, func(*palettev1.ResolveRequest) sent { return sent{} }))
	resolution, err := client.Resolve(t.Context(), fermata.Turn{Tools: fermata.Named("a")})
	var broken *fermata.BrokenPalette
	if resolution != nil || !errors.As(err, &broken) {
		t.Fatalf("%v %T", resolution, err)
	}
}

func TestWhatEndsACallOnThisSide(t *testing.T) {
	silent := silentServer(t)
	t.Run("a deadline", func(t *testing.T) {
		client := clientOf(t, silent, fermata.WithDeadlines(fermata.Deadlines{Palette: 50 * time.Millisecond}))
		_, err := client.Palette().Resolve(t.Context(), &palettev1.ResolveRequest{})
		var unreachable *fermata.SidecarUnreachable
		if !errors.As(err, &unreachable) || unreachable.Code != codes.DeadlineExceeded || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%T %v", err, err)
		}
	})
	t.Run("the caller", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := clientOf(t, silent).Resolve(ctx, fermata.Turn{Tools: fermata.Named("a")})
		var cancelled *fermata.CallCancelled
		if !errors.As(err, &cancelled) || !errors.Is(err, context.Canceled) {
			t.Fatalf("%T %v", err, err)
		}
	})
	t.Run("nobody listens", func(t *testing.T) {
		_, err := clientOf(t, freeAddress()).Conversation().GetSupportWindow(t.Context(), nil)
		var unreachable *fermata.SidecarUnreachable
		if !errors.As(err, &unreachable) || unreachable.Code != codes.Unavailable {
			t.Fatalf("%T %v", err, err)
		}
	})
}

func TestDecodeLeavesWhatItKnows(t *testing.T) {
	if fermata.Decode(nil) != nil {
		t.Fatal("nil")
	}
	once := fermata.Decode(errors.New("x"))
	if fermata.Decode(once) != once {
		t.Fatal("twice")
	}
}

// endedWith is the error of a call that ended so, through every layer of this client.
func endedWith(t *testing.T, ending sent) error {
	t.Helper()
	client := clientOf(t, startStatusServer(t, func(*palettev1.ResolveRequest) sent { return ending }))
	_, err := client.Palette().Resolve(t.Context(), &palettev1.ResolveRequest{ForcedTool: proto.String("x")})
	return err
}

// silentServer accepts and never says a word.
func silentServer(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go io.Copy(io.Discard, conn)
		}
	}()
	return listener.Addr().String()
}
