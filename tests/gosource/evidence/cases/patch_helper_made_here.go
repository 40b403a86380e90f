// A helper that is made in the same function, without options, after the status was changed.
//
// expect Foo status-endpoint written
// expect Foo status-rbac written

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/repo/api/v1"
	"sigs.k8s.io/cluster-api/util/patch"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	helper, err := patch.NewHelper(foo, r.Client)
	foo.Status.Ready = err == nil
	_ = helper.Patch(ctx, foo)
	return ctrl.Result{}, nil
}

// +kubebuilder:rbac:groups=example.com,resources=foos/status,verbs=patch
