// Package transition moves to metav1 conditions as Cluster API does.
// +groupName=transition.example.com
package transition

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Widget is a thing.
// +kubebuilder:subresource:status
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetStatus has the old conditions and the new ones.
type WidgetStatus struct {
	Conditions []Condition    `json:"conditions,omitempty"`
	V1Beta2    *V1Beta2Status `json:"v1beta2,omitempty"`
}

// V1Beta2Status has the new conditions.
type V1Beta2Status struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Condition is the old one.
type Condition struct {
	Type     string `json:"type"`
	Status   string `json:"status"`
	Severity string `json:"severity,omitempty"`
}
