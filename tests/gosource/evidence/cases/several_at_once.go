// Several variables at once get what one call returns, or a value each.
//
// expect Foo status.observedGeneration written
// expect Foo status-endpoint unknown
// expect Bar status.observedGeneration written
// expect Bar conditions.observedGeneration unknown

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/other"
	v1 "example.com/repo/api/v1"
	"github.com/fluxcd/pkg/runtime/patch"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo, bar := &v1.Foo{}, &v1.Bar{}
	helper := patch.NewSerialPatcher(foo, r.Client)
	var options []patch.Option
	var err error
	options, err = compute(ctx)
	bar.Status.ObservedGeneration, err = bar.Generation, nil
	bar.Status.Conditions, err = other.Conditions()
	_ = helper.Patch(ctx, foo, options...)
	_ = err
	return ctrl.Result{}, nil
}

func compute(ctx context.Context) ([]patch.Option, error) {
	return []patch.Option{patch.WithStatusObservedGeneration{}}, nil
}
