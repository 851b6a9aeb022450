// SPDX-License-Identifier: Apache-2.0

// Command servers is the control plane of Kubernetes in one file: its first argument names the program that it is.
//
//	servers etcd|kube-apiserver|kube-controller-manager|kube-scheduler FLAGS…
package main

import (
	"fmt"
	"os"
	_ "time/tzdata" // The controller of CronJobs reads time zones.

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: servers etcd|kube-apiserver|kube-controller-manager|kube-scheduler FLAGS")
		os.Exit(2)
	}
	name := os.Args[1]
	// Each program reads its flags as if it were alone.
	os.Args = append([]string{name}, os.Args[2:]...)
	var command *cobra.Command
	switch name {
	case "etcd":
		etcdmain.Main(os.Args)
		return
	case "kube-apiserver":
		command = apiserver.NewAPIServerCommand()
	case "kube-controller-manager":
		command = controllers.NewControllerManagerCommand()
	case "kube-scheduler":
		command = scheduler.NewSchedulerCommand()
	default:
		fmt.Fprintln(os.Stderr, "servers: no program "+name)
		os.Exit(2)
	}
	os.Exit(cli.Run(command))
}
