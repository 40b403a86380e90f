// A generic helper; its caller knows the kind.
//
// expect Foo status-endpoint written
// expect Foo status-rbac written

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
	write(ctx, r.Client, &v1.Foo{})
	return ctrl.Result{}, nil
}

// +kubebuilder:rbac:groups=example.com,resources=foos/status,verbs=update

func write[T client.Object](ctx context.Context, c client.Client, object T) {
	_ = c.Status().Update(ctx, object)
}
