// SPDX-License-Identifier: Apache-2.0
package main

import (
	_ "helm.sh/helm/v3/pkg/chart/loader"
	_ "helm.sh/helm/v3/pkg/chartutil"
	_ "helm.sh/helm/v3/pkg/engine"
	_ "helm.sh/helm/v3/pkg/lint"
	_ "k8s.io/client-go/kubernetes/scheme"
)

func main() {}
