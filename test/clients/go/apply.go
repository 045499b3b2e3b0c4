package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/rest"
)

// Server-side apply with typed configurations: ownership, a conflict, force, and removal of a field that its owner
// omits.
func serverSideApply(ctx context.Context, config *rest.Config) error {
	services := clientset(config).CoreV1().Services("default")
	_ = services.Delete(ctx, "applied", metav1.DeleteOptions{})
	port := func(number int32) *applycorev1.ServicePortApplyConfiguration {
		return applycorev1.ServicePort().WithName("web").WithProtocol(corev1.ProtocolTCP).WithPort(80).WithNodePort(number)
	}
	service := func(ports ...*applycorev1.ServicePortApplyConfiguration) *applycorev1.ServiceApplyConfiguration {
		return applycorev1.Service("applied", "default").
			WithSpec(applycorev1.ServiceSpec().WithType(corev1.ServiceTypeNodePort).WithPorts(ports...))
	}
	made, err := services.Apply(ctx, service(port(30777)).WithLabels(map[string]string{"a": "1", "b": "1"}), metav1.ApplyOptions{FieldManager: "first"})
	if err != nil {
		return err
	}
	if err := expect(made.Spec.ClusterIP != "" && made.Spec.Ports[0].NodePort == 30777, "made %v", made.Spec); err != nil {
		return err
	}
	_, err = services.Apply(ctx, service(port(30778)), metav1.ApplyOptions{FieldManager: "second"})
	if err := expect(apierrors.IsConflict(err), "another owner's field returned %v", err); err != nil {
		return err
	}
	forced, err := services.Apply(ctx, service(port(30778)), metav1.ApplyOptions{FieldManager: "second", Force: true})
	if err != nil {
		return err
	}
	if err := expect(forced.Spec.Ports[0].NodePort == 30778 && forced.Labels["b"] == "1", "forced %v", forced); err != nil {
		return err
	}
	extracted, err := applycorev1.ExtractService(forced, "first")
	if err != nil {
		return err
	}
	if err := expect(len(extracted.Labels) == 2, "first owns %v", extracted); err != nil {
		return err
	}
	left, err := services.Apply(ctx, service(port(30778)).WithLabels(map[string]string{"a": "1"}), metav1.ApplyOptions{FieldManager: "first"})
	if err != nil {
		return err
	}
	_, kept := left.Labels["b"]
	return expect(!kept && left.Labels["a"] == "1", "labels are %v", left.Labels)
}
