// The status is changed in a helper, and written plainly here; elsewhere it goes through /status.
//
// expect Foo status-endpoint unknown
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
	foo := &v1.Foo{}
	mark(foo)
	_ = r.Update(ctx, foo)
	r.other(ctx, foo)
	return ctrl.Result{}, nil
}

// +kubebuilder:rbac:groups=example.com,resources=foos/status,verbs=update

func mark(foo *v1.Foo) {
	foo.Status.Ready = true
}

func (r *Reconciler) other(ctx context.Context, foo *v1.Foo) {
	_ = r.Status().Update(ctx, foo)
}
