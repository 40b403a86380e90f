// +groupName=example.com
package v1

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Shared is the status of two kinds.
type Shared struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// FooStatus is the status of Foo alone.
type FooStatus struct {
	Ready              bool               `json:"ready,omitempty"`
	Nested             FooLike            `json:"nested"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status FooStatus `json:"status,omitempty"`
}

type FooList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Foo `json:"items"`
}

// Bar and Baz have the same status.
type Bar struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status Shared `json:"status,omitempty"`
}

type Baz struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status *Shared `json:"status,omitempty"`
}

// NotAKind has a status as well.
type NotAKind struct {
	Status     FooLike
	Generation int64
}

type FooLike struct {
	ObservedGeneration int64
}

func (f *Foo) SetObservedGeneration(generation int64) {
	f.Status.ObservedGeneration = generation
}

func (f *Foo) MarkReady() {
	meta.SetStatusCondition(&f.Status.Conditions, metav1.Condition{Type: "Ready"})
}

func (f *Foo) Default() {
	f.Status.ObservedGeneration = f.Generation
}

func (f *Foo) GetConditions() []metav1.Condition { return f.Status.Conditions }

func (f *Foo) SetConditions(conditions []metav1.Condition) { f.Status.Conditions = conditions }

// Qux calls its fields otherwise.
type Qux struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	State QuxState `json:"status,omitempty"`
}

type QuxState struct {
	Seen               int64              `json:"observedGeneration,omitempty"`
	List               []metav1.Condition `json:"conditions,omitempty"`
	ObservedGeneration int64              `json:"somethingElse,omitempty"`
}
