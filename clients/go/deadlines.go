package fermata

import (
	"context"
	"strings"
	"time"
)

// Deadlines are the longest waits for calls whose context has none. A stream that only watches has none of its own.
type Deadlines struct {
	// Palette is for Resolve, VerifyCalls and RegisterTools: a turn waits for them. Default: 1 s.
	Palette time.Duration
	// Call is for a read or a small write. Default: 5 s.
	Call time.Duration
	// Long is for what carries a document or closes a gate, and so may queue. Default: 10 s.
	Long time.Duration
}

func defaultDeadlines() Deadlines {
	return Deadlines{Palette: time.Second, Call: 5 * time.Second, Long: 10 * time.Second}
}

func (d Deadlines) orElse(otherwise Deadlines) Deadlines {
	return Deadlines{
		Palette: firstSet(d.Palette, otherwise.Palette),
		Call:    firstSet(d.Call, otherwise.Call),
		Long:    firstSet(d.Long, otherwise.Long),
	}
}

func firstSet(given, otherwise time.Duration) time.Duration {
	if given == 0 {
		return otherwise
	}
	return given
}

func (d Deadlines) limit(ctx context.Context, method string) (context.Context, context.CancelFunc) {
	if _, given := ctx.Deadline(); given {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, d.of(method))
}

func (d Deadlines) of(path string) time.Duration {
	if strings.HasPrefix(path, "/fermata.palette.") {
		return d.Palette
	}
	switch path[strings.LastIndex(path, "/")+1:] {
	case "Issue", "RegisterReplay", "Adopt", "Judge", "Replay", "Freeze", "Thaw", "Erase", "PutSkills":
		return d.Long
	default:
		return d.Call
	}
}
