// The helper gets the list and the generation.
//
// expect Foo conditions.observedGeneration written

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
	foo := &v1.Foo{}
	set(&foo.Status.Conditions, "Ready", foo.GetGeneration())
	return ctrl.Result{}, nil
}

func set(conditions *[]metav1.Condition, kind string, generation int64) {
	meta.SetStatusCondition(conditions, metav1.Condition{Type: kind, ObservedGeneration: generation})
}
