import type { JsonValue } from '@hykube/machinery/json'
import { jsonEquals } from '@hykube/machinery/json'
import {
  type Condition,
  findCondition,
  type KubernetesObject,
  timeToText,
  withCondition,
  withFinalizer,
} from '@hykube/machinery/object'
import { defaultStrategy, type Strategy } from '@hykube/machinery/resource-type'
import { keepFinalizer } from '../objects/keep-finalizer.ts'
import { conditionsOf, initialConditions, pendingEdit } from './conditions.ts'
import type { KindCheck } from './kind-check.ts'
import type { KindMode } from './kind-names.ts'

/** The finalizer of what exists outside: put on and taken off by the server alone. */
export const managedFinalizer = 'hykube.io/managed'

/** Names the object whose place a new one takes, as `[namespace/]type.name`. */
export const movedFromAnnotation = 'hykube.io/moved-from'

/**
 * How objects of a provider's kinds behave on writes of clients: conditions from creation on, a new generation and a pending
 * `Applied` condition for each change of the spec, and a finalizer that only the server adds and removes.
 */
export function kindStrategy(check: KindCheck, mode: KindMode, now: () => number): Strategy {
  const usual = defaultStrategy({ hasStatus: true })
  return {
    ...usual,
    prepareForCreate: (object) => {
      const fresh = withInitialStatus(keepFinalizer(usual.prepareForCreate(object), undefined, managedFinalizer))
      return mode === 'managed' ? takenOver(fresh, object) : fresh
    },
    prepareForUpdate: (object, old) => {
      const next = keepFinalizer(usual.prepareForUpdate(object, old), old, managedFinalizer)
      // Admission has said how it stands with its instance under another key.
      const moved =
        mode === 'managed' && movesItsInstance(old, next) ? { ...next, status: object.status ?? old.status } : next
      return next.metadata?.generation === old.metadata?.generation ? moved : withPendingEdit(moved, now())
    },
    warnings: (object, old) => [
      ...(usual.warnings?.(object, old) ?? []),
      ...(hasSameSpec(object, old) ? [] : check.inspect(specOf(object)).warnings),
    ],
  }
}

/** Whether an object that stood for one thing gets `count`, or loses it: what exists is its first instance, and no longer its only one. */
export function movesItsInstance(old: KubernetesObject, object: KubernetesObject): boolean {
  const [before, after] = [repetition(old), repetition(object)]
  return before !== after && before !== 'for_each' && after !== 'for_each'
}

function repetition({ spec }: KubernetesObject): 'single' | 'count' | 'for_each' {
  const { count = null, for_each: forEach = null } = (spec ?? {}) as { count?: JsonValue; for_each?: JsonValue }
  return count !== null ? 'count' : forEach === null ? 'single' : 'for_each'
}

/** What is wanted. */
export function specOf({ spec }: KubernetesObject): JsonValue | undefined {
  return spec as JsonValue | undefined
}

/** Whether an object wants what it wanted before. */
export function hasSameSpec(object: KubernetesObject, old: KubernetesObject | undefined): boolean {
  return old !== undefined && jsonEquals(specOf(object) ?? null, specOf(old) ?? null)
}

function withInitialStatus(object: KubernetesObject): KubernetesObject {
  const since = object.metadata?.creationTimestamp ?? ''
  return { ...object, status: { conditions: initialConditions(since) } }
}

// The write that changes the spec says so itself: `Applied` is about the new generation from now on.
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

// What is taken over from another object exists outside from the first moment; admission has said how it stands.
function takenOver(object: KubernetesObject, given: KubernetesObject): KubernetesObject {
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
