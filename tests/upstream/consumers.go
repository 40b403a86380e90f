package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/kubectl/pkg/cmd/wait"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

type expressions struct {
	Current    string `json:"current"`
	Failed     string `json:"failed"`
	InProgress string `json:"inProgress"`
}

type verdict struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

func answerKstatus(asked question) (any, error) {
	object, err := asked.object()
	if err != nil {
		return nil, err
	}
	return compute(object)
}

func compute(object *unstructured.Unstructured) (*verdict, error) {
	result, err := status.Compute(object)
	if err != nil {
		return nil, err
	}
	return &verdict{string(result.Status), result.Message}, nil
}

func answerFlux(asked question) (any, error) {
	object, err := asked.object()
	if err != nil {
		return nil, err
	}
	evaluator, err := cel.NewStatusEvaluator(&kustomize.HealthCheckExpressions{
		Current: asked.Exprs.Current, Failed: asked.Exprs.Failed, InProgress: asked.Exprs.InProgress,
	})
	if err != nil {
		return nil, err
	}
	result, err := evaluator.Evaluate(context.Background(), object)
	if err != nil {
		return nil, err
	}
	return verdict{string(result.Status), result.Message}, nil
}

type met struct {
	Met bool `json:"met"`
}

// answerWait runs `kubectl wait --for=… --timeout=0` on the object.
func answerWait(asked question) (any, error) {
	object, err := asked.object()
	if err != nil {
		return nil, err
	}
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: io.Discard}
	flags := wait.NewWaitFlags(nowhere{}, streams)
	flags.ForCondition = []string{asked.For}
	flags.Timeout = 0
	options, err := flags.ToOptions(nil)
	if err != nil {
		return nil, err
	}
	options.DynamicClient = client{object: object}
	options.ResourceFinder = genericclioptions.NewSimpleFakeResourceFinder(&resource.Info{
		Mapping: &meta.RESTMapping{Resource: schema.GroupVersionResource{Resource: "things"}},
		Name:    "x", Namespace: "default",
	})
	err = options.RunWaitContext(context.Background())
	if err != nil && strings.HasPrefix(err.Error(), "condition not met for ") {
		return met{false}, nil
	}
	if err != nil {
		return nil, err
	}
	return met{true}, nil
}

// nowhere is a RESTClientGetter that nothing is asked of but a configuration.
type nowhere struct {
	genericclioptions.RESTClientGetter
}

func (nowhere) ToRESTConfig() (*rest.Config, error) { return &rest.Config{}, nil }

func (nowhere) ToRawKubeConfigLoader() clientcmd.ClientConfig {
	return clientcmd.NewDefaultClientConfig(*clientcmdapi.NewConfig(), nil)
}

// client is a dynamic client that has one object.
type client struct {
	dynamic.NamespaceableResourceInterface
	object *unstructured.Unstructured
}

func (c client) Resource(schema.GroupVersionResource) dynamic.NamespaceableResourceInterface {
	return c
}

func (c client) Namespace(string) dynamic.ResourceInterface { return c }

func (c client) Get(context.Context, string, metav1.GetOptions, ...string) (*unstructured.Unstructured, error) {
	if c.object == nil {
		return nil, errors.New("no object")
	}
	return c.object, nil
}
