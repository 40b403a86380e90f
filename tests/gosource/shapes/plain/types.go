// +groupName=plain.example.com
package plain

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// WidgetSpec is what a widget should be.
type WidgetSpec struct {
	Size int32 `json:"size"`
}

// WidgetStatus is what is known of a widget.
type WidgetStatus struct {
	// Phase is for people.
	// +optional
	Phase string `json:"phase,omitempty"`
}

// +kubebuilder:object:root=true

// Widget is a thing.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec,omitempty"`
	Status WidgetStatus `json:"status,omitempty"`
}
