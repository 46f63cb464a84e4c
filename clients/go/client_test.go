package fermata_test

import (
	"context"
	"errors"
	"net"
	"reflect"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	fermata "fermata.dev/go"
	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

func TestAHostsOwnConnection(t *testing.T) {
	conn, err := grpc.NewClient(target,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithUnaryInterceptor(fermata.UnaryInterceptor()),
		grpc.WithStreamInterceptor(fermata.StreamInterceptor()),
	)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	force := "c"
	registry := &palettev1.ResolveRequest_Registry{Registry: &palettev1.Registry{}}
	_, bare := palettev1.NewPaletteServiceClient(conn).Resolve(t.Context(), &palettev1.ResolveRequest{Registered: registry, ForcedTool: &force})
	client := fermata.NewWithConn(conn, fermata.WithTenant("acme"))
	_, over := client.Resolve(t.Context(), fermata.Turn{Force: force})
	for _, err := range []error{bare, over} {
		var forced *fermata.ForcedToolUnavailable
		if !errors.As(err, &forced) || status.Code(err) != forced.Code {
			t.Errorf("%T %v", err, err)
		}
	}
	stream, err := conversationv1.NewConversationServiceClient(conn).WatchDrain(t.Context(), &conversationv1.WatchDrainRequest{FreezeId: "f"})
	if err == nil {
		_, err = stream.Recv()
	}
	var ending *fermata.Ending
	if !errors.As(err, &ending) {
		t.Errorf("%T %v", err, err)
	}
	if err := client.Close(); err != nil { // the host's connection stays open
		t.Fatal(err)
	}
	if _, err := client.Resolve(t.Context(), fermata.Turn{Tools: fermata.Named("a")}); err != nil {
		t.Error(err)
	}
}

func TestATokenAndADeadlineGoWithEachCall(t *testing.T) {
	server := &curiousServer{}
	client := clientOf(t, server.start(t), fermata.WithToken("t0k3n"), fermata.WithDeadlines(fermata.Deadlines{Call: 2 * time.Second}))
	client.Palette().Resolve(t.Context(), nil)
	client.Conversation().Resume(t.Context(), nil)
	client.Conversation().Freeze(t.Context(), nil)
	own, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client.Palette().Resolve(own, nil)
	wanted := []time.Duration{time.Second, 2 * time.Second, 10 * time.Second, time.Minute}
	if !reflect.DeepEqual(server.deadlines, wanted) {
		t.Error(server.deadlines)
	}
	for _, token := range server.tokens {
		if !reflect.DeepEqual(token, []string{"Bearer t0k3n"}) {
			t.Error(token)
		}
	}
}

// curiousServer keeps what came with each call, its deadline to the second.
type curiousServer struct {
	deadlines []time.Duration
	tokens    [][]string
}

func (s *curiousServer) start(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		deadline, _ := stream.Context().Deadline()
		s.deadlines = append(s.deadlines, time.Until(deadline).Round(time.Second))
		came, _ := metadata.FromIncomingContext(stream.Context())
		s.tokens = append(s.tokens, came.Get("authorization"))
		return status.Error(12, "")
	}))
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}
