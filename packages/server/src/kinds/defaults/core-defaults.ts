import { copyJson, type Draft, ensure, fill, fillText, has, inside, items } from '../draft.ts'

/** Fills in what Kubernetes gives a secret. */
export function defaultSecret(object: Draft): void {
  fillText(object, 'type', 'Opaque')
}

/** Fills in what Kubernetes gives a namespace. */
export function defaultNamespace(object: Draft): void {
  fillText(ensure(object, 'status'), 'phase', 'Active')
  const metadata = ensure(object, 'metadata')
  // Selectors may name a namespace by this label; a name that is still to be made has none yet.
  if (typeof metadata.name === 'string' && metadata.name !== '') {
    ensure(metadata, 'labels')['kubernetes.io/metadata.name'] = metadata.name
  }
}

/** Fills in what Kubernetes gives a node. */
export function defaultNode(object: Draft): void {
  const status = inside(object, 'status')
  if (!has(status, 'allocatable') && has(status, 'capacity')) status.allocatable = copyJson(status.capacity!)
}

// Defaults and requests of containers follow from limits and from each other.
/** Fills in what Kubernetes gives a limit range. */
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

/** Fills in what Kubernetes gives a priority class. */
export function defaultPriorityClass(object: Draft): void {
  fill(object, 'preemptionPolicy', 'PreemptLowerPriority')
}
