import { copyJson, type Draft, ensure, fill, fillText, has, inside, items } from '../draft.ts'

export function defaultSecret(object: Draft): void {
  fillText(object, 'type', 'Opaque')
}

export function defaultNamespace(object: Draft): void {
  fillText(ensure(object, 'status'), 'phase', 'Active')
  const metadata = ensure(object, 'metadata')
  // Label selectors can match a namespace by this label. With generateName the name is not known yet.
  if (typeof metadata.name === 'string' && metadata.name !== '') {
    ensure(metadata, 'labels')['kubernetes.io/metadata.name'] = metadata.name
  }
}

export function defaultNode(object: Draft): void {
  const status = inside(object, 'status')
  if (!has(status, 'allocatable') && has(status, 'capacity')) status.allocatable = copyJson(status.capacity!)
}

/** Container defaults derive from the limits, and default requests from the default limits. */
export function defaultLimitRange(object: Draft): void {
  for (const limit of items(object, 'spec', 'limits')) {
    if (limit.type !== 'Container') continue
    const limits = ensure(limit, 'default')
    for (const [name, amount] of Object.entries(inside(limit, 'max'))) fill(limits, name, amount)
    const requests = ensure(limit, 'defaultRequest')
    for (const [name, amount] of Object.entries(limits)) fill(requests, name, amount)
    for (const [name, amount] of Object.entries(inside(limit, 'min'))) fill(requests, name, amount)
    for (const field of ['default', 'defaultRequest']) {
      if (Object.keys(inside(limit, field)).length === 0) delete limit[field]
    }
  }
}

export function defaultPriorityClass(object: Draft): void {
  fill(object, 'preemptionPolicy', 'PreemptLowerPriority')
}
