package fermata

import palettev1 "fermata.dev/go/gen/fermata/palette/v1"

// Tool is a registered tool, as far as a palette needs it.
type Tool struct {
	// Name is compared byte for byte.
	Name string
	// Tags are what stages may select by. None by default.
	Tags []string
}

// Named makes a registry of names, in their order.
func Named(names ...string) []Tool {
	return ToolsOf(names, func(name string) string { return name })
}

// ToolsOf makes a registry of a host's own tools, in their order.
func ToolsOf[T any](tools []T, nameOf func(T) string) []Tool {
	registry := make([]Tool, len(tools))
	for i, tool := range tools {
		registry[i] = Tool{Name: nameOf(tool)}
	}
	return registry
}

// Apply keeps of a host's own tools those that the turn offers: the same values, in the same order.
func Apply[T any](resolution *Resolution, tools []T, nameOf func(T) string) []T {
	if resolution.Full() {
		return tools
	}
	var kept []T
	for _, tool := range tools {
		if resolution.Offers(nameOf(tool)) {
			kept = append(kept, tool)
		}
	}
	return kept
}

func toRegistry(tools []Tool) *palettev1.Registry {
	registry := &palettev1.Registry{Tools: make([]*palettev1.Tool, len(tools))}
	for i, tool := range tools {
		registry.Tools[i] = &palettev1.Tool{Name: tool.Name, Tags: tool.Tags}
	}
	return registry
}

func isRegistered(tools []Tool, name string) bool {
	for _, tool := range tools {
		if tool.Name == name {
			return true
		}
	}
	return false
}
