package fermata_test

import (
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	fermata "fermata.dev/go"
)

var errAway = status.Error(codes.Unavailable, "nobody listens")

// TestARestartIsOverSoon: the sidecar was away for a while, so that the client waits longest between its tries. The first success comes
// within 3 s of its return, and a host that uses digests sees no error of its own making.
func TestARestartIsOverSoon(t *testing.T) {
	for name, targetOf := range map[string]func(*sidecar) string{
		"TCP":           func(s *sidecar) string { return s.address },
		"a Unix socket": (*sidecar).socketTarget,
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HTTP_PROXY", "http://127.0.0.1:9")
			t.Setenv("http_proxy", "http://127.0.0.1:9")
			t.Setenv("HTTPS_PROXY", "http://127.0.0.1:9")
			t.Setenv("https_proxy", "http://127.0.0.1:9")
			sidecar := startedSidecar(t, nil)
			client := clientOf(t, targetOf(sidecar))
			turn := fermata.Turn{Tools: fermata.Named("search", "mail")}
			mustResolve(t, client, turn)
			mustResolve(t, client, turn)
			for range 2 {
				sidecar.kill()
				for until := time.Now().Add(3 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
					resolution, err := client.Resolve(t.Context(), turn)
					if err != nil || resolution.Answered || !resolution.Full() {
						t.Fatalf("%+v %v", resolution, err)
					}
				}
				if err := sidecar.start(); err != nil {
					t.Fatal(err)
				}
				back := time.Now()
				mustResolveSoon(t, client, turn)
				if took := time.Since(back); took > 3*time.Second {
					t.Errorf("the first success came after %v", took)
				} else {
					t.Logf("the first success came after %v", took)
				}
				resolution, err := client.Resolve(t.Context(), turn)
				if err != nil || !resolution.Answered {
					t.Fatal(resolution, err)
				}
			}
		})
	}
}

// TestAStopIsToldOrBridged: while a sidecar stops in good order, a turn is answered, told SHUTTING_DOWN, or goes on without an answer.
func TestAStopIsToldOrBridged(t *testing.T) {
	sidecar := startedSidecar(t, map[string]any{"drainDelay": "300ms"})
	client := clientOf(t, sidecar.socketTarget())
	turn := fermata.Turn{Tools: fermata.Named("search")}
	mustResolve(t, client, turn)
	stopped := make(chan struct{})
	go func() { defer close(stopped); sidecar.stop() }()
	for until := time.Now().Add(2 * time.Second); time.Now().Before(until); {
		_, err := client.Resolve(t.Context(), turn)
		var stopping *fermata.ShuttingDown
		if err != nil && !errors.As(err, &stopping) {
			t.Errorf("%T %v", err, err)
		}
	}
	<-stopped
}
