// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sort"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	v1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// objects sends objects of all kinds, and keeps the warnings of the server.
type objects struct {
	client   dynamic.Interface
	mapper   meta.RESTMapper
	mutex    sync.Mutex
	warnings []string
}

func newObjects(c *cluster) (*objects, error) {
	groups, err := restmapper.GetAPIGroupResources(c.client.Discovery())
	if err != nil {
		return nil, err
	}
	o := &objects{mapper: restmapper.NewDiscoveryRESTMapper(groups)}
	config := rest.CopyConfig(c.config)
	config.WarningHandler = o
	o.client, err = dynamic.NewForConfig(config)
	return o, err
}

// HandleWarningHeader keeps what the server warns of.
func (o *objects) HandleWarningHeader(_ int, _ string, text string) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.warnings = append(o.warnings, text)
}

func (o *objects) takeWarnings() []string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	taken := o.warnings
	o.warnings = nil
	return taken
}

func (o *objects) of(kind schema.GroupVersionKind, namespace string) (dynamic.ResourceInterface, error) {
	mapping, err := o.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return o.client.Resource(mapping.Resource).Namespace(namespace), nil
	}
	return o.client.Resource(mapping.Resource), nil
}

// create makes an object; one that is there already is left as it is.
func (o *objects) create(ctx context.Context, object *unstructured.Unstructured, namespace string) error {
	to, err := o.of(object.GroupVersionKind(), namespace)
	if err != nil {
		return err
	}
	_, err = to.Create(ctx, object, v1.CreateOptions{FieldValidation: "Strict"})
	return ignoreExisting(err)
}

// tryStrict has the server check objects as it would if it stored them, and finds fields that it would not store.
func (o *objects) tryStrict(ctx context.Context, all []*unstructured.Unstructured, namespace string) []string {
	var failures []string
	o.takeWarnings()
	for _, object := range all {
		name := object.GetKind() + "/" + object.GetName()
		to, err := o.of(object.GroupVersionKind(), namespace)
		if err != nil {
			failures = append(failures, name+": "+err.Error())
			continue
		}
		stored, err := to.Create(ctx, object, v1.CreateOptions{FieldValidation: "Strict", DryRun: []string{v1.DryRunAll}})
		if err != nil {
			failures = append(failures, name+": "+err.Error())
			continue
		}
		for _, each := range lost("", object.Object, stored.Object) {
			failures = append(failures, name+": "+each)
		}
		for _, each := range o.takeWarnings() {
			failures = append(failures, name+": the server warns: "+each)
		}
	}
	return failures
}

// lost names each value of an object that the server does not have as it was sent.
func lost(path string, sent, stored any) []string {
	switch each := sent.(type) {
	case map[string]any:
		there, isMap := stored.(map[string]any)
		if !isMap {
			if len(each) == 0 {
				return nil
			}
			return []string{path + " is lost"}
		}
		var found []string
		for key, value := range each {
			found = append(found, lost(path+"."+key, value, there[key])...)
		}
		sort.Strings(found)
		return found
	case []any:
		there, isList := stored.([]any)
		if len(each) == 0 && stored == nil {
			return nil
		}
		if !isList || len(there) != len(each) {
			return []string{path + " is another list"}
		}
		var found []string
		for at, value := range each {
			found = append(found, lost(fmt.Sprintf("%s[%d]", path, at), value, there[at])...)
		}
		return found
	}
	if sent == nil || reflect.DeepEqual(sent, stored) || fmt.Sprint(sent) == fmt.Sprint(stored) {
		return nil
	}
	text, isText := sent.(string)
	if as, isAlso := stored.(string); isText && isAlso {
		if strings.TrimSpace(text) == strings.TrimSpace(as) || isSameAmount(text, as) {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s is %v, and %v was sent", path, stored, sent)}
}

func isSameAmount(one, other string) bool {
	first, err := resource.ParseQuantity(one)
	if err != nil {
		return false
	}
	second, err := resource.ParseQuantity(other)
	return err == nil && first.Cmp(second) == 0
}

func parse(manifest string) ([]*unstructured.Unstructured, error) {
	reader := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(manifest)))
	var all []*unstructured.Unstructured
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		object := map[string]any{}
		if err := yaml.Unmarshal(document, &object); err != nil {
			return nil, err
		}
		if len(object) > 0 {
			all = append(all, &unstructured.Unstructured{Object: object})
		}
	}
}

// left lists the objects of a namespace and those of a release outside of it, each as KIND/NAME; without what the cluster makes by itself.
func (o *objects) left(ctx context.Context, c *cluster, namespace, release string) (map[string]bool, error) {
	lists, err := c.client.Discovery().ServerPreferredResources()
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return nil, err
		}
		for _, kind := range list.APIResources {
			if !strings.Contains(strings.Join(kind.Verbs, " "), "list") || kind.Kind == "Event" || kind.Kind == "PersistentVolume" {
				continue
			}
			var from dynamic.ResourceInterface = o.client.Resource(version.WithResource(kind.Name))
			options := v1.ListOptions{LabelSelector: "app.kubernetes.io/instance=" + release}
			if kind.Namespaced {
				from = o.client.Resource(version.WithResource(kind.Name)).Namespace(namespace)
				options = v1.ListOptions{}
			}
			items, err := from.List(ctx, options)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kind.Name, err)
			}
			for _, each := range items.Items {
				name := each.GetKind() + "/" + each.GetName()
				if name != "ServiceAccount/default" && name != "ConfigMap/kube-root-ca.crt" {
					found[name] = true
				}
			}
		}
	}
	return found, nil
}
