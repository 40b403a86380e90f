// The helper gets the condition: once with the generation, once without.
//
// expect Bar conditions.observedGeneration written

package controller

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
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
	set(&bar.Status.Conditions, metav1.Condition{Type: "Ready", ObservedGeneration: bar.Generation})
	set(&foo.Status.Conditions, metav1.Condition{Type: "Ready"})
	return ctrl.Result{}, nil
}

func set(conditions *[]metav1.Condition, condition metav1.Condition) {
	meta.SetStatusCondition(conditions, condition)
}
