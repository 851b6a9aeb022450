// SPDX-License-Identifier: Apache-2.0

// Command trial tries a chart on a real API server with a real etcd, scheduler and controllers, which it starts on the loopback address. Kubelets are stood
// in for: pods are scheduled and get volumes, and no container runs.
//
//	trial --servers FILE --chart FOLDER --types FOLDER,… [--from FOLDER] [--only NAME,…]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func init() {
	// Servers end with the thread that started them.
	runtime.LockOSThread()
}

func main() {
	servers := flag.String("servers", "", "the program with the servers of Kubernetes")
	folder := flag.String("chart", "", "the chart's folder")
	types := flag.String("types", "", "folders with definitions of types, with commas")
	from := flag.String("from", "", "the folder of an older chart")
	only := flag.String("only", "", "parts to try: sets, upgrades, scales, evictions, two, from, planted, or a set's name")
	flag.Parse()
	if *servers == "" || *folder == "" || *types == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	os.Exit(run(*servers, *folder, strings.Split(*types, ","), *from, *only))
}

func run(servers, folder string, types []string, from, only string) int {
	work, err := os.MkdirTemp("", "chart-cluster-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(work)
	log, err := os.Create(filepath.Join(work, "helm.log"))
	if err != nil {
		return fail(err)
	}
	defer log.Close()
	loaded, err := load(folder)
	if err != nil {
		return fail(err)
	}
	c, err := startCluster(servers, work)
	if err != nil {
		return fail(err)
	}
	defer c.stop()
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-interrupted
		c.stop()
		os.RemoveAll(work)
		os.Exit(130)
	}()
	if err := prepare(c, types); err != nil {
		return fail(err)
	}
	o, err := newObjects(c)
	if err != nil {
		return fail(err)
	}
	n, err := startNodes(c, 7)
	if err != nil {
		return fail(err)
	}
	defer n.stop()
	s := startStandIns(c, o)
	defer s.stop()
	defer removeVolumes(c)
	version, err := c.client.Discovery().ServerVersion()
	if err != nil {
		return fail(err)
	}
	fmt.Printf("Kubernetes %s with %d nodes\n", version.GitVersion, len(n.all))
	t := &trial{cluster: c, nodes: n, objects: o, helm: &helm{c, log}, folder: folder, chart: loaded}
	if err := t.play(from, only); err != nil {
		return fail(err)
	}
	if err := c.health(); err != nil {
		t.claim("all servers are there to the end", err.Error())
	}
	fmt.Printf("%d passed, %d failed\n", t.passed, t.failed)
	if t.failed > 0 {
		return 1
	}
	return 0
}

func (t *trial) play(from, only string) error {
	sets, err := t.sets()
	if err != nil {
		return err
	}
	for _, level := range []string{"restricted", "baseline", "privileged"} {
		if err := t.namespace(level, level); err != nil {
			return err
		}
	}
	wanted := func(names ...string) bool {
		if only == "" {
			return true
		}
		return slices.ContainsFunc(names, func(each string) bool { return slices.Contains(strings.Split(only, ","), each) })
	}
	for _, set := range sets {
		if wanted("sets", set) {
			t.trySet(set)
		}
	}
	for _, part := range []struct {
		name string
		play func()
	}{{"upgrades", t.tryUpgrades}, {"scales", t.tryScales}, {"evictions", t.tryEvictions}, {"two", t.tryTwo}, {"planted", t.tryPlanted}} {
		if wanted(part.name) {
			part.play()
		}
	}
	if from != "" && wanted("from") {
		older, err := load(from)
		if err != nil {
			return err
		}
		t.tryFrom(older, sets)
	}
	return nil
}

// removeVolumes deletes the directories that the controllers made for claims.
func removeVolumes(c *cluster) {
	volumes, err := c.client.CoreV1().PersistentVolumes().List(context.Background(), meta.ListOptions{})
	if err != nil {
		fmt.Println("the directories of volumes are left below /tmp/hostpath_pv: " + err.Error())
		return
	}
	for _, each := range volumes.Items {
		if source := each.Spec.HostPath; source != nil && strings.HasPrefix(source.Path, "/tmp/hostpath_pv/") {
			os.RemoveAll(source.Path)
		}
	}
	// Only if it is empty.
	os.Remove("/tmp/hostpath_pv")
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "trial: "+err.Error())
	return 2
}
