// Package fermata is the Go client of the Fermata sidecar: which tools a turn may offer and which one it must call, and whether a persisted
// conversation may be picked up.
//
// A refusal is an error with a struct of its own, and the one above it is found too:
//
//	var unsafe *fermata.UnsafeBoundaryError
//	if errors.As(err, &unsafe) && unsafe.Facts.GetReplayPossible() {
//
// Every error of a call is, or has above it, an [*Ending]. Relevance fails open and permission fails closed, also where the sidecar does
// not answer: see [Client.Resolve].
package fermata
