// A plain Update for the finalizer, before the status is changed and written by a scope.
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
	foo := &v1.Foo{}
	s := &scope{Client: r.Client, Foo: foo}
	_ = r.Update(ctx, foo)
	foo.Status.Ready = true
	s.close(ctx)
	return ctrl.Result{}, nil
}

// +kubebuilder:rbac:groups=example.com,resources=foos/status,verbs=update

type scope struct {
	client.Client
	Foo *v1.Foo
}

func (s *scope) close(ctx context.Context) {
	_ = s.Status().Update(ctx, s.Foo)
}
