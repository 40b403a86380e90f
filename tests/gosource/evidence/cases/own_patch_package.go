// A package of the same name that is not that of Cluster API.
//

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/other/patch"
	v1 "example.com/repo/api/v1"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	helper := patch.New(foo)
	_ = helper.Send(ctx, foo, patch.WithStatusObservedGeneration{})
	return ctrl.Result{}, nil
}
