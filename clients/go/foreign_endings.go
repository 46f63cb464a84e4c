package fermata

import "google.golang.org/grpc/codes"

// foreignClass is what a library or a proxy means by a code.
func foreignClass(ending Ending) error {
	foreign := ForeignStatus{ending}
	switch ending.Code {
	case codes.Unavailable, codes.DeadlineExceeded:
		return &SidecarUnreachable{foreign}
	case codes.Canceled:
		return &CallCancelled{foreign}
	case codes.Unimplemented:
		return &MethodNotAvailable{foreign}
	case codes.ResourceExhausted:
		return &MessageTooLarge{foreign}
	case codes.Internal:
		return &UnreadableMessage{foreign}
	default:
		return &foreign
	}
}

// ForeignStatus is a status that no sidecar of ours made: a library's or a proxy's. Its code is all that is known.
type ForeignStatus struct{ Ending }

// Unwrap hands on Ending, the class above.
func (e *ForeignStatus) Unwrap() error { return &e.Ending }

// Is tells whether target is a ForeignStatus too.
func (e *ForeignStatus) Is(target error) bool {
	_, same := target.(*ForeignStatus)
	return same
}

// SidecarUnreachable is: no answer came, since there was no connection or the deadline passed here; the code tells which. A write may have
// been stored.
type SidecarUnreachable struct{ ForeignStatus }

// Unwrap hands on ForeignStatus, the class above.
func (e *SidecarUnreachable) Unwrap() error { return &e.ForeignStatus }

// Is tells whether target is a SidecarUnreachable too.
func (e *SidecarUnreachable) Is(target error) bool {
	_, same := target.(*SidecarUnreachable)
	return same
}

// CallCancelled is: the caller gave the call up, or closed the client.
type CallCancelled struct{ ForeignStatus }

// Unwrap hands on ForeignStatus, the class above.
func (e *CallCancelled) Unwrap() error { return &e.ForeignStatus }

// Is tells whether target is a CallCancelled too.
func (e *CallCancelled) Is(target error) bool {
	_, same := target.(*CallCancelled)
	return same
}

// MethodNotAvailable is: this sidecar has no such method, so it is older than this client.
type MethodNotAvailable struct{ ForeignStatus }

// Unwrap hands on ForeignStatus, the class above.
func (e *MethodNotAvailable) Unwrap() error { return &e.ForeignStatus }

// Is tells whether target is a MethodNotAvailable too.
func (e *MethodNotAvailable) Is(target error) bool {
	_, same := target.(*MethodNotAvailable)
	return same
}

// MessageTooLarge is: a message is larger than the message limit of the sidecar or of this client.
type MessageTooLarge struct{ ForeignStatus }

// Unwrap hands on ForeignStatus, the class above.
func (e *MessageTooLarge) Unwrap() error { return &e.ForeignStatus }

// Is tells whether target is a MessageTooLarge too.
func (e *MessageTooLarge) Is(target error) bool {
	_, same := target.(*MessageTooLarge)
	return same
}

// UnreadableMessage is: the other side could not read the bytes of a message, so it has another proto than this client.
type UnreadableMessage struct{ ForeignStatus }

// Unwrap hands on ForeignStatus, the class above.
func (e *UnreadableMessage) Unwrap() error { return &e.ForeignStatus }

// Is tells whether target is a UnreadableMessage too.
func (e *UnreadableMessage) Is(target error) bool {
	_, same := target.(*UnreadableMessage)
	return same
}
