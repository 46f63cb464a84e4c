package fermata

import (
	"context"
	"errors"

	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
)

// Recovery is what an agent goes on from: a document that is safe as it is, or a replay from the last tested boundary.
type Recovery struct {
	// Resumed is the checkpoint to go on from, with its document. Nil: the state was unsafe, and the fields of the replay are filled.
	Resumed *conversationv1.ResumeResponse
	// Unsafe says why the state could not be resumed. Nil: it was.
	Unsafe *UnsafeBoundaryError
	// Source is the checkpoint that is resumed or replayed.
	Source *conversationv1.Checkpoint
	// Prefix is to be taken over as it is.
	Prefix []*conversationv1.TranscriptEntry
	// ReDrive is user input, to be given to the agent again.
	ReDrive []*conversationv1.TranscriptEntry
	// Evidence are calls and results that happened: where the agent makes the same call again, use the result and do not run it.
	Evidence []*conversationv1.TranscriptEntry
	// Void is cut output, or what nothing answered: leave it.
	Void []*conversationv1.TranscriptEntry
	// InDoubt are calls without a result. They may have run: never run one again without asking the tool or a person.
	InDoubt []string

	client   *Client
	thread   Thread
	replayID string
}

// Recover resumes a thread, and replays it where its state is in the middle of a turn and a replay is possible. Every other refusal is
// handed on.
func (c *Client) Recover(ctx context.Context, thread Thread) (*Recovery, error) {
	resumed, err := c.Resume(ctx, thread)
	if err == nil {
		return &Recovery{Resumed: resumed, Source: resumed.GetCheckpoint(), client: c, thread: thread}, nil
	}
	var unsafe *UnsafeBoundaryError
	if !errors.As(err, &unsafe) || !unsafe.Facts.GetReplayPossible() {
		return nil, err
	}
	// Of what was judged, not of a head that somebody else has written since.
	replay, err := c.Replay(ctx, thread.At(unsafe.Facts.GetCheckpointId()))
	if err != nil {
		return nil, err
	}
	recovery := &Recovery{Unsafe: unsafe, Source: replay.Header.GetSource(), client: c, thread: thread, replayID: replay.Header.GetReplayId()}
	recovery.sort(replay.Entries)
	return recovery, nil
}

func (r *Recovery) sort(entries []*conversationv1.ReplayEntry) {
	for _, replayed := range entries {
		r.InDoubt = append(r.InDoubt, replayed.GetInDoubtCallIds()...)
		switch replayed.GetZone() {
		case conversationv1.ReplayZone_REPLAY_ZONE_PREFIX:
			r.Prefix = append(r.Prefix, replayed.GetEntry())
		case conversationv1.ReplayZone_REPLAY_ZONE_RE_DRIVE:
			r.ReDrive = append(r.ReDrive, replayed.GetEntry())
		case conversationv1.ReplayZone_REPLAY_ZONE_EVIDENCE:
			r.Evidence = append(r.Evidence, replayed.GetEntry())
		default:
			r.Void = append(r.Void, replayed.GetEntry())
		}
	}
}

// Head is the checkpoint that the next [State] builds on.
func (r *Recovery) Head() string { return r.Source.GetRef().GetCheckpointId() }

// Register stores what came of it, and is the checkpoint that it became: in the place of the replayed source, or behind the resumed one. The
// document of a replay has to end at a boundary.
func (r *Recovery) Register(ctx context.Context, document *conversationv1.Document) (*conversationv1.Checkpoint, error) {
	if r.Resumed != nil {
		issued, err := r.client.Issue(ctx, State{Thread: r.thread, Document: document, Head: r.Head()})
		return issued.GetCheckpoint(), err
	}
	registered, err := r.client.Conversation().RegisterReplay(ctx, &conversationv1.RegisterReplayRequest{
		ReplayId:           r.replayID,
		SourceCheckpointId: r.Head(),
		Document:           document,
	})
	return registered.GetCheckpoint(), err
}
