// A function of another repository makes the conditions; Paused alone is known to have the generation.
//
// expect Foo conditions.observedGeneration unknown
// expect Foo paused-condition written
// expect Foo status-endpoint unknown

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/other"
	v1 "example.com/repo/api/v1"
	"sigs.k8s.io/cluster-api/util/paused"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	_, _, _ = paused.EnsurePausedCondition(ctx, r.Client, nil, foo)
	foo.Status.Conditions = other.Conditions(foo)
	return ctrl.Result{}, nil
}
