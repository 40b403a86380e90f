// One of two conditions has the generation.
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
	foo := &v1.Foo{}
	meta.SetStatusCondition(&foo.Status.Conditions, metav1.Condition{Type: "Ready", ObservedGeneration: foo.Generation})
	meta.SetStatusCondition(&foo.Status.Conditions, metav1.Condition{Type: "Stalled"})
	return ctrl.Result{}, nil
}
