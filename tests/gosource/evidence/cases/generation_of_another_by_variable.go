// The generation of another object, through variables, conversions and a helper.
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
	foo, bar := &v1.Foo{}, &v1.Bar{}
	var one int64
	one = bar.Generation
	foo.Status.ObservedGeneration = one
	var two int64 = bar.Generation
	foo.Status.ObservedGeneration = two
	foo.Status.ObservedGeneration = int64(number(bar.Generation))
	observe(foo, bar.Generation)
	foo.Status = v1.FooStatus{ObservedGeneration: bar.Generation}
	return ctrl.Result{}, nil
}

type number int64

func observe(foo *v1.Foo, generation int64) {
	foo.Status.ObservedGeneration = generation
}
