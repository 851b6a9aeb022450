// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	api "k8s.io/client-go/tools/clientcmd/api"
)

// cluster is a control plane on the loopback address, with certificates of an authority of its own.
type cluster struct {
	folder    string
	servers   string
	authority *authority
	address   string
	processes []*process
	// The administrator's.
	config     *rest.Config
	kubeconfig string
	client     *kubernetes.Clientset
}

type process struct {
	name    string
	log     string
	command *exec.Cmd
	ended   chan error
}

func startCluster(servers, folder string) (*cluster, error) {
	authority, err := newAuthority("cluster")
	if err != nil {
		return nil, err
	}
	c := &cluster{folder: folder, servers: servers, authority: authority}
	if err := c.start(); err != nil {
		c.stop()
		return nil, err
	}
	return c, nil
}

func (c *cluster) start() error {
	if err := os.WriteFile(c.file("ca.crt"), c.authority.pem, 0o600); err != nil {
		return err
	}
	private, public, err := keyPair()
	if err != nil {
		return err
	}
	for name, key := range map[string][]byte{"accounts.key": private, "accounts.pub": public} {
		if err := os.WriteFile(c.file(name), key, 0o600); err != nil {
			return err
		}
	}
	for name, organizations := range map[string][]string{"server": nil, "etcd": nil, "etcd-client": nil} {
		if err := c.issue(name, name, organizations); err != nil {
			return err
		}
	}
	etcd, peers, port, err := ports()
	if err != nil {
		return err
	}
	c.address = fmt.Sprintf("https://127.0.0.1:%d", port)
	store := fmt.Sprintf("https://127.0.0.1:%d", etcd)
	between := fmt.Sprintf("http://127.0.0.1:%d", peers)
	if err := c.run("etcd", "--name=one", "--data-dir="+c.file("etcd"), "--listen-client-urls="+store, "--advertise-client-urls="+store,
		"--listen-peer-urls="+between, "--initial-advertise-peer-urls="+between, "--initial-cluster=one="+between,
		"--client-cert-auth", "--trusted-ca-file="+c.file("ca.crt"), "--cert-file="+c.file("etcd.crt"), "--key-file="+c.file("etcd.key"),
		"--unsafe-no-fsync", "--log-level=warn"); err != nil {
		return err
	}
	if err := c.run("kube-apiserver", "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port), "--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none", "--etcd-servers="+store, "--etcd-cafile="+c.file("ca.crt"),
		"--etcd-certfile="+c.file("etcd-client.crt"), "--etcd-keyfile="+c.file("etcd-client.key"),
		"--tls-cert-file="+c.file("server.crt"), "--tls-private-key-file="+c.file("server.key"), "--client-ca-file="+c.file("ca.crt"),
		"--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction", "--allow-privileged",
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file="+c.file("accounts.pub"),
		"--service-account-signing-key-file="+c.file("accounts.key"), "--service-cluster-ip-range=10.96.0.0/16"); err != nil {
		return err
	}
	if c.config, c.kubeconfig, err = c.identity("administrator", "administrator", "system:masters"); err != nil {
		return err
	}
	if c.client, err = kubernetes.NewForConfig(c.config); err != nil {
		return err
	}
	if err := c.awaitReady(); err != nil {
		return err
	}
	_, controllers, err := c.identity("controllers", "system:kube-controller-manager")
	if err != nil {
		return err
	}
	// The claims get volumes in directories below /tmp/hostpath_pv, which no pod uses: no container runs.
	if err := c.run("kube-controller-manager", "--kubeconfig="+controllers, "--bind-address=127.0.0.1", "--secure-port=0",
		"--leader-elect=false", "--use-service-account-credentials", "--service-account-private-key-file="+c.file("accounts.key"),
		"--root-ca-file="+c.file("ca.crt"), "--enable-hostpath-provisioner", "--concurrent-gc-syncs=4"); err != nil {
		return err
	}
	_, scheduler, err := c.identity("scheduler", "system:kube-scheduler")
	if err != nil {
		return err
	}
	return c.run("kube-scheduler", "--kubeconfig="+scheduler, "--bind-address=127.0.0.1", "--secure-port=0", "--leader-elect=false")
}

func (c *cluster) file(name string) string {
	return filepath.Join(c.folder, name)
}

func (c *cluster) issue(file, name string, organizations []string) error {
	certificate, key, err := c.authority.issue(name, organizations)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.file(file+".crt"), certificate, 0o600); err != nil {
		return err
	}
	return os.WriteFile(c.file(file+".key"), key, 0o600)
}

// identity makes a certificate of a user of the cluster, and the file by which programs use it.
func (c *cluster) identity(file, user string, groups ...string) (*rest.Config, string, error) {
	certificate, key, err := c.authority.issue(user, groups)
	if err != nil {
		return nil, "", err
	}
	path := c.file(file + ".kubeconfig")
	settings := api.Config{
		Clusters:       map[string]*api.Cluster{"it": {Server: c.address, CertificateAuthorityData: c.authority.pem}},
		AuthInfos:      map[string]*api.AuthInfo{"it": {ClientCertificateData: certificate, ClientKeyData: key}},
		Contexts:       map[string]*api.Context{"it": {Cluster: "it", AuthInfo: "it"}},
		CurrentContext: "it",
	}
	if err := clientcmd.WriteToFile(settings, path); err != nil {
		return nil, "", err
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		return nil, "", err
	}
	config.QPS = 200
	config.Burst = 400
	return config, path, nil
}

func (c *cluster) run(name string, flags ...string) error {
	log, err := os.Create(c.file(name + ".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	command := exec.Command(c.servers, append([]string{name}, flags...)...)
	command.Stdout = log
	command.Stderr = log
	command.Dir = c.folder
	// A trial that is killed leaves no server behind.
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := command.Start(); err != nil {
		return err
	}
	started := &process{name: name, log: log.Name(), command: command, ended: make(chan error, 1)}
	go func() { started.ended <- command.Wait() }()
	c.processes = append(c.processes, started)
	return nil
}

func (c *cluster) awaitReady() error {
	return await(3*time.Minute, func(ctx context.Context) error {
		if err := c.health(); err != nil {
			return errors.Join(errFinal, err)
		}
		return c.client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
	})
}

// health names a server that has ended, with the last lines of its log.
func (c *cluster) health() error {
	for _, each := range c.processes {
		select {
		case err := <-each.ended:
			each.ended <- err
			text, _ := os.ReadFile(each.log)
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			return fmt.Errorf("%s has ended: %v\n%s", each.name, err, strings.Join(lines[max(0, len(lines)-15):], "\n"))
		default:
		}
	}
	return nil
}

// stop ends the servers in the opposite order of their starts.
func (c *cluster) stop() {
	for at := len(c.processes) - 1; at >= 0; at-- {
		each := c.processes[at]
		_ = each.command.Process.Signal(syscall.SIGTERM)
		select {
		case <-each.ended:
		case <-time.After(20 * time.Second):
			_ = each.command.Process.Kill()
			<-each.ended
		}
	}
}

func ports() (int, int, int, error) {
	var found [3]int
	for at := range found {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return 0, 0, 0, err
		}
		// All are taken at once, so that they differ.
		defer listener.Close()
		found[at] = listener.Addr().(*net.TCPAddr).Port
	}
	return found[0], found[1], found[2], nil
}

// errFinal marks a failure that no waiting mends.
var errFinal = errors.New("no use to wait")

// await repeats a step until it succeeds.
func await(limit time.Duration, step func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for {
		err := step(ctx)
		if err == nil {
			return nil
		}
		if errors.Is(err, errFinal) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not within %s: %w", limit, err)
		case <-time.After(300 * time.Millisecond):
		}
	}
}
