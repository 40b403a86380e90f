// Removing a condition sets none.
//

package controller

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/repo/api/v1"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	meta.RemoveStatusCondition(&foo.Status.Conditions, "Ready")
	foo.Status.Conditions = nil
	return ctrl.Result{}, nil
}
