package main

import (
	"encoding/json"
	"errors"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type storedAnswer struct {
	Objects []storedObject `json:"objects"`
}

// storedObject is an object as it is read back after a write of its status, and why the write is refused.
type storedObject struct {
	Object map[string]any `json:"object"`
	Errors []string       `json:"errors"`
}

// answerStored does to objects what the API server does to the body of a request that writes /status.
func answerStored(asked question) (any, error) {
	var schema *apiextensions.JSONSchemaProps
	err := eachCrd(asked.YAML, func(crd *apiextensions.CustomResourceDefinition, _ error) {
		if crd == nil || crd.Name != asked.Crd {
			return
		}
		for _, version := range crd.Spec.Versions {
			if found := schemaOf(crd, version); version.Name == asked.Version && found != nil {
				schema = found.OpenAPIV3Schema
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if schema == nil {
		return nil, errors.New("there is no such version, or it has no schema")
	}
	structural, err := structuralschema.NewStructural(schema)
	if err != nil {
		return nil, err
	}
	status := schema.Properties["status"]
	validator, _, err := validation.NewSchemaValidator(&status)
	if err != nil {
		return nil, err
	}
	answer := storedAnswer{Objects: []storedObject{}}
	for _, raw := range asked.Objects {
		object, err := decoded(raw)
		if err != nil {
			return nil, err
		}
		pruning.Prune(object, structural, true)
		defaulting.PruneNonNullableNullsWithoutDefaults(object, structural)
		defaulting.Default(object, structural)
		stored := storedObject{Object: object, Errors: []string{}}
		if written, has := object["status"]; has {
			for _, err := range validation.ValidateCustomResource(field.NewPath("status"), written, validator) {
				stored.Errors = append(stored.Errors, err.Error())
			}
		}
		answer.Objects = append(answer.Objects, stored)
	}
	return answer, nil
}

// decoded is the object with integers instead of floats, as the API machinery decodes it.
func decoded(raw map[string]any) (map[string]any, error) {
	text, err := json.Marshal(raw)
	if err != nil {
		return nil, err
	}
	object := map[string]any{}
	return object, utiljson.Unmarshal(text, &object)
}
