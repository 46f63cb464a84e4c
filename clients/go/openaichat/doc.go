// Package openaichat keeps the conversation of a host that persists openai-chat/1 and runs its tools itself.
//
// What is new is written down before it runs, so that a host that dies finds each call that may have run. A turn that was cut short is gone
// through again: a call that happened is answered with its result, one in doubt with what its tool says, and neither runs a second time.
//
// Messages go in as whatever becomes JSON, such as the types of an SDK, and out as JSON. Those of before keep their bytes.
package openaichat

// Format is the format of what is written down.
const Format = "openai-chat/1"
