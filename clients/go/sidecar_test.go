package fermata_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	fermata "fermata.dev/go"
)

// sidecar is the real one, as a process of its own that can be stopped, started and held.
type sidecar struct {
	folder  string
	address string
	process *exec.Cmd
}

// newSidecar writes the configuration: a socket and a port of its own, and a clock that the test sets.
func newSidecar(folder string, settings map[string]any) *sidecar {
	made := &sidecar{folder: folder, address: freeAddress()}
	config := map[string]any{
		"listen":      []string{"unix:" + made.socket(), made.address},
		"adminListen": "none",
		"dataDir":     filepath.Join(folder, "data"),
		"testClock":   filepath.Join(folder, "now"),
		"logLevel":    "warn",
	}
	maps.Copy(config, settings)
	text, err := json.Marshal(config)
	if err != nil {
		panic(err)
	}
	write(filepath.Join(folder, "fermata.json"), string(text))
	made.setClock("2027-01-01T00:00:00Z")
	return made
}

// startedSidecar runs as long as the test.
func startedSidecar(t *testing.T, settings map[string]any) *sidecar {
	t.Helper()
	// Not t.TempDir: a socket's path may have 107 bytes.
	folder, err := os.MkdirTemp("", "fermata-go-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	made := newSidecar(folder, settings)
	if err := made.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(made.stop)
	return made
}

func (s *sidecar) start() error {
	s.process = exec.Command(program(), "serve", "--config", filepath.Join(s.folder, "fermata.json"))
	s.process.Stdout, s.process.Stderr = os.Stderr, os.Stderr
	if err := s.process.Start(); err != nil {
		return err
	}
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		if conn, err := net.Dial("unix", s.socket()); err == nil {
			return conn.Close()
		}
	}
	return fmt.Errorf("the sidecar does not listen at %s", s.socket())
}

func (s *sidecar) stop() {
	if s.process == nil {
		return
	}
	s.signal(syscall.SIGCONT)
	s.signal(syscall.SIGTERM)
	s.process.Wait()
	s.process = nil
}

func (s *sidecar) kill() {
	s.process.Process.Kill()
	s.process.Wait()
	s.process = nil
}

func (s *sidecar) signal(signal syscall.Signal) { s.process.Process.Signal(signal) }

func (s *sidecar) setClock(now string) { write(filepath.Join(s.folder, "now"), now) }

func (s *sidecar) socket() string { return filepath.Join(s.folder, "data.sock") }

func (s *sidecar) socketTarget() string { return "unix://" + s.socket() }

func write(path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		panic(err)
	}
}

func freeAddress() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// clientOf is closed with the test.
func clientOf(t *testing.T, target string, options ...fermata.Option) *fermata.Client {
	t.Helper()
	client, err := fermata.New(target, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}
