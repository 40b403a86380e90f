// +groupName=aligned.example.com
package aligned

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:subresource:status
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec   `json:"spec"`
	Status            WidgetStatus `json:"status"` // of the widget
}

type WidgetSpec struct {
	Size int32 `json:"size"`
}

type WidgetStatus struct {
	Ready              bool               `json:"ready"` // is it?
	A                  string             `json:"a"`
	Conditions         []metav1.Condition `json:"conditions"` // what is
	ObservedGeneration int64              `json:"observedGeneration"`
	LongerThanTheRest  map[string]string  `json:"longerThanTheRest,omitempty"` // a map
}
