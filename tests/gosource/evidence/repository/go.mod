module example.com/repo

go 1.26

require sigs.k8s.io/cluster-api v1.11.0
