// The caller gives a number of which nothing is known.
//
// expect Foo status.observedGeneration unknown

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
	observe(&v1.Foo{}, r.number())
	return ctrl.Result{}, nil
}

func observe(foo *v1.Foo, generation int64) {
	foo.Status.ObservedGeneration = generation
}

func (r *Reconciler) number() int64 { return 7 }
