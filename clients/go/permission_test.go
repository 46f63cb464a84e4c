package fermata_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	fermata "fermata.dev/go"
	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

var denyMail = map[string]any{"stages": []any{
	map[string]any{"name": "no-mail", "protectsForced": false, "deny": map[string]any{"names": []string{"mail"}}},
}}

// TestADeniedToolIsNeverOffered holds, stops, kills, starts and overloads a sidecar at random under 1,000 turns. Some clients are new when
// it is away, some have seen its answers.
func TestADeniedToolIsNeverOffered(t *testing.T) {
	const turns, workers = 1000, 4
	sidecar := startedSidecar(t, map[string]any{"palette": denyMail, "limits": map[string]any{"callsInFlight": 2, "replaysInFlight": 1}})
	quick := fermata.WithDeadlines(fermata.Deadlines{Palette: 300 * time.Millisecond})
	tools := fermata.Named("search", "mail", "calendar")
	stop, done := make(chan struct{}), make(chan struct{})
	go func() { defer close(done); troubles(sidecar, stop) }()

	var offered, answered, undecided, overloaded, other atomic.Int64
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			client := clientOf(t, sidecar.socketTarget(), quick)
			for turn := next.Add(1); turn <= turns; turn = next.Add(1) {
				if turn%50 == 0 {
					client = clientOf(t, sidecar.socketTarget(), quick)
				}
				resolution, err := client.Resolve(t.Context(), fermata.Turn{Tools: tools})
				var permission *fermata.PermissionUndecided
				var busy *fermata.Overloaded
				switch {
				case err == nil:
					answered.Add(1)
					if resolution.Offers("mail") {
						offered.Add(1)
					}
					if got := resolution.Tools(); !reflect.DeepEqual(got, []string{"search", "calendar"}) {
						t.Errorf("the sidecar answered, and %v are offered", got)
					}
				case errors.As(err, &permission):
					undecided.Add(1)
				case errors.As(err, &busy):
					overloaded.Add(1)
				default:
					other.Add(1)
					var stopping *fermata.ShuttingDown
					if !errors.As(err, &stopping) {
						t.Errorf("%T %v", err, err)
					}
				}
				time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
			}
		})
	}
	group.Wait()
	close(stop)
	<-done
	t.Logf("%d turns: answered %d, undecided %d, overloaded %d, stopping %d", turns, answered.Load(), undecided.Load(), overloaded.Load(), other.Load())
	if offered.Load() != 0 {
		t.Errorf("mail was offered %d times", offered.Load())
	}
	for state, count := range map[string]int64{"answered": answered.Load(), "undecided": undecided.Load(), "overloaded": overloaded.Load()} {
		if count == 0 {
			t.Errorf("no turn was %s: this test showed nothing of it", state)
		}
	}
}

// troubles happen to a sidecar one after the other, until stop.
func troubles(sidecar *sidecar, stop <-chan struct{}) {
	pause := func(most int) { time.Sleep(time.Duration(20+rand.IntN(most)) * time.Millisecond) }
	for round := 0; ; round++ {
		select {
		case <-stop:
			return
		default:
		}
		switch round % 4 {
		case 0: // slow
			sidecar.signal(syscall.SIGSTOP)
			pause(600)
			sidecar.signal(syscall.SIGCONT)
		case 1: // overloaded
			overload(sidecar)
		case 2: // stopped
			sidecar.stop()
			pause(200)
			sidecar.start()
		case 3: // killed
			sidecar.kill()
			pause(200)
			sidecar.start()
		}
		pause(300)
	}
}

// overload fills every place for calls for a while, with documents that are read beside the main thread.
func overload(sidecar *sidecar) {
	client, err := fermata.New(sidecar.socketTarget())
	if err != nil {
		panic(err)
	}
	defer client.Close()
	document := fermata.Text("openai-chat/1", `{"messages":[`+strings.Repeat(`{"role":"user","content":"0123456789"},`, 20_000)+`{"role":"user","content":""}]}`)
	ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
	defer cancel()
	var group sync.WaitGroup
	for range 12 {
		group.Go(func() {
			for ctx.Err() == nil {
				client.Judge(ctx, document, "")
			}
		})
	}
	group.Wait()
}

// TestWithoutAnAnswer has one row for each rule of what a turn may do while the sidecar is away.
func TestWithoutAnAnswer(t *testing.T) {
	answers := fermata.Turn{Tools: fermata.Named("search", "mail")}
	hard := answers
	hard.Stages = []*palettev1.Stage{fermata.Hard(fermata.Deny("none-of-these", "nothing"))}
	soft := answers
	soft.Stages = []*palettev1.Stage{fermata.Deny("not-mail", "mail")}
	forced := answers
	forced.Force = "mail"
	absent := answers
	absent.Force = "rm"
	satisfied := absent
	satisfied.CallsMade = []string{"rm"}
	labelled := answers
	labelled.Labels = map[string]string{"role": "action"}
	offerAll := fermata.OfferAllWhenUnreachable()
	tests := map[string]struct {
		seen    *fermata.Turn
		turn    fermata.Turn
		options []fermata.Option
		class   error
		forced  string
	}{
		"never answered":                           {turn: answers, class: &fermata.PermissionUndecided{}},
		"answered without a hard filter":           {seen: &answers, turn: answers},
		"a soft stage of its own":                  {seen: &answers, turn: soft},
		"a hard stage of its own":                  {seen: &answers, turn: hard, class: &fermata.PermissionUndecided{}},
		"answered for other labels":                {seen: &answers, turn: labelled, class: &fermata.PermissionUndecided{}},
		"answered for these labels":                {seen: &labelled, turn: labelled},
		"a force that is registered":               {seen: &answers, turn: forced, forced: "mail"},
		"a force that is not registered":           {seen: &answers, turn: absent, class: &fermata.ForcedToolUnavailable{}},
		"a force that is satisfied":                {seen: &answers, turn: satisfied},
		"never answered, offer all":                {turn: answers, options: []fermata.Option{offerAll}},
		"hard, offer all":                          {turn: hard, options: []fermata.Option{offerAll}},
		"offer all, a force that is not there":     {turn: absent, options: []fermata.Option{offerAll}, class: &fermata.ForcedToolUnavailable{}},
		"answered with a hard stage, then without": {seen: &hard, turn: answers, class: &fermata.PermissionUndecided{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			away := &away{}
			options := append(test.options, fermata.WithDialOptions(away.option()))
			client := clientOf(t, target, options...)
			if test.seen != nil {
				mustResolve(t, client, *test.seen)
			}
			away.is.Store(true)
			resolution, err := client.Resolve(t.Context(), test.turn)
			if reflect.TypeOf(err) != reflect.TypeOf(test.class) {
				t.Fatalf("%T %v", err, err)
			}
			if test.class != nil {
				return
			}
			if resolution.Answered || !resolution.Full() || resolution.ForcedTool() != test.forced {
				t.Fatalf("%+v", resolution)
			}
		})
	}
}

func TestPermissionUndecidedTellsWhyAndIsRetryable(t *testing.T) {
	away := &away{}
	away.is.Store(true)
	_, err := clientOf(t, target, fermata.WithDialOptions(away.option())).Resolve(t.Context(), fermata.Turn{Tools: fermata.Named("a")})
	var undecided *fermata.PermissionUndecided
	var unreachable *fermata.SidecarUnreachable
	if !errors.As(err, &undecided) || !errors.As(err, &unreachable) || !undecided.Retryable() || undecided.Code != codes.Unavailable {
		t.Fatalf("%T %v", err, err)
	}
}

func TestVerifyDecidesByItselfWhereTheSidecarIsAway(t *testing.T) {
	away := &away{}
	client := clientOf(t, target, fermata.WithDialOptions(away.option()))
	turn := fermata.Turn{Tools: fermata.Named("search", "mail"), Skills: fermata.SkillsNaming("search"), Force: "search"}
	resolution := mustResolve(t, client, turn)
	for _, calls := range [][]string{nil, {"search"}, {"mail"}, {"rm"}, {"search", "search"}, {"search", "rm", "mail"}} {
		away.is.Store(false)
		there, refused := client.Verify(t.Context(), resolution, calls)
		away.is.Store(true)
		here, refusedHere := client.Verify(t.Context(), resolution, calls)
		if !reflect.DeepEqual(viewOf(there), viewOf(here)) || fmt.Sprint(refused) != fmt.Sprint(refusedHere) {
			t.Errorf("%v: %v %v, %v %v", calls, there, refused, here, refusedHere)
		}
	}
}

// away makes calls end as if nobody listened.
type away struct{ is atomic.Bool }

func (a *away) option() grpc.DialOption {
	return grpc.WithChainUnaryInterceptor(func(ctx context.Context, method string, request, answer any, conn *grpc.ClientConn, call grpc.UnaryInvoker, options ...grpc.CallOption) error {
		if a.is.Load() {
			return fermata.Decode(errAway)
		}
		return call(ctx, method, request, answer, conn, options...)
	})
}
