// A scope embeds another one, which holds the object.
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
	s := &outer{}
	s.Foo.Status.ObservedGeneration = s.Foo.Generation
	return ctrl.Result{}, nil
}

type outer struct {
	inner
}

type inner struct {
	Foo *v1.Foo
}
