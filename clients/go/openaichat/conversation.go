package openaichat

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	fermata "fermata.dev/go"
	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
)

// Conversation is a thread with the turn that is under way. It belongs to one goroutine.
//
// After an error it stands where it stood before. What another host has written meanwhile is a [fermata.HeadConflictError]: Recover again.
type Conversation struct {
	// Recovery is what it goes on from. Nil: there is no such thread yet.
	Recovery *fermata.Recovery

	client   *fermata.Client
	thread   fermata.Thread
	messages []json.RawMessage
	happened []outcome
	head     string
	replayed bool
	open     bool
}

// Recover goes on with a thread, or begins one that is not there. What came of the calls in doubt is asked at once.
func Recover(ctx context.Context, client *fermata.Client, thread fermata.Thread, settle Settle) (*Conversation, error) {
	recovery, err := client.Recover(ctx, thread)
	var missing *fermata.ThreadNotFound
	if errors.As(err, &missing) {
		return &Conversation{client: client, thread: thread}, nil
	}
	if err != nil {
		return nil, err
	}
	conversation := &Conversation{Recovery: recovery, client: client, thread: thread, head: recovery.Head()}
	conversation.replayed = recovery.Resumed == nil
	conversation.open = conversation.replayed
	if conversation.messages, err = historyOf(recovery); err != nil {
		return nil, err
	}
	if conversation.happened, err = outcomesOf(ctx, recovery, settle); err != nil {
		return nil, err
	}
	return conversation, nil
}

// Messages is the history: what the model is to be called with.
func (c *Conversation) Messages() []json.RawMessage { return slices.Clone(c.messages) }

// Open tells whether it is the model's turn to speak. After a Recover it is where a turn was cut short.
func (c *Conversation) Open() bool { return c.open }

// Add takes a message that is not the model's, such as the user's. It is written down with the model's next one.
func (c *Conversation) Add(message any) error {
	added, err := encoded(message)
	if err != nil {
		return err
	}
	c.messages, c.open = append(c.messages, added), true
	return nil
}

// Answer takes the result of a call. It is written down with the model's next message.
func (c *Conversation) Answer(callID, content string) error { return c.Add(resultOf(callID, content)) }

// WriteDown takes what the model said, verified, and is the calls that are to be run now. They are written down before it returns. Calls that
// happened before a crash are not among them: they stand in the history under their ids of then, with their results. A message without calls
// ends the turn, and with a replay the whole is registered.
//
// The error is a [Diverged] where the turn goes another way than before the crash.
func (c *Conversation) WriteDown(ctx context.Context, message any) (Calls, error) {
	said, err := encoded(message)
	if err != nil {
		return nil, err
	}
	matched, err := match(said, c.happened)
	if err != nil {
		return nil, err
	}
	// Results first: what is stored behind a replayed state hides the evidence that it does not hold itself.
	messages := slices.Concat(c.messages, []json.RawMessage{matched.said}, matched.results)
	if matched.isNew() {
		if err := c.store(ctx, documentOf(messages), matched); err != nil {
			return nil, err
		}
	}
	c.messages, c.happened, c.open = messages, matched.left, !matched.ends()
	return matched.unsettled, nil
}

func (c *Conversation) store(ctx context.Context, document *conversationv1.Document, matched matching) error {
	if len(matched.left) > 0 {
		return divergedFrom(matched.left)
	}
	write := c.issue
	if c.replayed && matched.ends() {
		write = c.Recovery.Register
	}
	stored, err := write(ctx, document)
	if err != nil {
		return err
	}
	c.head, c.replayed = stored.GetRef().GetCheckpointId(), false
	return nil
}

func (c *Conversation) issue(ctx context.Context, document *conversationv1.Document) (*conversationv1.Checkpoint, error) {
	issued, err := c.client.Issue(ctx, fermata.State{Thread: c.thread, Document: document, Head: c.head})
	return issued.GetCheckpoint(), err
}
