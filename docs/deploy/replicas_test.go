package deploy_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	issuer   = "https://id.example.com"
	audience = "https://orders.example.com"

	// patience is how long a test waits for an event before it gives up.
	patience = 60 * time.Second
)

// binary builds a command of docs/examples once and returns its path.
func binary(t *testing.T, name string) string {
	t.Helper()
	built.Do(func() {
		built.dir, built.err = os.MkdirTemp("", "deploy")
		if built.err == nil {
			var output []byte
			if output, built.err = exec.Command("go", "build", "-o", built.dir, "../examples/httphost").CombinedOutput(); built.err != nil {
				built.err = fmt.Errorf("%w: %s", built.err, output)
			}
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return filepath.Join(built.dir, name)
}

var built struct {
	sync.Once
	dir string
	err error
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(built.dir)
	os.Exit(code)
}

func help(t *testing.T, binary string) string {
	t.Helper()
	output, _ := exec.Command(binary, "-help").CombinedOutput() // It ends with status 0 or 2, by version.
	return string(output)
}

// An identity is the provider that signs tokens.
type identity struct {
	private crypto.Signer
	keys    string // file of public keys
}

func newIdentity(t *testing.T) *identity {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	id := &identity{private, filepath.Join(t.TempDir(), "keys.pem")}
	if err := os.WriteFile(id.keys, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return id
}

func (id *identity) token(t *testing.T, subject string) string {
	t.Helper()
	token, err := jwt.NewWithClaims(jwt.SigningMethodEdDSA, jwt.MapClaims{
		"iss": issuer, "aud": audience, "sub": subject, "exp": time.Now().Add(time.Hour).Unix(),
	}).SignedString(id.private)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// A replica is a process of the host on a port that it keeps over restarts.
type replica struct {
	binary, keys string
	port         int
	process      *exec.Cmd
	executions   *atomic.Int64 // of the process that runs now, from its log
	logged       chan struct{} // closed at the end of the log
}

func newReplica(t *testing.T, keys string) *replica {
	t.Helper()
	r := &replica{binary: binary(t, "httphost"), keys: keys, port: freePort(t)}
	r.start(t)
	t.Cleanup(r.kill)
	return r
}

func (r *replica) start(t *testing.T) {
	t.Helper()
	r.process = exec.Command(r.binary, "-listen", fmt.Sprintf("127.0.0.1:%d", r.port), "-keys", r.keys,
		"-issuer", issuer, "-audience", audience, "-executions", "4")
	log, err := r.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.process.Start(); err != nil {
		t.Fatal(err)
	}
	count, logged := new(atomic.Int64), make(chan struct{})
	r.executions, r.logged = count, logged
	serving := make(chan struct{})
	go func() {
		defer close(logged)
		var once sync.Once
		for scanner := bufio.NewScanner(log); scanner.Scan(); {
			switch line := scanner.Bytes(); {
			case bytes.Contains(line, []byte(`"msg":"serving"`)):
				once.Do(func() { close(serving) })
			case bytes.Contains(line, []byte(`"msg":"execution"`)):
				count.Add(1)
			}
		}
		io.Copy(io.Discard, log)
	}()
	select {
	case <-serving:
	case <-logged:
		t.Fatal("a replica ended before it served")
	case <-time.After(patience):
		t.Fatal("a replica does not serve")
	}
}

// kill ends the replica as a machine ends that loses power.
func (r *replica) kill() {
	r.process.Process.Kill()
	<-r.logged
	r.process.Wait()
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// startBalancer runs nginx with the configuration of this directory, on other
// ports and in a directory of its own, and returns its URL.
func startBalancer(t *testing.T, replicas []*replica) string {
	t.Helper()
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed: ", err)
	}
	dir, port := t.TempDir(), freePort(t)
	configuration, err := os.ReadFile("nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	upstreams, err := os.ReadFile("upstreams.conf")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("listen 8000", fmt.Sprintf("listen 127.0.0.1:%d", port), "/tmp/", dir+"/").Replace(string(configuration))
	for i, r := range replicas {
		upstreams = bytes.ReplaceAll(upstreams, fmt.Appendf(nil, "replica%d:8080", i+1), fmt.Appendf(nil, "127.0.0.1:%d", r.port))
	}
	for name, data := range map[string][]byte{"nginx.conf": []byte(text), "upstreams.conf": upstreams} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	log := new(bytes.Buffer)
	balancer := exec.Command(nginx, "-p", dir, "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off;")
	balancer.Stderr = log
	if err := balancer.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		balancer.Process.Signal(os.Interrupt)
		balancer.Wait()
		if t.Failed() {
			t.Logf("nginx: %s", log)
		}
	})
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	awaitAnswer(t, url+"/healthz")
	return url
}

// awaitAnswer asks until somebody listens.
func awaitAnswer(t *testing.T, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for ticker := time.NewTicker(10 * time.Millisecond); ; {
		if response, err := http.Get(url); err == nil {
			response.Body.Close()
			return
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			t.Fatalf("%s does not answer", url)
		}
	}
}
