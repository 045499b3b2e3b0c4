import {
  compareQuantities,
  type Quantity,
  quantityFromText,
  quantityToInteger,
  quantityToText,
} from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type Amounts, amountsFrom } from '../amounts.ts'
import { podResources } from '../pod-resources.ts'
import { type LimitRangeItem, limitsIn } from './defaults.ts'

/** Kubernetes' messages for violations of a limit range by a pod. */
export function podLimitProblems(pod: KubernetesObject, range: KubernetesObject): string[] {
  const { containers, initContainers, requests, limits } = podResources(pod)
  return limitsIn(range).flatMap((item) => {
    if (item.type === 'Pod') return problemsOf(item, { requests, limits })
    if (item.type !== 'Container') return []
    return [...containers, ...initContainers].flatMap((container) => problemsOf(item, container))
  })
}

/** The same for a PersistentVolumeClaim. */
export function claimLimitProblems(claim: KubernetesObject, range: KubernetesObject): string[] {
  const { resources } = (claim.spec ?? {}) as { resources?: { requests?: unknown } | null }
  const asked: Asked = { requests: amountsFrom(resources?.requests), limits: new Map() }
  return limitsIn(range)
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((item) => [
      ...each(item.min, (name, bound) => belowMinimum(item.type, name, bound, asked)),
      ...each(item.max, (name, bound) => requestAboveMaximum(item.type, name, bound, asked)),
    ])
}

interface Asked {
  readonly requests: Amounts
  readonly limits: Amounts
}

function problemsOf(item: LimitRangeItem, asked: Asked): string[] {
  return [
    ...each(item.min, (name, bound) => belowMinimum(item.type, name, bound, asked)),
    ...each(item.max, (name, bound) => aboveMaximum(item.type, name, bound, asked)),
    ...each(item.maxLimitRequestRatio, (name, bound) => aboveRatio(item.type, name, bound, asked)),
  ]
}

function each(
  bounds: Readonly<Record<string, string>> | null | undefined,
  problem: (name: string, bound: Quantity) => string | undefined,
): string[] {
  return Object.entries(bounds ?? {}).flatMap(([name, text]) => problem(name, quantityFromText(text)) ?? [])
}

function belowMinimum(type: string, name: string, bound: Quantity, { requests, limits }: Asked): string | undefined {
  const request = requests.get(name)
  const limit = limits.get(name)
  const subject = `minimum ${name} usage per ${type} is ${quantityToText(bound)}`
  if (request === undefined) return `${subject}.  No request is specified`
  if (compareQuantities(request, bound) < 0) return `${subject}, but request is ${quantityToText(request)}`
  if (limit !== undefined && compareQuantities(limit, bound) < 0)
    return `${subject}, but limit is ${quantityToText(limit)}`
  return undefined
}

function aboveMaximum(type: string, name: string, bound: Quantity, { requests, limits }: Asked): string | undefined {
  const request = requests.get(name)
  const limit = limits.get(name)
  const subject = `maximum ${name} usage per ${type} is ${quantityToText(bound)}`
  if (limit === undefined) return `${subject}.  No limit is specified`
  if (compareQuantities(limit, bound) > 0) return `${subject}, but limit is ${quantityToText(limit)}`
  if (request !== undefined && compareQuantities(request, bound) > 0)
    return `${subject}, but request is ${quantityToText(request)}`
  return undefined
}

function requestAboveMaximum(type: string, name: string, bound: Quantity, { requests }: Asked): string | undefined {
  const request = requests.get(name)
  const subject = `maximum ${name} usage per ${type} is ${quantityToText(bound)}`
  if (request === undefined) return `${subject}.  No request is specified`
  return compareQuantities(request, bound) > 0 ? `${subject}, but request is ${quantityToText(request)}` : undefined
}

function aboveRatio(type: string, name: string, bound: Quantity, { requests, limits }: Asked): string | undefined {
  const request = requests.get(name)
  const limit = limits.get(name)
  const subject = `${name} max limit to request ratio per ${type} is ${quantityToText(bound)}`
  if (request === undefined || request.unscaled === 0n) return `${subject}, but no request is specified or request is 0`
  if (limit === undefined || limit.unscaled === 0n) return `${subject}, but no limit is specified or limit is 0`
  const [limitNano, requestNano] = [quantityToInteger(limit, -9), quantityToInteger(request, -9)]
  // limit / request > bound, in integers.
  if (limitNano * 1000n <= quantityToInteger(bound, -3) * requestNano) return undefined
  return `${subject}, but provided ratio is ${(Number(limitNano) / Number(requestNano)).toFixed(6)}`
}
