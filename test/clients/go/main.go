// Checks that use a server through client-go and controller-runtime. Each is run by name against the server of
// KUBECONFIG; it prints "ok NAME", or the error and exits with 1.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

type check func(ctx context.Context, config *rest.Config) error

var checks = map[string]check{
	"typed":             typed,
	"metadata":          metadataOnly,
	"dynamic":           dynamicObjects,
	"informers":         informers,
	"leader-election":   leaderElection,
	"server-side-apply": serverSideApply,
	"manager":           manager,
}

func main() {
	for _, name := range os.Args[1:] {
		if err := run(name); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			os.Exit(1)
		}
		fmt.Println("ok", name)
	}
}

func run(name string) error {
	wanted, known := checks[name]
	if !known {
		return fmt.Errorf("there is no such check")
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	config.QPS = -1
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	return wanted(ctx, config)
}

// Media types seen on the wire, in both directions.
type wire struct {
	mutex    sync.Mutex
	requests []string
	answers  []string
	next     http.RoundTripper
}

func listen(config *rest.Config) (*rest.Config, *wire) {
	heard := &wire{}
	copied := rest.CopyConfig(config)
	copied.Wrap(func(next http.RoundTripper) http.RoundTripper {
		heard.next = next
		return heard
	})
	return copied, heard
}

func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := w.next.RoundTrip(request)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if request.Body != nil {
		w.requests = append(w.requests, request.Header.Get("Content-Type"))
	}
	if err == nil {
		w.answers = append(w.answers, response.Header.Get("Content-Type"))
	}
	return response, err
}

// Fails unless all requests and responses were protobuf.
func (w *wire) onlyProtobuf() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if len(w.answers) == 0 {
		return fmt.Errorf("nothing was asked")
	}
	for _, mediaType := range append(append([]string{}, w.requests...), w.answers...) {
		if !strings.HasPrefix(mediaType, "application/vnd.kubernetes.protobuf") {
			return fmt.Errorf("%q went over the wire, not protobuf", mediaType)
		}
	}
	return nil
}

func clientset(config *rest.Config) *kubernetes.Clientset {
	return kubernetes.NewForConfigOrDie(config)
}

func expect(condition bool, format string, arguments ...any) error {
	if condition {
		return nil
	}
	return fmt.Errorf(format, arguments...)
}

func eventually(ctx context.Context, what string, look func() bool) error {
	for !look() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("waited in vain for %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}
