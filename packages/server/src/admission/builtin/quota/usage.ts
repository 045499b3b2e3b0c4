import { quantityFromInteger } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type Amounts, addAmounts, amountsFrom } from '../amounts.ts'
import { podResources } from '../pod-resources.ts'

/** A resource counted by quotas. */
export interface CountedResource {
  readonly group: string
  readonly plural: string
}

/** Usage of an object under all names that quotas have for it. */
export function usageOf({ group, plural }: CountedResource, object: KubernetesObject): Amounts {
  const counted = new Map([[countName({ group, plural }), one]])
  if (group !== '') return counted
  switch (plural) {
    case 'pods':
      return addAmounts(counted, podUsage(object))
    case 'services':
      return addAmounts(counted, serviceUsage(object))
    case 'persistentvolumeclaims':
      return addAmounts(counted, claimUsage(object))
    default:
      return plainCounts.has(plural) ? counted.set(plural, one) : counted
  }
}

/** `count/deployments.apps`, `count/pods`. */
export function countName({ group, plural }: CountedResource): string {
  return group === '' ? `count/${plural}` : `count/${plural}.${group}`
}

/** Returns the resource whose objects a quota name counts or sums up; undefined for unknown names. */
export function resourceOfName(name: string): CountedResource | undefined {
  if (name.startsWith('count/')) {
    const [plural = '', ...group] = name.slice('count/'.length).split('.')
    return { group: group.join('.'), plural }
  }
  if (plainCounts.has(name)) return { group: '', plural: name }
  if (name === 'services' || name.startsWith('services.')) return { group: '', plural: 'services' }
  if (name === 'persistentvolumeclaims' || name === 'requests.storage' || name.includes(storageClassMark))
    return { group: '', plural: 'persistentvolumeclaims' }
  return isPodResource(name) ? { group: '', plural: 'pods' } : undefined
}

/** True when a name counts objects independent of their content. */
export function isPlainCount(name: string): boolean {
  return name.startsWith('count/') || plainCounts.has(name) || name === 'services' || name === 'persistentvolumeclaims'
}

/** Requests and limits under the names of quotas. */
export function computeUsage(requests: Amounts, limits: Amounts): Amounts {
  const usage = new Map()
  for (const [name, amount] of requests) {
    if (!name.includes('/') && !name.startsWith('hugepages-')) usage.set(name, amount)
    else if (name.startsWith('hugepages-')) usage.set(name, amount)
    usage.set(`requests.${name}`, amount)
  }
  for (const [name, amount] of limits) if (limitable.has(name)) usage.set(`limits.${name}`, amount)
  return usage
}

const one = quantityFromInteger(1)
const plainCounts = new Set(['configmaps', 'secrets', 'replicationcontrollers', 'resourcequotas'])
const limitable = new Set(['cpu', 'memory', 'ephemeral-storage'])
const storageClassMark = '.storageclass.storage.k8s.io/'

function isPodResource(name: string): boolean {
  return name === 'pods' || limitable.has(name) || /^(requests|limits)\./.test(name) || name.startsWith('hugepages-')
}

// A finished pod uses no compute resources, but still counts as an object.
function podUsage(pod: KubernetesObject): Amounts {
  const { phase } = (pod.status ?? {}) as { phase?: string }
  if (phase === 'Succeeded' || phase === 'Failed') return new Map()
  const { requests, limits } = podResources(pod)
  return addAmounts(new Map([['pods', one]]), computeUsage(requests, limits))
}

function serviceUsage(service: KubernetesObject): Amounts {
  const spec = (service.spec ?? {}) as {
    type?: string
    allocateLoadBalancerNodePorts?: boolean
    ports?: readonly { nodePort?: number }[]
  }
  const ports = spec.ports ?? []
  const usage = new Map([['services', one]])
  if (spec.type === 'LoadBalancer') usage.set('services.loadbalancers', one)
  const allocated =
    spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false)
  const nodePorts = allocated ? ports.length : ports.filter(({ nodePort = 0 }) => nodePort !== 0).length
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer')
    usage.set('services.nodeports', quantityFromInteger(nodePorts))
  return usage
}

function claimUsage(claim: KubernetesObject): Amounts {
  const spec = (claim.spec ?? {}) as { storageClassName?: string; resources?: { requests?: unknown } }
  const storage = amountsFrom(spec.resources?.requests).get('storage')
  const usage = new Map([['persistentvolumeclaims', one]])
  if (storage !== undefined) usage.set('requests.storage', storage)
  if (spec.storageClassName) {
    usage.set(`${spec.storageClassName}${storageClassMark}persistentvolumeclaims`, one)
    if (storage !== undefined) usage.set(`${spec.storageClassName}${storageClassMark}requests.storage`, storage)
  }
  return usage
}
