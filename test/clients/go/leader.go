package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// Three candidates: one leads at a time, and when it steps down another takes over.
func leaderElection(ctx context.Context, config *rest.Config) error {
	client := clientset(config)
	var leading, terms, most atomic.Int32
	var group sync.WaitGroup
	contexts := map[string]context.CancelFunc{}
	led := make(chan string, 10)
	for _, name := range []string{"one", "two", "three"} {
		candidate, stop := context.WithCancel(ctx)
		contexts[name] = stop
		lock := &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "leader", Namespace: "default"},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		}
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 200 * time.Millisecond,
			ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(ctx context.Context) {
					terms.Add(1)
					most.Store(max(most.Load(), leading.Add(1)))
					led <- name
				},
				OnStoppedLeading: func() {},
			},
		})
		if err != nil {
			return err
		}
		group.Go(func() { elector.Run(candidate) })
	}
	first := <-led
	leading.Add(-1)
	contexts[first]()
	var second string
	select {
	case second = <-led:
	case <-ctx.Done():
		return ctx.Err()
	}
	for _, stop := range contexts {
		stop()
	}
	group.Wait()
	lease, err := client.CoordinationV1().Leases("default").Get(context.Background(), "leader", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if err := expect(*lease.Spec.LeaseTransitions >= 1, "the lease is %v", lease.Spec); err != nil {
		return err
	}
	return expect(first != second && most.Load() == 1, "%s led, then %s; at most %d at once", first, second, most.Load())
}
