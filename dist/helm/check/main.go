// SPDX-License-Identifier: Apache-2.0

// Command check tries a chart: it lints the chart with each of its sets of values, renders it, and decodes every object strictly by the Go types of
// its API, so that a field that does not exist is an error. It runs no cluster.
//
//	check CHART [FOLDER]     FOLDER gets the files of the rendered ConfigMaps, a folder for each set of values
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	certmanager "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	snapshots "github.com/kubernetes-csi/external-snapshotter/client/v8/apis/volumesnapshot/v1"
	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

const namespace = "storage"

// A bad set of values, and a part of the message that refuses it.
type refusal struct {
	values  string
	message string
}

var refusals = []refusal{
	{"masters: {replicas: 2}", "replicas"},
	{"mastres: {replicas: 3}", "mastres"},
	{"workers: {kind: Deployment}", "kind"},
	{"workers: {kind: DaemonSet}\ntls: {mode: certManager}", "no names that a certificate could have"},
	{"tls: {mode: on}", "mode"},
	{"store: {uri: \"s3://bucket\"}", "uri"},
	{"workers: {drain: {seconds: soon}}", "seconds"},
	{"csi: {enabled: true, driverName: Driver_1}", "driverName"},
	{"csi: {storageClass: {parameters: {nmaes: 5}}}", "nmaes"},
	{"csi: {enabled: true, storageClass: {default: true}}", "masters.disk.storageClassName"},
	{"csi: {enabled: true, storageClass: {default: true}}\nmasters: {disk: {storageClassName: local}}\nstore: {url: \"s3://b\"}", "workers.buffer.storageClassName"},
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: check CHART [FOLDER]")
		os.Exit(2)
	}
	folder := ""
	if len(os.Args) > 2 {
		folder = os.Args[2]
	}
	passed, failures := run(os.Args[1], folder)
	for _, each := range failures {
		fmt.Println("test-chart: " + each)
	}
	fmt.Printf("%d passed, %d failed\n", passed, len(failures))
	if len(failures) > 0 {
		os.Exit(1)
	}
}

func run(path, folder string) (int, []string) {
	decoder, err := decoder()
	if err != nil {
		return 0, []string{err.Error()}
	}
	loaded, err := loader.Load(path)
	if err != nil {
		return 0, []string{err.Error()}
	}
	sets, err := filepath.Glob(filepath.Join(path, "ci", "*.yaml"))
	if err != nil || len(sets) < 10 {
		return 0, []string{fmt.Sprintf("%d sets of values in ci: %v", len(sets), err)}
	}
	sort.Strings(sets)
	passed := 0
	var failures []string
	for _, set := range sets {
		name := strings.TrimSuffix(filepath.Base(set), ".yaml")
		found := trySet(path, loaded, set, name, decoder, folder)
		if len(found) == 0 {
			passed++
		}
		failures = append(failures, found...)
	}
	for _, each := range refusals {
		if why := tryRefusal(loaded, each); why != "" {
			failures = append(failures, why)
		} else {
			passed++
		}
	}
	return passed, failures
}

func decoder() (runtime.Decoder, error) {
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, certmanager.AddToScheme, monitoring.AddToScheme, snapshots.AddToScheme} {
		if err := add(types); err != nil {
			return nil, err
		}
	}
	return serializer.NewCodecFactory(types, serializer.EnableStrict).UniversalDeserializer(), nil
}

func trySet(path string, loaded *chart.Chart, set, name string, decoder runtime.Decoder, folder string) []string {
	values, err := chartutil.ReadValuesFile(set)
	if err != nil {
		return []string{name + ": " + err.Error()}
	}
	var failures []string
	for _, message := range lint.All(path, values, namespace, true).Messages {
		if message.Severity >= support.WarningSev {
			failures = append(failures, fmt.Sprintf("%s: lint: %s", name, message))
		}
	}
	files, err := render(loaded, values)
	if err != nil {
		return append(failures, name+": "+err.Error())
	}
	objects, found := decode(files, decoder)
	for _, each := range append(found, judge(objects)...) {
		failures = append(failures, name+": "+each)
	}
	if folder != "" {
		if err := write(objects, filepath.Join(folder, name)); err != nil {
			failures = append(failures, name+": "+err.Error())
		}
	}
	return failures
}

func render(loaded *chart.Chart, values map[string]any) (map[string]string, error) {
	options := chartutil.ReleaseOptions{Name: "try", Namespace: namespace, IsInstall: true, Revision: 1}
	all, err := chartutil.ToRenderValues(loaded, values, options, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	return engine.Render(loaded, all)
}

func tryRefusal(loaded *chart.Chart, bad refusal) string {
	values, err := chartutil.ReadValues([]byte(bad.values))
	if err != nil {
		return err.Error()
	}
	_, err = render(loaded, values)
	if err == nil {
		return "these values are taken, and must not be: " + bad.values
	}
	if !strings.Contains(err.Error(), bad.message) {
		return fmt.Sprintf("%s: the refusal does not name %q: %s", bad.values, bad.message, err)
	}
	return ""
}

func decode(files map[string]string, decoder runtime.Decoder) ([]runtime.Object, []string) {
	var objects []runtime.Object
	var failures []string
	for file, text := range files {
		if !strings.HasSuffix(file, ".yaml") {
			continue
		}
		reader := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
		for {
			document, err := reader.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				failures = append(failures, file+": "+err.Error())
				break
			}
			if isEmpty(document) {
				continue
			}
			object, _, err := decoder.Decode(document, nil, nil)
			if err != nil {
				failures = append(failures, fmt.Sprintf("%s: %s\n%s", file, err, document))
				continue
			}
			objects = append(objects, object)
		}
	}
	return objects, failures
}

func isEmpty(document []byte) bool {
	for _, line := range bytes.Split(document, []byte("\n")) {
		text := bytes.TrimSpace(line)
		if len(text) > 0 && text[0] != '#' && !bytes.Equal(text, []byte("---")) {
			return false
		}
	}
	return true
}

// judge finds objects that do not fit each other.
func judge(objects []runtime.Object) []string {
	var failures []string
	names := map[string]bool{}
	for _, object := range objects {
		about := object.(meta.Object)
		name := fmt.Sprintf("%s/%s", object.GetObjectKind().GroupVersionKind().Kind, about.GetName())
		if names[name] {
			failures = append(failures, name+" is there twice")
		}
		names[name] = true
		if len(about.GetName()) > 63 {
			failures = append(failures, name+" is longer than a label")
		}
	}
	var pods []core.PodTemplateSpec
	for _, object := range objects {
		template, selector := pod(object)
		if template == nil {
			continue
		}
		pods = append(pods, *template)
		failures = append(failures, judgePod(*template, selector, names)...)
	}
	failures = append(failures, judgeRoles(objects, names)...)
	for _, object := range objects {
		switch each := object.(type) {
		case *core.Service:
			failures = append(failures, judgeService(each, pods)...)
		case *policy.PodDisruptionBudget:
			if !matches(each.Spec.Selector, pods) {
				failures = append(failures, "the budget "+each.Name+" is of no pod")
			}
		}
	}
	return failures
}

func pod(object runtime.Object) (*core.PodTemplateSpec, *meta.LabelSelector) {
	switch each := object.(type) {
	case *apps.StatefulSet:
		template := each.Spec.Template.DeepCopy()
		for _, claim := range each.Spec.VolumeClaimTemplates {
			template.Spec.Volumes = append(template.Spec.Volumes, core.Volume{Name: claim.Name})
		}
		return template, each.Spec.Selector
	case *apps.DaemonSet:
		return &each.Spec.Template, each.Spec.Selector
	case *apps.Deployment:
		return &each.Spec.Template, each.Spec.Selector
	}
	return nil, nil
}

func judgePod(template core.PodTemplateSpec, selector *meta.LabelSelector, names map[string]bool) []string {
	var failures []string
	name := template.Labels["app.kubernetes.io/component"]
	if !matches(selector, []core.PodTemplateSpec{template}) {
		failures = append(failures, name+": the selector is of other pods")
	}
	if !names["ServiceAccount/"+template.Spec.ServiceAccountName] {
		failures = append(failures, name+": no service account "+template.Spec.ServiceAccountName)
	}
	volumes := map[string]bool{}
	for _, volume := range template.Spec.Volumes {
		if volumes[volume.Name] {
			failures = append(failures, name+": two volumes "+volume.Name)
		}
		volumes[volume.Name] = true
		if volume.ConfigMap != nil && !names["ConfigMap/"+volume.ConfigMap.Name] {
			failures = append(failures, name+": no ConfigMap "+volume.ConfigMap.Name)
		}
		if claim := volume.PersistentVolumeClaim; claim != nil && !names["PersistentVolumeClaim/"+claim.ClaimName] {
			failures = append(failures, name+": no claim "+claim.ClaimName)
		}
	}
	mounted := map[string]bool{}
	for _, container := range template.Spec.Containers {
		for _, mount := range container.VolumeMounts {
			if !volumes[mount.Name] {
				failures = append(failures, name+": no volume "+mount.Name)
			}
			mounted[mount.Name] = true
		}
		if hook := container.Lifecycle; hook != nil && strings.ContainsAny(strings.Join(hook.PreStop.Exec.Command, ""), "\n") {
			failures = append(failures, name+": the command before the stop is of several lines")
		}
	}
	for volume := range volumes {
		if !mounted[volume] {
			failures = append(failures, name+": nothing mounts the volume "+volume)
		}
	}
	return failures
}

// judgeRoles finds roles that are given to nobody, and those that are not there.
func judgeRoles(objects []runtime.Object, names map[string]bool) []string {
	var failures []string
	judge := func(binding string, role rbac.RoleRef, subjects []rbac.Subject) {
		if !names[role.Kind+"/"+role.Name] {
			failures = append(failures, binding+": no "+role.Kind+" "+role.Name)
		}
		for _, each := range subjects {
			if !names[each.Kind+"/"+each.Name] || each.Namespace != namespace {
				failures = append(failures, binding+": no "+each.Kind+" "+each.Namespace+"/"+each.Name)
			}
		}
	}
	for _, object := range objects {
		switch each := object.(type) {
		case *rbac.ClusterRoleBinding:
			judge(each.Name, each.RoleRef, each.Subjects)
		case *rbac.RoleBinding:
			judge(each.Name, each.RoleRef, each.Subjects)
		}
	}
	return failures
}

func judgeService(service *core.Service, pods []core.PodTemplateSpec) []string {
	var failures []string
	chosen := labels.SelectorFromSet(service.Spec.Selector)
	found := false
	for _, each := range pods {
		if !chosen.Matches(labels.Set(each.Labels)) {
			continue
		}
		found = true
		ports := map[string]bool{}
		for _, container := range each.Spec.Containers {
			for _, port := range container.Ports {
				ports[port.Name] = true
			}
		}
		for _, port := range service.Spec.Ports {
			if !ports[port.TargetPort.StrVal] {
				failures = append(failures, fmt.Sprintf("the service %s has no port %s", service.Name, port.TargetPort.StrVal))
			}
		}
	}
	if !found {
		failures = append(failures, "the service "+service.Name+" is of no pod")
	}
	return failures
}

func matches(selector *meta.LabelSelector, pods []core.PodTemplateSpec) bool {
	chosen, err := meta.LabelSelectorAsSelector(selector)
	if err != nil {
		return false
	}
	for _, each := range pods {
		if chosen.Matches(labels.Set(each.Labels)) {
			return true
		}
	}
	return false
}

// write leaves the files of ConfigMaps with settings of daemons, for packing config check.
func write(objects []runtime.Object, folder string) error {
	for _, object := range objects {
		settings, isMap := object.(*core.ConfigMap)
		if !isMap || settings.Data["worker.conf"] == "" {
			continue
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		for file, text := range settings.Data {
			if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
