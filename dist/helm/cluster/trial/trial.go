// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// trial is what all claims about the chart are tried with.
type trial struct {
	cluster *cluster
	nodes   *nodes
	objects *objects
	helm    *helm
	folder  string
	chart   *chart.Chart
	passed  int
	failed  int
}

// claim counts a claim, and prints what speaks against it.
func (t *trial) claim(text string, failures ...string) {
	if len(failures) == 0 {
		t.passed++
		fmt.Println("ok      " + text)
		return
	}
	t.failed++
	for _, each := range failures {
		fmt.Println("FAILED  " + text + ": " + each)
	}
}

func failure(err error) []string {
	if err == nil {
		return nil
	}
	return []string{err.Error()}
}

func (t *trial) sets() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(t.folder, "ci", "*.yaml"))
	if err != nil {
		return nil, err
	}
	sort.Strings(files)
	var names []string
	for _, each := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(each), ".yaml"))
	}
	if len(names) < 10 {
		return nil, fmt.Errorf("%d sets of values in ci", len(names))
	}
	return names, nil
}

func (t *trial) values(set string) (map[string]any, error) {
	return chartutil.ReadValuesFile(filepath.Join(t.folder, "ci", set+".yaml"))
}

// namespace makes a namespace of a Pod Security level.
func (t *trial) namespace(name, level string) error {
	_, err := t.cluster.client.CoreV1().Namespaces().Create(context.Background(), &core.Namespace{ObjectMeta: meta.ObjectMeta{
		Name: name, Labels: map[string]string{"pod-security.kubernetes.io/enforce": level},
	}}, meta.CreateOptions{})
	if ignoreExisting(err) != nil {
		return err
	}
	// Pods are refused until the namespace has its account.
	return await(time.Minute, func(ctx context.Context) error {
		_, err := t.cluster.client.CoreV1().ServiceAccounts(name).Get(ctx, "default", meta.GetOptions{})
		return err
	})
}

// levelOf is the Pod Security level of a namespace that has all pods of a set.
func levelOf(set string) string {
	if set == "05-daemonset" || strings.Contains(set, "csi") {
		return "privileged"
	}
	return "restricted"
}

// trySet installs one set of values in a new namespace, judges it, and uninstalls it.
func (t *trial) trySet(set string) {
	ctx := context.Background()
	name, namespace := "files", "set-"+set
	values, err := t.values(set)
	if err == nil {
		err = t.namespace(namespace, levelOf(set))
	}
	if err == nil {
		err = provide(t.cluster, t.objects, t.folder, set, namespace)
	}
	if err != nil {
		t.claim(set+" can be prepared", err.Error())
		return
	}
	before, err := t.objects.left(ctx, t.cluster, namespace, name)
	if err != nil {
		t.claim(set+" can be prepared", err.Error())
		return
	}
	rendered, err := t.helm.render(t.chart, values, name, namespace)
	if err != nil {
		t.claim(set+" is rendered", err.Error())
		return
	}
	t.claim(set+": the server takes each object strictly, and keeps each field", t.objects.tryStrict(ctx, rendered, namespace)...)
	t.claim(set+": pods are admitted at the level that the documentation says", judgeSecurity(ctx, t.cluster, rendered)...)
	err = t.helm.install(t.chart, values, name, namespace)
	t.claim(set+" is installed, and Helm sees all of it ready", failure(err)...)
	if err != nil {
		for _, each := range t.nodes.why(namespace) {
			fmt.Println("        waits: " + each)
		}
	}
	t.claim(set+": all pods run", judgeRunning(ctx, t.cluster, t.nodes, namespace, name)...)
	t.claim(set+": each budget lets a pod go", judgeBudgets(t.cluster, namespace)...)
	t.claim(set+": accounts have the rights that their pods need, and no others", judgeRights(ctx, t.cluster, namespace, name)...)
	t.uninstall(set, name, namespace, before)
}

// uninstall wants all of a release gone but its volume claims, which have the users' files.
func (t *trial) uninstall(text, name, namespace string, before map[string]bool) {
	ctx := context.Background()
	kept, err := claimsOf(ctx, t.cluster, namespace)
	if err != nil {
		t.claim(text+" is uninstalled", err.Error())
		return
	}
	t.claim(text+" is uninstalled", failure(t.helm.uninstall(name, namespace))...)
	t.claim(text+": nothing but volume claims is left", failure(await(time.Minute, func(ctx context.Context) error {
		after, err := t.objects.left(ctx, t.cluster, namespace, name)
		if err != nil {
			return err
		}
		var found []string
		for each := range after {
			_, isClaim := kept[strings.TrimPrefix(each, "PersistentVolumeClaim/")]
			isMade := strings.HasPrefix(each, "Secret/") && strings.HasSuffix(each, "-tls") || strings.HasSuffix(each, "-authority")
			if !before[each] && !isClaim && !isMade {
				found = append(found, each)
			}
		}
		if len(found) > 0 {
			sort.Strings(found)
			return errors.New(strings.Join(found, " "))
		}
		return nil
	}))...)
	after, err := claimsOf(ctx, t.cluster, namespace)
	failures := failure(err)
	for each := range kept {
		if after[each] != kept[each] {
			failures = append(failures, each+" is gone")
		}
	}
	t.claim(text+": the volume claims outlive the release", failures...)
}

// upgrade changes a release to another set of values, and wants the claims of before to be as they were.
func (t *trial) upgrade(text string, loaded *chart.Chart, values map[string]any, name, namespace string) {
	ctx := context.Background()
	before, err := claimsOf(ctx, t.cluster, namespace)
	if err != nil {
		t.claim(text, err.Error())
		return
	}
	t.claim(text, failure(t.helm.upgrade(loaded, values, name, namespace))...)
	after, err := claimsOf(ctx, t.cluster, namespace)
	failures := failure(err)
	for claim, identity := range before {
		if after[claim] != identity {
			failures = append(failures, "the claim "+claim+" is another one")
		}
	}
	failures = append(failures, judgeRunning(ctx, t.cluster, t.nodes, namespace, name)...)
	failures = append(failures, judgeBudgets(t.cluster, namespace)...)
	t.claim(text+": pods run, and volume claims stay", failures...)
}

// refuse wants an upgrade to fail with a message, and to end before it is a revision of the release.
func (t *trial) refuse(text string, values map[string]any, name, namespace string, parts ...string) {
	before, err := t.helm.revision(name, namespace)
	if err != nil {
		t.claim(text, err.Error())
		return
	}
	err = t.helm.upgrade(t.chart, values, name, namespace)
	if err == nil {
		t.claim(text, "it is taken")
		return
	}
	after, lost := t.helm.revision(name, namespace)
	failures := failure(lost)
	if after != before {
		failures = append(failures, "it has begun")
	}
	for _, each := range parts {
		if !strings.Contains(err.Error(), each) {
			failures = append(failures, fmt.Sprintf("the message does not name %q: %s", each, err))
		}
	}
	t.claim(text, failures...)
}

func load(folder string) (*chart.Chart, error) {
	return loader.Load(folder)
}

func parseValues(text string) map[string]any {
	values, err := chartutil.ReadValues([]byte(text))
	if err != nil {
		panic(err)
	}
	return values
}
