// An apply configuration: nothing says of which kind it is.
//
// expect Foo status.observedGeneration unknown
// expect Bar status.observedGeneration unknown
// expect Baz status.observedGeneration unknown
// expect Qux status.observedGeneration unknown

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	ac "example.com/other/apply"
	v1 "example.com/repo/api/v1"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	_ = ac.FooStatus().WithObservedGeneration(foo.Generation)
	return ctrl.Result{}, nil
}
