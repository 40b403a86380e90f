// A function of the repository makes options, but not that one.
//
// expect Foo status-endpoint unknown

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/repo/api/v1"
	"github.com/fluxcd/pkg/runtime/patch"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	helper := patch.NewSerialPatcher(&v1.Foo{}, r.Client)
	_ = helper.Patch(ctx, &v1.Foo{}, compute()...)
	return ctrl.Result{}, nil
}

func compute() []patch.Option {
	return []patch.Option{patch.WithFieldOwner("me")}
}
