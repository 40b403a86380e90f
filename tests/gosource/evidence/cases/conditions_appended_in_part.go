// Two conditions are appended, one of them without the generation.
//

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
	foo := &v1.Foo{}
	conditions := []metav1.Condition{}
	conditions = append(conditions, metav1.Condition{Type: "Ready", ObservedGeneration: foo.Generation})
	conditions = append(conditions, metav1.Condition{Type: "Ready"})
	foo.Status.Conditions = conditions
	return ctrl.Result{}, nil
}
