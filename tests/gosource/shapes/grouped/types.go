// +groupName=grouped.example.com
package grouped

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type (
	// Widget is a thing.
	Widget struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`

		Status *WidgetStatus `json:"status"`
	}

	WidgetStatus struct {
		Ready bool `json:"ready"`

		/* Conditions in an old comment */
		Conditions []metav1.Condition `json:"conditions"`
	}
)
