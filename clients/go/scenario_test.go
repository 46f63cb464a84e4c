package fermata_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	fermata "fermata.dev/go"
)

type scenario struct {
	Name   string
	Config map[string]any
	Steps  []step
}

type step struct {
	RPC     string
	Request any
	Expect  expectation
	Capture map[string]string
	Now     string
	Restart bool
}

type expectation struct {
	OK            any
	Code          uint32
	Reason        string
	Parents       []string
	Leaf          any
	Field         string
	Absent        []string
	Present       []string
	Some          map[string]any
	TextContains  texts
	NotContaining texts
}

// texts are one string or several.
type texts []string

func (t *texts) UnmarshalJSON(bytes []byte) error {
	var one string
	if json.Unmarshal(bytes, &one) == nil {
		*t = texts{one}
		return nil
	}
	return json.Unmarshal(bytes, (*[]string)(t))
}

// TestScenarios runs what every language runs, and reads the refusals from this client's own errors.
func TestScenarios(t *testing.T) {
	for _, file := range []string{"palette.json", "palette-rules.json", "conversation.json"} {
		for _, scenario := range readScenarios(t, file) {
			t.Run(strings.TrimSuffix(file, ".json")+"/"+scenario.Name, func(t *testing.T) { runScenario(t, scenario) })
		}
	}
}

func readScenarios(t *testing.T, file string) []scenario {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(checkout, "test", "scenarios", file))
	if err != nil {
		t.Fatal(err)
	}
	var read struct{ Scenarios []scenario }
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read.Scenarios
}

func runScenario(t *testing.T, scenario scenario) {
	var own *sidecar
	to := target
	if scenario.needsOwnSidecar() {
		t.Parallel()
		own = startedSidecar(t, scenario.Config)
		to = own.socketTarget()
	}
	client := clientOf(t, to)
	captured := map[string]any{}
	for _, step := range scenario.Steps {
		if step.Now != "" {
			own.setClock(step.Now)
		}
		if step.Restart {
			own.stop()
			if err := own.start(); err != nil {
				t.Fatal(err)
			}
			client = clientOf(t, to)
		}
		view, err := answerOf(t, client, step.RPC, filled(step.Request, captured))
		var absent *fermata.MethodNotAvailable
		if errors.As(err, &absent) {
			t.Skip("this sidecar does not serve", step.RPC)
		}
		step.Expect.check(t, view, err, captured)
		for name, path := range step.Capture {
			captured[name] = at(view, path)
		}
	}
}

// needsOwnSidecar is false for a palette without a configuration: nothing of it is stored.
func (s scenario) needsOwnSidecar() bool {
	return s.Config != nil || !strings.HasPrefix(s.Steps[0].RPC, "fermata.palette.")
}

// answerOf is an answer in the JSON form of the messages.
func answerOf(t *testing.T, client *fermata.Client, rpc string, request any) (any, error) {
	t.Helper()
	service, name, _ := strings.Cut(rpc, "/")
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service + "." + name))
	if err != nil {
		t.Fatal(err)
	}
	method := found.(protoreflect.MethodDescriptor)
	input, output := messageOf(t, method.Input()), func() proto.Message { return messageOf(t, method.Output()) }
	text, _ := json.Marshal(request)
	if err := protojson.Unmarshal(text, input); err != nil {
		t.Fatal(err)
	}
	if method.IsStreamingServer() {
		return replayed(t.Context(), client, "/"+rpc, input, output)
	}
	if response, err, did := throughFacade(t.Context(), client, input); did {
		return viewOf(response), err
	}
	response := output()
	err = client.Conn().Invoke(t.Context(), "/"+rpc, input, response)
	return viewOf(response), err
}

func messageOf(t *testing.T, descriptor protoreflect.MessageDescriptor) proto.Message {
	t.Helper()
	found, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.FullName())
	if err != nil {
		t.Fatal(err)
	}
	return found.New().Interface()
}

func viewOf(message proto.Message) any {
	text, err := protojson.Marshal(message)
	if err != nil {
		panic(err)
	}
	var view any
	if err := json.Unmarshal(text, &view); err != nil {
		panic(err)
	}
	return view
}

// replayed is the Replay stream as the README of the scenarios tells it.
func replayed(ctx context.Context, client *fermata.Client, path string, input proto.Message, output func() proto.Message) (any, error) {
	stream, err := client.Conn().NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, path)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(stream.SendMsg(input), stream.CloseSend()); err != nil {
		return nil, err
	}
	view := map[string]any{"zones": []any{}, "positions": []any{}, "inDoubt": []any{}}
	for {
		response := output()
		if err := stream.RecvMsg(response); errors.Is(err, io.EOF) {
			return view, nil
		} else if err != nil {
			return nil, err
		}
		addPart(view, viewOf(response))
	}
}

func addPart(view map[string]any, part any) {
	if header := at(part, "header"); header != nil {
		view["header"] = header
	}
	if count := at(part, "trailer.entries"); count != nil {
		view["trailerEntries"] = count
	}
	entries, _ := at(part, "entries.entries").([]any)
	for _, entry := range entries {
		position := at(entry, "entry.position")
		if position == nil {
			position = 0
		}
		view["zones"] = append(view["zones"].([]any), at(entry, "zone"))
		view["positions"] = append(view["positions"].([]any), position)
		if inDoubt, some := at(entry, "inDoubtCallIds").([]any); some {
			view["inDoubt"] = append(view["inDoubt"].([]any), inDoubt...)
		}
	}
}

func (e expectation) check(t *testing.T, view any, err error, captured map[string]any) {
	t.Helper()
	if e.OK != nil {
		if err != nil {
			t.Fatalf("%T %v", err, err)
		}
		if wanted := filled(e.OK, captured); !contains(view, wanted) {
			t.Fatalf("wanted %v\nin %v", wanted, view)
		}
	} else {
		e.checkRefusal(t, err, captured)
	}
	for _, path := range e.Absent {
		if found := at(view, path); !isDefault(found) {
			t.Errorf("%s is %v", path, found)
		}
	}
	for _, path := range e.Present {
		if isDefault(at(view, path)) {
			t.Errorf("%s is not there", path)
		}
	}
	for path, wanted := range e.Some {
		list, _ := at(view, path).([]any)
		if !anyContains(list, filled(wanted, captured)) {
			t.Errorf("no member of %s contains %v: %v", path, wanted, list)
		}
	}
}

func (e expectation) checkRefusal(t *testing.T, err error, captured map[string]any) {
	t.Helper()
	var ending *fermata.Ending
	if !errors.As(err, &ending) || ending.Reason != e.Reason || uint32(ending.Code) != e.Code {
		t.Fatalf("wanted %d %s, got %T %v", e.Code, e.Reason, err, err)
	}
	if e.Parents != nil && strings.Join(e.Parents, ",") != strings.Join(ending.Parents, ",") {
		t.Errorf("parents are %v", ending.Parents)
	}
	if wanted := filled(e.Leaf, captured); wanted != nil && !contains(viewOf(ending.Refusal), wanted) {
		t.Errorf("wanted %v\nin %v", wanted, viewOf(ending.Refusal))
	}
	if e.Field != "" {
		var invalid *fermata.InvalidRequest
		if !errors.As(err, &invalid) || invalid.Facts.GetViolations()[0].GetField() != e.Field {
			t.Errorf("wanted the field %s: %v", e.Field, err)
		}
	}
	for _, part := range e.TextContains {
		if !strings.Contains(ending.Detail, part) {
			t.Errorf("no %q in %q", part, ending.Detail)
		}
	}
	sent, _ := proto.Marshal(ending.GRPCStatus().Proto())
	for _, part := range e.NotContaining {
		if bytes.Contains(sent, []byte(part)) || strings.Contains(err.Error(), part) {
			t.Errorf("%q is told", part)
		}
	}
}

// contains: of an object at least these members, where a missing one counts as its default; of a list exactly these, in this order.
func contains(found, wanted any) bool {
	switch wanted := wanted.(type) {
	case []any:
		list, _ := found.([]any)
		if len(list) != len(wanted) {
			return false
		}
		for i := range wanted {
			if !contains(list[i], wanted[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		object, isObject := found.(map[string]any)
		if !isObject {
			return false
		}
		for name, member := range wanted {
			if !contains(object[name], member) {
				return false
			}
		}
		return true
	default:
		if found == nil {
			return isDefault(wanted)
		}
		return fmt.Sprint(found) == fmt.Sprint(wanted) // 64-bit integers are strings in JSON
	}
}

func anyContains(list []any, wanted any) bool {
	for _, member := range list {
		if contains(member, wanted) {
			return true
		}
	}
	return false
}

func at(value any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch within := value.(type) {
		case map[string]any:
			value = within[name]
		case []any:
			index, err := strconv.Atoi(name)
			if err != nil || index >= len(within) {
				return nil
			}
			value = within[index]
		default:
			return nil
		}
	}
	return value
}

func isDefault(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	case string:
		return value == "" || value == "0"
	default:
		return reflect.ValueOf(value).IsZero()
	}
}

func filled(value any, captured map[string]any) any {
	switch value := value.(type) {
	case string:
		if found, some := captured[strings.TrimPrefix(value, "$")]; some && strings.HasPrefix(value, "$") {
			return found
		}
		return value
	case []any:
		list := make([]any, len(value))
		for i, member := range value {
			list[i] = filled(member, captured)
		}
		return list
	case map[string]any:
		object := map[string]any{}
		for name, member := range value {
			object[name] = filled(member, captured)
		}
		return object
	default:
		return value
	}
}
