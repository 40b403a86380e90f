// +groupName=defaults.example.com
package defaults

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Positive has a default above 0 at the field and at the status.
// +kubebuilder:subresource:status
type Positive struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:default={observedGeneration: 1, "phase":"new; or: old"}
	Status PositiveStatus `json:"status,omitempty"`
}

// PositiveStatus is what is known.
type PositiveStatus struct {
	Phase string `json:"phase,omitempty"`
	// +kubebuilder:default:=1
	// +kubebuilder:validation:Minimum:=1
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// Ineffective has a default at the field only.
// +kubebuilder:subresource:status
type Ineffective struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status IneffectiveStatus `json:"status,omitempty"`
}

// IneffectiveStatus is what is known.
type IneffectiveStatus struct {
	// +kubebuilder:default=5
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// Completed has required fields, of which each has a zero.
// +kubebuilder:subresource:status
type Completed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status CompletedStatus `json:"status,omitempty"`
}

// CompletedStatus is what is known.
type CompletedStatus struct {
	ObservedGeneration int64             `json:"observedGeneration,omitempty"`
	Ready              bool              `json:"ready"`
	Text               string            `json:"text"`
	Count              int32             `json:"count"`
	Labels             map[string]string `json:"labels"`
	Nested             Nested            `json:"nested"`
	// +kubebuilder:default="it's \"new\""
	Phase string `json:"phase"`
}

// Nested is required as a whole.
type Nested struct {
	Depth int64 `json:"depth"`
}

// Listed requires a list, which only a marker in JSON can give as a default.
// +kubebuilder:subresource:status
type Listed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:default={}
	Status ListedStatus `json:"status,omitempty"`
}

// ListedStatus is what is known.
type ListedStatus struct {
	ObservedGeneration int64    `json:"observedGeneration,omitempty"`
	Addresses          []string `json:"addresses"`
}

// Typed has its markers on types of their own.
// +kubebuilder:subresource:status
type Typed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status TypedStatus `json:"status,omitempty"`
}

// TypedStatus is what is known.
type TypedStatus struct {
	ObservedGeneration Generation `json:"observedGeneration,omitempty"`
	Conditions         Conditions `json:"conditions,omitempty"`
}

// Generation is a number.
// +kubebuilder:validation:Minimum=0
type Generation int64

// Conditions are a list.
type Conditions []metav1.Condition

// Atomic has a list of another type.
// +kubebuilder:subresource:status
type Atomic struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:default={observedGeneration:-1}
	Status AtomicStatus `json:"status,omitempty"`
}

// AtomicStatus is what is known.
type AtomicStatus struct {
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// +k8s:listType=atomic
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Bare declares no observedGeneration, and requires a field of its status.
// +kubebuilder:subresource:status
type Bare struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status BareStatus `json:"status,omitempty"`
}

// BareStatus is what is known.
type BareStatus struct {
	Ready bool `json:"ready"`
}

// Off has a default and no subresource.
type Off struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:default={observedGeneration:-1}
	Status OffStatus `json:"status"`
}

// OffStatus is what is known.
type OffStatus struct {
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// Exclusive has a bound that is not part of what it allows.
// +kubebuilder:subresource:status
type Exclusive struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status ExclusiveStatus `json:"status,omitempty"`
}

// ExclusiveStatus is what is known.
type ExclusiveStatus struct {
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:Minimum=0
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// JSON has a default above 0 in the notation of Kubernetes.
// +kubebuilder:subresource:status
type JSON struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +default={"observedGeneration": 3, "names": ["a"]}
	Status JSONStatus `json:"status,omitempty"`
}

// JSONStatus is what is known.
type JSONStatus struct {
	ObservedGeneration int64    `json:"observedGeneration,omitempty"`
	Names              []string `json:"names,omitempty"`
}
