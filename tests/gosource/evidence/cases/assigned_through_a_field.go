// A scope holds the object.
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
	s := &scope{Foo: &v1.Foo{}}
	s.close()
	return ctrl.Result{}, nil
}

type scope struct {
	Foo *v1.Foo
}

func (s *scope) close() {
	s.Foo.Status.ObservedGeneration = s.Foo.Generation
}
