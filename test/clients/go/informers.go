package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubernetesinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Informers get the initial state by one streaming watch (WatchList) and then follow it.
func informers(ctx context.Context, given *rest.Config) error {
	config, heard := listen(given)
	var streamed, listed atomic.Int32
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			query := request.URL.Query()
			if strings.HasSuffix(request.URL.Path, "/configmaps") && request.Method == http.MethodGet {
				if query.Get("sendInitialEvents") == "true" {
					streamed.Add(1)
				} else if query.Get("watch") == "" {
					listed.Add(1)
				}
			}
			return next.RoundTrip(request)
		})
	})
	client := clientset(config)
	namespace, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "informed-"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	maps := client.CoreV1().ConfigMaps(namespace.Name)
	for i := range 50 {
		if _, err := maps.Create(ctx, configMap(fmt.Sprintf("early-%d", i)), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	factory := kubernetesinformers.NewSharedInformerFactoryWithOptions(client, 0, kubernetesinformers.WithNamespace(namespace.Name))
	informer := factory.Core().V1().ConfigMaps()
	var added, updated, deleted atomic.Int32
	_, err = informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { added.Add(1) },
		UpdateFunc: func(any, any) { updated.Add(1) },
		DeleteFunc: func(any) { deleted.Add(1) },
	})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return fmt.Errorf("%v never synced", kind)
		}
	}
	if err := eventually(ctx, "all objects", func() bool { return added.Load() >= 50 }); err != nil {
		return err
	}
	late, err := maps.Create(ctx, configMap("late"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	late.Data = map[string]string{"changed": "yes"}
	if _, err := maps.Update(ctx, late, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := eventually(ctx, "the change", func() bool {
		found, err := informer.Lister().ConfigMaps(namespace.Name).Get("late")
		return err == nil && found.Data["changed"] == "yes"
	}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "late", metav1.DeleteOptions{}); err != nil {
		return err
	}
	if err := eventually(ctx, "the deletion", func() bool { return deleted.Load() == 1 }); err != nil {
		return err
	}
	if err := expect(streamed.Load() > 0 && listed.Load() == 0, "%d streamed and %d plain lists", streamed.Load(), listed.Load()); err != nil {
		return err
	}
	return heard.onlyProtobuf()
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
}
