// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	core "k8s.io/api/core/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// prepare makes what a cluster has before an operator installs the chart: types of other projects, classes of volumes and of priority.
func prepare(c *cluster, folders []string) error {
	client, err := extensionsclient.NewForConfig(c.config)
	if err != nil {
		return err
	}
	ctx := context.Background()
	definitions := client.ApiextensionsV1().CustomResourceDefinitions()
	var names []string
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
		if err != nil {
			return err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			definition := &extensions.CustomResourceDefinition{}
			if err := yaml.Unmarshal(text, definition); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			if definition.Kind != "CustomResourceDefinition" {
				continue
			}
			if _, err := definitions.Create(ctx, definition, meta.CreateOptions{}); ignoreExisting(err) != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			names = append(names, definition.Name)
		}
	}
	for _, name := range names {
		if err := await(time.Minute, func(ctx context.Context) error {
			definition, err := definitions.Get(ctx, name, meta.GetOptions{})
			if err != nil {
				return err
			}
			for _, each := range definition.Status.Conditions {
				if each.Type == extensions.Established && each.Status == extensions.ConditionTrue {
					return nil
				}
			}
			return fmt.Errorf("%s is not served yet", name)
		}); err != nil {
			return err
		}
	}
	for _, name := range []string{"standard", "fast", "local"} {
		class := &storage.StorageClass{ObjectMeta: meta.ObjectMeta{Name: name}, Provisioner: "kubernetes.io/host-path"}
		if name == "standard" {
			class.Annotations = map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}
		}
		if _, err := c.client.StorageV1().StorageClasses().Create(ctx, class, meta.CreateOptions{}); ignoreExisting(err) != nil {
			return err
		}
	}
	high := &scheduling.PriorityClass{ObjectMeta: meta.ObjectMeta{Name: "high"}, Value: 1000}
	_, err = c.client.SchedulingV1().PriorityClasses().Create(ctx, high, meta.CreateOptions{})
	return ignoreExisting(err)
}

func ignoreExisting(err error) error {
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// standIns do what cert-manager and a cloud's load balancers do: a Secret for each Certificate, an address for each Service that wants one.
type standIns struct {
	cluster *cluster
	objects *objects
	cancel  context.CancelFunc
	group   sync.WaitGroup
}

func startStandIns(c *cluster, o *objects) *standIns {
	ctx, cancel := context.WithCancel(context.Background())
	s := &standIns{cluster: c, objects: o, cancel: cancel}
	s.group.Add(1)
	go func() {
		defer s.group.Done()
		for ctx.Err() == nil {
			s.step(ctx)
			select {
			case <-ctx.Done():
			case <-time.After(400 * time.Millisecond):
			}
		}
	}()
	return s
}

func (s *standIns) stop() {
	s.cancel()
	s.group.Wait()
}

// step leaves what fails to the next step.
func (s *standIns) step(ctx context.Context) {
	kind := schema.GroupVersionResource{Group: "cert-manager.io", Version: "v1", Resource: "certificates"}
	if all, err := s.objects.client.Resource(kind).List(ctx, meta.ListOptions{}); err == nil {
		for _, each := range all.Items {
			s.certify(ctx, &each)
		}
	}
	services, err := s.cluster.client.CoreV1().Services("").List(ctx, meta.ListOptions{})
	if err != nil {
		return
	}
	for at := range services.Items {
		each := &services.Items[at]
		if each.Spec.Type == core.ServiceTypeLoadBalancer && len(each.Status.LoadBalancer.Ingress) == 0 {
			each.Status.LoadBalancer.Ingress = []core.LoadBalancerIngress{{IP: "192.0.2.200"}}
			_, _ = s.cluster.client.CoreV1().Services(each.Namespace).UpdateStatus(ctx, each, meta.UpdateOptions{})
		}
	}
}

func (s *standIns) certify(ctx context.Context, certificate *unstructured.Unstructured) {
	name, _, _ := unstructured.NestedString(certificate.Object, "spec", "secretName")
	common, _, _ := unstructured.NestedString(certificate.Object, "spec", "commonName")
	organizations, _, _ := unstructured.NestedStringSlice(certificate.Object, "spec", "subject", "organizations")
	secrets := s.cluster.client.CoreV1().Secrets(certificate.GetNamespace())
	if _, err := secrets.Get(ctx, name, meta.GetOptions{}); !apierrors.IsNotFound(err) {
		return
	}
	chain, key, err := s.cluster.authority.issue(common, organizations)
	if err != nil {
		return
	}
	_, _ = secrets.Create(ctx, &core.Secret{ObjectMeta: meta.ObjectMeta{Name: name}, Type: core.SecretTypeTLS,
		Data: map[string][]byte{"ca.crt": s.cluster.authority.pem, "tls.crt": chain, "tls.key": key}}, meta.CreateOptions{})
}

// secretsOf are Secrets that a set of values names, with their keys.
var secretsOf = map[string]map[string][]string{
	"04-minio":          {"minio-keys": {"PACKING_S3_ACCESS_KEY", "PACKING_S3_SECRET_KEY"}},
	"09-registry":       {"registry-keystore": {"keystore.p12", "password"}, "registry-users": {"users", "rights"}},
	"13-csi-everything": {"keys": {"PACKING_S3_ACCESS_KEY", "PACKING_S3_SECRET_KEY"}},
}

// provide makes the Secrets that an operator makes before an installation; those of 08-secrets by the command of the documentation.
func provide(c *cluster, o *objects, chartFolder, set, namespace string) error {
	ctx := context.Background()
	for name, keys := range secretsOf[set] {
		secret := &core.Secret{ObjectMeta: meta.ObjectMeta{Name: name}, Data: map[string][]byte{}}
		for _, key := range keys {
			secret.Data[key] = []byte("x")
		}
		if _, err := c.client.CoreV1().Secrets(namespace).Create(ctx, secret, meta.CreateOptions{}); ignoreExisting(err) != nil {
			return err
		}
	}
	if set != "08-secrets" {
		return nil
	}
	command := exec.Command(filepath.Join(filepath.Dir(chartFolder), "certificates"), "small-files", namespace, c.file(namespace+".authority"))
	printed, err := command.Output()
	if err != nil {
		return fmt.Errorf("certificates: %w", err)
	}
	// The set names the operator's Secret itself.
	made, err := parse(strings.ReplaceAll(string(printed), "small-files-operator-tls", "the-operators"))
	if err != nil {
		return err
	}
	for _, each := range made {
		if err := o.create(ctx, each, namespace); err != nil {
			return err
		}
	}
	return nil
}
