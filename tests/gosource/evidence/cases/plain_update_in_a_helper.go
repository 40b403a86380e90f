// The status is changed here, and written plainly in a helper.
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
	foo := &v1.Foo{}
	foo.Status.Ready = true
	r.save(ctx, foo)
	return ctrl.Result{}, nil
}

func (r *Reconciler) save(ctx context.Context, object client.Object) {
	_ = r.Update(ctx, object)
}
