// Status().Patch, and SubResource("status").
//
// expect Foo status-endpoint written
// expect Foo status-rbac written
// expect Bar status-endpoint unknown
// expect Bar status-rbac not found

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/repo/api/v1"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo, bar := &v1.Foo{}, &v1.Bar{}
	_ = r.Status().Patch(ctx, foo, nil)
	_ = r.SubResource("status").Update(ctx, bar)
	return ctrl.Result{}, nil
}

// +kubebuilder:rbac:groups=example.com,resources=foos/status,verbs=patch
