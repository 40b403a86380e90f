// The list is replaced, and appended to.
//
// expect Foo conditions.observedGeneration written
// expect Bar conditions.observedGeneration written

package controller

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/repo/api/v1"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo, bar := &v1.Foo{}, &v1.Bar{}
	foo.Status.Conditions = []metav1.Condition{{Type: "Ready", ObservedGeneration: foo.Generation}}
	bar.Status.Conditions = append(bar.Status.Conditions, metav1.Condition{Type: "Ready", ObservedGeneration: bar.Generation})
	return ctrl.Result{}, nil
}
