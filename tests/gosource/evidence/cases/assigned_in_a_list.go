// Items of a list, by index and by range.
//
// expect Foo status.observedGeneration written

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
	list := &v1.FooList{}
	for i := range list.Items {
		foo := &list.Items[i]
		foo.Status.ObservedGeneration = foo.Generation
	}
	return ctrl.Result{}, nil
}
