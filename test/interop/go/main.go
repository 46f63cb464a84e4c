// Reads golden statuses with grpc-go: one line of JSON for each name that comes on standard input.
// Called with the target; the server answers the status that forced_tool names.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	palettepb "fermata.dev/test/interop/gen/fermata/palette/v1"
	refusalpb "fermata.dev/test/interop/gen/fermata/refusal/v1"
)

const (
	method    = "/fermata.palette.v1.PaletteService/Resolve"
	urlPrefix = "type.googleapis.com/"
)

// reading is what this reader found in one status.
type reading struct {
	Name      string            `json:"name"`
	Code      uint32            `json:"code"`
	Text      string            `json:"text"`
	InnerCode int32             `json:"innerCode"`
	InnerText string            `json:"innerText"`
	Domain    string            `json:"domain"`
	Reason    string            `json:"reason"`
	Metadata  map[string]string `json:"metadata"`
	Facts     json.RawMessage   `json:"facts"`
	Details   []string          `json:"details"`
}

func main() {
	if err := readStatuses(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func readStatuses(target string) error {
	var names []string
	if err := json.NewDecoder(os.Stdin).Decode(&names); err != nil {
		return err
	}
	conn, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy())
	if err != nil {
		return err
	}
	defer conn.Close()
	out := json.NewEncoder(os.Stdout)
	for _, name := range names {
		read, err := readStatus(conn, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := out.Encode(read); err != nil {
			return err
		}
	}
	return nil
}

func readStatus(conn *grpc.ClientConn, name string) (*reading, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var trailer metadata.MD
	request := &palettepb.ResolveRequest{ForcedTool: &name}
	err := conn.Invoke(ctx, method, request, &palettepb.ResolveResponse{}, grpc.Trailer(&trailer))
	ending, ok := status.FromError(err)
	if err == nil || !ok {
		return nil, fmt.Errorf("no status: %v", err)
	}
	inner, err := innerStatus(trailer)
	if err != nil {
		return nil, err
	}
	read := &reading{Name: name, Code: uint32(ending.Code()), Text: ending.Message(), InnerCode: inner.Code, InnerText: inner.Message}
	for _, detail := range inner.Details {
		read.Details = append(read.Details, strings.TrimPrefix(detail.TypeUrl, urlPrefix))
	}
	for _, detail := range ending.Details() {
		if err := read.add(detail); err != nil {
			return nil, err
		}
	}
	return read, nil
}

func innerStatus(trailer metadata.MD) (*statuspb.Status, error) {
	sent := trailer.Get("grpc-status-details-bin")
	if len(sent) != 1 {
		return nil, fmt.Errorf("%d values of grpc-status-details-bin", len(sent))
	}
	inner := &statuspb.Status{}
	return inner, proto.Unmarshal([]byte(sent[0]), inner)
}

func (r *reading) add(detail any) error {
	var err error
	switch message := detail.(type) {
	case *errdetails.ErrorInfo:
		r.Domain, r.Reason, r.Metadata = message.Domain, message.Reason, message.Metadata
	case *refusalpb.Refusal:
		r.Facts, err = protojson.Marshal(message)
	case error:
		err = message
	}
	return err
}
