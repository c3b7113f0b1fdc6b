package deploy_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

// manifests are all files in kubernetes/, decoded into the types of the API;
// an unknown or misspelt field fails.
type manifests struct {
	deployment apps.Deployment
	service    core.Service
	autoscaler autoscaling.HorizontalPodAutoscaler
	disruption policy.PodDisruptionBudget
	network    networking.NetworkPolicy
	keys       core.ConfigMap
}

func read(t *testing.T) *manifests {
	t.Helper()
	m := new(manifests)
	targets := map[string]any{
		"apps/v1 Deployment": &m.deployment, "v1 Service": &m.service, "v1 ConfigMap": &m.keys,
		"autoscaling/v2 HorizontalPodAutoscaler": &m.autoscaler, "policy/v1 PodDisruptionBudget": &m.disruption,
		"networking.k8s.io/v1 NetworkPolicy": &m.network,
	}
	files, err := filepath.Glob("kubernetes/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var kind struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal(data, &kind); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		key := kind.APIVersion + " " + kind.Kind
		target := targets[key]
		if target == nil {
			t.Fatalf("%s: got %s, want a kind that is checked, once", file, key)
		}
		delete(targets, key)
		if err := yaml.UnmarshalStrict(data, target); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for key := range targets {
		t.Errorf("no manifest of kind %s", key)
	}
	return m
}

func TestManifestsDecodeStrictly(t *testing.T) { read(t) }

// The pod is as tight as a worker allows that confines itself further.
func TestPodSecurity(t *testing.T) {
	spec := read(t).deployment.Spec.Template.Spec
	container := spec.Containers[0]
	for rule, holds := range map[string]bool{
		"no root":                   *spec.SecurityContext.RunAsNonRoot && *spec.SecurityContext.RunAsUser > 0,
		"the default seccomp":       spec.SecurityContext.SeccompProfile.Type == core.SeccompProfileTypeRuntimeDefault,
		"no escalation":             !*container.SecurityContext.AllowPrivilegeEscalation,
		"a read-only root":          *container.SecurityContext.ReadOnlyRootFilesystem,
		"no capability":             fmt.Sprint(container.SecurityContext.Capabilities.Drop) == "[ALL]" && len(container.SecurityContext.Capabilities.Add) == 0,
		"no token of the cluster":   !*spec.AutomountServiceAccountToken,
		"no host network, PID, IPC": !spec.HostNetwork && !spec.HostPID && !spec.HostIPC,
		"a memory limit":            !container.Resources.Limits.Memory().IsZero(),
	} {
		if !holds {
			t.Errorf("the pod does not have %s", rule)
		}
	}
}

func TestManifestsFitTogether(t *testing.T) {
	m := read(t)
	spec := m.deployment.Spec.Template.Spec
	container := spec.Containers[0]
	pod := labels.Set(m.deployment.Spec.Template.Labels)
	for name, selector := range map[string]map[string]string{
		"deployment": m.deployment.Spec.Selector.MatchLabels, "service": m.service.Spec.Selector,
		"disruption": m.disruption.Spec.Selector.MatchLabels, "network": m.network.Spec.PodSelector.MatchLabels,
	} {
		if len(selector) == 0 || !labels.SelectorFromSet(selector).Matches(pod) {
			t.Errorf("%s: got selector %v, want one of the labels %v", name, selector, pod)
		}
	}
	if port := container.Ports[0].Name; m.service.Spec.Ports[0].TargetPort.String() != port {
		t.Errorf("service: got target port %s, want %s", m.service.Spec.Ports[0].TargetPort.String(), port)
	}
	for name, probe := range map[string]*core.Probe{"startup": container.StartupProbe, "readiness": container.ReadinessProbe, "liveness": container.LivenessProbe} {
		want := map[string]string{"startup": "/readyz", "readiness": "/readyz", "liveness": "/healthz"}[name]
		if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Path != want || probe.HTTPGet.Port.String() != container.Ports[0].Name {
			t.Errorf("%s: got probe %v, want GET %s", name, probe, want)
		}
	}
	if target := m.autoscaler.Spec.ScaleTargetRef; target.Kind != m.deployment.Kind || target.Name != m.deployment.Name {
		t.Errorf("autoscaler: got target %v, want the deployment", target)
	}
	if m.deployment.Spec.Replicas != nil {
		t.Error("deployment: got a number of replicas, which would fight the autoscaler")
	}
	if smallest := m.disruption.Spec.MinAvailable.IntValue(); smallest >= int(*m.autoscaler.Spec.MinReplicas) {
		t.Errorf("disruption: got %d available, want fewer than the %d replicas there may be", smallest, *m.autoscaler.Spec.MinReplicas)
	}
	if volume := spec.Volumes[0].ConfigMap; volume.Name != m.keys.Name || m.keys.Data["keys.pem"] == "" {
		t.Errorf("volume: got config map %s, want %s with keys.pem", volume.Name, m.keys.Name)
	}
	// Four workers at their largest, and the host.
	if room := container.Resources.Limits.Memory().Value(); room < 4*256<<20 {
		t.Errorf("got a memory limit of %d bytes, want room for 4 workers of 256 MiB", room)
	}
}

// Every flag in the manifests is one of the binary.
func TestArgumentsAreFlags(t *testing.T) {
	usage := help(t, binary(t, "httphost"))
	var compose struct {
		Replica struct{ Command []string } `json:"x-replica"`
	}
	data, err := os.ReadFile("compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &compose); err != nil {
		t.Fatal(err)
	}
	if len(compose.Replica.Command) == 0 {
		t.Error("compose.yaml: got no command")
	}
	for _, argument := range append(read(t).deployment.Spec.Template.Spec.Containers[0].Args, compose.Replica.Command...) {
		name, _, _ := strings.Cut(argument, "=")
		if !strings.Contains(usage, "\n  "+name+" ") {
			t.Errorf("argument %s is no flag of httphost", argument)
		}
	}
}

// What compose mounts is there, apart from the keys, which are the operator's.
func TestComposeMountsWhatIsThere(t *testing.T) {
	var compose struct {
		Services map[string]struct{ Volumes []string }
	}
	data, err := os.ReadFile("compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &compose); err != nil {
		t.Fatal(err)
	}
	replicas := 0
	for name, service := range compose.Services {
		if strings.HasPrefix(name, "replica") {
			replicas++
		}
		for _, volume := range service.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if _, err := os.Stat(source); err != nil && source != "./keys.pem" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	upstreams, err := os.ReadFile("upstreams.conf")
	if err != nil {
		t.Fatal(err)
	}
	if got := bytes.Count(upstreams, []byte("server replica")); got != replicas || got == 0 {
		t.Errorf("upstreams.conf: got %d replicas, want the %d of compose.yaml", got, replicas)
	}
}
