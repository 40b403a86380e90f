// The helper knows an interface with accessors; what the list holds in between is not followed.
//
// expect Foo conditions.observedGeneration unknown
// expect Bar conditions.observedGeneration unknown
// expect Baz conditions.observedGeneration unknown
// expect Qux conditions.observedGeneration unknown

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
	set(&v1.Foo{})
	return ctrl.Result{}, nil
}

type object interface {
	client.Object
	GetConditions() []metav1.Condition
	SetConditions([]metav1.Condition)
}

func set(object object) {
	conditions := object.GetConditions()
	meta.SetStatusCondition(&conditions, metav1.Condition{Type: "Ready", ObservedGeneration: object.GetGeneration()})
	object.SetConditions(conditions)
}
