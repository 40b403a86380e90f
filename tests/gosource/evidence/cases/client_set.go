// UpdateStatus of a generated clientset.
//
// expect Foo status-endpoint written
// expect Foo status-rbac written
// expect Bar status-rbac written
// expect Baz status-rbac written
// expect Qux status-rbac written

package controller

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/other/clients"
	v1 "example.com/repo/api/v1"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	foo := &v1.Foo{}
	_, _ = clients.Foos("x").UpdateStatus(ctx, foo, metav1.UpdateOptions{})
	return ctrl.Result{}, nil
}

// +kubebuilder:rbac:groups=example.com,resources=*/status,verbs=*
