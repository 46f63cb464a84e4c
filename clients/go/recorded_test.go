package fermata_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"

	fermata "fermata.dev/go"
	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// recordedCalls is what went over a connection, in order.
type recordedCalls struct {
	mutex sync.Mutex
	names []string
}

func (r *recordedCalls) option() grpc.DialOption {
	return grpc.WithChainUnaryInterceptor(func(ctx context.Context, method string, request, answer any, conn *grpc.ClientConn, call grpc.UnaryInvoker, options ...grpc.CallOption) error {
		name := method[strings.LastIndex(method, "/")+1:]
		if resolve, ok := request.(*palettev1.ResolveRequest); ok {
			name += map[bool]string{true: " inline", false: " digest"}[resolve.GetRegistry() != nil]
		}
		r.mutex.Lock()
		r.names = append(r.names, name)
		r.mutex.Unlock()
		return call(ctx, method, request, answer, conn, options...)
	})
}

func (r *recordedCalls) take() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	names := r.names
	r.names = nil
	return names
}

// mustResolveSoon waits until the sidecar itself answers.
func mustResolveSoon(t *testing.T, client *fermata.Client, turn fermata.Turn) {
	t.Helper()
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		if resolution, err := client.Resolve(t.Context(), turn); err == nil && resolution.Answered {
			return
		}
	}
	t.Fatal("no answer")
}
