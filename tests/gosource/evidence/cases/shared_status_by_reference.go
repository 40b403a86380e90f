// Two kinds have such a status; the pointer shows whose it is.
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
	status := &bar.Status
	status.ObservedGeneration = bar.Generation
	return ctrl.Result{}, nil
}
