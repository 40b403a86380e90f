// +groupName=embedded.example.com
package embedded

import (
	"crdlint.test/shapes/embedded/common"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:subresource:status

// Widget is a thing.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetStatus embeds two structs.
type WidgetStatus struct {
	common.Observed `json:",inline"`
	*Local          `json:",inline"`
}

// Local is declared here.
type Local struct {
	Ready bool   `json:"ready"`
	Text  string `json:"text"`
}
