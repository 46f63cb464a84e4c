package fermata

import (
	"context"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc/codes"

	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
)

// Replay is a transcript up to and after the last tested boundary, whole.
type Replay struct {
	// Header says what is replayed; RegisterReplay wants its replay_id.
	Header *conversationv1.ReplayHeader
	// Entries are all of them, in the order of their positions, each with what to do about it.
	Entries []*conversationv1.ReplayEntry
	// Digest is the trailer's, over the contents of all entries.
	Digest []byte
}

// brokenStreams is how often a replay is taken up again where its stream broke.
const brokenStreams = 5

// Replay reads the replay of a thread to its end. A stream that breaks is taken up again after the last entry that came; one that ends
// without its trailer is an [IncompleteReplay].
func (c *Client) Replay(ctx context.Context, thread Thread) (*Replay, error) {
	ctx, cancel := c.settings.deadlines.limit(ctx, conversationv1.ConversationService_Replay_FullMethodName)
	defer cancel()
	reading := &replayReading{}
	request := &conversationv1.ReplayRequest{Thread: thread.ref(c.settings.tenant), CheckpointId: optional(thread.checkpoint)}
	for broken := 0; ; broken++ {
		err := c.readReplay(ctx, request, reading)
		if err == nil {
			return reading.whole()
		}
		if broken == brokenStreams || ctx.Err() != nil || !reading.canGoOnAfter(err) {
			return nil, err
		}
		request.CheckpointId = optional(reading.replay.Header.GetSource().GetRef().GetCheckpointId())
		request.AfterPosition = reading.lastPosition()
	}
}

func (c *Client) readReplay(ctx context.Context, request *conversationv1.ReplayRequest, reading *replayReading) error {
	stream, err := c.Conversation().Replay(ctx, request)
	if err != nil {
		return err
	}
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		reading.take(part)
	}
}

// replayReading is what came so far, over all streams that it took.
type replayReading struct {
	replay  Replay
	trailer *conversationv1.ReplayTrailer
	changed bool
}

func (r *replayReading) take(response *conversationv1.ReplayResponse) {
	switch part := response.GetPart().(type) {
	case *conversationv1.ReplayResponse_Header:
		r.changed = r.changed || (r.replay.Header != nil && r.replay.Header.GetReplayId() != part.Header.GetReplayId())
		r.replay.Header = part.Header
	case *conversationv1.ReplayResponse_Entries:
		r.replay.Entries = append(r.replay.Entries, part.Entries.GetEntries()...)
	case *conversationv1.ReplayResponse_Trailer:
		r.trailer = part.Trailer
	}
}

// canGoOnAfter tells whether the stream broke after it had begun; what refuses it at the start is no break.
func (r *replayReading) canGoOnAfter(err error) bool {
	var unreachable *SidecarUnreachable
	var stopping *ShuttingDown
	return r.replay.Header != nil && (errors.As(err, &unreachable) || errors.As(err, &stopping))
}

func (r *replayReading) lastPosition() *uint64 {
	if len(r.replay.Entries) == 0 {
		return nil
	}
	last := r.replay.Entries[len(r.replay.Entries)-1].GetEntry().GetPosition()
	return &last
}

func (r *replayReading) whole() (*Replay, error) {
	switch {
	case r.replay.Header == nil, r.trailer == nil:
		return nil, incomplete("the replay ended without its header or its trailer")
	case r.changed:
		return nil, incomplete("the replay went on with another source")
	case uint64(len(r.replay.Entries)) != r.trailer.GetEntries():
		return nil, incomplete(fmt.Sprintf("%d of %d entries came", len(r.replay.Entries), r.trailer.GetEntries()))
	}
	r.replay.Digest = r.trailer.GetDigest()
	return &r.replay, nil
}

func incomplete(detail string) error {
	return &IncompleteReplay{Ending{Code: codes.DataLoss, Detail: detail}}
}
