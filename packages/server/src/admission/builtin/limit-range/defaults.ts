import type { KubernetesObject } from '@hykube/machinery/object'

/** An item of a LimitRange as stored. */
export interface LimitRangeItem {
  readonly type: string
  readonly max?: Readonly<Record<string, string>> | null
  readonly min?: Readonly<Record<string, string>> | null
  readonly default?: Readonly<Record<string, string>> | null
  readonly defaultRequest?: Readonly<Record<string, string>> | null
  readonly maxLimitRequestRatio?: Readonly<Record<string, string>> | null
}

/** Items of a LimitRange. */
export function limitsIn({ spec }: KubernetesObject): readonly LimitRangeItem[] {
  return (spec as { limits?: readonly LimitRangeItem[] | null } | undefined)?.limits ?? []
}

/** Sets default requests and limits of a pod's containers from a LimitRange. */
export function withLimitDefaults(pod: KubernetesObject, range: KubernetesObject): KubernetesObject {
  const limits: Record<string, string> = {}
  const requests: Record<string, string> = {}
  for (const item of limitsIn(range)) {
    if (item.type !== 'Container') continue
    Object.assign(limits, item.default)
    Object.assign(requests, item.defaultRequest)
  }
  if (Object.keys(limits).length === 0 && Object.keys(requests).length === 0) return pod
  const said: string[] = []
  const fill = (containers: readonly Container[] | null | undefined, word: string) =>
    containers?.map((container) => filled(container, word, { limits, requests }, said))
  const spec = (pod.spec ?? {}) as PodSpec
  const containers = fill(spec.containers, 'container')
  const initContainers = fill(spec.initContainers, 'init container')
  if (said.length === 0) return pod
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations: {
        ...pod.metadata?.annotations,
        'kubernetes.io/limit-ranger': `LimitRanger plugin set: ${said.join('; ')}`,
      },
    },
    spec: {
      ...spec,
      ...(containers === undefined ? {} : { containers }),
      ...(initContainers === undefined ? {} : { initContainers }),
    },
  }
}

interface PodSpec {
  readonly containers?: readonly Container[] | null
  readonly initContainers?: readonly Container[] | null
}

interface Container {
  readonly name?: string
  readonly resources?: Resources | null
}

interface Resources {
  readonly limits?: Readonly<Record<string, string>> | null
  readonly requests?: Readonly<Record<string, string>> | null
}

function filled(
  container: Container,
  word: string,
  defaults: { readonly limits: Record<string, string>; readonly requests: Record<string, string> },
  said: string[],
): Container {
  const resources: Record<string, unknown> = { ...container.resources }
  for (const field of ['requests', 'limits'] as const) {
    const given = container.resources?.[field] ?? {}
    const missing = Object.keys(defaults[field])
      .filter((name) => !(name in given))
      .sort()
    if (missing.length === 0) continue
    resources[field] = { ...given, ...Object.fromEntries(missing.map((name) => [name, defaults[field][name]!])) }
    said.push(`${missing.join(', ')} ${field === 'requests' ? 'request' : 'limit'} for ${word} ${container.name ?? ''}`)
  }
  return { ...container, resources: resources as Resources }
}
