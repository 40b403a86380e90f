package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

// writing is a request that writes an object as it is stored, when something else in it was different before.
type writing struct {
	// create, main or status
	Endpoint string `json:"endpoint"`
	// Where the object had something else before: keys and indices, ending with a name for what it was.
	Touched [][]any `json:"touched"`
}

type rewritten struct {
	Stored json.RawMessage `json:"stored"`
	Writes []writing       `json:"writes"`
}

type writesAnswer struct {
	Objects []writesReport `json:"objects"`
}

// writesReport is an object as the API server reads it from its storage, and why it refuses each of the writes.
type writesReport struct {
	Object  map[string]any `json:"object"`
	Refused [][]refusal    `json:"refused"`
}

type refusal struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// answerWrites asks the strategies that a server of that version runs on requests.
func answerWrites(asked question) (any, error) {
	if err := emulate(asked.Kubernetes); err != nil {
		return nil, err
	}
	writer, err := newWriter(asked)
	if err != nil {
		return nil, err
	}
	answer := writesAnswer{Objects: []writesReport{}}
	for _, object := range asked.Rewritten {
		report, err := writer.report(object)
		if err != nil {
			return nil, err
		}
		answer.Objects = append(answer.Objects, *report)
	}
	return answer, nil
}

// emulate sets the feature gates to what they are in a version of Kubernetes.
func emulate(kubernetes string) error {
	gate, versioned := utilfeature.DefaultMutableFeatureGate.(featuregate.MutableVersionedFeatureGate)
	if !versioned {
		return errors.New("the feature gate knows no versions")
	}
	return gate.SetEmulationVersion(version.MustParse(kubernetes))
}

type writer struct {
	structural *structuralschema.Structural
	create     func(*unstructured.Unstructured) field.ErrorList
	update     func(object, old *unstructured.Unstructured) field.ErrorList
	status     func(object, old *unstructured.Unstructured) field.ErrorList
}

func newWriter(asked question) (*writer, error) {
	crd, found, err := versionOf(asked)
	if err != nil {
		return nil, err
	}
	root := schemaOf(crd, *found).OpenAPIV3Schema
	structural, err := structuralschema.NewStructural(root)
	if err != nil {
		return nil, err
	}
	// Servers keep to the formats of the version before theirs.
	kubernetes := version.MustParse(asked.Kubernetes)
	formats := version.MajorMinor(kubernetes.Major(), kubernetes.Minor()-1)
	whole, _, err := validation.NewSchemaValidatorForVersion(root, formats)
	if err != nil {
		return nil, err
	}
	subresources := found.Subresources
	if subresources == nil {
		subresources = crd.Spec.Subresources
	}
	if subresources == nil {
		subresources = &apiextensions.CustomResourceSubresources{}
	}
	var statusOnly validation.SchemaValidator
	if properties, declared := root.Properties["status"]; declared && subresources.Status != nil {
		if statusOnly, _, err = validation.NewSchemaValidatorForVersion(&properties, formats); err != nil {
			return nil, err
		}
	}
	kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: found.Name, Kind: crd.Spec.Names.Kind}
	isNamespaced := crd.Spec.Scope == apiextensions.NamespaceScoped
	strategy := customresource.NewStrategy(
		nil, isNamespaced, kind, whole, statusOnly, structural, subresources.Status, subresources.Scale, nil,
	)
	statusStrategy := customresource.NewStatusStrategy(strategy)
	ctx := context.Background()
	return &writer{
		structural: structural,
		create: func(object *unstructured.Unstructured) field.ErrorList {
			strategy.PrepareForCreate(ctx, object)
			return strategy.Validate(ctx, object)
		},
		update: func(object, old *unstructured.Unstructured) field.ErrorList {
			strategy.PrepareForUpdate(ctx, object, old)
			return strategy.ValidateUpdate(ctx, object, old)
		},
		status: func(object, old *unstructured.Unstructured) field.ErrorList {
			statusStrategy.PrepareForUpdate(ctx, object, old)
			return statusStrategy.ValidateUpdate(ctx, object, old)
		},
	}, nil
}

func versionOf(asked question) (
	*apiextensions.CustomResourceDefinition, *apiextensions.CustomResourceDefinitionVersion, error,
) {
	var holder *apiextensions.CustomResourceDefinition
	var found *apiextensions.CustomResourceDefinitionVersion
	err := eachCrd(asked.YAML, func(crd *apiextensions.CustomResourceDefinition, _ error) {
		if crd == nil || crd.Name != asked.Crd {
			return
		}
		for i, version := range crd.Spec.Versions {
			if version.Name == asked.Version && schemaOf(crd, version) != nil {
				holder, found = crd, &crd.Spec.Versions[i]
			}
		}
	})
	if err == nil && found == nil {
		err = errors.New("there is no such version, or it has no schema")
	}
	return holder, found, err
}

func (w *writer) report(object rewritten) (*writesReport, error) {
	stored, err := w.read(object.Stored)
	if err != nil {
		return nil, err
	}
	report := &writesReport{Object: stored.Object, Refused: [][]refusal{}}
	for _, request := range object.Writes {
		old := stored.DeepCopy()
		for _, path := range request.Touched {
			touched, err := touch(old.Object, path)
			if err != nil {
				return nil, err
			}
			old.Object = touched.(map[string]any)
		}
		refused := []refusal{}
		for _, err := range w.write(request.Endpoint, stored.DeepCopy(), old) {
			refused = append(refused, refusal{err.Field, err.Error()})
		}
		report.Refused = append(report.Refused, refused)
	}
	return report, nil
}

// read does what the storage codec does: defaulting, then pruning and the coercion of metadata.
func (w *writer) read(raw json.RawMessage) (*unstructured.Unstructured, error) {
	object := map[string]any{}
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	defaulting.Default(object, w.structural)
	pruning.Prune(object, w.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, w.structural)
	if err := objectmeta.Coerce(nil, object, w.structural, false, true); err != nil {
		return nil, err
	}
	return &unstructured.Unstructured{Object: object}, nil
}

func (w *writer) write(endpoint string, object, old *unstructured.Unstructured) field.ErrorList {
	switch endpoint {
	case "create":
		return w.create(object)
	case "status":
		return w.status(object, old)
	default:
		return w.update(object, old)
	}
}

// touch puts something else where a path ends: a field into an object, an item at the end of a list.
func touch(value any, path []any) (any, error) {
	step := path[0]
	switch holder := value.(type) {
	case map[string]any:
		key, isKey := step.(string)
		if !isKey {
			return nil, fmt.Errorf("%v is no key", step)
		}
		if len(path) == 1 {
			holder["another"+key] = "another"
			return holder, nil
		}
		touched, err := touch(holder[key], path[1:])
		holder[key] = touched
		return holder, err
	case []any:
		if len(path) == 1 {
			return append(holder, map[string]any{"another": "another"}), nil
		}
		index, isIndex := step.(float64)
		if !isIndex || int(index) >= len(holder) {
			return nil, fmt.Errorf("%v is no index", step)
		}
		touched, err := touch(holder[int(index)], path[1:])
		holder[int(index)] = touched
		return holder, err
	default:
		// A scalar: what was there before was another one.
		return "another", nil
	}
}
