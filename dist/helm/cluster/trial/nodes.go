// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// nodes stand in for kubelets. Each has the identity of a node, so that the server lets it see what a kubelet may see, and nothing else. It
// starts no container: it says that a pod runs as soon as the volume claims, ConfigMaps and Secrets of the pod are there with their keys.
type nodes struct {
	all     []*node
	holding atomic.Bool
	cancel  context.CancelFunc
	group   sync.WaitGroup
	mutex   sync.Mutex
	// The last reason for which a pod does not start, by namespace and name.
	waiting map[string]string
}

type node struct {
	name    string
	number  int
	client  *kubernetes.Clientset
	renewed time.Time
	given   int
}

func startNodes(c *cluster, count int) (*nodes, error) {
	ctx, cancel := context.WithCancel(context.Background())
	n := &nodes{cancel: cancel, waiting: map[string]string{}}
	for number := range count {
		name := fmt.Sprintf("node-%d", number)
		config, _, err := c.identity(name, "system:node:"+name, "system:nodes")
		if err != nil {
			cancel()
			return nil, err
		}
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			cancel()
			return nil, err
		}
		each := &node{name: name, number: number, client: client}
		if err := await(time.Minute, each.register); err != nil {
			cancel()
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		n.all = append(n.all, each)
	}
	for _, each := range n.all {
		n.group.Add(1)
		go func() {
			defer n.group.Done()
			for ctx.Err() == nil {
				n.step(ctx, each)
				select {
				case <-ctx.Done():
				case <-time.After(400 * time.Millisecond):
				}
			}
		}()
	}
	return n, nil
}

func (n *nodes) stop() {
	n.cancel()
	n.group.Wait()
}

// hold keeps new pods from becoming ready, or lets them again.
func (n *nodes) hold(wanted bool) {
	n.holding.Store(wanted)
}

// why says for what the pods of a namespace wait.
func (n *nodes) why(namespace string) []string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	var found []string
	for pod, reason := range n.waiting {
		if len(pod) > len(namespace) && pod[:len(namespace)+1] == namespace+"/" {
			found = append(found, pod+": "+reason)
		}
	}
	return found
}

func (e *node) register(ctx context.Context) error {
	object := &core.Node{ObjectMeta: meta.ObjectMeta{Name: e.name, Labels: map[string]string{
		"kubernetes.io/hostname": e.name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", "disk": "ssd",
		"topology.kubernetes.io/zone": fmt.Sprintf("zone-%d", e.number%3),
	}}}
	if _, err := e.client.CoreV1().Nodes().Create(ctx, object, meta.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return e.renew(ctx)
}

// renew tells the controllers that the node lives.
func (e *node) renew(ctx context.Context) error {
	object, err := e.client.CoreV1().Nodes().Get(ctx, e.name, meta.GetOptions{})
	if err != nil {
		return err
	}
	size := core.ResourceList{
		core.ResourceCPU: resource.MustParse("64"), core.ResourceMemory: resource.MustParse("256Gi"),
		core.ResourcePods: resource.MustParse("110"), core.ResourceEphemeralStorage: resource.MustParse("1Ti"),
	}
	now := meta.Now()
	object.Status = core.NodeStatus{
		Capacity: size, Allocatable: size,
		Addresses: []core.NodeAddress{{Type: core.NodeInternalIP, Address: fmt.Sprintf("192.0.2.%d", e.number+1)}},
		NodeInfo:  core.NodeSystemInfo{OperatingSystem: "linux", Architecture: "amd64", KubeletVersion: "v1.37.2"},
		Conditions: []core.NodeCondition{{Type: core.NodeReady, Status: core.ConditionTrue, Reason: "Trial",
			LastHeartbeatTime: now, LastTransitionTime: now}},
	}
	if _, err := e.client.CoreV1().Nodes().UpdateStatus(ctx, object, meta.UpdateOptions{}); err != nil {
		return err
	}
	seconds := int32(40)
	micro := meta.NowMicro()
	leases := e.client.CoordinationV1().Leases(core.NamespaceNodeLease)
	lease, err := leases.Get(ctx, e.name, meta.GetOptions{})
	if apierrors.IsNotFound(err) {
		lease = &coordination.Lease{ObjectMeta: meta.ObjectMeta{Name: e.name},
			Spec: coordination.LeaseSpec{HolderIdentity: &e.name, LeaseDurationSeconds: &seconds, RenewTime: &micro}}
		_, err = leases.Create(ctx, lease, meta.CreateOptions{})
	} else if err == nil {
		lease.Spec.RenewTime = &micro
		_, err = leases.Update(ctx, lease, meta.UpdateOptions{})
	}
	if err == nil {
		e.renewed = time.Now()
	}
	return err
}

// step does what a kubelet does for all pods of its node once; what fails is tried again by the next step.
func (n *nodes) step(ctx context.Context, e *node) {
	if time.Since(e.renewed) > 8*time.Second {
		_ = e.renew(ctx)
	}
	pods, err := e.client.CoreV1().Pods("").List(ctx, meta.ListOptions{FieldSelector: "spec.nodeName=" + e.name})
	if err != nil {
		return
	}
	for at := range pods.Items {
		pod := &pods.Items[at]
		key := pod.Namespace + "/" + pod.Name
		if pod.DeletionTimestamp != nil {
			now := int64(0)
			_ = e.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name,
				meta.DeleteOptions{GracePeriodSeconds: &now, Preconditions: &meta.Preconditions{UID: &pod.UID}})
			n.note(key, nil)
			continue
		}
		if pod.Status.Phase == core.PodRunning {
			continue
		}
		if n.holding.Load() {
			n.note(key, errors.New("nodes hold new pods back"))
			continue
		}
		err := e.missing(ctx, pod)
		if err == nil {
			e.given++
			pod.Status = running(pod, fmt.Sprintf("10.%d.%d.%d", 244, e.number, e.given%250+1))
			_, err = e.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, meta.UpdateOptions{})
		}
		n.note(key, err)
	}
}

func (n *nodes) note(pod string, err error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if err == nil {
		delete(n.waiting, pod)
	} else {
		n.waiting[pod] = err.Error()
	}
}

func running(pod *core.Pod, address string) core.PodStatus {
	now := meta.Now()
	status := pod.Status
	status.Phase = core.PodRunning
	status.StartTime = &now
	status.PodIP = address
	status.PodIPs = []core.PodIP{{IP: address}}
	status.Conditions = nil
	for _, kind := range []core.PodConditionType{core.PodScheduled, core.PodInitialized, core.ContainersReady, core.PodReady} {
		status.Conditions = append(status.Conditions, core.PodCondition{Type: kind, Status: core.ConditionTrue, LastTransitionTime: now})
	}
	status.ContainerStatuses = nil
	started := true
	for _, container := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, core.ContainerStatus{
			Name: container.Name, Image: container.Image, Ready: true, Started: &started,
			State: core.ContainerState{Running: &core.ContainerStateRunning{StartedAt: now}},
		})
	}
	return status
}

// missing names what a kubelet would wait for before it starts the containers.
func (e *node) missing(ctx context.Context, pod *core.Pod) error {
	maps := map[string][]string{}
	secrets := map[string][]string{}
	for _, volume := range pod.Spec.Volumes {
		if source := volume.ConfigMap; source != nil {
			maps[source.Name] = append(maps[source.Name], paths(source.Items)...)
		}
		if source := volume.Secret; source != nil {
			secrets[source.SecretName] = append(secrets[source.SecretName], paths(source.Items)...)
		}
		if source := volume.PersistentVolumeClaim; source != nil {
			claim, err := e.client.CoreV1().PersistentVolumeClaims(pod.Namespace).Get(ctx, source.ClaimName, meta.GetOptions{})
			if err != nil {
				return err
			}
			if claim.Status.Phase != core.ClaimBound {
				return fmt.Errorf("the claim %s is %s", claim.Name, claim.Status.Phase)
			}
		}
	}
	for _, container := range pod.Spec.Containers {
		for _, variable := range container.Env {
			if variable.ValueFrom != nil && variable.ValueFrom.SecretKeyRef != nil {
				source := variable.ValueFrom.SecretKeyRef
				secrets[source.Name] = append(secrets[source.Name], source.Key)
			}
		}
	}
	for name, keys := range maps {
		object, err := e.client.CoreV1().ConfigMaps(pod.Namespace).Get(ctx, name, meta.GetOptions{})
		if err != nil {
			return err
		}
		for _, key := range keys {
			if _, isThere := object.Data[key]; !isThere {
				return fmt.Errorf("the ConfigMap %s has no %s", name, key)
			}
		}
	}
	for name, keys := range secrets {
		object, err := e.client.CoreV1().Secrets(pod.Namespace).Get(ctx, name, meta.GetOptions{})
		if err != nil {
			return err
		}
		for _, key := range keys {
			if _, isThere := object.Data[key]; !isThere {
				return fmt.Errorf("the Secret %s has no %s", name, key)
			}
		}
	}
	return nil
}

func paths(items []core.KeyToPath) []string {
	var keys []string
	for _, each := range items {
		keys = append(keys, each.Key)
	}
	return keys
}
