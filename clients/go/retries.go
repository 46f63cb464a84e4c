package fermata

import (
	"encoding/json"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
	skillv1 "fermata.dev/go/gen/fermata/skill/v1"
)

// retries has the channel try again where there was no answer (UNAVAILABLE) and the contract says that the same call twice is as once.
func retries() string {
	config, err := json.Marshal(map[string]any{"methodConfig": []any{map[string]any{
		"name": repeatable(),
		"retryPolicy": map[string]any{
			"maxAttempts":          4,
			"initialBackoff":       "0.1s",
			"maxBackoff":           "1s",
			"backoffMultiplier":    2,
			"retryableStatusCodes": []string{"UNAVAILABLE"},
		},
	}}})
	if err != nil {
		panic(err) // it holds strings and numbers only
	}
	return string(config)
}

type methodName struct {
	Service string `json:"service"`
	Method  string `json:"method"`
}

func repeatable() []methodName {
	var names []methodName
	for _, file := range []protoreflect.FileDescriptor{
		palettev1.File_fermata_palette_v1_palette_service_proto,
		conversationv1.File_fermata_conversation_v1_conversation_service_proto,
		skillv1.File_fermata_skill_v1_skill_service_proto,
	} {
		service := file.Services().Get(0)
		for i := range service.Methods().Len() {
			if method := service.Methods().Get(i); isRepeatable(method) {
				names = append(names, methodName{string(service.FullName()), string(method.Name())})
			}
		}
	}
	return names
}

func isRepeatable(method protoreflect.MethodDescriptor) bool {
	options, ok := method.Options().(*descriptorpb.MethodOptions)
	return ok && options.GetIdempotencyLevel() != descriptorpb.MethodOptions_IDEMPOTENCY_UNKNOWN
}
