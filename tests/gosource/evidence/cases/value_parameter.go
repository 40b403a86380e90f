// The helper gets the status by value: the object never sees it.
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
	observe(foo.Status, foo.Generation)
	return ctrl.Result{}, nil
}

func observe(status v1.FooStatus, generation int64) {
	status.ObservedGeneration = generation
}
