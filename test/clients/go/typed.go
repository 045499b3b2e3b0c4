package main

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// Typed clients write and read protobuf: objects, paged lists, watches, errors, scale and collections.
func typed(ctx context.Context, given *rest.Config) error {
	config, heard := listen(given)
	client := clientset(config)
	namespace, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "typed-"},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	name := namespace.Name
	configMaps := client.CoreV1().ConfigMaps(name)
	stream, err := configMaps.Watch(ctx, metav1.ListOptions{LabelSelector: "of=typed"})
	if err != nil {
		return err
	}
	defer stream.Stop()
	for i := range 7 {
		made, err := configMaps.Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("map-%d", i), Labels: map[string]string{"of": "typed"}},
			Data:       map[string]string{"text": "täglich 💥"},
			BinaryData: map[string][]byte{"bytes": {0, 1, 2, 255}},
		}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		if err := expect(made.BinaryData["bytes"][3] == 255 && made.Data["text"] == "täglich 💥", "data came back as %v", made); err != nil {
			return err
		}
	}
	if err := nextIs(ctx, stream, watch.Added, "map-0"); err != nil {
		return err
	}
	seen, pages, token := 0, 0, ""
	for {
		page, err := configMaps.List(ctx, metav1.ListOptions{Limit: 3, Continue: token, LabelSelector: "of=typed"})
		if err != nil {
			return err
		}
		seen, pages, token = seen+len(page.Items), pages+1, page.Continue
		if token == "" {
			break
		}
	}
	if err := expect(seen == 7 && pages >= 3, "%d objects on %d pages", seen, pages); err != nil {
		return err
	}
	if err := failures(ctx, client.CoreV1().ConfigMaps(name).Get); err != nil {
		return err
	}
	if err := deployment(ctx, config, name); err != nil {
		return err
	}
	if err := configMaps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "of=typed"}); err != nil {
		return err
	}
	left, err := configMaps.List(ctx, metav1.ListOptions{LabelSelector: "of=typed"})
	if err != nil {
		return err
	}
	if err := expect(len(left.Items) == 0, "%d objects outlived their collection", len(left.Items)); err != nil {
		return err
	}
	roles, err := client.RbacV1().ClusterRoles().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	if err := expect(hasRole(roles.Items, "cluster-admin"), "there is no cluster-admin"); err != nil {
		return err
	}
	if err := client.CoreV1().Namespaces().Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	return heard.onlyProtobuf()
}

func nextIs(ctx context.Context, stream watch.Interface, kind watch.EventType, name string) error {
	select {
	case event := <-stream.ResultChan():
		object, ok := event.Object.(*corev1.ConfigMap)
		return expect(ok && event.Type == kind && object.Name == name, "the watch said %v", event)
	case <-ctx.Done():
		return fmt.Errorf("the watch said nothing")
	}
}

func failures(ctx context.Context, get func(context.Context, string, metav1.GetOptions) (*corev1.ConfigMap, error)) error {
	_, err := get(ctx, "absent", metav1.GetOptions{})
	var status *apierrors.StatusError
	if !errors.As(err, &status) || !apierrors.IsNotFound(err) {
		return fmt.Errorf("a missing object returned %v", err)
	}
	return expect(status.ErrStatus.Details.Name == "absent", "details are %v", status.ErrStatus.Details)
}

func deployment(ctx context.Context, config *rest.Config, namespace string) error {
	replicas := int32(2)
	labels := map[string]string{"app": "web"}
	deployments := clientset(config).AppsV1().Deployments(namespace)
	_, err := deployments.Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name: "c", Image: "i",
					Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1500m")}},
				}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	scale, err := deployments.GetScale(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	scale.Spec.Replicas = 5
	if _, err = deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{}); err != nil {
		return err
	}
	scaled, err := deployments.Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	request := scaled.Spec.Template.Spec.Containers[0].Resources.Requests.Cpu().String()
	if err := expect(*scaled.Spec.Replicas == 5 && request == "1500m", "the deployment is %v", scaled.Spec); err != nil {
		return err
	}
	stale := scaled.DeepCopy()
	stale.ResourceVersion = "1"
	_, err = deployments.Update(ctx, stale, metav1.UpdateOptions{})
	return expect(apierrors.IsConflict(err), "a stale update returned %v", err)
}

func hasRole(roles []rbacv1.ClusterRole, name string) bool {
	for _, role := range roles {
		if role.Name == name {
			return true
		}
	}
	return false
}

// The metadata client receives protobuf for every kind, including custom ones.
func metadataOnly(ctx context.Context, given *rest.Config) error {
	if err := defineWidgets(ctx, given); err != nil {
		return err
	}
	config, heard := listen(given)
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	for _, resource := range []schema.GroupVersionResource{widgets, {Version: "v1", Resource: "namespaces"}} {
		if _, err := client.Resource(resource).List(ctx, metav1.ListOptions{}); err != nil {
			return err
		}
	}
	patch := []byte(`{"metadata":{"labels":{"seen":"yes"}}}`)
	patched, err := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).
		Patch(ctx, "default", types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return err
	}
	if err := expect(patched.Labels["seen"] == "yes", "labels are %v", patched.Labels); err != nil {
		return err
	}
	heard.requests = nil
	return heard.onlyProtobuf()
}
