// The patch helper without the option.
//
// expect Foo status-endpoint unknown

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
	helper, _ := patch.NewHelper(foo, r.Client)
	_ = patchFoo(ctx, helper, foo)
	return ctrl.Result{}, nil
}

func patchFoo(ctx context.Context, helper *patch.Helper, foo *v1.Foo, options ...patch.Option) error {
	return helper.Patch(ctx, foo, options...)
}
