package fermata_test

import (
	"context"

	"google.golang.org/protobuf/proto"

	fermata "fermata.dev/go"
	conversationv1 "fermata.dev/go/gen/fermata/conversation/v1"
	palettev1 "fermata.dev/go/gen/fermata/palette/v1"
)

// throughFacade makes a call as a host would. It did not where the façade can't say the same, such as a request that names no tools.
func throughFacade(ctx context.Context, client *fermata.Client, request proto.Message) (response proto.Message, err error, did bool) {
	switch request := request.(type) {
	case *palettev1.ResolveRequest:
		turn, can := turnOf(request)
		if !can {
			return nil, nil, false
		}
		resolution, err := client.Resolve(ctx, turn)
		if err != nil {
			return nil, err, true
		}
		return resolution.Response, nil, true
	case *conversationv1.JudgeRequest:
		response, err := client.Judge(ctx, request.GetDocument(), request.GetBoundaryProof())
		return response, err, true
	case *conversationv1.ResumeRequest:
		if request.GetThread().GetThreadKey() == "" {
			return nil, nil, false
		}
		thread := fermata.ByKey(request.GetThread().GetThreadKey()).At(request.GetCheckpointId())
		response, err := client.Resume(ctx, thread.Claiming(request.GetThread().GetClaimedTenantId()))
		return response, err, true
	default:
		return nil, nil, false
	}
}

func turnOf(request *palettev1.ResolveRequest) (fermata.Turn, bool) {
	if request.GetRegistry() == nil || (request.ForcedTool != nil && request.GetForcedTool() == "") {
		return fermata.Turn{}, false
	}
	turn := fermata.Turn{
		AlwaysOffer: request.GetAlwaysOffer(),
		Stages:      request.GetStages(),
		Force:       request.GetForcedTool(),
		CallsMade:   request.GetCallsMade(),
		Labels:      request.GetLabels(),
		Explain:     request.GetExplain(),
	}
	for _, tool := range request.GetRegistry().GetTools() {
		turn.Tools = append(turn.Tools, fermata.Tool{Name: tool.GetName(), Tags: tool.GetTags()})
	}
	switch procedural := request.GetProcedural().(type) {
	case nil:
	case *palettev1.ResolveRequest_Skills:
		turn.Skills = fermata.Rows(procedural.Skills.GetRows()...)
	case *palettev1.ResolveRequest_Unavailable:
		turn.Skills = fermata.CannotRoute(procedural.Unavailable.GetMissing()...)
	default:
		return fermata.Turn{}, false
	}
	return turn, true
}
