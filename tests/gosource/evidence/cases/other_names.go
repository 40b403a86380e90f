// The fields have other names in Go.
//
// expect Qux status.observedGeneration written
// expect Qux conditions.observedGeneration written

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
	qux := &v1.Qux{}
	qux.State.Seen = qux.Generation
	meta.SetStatusCondition(&qux.State.List, metav1.Condition{Type: "Ready", ObservedGeneration: qux.Generation})
	return ctrl.Result{}, nil
}
