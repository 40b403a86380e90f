// +groupName=versions.example.com
package v2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"crdlint.test/shapes/versions/v1"
)

// Widget is a thing.
// +kubebuilder:subresource:status
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status v1.WidgetStatus `json:"status,omitempty"`
}
