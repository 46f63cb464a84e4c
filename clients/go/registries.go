package fermata

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"sync"

	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// keptRegistries is how many digests are remembered; the sidecar keeps as many.
const keptRegistries = 256

// registries knows under which digest the sidecar holds a registry, so that a turn sends 32 bytes and not 1,000 names.
type registries struct {
	mutex   sync.Mutex
	digests map[registryKey][]byte
}

// registryKey tells registries apart on this side. It is not the sidecar's digest.
type registryKey [sha256.Size]byte

func newRegistries() *registries { return &registries{digests: map[registryKey][]byte{}} }

func (r *registries) get(key registryKey) []byte {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.digests[key]
}

func (r *registries) put(key registryKey, digest []byte) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if len(r.digests) >= keptRegistries {
		clear(r.digests)
	}
	r.digests[key] = digest
}

func (r *registries) forget(key registryKey) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.digests, key)
}

// withRegistry makes a call by digest, and with the registry itself where the sidecar does not hold it: after its restart, say. It registers
// at the first use and after each time that the sidecar did not know it.
func (c *Client) withRegistry(ctx context.Context, tools []Tool, call func(digest []byte, registry *palettev1.Registry) error) error {
	key := keyOf(tools)
	if digest := c.registries.get(key); digest != nil {
		err := call(digest, nil)
		var unknown *RegistryUnknown
		if !errors.As(err, &unknown) {
			return err
		}
		c.registries.forget(key)
	}
	registry := toRegistry(tools)
	if err := call(nil, registry); err != nil {
		return err
	}
	// The answer is there: a registration that fails is tried again with the next call.
	if kept, err := c.Palette().RegisterTools(ctx, &palettev1.RegisterToolsRequest{Registry: registry}); err == nil {
		c.registries.put(key, kept.GetRegistryDigest())
	}
	return nil
}

func keyOf(tools []Tool) registryKey {
	hash := sha256.New()
	var size [8]byte
	write := func(text string) {
		binary.BigEndian.PutUint64(size[:], uint64(len(text)))
		hash.Write(size[:])
		hash.Write([]byte(text))
	}
	for _, tool := range tools {
		write(tool.Name)
		binary.BigEndian.PutUint64(size[:], uint64(len(tool.Tags)))
		hash.Write(size[:])
		for _, tag := range tool.Tags {
			write(tag)
		}
	}
	return registryKey(hash.Sum(nil))
}
