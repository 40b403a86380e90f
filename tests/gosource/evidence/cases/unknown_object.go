// Nothing is known of what a function of another repository returns.
//
// expect Foo status.observedGeneration unknown
// expect Bar status.observedGeneration unknown
// expect Baz status.observedGeneration unknown
// expect Qux status.observedGeneration unknown

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/other"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	object := other.Object()
	object.Status.ObservedGeneration = object.Generation
	return ctrl.Result{}, nil
}
