// Fields with the usual names in Go that are something else in JSON.
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
	qux := &v1.Qux{}
	qux.State.ObservedGeneration = qux.Generation
	return ctrl.Result{}, nil
}
