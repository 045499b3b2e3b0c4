import {
  DurationError,
  durationFromText,
  type KubernetesObject,
  type LabelSelectorObject,
  labelSelectorFromObject,
  SelectorError,
  selectsLabels,
} from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import { type Address, AddressError, parseAddress } from '../expression/index.ts'
import {
  type InstanceKey,
  type NodeFacts,
  type NodeKind,
  type NodePlace,
  nodeToText,
  type PlanRequest,
} from '../plan/index.ts'

/** What is wanted of a plan, as it is written. */
export interface PlanSpec {
  readonly mode?: PlanRequest['mode']
  readonly refresh?: PlanRequest['refresh']
  readonly scope?: 'Changed' | 'All'
  readonly selector?: LabelSelectorObject
  readonly kinds?: readonly string[]
  readonly targets?: readonly string[]
  readonly excludes?: readonly string[]
  readonly replace?: readonly string[]
  readonly allNamespaces?: boolean
  readonly approval?: 'Manual' | 'Automatic'
  readonly parallelism?: number
  readonly expiresAfter?: string
}

/** The objects and instances that the addresses of a plan name. */
export interface PlanSelection {
  /** The objects that targets need, targets included, as nodes; undefined without targets. */
  readonly targeted: ReadonlySet<string> | undefined
  /** Of targets that name instances and not the whole object: those. */
  readonly instances: ReadonlyMap<string, ReadonlySet<InstanceKey>>
  /** Objects that are excluded as a whole, and the excluded instances of others. */
  readonly excluded: ReadonlySet<string>
  readonly excludedInstances: ReadonlyMap<string, ReadonlySet<InstanceKey>>
  /** What is named as a target or for replacement, and so counts as marked. */
  readonly named: readonly NodePlace[]
}

export function planSpecOf({ spec }: KubernetesObject): PlanSpec {
  return (spec ?? {}) as PlanSpec
}

/** What is wrong with a plan besides its schema. */
export function planSpecProblems(object: KubernetesObject): StatusCause[] {
  const { selector, expiresAfter, ...spec } = planSpecOf(object)
  const causes: StatusCause[] = []
  const refuse = (field: string, problem: string) =>
    void causes.push({ reason: 'FieldValueInvalid', field: `spec.${field}`, message: `Invalid value: ${problem}` })
  for (const field of ['targets', 'excludes', 'replace'] as const)
    for (const [index, text] of (spec[field] ?? []).entries())
      attempt(
        AddressError,
        () => parseAddress(text),
        (problem) => refuse(`${field}[${index}]`, problem),
      )
  attempt(
    SelectorError,
    () => labelSelectorFromObject(selector ?? {}),
    (problem) => refuse('selector', problem),
  )
  if (expiresAfter !== undefined)
    attempt(
      DurationError,
      () => durationFromText(expiresAfter),
      (problem) => refuse('expiresAfter', problem),
    )
  return causes
}

function attempt(
  expected: new (...args: never[]) => Error,
  work: () => unknown,
  refuse: (problem: string) => void,
): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof expected)) throw error
    refuse(error.message)
  }
}

/** How long a plan may wait for its approval, in milliseconds. */
export function waitOf({ expiresAfter = '24h' }: PlanSpec): number {
  return Number(durationFromText(expiresAfter) / 1_000_000n)
}

/** What the planner is asked, for a plan in a namespace whose addresses name a selection. */
export function planRequest(
  spec: PlanSpec,
  { cluster, namespace }: { readonly cluster: string; readonly namespace: string },
  { targeted, instances, excluded, excludedInstances }: PlanSelection,
): PlanRequest {
  const { mode = 'Normal', refresh = 'Changed', scope = 'Changed', selector, allNamespaces = false } = spec
  const { kinds = [], targets = [], excludes = [], replace = [] } = spec
  const labels = labelSelectorFromObject(selector ?? {})
  const replaced = replace.map(parseAddress)
  const isKind =
    kinds.length === 0 ? () => true : ({ type, kind }: NodeKind) => kinds.includes(type) || kinds.includes(kind)
  return {
    cluster,
    mode,
    // What changed outside is found by looking at all of it.
    refresh: mode === 'RefreshOnly' ? 'All' : refresh,
    everything: scope === 'All',
    unrestricted:
      (selector === undefined || labels.requirements?.length === 0) &&
      kinds.length + targets.length + excludes.length === 0,
    selects: (node: NodeFacts) =>
      (allNamespaces || node.place.namespace === namespace) &&
      selectsLabels(labels, node.labels) &&
      isKind(node.kind) &&
      targeted?.has(nodeToText(node.place)) !== false &&
      !excluded.has(nodeToText(node.place)),
    instancesOf: ({ place }: NodeFacts) => {
      const text = nodeToText(place)
      const [chosen, left] = [instances.get(text), excludedInstances.get(text)]
      if (chosen === undefined && left === undefined) return undefined
      return (instance) => chosen?.has(instance) !== false && left?.has(instance) !== true
    },
    replacesSome: replaced.length > 0,
    replaces: (place: NodePlace, kind: NodeKind, instance: InstanceKey) =>
      replaced.some(
        (address) =>
          isMeant(address, namespace, place, kind) && (address.key === undefined || address.key === instance),
      ),
  }
}

/** Whether an address, written in a namespace, means an object. */
export function isMeant(address: Address, namespace: string, place: NodePlace, kind: NodeKind): boolean {
  return (
    address.name === place.name &&
    address.type === kind.type &&
    address.data === kind.data &&
    (address.namespace ?? namespace) === place.namespace &&
    (address.provider === undefined || address.provider === kind.provider)
  )
}
