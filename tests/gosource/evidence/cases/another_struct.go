// A struct with the same fields that is no kind.
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
	other := &v1.NotAKind{}
	other.Status.ObservedGeneration = other.Generation
	return ctrl.Result{}, nil
}
