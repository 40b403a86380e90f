// The writer of /status is kept in a variable, and in a field.
//
// expect Foo status-endpoint written
// expect Foo status-rbac written
// expect Bar status-endpoint written
// expect Bar status-rbac written

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
	writer := r.Status()
	foo.Status.Ready = true
	_ = writer.Update(ctx, foo)
	bar.Status.ObservedGeneration = 0
	_ = keeper{}.writer.Patch(ctx, bar, nil)
	return ctrl.Result{}, nil
}

// +kubebuilder:rbac:groups=example.com,resources=foos/status;bars/status,verbs=patch

type keeper struct {
	writer client.SubResourceWriter
}
