// What it was before is no news.
//

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
	foo, old := &v1.Foo{}, &v1.Foo{}
	foo.Status.ObservedGeneration = old.Status.ObservedGeneration
	return ctrl.Result{}, nil
}
