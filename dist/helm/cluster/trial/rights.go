// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"sort"
	"strings"

	authorization "k8s.io/api/authorization/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// needed are the rights of the sidecars of the driver's controller, as their projects document them: for the whole cluster, GROUP/RESOURCE and verbs.
// No component but that controller may do anything that an account without roles may not do.
var needed = map[string]string{
	"/persistentvolumes":                                              "get list watch create patch delete",
	"/persistentvolumeclaims":                                         "get list watch update",
	"/persistentvolumeclaims/status":                                  "patch",
	"/nodes":                                                          "get list watch",
	"/pods":                                                           "get list watch",
	"/events":                                                         "list watch create update patch",
	"storage.k8s.io/storageclasses":                                   "get list watch",
	"storage.k8s.io/csinodes":                                         "get list watch",
	"storage.k8s.io/volumeattachments":                                "get list watch",
	"storage.k8s.io/volumeattributesclasses":                          "get list watch",
	"snapshot.storage.k8s.io/volumesnapshots":                         "get list",
	"snapshot.storage.k8s.io/volumesnapshotclasses":                   "get list watch",
	"snapshot.storage.k8s.io/volumesnapshotcontents":                  "get list watch update patch",
	"snapshot.storage.k8s.io/volumesnapshotcontents/status":           "update patch",
	"groupsnapshot.storage.k8s.io/volumegroupsnapshotclasses":         "get list watch",
	"groupsnapshot.storage.k8s.io/volumegroupsnapshotcontents":        "get list watch update patch",
	"groupsnapshot.storage.k8s.io/volumegroupsnapshotcontents/status": "update patch",
}

// neededInside are rights in the release's own namespace.
var neededInside = map[string]string{"coordination.k8s.io/leases": "get list watch create update patch delete"}

// judgeRights asks the server what each service account of a release may do.
func judgeRights(ctx context.Context, c *cluster, namespace, release string) []string {
	accounts, err := c.client.CoreV1().ServiceAccounts(namespace).List(ctx, meta.ListOptions{LabelSelector: "app.kubernetes.io/instance=" + release})
	if err != nil {
		return []string{err.Error()}
	}
	if len(accounts.Items) < 2 {
		return []string{fmt.Sprintf("%d service accounts", len(accounts.Items))}
	}
	common, err := rules(ctx, c, namespace, "default")
	if err != nil {
		return []string{err.Error()}
	}
	var failures []string
	for _, account := range accounts.Items {
		expected := map[string]bool{}
		where := map[string]string{}
		if strings.HasSuffix(account.Name, "-csi-controller") {
			for resource, verbs := range needed {
				for verb := range strings.FieldsSeq(verbs) {
					expected[resource+" "+verb] = true
				}
				where[resource] = ""
			}
			for resource, verbs := range neededInside {
				for verb := range strings.FieldsSeq(verbs) {
					expected[resource+" "+verb] = true
				}
				where[resource] = namespace
			}
		}
		found, err := rules(ctx, c, namespace, account.Name)
		if err != nil {
			return append(failures, err.Error())
		}
		for each := range found {
			if !common[each] && !expected[each] {
				failures = append(failures, account.Name+" may, and need not: "+each)
			}
		}
		for each := range expected {
			resource, verb, _ := strings.Cut(each, " ")
			isAllowed, err := allowed(ctx, c, namespace, account.Name, resource, verb, where[resource])
			if err != nil {
				return append(failures, err.Error())
			}
			if !isAllowed {
				failures = append(failures, account.Name+" may not, and has to: "+each)
			}
		}
	}
	sort.Strings(failures)
	return failures
}

// rules lists GROUP/RESOURCE VERB for an account, as the server answers the account itself.
func rules(ctx context.Context, c *cluster, namespace, account string) (map[string]bool, error) {
	config := rest.CopyConfig(c.config)
	config.Impersonate = rest.ImpersonationConfig{
		UserName: "system:serviceaccount:" + namespace + ":" + account,
		Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"},
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	review := &authorization.SelfSubjectRulesReview{Spec: authorization.SelfSubjectRulesReviewSpec{Namespace: namespace}}
	answer, err := client.AuthorizationV1().SelfSubjectRulesReviews().Create(ctx, review, meta.CreateOptions{})
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, rule := range answer.Status.ResourceRules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					found[group+"/"+resource+" "+verb] = true
				}
			}
		}
	}
	for _, rule := range answer.Status.NonResourceRules {
		for _, path := range rule.NonResourceURLs {
			found[path+" "+strings.Join(rule.Verbs, ",")] = true
		}
	}
	return found, nil
}

func allowed(ctx context.Context, c *cluster, namespace, account, resource, verb, in string) (bool, error) {
	group, name, _ := strings.Cut(resource, "/")
	name, part, _ := strings.Cut(name, "/")
	review := &authorization.SubjectAccessReview{Spec: authorization.SubjectAccessReviewSpec{
		User:   "system:serviceaccount:" + namespace + ":" + account,
		Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"},
		ResourceAttributes: &authorization.ResourceAttributes{
			Namespace: in, Group: group, Resource: name, Subresource: part, Verb: verb, Version: "*",
		},
	}}
	answer, err := c.client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, meta.CreateOptions{})
	if err != nil {
		return false, err
	}
	return answer.Status.Allowed, nil
}
