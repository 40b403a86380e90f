// +groupName=optional.example.com
// +kubebuilder:validation:Optional
package optional

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Widget is a thing.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	// Status is what is known.
	Status WidgetStatus `json:"status"`
}

// WidgetStatus has one required field.
type WidgetStatus struct {
	Ready bool `json:"ready"`
	// +kubebuilder:validation:Required
	Count int32 `json:"count"`
}
