// A helper sets the condition, with the generation of another object.
//
// expect Foo conditions.observedGeneration unknown

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
	set(&foo.Status.Conditions, bar.Generation)
	return ctrl.Result{}, nil
}

func set(conditions *[]metav1.Condition, generation int64) {
	meta.SetStatusCondition(conditions, metav1.Condition{Type: "Ready", ObservedGeneration: generation})
}
