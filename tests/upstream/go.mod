module crdlint.test/upstream

go 1.26.0

require (
	github.com/argoproj/argo-cd/v3 v3.0.0
	github.com/fluxcd/pkg/runtime v0.110.0
	k8s.io/apiextensions-apiserver v0.36.1
	k8s.io/apimachinery v0.36.1
	k8s.io/kubectl v0.36.1
	sigs.k8s.io/cli-utils v0.37.2
)
