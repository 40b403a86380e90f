// The generation has a name of its own, and is converted.
//
// expect Foo status.observedGeneration written

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
	var foo v1.Foo
	generation := foo.Generation
	foo.Status.ObservedGeneration = int64(generation)
	return ctrl.Result{}, nil
}
