package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "clients.example.com/cleanup"

// A manager with a widget controller: it creates ConfigMaps owned by the widget, writes its status, and keeps it with a
// finalizer until it has cleaned up.
func manager(ctx context.Context, config *rest.Config) error {
	ctrl.SetLogger(logr.FromSlogHandler(slog.NewTextHandler(io.Discard, nil)))
	if err := defineWidgets(ctx, config); err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	_ = clientgoscheme.AddToScheme(scheme)
	_ = addWidgets(scheme)
	running, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"},
		LeaderElection: true, LeaderElectionID: "widgets", LeaderElectionNamespace: "default", LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return err
	}
	cleaned := make(chan string, 10)
	reconciler := &widgetReconciler{client: running.GetClient(), scheme: scheme, cleaned: cleaned}
	if err := ctrl.NewControllerManagedBy(running).For(&Widget{}).Owns(&corev1.ConfigMap{}).Complete(reconciler); err != nil {
		return err
	}
	managing, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- running.Start(managing) }()
	err = liveAndDie(ctx, running.GetAPIReader(), running.GetClient(), cleaned)
	stop()
	if ending := <-ended; err == nil {
		err = ending
	}
	return err
}

func liveAndDie(ctx context.Context, reader client.Reader, writer client.Client, cleaned chan string) error {
	widget := &Widget{ObjectMeta: metav1.ObjectMeta{GenerateName: "managed-", Namespace: "default"}, Spec: WidgetSpec{Parts: 3}}
	if err := writer.Create(ctx, widget); err != nil {
		return err
	}
	key := client.ObjectKeyFromObject(widget)
	if err := eventually(ctx, "three parts", func() bool {
		found := &Widget{}
		return reader.Get(ctx, key, found) == nil && found.Status.Made == 3
	}); err != nil {
		return err
	}
	part := client.ObjectKey{Namespace: "default", Name: widget.Name + "-1"}
	if err := writer.Delete(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: part.Namespace, Name: part.Name}}); err != nil {
		return err
	}
	if err := eventually(ctx, "a lost part to come back", func() bool { return reader.Get(ctx, part, &corev1.ConfigMap{}) == nil }); err != nil {
		return err
	}
	if err := writer.Delete(ctx, widget); err != nil {
		return err
	}
	if err := expect(<-cleaned == widget.Name, "another widget was cleaned up"); err != nil {
		return err
	}
	if err := eventually(ctx, "the widget to go", func() bool { return apierrors.IsNotFound(reader.Get(ctx, key, &Widget{})) }); err != nil {
		return err
	}
	return eventually(ctx, "what it owned to go", func() bool { return apierrors.IsNotFound(reader.Get(ctx, part, &corev1.ConfigMap{})) })
}

type widgetReconciler struct {
	client  client.Client
	scheme  *runtime.Scheme
	cleaned chan string
}

func (r *widgetReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	widget := &Widget{}
	if err := r.client.Get(ctx, request.NamespacedName, widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !widget.DeletionTimestamp.IsZero() {
		if controllerutil.RemoveFinalizer(widget, finalizer) {
			r.cleaned <- widget.Name
			return ctrl.Result{}, r.client.Update(ctx, widget)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(widget, finalizer) {
		if err := r.client.Update(ctx, widget); err != nil {
			return ctrl.Result{}, err
		}
	}
	for i := range widget.Spec.Parts {
		part := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: widget.Namespace, Name: fmt.Sprintf("%s-%d", widget.Name, i)}}
		if _, err := controllerutil.CreateOrUpdate(ctx, r.client, part, func() error {
			return controllerutil.SetControllerReference(widget, part, r.scheme)
		}); err != nil {
			return ctrl.Result{}, err
		}
	}
	if widget.Status.Made == widget.Spec.Parts {
		return ctrl.Result{}, nil
	}
	widget.Status.Made = widget.Spec.Parts
	return ctrl.Result{}, r.client.Status().Update(ctx, widget)
}
