package main

import (
	"context"

	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
)

func init() { operations["flux-reader"] = answerFluxReader }

// answerFluxReader says what Flux shows of the object while it waits: an evaluation that fails is no error here.
func answerFluxReader(asked question) (any, error) {
	object, err := asked.object()
	if err != nil {
		return nil, err
	}
	makeReader, err := cel.NewStatusReader([]kustomize.CustomHealthCheck{{
		APIVersion: object.GetAPIVersion(),
		Kind:       object.GetKind(),
		HealthCheckExpressions: kustomize.HealthCheckExpressions{
			Current: asked.Exprs.Current, Failed: asked.Exprs.Failed, InProgress: asked.Exprs.InProgress,
		},
	}})
	if err != nil {
		return nil, err
	}
	shown, err := makeReader(nil).ReadStatusForObject(context.Background(), nil, object)
	if err != nil {
		return nil, err
	}
	message := shown.Message
	if shown.Error != nil {
		message = shown.Error.Error()
	}
	return verdict{string(shown.Status), message}, nil
}
