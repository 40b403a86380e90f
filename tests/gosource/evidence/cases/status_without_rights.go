// The marker asks for no right to write.
//
// expect Foo status-endpoint unknown
// expect Foo status-rbac not found

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
	_ = r.Status().Update(ctx, foo)
	return ctrl.Result{}, nil
}

// +kubebuilder:rbac:groups=example.com,resources=foos/status,verbs=get;list
