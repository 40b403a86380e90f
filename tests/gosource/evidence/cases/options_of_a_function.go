// A function of the repository makes the options, another one patches.
//
// expect Foo status.observedGeneration written
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
	summarize(ctx, patch.NewSerialPatcher(&v1.Foo{}, r.Client), &v1.Foo{})
	return ctrl.Result{}, nil
}

func summarize(ctx context.Context, helper *patch.SerialPatcher, object client.Object) {
	var all []patch.Option
	options, err := compute(ctx)
	if err == nil {
		all = append(all, options...)
	}
	_ = helper.Patch(ctx, object, all...)
}

func compute(ctx context.Context) ([]patch.Option, error) {
	var options []patch.Option
	if ctx.Err() == nil {
		options = add(options)
	}
	return options, ctx.Err()
}

func add(options []patch.Option) []patch.Option {
	return append(options, patch.WithStatusObservedGeneration{})
}
