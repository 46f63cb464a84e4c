package fermata_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// target is a sidecar that runs for all tests that need nothing special of one, and for the examples.
var target string

// TestMain starts it. Without a sidecar nothing here can be tested: that is said by name, and with CI=true it is a failure.
func TestMain(m *testing.M) {
	if _, err := os.Stat(program()); err != nil {
		fmt.Println("skipped: there is no sidecar at FERMATA_BIN, nor in this checkout:", err)
		if os.Getenv("CI") == "true" {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "fermata-go-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	shared := newSidecar(folder, nil)
	if err := shared.start(); err != nil {
		fmt.Println(err)
		return 1
	}
	defer shared.stop()
	target = shared.socketTarget()
	return m.Run()
}

func program() string {
	if named := os.Getenv("FERMATA_BIN"); named != "" {
		return named
	}
	return filepath.Join(checkout, "bin", "fermata")
}

// checkout is where this module stands in it.
var checkout = filepath.Join("..", "..")
