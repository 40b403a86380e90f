// Unstructured objects: nothing says of which kind they are.
//
// expect Foo status.observedGeneration unknown
// expect Bar status.observedGeneration unknown
// expect Baz status.observedGeneration unknown
// expect Qux status.observedGeneration unknown

package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	object := &unstructured.Unstructured{}
	_ = unstructured.SetNestedField(object.Object, object.GetGeneration(), "status", "observedGeneration")
	return ctrl.Result{}, nil
}
