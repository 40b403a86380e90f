// Functions that call each other.
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
	one(&v1.Foo{}, 3)
	return ctrl.Result{}, nil
}

func one(foo *v1.Foo, depth int) {
	if depth > 0 {
		two(foo, depth-1)
	}
}

func two(foo *v1.Foo, depth int) {
	foo.Status.ObservedGeneration = foo.Generation
	one(foo, depth)
}
