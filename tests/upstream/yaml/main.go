// yaml answers, for YAML texts on standard input, what Kubernetes reads in them.
//
// Each input line is {"text": "…"}; each output line is {"value": …}, the JSON that sigs.k8s.io/yaml makes of the text,
// or {"error": "…"}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	"sigs.k8s.io/yaml"
)

type question struct {
	Text string `json:"text"`
}

type answer struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error string          `json:"error,omitempty"`
}

func main() {
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	buffered := bufio.NewWriter(os.Stdout)
	defer buffered.Flush()
	out := json.NewEncoder(buffered)
	for {
		var asked question
		if err := in.Decode(&asked); err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(read(asked.Text)); err != nil {
			log.Fatal(err)
		}
	}
}

// read also turns a panic of the library into an error.
func read(text string) (result answer) {
	defer func() {
		if problem := recover(); problem != nil {
			result = answer{Error: fmt.Sprint(problem)}
		}
	}()
	value, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: value}
}
