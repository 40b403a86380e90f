package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

type crdAnswer struct {
	Crds []crdReport `json:"crds"`
}

// crdReport is what the API server makes of one CRD.
type crdReport struct {
	Name string `json:"name"`
	// Why the API server refuses it; empty if it does not.
	Errors   []string        `json:"errors"`
	Versions []versionReport `json:"versions"`
}

// versionReport tells of an object of one version, created without status and spec.
type versionReport struct {
	Version  string         `json:"version"`
	Served   bool           `json:"served"`
	Storage  bool           `json:"storage"`
	Declared bool           `json:"declared"`
	Object   map[string]any `json:"object"`
	Kstatus  *verdict       `json:"kstatus"`
	// Does kstatus call it Current though no controller has seen it?
	Race bool `json:"race"`
	// Why defaults on or below status are refused, each beginning with the path within the schema of status.
	Refused []string `json:"refused"`
	// Why the schema cannot be read as a structural one.
	Error string `json:"error,omitempty"`
}

var decoder = newDecoder()

func newDecoder() runtime.Decoder {
	scheme := runtime.NewScheme()
	utilruntime.Must(apiextensions.AddToScheme(scheme))
	utilruntime.Must(v1.AddToScheme(scheme))
	utilruntime.Must(v1beta1.AddToScheme(scheme))
	codecs := serializer.NewCodecFactory(scheme, serializer.EnableStrict)
	return codecs.UniversalDecoder(apiextensions.SchemeGroupVersion)
}

func answerCrd(asked question) (any, error) {
	reports := crdAnswer{Crds: []crdReport{}}
	err := eachCrd(asked.YAML, func(crd *apiextensions.CustomResourceDefinition, err error) {
		report := crdReport{Errors: []string{}, Versions: []versionReport{}}
		if err != nil {
			report.Errors = append(report.Errors, err.Error())
		}
		if crd != nil {
			report.fill(crd)
		}
		reports.Crds = append(reports.Crds, report)
	})
	return reports, err
}

// eachCrd calls visit for each CRD in a text, with the error of its decoding; a CRD may come with an error, too.
func eachCrd(text string, visit func(*apiextensions.CustomResourceDefinition, error)) error {
	reader := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(document)) == 0 {
			continue
		}
		decoded, _, err := decoder.Decode(document, nil, nil)
		if runtime.IsNotRegisteredError(err) || runtime.IsMissingKind(err) {
			continue
		}
		if err != nil && !runtime.IsStrictDecodingError(err) {
			visit(nil, err)
		} else if crd, isCrd := decoded.(*apiextensions.CustomResourceDefinition); isCrd {
			visit(crd, err)
		}
	}
}

func (report *crdReport) fill(crd *apiextensions.CustomResourceDefinition) {
	report.Name = crd.Name
	// Files may hold what a cluster once wrote; a new CRD has none of it.
	crd.Status.StoredVersions = nil
	for _, version := range crd.Spec.Versions {
		if version.Storage {
			crd.Status.StoredVersions = []string{version.Name}
		}
	}
	for _, err := range validation.ValidateCustomResourceDefinition(context.Background(), crd) {
		report.Errors = append(report.Errors, err.Error())
	}
	for _, version := range crd.Spec.Versions {
		report.Versions = append(report.Versions, reportOf(crd, version))
	}
}

func reportOf(crd *apiextensions.CustomResourceDefinition, version apiextensions.CustomResourceDefinitionVersion) versionReport {
	report := versionReport{Version: version.Name, Served: version.Served, Storage: version.Storage, Refused: []string{}}
	report.Object = map[string]any{
		"apiVersion": crd.Spec.Group + "/" + version.Name,
		"kind":       crd.Spec.Names.Kind,
		"metadata":   map[string]any{"name": "x", "namespace": "default", "generation": int64(1)},
		"spec":       map[string]any{},
	}
	schema := schemaOf(crd, version)
	if schema != nil && schema.OpenAPIV3Schema != nil {
		structural, err := structuralschema.NewStructural(schema.OpenAPIV3Schema)
		if err != nil {
			report.Error = err.Error()
		} else {
			defaulting.Default(report.Object, structural)
			report.judgeDefaults(structural)
		}
	}
	var err error
	if report.Kstatus, err = compute(&unstructured.Unstructured{Object: report.Object}); err != nil {
		report.Kstatus = &verdict{"Unknown", err.Error()}
	}
	report.Race = report.Declared && report.Kstatus.Status == "Current"
	return report
}

func schemaOf(
	crd *apiextensions.CustomResourceDefinition, version apiextensions.CustomResourceDefinitionVersion,
) *apiextensions.CustomResourceValidation {
	if version.Schema != nil {
		return version.Schema
	}
	return crd.Spec.Validation
}

func (report *versionReport) judgeDefaults(structural *structuralschema.Structural) {
	status, declared := structural.Properties["status"]
	report.Declared = declared
	if !declared {
		return
	}
	path := field.NewPath("status")
	refused, err := defaulting.ValidateDefaults(context.Background(), path, &status, false, true)
	if err != nil {
		report.Refused = append(report.Refused, err.Error())
	}
	for _, err := range refused {
		report.Refused = append(report.Refused, err.Error())
	}
	for _, err := range structuralschema.ValidateStructural(path, &status) {
		report.Refused = append(report.Refused, err.Error())
	}
}
