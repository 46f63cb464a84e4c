package fermata_test

import (
	"context"
	"net"
	"testing"

	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// statusServer answers every Resolve with a status that a test made: what a sidecar, a library or a proxy can send.
type statusServer struct {
	palettev1.UnimplementedPaletteServiceServer
	ending func(request *palettev1.ResolveRequest) sent
}

// sent is a status on the wire: its code, and what stands in grpc-status-details-bin, if anything.
type sent struct {
	code    codes.Code
	text    string
	details []byte
}

func (s *statusServer) Resolve(ctx context.Context, request *palettev1.ResolveRequest) (*palettev1.ResolveResponse, error) {
	ending := s.ending(request)
	if ending.code == codes.OK {
		return &palettev1.ResolveResponse{}, nil
	}
	if ending.details != nil {
		grpc.SetTrailer(ctx, metadata.Pairs("grpc-status-details-bin", string(ending.details)))
	}
	return nil, status.Error(ending.code, ending.text)
}

func startStatusServer(t *testing.T, ending func(*palettev1.ResolveRequest) sent) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	palettev1.RegisterPaletteServiceServer(server, &statusServer{ending: ending})
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

// sentOf is a status whose outer code and text are its inner ones.
func sentOf(inner *statuspb.Status) sent {
	details, err := proto.Marshal(inner)
	if err != nil {
		panic(err)
	}
	return sent{codes.Code(inner.GetCode()), inner.GetMessage(), details}
}
