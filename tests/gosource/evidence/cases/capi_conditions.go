// conditions.Set of Cluster API 1.11 sets the generation by itself.
//
// expect Foo conditions.observedGeneration written

package controller

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/repo/api/v1"
	"sigs.k8s.io/cluster-api/util/conditions"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	conditions.Set(foo, metav1.Condition{Type: "Ready"})
	return ctrl.Result{}, nil
}
