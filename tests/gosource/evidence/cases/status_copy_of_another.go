// A copy of the status of one object is put into another.
//
// expect Foo status.observedGeneration unknown

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/other"
	v1 "example.com/repo/api/v1"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo, bar := &v1.Foo{}, &v1.Foo{}
	status := foo.Status.DeepCopy()
	status.ObservedGeneration = foo.Generation
	other.Status = *status
	bar.Status.Ready = true
	return ctrl.Result{}, nil
}
