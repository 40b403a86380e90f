// The older conditions have no generation.
//

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/repo/api/v1"
	"sigs.k8s.io/cluster-api/util/deprecated/v1beta1/conditions"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	conditions.MarkTrue(foo, "Ready")
	return ctrl.Result{}, nil
}
