package fermata

import (
	"google.golang.org/protobuf/proto"

	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
)

// Thread says which conversation is meant, and which of its checkpoints: the head, unless At names one.
type Thread struct {
	session, subTenant, key, claimed, checkpoint string
}

// Session is the thread of a session of the client's tenant.
func Session(id string) Thread { return Thread{session: id} }

// ByKey is a thread by its exact key, which is looked up and never parsed. It names no tenant: see Claiming.
func ByKey(threadKey string) Thread { return Thread{key: threadKey} }

// In narrows a session to a part of the tenant.
func (t Thread) In(subTenant string) Thread {
	t.subTenant = subTenant
	return t
}

// Claiming says whose the caller takes the thread for: the sidecar refuses it where that is not so.
func (t Thread) Claiming(tenant string) Thread {
	t.claimed = tenant
	return t
}

// At names one checkpoint of the thread.
func (t Thread) At(checkpointID string) Thread {
	t.checkpoint = checkpointID
	return t
}

func (t Thread) ref(tenant string) *conversationv1.ThreadRef {
	ref := &conversationv1.ThreadRef{ClaimedTenantId: optional(t.claimed)}
	if t.key != "" {
		ref.By = &conversationv1.ThreadRef_ThreadKey{ThreadKey: t.key}
		return ref
	}
	ref.By = &conversationv1.ThreadRef_Identity{Identity: t.identity(tenant)}
	return ref
}

func (t Thread) identity(tenant string) *conversationv1.ThreadIdentity {
	return &conversationv1.ThreadIdentity{TenantId: tenant, SubTenantId: optional(t.subTenant), SessionId: t.session}
}

// Text is a document that a host persists as text, in a format such as openai-chat/1.
func Text(format, content string) *conversationv1.Document {
	return &conversationv1.Document{Format: format, Content: &conversationv1.Document_Text{Text: content}}
}

// Binary is a document that a host persists as bytes.
func Binary(format string, content []byte) *conversationv1.Document {
	return &conversationv1.Document{Format: format, Content: &conversationv1.Document_Binary{Binary: content}}
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return proto.String(text)
}
