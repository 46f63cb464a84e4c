package fermata

import (
	"context"

	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
)

// State is what a host wants to keep of a conversation, at a boundary or in the middle of a turn.
type State struct {
	// Thread is where it goes.
	Thread Thread
	// Document is what to store.
	Document *conversationv1.Document
	// Head is the checkpoint that it builds on. Empty: it is the first of its thread.
	Head string
	// IdempotencyKey has a repeat answer as the first call did. Empty: derived from the head and the document.
	IdempotencyKey string
	// BoundaryProof is what the host claims for a format without an adapter. Empty: nothing.
	BoundaryProof string
	// Host is what runs the agent, for people. Nil: not said.
	Host *conversationv1.Host
}

// Issue stores a checkpoint at the head of a thread. The answer says whether it stands at a boundary, or why it does not.
func (c *Client) Issue(ctx context.Context, state State) (*conversationv1.IssueResponse, error) {
	request := &conversationv1.IssueRequest{
		Document:       state.Document,
		ExpectedHead:   optional(state.Head),
		IdempotencyKey: state.IdempotencyKey,
		BoundaryProof:  optional(state.BoundaryProof),
		Host:           state.Host,
	}
	if state.Thread.key != "" {
		request.Key = &conversationv1.IssueRequest_ThreadKey{ThreadKey: state.Thread.key}
	} else {
		request.Key = &conversationv1.IssueRequest_Identity{Identity: state.Thread.identity(c.settings.tenant)}
	}
	return c.Conversation().Issue(ctx, request)
}

// Resume is the checkpoint to go on from. The error says which decision the caller has: an [UnsafeBoundaryError] is what Recover is for.
func (c *Client) Resume(ctx context.Context, thread Thread) (*conversationv1.ResumeResponse, error) {
	request := &conversationv1.ResumeRequest{Thread: thread.ref(c.settings.tenant), CheckpointId: optional(thread.checkpoint)}
	return c.Conversation().Resume(ctx, request)
}

// Judge is the verdict of Resume for a document that the host keeps itself; nothing is stored. The proof is empty for a format with an adapter.
func (c *Client) Judge(ctx context.Context, document *conversationv1.Document, proof string) (*conversationv1.JudgeResponse, error) {
	return c.Conversation().Judge(ctx, &conversationv1.JudgeRequest{Document: document, BoundaryProof: optional(proof)})
}

// ThreadKey is the key of a session of the client's tenant, whether or not there is such a thread.
func (c *Client) ThreadKey(ctx context.Context, thread Thread) (string, error) {
	request := &conversationv1.DeriveThreadKeyRequest{Identity: thread.identity(c.settings.tenant)}
	response, err := c.Conversation().DeriveThreadKey(ctx, request)
	return response.GetThreadKey(), err
}

// Transcript is every entry of a thread with its time, page after page. Unavailable is an error and never an empty list.
func (c *Client) Transcript(ctx context.Context, thread Thread, kinds ...conversationv1.EntryKind) ([]*conversationv1.TranscriptEntry, error) {
	request := &conversationv1.GetTranscriptRequest{Thread: thread.ref(c.settings.tenant), Kinds: kinds}
	var entries []*conversationv1.TranscriptEntry
	for {
		page, err := c.Conversation().GetTranscript(ctx, request)
		if err != nil {
			return nil, err
		}
		entries = append(entries, page.GetEntries()...)
		if page.GetEnd() || len(page.GetEntries()) == 0 {
			return entries, nil
		}
		last := page.GetEntries()[len(page.GetEntries())-1].GetPosition()
		request.AfterPosition = &last
	}
}
