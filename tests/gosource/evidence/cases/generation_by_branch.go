// The number is the generation in one branch only.
//
// expect Foo status.observedGeneration unknown

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/repo/api/v1"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	var generation int64
	if ctx.Err() == nil {
		generation = foo.Generation
	}
	foo.Status.ObservedGeneration = generation
	return ctrl.Result{}, nil
}
