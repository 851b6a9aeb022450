// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
)

// A mistake in a template, and the part of the trial that has to find it.
type mistake struct {
	template, text, instead string
	values                  string
	seen                    func(t *trial, planted *chart.Chart, values map[string]any, namespace string) []string
}

var mistakes = []mistake{
	{"templates/masters.yaml", "serviceName: {{", "serviceNames: {{", "", seenStrictly},
	{"templates/masters.yaml", "maxUnavailable: 1", "maxUnavailable: 1\n  minAvailable: 2", "masters: {replicas: 3}", seenStrictly},
	{"templates/networkpolicy.yaml", "port: metrics", "port: metrics-of-a-daemon", "networkPolicy: {enabled: true}", seenStrictly},
	{"templates/certificates.yaml", "commonName: packing", "commonNames: packing", "tls: {mode: certManager}", seenStrictly},
	{"templates/monitoring.yaml", "endpoints:", "endpoint:", "monitoring: {serviceMonitors: true}", seenStrictly},
	{"templates/_helpers.tpl", "allowPrivilegeEscalation: false\n", "", "", seenBySecurity},
	{"templates/_helpers.tpl", "seccompProfile: {type: RuntimeDefault}", "", "", seenBySecurity},
	{"templates/csi.yaml", "resources: [persistentvolumes], verbs: [get, list", "resources: [persistentvolumes], verbs: [get", "csi: {enabled: true}", seenByRights},
	{"templates/csi.yaml", "resources: [nodes, pods]", "resources: [nodes, pods, secrets]", "csi: {enabled: true}", seenByRights},
	{"templates/csi.yaml", "resources: [leases]", "resources: [leases, deployments]", "csi: {enabled: true}", seenByRights},
	{"templates/masters.yaml", "labels: {{- include \"packing.selector\" . | nindent 10 }}", "labels: {{- include \"packing.labels\" . | nindent 10 }}", "",
		seenByUpgrade},
	{"templates/workers.yaml", "and .Values.workers.maxUnavailable $isSet", ".Values.workers.maxUnavailable", "workers: {kind: DaemonSet}", seenByBudget},
	{"templates/store.yaml", "annotations: {helm.sh/resource-policy: keep}", "", "", seenByUninstall},
}

func seenStrictly(t *trial, planted *chart.Chart, values map[string]any, namespace string) []string {
	rendered, err := t.helm.render(planted, values, "planted", namespace)
	if err != nil {
		return []string{err.Error()}
	}
	return t.objects.tryStrict(context.Background(), rendered, namespace)
}

func seenBySecurity(t *trial, planted *chart.Chart, values map[string]any, namespace string) []string {
	rendered, err := t.helm.render(planted, values, "planted", namespace)
	if err != nil {
		return []string{err.Error()}
	}
	return judgeSecurity(context.Background(), t.cluster, rendered)
}

func seenByRights(t *trial, planted *chart.Chart, values map[string]any, namespace string) []string {
	if err := t.helm.install(planted, values, "planted", namespace); err != nil {
		return nil
	}
	found := judgeRights(context.Background(), t.cluster, namespace, "planted")
	if err := t.helm.uninstall("planted", namespace); err != nil {
		fmt.Println("        " + err.Error())
	}
	return found
}

func seenByBudget(t *trial, planted *chart.Chart, values map[string]any, namespace string) []string {
	if err := t.helm.install(planted, values, "planted", namespace); err != nil {
		return nil
	}
	return judgeBudgets(t.cluster, namespace)
}

// seenByUninstall finds a volume claim that goes with its release.
func seenByUninstall(t *trial, planted *chart.Chart, values map[string]any, namespace string) []string {
	ctx := context.Background()
	if err := t.helm.install(planted, values, "planted", namespace); err != nil {
		return nil
	}
	before, err := claimsOf(ctx, t.cluster, namespace)
	if err != nil || t.helm.uninstall("planted", namespace) != nil {
		return nil
	}
	// Helm has waited until what it deletes is gone.
	after, err := claimsOf(ctx, t.cluster, namespace)
	if err != nil || len(after) == len(before) {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d claims are left", len(after), len(before))}
}

// seenByUpgrade upgrades to the next version of the chart, of which nothing else has changed.
func seenByUpgrade(t *trial, planted *chart.Chart, values map[string]any, namespace string) []string {
	if err := t.helm.install(planted, values, "planted", namespace); err != nil {
		return nil
	}
	planted.Metadata.Version = "0.1.1"
	found := failure(t.helm.upgrade(planted, values, "planted", namespace))
	if err := t.helm.uninstall("planted", namespace); err != nil {
		fmt.Println("        " + err.Error())
	}
	return found
}

// tryPlanted plants mistakes: a check that lets one through proves nothing.
func (t *trial) tryPlanted() {
	for at, each := range mistakes {
		namespace := fmt.Sprintf("planted-%d", at)
		text := fmt.Sprintf("the mistake %q is found", each.instead)
		if each.instead == "" {
			text = fmt.Sprintf("the lack of %q is found", strings.TrimSpace(each.text))
		}
		if err := t.namespace(namespace, "privileged"); err != nil {
			t.claim(text, err.Error())
			continue
		}
		planted, err := load(t.folder)
		if err != nil {
			t.claim(text, err.Error())
			continue
		}
		if !plant(planted, each) {
			t.claim(text, "it could not be planted")
			continue
		}
		found := each.seen(t, planted, parseValues(each.values), namespace)
		if len(found) == 0 {
			t.claim(text, "it was not seen")
			continue
		}
		t.claim(text)
	}
}

func plant(loaded *chart.Chart, wanted mistake) bool {
	for _, each := range loaded.Templates {
		if each.Name == wanted.template && strings.Contains(string(each.Data), wanted.text) {
			each.Data = []byte(strings.ReplaceAll(string(each.Data), wanted.text, wanted.instead))
			return true
		}
	}
	return false
}
