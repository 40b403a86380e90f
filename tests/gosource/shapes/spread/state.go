package spread

import "time"

// Deadline is nothing to the status.
const Deadline = time.Second

// WidgetState is what is known.
type WidgetState observed

type observed struct {
	// +required
	Ready bool `json:"ready,omitempty"`

	// +kubebuilder:validation:Required

	// Text is required.
	Text string `json:"text"`

	// Both says two things, of which the generator believes the second.
	// +optional
	// +kubebuilder:validation:Required
	Both string `json:"both,omitempty"`
}
