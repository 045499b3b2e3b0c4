import { uncovered } from '../authz/covers.ts'
import { roleRefOf, rulesOf, subjectsOf } from '../authz/policy-rule.ts'
import { isObject, listOf, objectOf, sameJson, type Untyped } from '../untyped.ts'
import { autoUpdateAnnotation, type PolicyObject } from './policy-rows.ts'

/** Action that makes an object grant at least the permissions of the policy. */
export type Reconciliation =
  | { readonly kind: 'none' }
  | { readonly kind: 'create'; readonly object: PolicyObject }
  /** The stored object with the missing parts added. */
  | { readonly kind: 'update'; readonly object: Untyped }
  /** The role of a binding is immutable: delete the stored binding, then create this one. */
  | { readonly kind: 'recreate'; readonly object: PolicyObject }
  /** Something is missing, but the object's annotation disables updates. */
  | { readonly kind: 'protected' }

/**
 * Compares a stored role or binding with the policy. Missing parts are added; additional ones, labels and annotations
 * are kept. An object whose annotation disables updates is not changed.
 */
export function reconcilePolicy(wanted: PolicyObject, existing: object | undefined): Reconciliation {
  const stored = objectOf(existing)
  if (existing === undefined) return { kind: 'create', object: wanted }
  const isBinding = wanted.roleRef !== undefined
  const protectedFrom = objectOf(objectOf(stored.metadata).annotations)[autoUpdateAnnotation] === 'false'
  const moved = isBinding && !sameJson(roleRefOf(stored), wanted.roleRef)
  const object = isBinding ? completeBinding(wanted, stored) : completeRole(wanted, stored)
  if (!moved && sameJson(object, stored)) return { kind: 'none' }
  if (protectedFrom) return { kind: 'protected' }
  return moved ? { kind: 'recreate', object: wanted } : { kind: 'update', object }
}

function completeRole(wanted: PolicyObject, stored: Untyped): Untyped {
  // An aggregated role's rules follow from the roles it includes.
  const missing =
    wanted.aggregationRule === undefined
      ? uncovered(rulesOf(stored), wanted.rules ?? [], Number.POSITIVE_INFINITY).missing
      : []
  return {
    ...completeAggregation(wanted, withMetadata(wanted, stored)),
    ...(missing.length === 0 ? {} : { rules: [...listOf(stored.rules), ...missing] }),
  }
}

function completeBinding(wanted: PolicyObject, stored: Untyped): Untyped {
  const subjects = subjectsOf(stored)
  const missing = (wanted.subjects ?? []).filter((subject) => !subjects.some((own) => sameJson(own, subject)))
  const complete = withMetadata(wanted, stored)
  return missing.length === 0 ? complete : { ...complete, subjects: [...listOf(stored.subjects), ...missing] }
}

function completeAggregation(wanted: PolicyObject, stored: Untyped): Untyped {
  const { aggregationRule, ...plain } = stored
  if (wanted.aggregationRule === undefined) return isObject(aggregationRule) ? plain : stored
  const own = listOf(objectOf(aggregationRule).clusterRoleSelectors)
  const missing = wanted.aggregationRule.clusterRoleSelectors.filter(
    (selector) => !own.some((other) => sameJson(other, selector)),
  )
  if (missing.length === 0) return stored
  return { ...stored, aggregationRule: { clusterRoleSelectors: [...own, ...missing] } }
}

function withMetadata(wanted: PolicyObject, stored: Untyped): Untyped {
  const metadata = objectOf(stored.metadata)
  return {
    ...stored,
    metadata: {
      ...metadata,
      labels: { ...wanted.metadata.labels, ...objectOf(metadata.labels) },
      annotations: { ...wanted.metadata.annotations, ...objectOf(metadata.annotations) },
    },
  }
}
