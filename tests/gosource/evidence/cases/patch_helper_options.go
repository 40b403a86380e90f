// Options are gathered, and handed on to a function.
//
// expect Foo status.observedGeneration written
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
	defer func() {
		options := []patch.Option{}
		if ctx.Err() == nil {
			options = append(options, patch.WithStatusObservedGeneration{})
		}
		_ = patchObject(ctx, helper, foo, options...)
	}()
	return ctrl.Result{}, nil
}

func patchObject(ctx context.Context, helper *patch.Helper, object client.Object, options ...patch.Option) error {
	return helper.Patch(ctx, object, options...)
}
