// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/chart"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var orphan = meta.DeletePropagationOrphan

// tryUpgrades leads one release through the sets of values. 11-everything wants other volumes and is refused; 13-csi-everything has another name.
func (t *trial) tryUpgrades() {
	const name, namespace = "files", "upgrades"
	if err := t.namespace(namespace, "privileged"); err != nil {
		t.claim("upgrades can be prepared", err.Error())
		return
	}
	way := []string{"01-defaults", "02-group-of-three", "03-aws", "04-minio", "05-daemonset", "06-cert-manager", "07-issuer", "09-registry", "10-monitoring",
		"12-csi", "01-defaults"}
	for _, set := range way {
		if err := provide(t.cluster, t.objects, t.folder, set, namespace); err != nil {
			t.claim("upgrades can be prepared", err.Error())
			return
		}
	}
	before, err := t.objects.left(context.Background(), t.cluster, namespace, name)
	if err != nil {
		t.claim("upgrades can be prepared", err.Error())
		return
	}
	for at, set := range way {
		values, err := t.values(set)
		if err != nil {
			t.claim("upgrade to "+set, err.Error())
			return
		}
		if at == 0 {
			t.claim("the first of the upgrades is installed", failure(t.helm.install(t.chart, values, name, namespace))...)
		} else {
			t.upgrade("upgrade from "+way[at-1]+" to "+set, t.chart, values, name, namespace)
		}
	}
	t.refuse("other volumes of masters are refused, with a remedy", parseValues("masters: {disk: {size: 50Gi}}"), name, namespace,
		"masters.disk", "--cascade=orphan")
	t.refuse("other volumes of workers are refused, with a remedy", parseValues("workers: {buffer: {storageClassName: local}}"), name, namespace,
		"workers.buffer", "--cascade=orphan")
	t.upgrade("the same size in other units is taken", t.chart, parseValues("masters: {disk: {size: 5120Mi}}"), name, namespace)
	err = t.cluster.client.AppsV1().StatefulSets(namespace).Delete(context.Background(), name+"-packing-workers",
		meta.DeleteOptions{PropagationPolicy: &orphan})
	t.claim("the set of workers is deleted without its pods", failure(err)...)
	t.upgrade("the volumes of workers change by the remedy of the message", t.chart, parseValues("workers: {buffer: {size: 6Gi}}"), name, namespace)
	t.upgrade("a driver is added", t.chart, parseValues("csi: {enabled: true}\nworkers: {buffer: {size: 6Gi}}"), name, namespace)
	t.refuse("other parameters of a class of volumes are refused, with a remedy",
		parseValues("csi: {enabled: true, storageClass: {parameters: {names: 5}}}\nworkers: {buffer: {size: 6Gi}}"), name, namespace, "csi.storageClass", "csi.storageClass.name")
	t.refuse("another reclaim policy of a class of volumes is refused, with a remedy",
		parseValues("csi: {enabled: true, storageClass: {reclaimPolicy: Retain}}\nworkers: {buffer: {size: 6Gi}}"), name, namespace, "csi.storageClass", "csi.storageClass.name")
	t.upgrade("a class of another name is taken", t.chart,
		parseValues("csi: {enabled: true, storageClass: {name: limited, parameters: {names: 5}}}\nworkers: {buffer: {size: 6Gi}}"), name, namespace)
	t.uninstall("the release that was upgraded", name, namespace, before)
	t.claim("the release is installed again on its claims", failure(t.helm.install(t.chart, map[string]any{}, name, namespace))...)
	t.uninstall("the release that was installed again", name, namespace, before)
}

// tryScales changes the number of workers by an upgrade, and by the scale of the set as an autoscaler does.
func (t *trial) tryScales() {
	const name, namespace = "files", "scales"
	ctx := context.Background()
	if err := t.namespace(namespace, "restricted"); err != nil {
		t.claim("scales can be prepared", err.Error())
		return
	}
	t.claim("two workers are installed", failure(t.helm.install(t.chart, parseValues("workers: {replicas: 2}"), name, namespace))...)
	for _, count := range []int{4, 1, 3} {
		text := fmt.Sprintf("an upgrade to %d workers", count)
		t.upgrade(text, t.chart, parseValues(fmt.Sprintf("workers: {replicas: %d}", count)), name, namespace)
		t.claim(text+": so many run", failure(t.awaitPods(namespace, "workers", count))...)
	}
	sets := t.cluster.client.AppsV1().StatefulSets(namespace)
	scale, err := sets.GetScale(ctx, name+"-packing-workers", meta.GetOptions{})
	if err == nil {
		scale.Spec.Replicas = 5
		_, err = sets.UpdateScale(ctx, scale.Name, scale, meta.UpdateOptions{})
	}
	if err == nil {
		err = t.awaitPods(namespace, "workers", 5)
	}
	t.claim("the scale of the workers is set to 5", failure(err)...)
	kept, err := claimsOf(ctx, t.cluster, namespace)
	failures := failure(err)
	for number := range 5 {
		claim := fmt.Sprintf("buffer-%s-packing-workers-%d", name, number)
		if kept[claim] == "" {
			failures = append(failures, claim+" is missing")
		}
	}
	t.claim("each worker that there was has its volume claim", failures...)
}

func (t *trial) awaitPods(namespace, of string, count int) error {
	return await(2*time.Minute, func(ctx context.Context) error {
		found, err := podsOf(ctx, t.cluster, namespace, of)
		if err == nil && len(found) != count {
			err = fmt.Errorf("%d of %d pods run: %s", len(found), count, strings.Join(found, " "))
		}
		return err
	})
}

// tryEvictions drains pods of three masters and of workers while no new pod becomes ready: a budget lets one go, and no second one.
func (t *trial) tryEvictions() {
	const name, namespace = "files", "evictions"
	ctx := context.Background()
	values, err := t.values("02-group-of-three")
	if err == nil {
		err = t.namespace(namespace, "restricted")
	}
	if err == nil {
		err = t.helm.install(t.chart, values, name, namespace)
	}
	if err != nil {
		t.claim("evictions can be prepared", err.Error())
		return
	}
	t.claim("three masters: each budget lets a pod go", judgeBudgets(t.cluster, namespace)...)
	t.nodes.hold(true)
	defer t.nodes.hold(false)
	for of, count := range map[string]int{"masters": 1, "workers": 2} {
		pods, err := podsOf(ctx, t.cluster, namespace, of)
		failures := failure(err)
		for at, pod := range pods {
			refused, err := evict(ctx, t.cluster, namespace, pod)
			switch {
			case err != nil:
				failures = append(failures, pod+": "+err.Error())
			case refused && at < count:
				failures = append(failures, fmt.Sprintf("%s has to stay, and %d may go", pod, count))
			case !refused && at >= count:
				failures = append(failures, fmt.Sprintf("%s may go, and only %d may go", pod, count))
			}
		}
		if len(pods) < 3 {
			failures = append(failures, fmt.Sprintf("%d pods", len(pods)))
		}
		t.claim(fmt.Sprintf("a drain takes %d of %d %s at a time", count, len(pods), of), failures...)
	}
}

// tryTwo installs a second release beside the first: in its namespace, in another one, and with a driver of the same name, which is refused.
func (t *trial) tryTwo() {
	const first, second = "files", "more"
	bucket := "store: {url: \"s3://bucket/prefix\"}\n"
	for _, namespace := range []string{"two", "two-other"} {
		if err := t.namespace(namespace, "privileged"); err != nil {
			t.claim("two releases can be prepared", err.Error())
			return
		}
	}
	driver := parseValues(bucket + "csi: {enabled: true}")
	t.claim("the first of two releases is installed", failure(t.helm.install(t.chart, driver, first, "two"))...)
	t.claim("a second one in its namespace is installed", failure(t.helm.install(t.chart, parseValues(bucket), second, "two"))...)
	err := t.helm.install(t.chart, driver, second, "two-other")
	var failures []string
	if err == nil {
		failures = append(failures, "it is taken")
	} else if !strings.Contains(err.Error(), "csi.driverName") {
		failures = append(failures, "the message does not name csi.driverName: "+err.Error())
	}
	t.claim("a second driver of the same name is refused, with a remedy", failures...)
	// The refused installation is none that an upgrade could go on with.
	_ = t.helm.uninstall(second, "two-other")
	other := parseValues(bucket + "csi: {enabled: true, driverName: csi.more.example, storageClass: {name: more}}")
	t.claim("a second driver of another name is installed", failure(t.helm.install(t.chart, other, second, "two-other"))...)
	for _, each := range []struct{ name, namespace string }{{first, "two"}, {second, "two"}, {second, "two-other"}} {
		t.claim(each.name+" of "+each.namespace+" is uninstalled", failure(t.helm.uninstall(each.name, each.namespace))...)
	}
}

// tryFrom upgrades from an older chart, with each set of values of both.
func (t *trial) tryFrom(older *chart.Chart, sets []string) {
	for _, set := range sets {
		name, namespace := "files", "from-"+set
		values, err := t.values(set)
		if err == nil {
			err = t.namespace(namespace, levelOf(set))
		}
		if err == nil {
			err = provide(t.cluster, t.objects, t.folder, set, namespace)
		}
		if err != nil {
			t.claim("an older chart can be prepared", err.Error())
			return
		}
		if slices.Contains([]string{"12-csi", "13-csi-everything"}, set) && !has(older, "templates/csi.yaml") {
			continue
		}
		if err := t.helm.install(older, values, name, namespace); err != nil {
			t.claim(set+" of the older chart is installed", err.Error())
			continue
		}
		t.upgrade(set+" is upgraded from the older chart", t.chart, values, name, namespace)
		t.claim(set+" of the older chart is uninstalled", failure(t.helm.uninstall(name, namespace))...)
	}
}

func has(loaded *chart.Chart, template string) bool {
	for _, each := range loaded.Templates {
		if each.Name == template {
			return true
		}
	}
	return false
}
