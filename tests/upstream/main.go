// Upstream answers questions about CRDs and objects with the real packages of Kubernetes, kubectl, cli-utils and Flux.
// One question a line on standard input, {"op": …}; one answer a line on standard output, in the same order.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

type question struct {
	Op     string          `json:"op"`
	Object json.RawMessage `json:"object"`
	For    string          `json:"for"`
	YAML   string          `json:"yaml"`
	Exprs  expressions     `json:"exprs"`
	// For stored: which version of which CRD the objects are of.
	Crd     string           `json:"crd"`
	Version string           `json:"version"`
	Objects []map[string]any `json:"objects"`
	// For writes: the version of Kubernetes, and what is written.
	Kubernetes string      `json:"kubernetes"`
	Rewritten  []rewritten `json:"rewritten"`
}

type failure struct {
	Error string `json:"error"`
}

var operations = map[string]func(question) (any, error){
	"kstatus": answerKstatus,
	"wait":    answerWait,
	"flux":    answerFlux,
	"crd":     answerCrd,
	"stored":  answerStored,
	"writes":  answerWrites,
}

func main() {
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer output.Flush()
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	for {
		line, err := input.ReadBytes('\n')
		if len(line) > 1 {
			if failed := encoder.Encode(answer(line)); failed != nil {
				fmt.Fprintln(os.Stderr, failed)
				os.Exit(2)
			}
			if input.Buffered() == 0 {
				output.Flush()
			}
		}
		if err != nil {
			return
		}
	}
}

// answer answers one question. A panic of the library is an answer too.
func answer(line []byte) (result any) {
	defer func() {
		if panicked := recover(); panicked != nil {
			result = failure{fmt.Sprintf("panic: %v", panicked)}
		}
	}()
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return failure{err.Error()}
	}
	operation, known := operations[asked.Op]
	if !known {
		return failure{"unknown op " + asked.Op}
	}
	result, err := operation(asked)
	if err != nil {
		return failure{err.Error()}
	}
	return result
}

// object decodes as the API machinery does: integers are int64.
func (asked question) object() (*unstructured.Unstructured, error) {
	content := map[string]any{}
	if err := utiljson.Unmarshal(asked.Object, &content); err != nil {
		return nil, err
	}
	return &unstructured.Unstructured{Object: content}, nil
}
