// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

const component = "app.kubernetes.io/component"

// levels are the Pod Security levels of the documentation: the strictest that takes the pods of a component.
func level(name, kind string) string {
	switch {
	case name == "csi-node", name == "csi-mounts", name == "workers" && kind == "DaemonSet":
		return "privileged"
	}
	return "restricted"
}

// judgeSecurity has the server admit a pod of each workload in a namespace of each Pod Security level.
func judgeSecurity(ctx context.Context, c *cluster, rendered []*unstructured.Unstructured) []string {
	var failures []string
	found := 0
	for _, object := range rendered {
		template, isThere, err := unstructured.NestedMap(object.Object, "spec", "template")
		if err != nil || !isThere {
			continue
		}
		found++
		pod := &core.Pod{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(template, pod); err != nil {
			return append(failures, err.Error())
		}
		name := pod.Labels[component]
		pod.Name = "try"
		pod.Spec.ServiceAccountName = "default"
		for _, each := range claims(object) {
			pod.Spec.Volumes = append(pod.Spec.Volumes, core.Volume{Name: each,
				VolumeSource: core.VolumeSource{PersistentVolumeClaim: &core.PersistentVolumeClaimVolumeSource{ClaimName: each}}})
		}
		expected := level(name, object.GetKind())
		for _, namespace := range []string{"restricted", "baseline", "privileged"} {
			_, err := c.client.CoreV1().Pods(namespace).Create(ctx, pod, meta.CreateOptions{DryRun: []string{meta.DryRunAll}})
			isTaken := expected == "restricted" || namespace == "privileged"
			if isTaken && err != nil {
				failures = append(failures, fmt.Sprintf("%s in a namespace of level %s: %s", name, namespace, err))
			}
			if !isTaken && (err == nil || !strings.Contains(err.Error(), "violates PodSecurity")) {
				failures = append(failures, fmt.Sprintf("%s in a namespace of level %s is not refused: %v", name, namespace, err))
			}
		}
	}
	if found < 2 {
		failures = append(failures, fmt.Sprintf("%d workloads", found))
	}
	return failures
}

func claims(set *unstructured.Unstructured) []string {
	templates, _, _ := unstructured.NestedSlice(set.Object, "spec", "volumeClaimTemplates")
	var names []string
	for _, each := range templates {
		name, _, _ := unstructured.NestedString(each.(map[string]any), "metadata", "name")
		names = append(names, name)
	}
	return names
}

// judgeRunning wants each pod of a release ready, and no object of the release refused.
func judgeRunning(ctx context.Context, c *cluster, n *nodes, namespace, release string) []string {
	var failures []string
	pods, err := c.client.CoreV1().Pods(namespace).List(ctx, meta.ListOptions{LabelSelector: "app.kubernetes.io/instance=" + release})
	if err != nil {
		return []string{err.Error()}
	}
	if len(pods.Items) < 2 {
		failures = append(failures, fmt.Sprintf("%d pods", len(pods.Items)))
	}
	for _, each := range pods.Items {
		if each.DeletionTimestamp == nil && !isReady(&each) {
			failures = append(failures, each.Name+" is "+string(each.Status.Phase))
		}
	}
	events, err := c.client.CoreV1().Events(namespace).List(ctx, meta.ListOptions{})
	if err != nil {
		return append(failures, err.Error())
	}
	for _, each := range events.Items {
		if each.Type == core.EventTypeWarning && each.Reason == "FailedCreate" {
			failures = append(failures, each.InvolvedObject.Kind+"/"+each.InvolvedObject.Name+": "+each.Message)
		}
	}
	return append(failures, n.why(namespace)...)
}

func isReady(pod *core.Pod) bool {
	for _, each := range pod.Status.Conditions {
		if each.Type == core.PodReady {
			return each.Status == core.ConditionTrue
		}
	}
	return false
}

// judgeBudgets wants each budget to let a pod go once all pods are ready.
func judgeBudgets(c *cluster, namespace string) []string {
	var failures []string
	err := await(time.Minute, func(ctx context.Context) error {
		failures = nil
		budgets, err := c.client.PolicyV1().PodDisruptionBudgets(namespace).List(ctx, meta.ListOptions{})
		if err != nil {
			return err
		}
		for _, each := range budgets.Items {
			if each.Status.ObservedGeneration != each.Generation || each.Status.DisruptionsAllowed < 1 {
				failures = append(failures, fmt.Sprintf("the budget %s lets no pod go: %d of %d pods are healthy%s", each.Name,
					each.Status.CurrentHealthy, each.Status.ExpectedPods, reasons(each)))
			}
		}
		if len(failures) > 0 {
			return fmt.Errorf("%s", strings.Join(failures, "; "))
		}
		return nil
	})
	if err != nil {
		return []string{err.Error()}
	}
	return nil
}

func reasons(budget policy.PodDisruptionBudget) string {
	text := ""
	for _, each := range budget.Status.Conditions {
		text += ", " + each.Reason + " " + each.Message
	}
	return text
}

// evict asks for the place of a pod, as a drain of its node does; refused is true if the budget says not now.
func evict(ctx context.Context, c *cluster, namespace, pod string) (refused bool, err error) {
	err = c.client.PolicyV1().Evictions(namespace).Evict(ctx, &policy.Eviction{ObjectMeta: meta.ObjectMeta{Name: pod, Namespace: namespace}})
	if apierrors.IsTooManyRequests(err) {
		return true, nil
	}
	return false, err
}

// claimsOf names the volume claims of a namespace with their identities.
func claimsOf(ctx context.Context, c *cluster, namespace string) (map[string]string, error) {
	all, err := c.client.CoreV1().PersistentVolumeClaims(namespace).List(ctx, meta.ListOptions{})
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, each := range all.Items {
		found[each.Name] = string(each.UID)
	}
	return found, nil
}

// podsOf names the pods of a component that are ready.
func podsOf(ctx context.Context, c *cluster, namespace, of string) ([]string, error) {
	all, err := c.client.CoreV1().Pods(namespace).List(ctx, meta.ListOptions{LabelSelector: component + "=" + of})
	if err != nil {
		return nil, err
	}
	var names []string
	for at := range all.Items {
		if all.Items[at].DeletionTimestamp == nil && isReady(&all.Items[at]) {
			names = append(names, all.Items[at].Name)
		}
	}
	sort.Strings(names)
	return names, nil
}
