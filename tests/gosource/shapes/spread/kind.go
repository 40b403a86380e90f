// Package spread has its parts in several files.
package spread

import meta "k8s.io/apimachinery/pkg/apis/meta/v1"

// Widget is a thing.
// +kubebuilder:object:root=true
type Widget struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata,omitempty"`

	State WidgetState `json:"status,omitempty"`
}
