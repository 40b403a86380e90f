// A function of another repository gets the address of the conditions.
//
// expect Foo conditions.observedGeneration unknown

package controller

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/other"
	v1 "example.com/repo/api/v1"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	other.SetStatusCondition(&foo.Status.Conditions, metav1.Condition{Type: "Ready", ObservedGeneration: foo.Generation})
	return ctrl.Result{}, nil
}
