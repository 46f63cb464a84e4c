package fermata_test

import (
	"errors"
	"net"
	"reflect"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	fermata "fermata.dev/go"
	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
)

// TestReplayIsWholeOrNothing: each row is what the streams of a sidecar send, one stream after the other, and where each ends. The numbers
// are positions of entries.
func TestReplayIsWholeOrNothing(t *testing.T) {
	broken := status.Error(codes.Unavailable, "the connection broke")
	tests := map[string]struct {
		streams   []replayStream
		positions []uint64
		asked     []int // after_position of each stream; -1: unset
		class     error
	}{
		"in one stream":            {streams: []replayStream{{id: "r", entries: []uint64{0, 1, 2}, trailer: 3}}, positions: []uint64{0, 1, 2}, asked: []int{-1}},
		"of no entries":            {streams: []replayStream{{id: "r"}}, asked: []int{-1}},
		"broken and taken up":      {streams: []replayStream{{id: "r", entries: []uint64{0, 1}, ends: broken}, {id: "r", entries: []uint64{2}, trailer: 3}}, positions: []uint64{0, 1, 2}, asked: []int{-1, 1}},
		"broken before an entry":   {streams: []replayStream{{id: "r", ends: broken}, {id: "r", entries: []uint64{0}, trailer: 1}}, positions: []uint64{0}, asked: []int{-1, -1}},
		"without its trailer":      {streams: []replayStream{{id: "r", entries: []uint64{0}, cut: true}}, asked: []int{-1}, class: &fermata.IncompleteReplay{}},
		"an entry is missing":      {streams: []replayStream{{id: "r", entries: []uint64{0}, trailer: 2}}, asked: []int{-1}, class: &fermata.IncompleteReplay{}},
		"goes on from elsewhere":   {streams: []replayStream{{id: "r", entries: []uint64{0}, ends: broken}, {id: "other", entries: []uint64{1}, trailer: 2}}, asked: []int{-1, 0}, class: &fermata.IncompleteReplay{}},
		"breaks for another cause": {streams: []replayStream{{id: "r", entries: []uint64{0}, ends: status.Error(codes.Internal, "x")}}, asked: []int{-1}, class: &fermata.UnreadableMessage{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			server := &replayServer{streams: test.streams}
			replay, err := clientOf(t, server.start(t), fermata.WithTenant("acme")).Replay(t.Context(), fermata.Session("s"))
			if reflect.TypeOf(err) != reflect.TypeOf(test.class) {
				t.Fatalf("%T %v", err, err)
			}
			if !reflect.DeepEqual(server.asked, test.asked) {
				t.Errorf("asked after %v", server.asked)
			}
			if err != nil {
				return
			}
			var positions []uint64
			for _, entry := range replay.Entries {
				positions = append(positions, entry.GetEntry().GetPosition())
			}
			if !reflect.DeepEqual(positions, test.positions) {
				t.Errorf("%v", positions)
			}
		})
	}
}

func TestAStreamOfADrainIsDecodedToo(t *testing.T) {
	server := &replayServer{streams: []replayStream{}}
	stream, err := clientOf(t, server.start(t)).Conversation().WatchDrain(t.Context(), &conversationv1.WatchDrainRequest{FreezeId: "f"})
	if err == nil {
		_, err = stream.Recv()
	}
	var absent *fermata.MethodNotAvailable
	if !errors.As(err, &absent) {
		t.Fatalf("%T %v", err, err)
	}
}

type replayStream struct {
	id      string
	entries []uint64
	trailer uint64
	cut     bool
	ends    error
}

// replayServer answers the streams in turn.
type replayServer struct {
	conversationv1.UnimplementedConversationServiceServer
	streams []replayStream
	asked   []int
}

func (s *replayServer) start(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	conversationv1.RegisterConversationServiceServer(server, s)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

func (s *replayServer) Replay(request *conversationv1.ReplayRequest, stream grpc.ServerStreamingServer[conversationv1.ReplayResponse]) error {
	sending := s.streams[len(s.asked)]
	after := -1
	if request.AfterPosition != nil {
		after = int(request.GetAfterPosition())
	}
	s.asked = append(s.asked, after)
	header := &conversationv1.ReplayHeader{ReplayId: sending.id}
	stream.Send(&conversationv1.ReplayResponse{Part: &conversationv1.ReplayResponse_Header{Header: header}})
	for _, position := range sending.entries {
		entry := &conversationv1.ReplayEntry{Entry: &conversationv1.TranscriptEntry{Position: position}}
		entries := &conversationv1.ReplayEntries{Entries: []*conversationv1.ReplayEntry{entry}}
		stream.Send(&conversationv1.ReplayResponse{Part: &conversationv1.ReplayResponse_Entries{Entries: entries}})
	}
	if sending.ends != nil || sending.cut {
		return sending.ends
	}
	trailer := &conversationv1.ReplayTrailer{Entries: sending.trailer}
	return stream.Send(&conversationv1.ReplayResponse{Part: &conversationv1.ReplayResponse_Trailer{Trailer: trailer}})
}
