// A type assertion, and a type switch.
//
// expect Foo status.observedGeneration written
// expect Bar status.observedGeneration written

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
	r.both(&v1.Foo{})
	return ctrl.Result{}, nil
}

func (r *Reconciler) both(object client.Object) {
	if foo, ok := object.(*v1.Foo); ok {
		foo.Status.ObservedGeneration = foo.Generation
	}
	switch object := object.(type) {
	case *v1.Bar:
		object.Status.ObservedGeneration = object.Generation
	}
}
