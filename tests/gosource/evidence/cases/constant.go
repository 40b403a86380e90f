// Zero, a number, and a converted number are no generation.
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
	foo.Status.ObservedGeneration = 0
	foo.Status.ObservedGeneration = -1
	foo.Status.ObservedGeneration = int64(1)
	return ctrl.Result{}, nil
}
