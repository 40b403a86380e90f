// The generation is asked of the interface: that it is the same object is not followed.
//
// expect Bar status.observedGeneration unknown

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
	bar := &v1.Bar{}
	observe(bar)
	return ctrl.Result{}, nil
}

func observe(object client.Object) {
	if bar, ok := object.(*v1.Bar); ok {
		bar.Status.ObservedGeneration = object.GetGeneration()
	}
}
