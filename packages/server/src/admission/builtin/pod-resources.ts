import type { KubernetesObject } from '@hykube/machinery/object'
import { type Amounts, addAmounts, amountsFrom, largerAmounts } from './amounts.ts'

/** Resources of a container. */
export interface ContainerResources {
  readonly name: string
  readonly requests: Amounts
  readonly limits: Amounts
  /** An init container that keeps running beside the others. */
  readonly sidecar: boolean
}

/** Resources of a pod and its containers. */
export interface PodResources {
  readonly containers: readonly ContainerResources[]
  readonly initContainers: readonly ContainerResources[]
  readonly requests: Amounts
  readonly limits: Amounts
}

/** Computes the resources of a pod: the sum of its containers, or the maximum of its init containers, plus overhead. */
export function podResources(pod: KubernetesObject): PodResources {
  const spec = (pod.spec ?? {}) as PodSpec
  const containers = (spec.containers ?? []).map(containerResources)
  const initContainers = (spec.initContainers ?? []).map(containerResources)
  const overhead = amountsFrom(spec.overhead)
  const total = (field: 'requests' | 'limits') => {
    const together = demandOf(containers, initContainers, field)
    // Resources at pod level override those of the containers.
    const own = amountsFrom(spec.resources?.[field])
    const all = new Map([...together, ...own])
    return field === 'requests' ? addAmounts(all, overhead) : addAmounts(all, onlyLimited(overhead, all))
  }
  return { containers, initContainers, requests: total('requests'), limits: total('limits') }
}

interface PodSpec {
  readonly containers?: readonly Container[] | null
  readonly initContainers?: readonly Container[] | null
  readonly overhead?: unknown
  readonly resources?: { readonly requests?: unknown; readonly limits?: unknown } | null
}

interface Container {
  readonly name?: string
  readonly restartPolicy?: string
  readonly resources?: { readonly requests?: unknown; readonly limits?: unknown } | null
}

function containerResources({ name = '', restartPolicy, resources }: Container): ContainerResources {
  return {
    name,
    requests: amountsFrom(resources?.requests),
    limits: amountsFrom(resources?.limits),
    sidecar: restartPolicy === 'Always',
  }
}

// Sidecars run beside all containers that start after them.
function demandOf(
  containers: readonly ContainerResources[],
  initContainers: readonly ContainerResources[],
  field: 'requests' | 'limits',
): Amounts {
  let running: Amounts = new Map()
  let largest: Amounts = new Map()
  for (const container of initContainers) {
    const beside = addAmounts(running, container[field])
    if (container.sidecar) running = beside
    largest = largerAmounts(largest, beside)
  }
  for (const container of containers) running = addAmounts(running, container[field])
  return largerAmounts(running, largest)
}

function onlyLimited(overhead: Amounts, limits: Amounts): Amounts {
  return new Map([...overhead].filter(([name]) => limits.has(name)))
}
