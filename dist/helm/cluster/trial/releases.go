// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
)

// wait is how long an installation may take until all of its pods run.
const wait = 4 * time.Minute

// helm installs by Helm's library, as its command does with --wait.
type helm struct {
	cluster *cluster
	log     *os.File
}

func (h *helm) settings(namespace string) (*action.Configuration, error) {
	flags := genericclioptions.NewConfigFlags(true)
	flags.KubeConfig = &h.cluster.kubeconfig
	flags.Namespace = &namespace
	flags.WrapConfigFn = func(config *rest.Config) *rest.Config {
		config.QPS = 200
		config.Burst = 400
		return config
	}
	settings := new(action.Configuration)
	err := settings.Init(flags, namespace, "secret", func(format string, values ...any) {
		fmt.Fprintf(h.log, format+"\n", values...)
	})
	return settings, err
}

// render has the chart make its objects with what the cluster knows, and stores nothing.
func (h *helm) render(loaded *chart.Chart, values map[string]any, name, namespace string) ([]*unstructured.Unstructured, error) {
	settings, err := h.settings(namespace)
	if err != nil {
		return nil, err
	}
	install := action.NewInstall(settings)
	install.ReleaseName = name
	install.Namespace = namespace
	install.DryRun = true
	install.DryRunOption = "server"
	made, err := install.Run(loaded, values)
	if err != nil {
		return nil, err
	}
	return parse(made.Manifest)
}

func (h *helm) install(loaded *chart.Chart, values map[string]any, name, namespace string) error {
	settings, err := h.settings(namespace)
	if err != nil {
		return err
	}
	install := action.NewInstall(settings)
	install.ReleaseName = name
	install.Namespace = namespace
	install.Wait = true
	install.Timeout = wait
	_, err = install.Run(loaded, values)
	return err
}

func (h *helm) upgrade(loaded *chart.Chart, values map[string]any, name, namespace string) error {
	settings, err := h.settings(namespace)
	if err != nil {
		return err
	}
	upgrade := action.NewUpgrade(settings)
	upgrade.Namespace = namespace
	upgrade.ResetValues = true
	upgrade.Wait = true
	upgrade.Timeout = wait
	_, err = upgrade.Run(name, loaded, values)
	return err
}

func (h *helm) uninstall(name, namespace string) error {
	settings, err := h.settings(namespace)
	if err != nil {
		return err
	}
	uninstall := action.NewUninstall(settings)
	uninstall.Wait = true
	uninstall.Timeout = wait
	_, err = uninstall.Run(name)
	return err
}

// revision is the number of the last change of a release that was begun.
func (h *helm) revision(name, namespace string) (int, error) {
	settings, err := h.settings(namespace)
	if err != nil {
		return 0, err
	}
	last, err := settings.Releases.Last(name)
	if err != nil {
		return 0, err
	}
	return last.Version, nil
}
