import { DurationError, durationFromText } from '@hykube/machinery/amounts'
import { AddressError, type KubernetesObject, parseAddress, type ResourceAddress } from '@hykube/machinery/object'
import type { PlanSpec } from '@hykube/machinery/plan-api'
import { labelSelectorFromObject, SelectorError, selectsLabels } from '@hykube/machinery/selector'
import type { StatusCause } from '@hykube/machinery/status'
import {
  type InstanceKey,
  type ResourceKind,
  type ResourceObject,
  type ResourceRef,
  refToText,
} from '../../model/index.ts'
import type { PlanRequest } from '../../planning/index.ts'

/** The objects and instances that the addresses of a plan name. */
export interface PlanSelection {
  /** The targets and the objects they need, as texts of references; undefined without targets. */
  readonly targeted: ReadonlySet<string> | undefined
  /** The targeted instances of objects that are not targeted as a whole. */
  readonly instances: ReadonlyMap<string, ReadonlySet<InstanceKey>>
  /** Objects that are excluded as a whole, and excluded instances of other objects. */
  readonly excluded: ReadonlySet<string>
  readonly excludedInstances: ReadonlyMap<string, ReadonlySet<InstanceKey>>
  /** The objects named as targets or for replacement, which are planned like marked ones. */
  readonly named: readonly ResourceRef[]
}

export function planSpecOf({ spec }: KubernetesObject): PlanSpec {
  return (spec ?? {}) as PlanSpec
}

/** Returns the errors of a plan's spec that its schema can't express. */
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

/** Returns how long a plan waits for its approval, in milliseconds. */
export function waitOf({ expiresAfter = '24h' }: PlanSpec): number {
  return Number(durationFromText(expiresAfter) / 1_000_000n)
}

/** Converts the spec of a plan to a request for the planner. */
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
    kinds.length === 0 ? () => true : ({ type, kind }: ResourceKind) => kinds.includes(type) || kinds.includes(kind)
  return {
    cluster,
    mode,
    // Drift is found only by reading every resource.
    refresh: mode === 'RefreshOnly' ? 'All' : refresh,
    allDifferences: spec.allDifferences === true,
    everything: scope === 'All',
    unrestricted:
      (selector === undefined || labels.requirements?.length === 0) &&
      kinds.length + targets.length + excludes.length === 0,
    selects: async (object: ResourceObject) =>
      (allNamespaces || object.ref.namespace === namespace) &&
      selectsLabels(labels, object.labels) &&
      isKind(object.kind) &&
      targeted?.has(refToText(object.ref)) !== false &&
      !excluded.has(refToText(object.ref)),
    instancesOf: ({ ref }: ResourceObject) => {
      const text = refToText(ref)
      const [chosen, left] = [instances.get(text), excludedInstances.get(text)]
      if (chosen === undefined && left === undefined) return undefined
      return (instance) => chosen?.has(instance) !== false && left?.has(instance) !== true
    },
    replacesSome: replaced.length > 0,
    replaces: (ref: ResourceRef, kind: ResourceKind, instance: InstanceKey) =>
      replaced.some(
        (address) => isMeant(address, namespace, ref, kind) && (address.key === undefined || address.key === instance),
      ),
  }
}

/** True when an address in a plan of this namespace names an object. */
export function isMeant(address: ResourceAddress, namespace: string, ref: ResourceRef, kind: ResourceKind): boolean {
  return (
    address.name === ref.name &&
    address.type === kind.type &&
    address.data === kind.data &&
    (address.namespace ?? namespace) === ref.namespace &&
    (address.provider === undefined || address.provider === kind.provider)
  )
}
