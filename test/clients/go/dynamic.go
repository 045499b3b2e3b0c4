package main

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// The dynamic client works on a kind without a Go type, and discovery lists it.
func dynamicObjects(ctx context.Context, config *rest.Config) error {
	if err := defineWidgets(ctx, config); err != nil {
		return err
	}
	discovered, err := discovery.NewDiscoveryClientForConfigOrDie(config).ServerResourcesForGroupVersion(widgetVersion.String())
	if err != nil {
		return err
	}
	if err := expect(len(discovered.APIResources) == 2, "discovery shows %v", discovered.APIResources); err != nil {
		return err
	}
	client := dynamic.NewForConfigOrDie(config).Resource(widgets).Namespace("default")
	widget := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": widgetVersion.String(), "kind": "Widget",
		"metadata": map[string]any{"generateName": "dynamic-"},
		"spec":     map[string]any{"parts": int64(3), "unknown": "goes"},
	}}
	made, err := client.Create(ctx, widget, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, kept, _ := unstructured.NestedString(made.Object, "spec", "unknown")
	if err := expect(!kept && made.GetGeneration() == 1, "made %v", made.Object); err != nil {
		return err
	}
	patched, err := client.Patch(ctx, made.GetName(), types.MergePatchType, []byte(`{"spec":{"parts":4}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	if err := expect(patched.GetGeneration() == 2, "the generation is %d", patched.GetGeneration()); err != nil {
		return err
	}
	_, err = client.Patch(ctx, made.GetName(), types.MergePatchType, []byte(`{"spec":{"parts":"many"}}`), metav1.PatchOptions{})
	if err := expect(apierrors.IsInvalid(err), "a wrong type returned %v", err); err != nil {
		return err
	}
	return client.Delete(ctx, made.GetName(), metav1.DeleteOptions{})
}
