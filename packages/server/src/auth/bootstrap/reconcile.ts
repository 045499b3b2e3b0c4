import { uncovered } from '../authz/covers.ts'
import { roleRefOf, rulesOf, subjectsOf } from '../authz/policy-rule.ts'
import { isObject, listOf, objectOf, sameJson, type Untyped } from '../untyped.ts'
import { autoUpdateAnnotation, type PolicyObject } from './policy-rows.ts'

/** What must be done so that an object gives at least what the policy wants. */
export type Reconciliation =
  | { readonly kind: 'none' }
  | { readonly kind: 'create'; readonly object: PolicyObject }
  /** The stored object with what it lacked. */
  | { readonly kind: 'update'; readonly object: Untyped }
  /** A binding can't be turned to another role: delete the stored one, then create this. */
  | { readonly kind: 'recreate'; readonly object: PolicyObject }
  /** Something is lacking, and the object asks to be left alone. */
  | { readonly kind: 'protected' }

/**
 * Compares a stored role or binding with what the policy wants. Only what is lacking is added; what somebody gave it
 * besides, its labels and its annotations stay. An object annotated not to be updated stays as it is.
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
  // The rules of an aggregated role are not its own: they follow from the roles it gathers.
  const missing = wanted.aggregationRule === undefined ? uncovered(rulesOf(stored), wanted.rules ?? []) : []
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
