// Package common is imported.
package common

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Observed is part of every status.
type Observed struct {
	// +kubebuilder:validation:Minimum=1
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}
