// Go 1.26 lets new take a value; in such a file, new of a type is still one.
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
	foo := new(v1.Foo)
	limit := new(int32(5))
	foo.Status.Ready = *limit > 0
	foo.Status.ObservedGeneration = foo.Generation
	return ctrl.Result{}, nil
}
