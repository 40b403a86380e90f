// EnsurePausedCondition of Cluster API.
//
// expect Foo paused-condition written
// expect Foo conditions.observedGeneration written
// expect Foo status-endpoint unknown

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/repo/api/v1"
	"sigs.k8s.io/cluster-api/util/paused"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	_, _, err := paused.EnsurePausedCondition(ctx, r.Client, nil, foo)
	_ = err
	return ctrl.Result{}, nil
}
