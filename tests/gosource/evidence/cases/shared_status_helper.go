// The helper takes a status that two kinds have; one of them is given.
//
// expect Bar status.observedGeneration written

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
	bar := &v1.Bar{}
	observe(&bar.Status, bar.Generation)
	return ctrl.Result{}, nil
}

func observe(status *v1.Shared, generation int64) {
	status.ObservedGeneration = generation
}
