package fermata

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// Skills says what the procedural layer of a host knows for a turn. Nil: the host has none, and routing declines.
type Skills interface {
	// ask fills in what the request says of skills. Nothing that the host's layer does ends the turn.
	ask(ctx context.Context, turn *turnRequest)
}

// turnRequest is a request as far as it is made, and whose it is.
type turnRequest struct {
	*palettev1.ResolveRequest
	tenant string
	empty  bool // nothing is registered
}

// Rows are rows that the host's layer returned, the most relevant first.
func Rows(rows ...*palettev1.SkillRow) Skills { return rowsOf(rows) }

// SkillsNaming are rows that each name one tool, the most relevant first.
func SkillsNaming(tools ...string) Skills {
	rows := make(rowsOf, len(tools))
	for i, tool := range tools {
		rows[i] = &palettev1.SkillRow{ActionTool: proto.String(tool)}
	}
	return rows
}

// Retrieve asks the host's layer when its answer is needed: not while nothing is registered. What it fails with declines the routing.
func Retrieve(rows func(ctx context.Context) ([]*palettev1.SkillRow, error)) Skills {
	return retrieval(rows)
}

// Query asks the sidecar's own skill store, for the tenant of the client. A limit of 0 means 10.
func Query(text string, limit uint32) Skills { return query{text, limit} }

// CannotRoute says that the host's composition lacks what routing needs: every tool is offered, and no cutover is certified.
func CannotRoute(missing ...string) Skills { return lacking(missing) }

type rowsOf []*palettev1.SkillRow

func (rows rowsOf) ask(_ context.Context, turn *turnRequest) {
	turn.Procedural = &palettev1.ResolveRequest_Skills{Skills: &palettev1.SkillRows{Rows: rows}}
}

type retrieval func(ctx context.Context) ([]*palettev1.SkillRow, error)

func (retrieve retrieval) ask(ctx context.Context, turn *turnRequest) {
	if turn.empty {
		rowsOf(nil).ask(ctx, turn)
		return
	}
	rows, err := retrieve(ctx)
	if err != nil {
		turn.Procedural = &palettev1.ResolveRequest_RetrievalFailed{RetrievalFailed: &palettev1.RetrievalFault{Type: typeOf(err)}}
		return
	}
	rowsOf(rows).ask(ctx, turn)
}

// typeOf is the class of a fault and nothing else of it.
func typeOf(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "DeadlineExceeded"
	}
	return fmt.Sprintf("%T", err)
}

type query struct {
	text  string
	limit uint32
}

func (q query) ask(_ context.Context, turn *turnRequest) {
	asked := &palettev1.SkillQuery{TenantId: turn.tenant, Text: q.text, Limit: q.limit}
	turn.Procedural = &palettev1.ResolveRequest_Query{Query: asked}
}

type lacking []string

func (missing lacking) ask(_ context.Context, turn *turnRequest) {
	turn.Procedural = &palettev1.ResolveRequest_Unavailable{Unavailable: &palettev1.MissingPrerequisites{Missing: missing}}
}
