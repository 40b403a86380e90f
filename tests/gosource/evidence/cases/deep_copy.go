// A copy of the object is written.
//
// expect Foo status.observedGeneration written
// expect Foo status-endpoint unknown

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
	updated := foo.DeepCopy()
	updated.Status.ObservedGeneration = foo.Generation
	_ = r.Status().Update(ctx, updated)
	return ctrl.Result{}, nil
}
