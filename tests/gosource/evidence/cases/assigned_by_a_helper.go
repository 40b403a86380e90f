// A function whose parameters name the kind; it is called.
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
	observe(&v1.Foo{})
	return ctrl.Result{}, nil
}

func observe(foo *v1.Foo) {
	foo.Status.ObservedGeneration = foo.Generation
}
