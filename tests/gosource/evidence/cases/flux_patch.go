// The serial patcher of Flux, with the options that its reconcile package adds.
//
// expect Foo status.observedGeneration written
// expect Foo conditions.observedGeneration written
// expect Foo status-endpoint unknown

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/repo/api/v1"
	"github.com/fluxcd/pkg/runtime/conditions"
	"github.com/fluxcd/pkg/runtime/patch"
	"github.com/fluxcd/pkg/runtime/reconcile"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	helper := patch.NewSerialPatcher(foo, r.Client)
	conditions.MarkTrue(foo, "Ready", "Done", "done")
	options := reconcile.AddPatchOptions(foo, nil, nil, "me")
	_ = helper.Patch(ctx, foo, options...)
	return ctrl.Result{}, nil
}
