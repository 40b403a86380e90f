// A condition of type Paused, by text, by constant, and by that of Cluster API.
//
// expect Foo paused-condition written
// expect Bar paused-condition written
// expect Baz paused-condition written
// expect Foo conditions.observedGeneration written

package controller

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/repo/api/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo, bar, baz := &v1.Foo{}, &v1.Bar{}, &v1.Baz{}
	conditions.Set(foo, metav1.Condition{Type: "Paused"})
	meta.SetStatusCondition(&bar.Status.Conditions, metav1.Condition{Type: pausedType})
	meta.SetStatusCondition(&baz.Status.Conditions, metav1.Condition{Type: clusterv1.PausedCondition})
	return ctrl.Result{}, nil
}

const pausedType = "Paused"
