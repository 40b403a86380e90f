// Only one of two literals holds the generation.
//

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
	status := v1.FooStatus{ObservedGeneration: foo.Generation}
	if ctx.Err() != nil {
		status = v1.FooStatus{}
	}
	foo.Status = status
	return ctrl.Result{}, nil
}
