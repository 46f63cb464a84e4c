package fermata_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	fermata "fermata.dev/go"
	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// golden is an accepted status, as every client has to read it.
type golden struct {
	Leaf, Cause, Variant, Text, Remedy string
	Code                               uint32
	Metadata                           map[string]string
	Facts                              map[string]any
	Details                            []string
	DetailsBase64                      string
}

func (g golden) name() string {
	if g.Cause == "" {
		return g.Leaf + " " + g.Variant
	}
	return g.Leaf + "/" + g.Cause + " " + g.Variant
}

func (g golden) bytes() []byte {
	bytes, err := base64.StdEncoding.DecodeString(g.DetailsBase64)
	if err != nil {
		panic(err)
	}
	return bytes
}

func readGolden(t *testing.T) []golden {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(checkout, "test", "golden", "statuses.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestGoldenStatuses reads each accepted status over the wire to its class and the same facts. FERMATA_GOLDEN names a server of the sidecar's
// own transport that sends them; without it one of grpc-go does.
func TestGoldenStatuses(t *testing.T) {
	all := readGolden(t)
	if len(all) < 100 {
		t.Fatal(len(all))
	}
	named := map[string]golden{}
	for _, golden := range all {
		named[golden.name()] = golden
	}
	to := os.Getenv("FERMATA_GOLDEN")
	if to == "" {
		to = startStatusServer(t, func(request *palettev1.ResolveRequest) sent {
			inner := &statuspb.Status{}
			if err := proto.Unmarshal(named[request.GetForcedTool()].bytes(), inner); err != nil {
				panic(err)
			}
			return sentOf(inner)
		})
	}
	client := clientOf(t, to)
	for _, golden := range all {
		t.Run(golden.name(), func(t *testing.T) {
			_, err := client.Palette().Resolve(t.Context(), &palettev1.ResolveRequest{ForcedTool: proto.String(golden.name())})
			checkGolden(t, golden, err)
		})
	}
}

func checkGolden(t *testing.T, golden golden, err error) {
	t.Helper()
	var ending *fermata.Ending
	if !errors.As(err, &ending) {
		t.Fatalf("%T %v", err, err)
	}
	if ending.Reason != golden.Leaf || uint32(ending.Code) != golden.Code || ending.Detail != golden.Text || ending.Remedy != golden.Remedy {
		t.Errorf("%+v", ending)
	}
	if !maps.Equal(ending.Metadata, golden.Metadata) || strings.Join(ending.Parents, ",") != golden.Metadata["parents"] {
		t.Errorf("%v %v", ending.Metadata, ending.Parents)
	}
	if facts := viewOf(ending.Refusal); !reflect.DeepEqual(facts, any(golden.Facts)) {
		t.Errorf("wanted %v\ngot    %v", golden.Facts, facts)
	}
	if ending.Retryable() != (golden.Remedy == "RETRY_LATER") {
		t.Error("retryable", ending.Retryable())
	}
	if delay := ending.Metadata["retry_delay"]; (delay != "") != (ending.RetryDelay > 0) {
		t.Error(delay, ending.RetryDelay)
	}
	if given, ok := status.FromError(err); !ok || len(given.Details()) != len(golden.Details) {
		t.Error("details are lost", given)
	}
	checkClass(t, golden, err)
}

// checkClass: the struct is that of the leaf, its own facts are the leaf's, and each parent is found below it.
func checkClass(t *testing.T, golden golden, err error) {
	t.Helper()
	facts := reflect.ValueOf(err).Elem().FieldByName("Facts").Interface().(proto.Message)
	member := strings.ReplaceAll(string(facts.ProtoReflect().Descriptor().Name()), "_", "")
	if !strings.EqualFold(member, strings.ReplaceAll(golden.Leaf, "_", "")) {
		t.Errorf("%T holds a %s", err, member)
	}
	for _, wanted := range golden.Facts {
		if object, isFacts := wanted.(map[string]any); isFacts && !reflect.DeepEqual(viewOf(facts), any(object)) {
			t.Errorf("wanted %v\ngot    %v", object, viewOf(facts))
		}
	}
	for _, parent := range strings.Split(golden.Metadata["parents"], ",") {
		class, known := classOfParent[parent]
		if parent != "" && (!known || !errors.Is(err, class)) {
			t.Errorf("%T is no %s", err, parent)
		}
	}
}

var classOfParent = map[string]error{
	"CONTRACT_VIOLATION": &fermata.ContractViolationError{},
	"CONVERSATION":       &fermata.ConversationServiceError{},
	"SESSION_IDENTITY":   &fermata.SessionIdentityError{},
}
