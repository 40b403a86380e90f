// An unstructured object is read only.
//

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
	_, _, _ = unstructured.NestedInt64(object.Object, "status", "observedGeneration")
	return ctrl.Result{}, nil
}
