// A literal whose usual names are something else in JSON.
//
// expect Qux status.observedGeneration written

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
	qux.State = v1.QuxState{ObservedGeneration: qux.Generation}
	qux.State = v1.QuxState{Seen: qux.Generation}
	return ctrl.Result{}, nil
}
