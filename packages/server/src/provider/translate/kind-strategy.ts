import { timeToText } from '@hykube/machinery/amounts'
import type { JsonValue } from '@hykube/machinery/json'
import { jsonEquals } from '@hykube/machinery/json'
import {
  type Condition,
  findCondition,
  type KubernetesObject,
  withCondition,
  withFinalizer,
} from '@hykube/machinery/object'
import { defaultStrategy, type Strategy } from '@hykube/machinery/resource-type'
import { keepFinalizer } from '../objects/keep-finalizer.ts'
import type { KindCheck } from './check/kind-check.ts'
import { conditionsOf, initialConditions, pendingEdit } from './conditions.ts'
import type { KindMode } from './kind-names.ts'
import { withPendingDeletion } from './pending-deletion.ts'

/** The finalizer of an object whose real resource exists. Only the server adds and removes it. */
export const managedFinalizer = 'hykube.io/managed'

/** On a new object: the address of the object whose state it takes over, `[namespace/]type.name`. */
export const movedFromAnnotation = 'hykube.io/moved-from'

export interface KindStrategyOptions {
  readonly check: KindCheck
  readonly mode: KindMode
  /** The time for transitions of conditions. */
  readonly now: () => number
  /** The warning that the type is deprecated; undefined when it is not. */
  readonly deprecation: () => string | undefined
}

/**
 * The write strategy of provider kinds: initial conditions on create, a new generation and a pending `Applied` condition for
 * each change of the spec and for a deletion, and a finalizer that only the server adds and removes. A deprecated type
 * warns when the spec of an object is written, not when objects are read.
 */
export function kindStrategy({ check, mode, now, deprecation }: KindStrategyOptions): Strategy {
  const usual = defaultStrategy({ hasStatus: true })
  return {
    ...usual,
    prepareForCreate: (object) => {
      const fresh = withInitialStatus(keepFinalizer(usual.prepareForCreate(object), undefined, managedFinalizer))
      return mode === 'managed' ? withMovedStatus(fresh, object) : fresh
    },
    prepareForUpdate: (object, old) => {
      const next = keepFinalizer(usual.prepareForUpdate(object, old), old, managedFinalizer)
      // Admission has set the status for the instance's new key.
      const moved =
        mode === 'managed' && changesInstanceKey(old, next) ? { ...next, status: object.status ?? old.status } : next
      return next.metadata?.generation === old.metadata?.generation ? moved : withPendingEdit(moved, now())
    },
    ...(mode === 'managed' && { prepareForDelete: (object: KubernetesObject) => withPendingDeletion(object, now()) }),
    warnings: (object, old) => [
      ...(usual.warnings?.(object, old) ?? []),
      ...(hasSameSpec(object, old) ? [] : [deprecation() ?? [], check.inspect(specOf(object)).warnings].flat()),
    ],
  }
}

/**
 * Returns whether an update adds or removes `count`. The existing resource then moves between the keys "no key" and `[0]`, as
 * in Terraform.
 */
export function changesInstanceKey(old: KubernetesObject, object: KubernetesObject): boolean {
  const [before, after] = [repetition(old), repetition(object)]
  return before !== after && before !== 'for_each' && after !== 'for_each'
}

function repetition({ spec }: KubernetesObject): 'single' | 'count' | 'for_each' {
  const { count = null, for_each: forEach = null } = (spec ?? {}) as { count?: JsonValue; for_each?: JsonValue }
  return count !== null ? 'count' : forEach === null ? 'single' : 'for_each'
}

/** The spec as a JSON value. */
export function specOf({ spec }: KubernetesObject): JsonValue | undefined {
  return spec as JsonValue | undefined
}

/** Returns whether an update leaves the spec unchanged. */
export function hasSameSpec(object: KubernetesObject, old: KubernetesObject | undefined): boolean {
  return old !== undefined && jsonEquals(specOf(object) ?? null, specOf(old) ?? null)
}

function withInitialStatus(object: KubernetesObject): KubernetesObject {
  const since = object.metadata?.creationTimestamp ?? ''
  return { ...object, status: { conditions: initialConditions(since) } }
}

// Set by the same write that changes the spec, so `Applied` never refers to an older generation.
function withPendingEdit(object: KubernetesObject, now: number): KubernetesObject {
  const conditions = conditionsOf(object)
  if (findCondition(conditions, 'Applied')?.reason === 'NotApplied') return object
  return {
    ...object,
    status: {
      ...(object.status as object | undefined),
      conditions: withCondition(conditions, pendingEdit(timeToText(now))),
    },
  }
}

// An object with moved-from has a real resource from its creation, so it gets the finalizer and the status that admission set.
function withMovedStatus(object: KubernetesObject, given: KubernetesObject): KubernetesObject {
  const { metadata = {}, status } = object
  if (metadata.annotations?.[movedFromAnnotation] === undefined || given.status === undefined) return object
  const { conditions, ...facts } = (given.status ?? {}) as { readonly conditions?: readonly Condition[] }
  const since = metadata.creationTimestamp ?? ''
  const all = (conditions ?? []).reduce<readonly Condition[]>(
    (known, each) => withCondition(known, { ...each, lastTransitionTime: since }),
    conditionsOf({ status }),
  )
  return {
    ...object,
    metadata: { ...metadata, finalizers: [...withFinalizer(metadata.finalizers, managedFinalizer)] },
    status: { ...facts, conditions: all },
  }
}
